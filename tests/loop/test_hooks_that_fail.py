"""A hook raises, answers nonsense or hangs: nothing stays open, and its line says what follows."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, cast, get_args

import pytest
from msgspec.structs import replace

from faultloop.fakes import clock
from faultloop.loop.events import (
    CallEnded,
    HookFailed,
    InputClaimed,
    InputDiscarded,
    TurnEnded,
    TurnStarted,
)
from faultloop.loop.evolving import replay
from faultloop.loop.hooks import POINTS, Block, GoOn, Hooks, Point, Reject, Rerouted
from faultloop.loop.message import UserMessage
from faultloop.loop.providers.port import ProviderFailure, TextDelta
from faultloop.loop.tools.port import ToolResult
from faultloop.loop.view import repaired
from faultloop.loop.wording import WITHHELD

from .story import Story, call, played, say
from .test_hooks import ended, story


def raises(*given: Any) -> Any:
    raise LookupError("no such key")


def answers_nonsense(*given: Any) -> Any:
    return 7


async def hangs(*given: Any) -> Any:
    await asyncio.Event().wait()


def cancels(*given: Any) -> Any:
    raise asyncio.CancelledError("of its own")


async def cancels_later(*given: Any) -> Any:
    raise asyncio.CancelledError("of its own")


async def exits_later(*given: Any) -> Any:
    sys.exit(3)


def fails_a_test(*given: Any) -> Any:
    pytest.fail("an outcome of pytest's, which is no Exception")


async def fails_a_test_later(*given: Any) -> Any:
    fails_a_test()


async def times_out(*given: Any) -> Any:
    raise TimeoutError("the hook's own")


class Deaf:
    """A hook that hangs, and goes on when it is told to stop, until the story is over."""

    def __init__(self) -> None:
        self.over = False

    async def __call__(self, *given: Any) -> Any:
        while not self.over:
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()


FAILING: dict[str, Callable[..., Any]] = {
    "raises": raises,
    "nonsense": answers_nonsense,
    "hangs": hangs,
    "cancels": cancels,
    "cancels later": cancels_later,
    "exits": lambda *given: sys.exit(3),
    "exits later": exits_later,
    "fails a test": fails_a_test,
    "fails a test later": fails_a_test_later,
    "times out": times_out,
}

ENDS: dict[Point, str] = {
    "pre_step": "error",
    "context": "error",
    "request": "error",
    "stream": "error",
    "request_error": "completed",
    "before_tool": "completed",
    "after_tool": "completed",
    "stopping": "completed",
}


@pytest.mark.parametrize("kind", FAILING)
@pytest.mark.parametrize("point", get_args(Point))
def test_a_hook_that_fails_leaves_nothing_open_and_does_what_its_line_says(point, kind) -> None:
    told = story(*lines_for(point), hooks=Hooks(**{point: (FAILING[kind],)}))
    assert ended(told).end_reason == ENDS[point]
    assert {event.point for event in told.of(HookFailed)} == {point}
    closed(told)
    assert POINTS[point].needed == (ENDS[point] == "error" or point == "before_tool")
    assert bool(told.tools[0].runs) == (not POINTS[point].needed)


def lines_for(point: str) -> tuple[Any, ...]:
    """With a failed request first, where that is what the hook is asked about."""
    down = [ProviderFailure("unavailable", "503")]
    return (down, call(("act", "{}")), say("done")) if point == "request_error" else ()


def closed(told: Story) -> None:
    """One turn, and nothing open."""
    state = replay(told.events)
    assert state.phase == "idle"
    assert repaired(state.history) == state.history
    assert len(told.of(TurnStarted)) == len(told.of(TurnEnded)) == 1


def test_a_hooks_own_timeout_is_not_told_as_the_loops() -> None:
    told = story(hooks=Hooks(before_tool=(times_out,)))
    ended(told)
    (failed,) = told.of(HookFailed)
    assert "the hook's own" in failed.error


def test_what_a_hook_raised_is_told_even_where_it_cannot_say_what_it_is() -> None:
    class Mute(Exception):
        def __repr__(self) -> str:
            raise LookupError

    def raises_it(*given: Any) -> None:
        raise Mute

    told = story(hooks=Hooks(before_tool=(raises_it,)))
    ended(told)
    assert [event.error for event in told.of(HookFailed)] == [
        "it raised a Mute, whose text cannot be had"
    ]


@pytest.mark.parametrize("point", get_args(Point))
def test_a_hook_that_cannot_be_stopped_is_left_behind_after_a_grace(point) -> None:
    deaf = Deaf()
    told = story(*lines_for(point), hooks=Hooks(**{point: (deaf,)}), stop_grace_s=3.0)
    agent = told.agent()

    async def turn() -> tuple[str, float]:
        now_s = asyncio.get_running_loop().time
        began_s = now_s()
        end = await agent.prompt("go")
        took_s = now_s() - began_s
        asyncio.get_running_loop().call_later(1, setattr, deaf, "over", True)
        await agent.close()
        return end.end_reason, took_s

    reason, took_s = clock.run(turn, seed=0)
    assert reason == ENDS[point]
    assert took_s == pytest.approx(8.0 * len(told.of(HookFailed)))
    assert all("could not be stopped" in event.error for event in told.of(HookFailed))
    closed(told)


@pytest.mark.parametrize("point", [one for one in get_args(Point) if one != "after_tool"])
def test_a_cancel_does_not_wait_for_ever_for_a_hook_that_does_not_heed_it(point) -> None:
    deaf = Deaf()
    hooks = Hooks(**{point: (deaf,)})
    told = story(*lines_for(point), hooks=hooks, stop_grace_s=3.0, hook_timeout_s=1e6)
    agent = told.agent()

    async def turn() -> str:
        asyncio.get_running_loop().call_later(1, agent.cancel)
        end = await agent.prompt("go")
        deaf.over = True
        return end.end_reason

    assert clock.run(turn, seed=0) == "aborted"
    (failed,) = told.of(HookFailed)
    assert failed.error == "it was told to stop, and goes on"
    closed(told)


def test_of_two_hooks_the_second_fails_and_the_firsts_answer_does_not_get_past_it() -> None:
    def shouts(contract, result):
        return replace(result, content=result.content.upper())

    told = story(hooks=Hooks(after_tool=(shouts, raises)))
    assert ended(told).end_reason == "completed"
    (end,) = told.of(CallEnded)
    assert (end.outcome, end.result.content) == ("ok", WITHHELD["ok"])
    assert b"secret" not in b"".join(told.store).lower()


@pytest.mark.parametrize("outcome", WITHHELD)
def test_a_result_that_could_not_be_looked_over_keeps_its_outcome_and_nothing_else(outcome) -> None:
    result = ToolResult(outcome=outcome, content="secret", code="X", continuation="secret/2")
    told = story(hooks=Hooks(after_tool=(raises,)))
    told.tools[0].body = lambda args, context: result
    ended(told)
    (end,) = told.of(CallEnded)
    assert (end.outcome, end.code) == (outcome, "X")
    assert b"secret" not in b"".join(told.store)


def answers_with(answer: Any) -> Callable[..., Any]:
    return lambda *given: answer(*given) if callable(answer) else answer


NOT_WHOLE: list[tuple[Point, Any]] = [
    ("pre_step", Reject(cast(str, None))),
    ("pre_step", lambda entering: replace(entering, inputs={"session/input/1": None})),
    ("pre_step", lambda entering: replace(entering, inputs=None)),
    ("context", "abc"),
    ("context", [7]),
    ("context", [UserMessage(id="a", text=cast(str, None))]),
    ("context", [UserMessage(id="a", text="\ud800")]),
    ("request", lambda going: replace(going, request=replace(going.request, system="\ud800"))),
    ("request", lambda going: replace(going, provider=None)),
    ("request", lambda going: replace(going, request=None)),
    ("request", lambda going: replace(going, request=replace(going.request, model=None))),
    ("request", lambda going: replace(going, request=replace(going.request, messages=(7,)))),
    ("stream", lambda request: [TextDelta("no iterator of its own")]),
    ("request_error", "perhaps"),
    ("before_tool", Block(cast(str, None))),
    ("after_tool", lambda contract, result: replace(result, outcome="error")),
    ("after_tool", lambda contract, result: replace(result, content=None)),
    ("stopping", GoOn(cast(str, None))),
]


@pytest.mark.parametrize(("point", "answer"), NOT_WHOLE)
def test_an_answer_is_looked_at_to_its_last_field(point, answer) -> None:
    hooks = Hooks(**{point: (answers_with(answer),)})
    told = story(*lines_for(point), hooks=hooks, continuation="callback")
    end = ended(told)
    assert end.end_reason == ENDS[point]
    assert "internal fault" not in end.error
    assert {event.point for event in told.of(HookFailed)} == {point}
    closed(told)


def test_messages_in_a_list_are_as_good_as_in_a_tuple() -> None:
    def listed(going: Rerouted) -> Rerouted:
        messages = list(going.request.messages)
        return replace(going, request=replace(going.request, messages=messages))

    told = story(hooks=Hooks(request=(listed,)))
    assert ended(told).end_reason == "completed"
    assert [type(one.messages) for one in told.model.requests] == [tuple, tuple]


# --- what is left behind ------------------------------------------------------------------------


def test_input_that_a_failed_pre_step_hook_did_not_let_in_never_enters() -> None:
    told = story(hooks=Hooks(pre_step=(raises,)))
    assert ended(told).end_reason == "error"
    assert told.of(InputClaimed) == []
    (discarded,) = told.of(InputDiscarded)
    assert "no such key" in discarded.reason
    del told.options["hooks"]
    told.model.lines = [say("here again")]
    assert played(told.agent().prompt("and now?")).text == "here again"
    texts = [m.text for m in told.model.requests[-1].messages if isinstance(m, UserMessage)]
    assert texts == ["and now?"]


def test_the_hooks_of_two_hosts_stand_one_behind_the_other() -> None:
    first, second = Hooks(stopping=(raises,)), Hooks(stopping=(hangs,), before_tool=(raises,))
    assert first.plus(second) == Hooks(stopping=(raises, hangs), before_tool=(raises,))
