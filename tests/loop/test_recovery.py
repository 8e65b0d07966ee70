"""A process vanishes at each of its appends; what the next one makes of the journal.

The crash is simulated where the journal is written: at the nth landmark the loop waits for ever,
and from that instant on its journal and its world take nothing more from it.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from faultloop.loop.engine import Agent, TurnEnd
from faultloop.loop.events import (
    AnyEvent,
    CallEnded,
    CallNotExecuted,
    CallStarted,
    EndReason,
    InputClaimed,
    InputQueued,
    StepStarted,
    TurnEnded,
    TurnStarted,
)
from faultloop.loop.evolving import replay
from faultloop.loop.journal.memory import MemoryJournal
from faultloop.loop.journal.port import Journal
from faultloop.loop.journal.sqlite import SqliteJournal
from faultloop.loop.message import AssistantMessage, ResultMessage
from faultloop.loop.policy import REFERENCE
from faultloop.loop.providers.port import ModelRequest
from faultloop.loop.recovery import closures
from faultloop.loop.registry import Registry
from faultloop.loop.state import State
from faultloop.loop.view import repaired

from .story import AT_ONCE, Line, Scripted, Toy, call, played, say, toy

LOOK = {"read_only": True, "concurrency_safe": True}


class Sensible(Scripted):
    """A model that calls once and then is content, whatever its calls came to."""

    async def stream(self, request: ModelRequest) -> Any:
        called = any(isinstance(m, AssistantMessage) and m.calls for m in request.messages)
        line: Line = say("All done.")
        if not called:
            line = call(("look", '{"x": "1"}'), ("look", '{"x": "2"}'), ("pay", "{}"))
        self.lines = [line]
        async for delta in super().stream(request):
            yield delta


class Dying(MemoryJournal):
    """Takes nothing once its process is dead."""

    dead = False

    def append(self, *events: AnyEvent) -> None:
        if self.dead:
            raise RuntimeError("the dead do not write")
        super().append(*events)


@dataclass
class Crash:
    """Landmarks of a process that vanishes at the nth of them."""

    at: int
    journal: Dying
    passed: int = 0
    happened: asyncio.Event = field(default_factory=asyncio.Event)

    async def reach(self, name: str, events: object = ()) -> None:
        self.passed += 1
        if self.passed >= self.at:
            self.journal.dead = True
            self.happened.set()
            await asyncio.Event().wait()


@dataclass
class World:
    """What outlives a process."""

    store: list[bytes] = field(default_factory=list)
    payments: list[str] = field(default_factory=list)
    model: Sensible = field(default_factory=Sensible)

    def tools(self, journal: Dying) -> list[Toy]:
        def pay(args: dict[str, Any], context: Any) -> str:
            if not journal.dead:
                self.payments.append(context.key)
            return "paid"

        return [
            toy("look", **LOOK),
            toy("pay", pay, verify_with="payments"),
            toy("payments", lambda args, context: f"{len(self.payments)} payments", **LOOK),
        ]

    async def start_and_vanish(self, at: int) -> bool:
        """Start a process that vanishes at the nth landmark; False if it got through before."""
        journal = Dying(self.store)
        crash = Crash(at=at, journal=journal)
        agent = Agent(
            provider=self.model,
            tools=self.tools(journal),
            journal=journal,
            session="session",
            policy=AT_ONCE,
            landmarks=crash,
        )
        turn = asyncio.ensure_future(agent.prompt("pay once"))
        gone = asyncio.ensure_future(crash.happened.wait())
        await asyncio.wait([turn, gone], return_when=asyncio.FIRST_COMPLETED)
        vanished = crash.happened.is_set()
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)
        return vanished

    async def restart(self) -> tuple[Agent, tuple[EndReason, ...], TurnEnd | None]:
        """The next process: it opens the session and goes on with what is pending."""
        journal = Dying(self.store)
        agent = Agent(
            provider=self.model,
            tools=self.tools(journal),
            journal=journal,
            session="session",
            policy=AT_ONCE,
        )
        return agent, await agent.open(), await agent.resume()

    @property
    def events(self) -> list[AnyEvent]:
        return MemoryJournal(list(self.store)).load()


LANDMARKS = 34
"""Around the appends of the story: two for each. A test says when this is no longer true."""

Story = tuple[World, Agent, tuple[EndReason, ...], TurnEnd | None]


@cache
def vanished(at: int) -> Story | None:
    """The story in which the first process vanishes at this landmark; None if it got through."""
    world = World()

    async def go() -> Story | None:
        if not await world.start_and_vanish(at):
            return None
        return (world, *await world.restart())

    return played(go())


@pytest.fixture
def story(at: int) -> Story:
    made = vanished(at)
    assert made is not None
    return made


everywhere = pytest.mark.parametrize("at", range(1, LANDMARKS + 1))


def test_the_story_has_as_many_landmarks_as_are_tried() -> None:
    assert vanished(LANDMARKS) is not None
    assert vanished(LANDMARKS + 1) is None


def all_stories() -> list[Story]:
    return [made for at in range(1, LANDMARKS + 1) if (made := vanished(at)) is not None]


@everywhere
def test_no_effect_happens_twice(story) -> None:
    world, *_ = story
    assert len(world.payments) <= 1


@everywhere
def test_every_turn_ends_once_and_every_call_is_closed_once(story) -> None:
    world, agent, *_ = story
    started = [event.turn for event in world.events if isinstance(event, TurnStarted)]
    ended = [event.turn for event in world.events if isinstance(event, TurnEnded)]
    assert started == ended
    begun = [event.call for event in world.events if isinstance(event, CallStarted)]
    closed = [e.call for e in world.events if isinstance(e, CallEnded | CallNotExecuted)]
    assert len(closed) == len(set(closed))
    assert set(begun) <= set(closed)
    assert agent.state.phase == "idle"


@everywhere
def test_the_journal_replayed_is_the_state_that_was_lived(story) -> None:
    world, agent, *_ = story
    assert replay(world.events) == agent.state


@everywhere
def test_every_request_is_well_paired(story) -> None:
    world, *_ = story
    for request in world.model.requests:
        assert repaired(request.messages) == request.messages


@everywhere
def test_pending_work_is_gone_on_with(story) -> None:
    """Only input that was never acknowledged may be lost."""
    world, _, recovered, end = story
    if not any(isinstance(event, InputQueued) for event in world.events):
        assert end is None
    elif recovered or end is not None:
        assert recovered in ((), ("interrupted",))
        assert end is None or (end.end_reason, end.text) == ("completed", "All done.")


@everywhere
def test_a_started_call_without_result_is_told_as_unknown_and_looked_up(story) -> None:
    world, *_ = story
    for event in world.events:
        if isinstance(event, CallEnded) and event.code == "VANISHED":
            told = event.result.content
            if event.outcome == "unknown":
                assert f"{len(world.payments)} payments" in told
                assert "outcome of pay is unknown" in told
            else:
                assert "only reads" in told
            assert "not executed" not in told


def test_the_stories_cover_the_gap_between_execute_and_record() -> None:
    unknown = [
        (len(world.payments), event.result.content)
        for world, *_ in all_stories()
        for event in world.events
        if isinstance(event, CallEnded) and event.outcome == "unknown"
    ]
    assert {payments for payments, _ in unknown} == {0, 1}


# --- by hand ----------------------------------------------------------------------------------


def restart(world: World) -> tuple[Agent, tuple[EndReason, ...], TurnEnd | None]:
    return played(world.restart())


def opened(world: World, tools: list[Toy], journal: Journal) -> Agent:
    return Agent(provider=world.model, tools=tools, journal=journal, session="session")


def journalled(*events: AnyEvent) -> World:
    world = World()
    MemoryJournal(world.store).append(*events)
    return world


QUEUED = InputQueued(id="session/input/1", lane="next_turn", source="user", text="pay once")


def test_input_that_was_queued_and_never_claimed_is_taken_up() -> None:
    world = journalled(QUEUED, TurnStarted(turn=1))
    _, recovered, end = restart(world)
    assert recovered == ("interrupted",)
    assert end is not None
    assert (end.turn, end.end_reason, len(world.payments)) == (2, "completed", 1)


def test_a_turn_that_was_interrupted_is_gone_on_with_and_the_model_is_told() -> None:
    claimed = InputClaimed(turn=1, id=QUEUED.id)
    step = StepStarted(turn=1, step=1, cause="input")
    world = journalled(QUEUED, TurnStarted(turn=1), claimed, step)
    _, _, end = restart(world)
    assert end is not None
    assert end.end_reason == "completed"
    assert "process that ran it ended at step 1" in world.model.notices[0]
    causes = [event.cause for event in world.events if isinstance(event, StepStarted)]
    assert causes == ["input", "resume", "results"]


def test_a_session_without_pending_work_is_left_alone() -> None:
    world = World()

    async def go() -> None:
        journal = Dying(world.store)
        agent = opened(world, world.tools(journal), journal)
        await agent.prompt("pay once")

    played(go())
    before = list(world.store)
    _, recovered, end = restart(world)
    assert (recovered, end, world.store) == ((), None, before)


def test_a_session_in_a_file_is_the_same_session_after_a_restart(tmp_path: Path) -> None:
    world = World()

    async def go() -> tuple[State, State, TurnEnd]:
        journal = SqliteJournal(tmp_path / "session.sqlite")
        agent = opened(world, world.tools(Dying()), journal)
        await agent.prompt("pay once")
        before = agent.state
        await agent.close()
        journal = SqliteJournal(tmp_path / "session.sqlite")
        agent = opened(world, world.tools(Dying()), journal)
        await agent.open()
        after = agent.state
        end = await agent.prompt("and now?")
        await agent.close()
        return before, after, end

    before, after, end = played(go())
    assert before == after
    assert (end.turn, end.end_reason) == (2, "completed")
    assert len(world.model.requests[-1].messages) == 7


def test_a_new_prompt_after_a_crash_is_a_turn_of_its_own_and_is_told_of_it() -> None:
    world = World()

    async def go() -> TurnEnd:
        assert await world.start_and_vanish(12)
        journal = Dying(world.store)
        agent = opened(world, world.tools(journal), journal)
        return await agent.prompt("where are we?")

    assert played(go()).end_reason == "completed"
    assert len(world.payments) <= 1
    assert "interrupted" in world.model.notices[0]


def test_a_result_that_was_recorded_before_the_crash_is_what_the_model_is_told() -> None:
    for world, *_ in all_stories():
        recorded = {
            event.result for event in world.events if isinstance(event, CallEnded | CallNotExecuted)
        }
        for request in world.model.requests:
            told = [m for m in request.messages if isinstance(m, ResultMessage)]
            assert set(told) <= recorded


def test_an_idle_session_has_nothing_to_close() -> None:
    assert closures(replay([]), "VANISHED", Registry(), policy=REFERENCE) == ()
