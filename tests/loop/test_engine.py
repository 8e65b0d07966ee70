"""Short stories of whole turns: a scripted model, toy tools, and what came of it."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from faultloop.loop.budget import Budget
from faultloop.loop.checking import Permission
from faultloop.loop.engine import Busy
from faultloop.loop.events import (
    AttemptEnded,
    CallEnded,
    CallNotExecuted,
    CallStarted,
    CancelRequested,
    InputDiscarded,
    InputQueued,
    MessageCommitted,
    StepStarted,
    TurnEnded,
)
from faultloop.loop.journal.memory import MemoryJournal
from faultloop.loop.message import AssistantMessage, UserMessage
from faultloop.loop.providers.port import FinishDelta, ProviderFailure, TextDelta
from faultloop.loop.state import replay
from faultloop.loop.tools.port import ToolResult

from .story import AT_ONCE, Scripted, Story, call, played, say, toy

SAFE = {"read_only": True, "concurrency_safe": True}


# --- the good way ---------------------------------------------------------------------------


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
        "TurnStarted",
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


# --- truncation -----------------------------------------------------------------------------


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


# --- the provider fails ---------------------------------------------------------------------


BROKEN = ProviderFailure("broken", "the connection was reset")


@pytest.mark.parametrize(
    "line",
    [
        [TextDelta("half a"), BROKEN],
        call(("act", "{}"), finish=None),
        [ProviderFailure("unavailable", "HTTP 500", status=500)],
    ],
)
def test_a_failed_attempt_is_retried_and_leaves_nothing_behind(line) -> None:
    story = Story(Scripted(line, say("Whole.")), [toy("act")])
    end = played(story.agent().prompt("go"))
    assert (end.end_reason, end.text) == ("completed", "Whole.")
    assert story.model.requests[0] == story.model.requests[1]
    assert story.tools[0].runs == []
    assert [event.state for event in story.of(AttemptEnded)] == ["failed", "completed"]
    assert story.model.closed == 2


def test_retries_are_bounded_and_the_turn_ends_in_error() -> None:
    story = Story(Scripted([BROKEN], [BROKEN], [BROKEN], say("too late")), [])
    end = played(story.agent().prompt("go"))
    assert end.end_reason == "error"
    assert "3 attempts" in end.error
    assert len(story.model.requests) == 3


def test_a_rejected_request_is_not_retried() -> None:
    story = Story(Scripted([ProviderFailure("rejected", "HTTP 400", status=400)]), [])
    assert played(story.agent().prompt("go")).end_reason == "error"
    assert len(story.model.requests) == 1


def test_a_failed_request_never_runs_a_tool_again() -> None:
    story = Story(Scripted(call(("act", "{}")), [BROKEN], say("ok")), [toy("act")])
    assert played(story.agent().prompt("go")).end_reason == "completed"
    assert len(story.tools[0].runs) == 1


def test_a_silent_provider_is_given_up() -> None:
    story = Story(Scripted([asyncio.Event()], say("ok")), [], policy=replace(AT_ONCE, stall_s=0.01))
    assert played(story.agent().prompt("go")).text == "ok"
    assert story.model.closed == 2


# --- tools fail -----------------------------------------------------------------------------


def test_an_unknown_tool_is_answered_with_the_tools_there_are() -> None:
    story = Story(Scripted(call(("raed", "{}")), say("ok")), [toy("write"), toy("read")])
    assert played(story.agent().prompt("go")).end_reason == "completed"
    assert "read, write" in story.model.told[0]


def test_wrong_arguments_touch_nothing_and_ask_nobody() -> None:
    asked: list[str] = []

    async def permit(contract, args):
        asked.append(contract.name)
        return Permission(granted=True)

    story = Story(Scripted(call(("act", '{"x": 1}')), say("ok")), [toy("act")])
    played(story.agent(permit=permit).prompt("go"))
    assert (story.tools[0].runs, asked) == ([], [])
    assert [event.code for event in story.of(CallNotExecuted)] == ["INVALID_ARGS"]


def test_a_tool_that_raises_becomes_a_bounded_result() -> None:
    def body(args, context):
        raise ValueError("x" * 10_000)

    story = Story(Scripted(call(("act", "{}"), ("look", "{}")), say("ok")), [])
    story.tools = [toy("act", body), toy("look", body, read_only=True)]
    assert played(story.agent().prompt("go")).end_reason == "completed"
    assert [event.outcome for event in story.of(CallEnded)] == ["unknown", "failed"]
    assert all("ValueError" in told and len(told) < 1_000 for told in story.model.told)


GATEWAY = ToolResult(outcome="unknown", content="HTTP 504", code="HTTP_504", retryable=True)


@pytest.mark.parametrize(
    ("declared", "tries"),
    [({}, 1), ({"read_only": True}, 3), ({"idempotent": True}, 3), ({"honours_key": True}, 3)],
)
def test_only_harmless_calls_are_tried_again(declared, tries) -> None:
    tool = toy("act", lambda args, context: GATEWAY, **declared)
    story = Story(Scripted(call(("act", "{}")), say("ok")), [tool])
    played(story.agent().prompt("go"))
    assert len(tool.runs) == tries
    assert len({context.key for context in tool.contexts}) == 1
    assert len({context.attempt for context in tool.contexts}) == tries
    assert len(story.of(CallStarted)) == len(story.of(CallEnded)) == 1


def test_an_unknown_outcome_is_looked_up_where_the_contract_says_how() -> None:
    act = toy("pay", lambda args, context: GATEWAY, verify_with="list_payments")
    look = toy("list_payments", lambda args, context: "one payment of 5", read_only=True)
    story = Story(Scripted(call(("pay", "{}")), say("ok")), [act, look])
    played(story.agent().prompt("go"))
    assert len(act.runs) == len(look.runs) == 1
    assert "one payment of 5" in story.model.told[0]
    assert [event.outcome for event in story.of(CallEnded)] == ["unknown"]


def test_a_call_that_depends_on_a_failed_one_is_not_executed() -> None:
    failing = toy("first", lambda args, context: ToolResult(outcome="failed", content="no"))
    after = toy("second", depends_on=("first",))
    story = Story(Scripted(call(("first", "{}"), ("second", "{}")), say("ok")), [failing, after])
    played(story.agent().prompt("go"))
    assert after.runs == []
    assert story.model.told[1].startswith("not executed: dependency failed")


def test_output_over_its_budget_is_cut_and_says_so() -> None:
    tool = toy("act", lambda args, context: "x" * 50_000, output_budget_bytes=1_000)
    story = Story(Scripted(call(("act", "{}")), say("ok")), [tool])
    played(story.agent().prompt("go"))
    assert len(story.model.told[0]) <= 1_000
    assert "cut" in story.model.told[0]


@pytest.mark.parametrize("cancellable", [True, False])
def test_a_call_that_hangs_is_given_up_as_unknown(cancellable: bool) -> None:
    forever = asyncio.Event()

    async def body(args, context):
        await forever.wait()

    tool = toy("act", body, cancellable=cancellable)
    policy = replace(AT_ONCE, tool_timeout_s=0.01)
    story = Story(Scripted(call(("act", "{}")), say("ok")), [tool], policy=policy)

    async def go():
        agent = story.agent()
        end = await agent.prompt("go")
        await agent.close()
        return end

    assert played(go()).end_reason == "completed"
    (ended,) = story.of(CallEnded)
    assert (ended.outcome, ended.code) == (
        "unknown",
        "TIMEOUT" if cancellable else "STILL_RUNNING",
    )


@pytest.mark.parametrize(("denied", "reason"), [("tell", "completed"), ("block", "blocked")])
def test_a_denied_call_is_told_or_blocks_the_turn(denied, reason) -> None:
    async def permit(contract, args):
        return Permission(granted=False, reason="not on Fridays")

    story = Story(Scripted(call(("act", "{}")), say("ok")), [toy("act")])
    story.policy = replace(AT_ONCE, denied=denied)
    end = played(story.agent(permit=permit).prompt("go"))
    assert (end.end_reason, story.tools[0].runs) == (reason, [])
    assert "not on Fridays" in story.of(CallNotExecuted)[0].result.content


def test_a_pending_permission_is_cut_by_a_cancel() -> None:
    async def permit(contract, args):
        agent.cancel()
        await asyncio.Event().wait()

    story = Story(Scripted(call(("act", "{}"))), [toy("act")])
    agent = story.agent(permit=permit)
    assert played(agent.prompt("go")).end_reason == "aborted"
    assert story.tools[0].runs == []
    assert story.model.closed == 1


def test_a_permission_check_that_breaks_has_not_said_yes() -> None:
    async def permit(contract, args):
        raise KeyError("no such rule")

    story = Story(Scripted(call(("act", "{}")), say("ok")), [toy("act")])
    assert played(story.agent(permit=permit).prompt("go")).end_reason == "completed"
    assert story.tools[0].runs == []


# --- limits ---------------------------------------------------------------------------------


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
    assert played(story.agent().prompt("go")).end_reason == "timeout"
    assert [event.code for event in story.of(CallNotExecuted)] == ["TIMEOUT"]
    assert [event.outcome for event in story.of(CallEnded)] == ["unknown"]


# --- cancelling -----------------------------------------------------------------------------


def test_a_cancel_in_the_middle_of_a_stream_keeps_nothing_of_it() -> None:
    started, never = asyncio.Event(), asyncio.Event()
    model = Scripted([TextDelta("half"), never], say("Carrying on."))
    story = Story(model, [])

    async def go():
        agent = story.agent()
        agent.subscribe(lambda event: started.set() if "Delta" in type(event).__name__ else None)
        turn = asyncio.ensure_future(agent.prompt("go"))
        await started.wait()
        assert agent.cancel()
        assert agent.cancel("parent")  # the first cause wins
        first = await turn
        return first, await agent.prompt("and now?")

    first, second = played(go())
    assert (first.end_reason, first.text) == ("aborted", "")
    assert second.end_reason == "completed"
    assert next(event.state for event in story.of(AttemptEnded)) == "interrupted"
    assert model.closed == 2
    assert "interrupted by the user at step 1" in model.notices[0]


def test_a_cancel_among_calls_closes_all_of_them_truthfully() -> None:
    running, finish = asyncio.Event(), asyncio.Event()

    async def deaf(args, context):
        await running.wait()
        agent.cancel()
        await finish.wait()
        return "really done"

    async def willing(args, context):
        running.set()
        await asyncio.Event().wait()

    story = Story(
        Scripted(call(("willing", "{}"), ("deaf", "{}"), ("act", "{}")), say("ok")),
        [toy("willing", willing, concurrency_safe=True, cancellable=True)],
    )
    story.tools += [toy("deaf", deaf, concurrency_safe=True), toy("act")]
    agent = story.agent()

    async def go():
        turn = asyncio.ensure_future(agent.prompt("go"))
        while not story.of(CallNotExecuted):
            await asyncio.sleep(0)
        assert not turn.done()  # what cannot be stopped is waited for
        finish.set()
        first = await turn
        await agent.prompt("and now?")
        return first

    assert played(go()).end_reason == "aborted"
    outcomes = {event.call: event.outcome for event in story.of(CallEnded)}
    assert outcomes == {"1/1/0": "unknown", "1/1/1": "ok"}
    assert story.tools[2].runs == []
    assert story.model.told[1:] == ["really done", "not executed: interrupted by user"]
    assert len(story.model.requests) == 2


def test_a_cancel_reaches_the_wait_before_a_retry() -> None:
    model = Scripted([ProviderFailure("rate_limited", "HTTP 429", retry_after_s=60)])
    story = Story(model, [])

    async def go():
        agent = story.agent()
        turn = asyncio.ensure_future(agent.prompt("go"))
        while len(story.of(AttemptEnded)) < 1:
            await asyncio.sleep(0)
        agent.cancel()
        return await turn

    assert played(go()).end_reason == "aborted"
    assert len(model.requests) == 1


def test_a_caller_that_goes_away_takes_its_turn_along() -> None:
    story = Story(Scripted([asyncio.Event()]), [])

    async def go():
        agent = story.agent()
        turn = asyncio.ensure_future(agent.prompt("go"))
        while not story.model.requests:
            await asyncio.sleep(0)
        turn.cancel()
        await asyncio.wait([turn])
        assert turn.cancelled()
        assert not agent.running

    played(go())
    assert story.of(TurnEnded)[0].end_reason == "aborted"


@pytest.mark.parametrize("policy", ["discard", "keep"])
def test_what_was_queued_at_a_cancel_is_dropped_or_waits_for_the_next_prompt(policy) -> None:
    async def body(args, context):
        await agent.follow_up("and then")
        agent.cancel()
        return "done"

    story = Story(Scripted(call(("act", "{}"))), [toy("act", body)])
    story.policy = replace(AT_ONCE, queue_on_cancel=policy)
    agent = story.agent()
    assert played(agent.prompt("go")).end_reason == "aborted"
    assert len(story.model.requests) == 1
    assert len(story.of(InputDiscarded)) == (1 if policy == "discard" else 0)


def test_input_after_the_cancel_belongs_to_the_next_turn() -> None:
    async def body(args, context):
        agent.cancel()
        await agent.follow_up("something else")
        return "done"

    story = Story(Scripted(call(("act", "{}")), say("Else.")), [toy("act", body)])
    agent = story.agent()
    assert played(agent.prompt("go")).text == "Else."
    assert [event.end_reason for event in story.of(TurnEnded)] == ["aborted", "completed"]


# --- input while it runs --------------------------------------------------------------------


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


# --- faults of our own, and consumers ---------------------------------------------------------


def test_an_internal_fault_ends_the_turn_in_error_with_everything_closed() -> None:
    class Broken(Scripted):
        async def stream(self, request):
            if len(self.requests) == 1:
                self.requests.append(request)
                raise KeyError("a bug")
            async for delta in super().stream(request):
                yield delta

    story = Story(Broken(call(("act", "{}"))), [toy("act")])
    end = played(story.agent().prompt("go"))
    assert end.end_reason == "error"
    assert "a bug" in end.error
    assert story.kinds[-2:] == ["StepEnded", "TurnEnded"]


class Failing(MemoryJournal):
    """Cannot be written from the nth append on, for a while."""

    def __init__(self, store: list[bytes], good: int, bad: int) -> None:
        super().__init__(store)
        self.good, self.bad = good, bad

    def append(self, *events):
        self.good -= 1
        if self.good < 0 <= self.good + self.bad:
            raise OSError("no space left on device")
        super().append(*events)


@pytest.mark.parametrize("bad", [1, 2, 99])
@pytest.mark.parametrize("good", range(1, 16))
def test_a_journal_that_cannot_be_written_ends_the_turn_and_hangs_nothing(good, bad) -> None:
    calls = call(("look", "{}"), ("look", "{}"), ("act", "{}"))
    story = Story(Scripted(calls, say("ok")), [toy("look", **SAFE), toy("act")])

    async def go():
        end = await story.agent(journal=Failing(story.store, good, bad)).prompt("go")
        agent = story.agent()
        await agent.open()
        assert agent.state.phase == "idle"
        assert replay(story.events) == agent.state
        return end

    end = played(go())
    assert end.end_reason == "error"
    assert "no space left on device" in end.error
    assert len(story.tools[1].runs) <= 1


def test_an_agent_goes_on_after_a_fault_that_has_passed() -> None:
    story = Story(Scripted(call(("act", "{}")), say("ok")), [toy("act")])

    async def go():
        agent = story.agent(journal=Failing(story.store, 4, 2))
        return await agent.prompt("a"), await agent.prompt("b")

    first, second = played(go())
    assert (first.end_reason, second.end_reason) == ("error", "completed")
    assert [event.end_reason for event in story.of(TurnEnded)] == ["interrupted", "completed"]


def test_input_that_cannot_be_made_durable_is_not_acknowledged() -> None:
    story = Story(Scripted(say("ok")), [])
    with pytest.raises(OSError, match="no space"):
        played(story.agent(journal=Failing(story.store, 0, 99)).prompt("go"))
    assert story.model.requests == []


def test_a_wake_while_the_loop_goes_idle_is_remembered() -> None:
    async def go():
        agent = story.agent()
        waked = []

        async def listen(event):
            if type(event).__name__ == "WentIdle" and not waked:
                waked.append(await agent.follow_up("one more thing"))

        agent.subscribe(listen)
        return await agent.prompt("go")

    story = Story(Scripted(say("one"), say("two")), [])
    assert played(go()).text == "two"


def test_an_interrupt_from_elsewhere_stops_the_turn_in_its_name() -> None:
    async def body(args, context):
        await agent.inject("permission withdrawn", source="system", lane="interrupt")
        return "done"

    story = Story(Scripted(call(("act", "{}"))), [toy("act", body)])
    agent = story.agent()
    assert played(agent.prompt("go")).end_reason == "aborted"
    (cancelled,) = story.of(CancelRequested)
    assert (cancelled.cause, cancelled.reason) == ("parent", "permission withdrawn")


def test_consumers_hear_one_stream_in_order_and_cannot_break_it() -> None:
    heard: list[str] = []

    def breaks(event):
        raise RuntimeError("a bad consumer")

    async def listens(event):
        heard.append(type(event).__name__)

    def progress(args, context):
        context.progress("half way")
        return "done"

    async def go():
        agent = story.agent()
        agent.subscribe(breaks)
        agent.subscribe(listens)
        return await agent.prompt("go")

    story = Story(Scripted(call(("act", "{}")), say("ok")), [toy("act", progress)])
    assert played(go()).end_reason == "completed"
    assert heard == [
        "TurnBegan",
        *("UsageCounted", "MessageEnded"),
        *("ToolStarted", "ToolProgress", "ToolEnded", "StepClosed"),
        *("MessageDelta", "UsageCounted", "MessageEnded", "StepClosed"),
        *("TurnOver", "WentIdle"),
    ]


def test_the_first_finish_of_a_reply_without_text_is_an_end_too() -> None:
    story = Story(Scripted([FinishDelta("stop", "stop")], say("b")), [])

    async def go():
        agent = story.agent()
        return await agent.prompt("a"), await agent.prompt("b")

    first, _ = played(go())
    assert (first.end_reason, first.text) == ("completed", "")
    assert len(story.of(MessageCommitted)) == 2
    assert all(not isinstance(m, AssistantMessage) for m in story.model.requests[1].messages)
