"""Executing a batch: every call of the step is closed when this is done, whatever happens.

    check, one by one     find the tool, read the arguments, ask permission (SPEC P10)
    start, as allowed     `schedule` says which may start now, anew after every change (SPEC S1)
    wind down             on the signal: what waits is refused, what runs is stopped or waited for

Where policy starts each call as soon as it is whole, a task of its own (`_follow`) does the same
while the reply is still being read: calls join the batch as they are committed, `run` tells it that
no more will come, and it ends when all are closed. If the reply turns out cut, or breaks off, what
has not started by then never does, and what has comes to its end (SPEC L4, P1).

One call's life is `calling`'s. Each failure stays the call's own (SPEC S3); a failure of this loop
itself stops what runs and is raised, and invents no results (SPEC X2).

Seams, one small method each: `check`, `may_start`, `wind_down`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from faultloop.loop import checking, schedule, wording
from faultloop.loop.arguments import canonical
from faultloop.loop.calling import Calling, stop_code
from faultloop.loop.checking import Permission, Permit, Ready, Refused
from faultloop.loop.decide import FORBIDDING
from faultloop.loop.hooking import CannotGoOn, Hooking
from faultloop.loop.hooks import Block
from faultloop.loop.offer import Offer
from faultloop.loop.output import head
from faultloop.loop.policy import Policy
from faultloop.loop.recorder import Recorder
from faultloop.loop.run_events import PermissionAnswered, PermissionAsked
from faultloop.loop.schedule import Decision, Planned, Progress
from faultloop.loop.signals import CallRefused
from faultloop.loop.state import CallRecord
from faultloop.loop.stop import Cut, StopSignal
from faultloop.loop.strict_json import copied

ANSWER_BYTES = 100
"""How much of an answer that is no Permission is quoted."""


@dataclass(slots=True, kw_only=True)
class Batch:
    """The calls of one step while they are being executed."""

    signal: StopSignal
    planned: list[Planned] = field(default_factory=list)
    ready: dict[str, Ready] = field(default_factory=dict)
    progress: dict[str, Progress] = field(default_factory=dict)
    lives: dict[str, asyncio.Task[Progress]] = field(default_factory=dict)
    early: bool = False
    """It was begun before its message was committed."""
    coming: bool = False
    """The reply is still being read: other calls may join."""
    news: asyncio.Future[None] | None = None
    """Done once something has changed since the follower looked: see `joined`, `_followed`."""

    @property
    def waits(self) -> bool:
        """Whether a call waits for its start."""
        return "waiting" in self.progress.values()

    def expect_news(self) -> asyncio.Future[None]:
        """Done at the next `wake`. Ask for it before you look at what there is to know."""
        self.news = asyncio.get_running_loop().create_future()
        return self.news

    def wake(self) -> None:
        """Have the follower look again."""
        if self.news is not None and not self.news.done():
            self.news.set_result(None)

    async def one_over(self) -> None:
        """Wait until a call that runs is over. Cancelling the wait leaves the call alone."""
        await asyncio.wait(self.lives.values(), return_when=asyncio.FIRST_COMPLETED)

    def collect(self) -> None:
        """Note which calls are over. A fault in leading one (not in its tool) is raised here."""
        for call in [call for call, life in self.lives.items() if life.done()]:
            self.progress[call] = self.lives[call].result()
            del self.lives[call]

    async def abandon(self) -> None:
        """The loop itself failed: stop what runs."""
        for life in self.lives.values():
            life.cancel()
        await asyncio.gather(*self.lives.values(), return_exceptions=True)


class Early(NamedTuple):
    """Calls that run before their message, and the task that sees to them."""

    batch: Batch
    follower: asyncio.Task[None]


class Executing:
    """Takes a step from its committed message to its last result."""

    def __init__(
        self,
        *,
        recorder: Recorder,
        calling: Calling,
        offer: Offer,
        policy: Policy,
        hooking: Hooking,
        permit: Permit | None = None,
    ) -> None:
        self.recorder = recorder
        self.calling = calling
        self.offer = offer
        self.policy = policy
        self.hooking = hooking
        self.permit = permit
        calling.permitted = self._permitted
        self._passed: list[Ready] = []
        """Calls of the current batch that were found right so far."""
        self._early: Early | None = None

    async def run(self, signal: StopSignal) -> None:
        """Close every call of the current step."""
        if self._early is not None:
            await self._followed(self._early, signal)
            return
        turn = self.recorder.state.turn
        if turn.truncated:
            await self._refuse_queued(signal)
            return
        batch = Batch(signal=signal)
        self._passed = []
        await self._check_all(turn.open_calls, batch)
        try:
            await self._start_all(batch)
            await self._wind_down(batch)
        except BaseException:
            await batch.abandon()
            raise

    async def check(self, record: CallRecord, signal: StopSignal) -> Ready | Refused | None:
        """Seam: whether this call may run at all; None if the signal cut the question."""
        checked = checking.read(record, self.offer.offered, self.policy.arguments)
        if isinstance(checked, Refused):
            return checked
        earlier = self._same(checked) if self.policy.repeat_guard else None
        if earlier is not None:
            return checking.repeated(checked, earlier)
        try:
            return await self._permitted(checked, signal)
        except Cut:
            return None

    async def _permitted(self, ready: Ready, signal: StopSignal) -> Ready | Refused:
        """Whether hooks and permission let a valid call run, or a query of the loop's own.

        Raises Cut.
        """
        try:
            block = await self.hooking.before_tool(ready, signal)
        except CannotGoOn as broke:
            block = Block(str(broke))
        if block is not None:
            return checking.blocked(ready, block.reason)
        if self.permit is None:
            return ready
        asked = PermissionAsked(
            call=ready.record.call, tool=ready.contract.name, arguments=canonical(ready.args)
        )
        await self.recorder.publish(asked)
        permission = Permission(granted=False)
        try:
            permission = await signal.cut(_asked(self.permit, ready))
        finally:
            answered = PermissionAnswered(call=asked.call, granted=permission.granted)
            await self.recorder.publish(answered)
        return ready if permission.granted else checking.denied(ready, permission)

    def _same(self, ready: Ready) -> str | None:
        """The id of an earlier call of the turn that asked for the very same (SPEC S7)."""
        asked = (ready.contract.name, canonical(ready.args))
        for ran in self.recorder.state.turn.ran:
            if (ran.tool, ran.given) == asked:
                return ran.id
        for other in self._passed:
            if (other.contract.name, canonical(other.args)) == asked:
                return other.record.id
        return None

    def may_start(self, planned: Sequence[Planned], progress: Mapping[str, Progress]) -> Decision:
        """Seam: which waiting calls may start now."""
        return schedule.decide(
            planned, progress, pool=self.policy.parallel_max, whole_batch=self.policy.whole_batch
        )

    async def wind_down(self, signal: StopSignal) -> None:
        """Seam: say who stopped the turn, and close what has not started (SPEC X2)."""
        assert signal.what is not None, "nobody winds down whom nothing stopped"
        await self.recorder.tell(signal.what)
        open_calls = self.recorder.state.turn.open_calls
        queued = [record for record in open_calls if record.stage == "queued"]
        await self._refuse(queued, stop_code(signal))

    # --- calls of a reply that is still being read ----------------------------------------------

    def joined(self, signal: StopSignal) -> None:
        """Calls of the current step were committed before their message; see to them."""
        if self._early is None:
            self._passed = []
            batch = Batch(signal=signal, early=True, coming=True)
            self._early = Early(batch, asyncio.create_task(self._follow(batch)))
        self._early.batch.wake()

    async def abandon(self) -> None:
        """The loop itself failed: stop what runs before its message, and raise nothing."""
        early, self._early = self._early, None
        if early is not None:
            early.follower.cancel()
            await asyncio.gather(early.follower, return_exceptions=True)

    async def _followed(self, early: Early, signal: StopSignal) -> None:
        """No more calls will join. The signal may have fired after the last of them was begun."""
        early.batch.coming = False
        early.batch.wake()
        try:
            await early.follower
        finally:
            self._early = None
        if signal.fired:
            await self.wind_down(signal)

    async def _follow(self, batch: Batch) -> None:
        try:
            while not batch.signal.fired:
                news = batch.expect_news()
                is_whole, turn = not batch.coming, self.recorder.state.turn
                joined = turn.batch[len(batch.planned) :]
                if turn.truncated:
                    await self._refuse_queued(batch.signal)
                    batch.progress = dict.fromkeys(batch.lives, "running")
                else:
                    await self._check_joined(joined, batch)
                    await self._start_some(batch)
                    if joined:
                        continue  # there may have been news while they were checked
                is_idle = not (batch.lives or batch.waits)
                if is_idle and is_whole:
                    break
                if is_idle or batch.lives:
                    await batch.signal.first_of((*batch.lives.values(), news))
                    batch.collect()
            await self._wind_down(batch)
        except BaseException:
            await batch.abandon()
            raise

    async def _check_joined(self, records: Sequence[CallRecord], batch: Batch) -> None:
        """Check them; once the reply turns out cut, nobody's answer is waited for (SPEC P10)."""
        if not records:
            return
        checks = asyncio.create_task(self._check_all(records, batch))
        try:
            while not (checks.done() or batch.signal.fired):
                news = batch.expect_news()
                if self.recorder.state.turn.truncated:
                    checks.cancel()
                    break
                await batch.signal.first_of((checks, news))
            await asyncio.wait((checks,))
        except BaseException:
            checks.cancel()
            raise
        if not checks.cancelled():
            checks.result()  # a fault of the loop's own is raised here

    # --- a batch, part by part ------------------------------------------------------------------

    async def _check_all(self, records: Sequence[CallRecord], batch: Batch) -> None:
        for record in records:
            if batch.signal.fired or self.recorder.state.turn.truncated:
                return
            checked = await self.check(record, batch.signal)
            if checked is None:
                return
            batch.planned.append(checked.planned)
            if isinstance(checked, Refused):
                await self.recorder.tell(checked.signal)
                batch.progress[record.call] = "failed"
            else:
                self._passed.append(checked)
                batch.ready[record.call] = checked
                batch.progress[record.call] = "waiting"

    async def _start_all(self, batch: Batch) -> None:
        """Until every call is over, or the signal fires."""
        while not batch.signal.fired and (batch.lives or batch.waits):
            await self._start_some(batch)
            if batch.lives:
                await batch.signal.first_of(batch.lives.values())
                batch.collect()

    async def _start_some(self, batch: Batch) -> None:
        """Those that may start now."""
        decision = self.may_start(batch.planned, batch.progress)
        if batch.waits and not (decision.start or decision.refuse or batch.lives):
            raise RuntimeError("the schedule neither starts nor refuses the calls that wait")
        for call, tool in decision.refuse.items():
            content = wording.not_executed("DEPENDENCY", tool=tool)
            await self._refuse([batch.ready[call].record], "DEPENDENCY", content)
            batch.progress[call] = "failed"
        for call in decision.start:
            if not batch.signal.fired:
                await self._start(call, batch)

    async def _start(self, call: str, batch: Batch) -> None:
        """In the model's order: the next is not written ahead before this one is."""
        ready = batch.ready[call]
        stray = self.calling.in_the_way(ready)
        if stray is not None:
            busy = wording.not_executed("BUSY", tool=stray)
            await self._refuse([ready.record], "BUSY", busy)
            batch.progress[call] = "failed"
            return
        attempt = await self.calling.begin(ready)
        if not attempt and batch.early:
            return  # the reply turned out cut a moment before: `decide` has started nothing
        batch.progress[call] = "running"
        batch.lives[call] = asyncio.create_task(self.calling.live(ready, attempt, batch.signal))

    async def _wind_down(self, batch: Batch) -> None:
        """Where the signal has fired; what runs comes to its end first."""
        if not batch.signal.fired:
            return
        await self.wind_down(batch.signal)
        while batch.lives:
            await batch.one_over()
            batch.collect()

    async def _refuse_queued(self, signal: StopSignal) -> None:
        """The reply was cut or broke off: what has not started does not start (SPEC P1)."""
        turn = self.recorder.state.turn
        code = FORBIDDING.get(turn.finish_reason or "", "TRUNCATED")
        content = ""
        if turn.broken:
            code = stop_code(signal) if signal.fired else "BROKEN"
        elif code == "TRUNCATED" and any(
            one.stage in ("started", "completed") for one in turn.batch
        ):
            content = wording.not_executed("TRUNCATED_LATER")
        queued = [record for record in turn.open_calls if record.stage == "queued"]
        await self._refuse(queued, code, content)

    async def _refuse(self, records: Sequence[CallRecord], code: str, content: str = "") -> None:
        refusals = (CallRefused(record=record, code=code, content=content) for record in records)
        await self.recorder.tell(*refusals)


async def _asked(permit: Permit, ready: Ready) -> Permission:
    """Whoever cannot answer, or answers something else than a Permission, has not said yes."""
    try:
        said: object = await permit(ready.contract, copied(ready.args))
    except (GeneratorExit, asyncio.CancelledError):
        raise
    except BaseException as error:  # whatever it is, it is no yes
        return Permission(granted=False, reason=f"the permission check broke ({error!r})")
    if isinstance(said, Permission) and said.granted is True:
        return said
    if isinstance(said, Permission):
        return Permission(granted=False, reason=said.reason)
    answer = head(repr(said), ANSWER_BYTES)
    return Permission(
        granted=False, reason=f"the permission check answered {answer} in place of a Permission"
    )
