"""Two agents and one session: the engine takes, keeps, loses and lets go of its lease."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from faultloop.loop.engine import Agent
from faultloop.loop.events import CallStarted, TurnEnded
from faultloop.loop.journal.jsonl import JsonlJournal
from faultloop.loop.journal.port import JournalDamaged
from faultloop.loop.journal.sqlite import SqliteJournal
from faultloop.loop.landmarks import SILENT, Landmarks
from faultloop.loop.lease.file import FileLease
from faultloop.loop.lease.port import LeaseHeld

from .story import AT_ONCE, Held, Line, Scripted, Toy, call, played, say, toy

TTL_S = 30.0


@dataclass
class House:
    """A journal on the disk, a clock set by hand, and agents that share both."""

    kind: type[JsonlJournal] | type[SqliteJournal]
    path: Path
    now: float = 1_000_000.0
    opened: list[JsonlJournal | SqliteJournal] = field(default_factory=list)

    def agent(
        self, *lines: Line, tools: list[Toy] | None = None, landmarks: Landmarks = SILENT
    ) -> Agent:
        """An agent as of another process."""
        journal = self.kind(self.path)
        self.opened.append(journal)
        return Agent(
            provider=Scripted(*lines),
            tools=tools or [],
            journal=journal,
            session="session",
            policy=AT_ONCE,
            lease=FileLease(journal, ttl_s=TTL_S, clock=lambda: self.now),
            landmarks=landmarks,
        )

    def events(self) -> list[Any]:
        """What the journal holds now."""
        with closing(self.kind(self.path)) as journal:
            return list(journal.load())


@pytest.fixture(params=[JsonlJournal, SqliteJournal])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    house = House(request.param, tmp_path / "journal")
    yield house
    for journal in house.opened:
        journal.close()


def test_the_second_agent_is_told_who_has_the_session_until_the_first_is_closed(
    house: House,
) -> None:
    async def story() -> None:
        first, second = house.agent(say("a")), house.agent(say("b"))
        assert (await first.prompt("go")).text == "a"
        for attempt in (second.open(), second.prompt("me too"), second.resume()):
            with pytest.raises(LeaseHeld):
                await attempt
        await first.close()
        end = await second.prompt("me too")
        assert (end.turn, end.text) == (2, "b")
        await second.close()

    played(story())
    assert [type(event).__name__ for event in house.events()].count("InputQueued") == 2


def test_a_turn_whose_lease_was_taken_over_writes_nothing_more_and_starts_no_tool(
    house: House,
) -> None:
    async def story() -> None:
        second = house.agent(say("what happened?"))

        async def freeze(args: dict[str, Any], context: Any) -> str:
            house.now += TTL_S
            await second.open()
            return "done"

        act, later = toy("act", freeze), toy("later")
        lines = call(("act", "{}"), ("later", "{}")), say("all done")
        first = house.agent(*lines, tools=[act, later])
        end = await first.prompt("go")
        assert end.end_reason == "error"
        assert "lease lost" in end.error
        assert (len(act.runs), len(later.runs)) == (1, 0)
        with pytest.raises(LeaseHeld):
            await first.prompt("again")
        assert (await second.prompt("go on")).text == "what happened?"
        await second.close()
        await first.close()

    played(story())
    ends = [event.end_reason for event in house.events() if isinstance(event, TurnEnded)]
    assert ends == ["interrupted", "completed"]


def test_a_process_that_was_frozen_after_the_write_ahead_does_not_run_the_tool(
    house: House,
) -> None:
    class Freezing:
        async def reach(self, name: str, events: Any = ()) -> None:
            if name == "after_journal" and any(isinstance(e, CallStarted) for e in events):
                house.now += TTL_S
                await second.open()

    async def story() -> None:
        act = toy("act")
        first = house.agent(call(("act", "{}")), say("done"), tools=[act])
        first.recorder.landmarks = Freezing()
        end = await first.prompt("go")
        assert (end.end_reason, act.runs) == ("error", [])
        await second.close()
        await first.close()

    second = house.agent()
    played(story())


def test_a_heartbeat_that_finds_the_lease_lost_stops_what_runs(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tool that would run for ever; nothing is appended that could tell."""

    async def story() -> None:
        beats = asyncio.Event()

        async def sleep(seconds: float) -> None:
            await beats.wait()
            beats.clear()

        async def for_ever(args: dict[str, Any], context: Any) -> str:
            house.now += TTL_S
            await second.open()
            beats.set()
            await asyncio.Event().wait()
            return "never"

        second = house.agent()
        first = house.agent(call(("act", "{}")), tools=[toy("act", for_ever, cancellable=True)])
        first.keeper._sleep = sleep
        end = await first.prompt("go")
        assert "taken over by process" in end.error
        await second.close()
        await first.close()

    played(story())


