"""Each interception point, sync and async: what a hook may do, and what its failure leads to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import fields, replace
from typing import Any, get_args

import msgspec
import pytest
from tests.loop.story import AT_ONCE, Scripted, Story, call, played, say, toy

from faultloop.fakes import clock
from faultloop.loop.engine import TurnEnd
from faultloop.loop.events import (
    CallEnded,
    CallNotExecuted,
    HeaderChanged,
    HookFailed,
    InputClaimed,
    InputDiscarded,
    StepStarted,
    TurnEnded,
    TurnStarted,
)
from faultloop.loop.evolving import replay
from faultloop.loop.hooks import (
    POINTS,
    Block,
    Entering,
    GoOn,
    Hooks,
    Point,
    Reject,
    Rerouted,
)
from faultloop.loop.message import UserMessage
from faultloop.loop.providers.port import ProviderFailure
from faultloop.loop.view import repaired

TIMED = replace(AT_ONCE, hook_timeout_s=5.0)


def story(*lines: Any, hooks: Hooks, **policy: Any) -> Story:
    lines = lines or (call(("act", '{"x": "1"}')), say("done"))
    told = Story(Scripted(*lines), [toy("act", lambda args, context: "secret")])
    told.policy = replace(TIMED, **policy)
    told.options["hooks"] = hooks
    return told


def ended(told: Story) -> TurnEnd:
    return clock.run(lambda: told.agent().prompt("go"), seed=0)


def later(hook: Callable[..., Any]) -> Callable[..., Any]:
    """The same hook, but as an async function that takes a while."""

    async def waits(*given: Any) -> Any:
        await asyncio.sleep(1)
        return hook(*given)

    return waits


def both(hook: Callable[..., Any]) -> list[Any]:
    return [pytest.param(hook, id="sync"), pytest.param(later(hook), id="async")]


def test_the_table_has_a_line_for_each_point_and_a_chain() -> None:
    assert set(POINTS) == set(get_args(Point)) == {one.name for one in fields(Hooks)}


# --- what a hook may do -----------------------------------------------------------------------


def rewrites(entering: Entering) -> Entering:
    return msgspec.structs.replace(
        entering, inputs={name: text.upper() for name, text in entering.inputs.items()}
    )


@pytest.mark.parametrize("hook", both(rewrites))
def test_input_enters_as_the_hook_rewrote_it_and_the_journal_has_both(hook) -> None:
    told = story(hooks=Hooks(pre_step=(hook,)))
    assert ended(told).end_reason == "completed"
    assert [event.text for event in told.of(InputClaimed)] == ["GO"]
    assert told.model.requests[0].messages[0] == UserMessage(id="session/input/1", text="GO")


def test_each_hook_is_handed_what_the_one_before_it_made() -> None:
    def adds(entering: Entering) -> Entering:
        inputs = {name: f"{text}!" for name, text in entering.inputs.items()}
        return msgspec.structs.replace(entering, inputs=inputs)

    told = story(hooks=Hooks(pre_step=(rewrites, adds)))
    ended(told)
    assert [event.text for event in told.of(InputClaimed)] == ["GO!"]


@pytest.mark.parametrize("hook", both(lambda entering: Reject("not on a Sunday")))
def test_a_rejected_first_claim_closes_a_durable_turn_of_no_steps(hook) -> None:
    told = story(hooks=Hooks(pre_step=(hook,)))
    end = ended(told)
    assert (end.end_reason, end.error) == ("blocked", "not on a Sunday")
    assert told.kinds == ["InputQueued", "TurnStarted", "InputDiscarded", "TurnEnded"]
    assert told.model.requests == []


def test_an_emptied_first_claim_closes_a_durable_turn_of_no_steps() -> None:
    told = story(
        hooks=Hooks(pre_step=(lambda entering: msgspec.structs.replace(entering, inputs={}),))
    )
    assert ended(told).end_reason == "completed"
    assert told.kinds == ["InputQueued", "TurnStarted", "InputDiscarded", "TurnEnded"]
    assert told.model.requests == []


def test_what_a_context_hook_leaves_out_the_provider_never_sees() -> None:
    def only_the_user(messages):
        return [message for message in messages if isinstance(message, UserMessage)]

    told = story(say("done"), hooks=Hooks(context=(later(only_the_user),)))
    ended(told)
    told.model.lines = [say("again")]
    assert clock.run(lambda: told.agent().prompt("more"), seed=0).text == "again"
    assert [type(one) for one in told.model.requests[-1].messages] == [UserMessage, UserMessage]


@pytest.mark.parametrize(
    "hook",
    both(
        lambda going: Rerouted(
            request=msgspec.structs.replace(going.request, model="other"), provider="b"
        )
    ),
)
def test_a_rerouted_request_goes_elsewhere_and_its_header_is_journalled(hook) -> None:
    told = story(hooks=Hooks(request=(hook,)))
    other = Scripted(say("from b"))
    told.options["providers"] = {"b": other}
    assert ended(told).text == "from b"
    (header,) = told.of(HeaderChanged)
    assert (header.header.model, header.header.provider) == ("other", "b")
    assert (len(told.model.requests), len(other.requests)) == (0, 1)


def sent_to(name: str) -> Callable[[Rerouted], Rerouted]:
    return lambda going: Rerouted(request=going.request, provider=name)


def test_a_hook_that_routes_every_request_alike_changes_the_header_once() -> None:
    told = story(
        hooks=Hooks(request=(lambda going: Rerouted(request=going.request, provider="b"),))
    )
    told.options["providers"] = {"b": Scripted(call(("act", "{}")), say("from b"))}
    ended(told)
    assert len(told.of(HeaderChanged)) == 1


def test_a_provider_that_nobody_knows_fails_the_step() -> None:
    told = story(
        hooks=Hooks(request=(lambda going: Rerouted(request=going.request, provider="x"),))
    )
    end = ended(told)
    assert end.end_reason == "error"
    assert "'x'" in end.error


def test_a_stream_hook_answers_in_the_providers_place() -> None:
    async def canned(request) -> AsyncIterator[Any]:
        for delta in say("from the cache"):
            yield delta

    told = story(hooks=Hooks(stream=(canned,)))
    assert ended(told).text == "from the cache"
    assert told.model.requests == []


@pytest.mark.parametrize("hook", both(lambda contract, args: Block("the release is frozen")))
def test_a_blocked_call_is_not_executed_and_the_model_is_told_why(hook) -> None:
    told = story(hooks=Hooks(before_tool=(hook,)))
    assert ended(told).end_reason == "completed"
    assert told.tools[0].runs == []
    (refused,) = told.of(CallNotExecuted)
    assert refused.code == "HOOK"
    assert "the release is frozen" in told.model.told[0]


def test_before_tool_comes_after_validation_and_before_permission() -> None:
    asked: list[str] = []

    async def permit(contract, args):
        asked.append("permit")
        raise AssertionError("never reached")

    def blocks(contract, args):
        asked.append("hook")
        return Block("no")

    lines = (call(("act", '{"x": 7}'), ("act", '{"x": "1"}')), say("done"))
    told = story(*lines, hooks=Hooks(before_tool=(blocks,)))
    told.options["permit"] = permit
    ended(told)
    assert asked == ["hook"]
    assert [event.code for event in told.of(CallNotExecuted)] == ["INVALID_ARGS", "HOOK"]


@pytest.mark.parametrize(
    "hook", both(lambda contract, result: msgspec.structs.replace(result, content="[redacted]"))
)
def test_a_rewritten_result_is_the_only_one_that_anybody_sees(hook) -> None:
    told = story(hooks=Hooks(after_tool=(hook,)))
    ended(told)
    assert told.model.told == ["[redacted]"]
    assert b"secret" not in b"".join(told.store)


def test_a_result_is_rewritten_even_if_somebody_cancels_meanwhile() -> None:
    async def redacts(contract, result):
        agent.cancel()
        await asyncio.sleep(1)
        return msgspec.structs.replace(result, content="[redacted]")

    told = story(hooks=Hooks(after_tool=(redacts,)))
    agent = told.agent()
    assert clock.run(lambda: agent.prompt("go"), seed=0).end_reason == "aborted"
    assert [event.result.content for event in told.of(CallEnded)] == ["[redacted]"]


REFUSED = ProviderFailure("rejected", "400: no")


def test_a_hook_may_have_a_refused_request_made_again() -> None:
    told = story([REFUSED], say("ok"), hooks=Hooks(request_error=(lambda f, n: "retry",)))
    assert ended(told).text == "ok"


def test_but_not_for_ever() -> None:
    told = story(*[[REFUSED]] * 9, hooks=Hooks(request_error=(lambda f, n: "retry",)))
    assert ended(told).end_reason == "error"
    assert len(told.model.requests) == 1 + told.policy.request_backoff.retries_max


def test_a_hook_may_give_up_early() -> None:
    down = ProviderFailure("unavailable", "503")
    told = story([down], say("ok"), hooks=Hooks(request_error=(later(lambda f, n: "give_up"),)))
    assert ended(told).end_reason == "error"
    assert len(told.model.requests) == 1


# --- the stopping checkpoint (SPEC L7) --------------------------------------------------------


def nags(times: int, how: Callable[[Any], Any]) -> Callable[..., Any]:
    """Wants the turn to go on so many times."""
    left = [times]

    async def hook(turn, say_next):
        if left[0]:
            left[0] -= 1
            return await how(say_next)
        return None

    return hook


async def queues(say_next) -> bool:
    await say_next("are you sure?")
    return True  # is not how one goes on: it would be an answer of the wrong kind


async def only_queues(say_next) -> None:
    await say_next("are you sure?")


async def answers(say_next) -> GoOn:
    return GoOn("are you sure?")


@pytest.mark.parametrize(
    ("policy", "how", "texts"),
    [
        ("queue", only_queues, ["go", "are you sure?"]),
        ("queue", queues, ["go", "are you sure?"]),
        ("queue", answers, ["go"]),
        ("callback", answers, ["go", "are you sure?"]),
    ],
)
def test_a_turn_goes_on_by_its_policy_and_the_journal_says_on_what_basis(
    policy, how, texts
) -> None:
    told = story(
        say("done"), say("yes"), hooks=Hooks(stopping=(nags(1, how),)), continuation=policy
    )
    assert ended(told).end_reason == "completed"
    said = [m.text for m in told.model.requests[-1].messages if isinstance(m, UserMessage)]
    assert said == texts
    assert [event.basis for event in told.of(StepStarted)] == [
        (f"session/input/{n}",) for n in range(1, len(texts) + 1)
    ]
    assert len(told.of(TurnEnded)) == 1


def test_the_queue_is_read_again_after_the_hooks() -> None:
    async def meanwhile(turn, say_next):
        if turn.step == 1:
            await agent.steer("one more thing")

    told = story(say("done"), say("that too"), hooks=Hooks(stopping=(meanwhile,)))
    agent = told.agent()
    assert clock.run(lambda: agent.prompt("go"), seed=0).text == "that too"
    assert len(told.of(TurnStarted)) == 1


def test_a_hook_that_never_has_enough_is_stopped_by_the_budget() -> None:
    budget = replace(TIMED.budget, steps_max=5)
    told = story(*[say("done")] * 9, hooks=Hooks(stopping=(nags(99, only_queues),)), budget=budget)
    assert ended(told).end_reason == "max_steps"
    assert len(told.model.requests) == 5


def test_the_checkpoint_is_not_asked_where_the_turn_cannot_go_on() -> None:
    asked: list[int] = []
    told = story([REFUSED], hooks=Hooks(stopping=(lambda turn, say_next: asked.append(turn.step),)))
    assert ended(told).end_reason == "error"
    assert asked == []


# --- hooks that fail --------------------------------------------------------------------------


def raises(*given: Any) -> Any:
    raise LookupError("no such key")


def answers_nonsense(*given: Any) -> Any:
    return 7


async def hangs(*given: Any) -> Any:
    await asyncio.Event().wait()


FAILING = {"raises": raises, "nonsense": answers_nonsense, "hangs": hangs}

ENDS: dict[str, str] = {
    "end_turn": "error",
    "fail_request": "error",
    "refuse_call": "completed",
    "go_on": "completed",
}


@pytest.mark.parametrize("kind", FAILING)
@pytest.mark.parametrize("point", get_args(Point))
def test_a_hook_that_fails_leaves_nothing_open_and_does_what_its_line_says(point, kind) -> None:
    down = [ProviderFailure("unavailable", "503")]
    lines = (down, call(("act", "{}")), say("done")) if point == "request_error" else ()
    told = story(*lines, hooks=Hooks(**{point: (FAILING[kind],)}))
    assert ended(told).end_reason == ENDS[POINTS[point].instead]
    assert {event.point for event in told.of(HookFailed)} == {point}
    state = replay(told.events)
    assert state.phase == "idle"
    assert repaired(state.history) == state.history
    assert len(told.of(TurnStarted)) == len(told.of(TurnEnded)) == 1
    assert bool(told.tools[0].runs) == (ENDS[POINTS[point].instead] == "completed") - (
        point == "before_tool"
    )


@pytest.mark.parametrize("point", [one for one in get_args(Point) if one != "after_tool"])
def test_a_hook_that_waits_is_cut_by_a_cancel_and_nothing_is_held_against_it(point) -> None:
    async def waits(*given: Any) -> None:
        agent.cancel()
        await asyncio.Event().wait()

    down = [ProviderFailure("unavailable", "503")]
    lines = (down, say("done")) if point == "request_error" else ()
    told = story(*lines, hooks=Hooks(**{point: (waits,)}), hook_timeout_s=1e6)
    agent = told.agent()
    assert clock.run(lambda: agent.prompt("go"), seed=0).end_reason == "aborted"
    assert told.of(HookFailed) == []
    assert replay(told.events).phase == "idle"


def test_after_a_failed_pre_step_hook_the_input_is_in_the_history_and_not_tried_again() -> None:
    told = story(hooks=Hooks(pre_step=(raises,)))
    ended(told)
    assert [event.id for event in told.of(InputClaimed)] == ["session/input/1"]
    assert told.of(InputDiscarded) == []
    del told.options["hooks"]
    told.model.lines = [say("here again")]
    assert played(told.agent().prompt("and now?")).text == "here again"
    texts = [m.text for m in told.model.requests[-1].messages if isinstance(m, UserMessage)]
    assert texts == ["go", "and now?"]


def test_the_hooks_of_two_hosts_stand_one_behind_the_other() -> None:
    first, second = Hooks(stopping=(raises,)), Hooks(stopping=(hangs,), before_tool=(raises,))
    assert first.plus(second) == Hooks(stopping=(raises, hangs), before_tool=(raises,))
