"""What must agree across the fields of a scenario, beyond the shape of each.

One function a rule, all of them in `RULES`; each yields a complaint with its place. A scenario that
passes is playable: its steps, tools and landmarks exist, and every fault and event can come to pass
in the columns that its `requires` lets through.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import get_args

from faultloop.fakes.faults.base import (
    ANY_STEP,
    ANY_TOOL,
    Fault,
    StreamFault,
    ToolFault,
    parse_site,
    too_small,
)
from faultloop.fakes.faults.missing_field import MissingField
from faultloop.fakes.faults.schema_drift import SchemaDrift
from faultloop.fakes.faults.wrong_type import WrongType
from faultloop.fakes.landmarks import Landmark, Trigger
from faultloop.fakes.ledger import Ledger
from faultloop.fakes.script import Step
from faultloop.fakes.tooling.drift import drifted
from faultloop.fakes.world.world import World, tool_names
from faultloop.scenarios.checks import CHECKS
from faultloop.scenarios.places import Place
from faultloop.scenarios.plan import script
from faultloop.scenarios.provable import (
    a_limit_is_told_from_death,
    claims_are_judged,
    success_is_told_from_surrender,
)
from faultloop.scenarios.scenario import Accept, CallLine, Requirement, Scenario, StepLine
from faultloop.scenarios.sentences import Complaint, nearest

CLAIMS_MAX = {"C": 11, "L": 16, "P": 11, "S": 7, "X": 9, "D": 10, "I": 5, "G": 3, "E": 2, "O": 5}
"""How many claims each section of SPEC has."""

_ARGUMENT_FAULTS = frozenset(
    {
        "truncated_arguments",
        "length_with_complete_arguments",
        "hallucinated_name",
        "glued_objects",
        "double_encoded",
        "empty_arguments",
        "wrong_type",
        "missing_field",
        "cut_in_arguments",
        "python_literal",
        "code_fence",
        "trailing_prose",
        "homoglyph_name",
        "recased_name",
        "prefixed_name",
        "no_arguments",
        "plain_text_call",
        "counted_ids",
        "shared_id",
        "same_index",
        "missing_id",
        "missing_name",
        "late_id",
        "late_name",
        "block_start_missing",
    }
)
"""Faults that can only strike a step with calls."""

_CHUNK = re.compile(r"chunk:[1-9]\d*")

_DEED_NEEDS: dict[str, tuple[Requirement, ...]] = {
    "kill": ("restart", "memory"),
    "cancel": ("cancel",),
    "steer": ("control",),
    "message": ("control",),
    "follow_up": ("control",),
}
"""A deed needs one of these among `requires`."""


def complaints(scenario: Scenario) -> Iterator[Complaint]:
    """All that does not agree, in the order of the rules."""
    try:
        tool_names(scenario.world)
    except ValueError as error:
        yield Complaint(("world",), str(error))
        return  # the other rules ask the world for its tools
    for rule in RULES:
        yield from rule(scenario)


def claim_is_a_sentence(scenario: Scenario) -> Iterator[Complaint]:
    """Reports print it as a line of its own."""
    if "\n" in scenario.claim or not scenario.claim.endswith("."):
        yield Complaint(("claim",), "it must be one line that ends with a full stop")


def claims_exist(scenario: Scenario) -> Iterator[Complaint]:
    """Claim ids are SPEC's."""
    for index, claim in enumerate(scenario.claims):
        if not re.fullmatch(r"[CLPSXDIGEO][1-9]\d*", claim):
            sentence = f"{claim!r} is no claim id; write a letter of SPEC and a number, as in P1"
            yield Complaint(("claims", index), sentence)
        elif int(claim[1:]) > CLAIMS_MAX[claim[0]]:
            last = f"{claim[0]}{CLAIMS_MAX[claim[0]]}"
            yield Complaint(("claims", index), f"SPEC has no {claim}; that section ends at {last}")


def inputs_can_be_given(scenario: Scenario) -> Iterator[Complaint]:
    """A process gets the user's message in its environment, where a NUL ends every text."""
    inputs: list[tuple[Place, str]] = [(("input",), scenario.input)]
    for index, turn in enumerate(scenario.next_turns):
        inputs.append((("next_turns", index, "input"), turn.input))
    for place, text in inputs:
        if "\0" in text:
            yield Complaint(place, "it holds a NUL character, which no process can be given")


def a_goal_is_required(scenario: Scenario) -> Iterator[Complaint]:
    """A subject without goals would be given a message like any other."""
    if scenario.goal_rounds is not None and "goals" not in scenario.requires:
        yield Complaint(("goal_rounds",), "a goal needs 'goals' among requires")