def test_a_lease_lost_while_idle_is_taken_again_with_the_next_prompt(house: House) -> None:
    async def story() -> None:
        first, second = house.agent(say("a"), say("c")), house.agent(say("b"))
        assert (await first.prompt("one")).turn == 1
        house.now += TTL_S
        assert (await second.prompt("two")).turn == 2
        with pytest.raises(LeaseHeld):
            await first.steer("and?")
        await second.close()
        assert (await first.prompt("three")).turn == 3
        await first.close()

    played(story())


def test_a_heartbeat_that_finds_the_lease_lost_while_idle_lets_go(house: House) -> None:
    async def story() -> None:
        beats = asyncio.Event()

        async def sleep(seconds: float) -> None:
            await beats.wait()
            beats.clear()

        first, second = house.agent(say("a")), house.agent()
        first.keeper._sleep = sleep
        await first.open()
        beats.set()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert first._opened, "one that is still held is renewed"
        house.now += 2 * TTL_S
        await second.open()
        beats.set()
        while first._opened:
            await asyncio.sleep(0)
        await second.close()
        assert (await first.prompt("go")).text == "a"
        await first.close()

    played(story())


def test_a_caller_that_goes_leaves_no_lease_held(house: House) -> None:
    async def story() -> None:
        waits: Line = [asyncio.Event()]
        first, second = house.agent(waits, say("c")), house.agent(say("b"))
        listening = asyncio.create_task(first.prompt("go"))
        while not first.recorder.state.turn.attempts:
            await asyncio.sleep(0)
        listening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await listening
        assert (await second.prompt("mine")).text == "b"
        await second.close()
        assert (await first.prompt("back again")).text == "c"
        await first.close()

    played(story())


def test_a_caller_that_goes_while_it_brings_input_leaves_no_lease_held(house: House) -> None:
    async def story() -> None:
        held = Held()
        first, second = house.agent(landmarks=held), house.agent(say("b"))
        await first.open()
        held.open.clear()
        bringing = asyncio.create_task(first.prompt("go"))
        await asyncio.sleep(0)
        bringing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await bringing
        assert (await second.prompt("mine")).text == "b"
        await second.close()
        await first.close()

    played(story())


def test_an_internal_fault_leaves_no_lease_held_and_the_agent_can_go_on(house: House) -> None:
    class Broken(Scripted):
        async def stream(self, request: Any) -> Any:
            if not self.requests:
                self.requests.append(request)
                raise KeyError("a bug")
            async for delta in super().stream(request):
                yield delta

    async def story() -> None:
        first, second = house.agent(), house.agent(say("b"))
        first.asker.provider = Broken(say("c"))
        assert "a bug" in (await first.prompt("go")).error
        assert (await second.prompt("mine")).text == "b"
        await second.close()
        assert (await first.prompt("back again")).text == "c"
        await first.close()

    played(story())


def test_a_session_that_cannot_be_opened_leaves_no_lease_held(house: House) -> None:
    async def story() -> None:
        first = house.agent(say("a"))
        await first.prompt("a needle")
        await first.close()
        whole = house.path.read_bytes()
        house.path.write_bytes(whole.replace(b"a needle", b"a noodle"))
        for _ in range(2):  # damaged, and not held by the one before
            with pytest.raises(JournalDamaged):
                await house.agent().open()
        house.path.write_bytes(whole)
        last = house.agent(say("b"))
        assert (await last.prompt("go")).text == "b"
        await last.close()

    played(story())


def test_a_caller_that_goes_leaves_the_lease_to_who_brings_input_just_now(house: House) -> None:
    async def story() -> None:
        held = Held()
        first, second = house.agent(say("a"), landmarks=held), house.agent()
        await first.open()
        held.open.clear()
        going, staying = [asyncio.create_task(first.steer(text)) for text in ("one", "two")]
        await asyncio.sleep(0)
        going.cancel()
        await asyncio.wait([going])
        with pytest.raises(LeaseHeld):
            await second.open()
        held.open.set()
        await staying
        await first.idle()
        assert first.state.turn.text == "a"
        await first.close()

    played(story())
