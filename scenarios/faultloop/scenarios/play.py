"""One play, from the first start of a subject to the evidence.

Everything that the bench does to a subject is done here, and nothing is judged. The play knows
neither tier nor language: a `Place` says where it happens, a `Subject` what is played. What follows
when a start is over is the table NEXT; when held work may go on is `_Course.let_go`.

A subject's turn is over when no start of it is owed any more. After every abnormal end the user
sends another message, where the subject remembers: poisoned conversations show only there.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Literal, Protocol

from faultloop.fakes.faults.base import ToolFault
from faultloop.fakes.stage import Stage
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.once import once
from faultloop.scenarios.plan import plan
from faultloop.scenarios.scenario import Scenario
from faultloop.scenarios.subject import (
    Brief,
    Column,
    Outcome,
    Resume,
    Run,
    Session,
    Subject,
    SubjectUnusable,
    Tier,
    Venue,
)

GRACE_S = 10.0
"""How long a cancelled start has to wind down (contract v1). So long held work stays held: what
stops within it must not have its effect by the bench's own hand."""
PATIENCE_S = 2.0
"""The same for work that nobody can stop: whoever still waits for it then waits rightly."""
LAST_S = 5.0
"""How long a start may go on after a limit that it was told, before it is killed: a cancelled one
when the work that it waits for was let go on after all, any other one after its deadline."""
CRASH_CHARS_MAX = 8_000
STARTS_MAX = 50
"""A bound for the sake of having one; kills and turns of a scenario are far fewer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A play that somebody wants."""

    scenario: Scenario
    subject: Subject
    column: Column
    seed: int
    repeat: int = 0

    @property
    def play(self) -> str:
        """Id of the play: the same for the same order, different for different ones."""
        named = (
            self.scenario.name,
            self.subject.name,
            self.column.dialect,
            self.column.streaming,
            self.seed,
            self.repeat,
        )
        return hashlib.blake2b(repr(named).encode(), digest_size=8).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A play that is over."""

    order: Order
    evidence: Evidence
    unfired_faults: tuple[int, ...] = ()
    """Indexes of the scenario's faults that never struck."""
    idle_triggers: tuple[int, ...] = ()
    """Indexes of the scenario's events that never happened."""
    not_applicable: str = ""
    """Why the subject cannot be played here, in its own words or those of its requirements."""
    crash: str = ""
    """How the bench itself failed in this play, which then tells nothing about the subject."""
    outcomes: tuple[Outcome, ...] = ()
    """How its starts ended, in their order."""
    stderr: str = ""
    wall_s: float = 0.0
    again: str = ""
    """Why this play is the second of its order; empty where it is the first."""


class Place(Protocol):
    """Where plays happen."""

    @property
    def tier(self) -> Tier:
        """Virtual or wall time."""
        ...

    def clock(self) -> Callable[[], float]:
        """A clock that shows the seconds since now."""
        ...

    def venue(self, order: Order, stage: Stage) -> AbstractAsyncContextManager[Venue]:
        """A venue where the stage can be reached; gone when the play is over."""
        ...

    async def settled(self, order: Order, stage: Stage) -> None:
        """Wait, within bounds, until work that outlived its start is over."""
        ...

    def failures(self, play: str) -> Sequence[Exception]:
        """What went wrong in the bench itself while it answered in that play."""
        ...


# --- what follows when a start is over ------------------------------------------------------


class Next(Enum):
    """What is started after a start."""

    STOP = auto()
    """Nothing: the play is over."""
    AGAIN = auto()
    """The same message, to a subject that remembers nothing."""
    GO_ON = auto()
    """No message: go on with what is pending."""
    MESSAGE = auto()
    """The user's next message, where the scenario has one for this case."""


End = Literal["completed", "abnormal", "killed", "did_not_end", "not_applicable"]
"""`abnormal`: it ended by itself and says anything but completed."""

