"""Running hooks: one at a time, within their time, and never past the stop signal (SPEC L13, X1).

`_ask` is the only way to a hook. What it raises, an answer that it may not give (`answers`), and a
wait longer than policy allows are journalled; where the table (`hooks.POINTS`) says that the loop
cannot go on without it, `CannotGoOn` is raised as well. A hook that waits is cut by the stop signal
like any other wait, and if it stops, nothing is held against it; one that does not stop in the
grace that tools have is given up and left behind; a stream is read in a task of its own (`pump`),
so that the same holds for each of its pieces and for its end. Two are not cut by the signal itself:
`stream`, because the attempt that it is part of is, and `after_tool`, because what it would take
out of a result must not get into the history because somebody pressed Esc.

A hook must not wait for the very turn that waits for it. What of the agent's would do so asks
`refuse_from_inside`, which knows whose hooks are under way in the context that it is called from.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from faultloop.loop import answers, wording
from faultloop.loop.answers import NoAnswer
from faultloop.loop.checking import Ready
from faultloop.loop.contract import Contract
from faultloop.loop.hooks import (
    POINTS,
    Block,
    Entering,
    Hooks,
    MaybeAwaitable,
    Point,
    Reject,
    Rerouted,
    Say,
    Verdict,
    name_of,
)
from faultloop.loop.message import Message
from faultloop.loop.output import clean, head
from faultloop.loop.policy import Policy
from faultloop.loop.providers.port import Delta, ModelRequest, ProviderFailure
from faultloop.loop.pump import OVER, Pump
from faultloop.loop.recorder import Recorder
from faultloop.loop.signals import HookBroken
from faultloop.loop.state import Turn
from faultloop.loop.stop import Cut, StopSignal, is_cancelled_itself
from faultloop.loop.strict_json import copied
from faultloop.loop.tools.port import ToolResult

T = TypeVar("T")
Hook = Callable[..., MaybeAwaitable[object]]

ERROR_BYTES = 500
"""How much of what a hook raised is kept."""

GOES_ON = "it was told to stop, and goes on"


class CannotGoOn(Exception):
    """A hook failed where the loop cannot go on without it; the host is at fault."""


class InsideHook(Exception):
    """A hook would wait for the turn that waits for it; the host is at fault."""


class LookedOver(NamedTuple):
    """A result, as the hooks behind a tool have left it."""

    result: ToolResult
    withheld: bool
    """A hook failed: what the tool said is not in it."""


@dataclass(slots=True, kw_only=True)
class Visit:
    """Somebody's hook is under way."""

    of: Hooking
    over: bool = False
    """Tasks that the hook began may still be there after it."""


_VISITS: ContextVar[tuple[Visit, ...]] = ContextVar("visits", default=())
"""The hooks inside of which this is. More than one where a hook drives another agent."""


