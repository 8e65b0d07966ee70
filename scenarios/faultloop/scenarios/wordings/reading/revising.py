"""One step from a wording to its variant. Pure.

What a variant says replaces what was there; what it does not mention stays, but for names that it
changes. Tools and what they take are never touched.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from faultloop.loop.contract import Contract, ContractError
from faultloop.scenarios.places import Place
from faultloop.scenarios.sentences import Complaint, nearest
from faultloop.scenarios.wordings.reading import renaming
from faultloop.scenarios.wordings.reading.edits import TEXTS, ParameterEdit, ToolEdit
from faultloop.scenarios.wordings.reading.renaming import Names
from faultloop.scenarios.wordings.wording import NO_NAMES, Wording

UNCHANGED = ToolEdit()


class Step(NamedTuple):
    """A variant: its name, and what differs, by the base's names of the tools."""

    name: str
    edits: Mapping[str, ToolEdit]


class NotRevised(Exception):
    """A variant does not fit what it extends: what is wrong, and where in its file."""

    def __init__(self, place: Place, sentence: str) -> None:
        super().__init__(sentence)
        self.complaint = Complaint(place, sentence)


def revised(parent: Wording, step: Step) -> Wording:
    """The variant as a whole wording. Raises NotRevised."""
    for tool, edit in step.edits.items():
        if tool not in parent.contracts:
            hint = nearest(tool, parent.contracts, noun="tools")
            raise NotRevised(
                ("tools", tool),
                f"{parent.name!r} has no tool {tool!r}, and a variant adds none (that is another"
                f" interface); {hint}",
            )
        if both := [part for part in edit.drop if getattr(edit, part, None) is not None]:
            raise NotRevised(
                ("tools", tool, "drop"), f"{both[0]!r} is both written and dropped; keep one"
            )
    tools = {
        contract.name: step.edits[tool].rename
        for tool, contract in parent.contracts.items()
        if tool in step.edits and step.edits[tool].rename
    }
    _told_apart(parent, step, tools)
    contracts: dict[str, Contract] = {}
    parameters: dict[str, Mapping[str, str]] = {}
    for tool, contract in parent.contracts.items():
        edit = step.edits.get(tool, UNCHANGED)
        changed = _parameter_names(parent, tool, edit)
        contracts[tool] = _contract(contract, edit, tools, changed, ("tools", tool))
        if called := _called(parent, tool, changed):
            parameters[tool] = called
    for tool, edit in step.edits.items():
        contracts[tool] = _parameters_edited(parent, tool, contracts[tool], edit)
    return Wording(name=step.name, contracts=contracts, parameters=MappingProxyType(parameters))


def _told_apart(parent: Wording, step: Step, tools: Names) -> None:
    taken: dict[str, str] = {}
    for tool, contract in parent.contracts.items():
        name = tools.get(contract.name, contract.name)
        if name in taken:
            culprit = tool if step.edits.get(tool, UNCHANGED).rename else taken[name]
            other = taken[name] if culprit == tool else tool
            raise NotRevised(
                ("tools", culprit, "rename"),
                f"the tool {other!r} is called {name!r} as well; give it another name",
            )
        taken[name] = tool


def _parameter_names(parent: Wording, tool: str, edit: ToolEdit) -> dict[str, str]:
    """What was shown of parameters so far, to what is shown now; only what changes."""
    changed: dict[str, str] = {}
    shown_now: dict[str, str] = {}
    known = {
        parent.parameter_called(tool, shown): shown for shown in parent.contracts[tool].properties
    }
    for name in edit.parameters:
        if name not in known:
            hint = nearest(name, known, noun="parameters")
            raise NotRevised(
                ("tools", tool, "parameters", name),
                f"{tool} has no parameter {name!r}, and a variant adds none (that is another"
                f" interface); {hint}",
            )
    for name, shown in known.items():
        now = edit.parameters[name].rename if name in edit.parameters else ""
        now = now or shown
        if now in shown_now:
            culprit = name if now != shown else shown_now[now]
            other = shown_now[now] if culprit == name else name
            raise NotRevised(
                ("tools", tool, "parameters", culprit, "rename"),
                f"the parameter {other!r} is called {now!r} as well; give it another name",
            )
        shown_now[now] = name
        if now != shown:
            changed[shown] = now
    return changed


def _called(parent: Wording, tool: str, changed: Names) -> Mapping[str, str]:
    """As this wording calls its parameters, to the base's names, where they differ."""
    before = parent.parameters.get(tool, NO_NAMES)
    found: dict[str, str] = {}
    for shown in parent.contracts[tool].properties:
        base, now = before.get(shown, shown), changed.get(shown, shown)
        if base != now:
            found[now] = base
    return found


def _contract(
    contract: Contract, edit: ToolEdit, tools: Names, parameters: Names, place: Place
) -> Contract:
    names = {**parameters, **tools}
    parts: dict[str, Any] = {}
    for part in TEXTS:
        if part in edit.model_fields_set:
            parts[part] = getattr(edit, part) or ""
        elif part in edit.drop:
            parts[part] = ""
        else:
            parts[part] = renaming.in_text(getattr(contract, part), names)
    if "example" in edit.model_fields_set or "example" in edit.drop:
        parts["example"] = edit.example
    else:
        parts["example"] = renaming.in_example(contract.example, parameters)
    schema = renaming.in_schema(contract.parameters, parameters)
    if "parameter_docs" in edit.drop:
        schema = renaming.undocumented(schema)
    elif names:
        schema = renaming.documented(schema, names)
    try:
        return replace(
            contract,
            name=tools.get(contract.name, contract.name),
            parameters=schema,
            depends_on=tuple(tools.get(name, name) for name in contract.depends_on),
            verify_with=tools.get(contract.verify_with or "", contract.verify_with),
            parameter_aliases={
                alias: parameters.get(name, name)
                for alias, name in contract.parameter_aliases.items()
            },
            **parts,
        )
    except ContractError as error:
        raise NotRevised((*place, "rename"), str(error)) from None


def _parameters_edited(parent: Wording, tool: str, contract: Contract, edit: ToolEdit) -> Contract:
    if not edit.parameters:
        return contract
    shown = {
        parent.parameter_called(tool, name): name for name in parent.contracts[tool].properties
    }
    properties = dict(contract.properties)
    for name, change in edit.parameters.items():
        now = change.rename or shown[name]
        properties[now] = _documented(properties[now], change)
    return replace(contract, parameters={**contract.parameters, "properties": properties})


def _documented(schema: Any, change: ParameterEdit) -> Any:
    if not isinstance(schema, dict):
        return schema
    found = dict(schema)
    for part in ("description", "examples"):
        if part in change.model_fields_set:
            found.pop(part, None)
            if (value := getattr(change, part)) is not None:
                found[part] = value
    return found