def checks_exist(scenario: Scenario) -> Iterator[Complaint]:
    """Only checks that can be run can be demanded."""
    for index, name in enumerate(scenario.checks):
        if name not in CHECKS:
            hint = nearest(name, CHECKS, noun="checks")
            yield Complaint(("checks", index), f"there is no check {name!r}; {hint}")


def calls_can_be_made(scenario: Scenario) -> Iterator[Complaint]:
    """The model calls tools that it is offered, as they want to be called.

    A wrong name is the business of a fault; wrong arguments are, or of `raw`.
    """
    world = World(scenario.world, Ledger())
    known = tool_names(scenario.world)
    for place, call in _calls(scenario):
        if call.tool not in known:
            yield _unknown_tool((*place, "tool"), call.tool, known)
        elif call.raw is None and (wrong := world.validate(call.tool, call.args)):
            sentence = f"{call.tool} would refuse it: {wrong}; where that is meant, write raw"
            yield Complaint((*place, "args"), sentence)
        if call.args and call.raw is not None:
            yield Complaint((*place, "raw"), "it stands beside args; keep one of the two")


def drifts_change_something(scenario: Scenario) -> Iterator[Complaint]:
    """The parameter that drifts is the tool's, and another than before afterwards."""
    world = World(scenario.world, Ledger())
    for index, fault in enumerate(scenario.faults):
        if not isinstance(fault, SchemaDrift):
            continue
        for tool in world.tools():
            if fault.at.split()[:2] not in (["tool", tool.name], ["any", "tool"]):
                continue
            try:
                drifted(tool.parameters, fault.drift)
            except ValueError as error:
                yield Complaint(("faults", index, "parameter"), f"{tool.name}: {error}")


def _calls(scenario: Scenario) -> Iterator[tuple[Place, CallLine]]:
    turns: list[tuple[Place, tuple[StepLine, ...]]] = [((), scenario.script)]
    turns += [(("next_turns", at), turn.script) for at, turn in enumerate(scenario.next_turns)]
    for before, lines in turns:
        for number, line in enumerate(lines):
            for index, call in enumerate(line.calls):
                yield (*before, "script", number, "calls", index), call


def faults_can_strike(scenario: Scenario) -> Iterator[Complaint]:
    """Each fault's place exists and is of the right kind."""
    steps = [step for turn in script(scenario).turns for step in turn]
    known = tool_names(scenario.world)
    for index, fault in enumerate(scenario.faults):
        place = ("faults", index, "at")
        try:
            site = parse_site(fault.at)
        except ValueError as error:
            yield Complaint(place, str(error))
            continue
        if isinstance(fault, ToolFault) != (site.tool is not None):
            wanted = "tool NAME" if isinstance(fault, ToolFault) else "step N"
            yield Complaint(place, f"{fault.kind} strikes at '{wanted}', not at {fault.at!r}")
        elif site.tool is not None and site.tool not in (*known, ANY_TOOL):
            yield _unknown_tool(place, site.tool, known)
        elif site.step == ANY_STEP:
            found = [[*fault_in_step(fault, place, at, steps)] for at in range(1, len(steps) + 1)]
            yield from found[0] if all(found) else ()
        elif site.step is not None:
            yield from fault_in_step(fault, place, site.step, steps)
        if not 0 < fault.chance <= 1:
            sentence = "it is how likely the fault is; write a number above 0 and at most 1"
            yield Complaint(("faults", index, "chance"), sentence)
        for field, least in too_small(fault):
            yield Complaint(("faults", index, field), f"write a number of at least {least}")
        if isinstance(fault, StreamFault) and "streaming" not in scenario.requires:
            sentence = f"{fault.kind} needs a stream; write 'requires: [streaming]'"
            yield Complaint(("faults", index, "kind"), sentence)


def fault_in_step(
    fault: Fault, place: Place, number: int, steps: list[Step]
) -> Iterator[Complaint]:
    """What a fault needs of its step is there."""
    if number > len(steps):
        yield Complaint(place, f"the script has no step {number}; it has {len(steps)} in all")
        return
    step = steps[number - 1]
    kind = fault.kind
    if kind in _ARGUMENT_FAULTS and not step.calls:
        yield Complaint(place, f"step {number} makes no call, so {kind} cannot strike there")
    if kind == "truncated_text" and not step.say:
        yield Complaint(place, f"step {number} says nothing, so {kind} cannot strike there")
    if (
        isinstance(fault, WrongType | MissingField)
        and step.calls
        and f'"{fault.field}"' not in step.calls[-1].arguments
    ):
        sentence = f"the last call of step {number} has no argument {fault.field!r} to change"
        yield Complaint((*place[:-1], "field"), sentence)


