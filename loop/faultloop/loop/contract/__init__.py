"""The contract of a tool, and what is derived from it: renderings, strict forms, lint findings.

Only the declaration itself is imported here: whoever runs tools needs nothing else.
"""

from faultloop.loop.contract.declaration import (
    COMPOSING,
    NAMES,
    NO_PARAMETERS,
    Contract,
    ContractError,
    Risk,
    Strict,
)

__all__ = [
    "COMPOSING",
    "NAMES",
    "NO_PARAMETERS",
    "Contract",
    "ContractError",
    "Risk",
    "Strict",
]
