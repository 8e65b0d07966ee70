"""The agent: what a host can do with one session of one model and its tools.

A host opens it, says something, steers it, stops it, closes it. None of this does any work: it
queues input or fires the stop signal, both for the one task that drives (see `driving`), and it may
come from any task of the same event loop, at any time. What was taken is durable before its call
returns (SPEC I2); what was said before a cancel goes the way of what it cancels, what was said
after it belongs to the next turn (SPEC X6).

A wrong loop, to prove that a bench can catch it, overrides one seam of the driver's, or `cancel`,
`steer` and `follow_up` here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from faultloop.loop.driving import Driver
from faultloop.loop.events import Cause, EndReason, GoalPhase, InputQueued, Lane, Source
from faultloop.loop.goals import Goal
from faultloop.loop.message import FinishReason
from faultloop.loop.output import EXCERPT_BYTES, clean, head
from faultloop.loop.recovery import is_resumable
from faultloop.loop.run_events import Subscriber
from faultloop.loop.signals import Arrived
from faultloop.loop.state import Turn


class Busy(Exception):
    """A prompt came while a turn was running; the host is at fault.

    Steer it, queue a follow-up, wait for `idle`, or choose the policy `second_prompt="queue"`.
    """


class BadInput(ValueError):
    """Input holds half a character (a lone surrogate), which no journal or provider can carry.

    The host is at fault: it decoded somebody's bytes without saying what to do about bad ones.
    """


class AlreadyTaken(Exception):
    """A prompt came under an id that the session has taken before; the host is at fault.

    One that is meant again needs an id of its own. If it was sent again to be on the safe side, it
    is in the journal: `resume` goes on with whatever of it is pending.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnd:
    """How a turn ended."""

    turn: int
    end_reason: EndReason
    finish_reason: FinishReason | None
    """The provider's own reason for its last reply, kept apart (SPEC L12)."""
    text: str
    """The model's last text in this turn."""
    error: str = ""


INTERRUPTERS: dict[Source, Cause] = {
    "user": "user",
    "system": "parent",
    "tool": "hook",
    "job": "hook",
}
"""Whose cancel an input of the lane `interrupt` is."""


