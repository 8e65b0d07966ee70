"""The stage: short stories of requests and replies, each read off the history at its end."""

import asyncio

import pytest

from faultloop.fakes.answers import Rejected, Said
from faultloop.fakes.conversation import Conversation, Message
from faultloop.fakes.dialects.dialect import BadRequest
from faultloop.fakes.exchange import KEPT_MAX
from faultloop.fakes.faults import KINDS
from faultloop.fakes.history import (
    CallArrived,
    EffectApplied,
    Failed,
    FaultFired,
    Refused,
    Replied,
    ReplyClosed,
    Requested,
    Started,
    dump,
    load,
)
from faultloop.fakes.landmarks import Trigger
from faultloop.fakes.script import Script, Step

# --- the plain way ----------------------------------------------------------------------------


async def test_an_honest_turn_is_written_down_in_order(open_play):
    play = open_play()
    await play.turn()
    play.stage.ended(1, how="exited", exit_code=0)

    assert play.events() == [
        "started",
        "requested",
        "replied",
        "reply_closed",
        "call_arrived",
        "effect_applied",
        "call_answered",
        "requested",
        "replied",
        "reply_closed",
        "ended",
    ]
    assert [entry.position for entry in play.stage.history] == list(range(11))
    assert load(dump(play.stage.history.entries)) == play.stage.history.entries


async def test_ledger_and_history_name_each_other(open_play):
    play = open_play()
    await play.turn()

    applied, (effect,) = play.only(EffectApplied), play.stage.ledger.effects
    assert effect.position == applied.position
    assert effect.number == applied.effect
    assert (effect.start, effect.invocation, effect.key) == (1, 1, "k")
    assert effect.call_id == play.only(CallArrived).call_id


async def test_the_users_message_goes_out_marked(open_play):
    play = open_play()
    marked = play.stage.marks.marked_input(0, "Go.")

    assert play.only(Started).input == play.messages[0].text == marked


async def test_a_start_that_only_goes_on_gets_no_message(open_play):
    play = open_play()
    assert play.stage.begin(2, 0, True, pending=True) == ""


async def test_the_wire_is_told_a_time_that_follows_the_plays_own_clock(open_play):
    play = open_play()
    first = await play.hear()
    await asyncio.sleep(90)
    second = await play.ask()

    assert first.frame.created_s == 1_767_225_600
    assert isinstance(second, Rejected)  # the call was never answered
    play.messages.append(Message(role="tool", text="ok", result_of=first.reply.calls[0].id))
    assert (await play.hear()).frame.created_s == 1_767_225_690


async def test_the_same_body_again_is_not_written_down_twice(open_play):
    play = open_play()
    await play.ask()
    await play.ask()

    first, second = (e for e in play.stage.history if isinstance(e, Requested))
    assert (first.same_as, second.same_as) == (None, 1)
    assert (len(first.messages), len(second.messages)) == (1, 0)


async def test_a_damaged_request_is_refused_and_seen(open_play):
    play = open_play()
    await play.hear()

    rejected = await play.ask()

    assert isinstance(rejected, Rejected)
    assert (rejected.status, rejected.param) == (400, "messages.[2].role")
    assert play.only(Refused).rule == "unpaired_calls"


async def test_a_body_that_cannot_be_read_is_refused_and_seen(open_play):
    play = open_play()
    bad = BadRequest("No JSON.", param="messages", code="c")

    rejected = await play.stage.unreadable(1, "openai_chat", bad, b"{")

    assert (rejected.status, rejected.message, rejected.code) == (400, "No JSON.", "c")
    assert play.only(Refused).rule == "unreadable"


async def test_past_its_cap_the_provider_refuses(open_play):
    play = open_play()
    for _ in range(8):
        await play.ask()

    rejected = await play.ask()

    assert isinstance(rejected, Rejected)
    assert (rejected.code, play.only(Refused).rule) == ("request_cap", "request_cap")


# --- replies that end early -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "outcome", "complete"),
    [
        (None, "sent", 1),
        (KINDS["end_mark_missing"](at="step 1"), "sent", 1),
        (KINDS["ends_without_finish"](at="step 1"), "cut", 1),
        (KINDS["cut_in_arguments"](at="step 1"), "cut", 0),
        (KINDS["reset_mid_stream"](at="step 1"), "reset", 0),
    ],
)
async def test_how_a_reply_ended_is_told_with_the_calls_that_came_through(
    fault, outcome, complete, open_play
):
    play = open_play(faults=(fault,) if fault else ())
    await play.hear()
    closed = play.only(ReplyClosed)
    assert (closed.outcome, len(closed.calls_complete)) == (outcome, complete)


async def test_a_client_that_leaves_has_heard_what_was_sent(open_play):
    play = open_play()
    said = await play.hear(sent=5)

    closed = play.only(ReplyClosed)
    assert (closed.outcome, closed.calls_complete) == ("client_gone", ())
    assert said.reply.calls


