"""From what a server lists to contracts (SPEC C1, C2).

Three sources, in this order: what the host declares about a tool, what a trusted server hints at,
and the careful side. The hints of a server that is not trusted are read as well, but only against
the host's own declaration: one that says "this destroys" is heard, one that says "this only reads"
is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast, get_args

from faultloop.loop.contract import NO_PARAMETERS, Contract, Risk
from faultloop.loop.contract.rendering import mcp
from faultloop.loop.tools.mcp.naming import outer

DENIALS: tuple[tuple[str, str, object], ...] = (
    ("read_only", "readOnlyHint", False),
    ("read_only", "destructiveHint", True),
    ("idempotent", "idempotentHint", False),
    ("concurrency_safe", "faultloop/concurrencySafe", False),
    ("cancellable", "faultloop/cancellable", False),
    ("honours_key", "faultloop/honoursKey", False),
)
"""(what the host may have declared, the hint that takes it back, the hint's value)."""


def contract(
    server: str, entry: Mapping[str, Any], *, trusted: bool, declared: Mapping[str, Any]
) -> Contract:
    """The contract of an entry of `tools/list`. Raises ContractError.

    `declared`: fields of the contract that the host vouches for, by their names there.
    """
    hints = mcp.hints(entry)
    named = dict(hints)
    if isinstance(hints.get("faultloop/verifyWith"), str):
        named["faultloop/verifyWith"] = outer(server, hints["faultloop/verifyWith"])
    if isinstance(hints.get("faultloop/dependsOn"), list):
        named["faultloop/dependsOn"] = [
            outer(server, str(other)) for other in hints["faultloop/dependsOn"]
        ]
    made = Contract.from_manifest(
        {
            "name": outer(server, str(entry.get("name", ""))),
            "description": entry.get("description") or entry.get("title") or "",
            "parameters": entry.get("inputSchema") or NO_PARAMETERS,
            "annotations": named if trusted else {},
        }
    )
    made = replace(made, **declared)
    return made if trusted else _heeding(made, hints)


def _heeding(made: Contract, hints: Mapping[str, Any]) -> Contract:
    """The contract, more careful wherever a hint asks for it."""
    careful: dict[str, Any] = {}
    for field, hint, value in DENIALS:
        if hints.get(hint) is value and not (
            hint == "destructiveHint" and hints.get("readOnlyHint") is True
        ):
            careful[field] = False
    if hints.get("destructiveHint") is True:
        careful["destructive"] = True
    if hints.get("openWorldHint") is True:
        careful["open_world"] = True
    careful["risk"] = _higher(made.risk, hints.get("faultloop/risk"))
    return replace(made, **careful)


def _higher(declared: Risk, hinted: object) -> Risk:
    order = get_args(Risk)
    if hinted not in order:
        return declared
    return cast(Risk, max(declared, hinted, key=order.index))
