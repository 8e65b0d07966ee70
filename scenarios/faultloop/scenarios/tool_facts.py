"""What the world declares of its tools, in the form in which checks ask for it.

Read from the world's own manifest, so that a check and a subject have been told the same. A tool
that nobody declared takes the careful side: it may change the world, once, alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import jsonschema_rs

from faultloop.fakes.faults.base import ANY_TOOL, parse_site
from faultloop.fakes.faults.schema_drift import SchemaDrift
from faultloop.fakes.ledger import Ledger
from faultloop.fakes.tooling.drift import drifted
from faultloop.fakes.world.spec import WorldSpec
from faultloop.fakes.world.world import World
from faultloop.scenarios.once import once
from faultloop.scenarios.scenario import Scenario


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint:
    """One thing that is wrong with arguments."""

    path: str
    """Where, as `files/0/path`; empty for the arguments as a whole."""
    message: str


@dataclass(frozen=True, kw_only=True)  # without slots: `cached_property` needs a __dict__
class ToolFacts:
    """One tool's declared manners."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """JSON Schema of its arguments."""
    later_parameters: Mapping[str, Any] | None = None
    """The same after a drift, where the scenario has one."""
    read_only: bool = False
    idempotent: bool = False
    concurrency_safe: bool = False
    cancellable: bool = False
    honours_key: bool = False
    """Whether a repeat with the same idempotency key changes nothing more."""
    verify_with: str = ""
    """The tool that can tell whether this one took effect, if there is one."""
    depends_on: tuple[str, ...] = ()
    """Tools that must have succeeded where they are called in the same batch."""

    @property
    def properties(self) -> Mapping[str, Any]:
        """Its declared parameters: name to schema."""
        return self.parameters.get("properties") or {}

    @property
    def repeatable(self) -> bool:
        """Whether a loop may repeat a call of it by itself (SPEC D4)."""
        return self.read_only or self.idempotent

    def complaints(self, arguments: object) -> tuple[Complaint, ...]:
        """What its schema has against these arguments; empty if they fit."""
        return tuple(_complaints(self._validator, arguments))

    def later_complaints(self, arguments: object) -> tuple[Complaint, ...]:
        """What its schema has against them after a drift; empty where there is none."""
        later = self._later_validator
        return () if later is None else tuple(_complaints(later, arguments))

    @cached_property
    def _validator(self) -> jsonschema_rs.Validator:
        return jsonschema_rs.validator_for(dict(self.parameters), offline=True)

    @cached_property
    def _later_validator(self) -> jsonschema_rs.Validator | None:
        later = self.later_parameters
        return None if later is None else jsonschema_rs.validator_for(dict(later), offline=True)


def _complaints(validator: jsonschema_rs.Validator, arguments: object) -> Iterator[Complaint]:
    for error in validator.iter_errors(arguments):
        path = "/".join(map(str, error.instance_path))
        yield Complaint(path=path, message=error.message)


@once
def tool_facts(scenario: Scenario) -> Mapping[str, ToolFacts]:
    """The facts of all tools that the world of a scenario offers, by name."""
    facts = _of_world(scenario.world)
    for fault in scenario.faults:
        if isinstance(fault, SchemaDrift):
            facts |= _later(facts, fault)
    return facts


def _later(facts: Mapping[str, ToolFacts], fault: SchemaDrift) -> dict[str, ToolFacts]:
    """The tools that a drift changes."""
    site = parse_site(fault.at)
    return {
        name: replace(one, later_parameters=drifted(one.parameters, fault.drift))
        for name, one in facts.items()
        if site.tool in (name, ANY_TOOL)
    }


def _of_world(spec: WorldSpec) -> dict[str, ToolFacts]:
    return {
        tool.name: ToolFacts(
            name=tool.name,
            parameters=tool.parameters,
            read_only=tool.annotations.get("readOnlyHint") is True,
            idempotent=tool.annotations.get("idempotentHint") is True,
            concurrency_safe=tool.annotations.get("faultloop/concurrencySafe") is True,
            cancellable=tool.annotations.get("faultloop/cancellable") is True,
            honours_key=tool.annotations.get("faultloop/honoursKey") is True,
            verify_with=tool.annotations.get("faultloop/verifyWith", ""),
            depends_on=tuple(tool.annotations.get("faultloop/dependsOn", ())),
        )
        for tool in World(spec, Ledger()).tools()
    }