async def test_a_model_fault_is_written_down_with_what_was_intended(open_play):
    play = open_play(faults=(KINDS["truncated_arguments"](at="step 1"),))
    said = await play.hear()

    (call,) = play.only(Replied).calls
    assert call.arguments == said.reply.calls[0].arguments == '{"path":"a.tx'
    assert call.intended == '{"path":"a.txt","line":"x"}'
    assert play.only(FaultFired).kind == "truncated_arguments"
    assert play.stage.unfired_faults() == ()


async def test_an_http_failure_stands_in_for_the_reply_once(open_play):
    play = open_play(faults=(KINDS["rate_limited"](at="step 1", retry_after_s=2),))
    rejected, said = await play.ask(), await play.ask()

    assert isinstance(rejected, Rejected)
    assert (rejected.status, rejected.retry_after_s) == (429, 2)
    assert isinstance(said, Said)
    assert play.events(FaultFired, Failed, Replied) == ["fault_fired", "failed", "replied"]


async def test_a_break_of_the_stream_is_written_down_when_the_stream_has_come_that_far(open_play):
    play = open_play(faults=(KINDS["stall"](at="step 1", after_deltas=3, seconds=5),))
    said = await play.ask(streaming=True)
    await play.stage.stalled(said.request, 3)
    assert play.events(FaultFired) == []
    await play.stage.stalled(said.request, 4)
    assert play.only(FaultFired).kind == "stall"
    await play.stage.closed(said.request, said.ending(len(said.items)))
    assert play.events(Replied, FaultFired, ReplyClosed) == [
        "replied",
        "fault_fired",
        "reply_closed",
    ]


@pytest.mark.parametrize(
    "fault",
    [
        KINDS["reset_mid_stream"](at="step 1", after_deltas=4),
        KINDS["end_mark_missing"](at="step 1"),
        KINDS["ends_without_finish"](at="step 1"),
        KINDS["cut_in_arguments"](at="step 1"),
    ],
)
async def test_a_client_that_left_before_the_break_has_not_met_it(fault, open_play):
    left, stayed = open_play(faults=(fault,)), open_play(faults=(fault,))
    await left.hear(sent=3)
    await stayed.hear()

    assert left.stage.unfired_faults() == (0,)
    assert stayed.stage.unfired_faults() == ()


async def test_a_request_for_one_call_a_reply_is_told_with_the_part_that_it_got(open_play):
    play = open_play()
    await play.ask(one_call=True)

    assert play.only(Requested).one_call
    assert play.only(Replied).part == 1


@pytest.mark.parametrize(("pairing", "cursor"), [("native", "side"), ("text", "first")])
async def test_who_pairs_calls_in_text_may_say_in_words_what_tools_there_are(
    pairing, cursor, open_play
):
    script = Script(turns=((Step(say="Hello."),), (Step(say="Bye."),)))
    play = open_play(script=script, pairing=pairing)
    messages = tuple(play.messages)
    await play.stage.answer(1, "openai_chat", Conversation(messages=messages, raw=repr(messages)))

    assert play.only(Replied).cursor == cursor


async def test_of_the_replies_that_a_provider_keeps_the_oldest_is_forgotten(open_play):
    play = open_play(requests_max=KEPT_MAX + 4)
    asked = tuple(play.messages)

    async def ask(**fields: object) -> Said | Rejected:
        conversation = Conversation(messages=asked, raw=repr(asked), **fields)
        return await play.stage.answer(1, "openai_responses", conversation)

    kept = [await ask(is_kept=True) for _ in range(KEPT_MAX + 1)]
    first, second, *_, last = (f"resp_{said.reply.id}" for said in kept)

    assert isinstance(await ask(continues=last), Said)
    assert isinstance(await ask(continues=second), Said)
    assert (await ask(continues=first)).code == "previous_response_not_found"


async def test_faults_that_never_struck_are_named(open_play):
    play = open_play(faults=(KINDS["stall"](at="step 9"), KINDS["tool_hang"](at="tool read_file")))
    await play.turn()

    assert play.stage.unfired_faults() == (0, 1)


# --- the whole --------------------------------------------------------------------------------


async def test_equal_plans_give_equal_histories(open_play):
    histories = []
    for _ in range(2):
        play = open_play(
            faults=(KINDS["gateway_timeout_after_effect"](at="tool append_file"),),
            triggers=(Trigger(at="result_sent", do="cancel"),),
        )
        await play.turn()
        play.stage.ended(1, how="exited", exit_code=0)
        histories.append(dump(play.stage.history.entries))

    assert histories[0] == histories[1]


async def test_a_fault_out_of_place_is_refused_before_the_play_begins(open_play):
    with pytest.raises(ValueError, match="cannot strike at 'step 1'"):
        open_play(faults=(KINDS["tool_hang"](at="step 1"),))


@pytest.mark.xfail(strict=True, raises=AssertionError, reason="shows that stories are run")
async def test_a_story_that_fails_is_a_test_that_fails(open_play):
    assert open_play().events() == []