NEXT: dict[End, dict[Resume, Next]] = {
    "killed": {
        "none": Next.STOP,
        "rerun": Next.AGAIN,
        "session": Next.MESSAGE,
        "continue": Next.GO_ON,
    },
    "abnormal": {
        "none": Next.STOP,
        "rerun": Next.STOP,
        "session": Next.MESSAGE,
        "continue": Next.MESSAGE,
    },
    "completed": {
        "none": Next.STOP,
        "rerun": Next.STOP,
        "session": Next.MESSAGE,
        "continue": Next.MESSAGE,
    },
    "did_not_end": dict.fromkeys(("none", "rerun", "session", "continue"), Next.STOP),
    "not_applicable": dict.fromkeys(("none", "rerun", "session", "continue"), Next.STOP),
}


def end_of(outcome: Outcome) -> End:
    """The row of NEXT."""
    if outcome.how != "exited":
        return outcome.how
    if outcome.account.not_applicable is not None:
        return "not_applicable"
    return "completed" if outcome.account.end_reason == "completed" else "abnormal"


def next_turn(scenario: Scenario, turn: int, *, shaken: bool) -> int | None:
    """Which message the user sends after those up to `turn`; None: no more.

    `shaken`: a start of that turn ended otherwise than completed.
    """
    for number, lines in enumerate(scenario.next_turns[turn:], turn + 1):
        if lines.when == "always" or shaken:
            return number
    return None


@once
def holds_work(scenario: Scenario) -> bool:
    """Whether anything in the scenario can come to stand at the gate."""
    commands = (scenario.world.commands or {}).values()
    return any(command.takes_s > 0 for command in commands) or any(
        isinstance(fault, ToolFault) and fault.gateway().hold for fault in scenario.faults
    )


# --- the bench's hands ----------------------------------------------------------------------


class Hands:
    """The stage's deeds: at a landmark it reaches through these for the start that is there.

    A start can pass a landmark before `Session.start` has returned, so a deed waits for its run.
    """

    def __init__(self) -> None:
        self._runs: dict[int, asyncio.Future[Run]] = {}
        self.struck: set[int] = set()
        """Starts that were killed or cancelled."""
        self.cancelled = asyncio.Event()
        """The start that is under way was cancelled."""

    def expect(self, start: int) -> None:
        """A start is about to be made."""
        self.cancelled = asyncio.Event()
        self._runs[start] = asyncio.get_running_loop().create_future()

    def hold(self, start: int, run: Run) -> None:
        """It was made."""
        self._runs[start].set_result(run)

    async def kill(self, start: int) -> None:
        """SIGKILL, now."""
        self.struck.add(start)
        await (await self._run(start)).kill()

    async def cancel(self, start: int) -> None:
        """The user's cancel."""
        self.struck.add(start)
        await (await self._run(start)).cancel()
        self.cancelled.set()

    async def say(
        self, start: int, kind: Literal["message", "steer", "follow_up"], text: str
    ) -> None:
        """Input while it runs."""
        await (await self._run(start)).say(kind, text)

    async def _run(self, start: int) -> Run:
        return await asyncio.shield(self._runs[start])


# --- the course of a play -------------------------------------------------------------------


async def perform(order: Order, place: Place) -> Done:
    """Play an order to its end and return the evidence.

    Raises BadSubject where the subject's declaration is wrong.
    """
    began = time.perf_counter()
    hands = Hands()
    stage = Stage(
        plan(order.scenario, seed=order.seed, play=order.play),
        clock=place.clock(),
        deeds=hands,
        tier=place.tier,
        commands=order.subject.capabilities.commands,
        pairing=order.subject.capabilities.pairing,
        naming=order.subject.capabilities.naming,
        terminal_tool=order.subject.capabilities.terminal_tool,
    )
    course = _Course(order, place, stage, hands)
    not_applicable, stderr, journal = "", "", None
    try:
        async with place.venue(order, stage) as venue, order.subject.open(venue) as session:
            not_applicable = await course.play(session)
            stderr, journal = session.stderr(), session.journal()
    except SubjectUnusable as error:
        not_applicable = str(error)
    finally:
        await stage.close()
    return Done(
        order=order,
        evidence=Evidence(
            scenario=order.scenario,
            subject=order.subject.name,
            capabilities=order.subject.capabilities,
            column=order.column,
            history=tuple(stage.history.entries),
            times_s=tuple(stage.history.times_s),
            ledger=tuple(stage.ledger.effects),
            journal=journal,
        ),
        unfired_faults=stage.unfired_faults(),
        idle_triggers=stage.idle_triggers(),
        not_applicable=not_applicable,
        crash="".join(map(told, place.failures(stage.plan.play))),
        outcomes=tuple(course.outcomes),
        stderr=stderr,
        wall_s=time.perf_counter() - began,
    )


