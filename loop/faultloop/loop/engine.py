"""The agent: the driver of turns, and what a host can do with it.

The driver is one loop over the phase of the session (see the picture in `state`):

    idle     a turn begins when something waits that wakes the loop (or on `resume`)
    ready    `decide` ends the turn, or lets waiting input in and begins a step
    asking   `Asking` brings the model's message, or ends the step
    acting   `Executing` closes every call of it, and the step is over

All that it knows is in the state, all that it does is in the journal first. One task drives; the
host's calls only queue input or fire the stop signal. Nothing that a model can say raises out of it
(SPEC L3): an internal fault closes the turn as `error`, from the inside out.

A wrong loop, to prove that a bench can catch it, overrides one seam: `Agent.recording`, `.asking`,
`.calling` and `.executing` name the classes that do the work, each with its seams listed in its
module; `Agent.messages`, `.recovered` and `.faulted` are the driver's own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from faultloop.loop.asking import Asking
from faultloop.loop.calling import Calling
from faultloop.loop.checking import Permit
from faultloop.loop.events import Cause, EndReason, Lane, Source
from faultloop.loop.executing import Executing
from faultloop.loop.journal.port import Journal
from faultloop.loop.landmarks import SILENT, Landmarks
from faultloop.loop.message import FinishReason, Message
from faultloop.loop.policy import REFERENCE, Policy
from faultloop.loop.providers.port import ModelRequest, Provider
from faultloop.loop.recorder import Recorder
from faultloop.loop.recovery import closures, is_resumable, questions
from faultloop.loop.registry import Registry
from faultloop.loop.run_events import Subscriber, WentIdle
from faultloop.loop.signals import Arrived, Between, LimitHit, StepOver, Stopped, Woken
from faultloop.loop.state import State
from faultloop.loop.stop import StopSignal
from faultloop.loop.tools.port import Tool
from faultloop.loop.view import view


class Busy(Exception):
    """A prompt came while a turn was running; the host is at fault.

    Steer it, queue a follow-up, wait for `idle`, or choose the policy `second_prompt="queue"`.
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


