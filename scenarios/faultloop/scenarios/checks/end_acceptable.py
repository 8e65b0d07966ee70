"""The play ended in one of the ways that the scenario accepts, taken as a whole.

An alternative is judged jointly: the end reason of the first turn, the effects in the ledger, the
replies that it took, the calls that were refused, what the model was told and how the next turn
ended must fit the same alternative. The loop's own account is evidence here because the promise is
about that account; the effects come from the ledger. A loop that had to be ended by the bench did
not end, whatever is accepted. A killed process gives no account: what it was is then told by its
recovery, if at all. Where all that the bench saw itself fits an alternative, and only the account
does not, the finding says so (`by_account`); so it does where nothing was ever asked, for that may
be a driver which found no loop to run.
"""

from __future__ import annotations

import math

from msgspec.structs import replace

from faultloop.fakes.history import Replied
from faultloop.scenarios.argument_text import quoted
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.not_run import not_run_of, why_unjudged
from faultloop.scenarios.scenario import Accept, Extent
from faultloop.scenarios.speaking import Speaking
from faultloop.scenarios.telling import Telling, cases_of
from faultloop.scenarios.verdict import Finding, Promise, Verdict, worst
from faultloop.scenarios.views import Start

NAME = "end_acceptable"
CLAIM = "L11"
CLAIMS = (CLAIM, "L2", "L3", "L6", "L12", "X3", "D7")
WHY = (
    "Whoever calls a loop acts on its end reason: a text that was cut passes for the answer, a run "
    "that hit a cap for a finished one. Public reports: agno #7985, haystack #10001."
)
CURE = (
    "Keep end reasons distinct and sticky, derive them in one table, and let nothing that a model "
    "or tool can say raise out of the loop."
)

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether the play fits one of the accepted ends."""
    starts = evidence.views.starts
    overdue = [start for start in starts if start.overdue]
    if overdue:
        return promise.total(map(_did_not_end, overdue), untested="")
    first = [start for start in starts if start.turn == 0 and start.ended is not None]
    if not first:
        return promise.unknown("no start of the first turn came to an end")
    seen = _Seen(evidence, first[-1])
    fits = [seen.fits(accept) for accept in evidence.scenario.accept]
    if Verdict.HELD in fits:
        return promise.held(f"ended as accepted: {seen.sentence}", *seen.proof)
    wanted = " or ".join(_wanted(accept) for accept in evidence.scenario.accept)
    if Verdict.UNKNOWN in fits:
        return promise.unknown(f"accepted: {wanted}; seen: {seen.sentence}", *seen.proof)
    broken = promise.broken(f"accepted: {wanted}; seen: {seen.sentence}", *seen.proof)
    apart_from_it = (seen.fits(accept, account=False) for accept in evidence.scenario.accept)
    is_seen = bool(evidence.views.exchanges) and all(one is Verdict.BROKEN for one in apart_from_it)
    return replace(broken, by_account=not is_seen)


def _did_not_end(start: Start) -> Finding:
    position = start.ended.position if start.ended else start.position
    after = " after it was cancelled" if start.acts_of("cancel") else ""
    return promise.broken(
        f"start {start.number} did not end{after} and was killed by the bench", position
    )


class _Seen:
    """What of the play an alternative is compared with."""

    def __init__(self, evidence: Evidence, first: Start) -> None:
        later = [start for start in evidence.views.starts if start.turn > 0 and start.ended]
        self.reasons = _reasons(first, evidence.views.starts)
        self.effects = len(evidence.ledger)
        self.replies = sum(_is_reply(exchange.replied) for exchange in evidence.views.exchanges)
        self.refused, self.unclear = _refused(evidence)
        self.told = {case.telling for case in cases_of(evidence)}
        self.next_reason = later[-1].end_reason if later else ""
        self.error = first.ended.account.error if first.ended else None
        self.proof = (
            *(start.ended.position for start in (first, *later[-1:]) if start.ended),
            *(effect.position for effect in evidence.ledger),
        )

    @property
    def sentence(self) -> str:
        """All of it, for a person."""
        parts = [" and ".join(self.reasons), _count(self.effects, "effect", "effects")]
        parts.append(_count(self.replies, "reply", "replies"))
        if self.refused:
            parts.append(_count(self.refused, "call refused", "calls refused"))
        if self.told:
            parts.append("told " + " and ".join(sorted(self.told)))
        if self.next_reason:
            parts.append(f"next turn {self.next_reason}")
        if self.error:
            parts.append(f"error: {quoted(self.error, 200)}")
        return ", ".join(parts)

    def fits(self, accept: Accept, *, account: bool = True) -> Verdict:
        """HELD if it fits, BROKEN if it does not, UNKNOWN if the words cannot be understood.

        Without `account`, whatever the subject says of how its turns ended.
        """
        if not (_within(self.effects, accept.effects) and _within(self.replies, accept.replies)):
            return Verdict.BROKEN
        if account and not self._ended_as(accept):
            return Verdict.BROKEN
        found = [Verdict.HELD]
        if accept.refused is not None and self.refused < accept.refused:
            possible = self.refused + self.unclear >= accept.refused
            found.append(Verdict.UNKNOWN if possible else Verdict.BROKEN)
        if accept.told is not None:
            found += (_fits_told(told, accept.told) for told in self.told)
        return worst(found)

    def _ended_as(self, accept: Accept) -> bool:
        if accept.end_reason and not {*self.reasons} & {*accept.end_reason}:
            return False
        return not (accept.next_turn and self.next_reason) or self.next_reason in accept.next_turn


def _refused(evidence: Evidence) -> tuple[int, float]:
    """How many whole calls of the first turn were not made and told so; how many more may be."""
    if why_unjudged(evidence):
        return 0, math.inf
    told = [
        one
        for one in not_run_of(evidence)
        if one.call.turn == 0 and one.call.complete and not one.call.cut
    ]
    plain = sum(one.refused for one in told)
    left_open = (Speaking.OPEN, Speaking.NOT_DONE)
    return plain, sum(one.speaking in left_open and not one.refused for one in told)


def _fits_told(told: Telling, wanted: str) -> Verdict:
    """Whether what was told is what an alternative wants (`true` includes admitted doubt)."""
    if told in (Telling.OTHER_WORDS, Telling.NOT_TRACED):
        return Verdict.UNKNOWN
    good = {Telling.DOUBT, Telling.TRUTH} if wanted == "true" else {Telling.DOUBT}
    return Verdict.HELD if told in good else Verdict.BROKEN


def _reasons(first: Start, starts: tuple[Start, ...]) -> list[str]:
    """Why the first turn ended; for a killed start also what later starts say they recovered."""
    if first.end_reason != "killed":
        return [first.end_reason]
    recovered = [
        reason
        for start in starts
        if start.number > first.number and start.ended
        for reason in start.ended.account.recovered[:1]
    ]
    return ["killed", *recovered[:1]]


def _is_reply(replied: Replied | None) -> bool:
    """Whether it is a reply of the first turn; a step that was said in parts is one (its first)."""
    if replied is None or replied.turn > 0 or replied.part > 1:
        return False
    return replied.cursor not in ("side", "overrun")


def _within(number: int, extent: Extent | None) -> bool:
    if extent is None:
        return True
    least, most = (extent, extent) if isinstance(extent, int) else extent
    return least <= number <= most


def _wanted(accept: Accept) -> str:
    parts = ["/".join(accept.end_reason) or "any end"]
    parts += [
        _extent(extent, *words)
        for extent, words in (
            (accept.effects, ("effect", "effects")),
            (accept.replies, ("reply", "replies")),
        )
        if extent is not None
    ]
    if accept.refused:
        parts.append(_count(accept.refused, "call refused", "calls refused"))
    if accept.told:
        parts.append(f"told {accept.told}")
    if accept.next_turn:
        parts.append(f"next turn {'/'.join(accept.next_turn)}")
    return ", ".join(parts)


def _extent(extent: Extent, one: str, many: str) -> str:
    if isinstance(extent, int):
        return _count(extent, one, many)
    return f"{extent[0]} to {extent[1]} {many}"


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
