"""The catalogue on stage: what the files stage comes to pass, where they say that it does.

Played with the reference loop in sim. What is concluded from the plays is the bench's business;
here a scenario is at fault if its fault cannot strike or its kill lands somewhere else.
"""

from __future__ import annotations

import pytest

from faultloop.fakes.history import Acted, CallAnswered, CallArrived, EffectApplied
from faultloop.scenarios import reading
from faultloop.scenarios.applicable import why_not
from faultloop.scenarios.house import open_house
from faultloop.scenarios.play import Done, Order
from faultloop.scenarios.subject import Column
from faultloop.scenarios.subjects.reference import ReferenceSubject

SUBJECT = ReferenceSubject()


@pytest.fixture(scope="module")
def plays() -> list[Done]:
    """Each scenario in each of the reference's columns that it applies to."""
    orders = [
        Order(scenario=scenario, subject=SUBJECT, column=column, seed=1)
        for scenario in reading.catalogue()
        for column in (Column(streaming=True), Column(streaming=False))
        if why_not(scenario, SUBJECT.capabilities, column) is None
    ]
    with open_house(SUBJECT) as house:
        return list(house.play(orders))


def test_every_fault_strikes_and_every_event_happens(plays: list[Done]) -> None:
    idle = [
        (done.order.scenario.name, done.unfired_faults, done.idle_triggers)
        for done in plays
        if done.crash or done.unfired_faults or done.idle_triggers
    ]
    assert idle == []


@pytest.mark.parametrize(
    ("name", "arrived", "answered"),
    [
        ("killed-before-the-call-is-journalled", False, False),
        ("killed-between-effect-and-record", True, True),
        ("killed-after-the-record", True, True),
    ],
)
def test_kills_at_the_journal_land_beside_the_call(
    plays: list[Done], name: str, arrived: bool, answered: bool
) -> None:
    staged = [done for done in plays if done.order.scenario.name == name]
    assert len(staged) == 2  # streamed and whole
    for done in staged:
        history = done.evidence.history
        before = history[: next(at for at, one in enumerate(history) if isinstance(one, Acted))]
        assert any(isinstance(one, CallArrived | EffectApplied) for one in before) is arrived
        assert any(isinstance(one, CallAnswered) for one in before) is answered
        # The result is on record exactly where the kill came after its append.
        outcomes = [one["outcome"] for one in done.evidence.journal or () if "outcome" in one]
        expected = {"killed-between-effect-and-record": "unknown", "killed-after-the-record": "ok"}
        assert name not in expected or outcomes[0] == expected[name]
