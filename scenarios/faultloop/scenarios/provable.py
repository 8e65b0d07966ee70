"""What a scenario must ask for, so that a green play of it proves what it claims.

Three rules that `rules` runs with its own. A turn that ends as `completed` must show, by its
replies, that the loop did not take a failed or cut reply for the answer: a loop that swallows an
error looks the same otherwise. A turn that may end as `error` where others meet a limit must show
that it got as far: a loop that dies at once looks the same otherwise. And each SPEC id that a
scenario lists must be judged there, by a check that it demands or by what its `accept` names; the
table JUDGED_BY_ACCEPT says which ids that can be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from faultloop.fakes.faults.base import (
    ANY_TOOL,
    ByteFault,
    Fault,
    HttpFault,
    StreamFault,
    parse_site,
)
from faultloop.fakes.faults.chunked_trailer import ChunkedTrailer
from faultloop.fakes.faults.closed_at_byte import ClosedAtByte
from faultloop.fakes.faults.content_length_too_long import ContentLengthTooLong
from faultloop.fakes.faults.end_mark_missing import EndMarkMissing
from faultloop.fakes.faults.gzipped import Gzipped
from faultloop.fakes.faults.half_closed import HalfClosed
from faultloop.fakes.faults.one_packet import OnePacket
from faultloop.fakes.faults.sliced_bytes import SlicedBytes
from faultloop.fakes.faults.slow_drip import SlowDrip
from faultloop.fakes.faults.stall import Stalled
from faultloop.fakes.script import Step
from faultloop.scenarios.checks import CHECKS
from faultloop.scenarios.plan import script
from faultloop.scenarios.scenario import Accept, Scenario
from faultloop.scenarios.sentences import Complaint

CUTS = frozenset({"truncated_arguments", "truncated_text", "length_with_complete_arguments"})
"""Model faults that cut a reply."""
WHOLE = (
    EndMarkMissing
    | SlicedBytes
    | OnePacket
    | SlowDrip
    | ContentLengthTooLong
    | Gzipped
    | ChunkedTrailer
)
"""Faults of a stream or its bytes after which the reply is whole after all."""
LIMITS = frozenset({"max_steps", "max_tokens", "timeout", "token_budget", "cost_budget", "blocked"})
"""Ends of a loop that met something which it does not go past."""
ENDLESS_REPLIES = 3
"""So often a loop has asked that gives up on a script without trouble or end."""
CUT_FINISHES = frozenset({"length", "content_filter"})
"""Finish reasons of a scripted reply that is no answer."""


def success_is_told_from_surrender(scenario: Scenario) -> Iterator[Complaint]:
    """`completed` names more replies than a loop has had that gives up where the trouble is."""
    least = max(_replies_needed(scenario), default=0)
    for index, accept in enumerate(scenario.accept):
        if "completed" not in accept.end_reason or not least:
            continue
        named = _least(accept)
        if named is None or named < least:
            sentence = (
                "a loop that takes a failed or cut reply for the answer could say completed "
                f"as well; write 'replies: [{least}, ...]', what it takes to be really done"
            )
            yield Complaint(("accept", index, "replies"), sentence)


def _replies_needed(scenario: Scenario) -> Iterator[int]:
    """For each trouble in the first turn: the replies of a loop that got past it."""
    steps = script(scenario).turns[0]
    for fault in scenario.faults:
        number = _step_of(fault)
        if number is not None and number <= len(steps):
            yield _past(fault, number, len(steps))
    for number, step in enumerate(steps, 1):
        if step.finish in CUT_FINISHES:
            yield number + 1


def _past(fault: Fault, number: int, steps: int) -> int:
    if isinstance(fault, HttpFault):
        return min(number + 1, steps)  # the failed attempt brought no reply
    if _is_whole_after_all(fault):
        return min(number + 1, steps)
    is_broken = isinstance(fault, StreamFault | ByteFault) or fault.kind in CUTS
    return number + 1 if is_broken else 0


def _is_whole_after_all(fault: Fault) -> bool:
    match fault:
        case Stalled():
            return bool(fault.seconds)
        case ClosedAtByte() | HalfClosed():
            return fault.after_bytes is None
        case _:
            return isinstance(fault, WHOLE)


def a_limit_is_told_from_death(scenario: Scenario) -> Iterator[Complaint]:
    """`error` beside a limit names the replies of a loop that got as far as the trouble."""
    endless = len(script(scenario).turns[0]) > scenario.max_steps
    least = min(_replies_until(scenario), default=ENDLESS_REPLIES if endless else 0)
    for index, accept in enumerate(scenario.accept):
        if "error" not in accept.end_reason or not LIMITS & {*accept.end_reason}:
            continue
        if (_least(accept) or 0) < least:
            sentence = (
                "a loop that dies at once could say error as well; write "
                f"'replies: [{least}, ...]', what it has had when it meets the trouble"
            )
            yield Complaint(("accept", index, "replies"), sentence)


def _replies_until(scenario: Scenario) -> Iterator[int]:
    """For each trouble in the first turn: the replies of a loop that has just met it."""
    steps = script(scenario).turns[0]
    for fault in scenario.faults:
        number = _step_of(fault) or _first_call(fault, steps)
        if number is not None and number <= len(steps):
            yield number - 1 if isinstance(fault, HttpFault) else number
    for number, step in enumerate(steps, 1):
        if step.finish in CUT_FINISHES:
            yield number


def _first_call(fault: Fault, steps: Sequence[Step]) -> int | None:
    """The step that makes the first call of the tool at which a fault strikes."""
    try:
        tool = parse_site(fault.at).tool
    except ValueError:
        return None
    made = (
        number
        for number, step in enumerate(steps, 1)
        for call in step.calls
        if tool in (call.tool, ANY_TOOL)
    )
    return next(made, None)


def _least(accept: Accept) -> int | None:
    return accept.replies[0] if isinstance(accept.replies, tuple) else accept.replies


def _step_of(fault: Fault) -> int | None:
    try:
        return parse_site(fault.at).step or None  # any step is none in particular
    except ValueError:  # another rule complains
        return None


# --- claims -----------------------------------------------------------------------------------


def _names_effects(accept: Accept) -> bool:
    return accept.effects is not None


def _names_what_was_told(accept: Accept) -> bool:
    return accept.told is not None


def _asks_again(accept: Accept) -> bool:
    return "completed" not in accept.end_reason or accept.replies is not None


def _counts_replies(accept: Accept) -> bool:
    return accept.replies is not None


def _goes_on(accept: Accept) -> bool:
    return not {"error", "timeout"} & {*accept.end_reason}


def _stops(accept: Accept) -> bool:
    return "completed" not in accept.end_reason


def _is_staged(accept: Accept) -> bool:
    return True


_Judges = Callable[[Accept], bool]

JUDGED_BY_ACCEPT: Mapping[str, _Judges] = MappingProxyType(
    {
        # The ledger shows what was run, and with what.
        **dict.fromkeys(("C3", "D1", "D3", "D4", "I5", "P3", "P4"), _names_effects),
        **dict.fromkeys(("P10", "P11", "X2", "X9"), _names_effects),
        **dict.fromkeys(("D2", "X5"), _names_what_was_told),
        # A failed attempt's reply, or one of several layers of "done", is not the turn's end.
        **dict.fromkeys(("D5", "L10"), _asks_again),
        "P8": _goes_on,
        "G2": _counts_replies,
        "S7": _stops,
        # What the bench itself owes is owed by there being the scenario.
        **dict.fromkeys(("O2", "O3"), _is_staged),
    }
)
"""SPEC ids that the accepted ends judge, and what every alternative must name for it."""


def claims_are_judged(scenario: Scenario) -> Iterator[Complaint]:
    """No claim is listed for decoration."""
    if not CHECKS.keys() >= {*scenario.checks}:
        return  # another rule complains, and nobody knows what was meant
    by_checks = {claim for name in scenario.checks for claim in CHECKS[name].CLAIMS}
    for index, claim in enumerate(scenario.claims):
        judges = JUDGED_BY_ACCEPT.get(claim)
        by_accept = judges is not None and all(map(judges, scenario.accept))
        if claim not in by_checks and not by_accept:
            fitting = ", ".join(name for name, one in CHECKS.items() if claim in one.CLAIMS)
            hint = f"; demand one of {fitting}" if fitting else ""
            sentence = f"nothing here judges {claim}{hint}, or take it out"
            yield Complaint(("claims", index), sentence)
