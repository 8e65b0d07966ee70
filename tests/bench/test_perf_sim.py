"""What is measured in the sim tier: the workloads, and that both ports play the same."""

from __future__ import annotations

from itertools import count
from typing import Any

import msgspec
import pytest

from faultloop.bench.perf.cores import lot
from faultloop.bench.perf.sim import PLAYS, must_hold, playing
from faultloop.bench.perf.workload import TROUBLED, WORKLOAD
from faultloop.fakes.history import CallAnswered, Ended, Failed, Requested
from faultloop.scenarios.play import Done
from faultloop.scenarios.scenario import Scenario
from faultloop.scenarios.subject import Column
from faultloop.scenarios.subjects.reference import Port

PORTS: tuple[Port, ...] = ("http", "direct")
SCENARIOS = pytest.mark.parametrize("scenario", [WORKLOAD, TROUBLED], ids=lambda one: one.name)


def played(port: Port, scenario: Scenario, *, streaming: bool = True) -> Done:
    with playing(port, Column(streaming=streaming), count(), scenario) as play:
        return play()


def of(done: Done, *kinds: type) -> list[Any]:
    return [entry for entry in done.evidence.history if isinstance(entry, kinds)]


@pytest.mark.parametrize("port", PORTS)
@SCENARIOS
def test_what_is_measured_is_held(port: Port, scenario: Scenario) -> None:
    must_hold(played(port, scenario))


@pytest.mark.parametrize("port", PORTS)
def test_in_trouble_a_quarter_fails_once_and_is_tried_again_after_a_pause(port: Port) -> None:
    done = played(port, TROUBLED)
    asked, answered = of(done, Requested), of(done, CallAnswered)
    assert [one.status for one in of(done, Failed)] == [429]
    assert len(asked) == 5 + 1
    assert sorted(one.status for one in answered) == [200] * 12 + [504] * 3
    assert done.unfired_faults == ()
    assert done.evidence.times_s[-1] > 1  # the Retry-After, and the tools' own pauses


@pytest.mark.parametrize("streaming", [True, False])
@SCENARIOS
def test_both_ports_have_the_same_conversation(scenario: Scenario, streaming: bool) -> None:
    http, direct = (played(port, scenario, streaming=streaming) for port in PORTS)
    assert [one.messages for one in of(http, Requested)] == [
        one.messages for one in of(direct, Requested)
    ]
    assert [one.account for one in of(http, Ended)] == [one.account for one in of(direct, Ended)]


@SCENARIOS
def test_both_ports_leave_the_same_journal_but_for_which_call_of_a_batch_came_first(
    scenario: Scenario,
) -> None:
    http, direct = (events(played(port, scenario)) for port in PORTS)
    assert http == direct


def events(done: Done) -> list[bytes]:
    """The journal's events, without what tells the order of tries, in an order of their own."""
    assert done.evidence.journal is not None
    return sorted(
        msgspec.json.encode(
            {name: value for name, value in event.items() if name not in tries(event)},
            order="sorted",
        )
        for event in done.evidence.journal
    )


def tries(event: dict[str, Any]) -> tuple[str, ...]:
    """The fields that number the tries; which call is tried again is who came first, too."""
    return ("attempt", "call") if event["type"].startswith("attempt") else ("attempt",)


@pytest.mark.parametrize("port", PORTS)
def test_a_process_makes_all_its_plays_and_they_hold(port: Port) -> None:
    assert lot(port) == PLAYS
