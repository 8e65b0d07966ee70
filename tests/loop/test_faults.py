"""Faults of the loop itself, of its journal and of its consumers: the turn ends and says so."""

from __future__ import annotations

import pytest

from faultloop.loop.engine import AlreadyTaken
from faultloop.loop.events import CallEnded, MessageCommitted, TurnEnded
from faultloop.loop.evolving import replay
from faultloop.loop.journal.memory import MemoryJournal
from faultloop.loop.message import AssistantMessage
from faultloop.loop.providers.port import FinishDelta

from .story import Scripted, Story, call, played, say, toy

SAFE = {"read_only": True, "concurrency_safe": True}


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


class Hasty(MemoryJournal):
    """Writes, and raises at the nth append all the same."""

    def __init__(self, store: list[bytes], bad: int) -> None:
        super().__init__(store)
        self.left = bad

    def append(self, *events):
        super().append(*events)
        self.left -= 1
        if self.left == 0:
            raise OSError("no space left for the mark")


@pytest.mark.parametrize("bad", range(2, 16))
def test_a_journal_that_raises_after_writing_is_believed_and_not_the_memory_of_it(bad) -> None:
    calls = call(("look", "{}"), ("look", "{}"), ("act", "{}"))
    story = Story(Scripted(calls, say("ok")), [toy("look", **SAFE), toy("act")])

    async def go():
        agent = story.agent(journal=Hasty(story.store, bad))
        first, second = await agent.prompt("a"), await agent.prompt("b")
        assert replay(story.events) == agent.state
        return first, second

    first, second = played(go())
    assert first.end_reason == "error"
    assert "no space left for the mark" in first.error
    assert second.end_reason == "completed"
    assert len(story.tools[1].runs) <= 1
    assert story.kinds.count("TurnStarted") == story.kinds.count("TurnEnded")


def test_input_whose_append_raised_after_writing_is_taken_once() -> None:
    story = Story(Scripted(say("ok")), [])

    async def go():
        agent = story.agent(journal=Hasty(story.store, 1))
        with pytest.raises(OSError, match="for the mark"):
            await agent.prompt("go", input_id="i")
        with pytest.raises(AlreadyTaken):
            await agent.prompt("go", input_id="i")
        return await agent.resume()

    assert played(go()).end_reason == "completed"
    assert len(story.model.requests) == 1


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


@pytest.mark.parametrize("error", [SystemExit(2), KeyboardInterrupt()])
def test_a_tool_that_tries_to_end_the_program_has_failed(error) -> None:
    def body(args, context):
        raise error

    story = Story(Scripted(call(("act", "{}")), say("ok")), [toy("act", body)])
    assert played(story.agent().prompt("go")).end_reason == "completed"
    assert [event.outcome for event in story.of(CallEnded)] == ["unknown"]
    assert "tried to end the program" in story.model.told[0]


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
        *("TurnBegan", "InputEntered"),
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
