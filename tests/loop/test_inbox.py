"""The inbox as tables: what waits, what a claim takes, what is taken once."""

from __future__ import annotations

import pytest

from faultloop.loop.events import InputQueued
from faultloop.loop.inbox import Inbox, claimable, put, quieten, take


def queued(*inputs: str) -> Inbox:
    """`s1` is steering, `t1` a prompt, `i1` an injection, `!1` an interrupt."""
    inbox = Inbox()
    lanes = {"t": "next_turn", "!": "interrupt"}
    for name in inputs:
        lane = lanes.get(name[0], "next_step")
        event = InputQueued(id=name, lane=lane, source="user", text=name, wakes=name[0] not in "i!")
        inbox = put(inbox, event, turn_is_open=False)
    return inbox


CLAIMS = [
    # waiting            at a turn's beginning   before a later step
    ((), [], []),
    (("t1",), ["t1"], []),
    (("t1", "t2"), ["t1"], []),
    (("s1", "s2"), ["s1", "s2"], ["s1", "s2"]),
    (("i1", "t1", "s1", "t2"), ["i1", "t1", "s1"], ["i1", "s1"]),
    (("!1", "t1", "!2"), ["!1", "t1", "!2"], ["!1", "!2"]),
]


@pytest.mark.parametrize(("waiting", "at_beginning", "before_step"), CLAIMS)
def test_a_claim_takes_all_steering_and_one_prompt_at_a_turns_beginning(
    waiting, at_beginning, before_step
) -> None:
    inbox = queued(*waiting)
    assert [i.input.id for i in claimable(inbox, turn_begins=True)] == at_beginning
    assert [i.input.id for i in claimable(inbox, turn_begins=False)] == before_step


BY_POLICY = [
    # steering        follow_ups       at a turn's beginning       before a later step
    ("all", "all", ["s1", "t1", "s2", "t2"], ["s1", "s2"]),
    ("one_at_a_time", "one_at_a_time", ["s1", "t1"], ["s1"]),
    ("one_at_a_time", "all", ["s1", "t1", "t2"], ["s1"]),
]


@pytest.mark.parametrize(("steering", "follow_ups", "at_beginning", "before_step"), BY_POLICY)
def test_each_queue_enters_whole_or_one_at_a_time(
    steering, follow_ups, at_beginning, before_step
) -> None:
    inbox = queued("s1", "t1", "s2", "t2")
    knobs = {"steering": steering, "follow_ups": follow_ups}
    assert [i.input.id for i in claimable(inbox, turn_begins=True, **knobs)] == at_beginning
    assert [i.input.id for i in claimable(inbox, turn_begins=False, **knobs)] == before_step


def test_a_cancel_drops_everything_but_what_interrupted() -> None:
    inbox = queued("!1", "t1", "s1", "i1")
    assert inbox.droppable == ("t1", "s1", "i1")
    assert inbox.interrupted
    assert not take(inbox, "!1").interrupted


def test_an_id_is_taken_once_even_after_it_was_claimed() -> None:
    inbox = take(queued("t1"), "t1")
    again = put(
        inbox, InputQueued(id="t1", lane="next_turn", source="user", text="t1"), turn_is_open=False
    )
    assert again is inbox
    assert not again.has("t1")


@pytest.mark.parametrize(
    ("waiting", "wakes"), [((), False), (("i1",), False), (("i1", "s1"), True), (("t1",), True)]
)
def test_prompts_and_steering_wake_and_injections_do_not(waiting, wakes) -> None:
    assert queued(*waiting).wakes is wakes


def test_quietened_input_stays_but_wakes_nobody() -> None:
    inbox = quieten(queued("t1", "t2"), ["t1"])
    assert inbox.has("t1")
    assert inbox.wakes
    assert not quieten(inbox, ["t2"]).wakes
