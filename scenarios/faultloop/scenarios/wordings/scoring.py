"""Scoring: an answer against its task. Pure; the answer's names are the wording's, the task's the
base's, and they are translated here.

Selection and filling are two figures (`score`). Several calls come in any order, unless the task
says otherwise: expected calls and calls that came are assigned to each other so that first as many
names, then as many arguments as possible are right; never greedily.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from faultloop.loop.contract import Strict
from faultloop.scenarios.wordings.answer import Answer
from faultloop.scenarios.wordings.assignment import best
from faultloop.scenarios.wordings.filling import (
    Arguments,
    Slip,
    Unparsable,
    arguments_of,
    flaws_of,
    named,
    slips_of,
)
from faultloop.scenarios.wordings.score import Flaw, Mistake, Score
from faultloop.scenarios.wordings.task import ASK_BACK, NO_CALL, Expected, Task
from faultloop.scenarios.wordings.wording import Wording

UNKNOWN = "(unknown name)"
NO_ANSWER = "(no answer)"


def score(task: Task, wording: Wording, answer: Answer, *, strict: Strict | None = None) -> Score:
    """Judge an answer. The task fits the wording (`validating.complaints`). `strict`: how arguments
    were constrained, where that was not left to each tool (SPEC C11)."""
    if answer.failure is not None:
        says = answer.failure_says or f"there is no answer: {answer.failure}"
        return _not_selected(task, NO_ANSWER, [Flaw(mistake=Mistake.NO_ANSWER, says=says)])
    if not answer.calls:
        return _without_call(task, answer)
    heard = _heard(task, wording, answer, strict)
    if task.expect != "calls":
        return _unwanted(task, heard)
    if len(heard) == 1 == len(task.calls):
        return _one(task, wording, heard[0])
    return _several(task, wording, heard)


class Heard(NamedTuple):
    """One call that came."""

    at: int
    """Which of the answer's calls, from 0."""
    name: str
    """As the model wrote it."""
    tool: str | None
    """None: no tool that was offered is called so."""
    args: Arguments | Unparsable | None
    """None: the model gives none, or nobody asks."""


def _heard(task: Task, wording: Wording, answer: Answer, strict: Strict | None) -> list[Heard]:
    found: list[Heard] = []
    asks = answer.gives_arguments and task.expect == "calls"
    for at, call in enumerate(answer.calls):
        tool = wording.tools.get(call.name)
        if tool is None or (task.tools and tool not in task.tools):
            found.append(Heard(at, call.name, None, None))
            continue
        args = arguments_of(call.arguments, wording.contracts[tool], strict) if asks else None
        found.append(Heard(at, call.name, tool, args))
    return found


def _not_selected(task: Task, chosen: str, flaws: Sequence[Flaw]) -> Score:
    return Score(
        selected=False, filled=None, flaws=tuple(flaws), expected=task.label, chosen=chosen
    )


def _selected(task: Task, *, filled: bool | None = None, flaws: Sequence[Flaw] = ()) -> Score:
    label = task.label
    return Score(selected=True, filled=filled, flaws=tuple(flaws), expected=label, chosen=label)


def _without_call(task: Task, answer: Answer) -> Score:
    asks = answer.asks_back
    match task.expect:
        case "no call":
            return _selected(task)
        case "ask back":
            if asks:
                return _selected(task)
            says = "the user was to be asked, and a text without a question came"
            flaw = Flaw(mistake=Mistake.DID_NOT_ASK, says=says)
            return _not_selected(task, NO_CALL, [flaw])
        case "calls":
            says = f"a call of {task.label} was expected, and a text came"
            flaw = Flaw(mistake=Mistake.NO_CALL, says=says)
            return _not_selected(task, ASK_BACK if asks else NO_CALL, [flaw])


def _unwanted(task: Task, heard: Sequence[Heard]) -> Score:
    instead = "the user was to be asked" if task.expect == "ask back" else "no call belongs here"
    flaws: list[Flaw] = []
    for one in heard:
        says = f"{instead}, and a call of {one.tool or named(one.name)} came"
        flaws.append(Flaw(mistake=Mistake.CALL_UNWANTED, call=one.at, says=says))
        if one.tool is None:
            flaws.append(_unknown(one))
    return _not_selected(task, _label(task, heard), flaws)


def _unknown(one: Heard) -> Flaw:
    says = f"no tool that was offered is called {named(one.name)!r}"
    return Flaw(mistake=Mistake.UNKNOWN_TOOL, call=one.at, says=says)


def _other_tool(one: Heard, expected: str) -> Flaw:
    if one.tool is None:
        return _unknown(one)
    says = f"expected a call of {expected}, and one of {one.tool} came"
    return Flaw(mistake=Mistake.WRONG_TOOL, call=one.at, says=says)


def _label(task: Task, heard: Sequence[Heard]) -> str:
    """What came, where it was not what was expected; sorted where the order says nothing."""
    names = [one.tool or UNKNOWN for one in heard]
    return " + ".join(names if task.ordered else sorted(names))


