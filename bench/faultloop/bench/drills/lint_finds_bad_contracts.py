"""The linter names each fault of a contract, with rule, place and advice, and no other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from faultloop.bench.drills.kit.drill import Drill, Untested
from faultloop.bench.drills.kit.parts import Kit
from faultloop.loop.contract.lint import Specimen


def text(**more: Any) -> dict[str, Any]:
    """A parameter that is a text, and is described."""
    return {"type": "string", "description": "Which one it is about.", **more}


def schema(**properties: Any) -> dict[str, Any]:
    """The parameters of a tool."""
    return {"type": "object", "properties": properties}


GOOD: dict[str, Any] = {
    "name": "rename_branch",
    "purpose": "Call a branch of the repository by another name, here and on the server.",
    "when": "The user wants a branch to be called otherwise.",
    "when_not": "A new branch is wanted; this makes none.",
    "returns": "One line that says what the branch is called now.",
    "parameters": schema(branch=text()),
    "example": {"branch": "fix-login"},
    "mistake": "Giving the new name first.",
}
"""A contract in which there is nothing to find."""

TIMED = schema(since={"type": "string", "format": "date-time", "description": "From when on."})

NESTED = schema(
    rules={"type": "array", "items": {"type": "object"}, "description": "What applies."}
)

FAULTS: Mapping[str, dict[str, Any]] = MappingProxyType(
    {
        "action-switch": {
            "parameters": schema(action=text(enum=["list", "delete"]), branch=text())
        },
        "fixed-order": {"purpose": "Rename a branch. You must call lock_repository first."},
        "vague": {"purpose": "Handle branches."},
        "no-when": {"when": ""},
        "no-when-not": {"when_not": ""},
        "no-returns": {"returns": ""},
        "no-path-base": {"parameters": schema(path=text())},
        "no-continuation": {"name": "list_branches"},
        "no-example": {"parameters": NESTED, "example": None},
        "time-example": {"parameters": TIMED, "example": None},
    }
)
"""By rule: what is other than in the good contract."""

PAIRS: Mapping[str, dict[str, Any]] = MappingProxyType(
    {
        "similar-names": {"name": "renameBranch"},
        "near-duplicate": {"name": "call_branch_otherwise"},
    }
)
"""By rule: what is other in a second tool that is offered beside the good one."""


def run(kit: Kit) -> Iterator[str]:
    """One fault after the other, each in a contract that has no other."""
    good = Specimen(contract=kit.contract(**GOOD))
    if kit.lint([good]):
        ids = [finding.rule.id for finding in kit.lint([good])]
        raise Untested(f"the good contract is not good any more: {ids}")
    for rule, change in FAULTS.items():
        yield from _found(kit, rule, [Specimen(contract=kit.contract(**{**GOOD, **change}))])
    for rule, change in PAIRS.items():
        other = Specimen(contract=kit.contract(**{**GOOD, **change}))
        yield from _found(kit, rule, [good, other])


def _found(kit: Kit, rule: str, tools: list[Specimen]) -> Iterator[str]:
    findings = [finding for finding in kit.lint(tools) if finding.rule.id == rule]
    if not findings:
        yield f"the linter does not see {rule} in {tools[-1].name}"
        return
    finding = findings[0]
    if not finding.rule.advice or not finding.spot.saw:
        yield f"the finding of {rule} says not what was seen, or not what to do"
    if finding.spot.tool.name != tools[-1].name:
        yield f"{rule} of {tools[-1].name} is found at {finding.spot.tool.name}"
    whole = rule.startswith("no-") and "path" not in rule and "example" not in rule
    if not whole and not finding.spot.pointer.startswith("/"):
        yield f"the finding of {rule} has no place in the contract: {finding.spot.pointer!r}"


DRILL = Drill(
    name="lint-finds-bad-contracts",
    claim="the linter finds each kind of bad contract, with rule, place and advice",
    claims=("C8",),
    evidence="static",
    run=run,
)
