"""Calls that start while their reply still comes, whatever vanishes, cancels or breaks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faultloop.loop.arguments import canonical
from faultloop.loop.events import (
    CallEnded,
    CallStarted,
)
from faultloop.loop.evolving import replay
from faultloop.loop.journal.port import JournalUnusable
from faultloop.loop.message import Message
from faultloop.loop.providers.port import (
    CallDelta,
    Delta,
    ModelRequest,
)
from faultloop.loop.view import repaired

from .story import Line, Scripted, Story, played, say, toy
from .test_cancelling_everywhere import At
from .test_each_item import BY_ITEM, RESET, SAFE, Running, end, more, paired, piece, told


def three_calls() -> list[Delta]:
    return [
        piece(0, "{}", "look"), piece(1, '{"x":'), more(1, '"1"}'), piece(2, '{"x":"2"}'),
        piece(3, '{"x":"3"}'), *end(),
    ]  # fmt: skip


async def slowly(args: Any, context: Any) -> str:
    await asyncio.sleep(0)
    return "done"


class Halting(Scripted):
    """Others get a turn, or some, before each delta."""

    def __init__(
        self, random: Random, *lines: Line, turns: tuple[int, ...] = (0, 0, 1, 2, 8)
    ) -> None:
        super().__init__(*lines)
        self.random, self.turns = random, turns

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        async with aclosing(super().stream(request)) as deltas:  # type: ignore[type-var]
            async for delta in deltas:
                for _ in range(self.random.choice(self.turns)):
                    await asyncio.sleep(0)
                yield delta


def slow_story() -> Story:
    """Each call has the time to run before the next one comes."""
    story = told([], body=slowly)
    story.model = Halting(Random(1), three_calls(), say("ok"), say("next"), turns=(8,))
    return story


def test_wherever_its_process_vanishes_no_call_runs_again_and_all_are_closed() -> None:
    whole = slow_story()
    played(whole.agent().prompt("go"))
    assert whole.kinds[: whole.kinds.index("MessageCommitted")].count("CallEnded") == 3
    for length in range(1, len(whole.store)):
        after = told(say("I see"))
        after.tools[0] = toy("act", slowly, verify_with="seen")
        after.tools.append(toy("seen", lambda args, context: "it is there", **SAFE))
        after.store = whole.store[:length]
        began = [event.call for event in after.of(CallStarted)]
        agent = after.agent()

        async def go_on(agent: Any = agent) -> None:
            await agent.open()
            await agent.resume()

        played(go_on())
        assert [event.call for event in after.of(CallStarted)] == began
        assert after.tools[0].runs == after.tools[1].runs == []
        for ended in after.of(CallEnded):
            unseen = ended.code == "VANISHED" and ended.outcome == "unknown"
            assert ("it is there" in ended.result.content) == unseen
        assert replay(after.events).phase == "idle"
        assert paired(after)


LANDMARKS = 44
"""Of the first turn, its input included. A test says when this is no longer true."""


@pytest.mark.parametrize("place", range(1, LANDMARKS + 1))
def test_a_cancel_at_any_landmark_closes_everything(place: int) -> None:
    story, answers = cancelled_at(place)
    assert len(answers) == 1
    assert replay(story.events).phase == "idle"
    assert paired(story)
    assert all(repaired(one.messages) == one.messages for one in story.model.requests)


def cancelled_at(place: int) -> tuple[Story, list[bool]]:
    story, answers = slow_story(), list[bool]()
    box: list[Any] = []

    async def go() -> None:
        landmarks = At(place, lambda: answers.append(box[0].cancel()))
        box.append(story.agent(landmarks=landmarks))
        await box[0].prompt("go")
        if not answers or answers[0]:
            await box[0].prompt("and now?")

    played(go())
    return story, answers


def test_those_are_all_the_landmarks_there_are() -> None:
    assert [cancelled_at(place)[1] for place in (LANDMARKS - 2, LANDMARKS)] == [[True], [False]]


def test_a_journal_that_fails_in_the_middle_leaves_nothing_running() -> None:
    async def go() -> Story:
        running = Running()
        line = [piece(0, "{}"), piece(1, "{}"), running.began, piece(2, ""), *end()]
        story = told(line, body=running)
        agent = story.agent()
        append, kinds = agent.recorder.journal.append, list[str]()

        def failing(*events: Any) -> None:
            kinds.extend(type(event).__name__ for event in events)
            if kinds.count("ItemCommitted") == 2 and kinds[-1] == "ItemCommitted":
                raise JournalUnusable("the disk is full")
            append(*events)

        agent.recorder.journal.append = failing  # type: ignore[method-assign]
        assert (await agent.prompt("go")).end_reason == "error"
        return story

    story = played(go())
    assert [event.code for event in story.of(CallEnded)] == ["FAULT"]
    assert replay(story.events).phase == "idle"


# --- any stream at all --------------------------------------------------------------------------


def cards(random: Random, texts: list[str]) -> list[CallDelta]:
    """The calls in pieces; each begins after the one before, and from there on they may mix."""
    piles = []
    for index, text in enumerate(texts):
        cuts = sorted(random.randrange(len(text) + 1) for _ in range(random.randrange(4)))
        bounds = zip([0, *cuts], [*cuts, len(text)], strict=True)
        first, *rest = (text[start:stop] for start, stop in bounds)
        name = random.choice(("act", "look"))
        piles.append([piece(index, first, name), *(more(index, one) for one in rest)])
    mixed = random.random() < 0.5
    dealt: list[CallDelta] = []
    begun: list[list[CallDelta]] = []
    while piles or any(begun):
        left = [pile for pile in begun if pile]
        if piles and (not left or (mixed and random.random() < 0.5)):
            begun.append(piles.pop(0))
            left = [begun[-1]]
        dealt.append(random.choice(left).pop(0))
    return dealt


def any_stream(seed: int) -> tuple[list[str], str, Line]:
    """Texts of the calls, how the reply ends, and its deltas."""
    random = Random(seed)
    values = [random.choice(("", "a", 'q"}', "{}", "\\", "é")) for _ in range(random.randrange(5))]
    texts = [json.dumps({"x": value} if value else {}) for value in values]
    line: list[Any] = [*cards(random, texts)]
    ending = random.choice(("whole", "whole", "cut", "reset", "torn"))
    if ending in ("cut", "reset", "torn") and line:
        del line[random.randrange(len(line)) + 1 :]
    line += {"whole": end(), "cut": end("length"), "reset": [RESET], "torn": []}[ending]
    return texts, ending, line


def play_stream(seed: int, policy: Any, cancel_at: int = 0) -> Story:
    _, _, line = any_stream(seed)
    random = Random(seed + 1)

    async def body(args: Any, context: Any) -> str:
        for _ in range(random.choice((0, 1, 5))):
            await asyncio.sleep(0)
        return f"did {args}"

    tools = [toy("act", body), toy("look", body, **SAFE)]
    story = Story(Halting(random, line, say("ok"), say("ok")), tools, policy)
    box: list[Any] = []

    async def go() -> None:
        box.append(story.agent(landmarks=At(cancel_at, lambda: box[0].cancel())))
        await box[0].prompt("go")
        await box[0].prompt("and now?")

    played(go())
    return story


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 40))
def test_whatever_the_stream_does_only_whole_calls_start_and_each_is_closed_once(
    seed: int, cancel_at: int
) -> None:
    texts, _, _ = any_stream(seed)
    story = play_stream(seed, BY_ITEM, cancel_at)
    for started in story.of(CallStarted):
        if started.call.startswith("1/1/"):
            whole = texts[int(started.call.rpartition("/")[2])]
            assert started.arguments == canonical(json.loads(whole))
    runs = sum(len(tool.runs) for tool in story.tools)
    assert runs <= len(story.of(CallStarted))  # a cancel may come just after the write-ahead
    assert replay(story.events).phase == "idle"
    assert paired(story)
    assert all(repaired(one.messages) == one.messages for one in story.model.requests)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32))
def test_where_nothing_goes_wrong_the_history_is_that_of_the_whole_message(seed: int) -> None:
    if any_stream(seed)[1] != "whole":
        return
    histories: list[tuple[Message, ...]] = [
        replay(play_stream(seed, replace(BY_ITEM, starts=starts)).events).history
        for starts in ("each_item", "whole_message")
    ]
    assert histories[0] == histories[1]