class Hooking:
    """Runs the hooks of one session, and journals which of them failed."""

    def __init__(self, hooks: Hooks, *, recorder: Recorder, policy: Policy) -> None:
        self.hooks = hooks
        self.recorder = recorder
        self.policy = policy
        self._strays: dict[asyncio.Future[Any], None] = {}
        """Hooks that were given up but may still be running."""

    # --- the points, in the order of a turn -----------------------------------------------------

    async def enter(self, entering: Entering, signal: StopSignal) -> Entering | Reject:
        """What enters before a step. Raises CannotGoOn and Cut."""
        asked = entering.inputs
        for hook in self.hooks.pre_step:
            sound = answers.entering
            answer = await self._ask("pre_step", hook, entering, sound=sound, signal=signal)
            if isinstance(answer, Reject):
                return answer
            entering = answer or entering
        kept = {name: clean(entering.inputs.get(name, "")) for name in asked}
        return replace(entering, inputs=kept)

    async def context(
        self, messages: tuple[Message, ...], signal: StopSignal
    ) -> tuple[Message, ...]:
        """What the next request says was said so far. Raises CannotGoOn and Cut."""
        for hook in self.hooks.context:
            sound = answers.messages
            answer = await self._ask("context", hook, messages, sound=sound, signal=signal)
            messages = messages if answer is None else answer
        return messages

    async def request(self, going: Rerouted, signal: StopSignal) -> Rerouted:
        """The request, and where it goes. Raises CannotGoOn and Cut."""
        for hook in self.hooks.request:
            sound = answers.rerouted
            going = await self._ask("request", hook, going, sound=sound, signal=signal) or going
        return going

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta] | None:
        """An answer in the provider's place; the first hook that has one gives it.

        Raises CannotGoOn, and so does what is returned, which raises ProviderFailure as well.
        """
        for hook in self.hooks.stream:
            sound = answers.stream
            answer = await self._ask("stream", hook, request, sound=sound, signal=None)
            if answer is not None:
                return self._heard(hook, answer)
        return None

    async def request_error(
        self, failure: ProviderFailure, failures: int, signal: StopSignal
    ) -> Verdict | None:
        """Whether a failed request is made again; None: as policy says. Raises Cut."""
        verdict: Verdict | None = None
        for hook in self.hooks.request_error:
            given, sound = (failure, failures), answers.verdict
            answer = await self._ask("request_error", hook, *given, sound=sound, signal=signal)
            verdict = answer or verdict
        return verdict

    async def before_tool(self, ready: Ready, signal: StopSignal) -> Block | None:
        """Whether a valid call is blocked, and why. Raises CannotGoOn and Cut."""
        for hook in self.hooks.before_tool:
            given = (ready.contract, copied(ready.args))
            sound = answers.block
            block = await self._ask("before_tool", hook, *given, sound=sound, signal=signal)
            if block is not None:
                return block
        return None

    async def after_tool(self, contract: Contract, result: ToolResult) -> LookedOver:
        """The result that goes to the model; where a hook failed, without what the tool said."""
        withheld = False
        for hook in self.hooks.after_tool:
            given, sound = (contract, result), answers.result
            answer = await self._ask("after_tool", hook, *given, sound=sound, signal=None)
            withheld = withheld or answer is None
            result = wording.withheld(result) if answer is None else answer
        return LookedOver(result, withheld=withheld)

    async def stopping(self, turn: Turn, say: Say, signal: StopSignal) -> None:
        """The turn would end now; whoever has something to say says it (SPEC L7). Raises Cut."""
        for hook in self.hooks.stopping:
            given, sound = (turn, say), answers.going_on
            answer = await self._ask("stopping", hook, *given, sound=sound, signal=signal)
            if answer is not None and self.policy.continuation == "callback":
                await say(answer.text)

    # --- one hook -------------------------------------------------------------------------------

    async def _ask(
        self,
        point: Point,
        hook: Hook,
        *given: object,
        sound: Callable[[object], T],
        signal: StopSignal | None,
    ) -> T | None:
        """What this hook answers; None also where it failed and the loop goes on without it."""
        if signal is not None and signal.fired:
            raise Cut
        error, answer = "", None
        try:
            with self._visit():
                said: object = hook(*given)
                if inspect.isawaitable(said):
                    said = await self._waited(point, hook, said, signal)
            answer = sound(said)
        except NoAnswer as none:
            error = str(none)
        except BaseException as raised:
            cut = isinstance(raised, Cut) and signal is not None and signal.fired
            if cut or _is_ours(raised):
                raise
            error = _raised(raised)
        if error:
            await self._failed(point, hook, error)
        if signal is not None and signal.fired:
            raise Cut
        if error and POINTS[point].needed:
            raise _needed(point, hook, error)
        return answer

    async def _waited(
        self, point: Point, hook: Hook, answer: Awaitable[object], signal: StopSignal | None
    ) -> object:
        """What it answers in the end. Raises NoAnswer, Cut, and whatever it raises."""
        work = asyncio.create_task(_work(answer))
        seconds = self.policy.hook_timeout_s
        try:
            if signal is None:
                await asyncio.wait([work], timeout=seconds)
            else:
                await signal.over(work, timeout_s=seconds)
            is_cut = signal is not None and signal.fired
            is_late = not (work.done() or is_cut)
            if not work.done():
                await self._stopped(work)
        except asyncio.CancelledError:
            if not await self._stopped(work):
                await self._failed(point, hook, GOES_ON)
            raise
        finally:
            if work.done() and inspect.iscoroutine(answer):
                answer.close()  # where it was stopped before it began, nobody else does
        if is_late:
            goes_on = "" if work.done() else ", and could not be stopped"
            raise NoAnswer(f"it did not answer within {seconds:g} s{goes_on}")
        if not work.done():
            raise NoAnswer(GOES_ON)
        if work.cancelled() and is_cut:
            raise Cut
        return work.result()

    async def _stopped(self, work: asyncio.Future[Any]) -> bool:
        """Stop it. False if it does not stop in its grace, so that it is left behind."""
        work.cancel()
        try:
            await asyncio.wait([work], timeout=self.policy.stop_grace_s)
        finally:
            if not work.done():
                self._strays[work] = None
                work.add_done_callback(self._strayed_home)
        return work.done()

    def _strayed_home(self, work: asyncio.Future[Any]) -> None:
        self._strays.pop(work, None)
        if not work.cancelled():
            work.exception()  # looked at, so that asyncio does not complain of it

    async def _heard(self, hook: Hook, stream: AsyncIterator[Delta]) -> AsyncIterator[Delta]:
        """What a stream hook answers with, piece by piece; it may fail at each of them."""
        seconds: float | None = self.policy.hook_timeout_s
        pump, error = Pump(stream, self._visit), ""
        try:
            while not error:
                try:
                    said = await pump.piece(seconds)
                    if said is OVER:
                        await asyncio.wait((pump.task,), timeout=self.policy.stop_grace_s)
                        return
                    delta = answers.delta(said)
                except ProviderFailure:
                    raise
                except NoAnswer as none:
                    error = str(none)
                except BaseException as raised:
                    if _is_ours(raised):
                        raise
                    error = _raised(raised)
                else:
                    yield delta
                    seconds = None  # from here on policy bounds its silence, as a provider's
        finally:
            error = await self._let_go(hook, pump, error)
        raise _needed("stream", hook, error)

    async def _let_go(self, hook: Hook, pump: Pump, error: str) -> str:
        """Stop a stream, and journal what went wrong with it, if anything did; returns that."""
        if not await self._stopped(pump.task):
            error = f"{error}, and could not be stopped" if error else GOES_ON
        if error:
            await self._failed("stream", hook, error)
        return error

    async def _failed(self, point: Point, hook: Hook, error: str) -> None:
        await self.recorder.tell(HookBroken(point=point, hook=name_of(hook), error=error))

    # --- from inside a hook ---------------------------------------------------------------------

    @contextmanager
    def _visit(self) -> Iterator[None]:
        visit = Visit(of=self)
        token = _VISITS.set((*_VISITS.get(), visit))
        try:
            yield
        finally:
            visit.over = True
            _VISITS.reset(token)

    def refuse_from_inside(self, what: str) -> None:
        """Raises InsideHook where a hook of these would wait for its own turn by this."""
        if any(visit.of is self and not visit.over for visit in _VISITS.get()):
            raise InsideHook(
                f"a hook called `{what}`, which waits for the turn that waits for the hook: steer,"
                " queue a follow-up or cancel instead, or do it once the hook has answered"
            )

    async def close(self) -> None:
        """Let go of the hooks that were left behind."""
        strays = list(self._strays)
        for work in strays:
            work.cancel()
        if strays:
            await asyncio.wait(strays, timeout=self.policy.stop_grace_s)


async def _work(answer: Awaitable[object]) -> object:
    """SystemExit and KeyboardInterrupt would leave the task through the event loop, past everybody
    who waits, and nothing would be closed: from a hook they are failures like any other."""
    try:
        return await answer
    except (KeyboardInterrupt, SystemExit) as error:
        raise NoAnswer(_raised(error)) from error


def _is_ours(raised: BaseException) -> bool:
    """Whether it is not the hook that was cancelled or closed, but whoever asks it."""
    if isinstance(raised, asyncio.CancelledError):
        return is_cancelled_itself()
    return isinstance(raised, GeneratorExit)


def _raised(raised: BaseException) -> str:
    try:
        return head(clean(f"it raised {raised!r}"), ERROR_BYTES)
    except Exception:  # it cannot even say what it is
        return f"it raised a {type(raised).__name__}, whose text cannot be had"


def _needed(point: Point, hook: Hook, error: str) -> CannotGoOn:
    return CannotGoOn(f"the {point} hook {name_of(hook)} failed: {error}")
