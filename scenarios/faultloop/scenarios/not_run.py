"""Calls that never reached the world, and how the model was told of each.

A repeat that was not made may point to the call that was: then it is told truly (SPEC S7, a repeat
guard), unless it is said to have been made once more. To name the earlier call is to point to it,
and so is its own answer, where the tool only reads and nothing has changed since.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import NamedTuple

from faultloop.scenarios.argument_text import meanings
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.speaking import (
    DONE_BEFORE,
    Speaking,
    opens_with_success,
    refuses,
    speaking,
)
from faultloop.scenarios.verdict import PLAIN_TEXT
from faultloop.scenarios.views import CallTold, DeliveredCall
from faultloop.scenarios.views.told import ANSWER_CHARS_MIN, content

POINTING_BACK = (
    r"\b(?:same|earlier|previous\w*|before|already|above|repeat\w*|identical|duplicate)\b"
)
"""How a result points to an earlier call."""


class Pointing(Enum):
    """How the result of a repeat points to the call that was made."""

    NOT_AT_ALL = auto()
    BY_THE_WAY = auto()
    """It may be about that call; whether this one was made as well is not said."""
    PLAINLY = auto()
    """By its id or as what has already been done."""


class NotRun(NamedTuple):
    """A call that was not made, and what was said of it."""

    call: DeliveredCall
    told: CallTold
    speaking: Speaking
    points_back: bool
    """Whether it is about an equal call that was made before; never where nothing is said."""
    refused: bool
    """Whether it is plain that this call was not made, or that it is about an earlier one."""


def why_unjudged(evidence: Evidence) -> str:
    """Why it cannot be known which calls were not made and what was said of them, if so."""
    if not evidence.paired:
        return PLAIN_TEXT
    untraced = evidence.views.untraced
    if untraced and any(
        call.tool in untraced or not call.offered for call in evidence.views.never_made
    ):
        return "which calls reached the world cannot be told here"
    return ""


def not_run_of(evidence: Evidence) -> Iterator[NotRun]:
    """All of a play of which the model was told anything, in their order."""
    for call in evidence.views.never_made:
        told = evidence.views.told_of(call)
        if told is None:
            continue
        said = speaking(told.text)
        before = _made_before(evidence, call) if said is not Speaking.EMPTY else []
        points = _points_to(before, told.text, said)
        read = any(_has_its_answer(evidence, one, told) for one in before)
        back = read or points is not Pointing.NOT_AT_ALL
        refused = refuses(told.text) or points is Pointing.PLAINLY
        yield NotRun(call, told, said, back, refused)


def _made_before(evidence: Evidence, call: DeliveredCall) -> list[DeliveredCall]:
    """The equal calls that the world began to work on."""
    return [
        one
        for one in evidence.views.calls
        if one.position < call.position
        and one.tool == call.tool
        and meanings(one.arguments) & meanings(call.arguments)
        and evidence.views.has_run(one)
    ]


def _points_to(before: Sequence[DeliveredCall], told: str, said: Speaking) -> Pointing:
    if any(one.id in told for one in before):
        return Pointing.BY_THE_WAY if said is Speaking.DONE else Pointing.PLAINLY
    if not before or opens_with_success(told):
        return Pointing.NOT_AT_ALL
    if re.search(DONE_BEFORE, told, re.IGNORECASE):
        return Pointing.PLAINLY
    by_the_way = said is not Speaking.DONE and re.search(POINTING_BACK, told, re.IGNORECASE)
    return Pointing.BY_THE_WAY if by_the_way else Pointing.NOT_AT_ALL


def _has_its_answer(evidence: Evidence, earlier: DeliveredCall, told: CallTold) -> bool:
    """Whether a read is told as its equal was answered, and nothing has changed in between."""
    if not evidence.facts(earlier.tool).read_only:
        return False
    answers = [
        one.answered
        for one in evidence.views.invocations_of(earlier)
        if one.answered is not None and one.answered.outcome == "ok"
    ]
    changes = [effect.position for effect in evidence.views.effects]
    return any(
        _same_content(content(answer.body).strip(), told.text)
        and not any(answer.position < change < told.request.position for change in changes)
        for answer in answers
    )


def _same_content(answer: str, told: str) -> bool:
    long_enough = len(answer) >= ANSWER_CHARS_MIN
    return bool(answer) and (told.strip() == answer or (long_enough and answer in told))