def events_can_happen(scenario: Scenario) -> Iterator[Complaint]:
    """Each event's landmark, tool and step exist, and its subject can be treated so."""
    steps = sum(len(turn) for turn in script(scenario).turns)
    known = tool_names(scenario.world)
    for index, event in enumerate(scenario.events):
        place = ("events", index)
        yield from _landmark(scenario, event, (*place, "at"))
        needs = _DEED_NEEDS[event.do]
        if not set(needs) & set(scenario.requires):
            sentence = f"{event.do} needs a subject that allows it; write 'requires: [{needs[0]}]'"
            yield Complaint((*place, "do"), sentence)
        if (event.do in ("steer", "message", "follow_up")) != bool(event.text):
            sentence = "only what is said has a text, and needs one"
            yield Complaint((*place, "text"), sentence)
        if event.tool is not None and event.tool not in known:
            yield _unknown_tool((*place, "tool"), event.tool, known)
        if event.step is not None and not 1 <= event.step <= steps:
            sentence = f"the script has no step {event.step}; it has {steps} in all"
            yield Complaint((*place, "step"), sentence)
        if event.occurrence < 1:
            yield Complaint((*place, "occurrence"), "it counts from 1")


def _landmark(scenario: Scenario, event: Trigger, place: Place) -> Iterator[Complaint]:
    names = get_args(Landmark)
    is_chunk = _CHUNK.fullmatch(event.at) is not None
    if not is_chunk and event.at not in names:
        hint = nearest(event.at, (*names, "chunk:N"), noun="landmarks")
        yield Complaint(place, f"there is no landmark {event.at!r}; {hint}")
    in_stream = is_chunk or event.at in ("first_chunk", "stream_stalled")
    if in_stream and "streaming" not in scenario.requires:
        yield Complaint(place, f"{event.at} needs a stream; write 'requires: [streaming]'")
    stalls = any(fault.kind == "stall" for fault in scenario.faults)
    if event.at == "stream_stalled" and not stalls:
        yield Complaint(place, "no stream stands still here; add a fault of kind stall")
    at_journal = event.at in ("before_journal", "after_journal")
    if at_journal and ("journal" not in scenario.requires or scenario.tier != "sim"):
        sentence = (
            f"{event.at} exists only inside the reference loop; "
            "write 'requires: [journal]' and 'tier: sim'"
        )
        yield Complaint(place, sentence)
    if at_journal != (event.event is not None):
        sentence = (
            "a place in the journal is named by what is written there, and nothing else is; "
            "write 'event: call_started' or another of its entries beside before_journal or "
            "after_journal"
        )
        yield Complaint((*place[:-1], "event"), sentence)


def ends_can_be_reached(scenario: Scenario) -> Iterator[Complaint]:
    """Every acceptable end makes sense."""
    deeds = {event.do for event in scenario.events}
    for index, accept in enumerate(scenario.accept):
        place = ("accept", index)
        if accept == Accept():
            yield Complaint(place, "it accepts anything; name at least one thing that must hold")
        for field, extent in (("effects", accept.effects), ("replies", accept.replies)):
            least, most = extent if isinstance(extent, tuple) else (extent or 0, extent or 0)
            if not 0 <= least <= most:
                sentence = f"[{least}, {most}] is empty; write [least, most], none below 0"
                yield Complaint((*place, field), sentence)
        for end, deed in (("killed", "kill"), ("aborted", "cancel")):
            if end in accept.end_reason and deed not in deeds:
                sentence = f"no end is {end!r} where no event does a {deed}"
                yield Complaint((*place, "end_reason"), sentence)


def _unknown_tool(place: Place, name: str, known: tuple[str, ...]) -> Complaint:
    hint = nearest(name, known, noun="tools")
    return Complaint(place, f"this world offers no tool {name!r}; {hint}")


RULES: tuple[Callable[[Scenario], Iterator[Complaint]], ...] = (
    claim_is_a_sentence,
    claims_exist,
    inputs_can_be_given,
    a_goal_is_required,
    checks_exist,
    calls_can_be_made,
    faults_can_strike,
    drifts_change_something,
    events_can_happen,
    ends_can_be_reached,
    success_is_told_from_surrender,
    a_limit_is_told_from_death,
    claims_are_judged,
)