def _one(task: Task, wording: Wording, one: Heard) -> Score:
    """The commonest case by far: one call expected, one call came."""
    slips = _fit(task.calls[0], wording, one)
    if slips is None:
        return _not_selected(task, _label(task, [one]), [_other_tool(one, task.label)])
    if one.args is None:
        return _selected(task)
    return _selected(task, filled=not slips, flaws=_told(slips, wording, one))


def _told(slips: Sequence[Slip], wording: Wording, one: Heard) -> list[Flaw]:
    if not slips or one.tool is None or one.args is None:
        return []
    return flaws_of(slips, one.tool, wording, one.args, one.at)


def _fit(expected: Expected, wording: Wording, one: Heard) -> list[Slip] | None:
    """What is wrong with the arguments of a call, by the choice that suits it best; None: no choice
    is of this tool."""
    fewest: list[Slip] | None = None
    for choice in expected.any_of:
        if choice.tool != one.tool:
            continue
        if one.args is None:
            return []
        found = slips_of(choice, wording, one.args)
        if not found:
            return found
        if fewest is None or len(found) < len(fewest):
            fewest = found
    return fewest


class _Pairs(NamedTuple):
    """Expected calls with the calls that were assigned to them."""

    calls: tuple[int | None, ...]
    """For each expected call the one that came for it."""
    fits: tuple[list[Slip] | None, ...]
    """What is wrong with its arguments; None: it is of another tool, or did not come."""

    @property
    def are_named(self) -> bool:
        """Whether each has a call of a right tool."""
        return all(fit is not None for fit in self.fits)

    @property
    def are_filled(self) -> bool:
        """Whether each has a call with nothing wrong in it."""
        return not any(self.fits)


NAMED, FILLED, SLIPS_MAX = 1_000_000, 1_000, 99
"""What a pair is worth: a right name more than all else, right arguments more than fewer slips."""


def _several(task: Task, wording: Wording, heard: Sequence[Heard]) -> Score:
    if len(heard) == len(task.calls) and _are_right(task, wording, heard):
        return _selected(task, filled=None if heard[0].args is None else True)
    fits = [[_fit(one, wording, came) for came in heard] for one in task.calls]
    pairs = _assigned(fits)
    if len(heard) != len(task.calls) or not pairs.are_named:
        return _not_selected(task, _label(task, heard), _misnamed(task, heard, pairs))
    if task.ordered:
        in_place = _Pairs(tuple(range(len(heard))), tuple(row[at] for at, row in enumerate(fits)))
        says = f"the calls are right, and not in the order {task.label}"
        out_of_order = Flaw(mistake=Mistake.WRONG_ORDER, says=says)
        if not in_place.are_named:
            return _not_selected(task, _label(task, heard), [out_of_order])
        if pairs.are_filled and not in_place.are_filled:
            return _selected(task, filled=False, flaws=[out_of_order])
        pairs = in_place
    if any(one.args is None for one in heard):
        return _selected(task)
    flaws = [
        flaw
        for at, fit in zip(pairs.calls, pairs.fits, strict=True)
        if fit and at is not None
        for flaw in _told(fit, wording, heard[at])
    ]
    return _selected(task, filled=not flaws, flaws=flaws)


def _are_right(task: Task, wording: Wording, heard: Sequence[Heard]) -> bool:
    """Whether each call is right for the expected one in its place: then no other pairs are better,
    and none need be tried."""
    return all(_fit(one, wording, came) == [] for one, came in zip(task.calls, heard, strict=True))


def _assigned(fits: Sequence[Sequence[list[Slip] | None]]) -> _Pairs:
    calls = best([[_worth(fit) for fit in row] for row in fits])
    found = [None if at is None else row[at] for row, at in zip(fits, calls, strict=True)]
    return _Pairs(calls, tuple(found))


def _worth(fit: list[Slip] | None) -> int:
    if fit is None:
        return 0
    return NAMED + (FILLED if not fit else 0) + SLIPS_MAX - min(len(fit), SLIPS_MAX)


def _misnamed(task: Task, heard: Sequence[Heard], pairs: _Pairs) -> list[Flaw]:
    """What is wrong with the names and the number of the calls."""
    flaws: list[Flaw] = []
    for one, at, fit in zip(task.calls, pairs.calls, pairs.fits, strict=True):
        wanted = one.any_of[0].tool
        if at is None:
            says = f"expected a call of {wanted} as well"
            flaws.append(Flaw(mistake=Mistake.TOO_FEW, says=says))
        elif fit is None:
            flaws.append(_other_tool(heard[at], wanted))
    for came in heard:
        if came.at not in pairs.calls:
            says = f"the call of {came.tool or named(came.name)} is one too many"
            flaws.append(Flaw(mistake=Mistake.TOO_MANY, call=came.at, says=says))
            if came.tool is None:
                flaws.append(_unknown(came))
    return flaws
