"""Landmarks: what has happened when the bench acts there, and what follows."""

import asyncio

import pytest

from faultloop.fakes.conversation import Conversation, Message
from faultloop.fakes.faults import KINDS
from faultloop.fakes.history import (
    Acted,
    CallAbandoned,
)
from faultloop.fakes.landmarks import Trigger


def at(landmark: str, do: str, **fields: object) -> Trigger:
    return Trigger(at=landmark, do=do, **fields)


# --- landmarks --------------------------------------------------------------------------------

PASSED_BEFORE = {
    "request_arrived": ["started", "requested"],
    "first_chunk": ["started", "requested", "replied"],
    "chunk:3": ["started", "requested", "replied"],
    "reply_sent": ["started", "requested", "replied", "reply_closed"],
}
UNTIL_CALL = [*PASSED_BEFORE["reply_sent"], "call_arrived"]
PASSED_BEFORE |= {
    "call_arrived": UNTIL_CALL,
    "before_effect": UNTIL_CALL,
    "after_effect": [*UNTIL_CALL, "effect_applied"],
    "result_sent": [*UNTIL_CALL, "effect_applied", "call_answered"],
    "before_next_request": [*UNTIL_CALL, "effect_applied", "call_answered", "requested"],
}


@pytest.mark.parametrize("landmark", PASSED_BEFORE)
async def test_a_kill_at_a_landmark_lets_nothing_follow(landmark, open_play):
    play = open_play(triggers=(at(landmark, "kill"),))
    task = asyncio.create_task(play.turn())
    assert await play.is_held(task)
    await play.stage.settled()
    assert play.events() == [*PASSED_BEFORE[landmark], "acted"]
    assert play.deeds.done == [("kill", 1)]
    await play.stage.close()
    assert task.cancelled()


@pytest.mark.parametrize("landmark", PASSED_BEFORE)
async def test_a_cancel_at_a_landmark_lets_the_play_go_on(landmark, open_play):
    play = open_play(triggers=(at(landmark, "cancel"),))
    await play.turn()
    events = play.events()
    assert events[: events.index("acted")] == PASSED_BEFORE[landmark]
    assert play.deeds.done == [("cancel", 1)]
    assert play.stage.idle_triggers() == ()


async def test_the_reference_announces_landmarks_of_its_own(open_play):
    play = open_play(triggers=(at("before_journal", "kill"),))
    assert await play.is_held(asyncio.create_task(play.stage.reached(1, "before_journal")))
    assert play.only(Acted).landmark == "before_journal"


async def test_a_landmark_of_the_journal_can_be_anchored_at_an_event(open_play):
    play = open_play(triggers=(at("before_journal", "cancel", event="call_ended", occurrence=2),))
    for events in (["call_started"], ["call_ended"], ["turn_ended"], ["step_ended", "call_ended"]):
        assert play.events(Acted) == []
        await play.stage.reached(1, "before_journal", events)

    assert play.deeds.done == [("cancel", 1)]


async def test_a_side_request_passes_no_landmark(open_play):
    triggers = tuple(
        at(name, "cancel") for name in ("request_arrived", "first_chunk", "reply_sent")
    )
    play = open_play(triggers=triggers)
    conversation = Conversation(messages=tuple(play.messages), raw="", streaming=True)
    side = await play.stage.answer(1, "openai_chat", conversation)
    await play.stage.sent_chunk(side.request, 1)
    await play.stage.closed(side.request, side.ending(len(side.items)))

    assert play.stage.idle_triggers() == (0, 1, 2)


async def test_input_while_it_runs_is_passed_on_and_written_down(open_play):
    play = open_play(triggers=(at("result_sent", "steer", text="Look at b.txt as well."),))
    await play.turn()

    assert play.deeds.done == [("steer: Look at b.txt as well.", 1)]
    assert play.only(Acted).text == "Look at b.txt as well."


async def test_a_trigger_counts_only_the_passings_that_it_names(open_play):
    play = open_play(
        triggers=(
            at("request_arrived", "cancel", step=2),
            at("reply_sent", "cancel", tool="append_file"),
            at("call_arrived", "cancel", tool="read_file"),
            at("before_effect", "cancel", step=1, occurrence=2),
            at("after_effect", "cancel", step=2),
        )
    )
    await play.turn()

    acted = [e.trigger for e in play.stage.history if isinstance(e, Acted)]
    assert acted == [1, 0]
    assert play.stage.idle_triggers() == (2, 3, 4)


async def test_a_call_that_is_let_go_of_just_before_its_effect_has_none(open_play):
    play = open_play(triggers=(at("before_effect", "cancel"),))
    gone = asyncio.Event()
    play.deeds.on_cancel = gone.set

    assert await play.call(gone=gone) is None

    assert play.only(CallAbandoned).stopped
    assert len(play.stage.ledger) == 0


async def test_a_call_that_is_let_go_of_after_its_effect_has_happened(open_play):
    play = open_play(triggers=(at("after_effect", "cancel"),))
    gone = asyncio.Event()
    play.deeds.on_cancel = gone.set

    assert await play.call(gone=gone) is None

    assert not play.only(CallAbandoned).stopped
    assert len(play.stage.ledger) == 1


async def test_a_tool_that_only_reads_has_no_effect_to_stage_anything_at(open_play):
    play = open_play(triggers=(at("before_effect", "cancel"), at("after_effect", "cancel")))
    await play.call("read_file", b'{"path": "a.txt"}')

    assert play.stage.idle_triggers() == (0, 1)


async def test_a_retry_without_a_new_result_is_no_next_request(open_play):
    play = open_play(triggers=(at("before_next_request", "cancel"),))
    await play.ask()
    await play.ask()

    assert play.stage.idle_triggers() == (0,)


@pytest.mark.parametrize(("occurrence", "idle"), [(1, ()), (2, (0,))])
async def test_each_result_announces_one_next_request(occurrence, idle, open_play):
    play = open_play(triggers=(at("before_next_request", "cancel", occurrence=occurrence),))
    await play.call()
    await play.ask()
    await play.ask()

    assert play.stage.idle_triggers() == idle


@pytest.mark.parametrize("kind", ["ends_without_finish", "reset_mid_stream"])
async def test_a_reply_that_broke_off_was_not_sent(kind, open_play):
    play = open_play(faults=(KINDS[kind](at="step 1"),), triggers=(at("reply_sent", "cancel"),))
    await play.hear()

    assert play.stage.idle_triggers() == (0,)


async def test_an_injected_failure_that_was_sent_is_a_reply_sent(open_play):
    play = open_play(
        faults=(KINDS["server_error"](at="step 1"),), triggers=(at("reply_sent", "cancel", step=1),)
    )
    rejected = await play.ask()
    assert play.deeds.done == []

    await play.stage.sent_failure(rejected.request)

    assert play.deeds.done == [("cancel", 1)]


async def test_a_refusal_that_was_sent_is_none(open_play):
    play = open_play(triggers=(at("reply_sent", "cancel"),))
    play.messages.append(Message(role="tool", text="?", result_of="call_1"))
    rejected = await play.ask()

    await play.stage.sent_failure(rejected.request)

    assert play.deeds.done == []
