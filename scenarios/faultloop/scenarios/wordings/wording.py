"""A wording: the model's face of a set of tools, under a name (SPEC C1, C9).

Tools and parameters keep the names of the base through every wording, so that one task serves them
all; what a wording calls them is only what models read and write. `shown` and `heard` are the two
directions of that.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from faultloop.loop.contract import Contract

NO_NAMES: Mapping[str, str] = MappingProxyType({})


class NoSuchTool(LookupError):
    """A task speaks of a tool that the wording does not have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """One wording of a set of tools."""

    name: str
    contracts: Mapping[str, Contract]
    """Tool to the contract that models read; the tool's name is the base's, the contract's is what
    this wording calls it. In the order of the file."""
    parameters: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Tool to (parameter as this wording calls it, to the base's name), where they differ."""
    tools: Mapping[str, str] = field(init=False, repr=False, compare=False)
    """What this wording calls a tool, to the tool."""

    def __post_init__(self) -> None:
        """Turn the names around once: every call of every answer asks for them."""
        called = {contract.name: tool for tool, contract in self.contracts.items()}
        object.__setattr__(self, "tools", MappingProxyType(called))

    def offered(self, tools: Sequence[str]) -> tuple[Contract, ...]:
        """The contracts of these tools, in this order. Raises NoSuchTool."""
        missing = [tool for tool in tools if tool not in self.contracts]
        if missing:
            raise NoSuchTool(f"wording {self.name!r} has no tool {missing[0]!r}")
        return tuple(self.contracts[tool] for tool in tools)

    def tool_called(self, name: str) -> str | None:
        """The tool that this wording calls so; None: it calls none so."""
        return self.tools.get(name)

    def parameter_called(self, tool: str, name: str) -> str:
        """The base's name of a parameter; a name that nobody knows stays as it is."""
        return self.parameters.get(tool, NO_NAMES).get(name, name)

    def parameter_shown(self, tool: str, parameter: str) -> str:
        """What this wording calls a parameter of the base."""
        renamed = self.parameters.get(tool, NO_NAMES)
        return next((name for name, base in renamed.items() if base == parameter), parameter)

    @property
    def fingerprint(self) -> str:
        """Of all that models read, and of nothing else; the order of the tools is no part of it."""
        faces = {tool: contract.face() for tool, contract in self.contracts.items()}
        said = json.dumps(faces, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(said.encode()).hexdigest()[:16]