def told(error: BaseException) -> str:
    """An exception for `Done.crash`, its end where it is long."""
    return "".join(traceback.format_exception(error))[-CRASH_CHARS_MAX:]


class _Course:
    """The starts of one play, one after the other."""

    def __init__(self, order: Order, place: Place, stage: Stage, hands: Hands) -> None:
        self.outcomes: list[Outcome] = []
        self._order = order
        self._place = place
        self._scenario = order.scenario
        self._able = order.subject.capabilities
        self._stage = stage
        self._hands = hands
        own_pace_s = self._able.timeout_s if place.tier == "real" else None
        self._deadline_s = own_pace_s or self._scenario.deadline_s

    async def play(self, session: Session) -> str:
        """Start the subject as often as is owed; says why it is not applicable, if it is not."""
        turn, following, shaken = 0, Next.MESSAGE, False
        for start in range(1, STARTS_MAX + 1):
            outcome = await self._start(session, start, turn, following)
            self.outcomes.append(outcome)
            end = end_of(outcome)
            shaken = shaken or end != "completed"
            following = NEXT[end][self._able.resume]
            if following is Next.MESSAGE:
                further = next_turn(self._scenario, turn, shaken=shaken)
                if further is None:
                    return ""
                turn, shaken = further, False
            elif following is Next.STOP:
                return outcome.account.not_applicable or ""
        return ""

    async def _start(self, session: Session, start: int, turn: int, kind: Next) -> Outcome:
        """One start, until nothing of it is left and its late work has shown."""
        resume = start > 1 and kind is not Next.AGAIN
        brief = Brief(
            start=start,
            input=self._stage.begin(start, turn, resume, pending=kind is Next.GO_ON),
            resume=resume,
            max_steps=self._scenario.max_steps,
            deadline_s=self._deadline_s,
            goal_rounds=None if turn or kind is Next.GO_ON else self._scenario.goal_rounds,
        )
        self._hands.expect(start)
        self._let_go(start)
        run = await session.start(brief)
        self._hands.hold(start, run)
        outcome = await self._watch(run)
        self._stage.ended(
            start,
            how=outcome.how,
            exit_code=outcome.exit_code,
            account=outcome.account,
            complaints=tuple(filter(None, (*outcome.complaints, outcome.exit_complaint))),
        )
        self._let_go(start)
        await self._place.settled(self._order, self._stage)
        if left := await run.clear():
            self._stage.left(start, left)
        return replace(outcome, left=left)

    def _let_go(self, start: int) -> None:
        """Open the gate for held work once its start was struck, or if nothing to come ends one."""
        if not holds_work(self._scenario):
            return
        events = self._scenario.events
        to_come = (events[index].do for index in self._stage.idle_triggers())
        if start in self._hands.struck or not {"kill", "cancel"}.intersection(to_come):
            self._stage.open_gate()

    async def _watch(self, run: Run) -> Outcome:
        """Wait for a start to be over; whoever does not end is killed."""
        over = asyncio.ensure_future(run.wait())
        cancelled = asyncio.ensure_future(self._hands.cancelled.wait())
        try:
            await asyncio.wait(
                {over, cancelled},
                timeout=self._deadline_s + LAST_S,
                return_when=asyncio.FIRST_COMPLETED,
            )
            was_cancelled = cancelled.done()
            if was_cancelled and not over.done():
                await self._wind_down(over)
            if over.done():
                return over.result()
            await run.kill()
            return replace(await over, how="did_not_end", grace_exceeded=was_cancelled)
        finally:
            over.cancel()
            cancelled.cancel()

    async def _wind_down(self, over: asyncio.Future[Outcome]) -> None:
        """Give a cancelled start its grace, and then what it waits for."""
        await asyncio.wait({over}, timeout=PATIENCE_S)
        if not over.done():
            self._stage.open_gate_for_deaf()
            await asyncio.wait({over}, timeout=GRACE_S - PATIENCE_S)
        if not over.done():
            self._stage.open_gate()
            await asyncio.wait({over}, timeout=LAST_S)
