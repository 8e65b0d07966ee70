"""What each failure of an answer means for the asking: once more, kept, or a sign that nobody is
there.

A failure is about the wire, the model or the question. What the wire or the provider did is tried
again and never kept. What the model said is its answer at the first try, since whoever gets a
second one has another rate of mistakes. A timeout may be either, so it is tried once more, and then
it is the answer of a model that is given so long and no longer.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from faultloop.scenarios.wordings.answer import Answer, Failure

Outage = Literal["never", "refusal", "at first", "always"]
"""Whether so many in a row say something about the model, and not about questions:

    never      it answered
    refusal    where nothing else ever came: the user has something to mend; later it answered
    at first   where nothing else ever came: the rest is left for another day
    always     the rest is left for another day, whatever came before
"""


class Rule(NamedTuple):
    """What one failure means."""

    retries_max: int | None
    """Attempts after the first that failed so; None: as many as there are waits for."""
    is_kept: bool
    """Whether a later run need not ask again."""
    outage: Outage


ITS_ANSWER = Rule(0, True, "never")

RULES: Mapping[Failure, Rule] = MappingProxyType(
    {
        "timeout": Rule(1, True, "at first"),
        "unavailable": Rule(None, False, "always"),
        "broken": Rule(None, False, "always"),
        "refused": Rule(0, True, "refusal"),
        "overflow": ITS_ANSWER,
        "unreadable": ITS_ANSWER,
        "cut": ITS_ANSWER,
        "blocked": ITS_ANSWER,
        "empty": ITS_ANSWER,
    }
)


def is_sign_of_life(answer: Answer) -> bool:
    """Whether it says that the model is there and hears: what fails after it is of its question."""
    return answer.failure is None or RULES[answer.failure].outage == "never"
