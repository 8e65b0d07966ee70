"""Short stories of whole turns: the good way, cut replies, limits, input while it runs."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from faultloop.fakes import clock
from faultloop.loop.budget import Budget
from faultloop.loop.engine import BadInput, Busy
from faultloop.loop.events import (
    CallEnded,
    CallNotExecuted,
    CancelRequested,
    InputQueued,
    StepStarted,
)
from faultloop.loop.message import AssistantMessage, UserMessage

from .story import AT_ONCE, Held, Scripted, Story, call, played, say, toy

SAFE = {"read_only": True, "concurrency_safe": True}


# --- the good way -----------------------------------------------------------------------------


def test_a_turn_without_calls_completes_with_its_text() -> None:
    story = Story(Scripted(say("Hello.")), [])
    end = played(story.agent().prompt("hi"))
    assert (end.end_reason, end.finish_reason, end.text) == ("completed", "stop", "Hello.")


def test_a_result_goes_back_under_its_calls_id() -> None:
    story = Story(Scripted(call(("look", '{"x": "a"}')), say("Seen.")), [toy("look")])
    end = played(story.agent().prompt("look"))
    assert end.end_reason == "completed"
    user, assistant, result = story.model.requests[1].messages
    assert isinstance(user, UserMessage)
    assert isinstance(assistant, AssistantMessage)
    assert (result.call_id, result.content) == ("c0", "done")  # type: ignore[union-attr]
    assert story.tools[0].runs == [{"x": "a"}]


def test_everything_is_journalled_before_it_is_done() -> None:
    seen: list[list[str]] = []
    tool = toy("act", lambda args, context: seen.append(story.kinds) or "done")
    story = Story(Scripted(call(("act", "{}")), say("ok")), [tool])
    played(story.agent().prompt("go"))
    assert seen[0][-2:] == ["AttemptStarted", "CallStarted"]
    assert story.kinds == [
        "InputQueued",
        *("TurnStarted", "HeaderChanged"),
        *("InputClaimed", "StepStarted", "AttemptStarted", "AttemptEnded", "MessageCommitted"),
        *("AttemptStarted", "CallStarted", "AttemptEnded", "CallEnded", "StepEnded"),
        *("StepStarted", "AttemptStarted", "AttemptEnded", "MessageCommitted", "StepEnded"),
        "TurnEnded",
    ]


def test_safe_calls_run_together_and_results_keep_the_models_order() -> None:
    async def body(args, context):  # each waits for the one after it
        number = int(args["x"])
        await over[number + 1].wait()
        order.append(number)
        over[number].set()
        return args["x"]

    order: list[int] = []
    over = [asyncio.Event() for _ in range(4)]
    over[3].set()
    calls = [("look", f'{{"x": "{n}"}}') for n in range(3)]
    story = Story(Scripted(call(*calls), say("ok")), [toy("look", body, **SAFE)])
    played(story.agent().prompt("go"))
    assert order == [2, 1, 0]
    assert story.model.told == ["0", "1", "2"]


def test_an_exclusive_call_is_a_barrier() -> None:
    running: list[str] = []
    beside: list[list[str]] = []

    async def body(args, context):
        running.append(args["x"])
        await asyncio.sleep(0)
        beside.append(list(running))
        running.remove(args["x"])
        return "done"

    story = Story(
        Scripted(call(("look", '{"x": "a"}'), ("act", '{"x": "b"}'), ("look", '{"x": "c"}'))),
        [toy("look", body, **SAFE), toy("act", body)],
    )
    played(story.agent().prompt("go"))
    assert beside == [["a"], ["b"], ["c"]]


def test_ids_that_the_model_repeats_confuse_nothing() -> None:
    twice = call(("act", '{"x": "1"}'), ("act", '{"x": "2"}'), same_id="same")
    story = Story(
        Scripted(twice, call(("act", '{"x": "3"}'), same_id="same"), say("ok")),
        [toy("act", lambda args, context: args["x"])],
    )
    end = played(story.agent().prompt("go"))
    assert end.end_reason == "completed"
    assert story.model.told == ["1", "2", "3"]
    ids = [m.call_id for m in story.model.requests[-1].messages if hasattr(m, "call_id")]
    assert len(set(ids)) == 3
    assert len({context.key for context in story.tools[0].contexts}) == 3


def test_a_second_turn_goes_on_from_the_first() -> None:
    story = Story(Scripted(say("one"), say("two")), [])

    async def both():
        agent = story.agent()
        return await agent.prompt("a"), await agent.prompt("b")

    first, second = played(both())
    assert (first.turn, second.turn) == (1, 2)
    assert [type(m).__name__ for m in story.model.requests[1].messages] == [
        *("UserMessage", "AssistantMessage", "UserMessage"),
    ]


# --- truncation -------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", ['{"x": "a"}', '{"x": "a'])
def test_a_cut_reply_runs_nothing_and_the_model_may_try_once_more(arguments: str) -> None:
    story = Story(
        Scripted(call(("act", arguments), finish="length"), call(("act", "{}")), say("ok")),
        [toy("act")],
    )
    end = played(story.agent().prompt("go"))
    assert end.end_reason == "completed"
    assert story.tools[0].runs == [{}]
    assert [event.code for event in story.of(CallNotExecuted)] == ["TRUNCATED"]


def test_a_second_cut_reply_ends_the_turn_as_max_tokens() -> None:
    cut = call(("act", "{}"), ("act", "{}"), finish="length")
    story = Story(Scripted(cut, cut), [toy("act")])
    end = played(story.agent().prompt("go"))
    assert (end.end_reason, end.finish_reason) == ("max_tokens", "length")
    assert story.tools[0].runs == []
    assert len(story.of(CallNotExecuted)) == 4


def test_cut_text_ends_the_turn_as_max_tokens() -> None:
    end = played(Story(Scripted(say("Once upon a", "length")), []).agent().prompt("go"))
    assert (end.end_reason, end.text) == ("max_tokens", "Once upon a")


@pytest.mark.parametrize(("truncation", "reason"), [("end", "max_tokens"), ("fail", "error")])
def test_policy_may_end_the_turn_at_the_first_cut(truncation, reason) -> None:
    policy = replace(AT_ONCE, truncation=truncation)
    cut = call(("act", "{}"), finish="length")
    story = Story(Scripted(cut), [toy("act")], policy=policy)
    end = played(story.agent().prompt("go"))
    assert end.end_reason == reason
    assert len(story.model.requests) == 1
    assert len(story.of(CallNotExecuted)) == 1


def test_a_filtered_reply_blocks_the_turn_and_runs_nothing() -> None:
    story = Story(Scripted(call(("act", "{}"), finish="content_filter")), [toy("act")])
    end = played(story.agent().prompt("go"))
    assert (end.end_reason, story.tools[0].runs) == ("blocked", [])


@pytest.mark.parametrize("finish", ["stop", "other", "tool_calls"])
def test_complete_calls_run_whatever_the_finish_reason_says(finish: str) -> None:
    story = Story(Scripted(call(("act", "{}"), finish=finish), say("ok")), [toy("act")])
    assert played(story.agent().prompt("go")).end_reason == "completed"
    assert len(story.tools[0].runs) == 1


def test_tool_calls_without_calls_is_done() -> None:
    end = played(Story(Scripted(say("Hm.", "tool_calls")), []).agent().prompt("go"))
    assert end.end_reason == "completed"


# --- limits -----------------------------------------------------------------------------------


def test_steps_are_limited() -> None:
    story = Story(Scripted(*[call(("act", "{}"))] * 9), [toy("act")])
    story.policy = replace(AT_ONCE, budget=Budget(steps_max=3))
    assert played(story.agent().prompt("go")).end_reason == "max_steps"
    assert len(story.model.requests) == len(story.tools[0].runs) == 3


def test_a_turn_that_is_done_on_its_last_step_is_done() -> None:
    story = Story(Scripted(call(("act", "{}")), say("ok")), [toy("act")])
    story.policy = replace(AT_ONCE, budget=Budget(steps_max=2))
    assert played(story.agent().prompt("go")).end_reason == "completed"


def test_tokens_are_limited() -> None:
    story = Story(Scripted(*[call(("act", "{}"))] * 9), [toy("act")])
    story.policy = replace(AT_ONCE, budget=Budget(tokens_max=30))
    assert played(story.agent().prompt("go")).end_reason == "token_budget"
    assert len(story.model.requests) == 2


def test_wall_time_is_limited_in_the_middle_of_anything() -> None:
    async def body(args, context):
        await asyncio.Event().wait()

    calls = call(("act", "{}"), ("act", "{}"))
    story = Story(Scripted(calls), [toy("act", body, cancellable=True)])
    story.policy = replace(AT_ONCE, budget=Budget(wall_s_max=0.01))
    assert clock.run(lambda: story.agent().prompt("go"), seed=0).end_reason == "timeout"
    assert [event.code for event in story.of(CallNotExecuted)] == ["TIMEOUT"]
    assert [event.outcome for event in story.of(CallEnded)] == ["unknown"]


# --- input while it runs ----------------------------------------------------------------------


def test_steering_enters_before_the_next_request_and_a_follow_up_after_the_end() -> None:
    async def body(args, context):
        await agent.follow_up("later")
        await agent.steer("sooner")
        return "done"

    story = Story(Scripted(call(("act", "{}")), say("one"), say("two")), [toy("act", body)])
    agent = story.agent()
    assert played(agent.prompt("go")).text == "two"
    texts = [
        [m.text for m in r.messages if isinstance(m, UserMessage)] for r in story.model.requests
    ]
    assert texts == [["go"], ["go", "sooner"], ["go", "sooner", "later"]]
    assert [event.cause for event in story.of(StepStarted)] == ["input", "results", "follow_up"]


def test_steering_goes_on_with_a_turn_that_would_have_ended() -> None:
    async def go():
        agent = story.agent()

        async def listen(event):
            if type(event).__name__ == "MessageEnded" and event.message.text == "one":
                await agent.steer("wait")

        agent.subscribe(listen)
        return await agent.prompt("go")

    story = Story(Scripted(say("one"), say("two")), [])
    end = played(go())
    assert (end.turn, end.text) == (1, "two")


def test_the_same_input_is_taken_once() -> None:
    async def body(args, context):
        await agent.steer("once", input_id="s1")
        await agent.steer("once", input_id="s1")
        return "done"

    story = Story(Scripted(call(("act", "{}")), say("ok")), [toy("act", body)])
    agent = story.agent()
    played(agent.prompt("go"))
    assert [event.id for event in story.of(InputQueued)] == ["session/input/1", "s1"]


def test_steering_wakes_an_idle_loop_and_an_injection_does_not() -> None:
    async def go():
        agent = story.agent()
        await agent.inject("the job is done", source="job")
        assert not agent.running
        await agent.steer("now")
        await agent.idle()

    story = Story(Scripted(say("ok")), [])
    played(go())
    messages = story.model.requests[0].messages
    assert [m.text for m in messages if isinstance(m, UserMessage)] == ["the job is done", "now"]


def test_a_second_prompt_is_refused_while_a_turn_runs_or_queued_by_policy() -> None:
    async def go(story):
        agent = story.agent()
        first = asyncio.ensure_future(agent.prompt("a"))
        while not story.model.requests:
            await asyncio.sleep(0)
        try:
            return await agent.prompt("b")
        finally:
            gate.set()
            await first

    gate = asyncio.Event()
    with pytest.raises(Busy):
        played(go(Story(Scripted([gate, *say("one")]), [])))
    story = Story(Scripted(say("one"), say("two")), [])
    story.policy = replace(AT_ONCE, second_prompt="queue")
    assert played(go(story)).text == "two"


@pytest.mark.parametrize("said", ["prompt", "steer", "follow_up"])
def test_half_a_character_in_the_users_words_is_refused_and_harms_nothing(said) -> None:
    story = Story(Scripted(say("ok")), [])

    async def go():
        agent = story.agent()
        with pytest.raises(BadInput, match=r"holds half a character, so nothing was queued: 'x"):
            await getattr(agent, said)("x\udcff")
        with pytest.raises(BadInput):
            await getattr(agent, said)("x", input_id="\ud800")
        return await agent.prompt("go")

    assert played(go()).end_reason == "completed"
    assert len(story.of(InputQueued)) == 1


def test_half_a_character_in_the_reason_of_a_cancel_is_replaced() -> None:
    story = Story(Scripted(call(("act", "{}"))), [])

    async def body(args, context):
        agent.cancel(reason="because \ud800")
        return "done"

    story.tools = [toy("act", body)]
    agent = story.agent()
    assert played(agent.prompt("go")).end_reason == "aborted"
    assert story.of(CancelRequested)[0].reason == "because \ufffd"


def test_without_limits_a_turn_goes_on_for_as_long_as_the_model_calls() -> None:
    async def slow(args, context):
        await asyncio.sleep(4_000)  # of the clock's own time
        return "done"

    story = Story(Scripted(*[call(("act", "{}"))] * 60, say("at last")), [toy("act", slow)])
    unlimited = Budget(steps_max=None, wall_s_max=None)
    story.policy = replace(AT_ONCE, budget=unlimited, tool_timeout_s=None)
    end = clock.run(lambda: story.agent().prompt("go"), seed=0)
    assert (end.end_reason, end.text) == ("completed", "at last")
    assert len(story.tools[0].runs) == 60


def test_a_steering_that_was_taken_before_wakes_nobody() -> None:
    async def go() -> tuple[str, str, bool]:
        agent = story.agent()
        first = await agent.steer("once", input_id="s1")
        await agent.idle()
        return first, await agent.steer("once", input_id="s1"), agent.running

    story = Story(Scripted(say("ok")), [])
    assert played(go()) == ("s1", "s1", False)
    assert len(story.model.requests) == 1


def test_idle_waits_also_for_who_brings_input_just_now() -> None:
    async def go() -> None:
        agent = story.agent(landmarks=held)
        await agent.open()
        held.open.clear()
        steering = asyncio.create_task(agent.steer("now"))
        await asyncio.sleep(0)
        assert agent.running
        idle = asyncio.create_task(agent.idle())
        await asyncio.sleep(0)
        held.open.set()
        await idle
        assert steering.done()
        assert agent.state.turn.text == "ok"

    story, held = Story(Scripted(say("ok")), []), Held()
    played(go())
