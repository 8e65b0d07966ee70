"""The catalogue on stage: what the files stage comes to pass, where they say that it does.

Played with the reference loop in sim. What is concluded from the plays is the bench's business;
here a scenario is at fault if its fault cannot strike or its kill lands somewhere else.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from faultloop.fakes.history import Acted, CallAnswered, CallArrived, EffectApplied
from faultloop.loop.engine import Agent
from faultloop.scenarios import reading
from faultloop.scenarios.applicable import why_not
from faultloop.scenarios.house import open_house
from faultloop.scenarios.play import Done, Order
from faultloop.scenarios.subject import Column
from faultloop.scenarios.subjects.reference import ReferenceSubject
from faultloop.scenarios.subjects.reference_parts import Parts, assemble

Events = list[dict[str, Any]]


class Stage:
    """All plays, and what each start found in its journal when it came to life."""

    def __init__(self) -> None:
        self.found: dict[str, list[Events]] = {}
        subject = ReferenceSubject(assembly=self.assemble)
        orders = [
            Order(scenario=scenario, subject=subject, column=column, seed=1)
            for scenario in reading.catalogue()
            for column in (Column(streaming=True), Column(streaming=False))
            if why_not(scenario, subject.capabilities, column) is None
        ]
        with open_house(subject) as house:
            self.plays = list(house.play(orders))

    def assemble(self, parts: Parts) -> Agent:
        """The reference, after a look at what it inherits."""
        inherited = [msgspec.to_builtins(event) for event in parts.journal.load()]
        self.found.setdefault(parts.session, []).append(inherited)
        return assemble(parts)

    def of(self, name: str) -> list[Done]:
        """The plays of one scenario: streamed and whole."""
        return [done for done in self.plays if done.order.scenario.name == name]

    def left_by_the_kill(self, done: Done) -> Events:
        """The journal as the second start found it."""
        return self.found[f"session-{done.order.play}"][1]


@pytest.fixture(scope="module")
def stage() -> Stage:
    """Each scenario in each of the reference's columns that it applies to."""
    return Stage()


def test_every_fault_strikes_and_every_event_happens(stage: Stage) -> None:
    idle = [
        (done.order.scenario.name, done.unfired_faults, done.idle_triggers)
        for done in stage.plays
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
    stage: Stage, name: str, arrived: bool, answered: bool
) -> None:
    staged = stage.of(name)
    assert len(staged) == 2
    for done in staged:
        history = done.evidence.history
        before = history[: next(at for at, one in enumerate(history) if isinstance(one, Acted))]
        assert any(isinstance(one, CallArrived | EffectApplied) for one in before) is arrived
        assert any(isinstance(one, CallAnswered) for one in before) is answered


@pytest.mark.parametrize(
    ("name", "written", "missing"),
    [
        ("killed-before-the-call-is-journalled", "message_committed", "call_started"),
        ("killed-between-effect-and-record", "call_started", "call_ended"),
        ("killed-after-the-record", "call_ended", "step_ended"),
    ],
)
def test_the_journal_ends_where_the_kill_says(
    stage: Stage, name: str, written: str, missing: str
) -> None:
    for done in stage.of(name):
        types = [event["type"] for event in stage.left_by_the_kill(done)]
        assert types[-1] == written
        assert missing not in types
