"""Pursuing a goal: the part of a goal that is in the process only, and the rounds (SPEC G1, G2).

The journal says what the goal is and how far it came (`goals`); here is whether it is armed. Arming
is the host's decision and is lost with the process, so a session that was opened again never starts
to work by itself. Everything that takes the arms away is told to the consumers with its reason.
"""

from __future__ import annotations

from faultloop.loop.events import EndReason, GoalPhase
from faultloop.loop.evolving import IllegalEvent
from faultloop.loop.goals import Goal, is_due, why_disarmed
from faultloop.loop.recorder import Recorder
from faultloop.loop.run_events import GoalArmed
from faultloop.loop.signals import GoalGiven, GoalPut, RoundDropped, RoundDue


class GoalRefused(Exception):
    """The session's goal cannot change in this way; whoever asked for it is at fault."""


class Pursuing:
    """The goal of one session in this process."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.armed = False

    @property
    def goal(self) -> Goal | None:
        """The goal, as the journal has it."""
        return self.recorder.state.goal

    def is_due(self) -> bool:
        """Whether the idle loop is to begin a round."""
        waits = self.recorder.state.inbox.wakes
        return is_due(self.goal, armed=self.armed, prompt_waits=waits)

    @property
    def is_between_rounds(self) -> bool:
        """An armed goal waits for its next round; no turn is open, and nobody's input waits."""
        state = self.recorder.state
        if self.goal is None or not self.armed or state.phase != "idle":
            return False
        own = self.goal.waiting
        return not any(item.wakes and item.input.id != own for item in state.inbox.items)

    async def give(self, prefix: str, text: str, rounds_max: int) -> None:
        """Set the goal. Raises GoalRefused while another is active.

        It is active, and not armed: what ended the goal before it took the arms away.
        """
        if rounds_max < 1:
            raise GoalRefused(f"a goal that may begin {rounds_max} rounds would never begin one")
        try:
            await self.recorder.tell(GoalGiven(prefix=prefix, text=text, rounds_max=rounds_max))
        except IllegalEvent as error:
            raise GoalRefused(str(error)) from None

    async def put(self, phase: GoalPhase, reason: str = "", *, goal: str | None = None) -> None:
        """Move the goal to a phase; durable once this returns (SPEC G3).

        `goal` names it; None: the one that the session has now. Raises GoalRefused, also where
        another has taken its place.
        """
        if self.goal is None:
            raise GoalRefused("the session has no goal")
        name = self.goal.id if goal is None else goal
        if self.goal.id != name:
            raise GoalRefused("the session has another goal by now than when this turn began")
        was_armed = self.armed
        # Before subscribers hear of it: one of them may arm the goal anew, or the next one.
        self.armed = was_armed and phase == "active"
        try:
            await self.recorder.tell(GoalPut(goal=name, phase=phase, reason=reason))
        except BaseException as error:
            if self.goal.id == name and self.goal.phase == "active":
                self.armed = was_armed  # nothing came of it
            if isinstance(error, IllegalEvent):
                raise GoalRefused(str(error)) from None
            raise
        if was_armed and phase != "active":
            why = f"the goal is {phase}"
            await self.recorder.publish(GoalArmed(goal=name, armed=False, why=why))

    async def arm(self) -> None:
        """Let the goal wake the loop. Raises GoalRefused for one that is not active."""
        if self.goal is None or self.goal.phase != "active":
            is_what = "no goal" if self.goal is None else f"a goal that is {self.goal.phase}"
            raise GoalRefused(f"the session has {is_what}: only an active goal can be armed")
        if not self.goal.rounds_left:
            raise GoalRefused(
                f"the goal has used up its {self.goal.rounds_max} rounds, so it would wake nobody"
            )
        if not self.armed:
            self.armed = True
            await self.recorder.publish(GoalArmed(goal=self.goal.id, armed=True, why=""))

    async def disarm(self, why: str) -> None:
        """Let the goal wake nobody any more."""
        if self.armed and self.goal is not None:
            self.armed = False
            await self.recorder.publish(GoalArmed(goal=self.goal.id, armed=False, why=why))

    async def begin_round(self) -> None:
        """Queue the next round's input, together with the record that it began."""
        await self.recorder.tell(RoundDue())

    async def turn_over(self, end_reason: EndReason | None, fault: str) -> None:
        """A turn ended, whatever it was for: does the goal keep its arms (SPEC G2)?"""
        if self.goal is None:
            return
        why = fault or why_disarmed(self.goal, end_reason or "error")
        if why:
            await self.disarm(why)

    async def drop_stale_round(self) -> None:
        """After a restart: a round that was queued and never began is not armed either."""
        await self.recorder.tell(RoundDropped(reason="the process that began the round vanished"))
