"""Calls that never reached the world, and how the model was told of each.

A repeat that was not made may point to the call that was: then it is told truly, whatever its words
(SPEC S7, a repeat guard).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from faultloop.scenarios.argument_text import meanings
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import PLAIN_TEXT
from faultloop.scenarios.views import CallTold, DeliveredCall
from faultloop.scenarios.wording import Wording, wording

POINTING_BACK = (
    r"\b(?:same|earlier|previous\w*|before|already|above|repeat\w*|identical|duplicate)\b"
)
"""How a result points to an earlier call."""


class NotRun(NamedTuple):
    """A call that was not made, and what was said of it."""

    call: DeliveredCall
    told: CallTold
    wording: Wording
    points_back: bool
    """Whether it is about an equal call that was made before; never where nothing is said."""


def why_unjudged(evidence: Evidence) -> str:
    """Why it cannot be known which calls were not made and what was said of them, if so."""
    if evidence.capabilities.pairing == "text":
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
        said = wording(told.text)
        back = said is not Wording.EMPTY and _points_back(evidence, call, told.text)
        yield NotRun(call, told, said, back)


def _points_back(evidence: Evidence, call: DeliveredCall, told: str) -> bool:
    before = [
        one
        for one in evidence.views.calls
        if one.position < call.position
        and one.tool == call.tool
        and meanings(one.arguments) & meanings(call.arguments)
        and evidence.views.has_run(one)
    ]
    if any(one.id in told for one in before):
        return True
    return bool(before) and re.search(POINTING_BACK, told, re.IGNORECASE) is not None
