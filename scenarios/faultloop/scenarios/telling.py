"""Telling: how the model was told of each uncertain effect, compared with the ledger.

The comparison is this table; `unknown_outcome_told` turns it into a verdict, `end_acceptable` into
an end that a scenario accepts or not.

| words             | it took effect | it did not |
| ----------------- | -------------- | ---------- |
| doubt             | doubt          | doubt      |
| denial            | untruth        | truth      |
| confirmation      | truth          | untruth    |
| invitation        | invitation     | other words |
| none of the table | other words    | other words |
| doubt and denial  | other words    | doubt      |
| call not shown    | nothing        | not judged |
| call not traced   | not traced     | not judged |

A denial that stands beside doubt and is only what a look at the world said, which may have come too
early, is left out: the rest is doubt.

Not judged either: other words of a call that was stopped before it had an effect, for nothing was
uncertain in truth; and a call of an idempotent tool that is not shown, for doing it again is
harmless (SPEC D4).
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.phrases import Tone, understand
from faultloop.scenarios.views.told import Told, content, told_of
from faultloop.scenarios.views.uncertain import Uncertain, uncertain_in


class Telling(StrEnum):
    """What the model was told, against what is so."""

    DOUBT = "doubt"
    TRUTH = "the truth"
    UNTRUTH = "an untruth"
    INVITATION = "to do it again"
    """Asked for a second time, though it took effect and nobody said so."""
    NOTHING = "nothing"
    """The call took effect and is not shown any more."""
    NOT_TRACED = "something that cannot be traced"
    """The request shows calls under ids of the subject's own making; this may be one of them."""
    OTHER_WORDS = "other words"
    """Neither doubt nor denial; quoted, and left open."""


class Case(NamedTuple):
    """One uncertain effect of which a later request could tell."""

    uncertain: Uncertain
    told: Told
    telling: Telling


_TELLINGS: dict[tuple[Tone, bool], Telling] = {
    (Tone.ADMITS, True): Telling.DOUBT,
    (Tone.ADMITS, False): Telling.DOUBT,
    (Tone.DENIES, True): Telling.UNTRUTH,
    (Tone.DENIES, False): Telling.TRUTH,
    (Tone.CONTRADICTS, True): Telling.OTHER_WORDS,
    (Tone.CONTRADICTS, False): Telling.DOUBT,
    (Tone.CONFIRMS, True): Telling.TRUTH,
    (Tone.CONFIRMS, False): Telling.UNTRUTH,
    (Tone.INVITES, True): Telling.INVITATION,
    (Tone.INVITES, False): Telling.OTHER_WORDS,
    (Tone.SILENT, True): Telling.OTHER_WORDS,
    (Tone.SILENT, False): Telling.OTHER_WORDS,
}


def cases_of(evidence: Evidence) -> list[Case]:
    """All cases of a play, in order of arrival; none where conversations are plain text."""
    if not evidence.paired:
        return []
    cases = []
    for uncertain in uncertain_in(evidence.views, lambda tool: not evidence.facts(tool).read_only):
        call = uncertain.invocation.call
        told = told_of(evidence.views, call, uncertain.since) if call else None
        telling = _telling(evidence, uncertain, told) if told else None
        if told is not None and telling is not None:
            cases.append(Case(uncertain, told, telling))
    return cases


def _tone(evidence: Evidence, uncertain: Uncertain, told: Told) -> Tone:
    """The loop's own words, without what it quotes of a look where they contradict that."""
    tone = told.understood.tone
    if tone is not Tone.CONTRADICTS:
        return tone
    own = told.text
    for one in evidence.views.invocations:
        looked = one.answered if evidence.facts(one.tool).read_only else None
        if looked is not None and uncertain.since < looked.position < told.exchange.position:
            own = own.replace(content(looked.body), " ")
    return Tone.ADMITS if understand(own).tone is Tone.ADMITS else tone


def _telling(evidence: Evidence, uncertain: Uncertain, told: Told) -> Telling | None:
    one = uncertain.invocation
    if not told.shown:
        # A cut call has no place in the history: that it ran is judged elsewhere (SPEC P1).
        is_cut = one.call is not None and bool(one.call.cut)
        harmless = is_cut or not told.applied or evidence.facts(one.tool).idempotent
        if harmless:
            return None
        return Telling.NOT_TRACED if told.untraced else Telling.NOTHING
    telling = _TELLINGS[_tone(evidence, uncertain, told), told.applied]
    stopped = one.abandoned is not None and one.abandoned.stopped and not told.applied
    return None if stopped and telling is Telling.OTHER_WORDS else telling
