"""The driver: one task that takes a session from idle through its turns and back.

It is one loop over the phase of the session (see the picture in `state`):

    idle     a turn begins when something waits that wakes the loop (or on `resume`)
    ready    `decide` ends the turn, or lets waiting input in and begins a step
    asking   `Asking` brings the model's message, or ends the step
    acting   `Executing` closes every call of it, and the step is over

All that it knows is in the state, all that it does is in the journal first. Nothing that a model
can say raises out of it (SPEC L3): an internal fault closes the turn as `error`, from the inside
out. What a host can do with it is `engine`'s.

A wrong loop, to prove that a bench can catch it, overrides one seam: `recording`, `asking`,
`calling` and `executing` name the classes that do the work, each with its seams listed in its
module; `messages`, `recovered` and `faulted` are the driver's own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from random import Random
from types import MappingProxyType

from msgspec.structs import replace

from faultloop.loop.asking import Asking
from faultloop.loop.calling import Calling
from faultloop.loop.checking import Permit
from faultloop.loop.events import Cause, EndReason
from faultloop.loop.executing import Executing
from faultloop.loop.hooking import CannotGoOn, Hooking
from faultloop.loop.hooks import NO_HOOKS, Hooks
from faultloop.loop.journal.port import Journal, LeaseLost
from faultloop.loop.landmarks import SILENT, Landmarks
from faultloop.loop.lease.keeping import Keeper
from faultloop.loop.lease.port import Lease
from faultloop.loop.message import Message
from faultloop.loop.offer import Offer
from faultloop.loop.output import clean
from faultloop.loop.policy import REFERENCE, Policy
from faultloop.loop.preparing import Preparing
from faultloop.loop.providers.port import Provider
from faultloop.loop.pursuing import Pursuing
from faultloop.loop.recorder import Recorder
from faultloop.loop.recovery import closures, is_resumable, questions
from faultloop.loop.registry import Registry
from faultloop.loop.run_events import WentIdle
from faultloop.loop.signals import LimitHit, StepOver, Stopped, Woken
from faultloop.loop.state import State, Turn
from faultloop.loop.stop import Cut, StopSignal
from faultloop.loop.tools.port import Tool
from faultloop.loop.view import view


class Driver:
    """The turns of one session."""

    recording: type[Recorder] = Recorder
    asking: type[Asking] = Asking
    calling: type[Calling] = Calling
    executing: type[Executing] = Executing

    _late: Stopped | None = None
    """A cancel that came when a turn was over and others waited behind it."""
    _number: int | None = None
    """Of the turn that the driver is at; None before its first."""
    _driver: asyncio.Task[Turn] | None = None
    _prompting: int = 0
    _opened: bool = False
    _fault: str = ""
    _told: Turn = Turn(number=0)
    """The last turn that ended, as whoever drove was told."""

    def __init__(
        self,
        *,
        provider: Provider,
        tools: Registry | Sequence[Tool],
        journal: Journal,
        session: str,
        policy: Policy = REFERENCE,
        model: str = "fake-model",
        system: str = "",
        random: Random | None = None,
        permit: Permit | None = None,
        hooks: Hooks = NO_HOOKS,
        providers: Mapping[str, Provider] = MappingProxyType({}),
        landmarks: Landmarks = SILENT,
        lease: Lease | None = None,
    ) -> None:
        """`session` enters ids and idempotency keys: give each its own, and the same on a restart.

        `random` only spreads retries. `permit` is asked before each valid call; None permits all.
        `providers` are others that a `request` hook may send a request to, by name.
        `lease` keeps other processes from the session; None where there can be no other (SPEC L14).
        """
        if not session:
            raise ValueError("a session needs a name: ids and idempotency keys are made of it")
        self.policy = policy
        self.session = session
        self.offer = Offer(model=model, system=system, tools=_registry(tools), policy=policy)
        random = random or Random(session)
        self.keeper = Keeper(lease)
        journal = self.keeper.journal(journal)
        self.recorder = self.recording(journal=journal, policy=policy, landmarks=landmarks)
        self.hooking = Hooking(hooks, recorder=self.recorder, policy=policy)
        self.pursuing = Pursuing(self.recorder)
        self.preparing = Preparing(
            recorder=self.recorder,
            hooking=self.hooking,
            offer=self.offer,
            policy=policy,
            session=session,
            providers=providers,
        )
        self.asker = self.asking(
            recorder=self.recorder,
            provider=provider,
            policy=policy,
            random=random,
            hooking=self.hooking,
        )
        self.caller = self.calling(
            recorder=self.recorder,
            offer=self.offer,
            policy=policy,
            random=random,
            session=session,
            hooking=self.hooking,
        )
        self.executor = self.executing(
            recorder=self.recorder,
            calling=self.caller,
            offer=self.offer,
            policy=policy,
            hooking=self.hooking,
            permit=permit,
        )
        self.asker.item_came = self._item_came
        self._signal = StopSignal()
        self._takings: dict[asyncio.Future[None], None] = {}
        """Who opens the session or brings input just now."""
        self._opening = asyncio.Lock()

    @property
    def state(self) -> State:
        """The session as the journal has it."""
        return self.recorder.state

    @property
    def tools(self) -> Registry:
        """The tools; what is set here is offered as policy `prompt_and_tools` has it (SPEC L15)."""
        return self.offer.tools

    @tools.setter
    def tools(self, tools: Registry | Sequence[Tool]) -> None:
        self.offer.tools = _registry(tools)

    @property
    def running(self) -> bool:
        """Whether the loop is not idle (SPEC L9): it opens, takes input or drives."""
        return self._is_driving or bool(self._takings)

    @property
    def _is_driving(self) -> bool:
        return self._driver is not None and not self._driver.done()

    @contextmanager
    def _taking(self) -> Iterator[None]:
        """Somebody opens the session or brings input. Whoever finds it idle has a new signal."""
        if not self.running:
            self._signal = StopSignal()
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._takings[mine] = None
        has_gone = False
        try:
            yield
        except asyncio.CancelledError:
            has_gone = True
            raise
        finally:
            del self._takings[mine]
            mine.set_result(None)
            if has_gone and not self._is_driving:
                self._let_go()

    def _lost(self, lost: LeaseLost) -> None:
        """Another process has the session now: stop, and write nothing more (SPEC L14)."""
        if self._is_driving:
            self._signal.fire(Stopped(cause="disposed", reason=str(lost)))
        else:
            self._let_go()

    def _let_go(self) -> None:
        """Release the lease, unless somebody just brings input; the session is to be opened anew.

        After an internal fault (SPEC L3), and when whoever waited for a turn has gone (SPEC X8).
        """
        if self._takings and not self.keeper.is_lost():
            return
        if self.keeper.let_go():
            self._opened = False

    def _stop(self, cause: Cause, reason: str) -> bool:
        """Stop the turn, or the one to come; after a turn's end, what waits behind it (SPEC X4).

        False if nothing does.
        """
        ahead = self.recorder.ahead
        stopped = Stopped(cause=cause, reason=clean(reason), queued=ahead.inbox.droppable)
        if self._number != ahead.turn.number or ahead.phase != "idle":
            self._signal.fire(stopped)
            return True
        if ahead.inbox.wakes:
            self._late = self._late or stopped
        return ahead.inbox.wakes

    def _wake(self) -> asyncio.Task[Turn]:
        if self._driver is None or not self._is_driving:
            self._number = None
            self._driver = asyncio.ensure_future(self._activity())
        return self._driver

    async def _activity(self) -> Turn:
        """Drain the queue, a turn at a time, until nothing wakes any more (SPEC I4).

        Returns the last turn, in error where there was a fault. A fault ends it whatever waits:
        another turn would meet the same fault again. A goal that is armed then wakes the idle loop,
        for another activity (SPEC G2).
        """
        self._fault = ""
        self.offer.run_begins()
        resume = is_resumable(self.state) and not self.state.inbox.wakes
        if not resume and self.pursuing.is_due():
            await self._begin_round()
        while (resume or self.state.inbox.wakes) and not self._fault:
            await self._turn(resume=resume)
            self._told = self._as_told()
            resume = False
            await self._stop_what_waits()
            await self.pursuing.turn_over(self.state.turn.end_reason, self._fault)
            if self._fault or not self.state.inbox.wakes:
                await self.recorder.publish(WentIdle())
                await self._stop_what_waits()
        self._number = None
        if self._fault:
            self._let_go()
        elif self.pursuing.is_due():
            self._driver = asyncio.ensure_future(self._activity())
        self._told = self._as_told()
        return self._told

    def _as_told(self) -> Turn:
        """The turn, in error where there was a fault: the next activity, a round's, has its own."""
        turn = self.state.turn
        return replace(turn, end_reason="error", error=self._fault) if self._fault else turn

    async def _begin_round(self) -> None:
        try:
            await self.pursuing.begin_round()
        except Exception as fault:  # what cannot be written must not be tried again and again
            self._fault = _internal(fault)
            await self.pursuing.disarm(self._fault)

    async def _stop_what_waits(self) -> None:
        """A cancel that came too late for the turn is one of what waits behind it (SPEC X4)."""
        recorded = self.state.turn.stop is not None
        if isinstance(self._signal.what, Stopped) and not recorded:
            self._late = self._late or self._signal.what
        self._signal = StopSignal()
        while self._late is not None:
            late, self._late = self._late, None
            try:
                await self.recorder.tell(late)
            except Exception as fault:
                self._fault = self._fault or _internal(fault)

    async def _turn(self, *, resume: bool) -> None:
        signal = self._signal
        timer = self._deadline(signal)
        try:
            await self.recovered()  # what a fault before could not close, as after a crash
            self._number = self.state.turn.number + 1
            await self.recorder.tell(Woken())
            while self.state.phase != "idle":
                await self._step(signal, resume=resume)
        except Exception as fault:  # SPEC L3: whatever it is, the turn ends and says so
            await self.executor.abandon()
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
                await self._ask(signal)
            case "acting":
                await self.executor.run(signal)
                await self.recorder.tell(StepOver(error=self.asker.gave_up))
            case _:
                with suppress(Cut):  # the next look at the signal says so
                    await self.preparing.between(signal, resume=resume)

    async def _ask(self, signal: StopSignal) -> None:
        try:
            request, elsewhere = await self.preparing.request(self.messages(), signal)
        except Cut:
            assert signal.what is not None, "nothing is cut that nothing stopped"
            await self.recorder.tell(signal.what, StepOver())
        except CannotGoOn as broke:
            await self.recorder.tell(StepOver(error=str(broke)))
        else:
            self.asker.elsewhere = elsewhere
            await self.asker.ask(request, signal)

    def _item_came(self) -> None:
        self.executor.joined(self._signal)

    def messages(self) -> tuple[Message, ...]:
        """Seam: what the next request says was said so far (SPEC D6)."""
        return view(self.state, self.policy.result_order)

    async def recovered(self) -> tuple[EndReason, ...]:
        """Seam: close what a vanished process left open (SPEC D2, D7)."""
        self.recorder.make_sure()
        if self.state.phase == "idle":
            return ()
        answers: dict[str, str] = {}
        if self.policy.query_unknown:
            for question in questions(self.state, self.tools):
                if self._signal.fired:
                    break
                answer = await self.caller.answer(question.record, question.query, self._signal)
                if answer is not None:
                    answers[question.record.call] = answer
        closing = closures(self.state, "VANISHED", self.tools, policy=self.policy, answers=answers)
        await self.recorder.record(closing)
        return ("interrupted",)

    async def faulted(self, fault: Exception) -> None:
        """Seam: close the turn after an internal fault, without inventing results (SPEC L3).

        One that lost its lease closes nothing: what becomes of the turn is another's to say.
        """
        if isinstance(fault, LeaseLost):
            self._fault = f"lease lost: {fault}"
            return
        self._fault = _internal(fault)
        try:
            self.recorder.make_sure()
            closing = closures(
                self.state, "FAULT", self.tools, policy=self.policy, error=self._fault
            )
            await self.recorder.record(closing)
        except Exception as second:  # the journal itself cannot be written any more
            self._fault += f"; and the turn could not be closed: {second!r}"


def _internal(fault: Exception) -> str:
    return f"internal fault: {fault!r}"


def _registry(tools: Registry | Sequence[Tool]) -> Registry:
    return tools if isinstance(tools, Registry) else Registry(tools)