class Agent:
    """One session of one model with its tools.

    Open it, prompt it, close it. Input, steering and cancelling may come from any task of the same
    event loop; times are that loop's.
    """

    recording: type[Recorder] = Recorder
    asking: type[Asking] = Asking
    calling: type[Calling] = Calling
    executing: type[Executing] = Executing

    def __init__(
        self,
        *,
        provider: Provider,
        tools: Registry | Sequence[Tool],
        journal: Journal,
        policy: Policy = REFERENCE,
        model: str = "fake-model",
        system: str = "",
        session: str = "session",
        random: Random | None = None,
        permit: Permit | None = None,
        landmarks: Landmarks = SILENT,
    ) -> None:
        """`session` enters ids and idempotency keys: give each its own, and the same on a restart.

        `random` only spreads retries. `permit` is asked before each valid call; None permits all.
        """
        self.policy = policy
        self.model = model
        self.system = system
        self.session = session
        self.tools = tools if isinstance(tools, Registry) else Registry(tools)
        random = random or Random(session)
        self.recorder = self.recording(journal=journal, policy=policy, landmarks=landmarks)
        self.asker = self.asking(
            recorder=self.recorder, provider=provider, policy=policy, random=random
        )
        self.caller = self.calling(
            recorder=self.recorder,
            tools=self.tools,
            policy=policy,
            random=random,
            session=session,
        )
        self.executor = self.executing(
            recorder=self.recorder,
            calling=self.caller,
            tools=self.tools,
            policy=policy,
            permit=permit,
        )
        self._signal = StopSignal()
        self._driver: asyncio.Task[None] | None = None
        self._opening = asyncio.Lock()
        self._opened = False
        self._fault = ""

    # --- what a host can do ---------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The session as the journal has it."""
        return self.recorder.state

    @property
    def running(self) -> bool:
        """Whether the loop is not idle (SPEC L9)."""
        return self._driver is not None and not self._driver.done()

    async def open(self) -> tuple[EndReason, ...]:
        """Load the journal and recover. Returns the end reasons that recovery had to write.

        Raises JournalDamaged, or IllegalEvent for a journal that no loop like this one wrote.
        """
        async with self._opening:
            if self._opened:
                return ()
            self.recorder.load()
            recovered = await self.recovered()
            self._opened = True
            return recovered

    async def prompt(self, text: str, *, input_id: str | None = None) -> TurnEnd:
        """Queue the user's message, drive until idle, and say how the last turn ended.

        Raises Busy while a turn is running, unless policy queues.
        """
        if self.running and self.policy.second_prompt == "refuse":
            raise Busy(f"turn {self.state.turn.number} of session {self.session} is running")
        await self._arrive(text, lane="next_turn", source="user", input_id=input_id, wakes=True)
        return await self._driven()

    async def resume(self) -> TurnEnd | None:
        """Go on with queued input, or with a turn that a vanished process left; None: nothing."""
        await self.open()
        if not self.running and not self.state.inbox.wakes and not is_resumable(self.state):
            return None
        return await self._driven()

    async def steer(self, text: str, *, input_id: str | None = None) -> str:
        """Say something before the next model request (SPEC X7). Durable once this returns."""
        return await self._sent(text, "next_step", input_id)

    async def follow_up(self, text: str, *, input_id: str | None = None) -> str:
        """Say something when the loop would otherwise stop (SPEC X7). Durable once this returns."""
        return await self._sent(text, "next_turn", input_id)

    async def inject(
        self, text: str, *, source: Source, lane: Lane = "next_step", input_id: str | None = None
    ) -> str:
        """Input from a tool, a job or the system; never wakes an idle loop (SPEC I4)."""
        if lane == "interrupt":
            self.cancel(INTERRUPTERS[source], text)
            return input_id or ""
        return await self._arrive(text, lane=lane, source=source, input_id=input_id, wakes=False)

    def cancel(self, cause: Cause = "user", reason: str = "") -> bool:
        """Fire the stop signal at once; the first cause wins. False if the loop is idle."""
        if not self.running:
            return False
        queued = tuple(item.input.id for item in self.state.inbox.items)
        self._signal.fire(Stopped(cause=cause, reason=reason, queued=queued))
        return True

    async def idle(self) -> None:
        """Wait until the loop is idle, activities that begin meanwhile included (SPEC L9)."""
        while self._driver is not None and not self._driver.done():
            await asyncio.wait([self._driver])

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Be told of every run event (SPEC E1); call what is returned to hear no more."""
        return self.recorder.subscribe(subscriber)

    async def close(self) -> None:
        """Cancel what runs, wait for it, and let go of the journal."""
        self.cancel("disposed")
        await self.idle()
        await self.caller.trying.close()
        self.recorder.journal.close()

    # --- the driver -----------------------------------------------------------------------------

    async def _sent(self, text: str, lane: Lane, input_id: str | None) -> str:
        taken = await self._arrive(text, lane=lane, source="user", input_id=input_id, wakes=True)
        self._wake()
        return taken

    async def _arrive(
        self, text: str, *, lane: Lane, source: Source, input_id: str | None, wakes: bool
    ) -> str:
        await self.open()
        if input_id is None:
            input_id = f"{self.session}/input/{len(self.state.inbox.seen) + 1}"
        arrived = Arrived(id=input_id, lane=lane, source=source, text=text, wakes=wakes)
        await self.recorder.tell(arrived)
        return input_id

    def _wake(self) -> asyncio.Task[None]:
        if self._driver is None or self._driver.done():
            self._signal = StopSignal()
            self._driver = asyncio.ensure_future(self._activity())
        return self._driver

    async def _driven(self) -> TurnEnd:
        """Drive until idle. A caller that is cancelled takes the turn with it (SPEC X8)."""
        driver = self._wake()
        try:
            await asyncio.shield(driver)
        except asyncio.CancelledError:
            if not driver.done():
                self.cancel("disposed")
                await asyncio.wait([driver])
            raise
        return self._turn_end()

    async def _activity(self) -> None:
        """Drain the queue, a turn at a time, until nothing wakes any more (SPEC I4).

        A fault ends it whatever waits: another turn would meet the same fault again.
        """
        self._fault = ""
        resume = is_resumable(self.state) and not self.state.inbox.wakes
        while (resume or self.state.inbox.wakes) and not self._fault:
            await self._turn(resume=resume)
            resume = False
            if self._fault or not self.state.inbox.wakes:
                await self.recorder.publish(WentIdle())
            self._signal = StopSignal()

    async def _turn(self, *, resume: bool) -> None:
        signal = self._signal
        timer = self._deadline(signal)
        try:
            await self.recovered()  # what a fault before could not close, as after a crash
            await self.recorder.tell(Woken())
            while self.state.phase != "idle":
                await self._step(signal, resume=resume)
        except Exception as fault:  # SPEC L3: whatever it is, the turn ends and says so
            await self.faulted(fault)
        finally:
            if timer is not None:
                timer.cancel()

    def _deadline(self, signal: StopSignal) -> asyncio.TimerHandle | None:
        """Wall time ends a turn in the middle of whatever it does (SPEC L2)."""
        wall_s_max = self.policy.budget.wall_s_max
        if wall_s_max is None:
            return None
        loop = asyncio.get_running_loop()
        return loop.call_later(wall_s_max, signal.fire, LimitHit(limit="timeout"))

    async def _step(self, signal: StopSignal, *, resume: bool) -> None:
        """Do what the phase asks for, after a look at the signal (SPEC X1)."""
        if signal.what is not None:
            await self.recorder.tell(signal.what)
        match self.state.phase:
            case "asking":
                await self.asker.ask(self._request(), signal)
            case "acting":
                await self.executor.run(signal)
                await self.recorder.tell(StepOver())
            case _:
                await self.recorder.tell(Between(resume=resume))

    def _request(self) -> ModelRequest:
        return ModelRequest(
            model=self.model,
            system=self.system,
            messages=self.messages(),
            tools=self.tools.faces(),
            stream=self.policy.stream,
            output_tokens_max=self.policy.output_tokens_max,
        )

    def messages(self) -> tuple[Message, ...]:
        """Seam: what the next request says was said so far (SPEC D6)."""
        return view(self.state)

    async def recovered(self) -> tuple[EndReason, ...]:
        """Seam: close what a vanished process left open (SPEC D2, D7)."""
        if self.state.phase == "idle":
            return ()
        answers: dict[str, str] = {}
        if self.policy.query_unknown:
            for question in questions(self.state, self.tools):
                answer = await self.caller.answer(question.record, question.query, StopSignal())
                if answer is not None:
                    answers[question.record.call] = answer
        await self.recorder.record(closures(self.state, "VANISHED", self.tools, answers=answers))
        return ("interrupted",)

    async def faulted(self, fault: Exception) -> None:
        """Seam: close the turn after an internal fault, without inventing results (SPEC L3)."""
        self._fault = f"internal fault: {fault!r}"
        try:
            await self.recorder.record(closures(self.state, "FAULT", self.tools, error=self._fault))
        except Exception as second:  # the journal itself cannot be written any more
            self._fault += f"; and the turn could not be closed: {second!r}"

    def _turn_end(self) -> TurnEnd:
        turn = self.state.turn
        return TurnEnd(
            turn=turn.number,
            end_reason="error" if self._fault else turn.end_reason or "error",
            finish_reason=turn.finish_reason,
            text=turn.text,
            error=self._fault or turn.error,
        )
