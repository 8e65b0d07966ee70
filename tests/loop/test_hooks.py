"""Each interception point, sync and async: what a hook may do, and what its failure leads to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import fields, replace
from typing import Any, get_args

import msgspec
import pytest
from tests.loop.story import AT_ONCE, Scripted, Story, call, say, toy

from faultloop.fakes import clock
from faultloop.loop.engine import TurnEnd
from faultloop.loop.events import (
    CallEnded,
    CallNotExecuted,
    HeaderChanged,
    InputClaimed,
)
from faultloop.loop.hooks import (
    POINTS,
    Block,
    Entering,
    Hooks,
    Point,
    Reject,
    Rerouted,
)
from faultloop.loop.message import AssistantMessage, ResultMessage, UserMessage
from faultloop.loop.providers.port import ProviderFailure
from faultloop.loop.wording import MISSING

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


def test_a_request_is_whole_whatever_a_hook_leaves_out() -> None:
    def without_the_call(messages):
        return [message for message in messages if not isinstance(message, AssistantMessage)]

    def without_the_result(going: Rerouted) -> Rerouted:
        left = tuple(one for one in going.request.messages if not isinstance(one, ResultMessage))
        return Rerouted(request=msgspec.structs.replace(going.request, messages=left))

    told = story(hooks=Hooks(context=(without_the_call,)))
    ended(told)
    assert [type(one) for one in told.model.requests[-1].messages] == [UserMessage]
    told = story(hooks=Hooks(request=(without_the_result,)))
    ended(told)
    assert told.model.told == [MISSING]


def test_a_calls_id_is_taken_though_a_hook_hides_the_call_from_the_model() -> None:
    def only_the_user(messages):
        return [message for message in messages if isinstance(message, UserMessage)]

    lines = (call(("act", "{}")), call(("act", "{}")), say("done"))
    told = story(*lines, hooks=Hooks(context=(only_the_user,)))
    ended(told)
    ids = [event.call_id for event in told.of(CallEnded)]
    assert len(ids) == len(set(ids)) == 2


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


def nothing(*given: Any) -> None:
    """A hook that has nothing to say."""


def test_a_hook_that_has_nothing_to_say_leaves_it_to_the_next_and_at_last_to_the_loop() -> None:
    async def canned(request) -> AsyncIterator[Any]:
        for delta in call(("act", "{}")) if told.tools[0].runs == [] else say("from the cache"):
            yield delta

    silent = Hooks(stream=(nothing,), before_tool=(nothing,))
    told = story(hooks=silent)
    assert (ended(told).text, len(told.tools[0].runs)) == ("done", 1)
    told = story(hooks=silent.plus(Hooks(stream=(canned,), before_tool=(lambda *_: Block("no"),))))
    told.policy = replace(told.policy, budget=replace(told.policy.budget, steps_max=2))
    ended(told)
    assert told.model.requests == []
    assert [event.code for event in told.of(CallNotExecuted)] == ["HOOK", "HOOK"]


def test_a_request_hook_may_not_change_the_tools() -> None:
    def without_tools(going: Rerouted) -> Rerouted:
        return Rerouted(request=msgspec.structs.replace(going.request, tools=()))

    told = story(hooks=Hooks(request=(without_tools,)))
    end = ended(told)
    assert end.end_reason == "error"
    assert "set the agent's tools" in end.error
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
