"""What was wrong, counted by wording: kinds of mistakes, and the parameters they were made in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from faultloop.reports.accuracy.conclusion import Conclusions
from faultloop.reports.accuracy.escaping import shortened, visible
from faultloop.scenarios.wordings.observation import Observation
from faultloop.scenarios.wordings.score import Mistake

PARAMETERS_MAX = 20
"""Parameters that are told one by one."""
SAID_MAX = 240
"""Characters of an example."""

NO_ARGUMENT: frozenset[Mistake] = frozenset(
    {
        Mistake.NO_ANSWER,
        Mistake.NO_CALL,
        Mistake.CALL_UNWANTED,
        Mistake.DID_NOT_ASK,
        Mistake.UNKNOWN_TOOL,
        Mistake.WRONG_TOOL,
        Mistake.TOO_MANY,
        Mistake.TOO_FEW,
        Mistake.WRONG_ORDER,
        Mistake.NOT_DONE,
    }
)
"""Mistakes of the choice; all others are of arguments."""


class MistakeRow(NamedTuple):
    """One kind of mistake, or one reason for having no answer, under every wording."""

    mistake: str
    is_of_arguments: bool
    is_failure: bool
    counts: tuple[int, ...]


class ParameterRow(NamedTuple):
    """One kind of mistake in one parameter."""

    expected: str
    parameter: str
    mistake: str
    counts: tuple[int, ...]
    example: str


def mistake_rows(made: Conclusions, wordings: Sequence[str]) -> list[MistakeRow]:
    """Reasons for having no answer first, then every mistake that was made."""
    failures = {(one.wording, one.failure): one.count for one in made.failures}
    mistakes = {(one.wording, one.mistake): one.count for one in made.mistakes}
    reasons = sorted({failure for _, failure in failures})
    return [
        *(
            MistakeRow(
                f"no answer: {reason}",
                False,
                True,
                tuple(failures.get((wording, reason), 0) for wording in wordings),
            )
            for reason in reasons
        ),
        *(
            MistakeRow(
                mistake.value,
                mistake not in NO_ARGUMENT,
                False,
                tuple(mistakes.get((wording, mistake), 0) for wording in wordings),
            )
            for mistake in Mistake
            if any((wording, mistake) in mistakes for wording in wordings)
            and not (mistake is Mistake.NO_ANSWER and reasons)
        ),
    ]


def parameter_rows(
    observations: Iterable[Observation], wordings: Sequence[str]
) -> list[ParameterRow]:
    """The parameters in which most went wrong, with the first example of each."""
    counts: dict[tuple[str, str, Mistake], Counter[str]] = {}
    examples: dict[tuple[str, str, Mistake], str] = {}
    for one in observations:
        if one.is_repeat:
            continue
        for flaw in one.flaws:
            if flaw.parameter:
                key = (one.expected, flaw.parameter, flaw.mistake)
                counts.setdefault(key, Counter())[one.wording] += 1
                examples.setdefault(key, flaw.says)
    ordered = sorted(counts, key=lambda key: (-counts[key].total(), key))
    return [
        ParameterRow(
            expected=visible(key[0]),
            parameter=visible(key[1]),
            mistake=key[2].value,
            counts=tuple(counts[key][wording] for wording in wordings),
            example=shortened(visible(examples[key]), SAID_MAX),
        )
        for key in ordered[:PARAMETERS_MAX]
    ]
