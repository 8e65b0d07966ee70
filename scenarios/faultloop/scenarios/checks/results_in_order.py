"""The results of a batch stand in the model's order, whatever finished first.

Model order is the promise. Order of completion is a policy that SPEC S2 knows and that all dialects
accept, since they match results by id (Gemini, where ids are missing, by name and place, so that
another order there is told by contents: `results_closed`); so a loop that puts its results in the
order in which they were completed keeps a rule of its own and is not faulted for it, unless it is
the reference (which shows its journal and promises model order). Any other order is nobody's.

In which order a client saw its calls completed only the client knows: two answers that left the
world within milliseconds may arrive the other way round. A stranger is therefore judged by the
pairs whose completions were kept apart: the one was answered before the other arrived, or while the
world held the other, with a pause between the two answers. To fault it, that pause is asked for in
both cases: threads that make their calls side by side may be answered one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import Exchange, Invocation

NAME = "results_in_order"
CLAIM = "S2"
CLAIMS = (CLAIM,)
WHY = (
    "If the order of results depends on which tool was faster, the same run gives different "
    "conversations, prompt caches miss and replays differ. Parallel results were matched to the "
    "wrong calls where order was trusted (langgraph #6533)."
)
CURE = "Collect the batch's results by call id and commit them in the order of the calls."

PAUSE_S_MIN = 0.05
"""Seconds between two answers that no client takes the other way round."""

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether each batch's results come in the order of its calls."""
    if plain := promise.needs_pairing(evidence.paired):
        return plain
    if evidence.one_call_a_reply:
        return promise.cannot_be_judged("this subject lets the model make one call at a time")
    judged: set[tuple[str, ...]] = set()
    found: list[Finding] = []
    for exchange in evidence.views.exchanges:
        for calls, results in _batches(exchange):
            if calls not in judged:  # later requests repeat the same messages
                judged.add(calls)
                found.append(_judge_batch(evidence, exchange, calls, results))
    return promise.total(found, untested="no request held two results of one batch")


def _batches(exchange: Exchange) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """The calls of each assistant message and the results that follow it directly, by id.

    Without those that were complete in the request before: of it the last batch only is read again.
    """
    calls: tuple[str, ...] = ()
    results: list[str] = []
    messages = exchange.restored.messages
    begin = exchange.contents.added
    while begin > 0 and (begin == len(messages) or messages[begin].role == "tool"):
        begin -= 1
    for message in messages[begin:]:
        if message.role == "tool":
            results.append(message.result_of or "")
            continue
        if _is_batch(calls, results):
            yield calls, results
        calls, results = tuple(call.id for call in message.calls), []
    if _is_batch(calls, results):
        yield calls, results


def _is_batch(calls: tuple[str, ...], results: list[str]) -> bool:
    """Whether two results at least could stand in another order."""
    return len(results) > 1 and len(set(calls).intersection(results)) > 1


def _judge_batch(
    evidence: Evidence, exchange: Exchange, calls: tuple[str, ...], results: list[str]
) -> Finding:
    seen = [call_id for call_id in results if call_id in calls]
    if not evidence.capabilities.journal:
        return _judge_stranger(evidence, exchange, calls, seen)
    if seen == [call_id for call_id in calls if call_id in seen]:
        return promise.held("results stand in the order of their calls", exchange.position)
    return promise.broken(
        f"request {exchange.number} puts {' before '.join(seen)}, not as the model called",
        *_answers(evidence, seen),
        exchange.position,
    )


def _judge_stranger(
    evidence: Evidence, exchange: Exchange, calls: tuple[str, ...], seen: list[str]
) -> Finding:
    """Either policy will do, kept throughout the batch, as far as completions were kept apart."""
    proof = (*_answers(evidence, seen), exchange.position)
    if pairs := list(_kept_apart(evidence, seen)):
        if _in_model_order(pairs, seen, calls):
            return promise.held("results stand in the order of their calls", *proof)
        if _in_completion_order(pairs, seen):
            return promise.held(
                "results stand in the order of their completion, which this dialect allows", *proof
            )
    sure = list(_kept_apart(evidence, seen, pause_s_min=PAUSE_S_MIN))
    if _in_model_order(sure, seen, calls) or _in_completion_order(sure, seen):
        return promise.not_applicable(
            "no two calls of a batch were kept so far apart that the subject must have seen them "
            "completed in one order"
        )
    return promise.broken(
        f"request {exchange.number} puts {' before '.join(seen)}: neither the model's order nor "
        "that of completion",
        *proof,
    )


_Pairs = Sequence[tuple[str, str]]


def _in_model_order(pairs: _Pairs, seen: Sequence[str], calls: Sequence[str]) -> bool:
    return all(_before(one, other, seen) is _before(one, other, calls) for one, other in pairs)


def _in_completion_order(pairs: _Pairs, seen: Sequence[str]) -> bool:
    return all(_before(one, other, seen) for one, other in pairs)


def _before(one: str, other: str, order: Sequence[str]) -> bool:
    return order.index(one) < order.index(other)


def _kept_apart(
    evidence: Evidence, seen: list[str], *, pause_s_min: float = 0.0
) -> Iterator[tuple[str, str]]:
    """Pairs of calls of which the first was completed first, as their subject must have seen it.

    With `pause_s_min` seconds that holds for a subject too that makes its calls side by side.
    """
    ran = {
        one.call.id: one
        for one in evidence.views.invocations
        if one.call is not None and one.call.id in seen and one.answered is not None and one.sure
    }
    for first, second in permutations(ran.values(), 2):
        if first.call and second.call and _apart(evidence, first, second, pause_s_min):
            yield first.call.id, second.call.id


def _apart(evidence: Evidence, first: Invocation, second: Invocation, pause_s_min: float) -> bool:
    if first.answered is None or second.answered is None:
        return False
    times_s = evidence.times_s
    pause_s = times_s[second.answered.position] - times_s[first.answered.position]
    if first.answered.position < second.position:
        return pause_s >= pause_s_min
    held = second.held is not None and second.held.position < first.answered.position
    return held and pause_s >= PAUSE_S_MIN


def _answers(evidence: Evidence, seen: list[str]) -> list[int]:
    return [
        one.answered.position
        for one in evidence.views.invocations
        if one.call is not None and one.call.id in seen and one.answered is not None
    ]
