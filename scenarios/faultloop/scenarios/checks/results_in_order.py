"""The results of a batch stand in the model's order, whatever finished first.

Model order is the promise. Order of completion is a policy that SPEC S2 knows and that the Chat
Completions dialect accepts, since it matches results by id; so a loop that puts its results in the
very order in which the world answered keeps a rule of its own and is not faulted for it, unless it
is the reference (which shows its journal and promises model order). Any other order is nobody's.
"""

from __future__ import annotations

from collections.abc import Iterator

from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import Exchange

NAME = "results_in_order"
CLAIM = "S2"
WHY = (
    "If the order of results depends on which tool was faster, the same run gives different "
    "conversations, prompt caches miss and replays differ. Parallel results were matched to the "
    "wrong calls where order was trusted (langgraph #6533)."
)
CURE = "Collect the batch's results by call id and commit them in the order of the calls."

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether each batch's results come in the order of its calls."""
    if evidence.capabilities.pairing == "text":
        return promise.not_applicable("this subject writes calls and results as plain text")
    judged: set[tuple[str, ...]] = set()
    found: list[Finding] = []
    for exchange in evidence.views.exchanges:
        for calls, results in _batches(exchange):
            if calls not in judged:  # later requests repeat the same messages
                judged.add(calls)
                found.append(_judge_batch(evidence, exchange, calls, results))
    return promise.total(found, untested="no request held two results of one batch")


def _batches(exchange: Exchange) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """The calls of each assistant message and the results that follow it directly, by id."""
    calls: tuple[str, ...] = ()
    results: list[str] = []
    for message in exchange.messages:
        if message.role == "tool":
            results.append(message.result_of or "")
            continue
        if len(set(calls) & set(results)) > 1:
            yield calls, results
        calls, results = tuple(call.id for call in message.calls), []
    if len(set(calls) & set(results)) > 1:
        yield calls, results


def _judge_batch(
    evidence: Evidence, exchange: Exchange, calls: tuple[str, ...], results: list[str]
) -> Finding:
    seen = [call_id for call_id in results if call_id in calls]
    if seen == [call_id for call_id in calls if call_id in seen]:
        return promise.held("results stand in the order of their calls", exchange.position)
    answered = {
        one.call.id: one.answered.position
        for one in evidence.views.invocations
        if one.call is not None and one.answered is not None
    }
    order = " before ".join(seen)
    proof = (*(answered[call_id] for call_id in seen if call_id in answered), exchange.position)
    if evidence.capabilities.journal:
        return promise.broken(
            f"request {exchange.number} puts {order}, not as the model called", *proof
        )
    if not answered.keys() >= set(seen):
        return promise.unknown(
            f"request {exchange.number} puts {order}; in which order they were completed is not "
            "known",
            *proof,
        )
    if seen == sorted(seen, key=lambda call_id: answered[call_id]):
        return promise.held(
            "results stand in the order of their completion, which this dialect allows", *proof
        )
    return promise.broken(
        f"request {exchange.number} puts {order}: neither the model's order nor that of completion",
        *proof,
    )