class Agent(Driver):
    """One session of one model with its tools.

    Open it, prompt it, close it. Input, steering and cancelling may come from any task of the same
    event loop; times are that loop's. A hook of its own may steer or cancel it as well, but not
    wait for it: whatever would wait for the turn raises InsideHook in there.
    """

    async def open(self) -> tuple[EndReason, ...]:
        """Load the journal and recover. Returns the end reasons that recovery had to write.

        Raises LeaseHeld where another process has the session, JournalDamaged or JournalUnusable,
        or IllegalEvent for a journal that no loop like this one wrote.
        """
        with self._taking():
            async with self._opening:
                if self._opened and not self._is_driving and self.keeper.is_lost():
                    self._let_go()  # another has worked on it since: what is known here is old
                if self._opened:
                    return ()
                self.keeper.take(self._lost)
                try:
                    self.recorder.load()
                    recovered = await self.recovered()
                    await self.pursuing.drop_stale_round()
                except BaseException:
                    self.keeper.let_go()
                    raise
                self._opened = True
                self._told = self.state.turn
                return recovered

    async def prompt(self, text: str, *, input_id: str | None = None) -> TurnEnd:
        """Queue the user's message, drive until idle, and say how the last turn ended.

        Raises Busy while a turn is running, unless policy queues, and AlreadyTaken for an id that
        was taken before. Between two rounds of a goal no turn is: the prompt goes before the next.
        """
        self.hooking.refuse_from_inside("prompt")
        busy = self._is_driving and not self.pursuing.is_between_rounds
        if self.policy.second_prompt == "refuse" and (busy or self._prompting):
            raise Busy(
                f"session {self.session} is busy with turn {self.state.turn.number}"
                if busy
                else f"session {self.session} is just taking another prompt"
            )
        with self._taking():
            self._prompting += 1
            try:
                taken = await self._arrive(text, lane="next_turn", input_id=input_id)
            finally:
                self._prompting -= 1
            if taken is None:
                raise AlreadyTaken(
                    f"session {self.session} has taken an input {input_id!r} before; nothing was"
                    " queued. Give a new message an id of its own, or resume what is pending"
                )
            driver = self._wake()
        return await self._driven(driver)

    async def resume(self) -> TurnEnd | None:
        """Go on with queued input, or with a turn that a vanished process left; None: nothing."""
        self.hooking.refuse_from_inside("resume")
        with self._taking():
            await self.open()
            pending = self.state.inbox.wakes or is_resumable(self.state)
            if not self._is_driving and not pending:
                return None
            driver = self._wake()
        return await self._driven(driver)

    async def steer(self, text: str, *, input_id: str | None = None) -> str:
        """Say something before the next model request (SPEC X7). Durable once this returns."""
        return await self._sent(text, "next_step", input_id)

    async def follow_up(self, text: str, *, input_id: str | None = None) -> str:
        """Say something when the loop would otherwise stop (SPEC X7). Durable once this returns."""
        return await self._sent(text, "next_turn", input_id)

    async def inject(
        self, text: str, *, source: Source, lane: Lane = "next_step", input_id: str | None = None
    ) -> str:
        """Input from a tool, a job or the system; never wakes an idle loop (SPEC I4).

        The lane `interrupt` fires the stop signal at once, and is recorded like any other input: in
        the context at the next safe point, which for an idle loop is its next turn (SPEC I1).
        """
        if lane == "interrupt" and input_id not in self.state.inbox.seen:
            self.cancel(INTERRUPTERS[source], text)
        taken = await self._arrive(text, lane=lane, source=source, input_id=input_id, wakes=False)
        return taken or input_id or ""

    def cancel(self, cause: Cause = "user", reason: str = "") -> bool:
        """Fire the stop signal at once; the first cause wins.

        It stops the turn, or the one that is about to begin, and what is queued behind it. After
        the end of a turn it stops what waits; False if nothing does, or the loop is idle.
        """
        return self.running and self._stop(cause, reason)

    async def idle(self) -> None:
        """Wait until the loop is idle, activities that begin meanwhile included (SPEC L9)."""
        self.hooking.refuse_from_inside("idle")
        while self.running:
            busy: list[asyncio.Future[Any]] = [*self._takings]
            if self._driver is not None and self._is_driving:
                busy.append(self._driver)
            await asyncio.wait(busy, return_when=asyncio.FIRST_COMPLETED)

    # --- goals ----------------------------------------------------------------------------------

    @property
    def goal(self) -> Goal | None:
        """The session's goal, durable (SPEC G1)."""
        return self.state.goal

    async def set_goal(self, text: str, *, rounds_max: int = 10, armed: bool = True) -> Goal:
        """Give the session a goal. Armed, it wakes the idle loop for up to `rounds_max` rounds.

        Raises GoalRefused while another one is active, and BadInput.
        """
        self._sound(text)
        with self._taking():
            await self.open()
            await self.pursuing.give(f"{self.session}/goal/", text, rounds_max)
            if armed:
                await self.arm_goal()
        assert self.goal is not None
        return self.goal

    async def arm_goal(self) -> None:
        """Let the goal wake the loop, at once if it is idle. Raises GoalRefused."""
        with self._taking():
            await self.open()
            await self.pursuing.arm()
            if self.pursuing.is_due():
                self._wake()

    async def disarm_goal(self) -> None:
        """Let the goal wake nobody; a round that runs goes on."""
        await self.pursuing.disarm("the host disarmed it")

    async def move_goal(self, phase: GoalPhase, reason: str = "") -> None:
        """Put the goal to another phase, durably (SPEC G3). Raises GoalRefused and BadInput."""
        self._sound(reason)
        with self._taking():
            await self.open()
            await self.pursuing.put(phase, reason)

    @property
    def last_turn(self) -> TurnEnd | None:
        """How the last turn ended, whoever began it, as who drove was told; None before one did.

        While a turn is open, or could not even be written, it is the one before it.
        """
        told, turn = self._told, self.state.turn
        if turn.end_reason and turn.number > told.number:
            told = turn  # it ended just now
        return turn_end(told) if told.number or told.error else None

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Be told of every run event (SPEC E1); call what is returned to hear no more."""
        return self.recorder.delivery.subscribe(subscriber)

    async def close(self) -> None:
        """Cancel what runs, wait for it, and let go of the journal."""
        self.hooking.refuse_from_inside("close")
        try:
            await self.pursuing.disarm("the session was closed")
            self.cancel("disposed")
            await self.idle()
            await self.caller.trying.close()
            await self.hooking.close()
        finally:
            self.keeper.let_go()
            self.recorder.journal.close()

    # --- how input comes ------------------------------------------------------------------------

    async def _sent(self, text: str, lane: Lane, input_id: str | None) -> str:
        with self._taking():
            taken = await self._arrive(text, lane=lane, input_id=input_id)
            if self.state.inbox.wakes:
                self._wake()
        return taken or input_id or ""

    async def _arrive(
        self,
        text: str,
        *,
        lane: Lane,
        input_id: str | None,
        source: Source = "user",
        wakes: bool = True,
    ) -> str | None:
        """Queue it, durably. Returns its id, or None for one that was taken before.

        Raises BadInput.
        """
        self._sound(text, input_id or "")
        signal, was_fired = self._signal, self._signal.fired
        await self.open()
        prefix = f"{self.session}/input/"
        arrived = Arrived(
            id=input_id, prefix=prefix, lane=lane, source=source, text=text, wakes=wakes
        )
        queued = await self.recorder.tell(arrived)
        taken = next((event.id for event in queued if isinstance(event, InputQueued)), None)
        if taken is not None and not was_fired and lane != "interrupt":
            signal.takes_along(taken)  # it was said before the cancel (SPEC X6)
        return taken

    def _sound(self, *texts: str) -> None:
        """Raises BadInput for a text that no journal could carry."""
        for text in texts:
            if clean(text) != text:
                raise BadInput(
                    f"an input of session {self.session} holds half a character, so nothing was"
                    f" queued: {head(ascii(text), EXCERPT_BYTES)}"
                )

    async def _driven(self, driver: asyncio.Task[Turn]) -> TurnEnd:
        """Drive until idle. A caller that is cancelled takes the turn with it (SPEC X8)."""
        try:
            turn = await asyncio.shield(driver)
        except asyncio.CancelledError:
            if not driver.done():
                self.cancel("disposed")
                await asyncio.wait([driver])
            if not self._is_driving:
                self._let_go()
            raise
        return turn_end(turn)


def turn_end(turn: Turn) -> TurnEnd:
    """What a host is told of a turn that is over."""
    return TurnEnd(
        turn=turn.number,
        end_reason=turn.end_reason or "error",
        finish_reason=turn.finish_reason,
        text=turn.text,
        error=turn.error,
    )
