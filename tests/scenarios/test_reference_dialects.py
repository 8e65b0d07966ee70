"""The reference through each of its clients: the promises do not depend on the dialect.

A part of the catalogue, at least one of each family that has to do with the wire or the history.
What a dialect cannot say at all is left out by the same rule as in the bench.
"""

from __future__ import annotations

import pytest

from faultloop.fakes.dialects import DIALECTS
from faultloop.scenarios.applicable import why_not
from faultloop.scenarios.house import SimHouse
from faultloop.scenarios.judge import judge
from faultloop.scenarios.play import Order
from faultloop.scenarios.reading import catalogue
from faultloop.scenarios.subject import Column
from faultloop.scenarios.subjects.reference import PROVIDERS, ReferenceSubject

PLAYED = (
    "append-504-appended",
    "arguments-in-any-script",
    "blocks-never-end",
    "broken-json-is-explained",
    "calls-without-ids",
    "cancel-during-backoff",
    "cancel-with-calls-waiting",
    "closed-at-a-byte",
    "counts-after-the-end",
    "cut-arguments-are-not-run",
    "cut-then-completed",
    "empty-for-a-tool-without-parameters",
    "ends-before-the-finish-reason",
    "error-in-a-good-stream",
    "filtered-calls-are-not-run",
    "ids-are-counted-in-every-reply",
    "interleaved-calls",
    "killed-in-the-middle-of-a-batch",
    "malformed-call-is-no-answer",
    "name-that-no-provider-accepts",
    "output-with-half-a-pair",
    "pause-in-the-stream",
    "rate-limited",
    "reads-around-a-write",
    "rejected-request-is-not-repeated",
    "second-message",
    "steer-in-the-middle-of-a-batch",
    "stream-stands-still",
)


def test_there_is_a_client_for_each_dialect_and_the_bench_plays_one() -> None:
    assert PROVIDERS.keys() == DIALECTS.keys()
    assert ReferenceSubject().capabilities.dialects == ("openai_chat",)


@pytest.mark.parametrize("dialect", [name for name in PROVIDERS if name != "openai_chat"])
def test_the_reference_keeps_its_promises_in_every_dialect(dialect: str) -> None:
    subject = ReferenceSubject(dialects=(dialect,))
    known = {scenario.name: scenario for scenario in catalogue()}
    columns = [Column(dialect=dialect, streaming=streaming) for streaming in (True, False)]
    orders = [
        Order(scenario=known[name], subject=subject, column=column, seed=1)
        for name in PLAYED
        for column in columns
        if why_not(known[name], subject.capabilities, column) is None
    ]
    assert len(orders) > len(PLAYED)
    for done in SimHouse().play(orders):
        judged = judge(
            done.evidence,
            unfired_faults=done.unfired_faults,
            idle_triggers=done.idle_triggers,
            crash=done.crash,
        )
        assert judged.verdict == "held", (done.order.scenario.name, judged.reason)
