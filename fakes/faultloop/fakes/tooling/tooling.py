"""Tool invocations: from a call that arrives to an answer, an effect, or neither.

The way of a call: arrived, checked, struck by a fault perhaps, held perhaps, applied, answered.
The effect is applied and written down in one breath (no await between), so history and ledger
agree whatever is killed when. A client that lets go stops work that waits, unless it is deaf.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import msgspec

from faultloop.fakes.answers import ToolAnswer
from faultloop.fakes.company import Company
from faultloop.fakes.cues import Cues
from faultloop.fakes.faults.armed import Armed
from faultloop.fakes.held import Held
from faultloop.fakes.history import History
from faultloop.fakes.speech import Batch
from faultloop.fakes.tooling.disconnected import Disconnected
from faultloop.fakes.tooling.invocation import UNSTRUCK, Invocation, Invocations, Struck
from faultloop.fakes.tooling.offer import Offer
from faultloop.fakes.tooling.outputs import Outputs
from faultloop.fakes.tooling.record import Record
from faultloop.fakes.tooling.told import Done, Failed, Lost, Page, Told
from faultloop.fakes.tooling.waiting import Tier, Waiting
from faultloop.fakes.world.tool import WorldTool
from faultloop.fakes.world.world import Applied, ToolFailed, World

__all__ = ["OWN_COMMAND", "Tier", "Tooling"]

OWN_COMMAND = "run_command"
"""The tool that a subject may run itself, as a child process."""

_encode = msgspec.json.Encoder().encode
_decode_args = msgspec.json.Decoder(dict[str, Any]).decode


class Tooling:
    """The tool side of a stage. Raises ValueError for a fault that makes no sense in this world."""

    def __init__(
        self, *, history: History, world: World, armed: Armed, cues: Cues, held: Held, tier: Tier
    ) -> None:
        company = Company(held)
        self.offer = Offer(world, armed)
        self._record = Record(history)
        self._world = world
        self._armed = armed
        self._cues = cues
        self._held = held
        self._company = company
        self._outputs = Outputs()
        self._invocations = Invocations(company)
        self._waiting = Waiting(
            held=held, company=company, world=world, record=self._record, tier=tier
        )
        self._disconnected = Disconnected(self._record, self._invocations, self._waiting.let_go)
        self._own: dict[int, Struck] = {}
        self._let_go: dict[int, asyncio.Event] = {}

    def listed(self, start: int) -> tuple[WorldTool, ...]:
        """The tools as they are now; a start of the subject, or 0 for the bench, asked for them."""
        tools, drifts = self.offer.listed()
        for strike in drifts:
            self._record.drifted(strike, start)
        return tools

    def invocation(self, number: int) -> Invocation:
        """A call that arrived earlier."""
        return self._invocations[number]

    def arrive(
        self,
        start: int,
        tool: str,
        arguments: str,
        *,
        batch: Batch | None,
        call_id: str | None = None,
        key: str | None = None,
        own: bool = False,
    ) -> Invocation:
        """Write down that a call arrived."""
        call = self._invocations.add(start, tool, arguments, batch=batch, call_id=call_id, key=key)
        self._record.arrived(call, own=own)
        return call

    async def run(
        self,
        call: Invocation,
        gone: asyncio.Event,
        kept: asyncio.Event | None = None,
        lost: asyncio.Event | None = None,
    ) -> ToolAnswer | None:
        """Carry a call through. None: the client let go or was lost, and nobody is to be answered.

        `kept` is set once the call is kept waiting; `lost` as in `Stage.invoke`.
        """
        answer = None
        if kept is not None:
            self._waiting.listen(call, kept)
        try:
            answer = await self._carry(call, gone, lost)
        finally:
            self._invocations.settle(call)
            if answer is None or answer.status == 0:
                self._company.over(call.number)
        return answer

    async def delivered(self, call: Invocation) -> None:
        """The answer to a call was sent."""
        self._company.over(call.number)
        await self.reach("result_sent", call)

    async def _carry(
        self, call: Invocation, gone: asyncio.Event, lost: asyncio.Event | None
    ) -> ToolAnswer | None:
        await self.reach("call_arrived", call)
        if call.tool not in self.offer:
            why = f"there is no tool {call.tool!r}"
            return self._record.answered(call, Failed(404, "UNKNOWN_TOOL", why))
        args, problem, cursor, drifted = self.offer.read(call.tool, call.arguments)
        if drifted is not None:
            self._record.drifted(drifted, call.start, call)
        if problem is not None:
            return self._record.answered(call, Failed(422, "INVALID_ARGS", problem))
        if cursor is not None:
            return self._record.answered(call, self._outputs.at(call.tool, args, cursor))
        struck = self._strike(call)
        if lost is None:
            return await self._work(call, args, struck, gone)
        with self._disconnected.watched(call, struck.gateway, lost):
            return await self._work(call, args, struck, gone)

    async def _work(
        self, call: Invocation, args: dict[str, Any], struck: Struck, gone: asyncio.Event
    ) -> ToolAnswer | None:
        gateway = struck.gateway
        if gateway.hang:
            self._record.fired(call, struck)
            await self._waiting.for_ever(call, gone)
            return self._abandon(call, stopped=True)
        if gateway.refuse is not None:
            self._record.fired(call, struck)
            return self._record.answered(call, Page(gateway.refuse))
        if gateway.raises is not None:
            self._record.fired(call, struck)
            return self._record.answered(call, Failed(500, "TOOL_FAILED", gateway.raises))
        if not await self._waiting.through(call, args, struck, gone):
            return self._abandon(call, stopped=True)
        return await self._apply(call, args, struck, gone)

    async def reach(self, landmark: str, call: Invocation) -> None:
        """Pass a landmark that concerns a call. Does not return if its start was killed here."""
        if not self._cues.watches(landmark):
            return
        step = call.batch.step if call.batch else None
        lives = await self._cues.reach(landmark, start=call.start, step=step, tools=(call.tool,))
        if not lives:
            self._invocations.over(call)
            await self._held.for_ever()

    @property
    def is_settled(self) -> bool:
        """Whether no call is under way."""
        return self._invocations.are_settled

    async def settled(self) -> None:
        """Wait until no call is under way: each was answered, let go of, or died with its start."""
        await self._invocations.settled()

    # --- a command that the subject runs itself -----------------------------------------------

    async def own_began(self, start: int, command: str, *, batch: Batch | None) -> int:
        """A child of the subject began a command that the world knows."""
        arguments = _encode({"command": command}).decode()
        call = self.arrive(start, OWN_COMMAND, arguments, batch=batch, own=True)
        await self.reach("call_arrived", call)
        self._own[call.number] = self._strike(call, own=True)
        return call.number

    async def own_held(self, number: int, gone: asyncio.Event) -> bool:
        """Wait for as long as the command takes. False: it was let go of."""
        call = self._invocations[number]
        self._let_go[number] = gone
        args = _decode_args(call.arguments)
        return await self._waiting.through(call, args, self._own[number], gone)

    async def own_ended(self, number: int, *, applied: bool) -> None:
        """The command is over; `applied` if it came to its end."""
        call = self._invocations[number]
        if not applied:
            self._abandon(call, stopped=True)
            self._invocations.over(call)
            return
        struck = self._own[number]
        # It did come to its end: only of deaf work is that news to a client that let go.
        gone = self._let_go.get(number) if struck.gateway.deaf else None
        args = _decode_args(call.arguments)
        answer = await self._apply(call, args, struck, gone or asyncio.Event())
        self._invocations.over(call)
        if answer is not None:
            await self.reach("result_sent", call)

    # --- the way of a call ----------------------------------------------------------------------

    def _strike(self, call: Invocation, *, own: bool = False) -> Struck:
        """The fault that is due. Only calls that fit what the tool takes are counted.

        A command that the subject runs itself (`own`) has no gateway that could answer for it, so
        such a command can only be held.
        """
        due = self._armed.tool(call.tool, self.offer.fits(call.tool))
        if due is None:
            return UNSTRUCK
        index, fault = due
        gateway = fault.gateway()
        if own and not (gateway.hold or gateway.last):
            return UNSTRUCK
        return Struck(gateway, self._armed.take(index))

    async def _apply(
        self, call: Invocation, args: dict[str, Any], struck: Struck, gone: asyncio.Event
    ) -> ToolAnswer | None:
        gateway = struck.gateway
        if not self._only_reads(call):
            await self.reach("before_effect", call)
            if gone.is_set() and not gateway.deaf:
                return self._abandon(call, stopped=True)
        try:
            applied = self._change(call, args)
        except ToolFailed as failed:
            return self._fail(call, failed)
        if gateway.twice:
            self._repeat(call, args, struck)
        if applied.effect is not None:
            await self.reach("after_effect", call)
        if gone.is_set() or self._disconnected.has(call):
            is_told = call.number in self._waiting.let_go
            return None if is_told else self._abandon(call, stopped=False)
        if gateway.stale and self._only_reads(call):
            return self._answer_late(call, args, applied, struck)
        return self._answer(call, args, applied, struck)

    def _only_reads(self, call: Invocation) -> bool:
        return self.offer[call.tool].annotations.get("readOnlyHint") is True

    def _change(self, call: Invocation, args: dict[str, Any]) -> Applied:
        """Apply and write down, with nothing in between."""
        applied = self._world.apply(
            call.tool,
            args,
            start=call.start,
            invocation=call.number,
            call_id=call.call_id,
            key=call.key,
            position=self._record.position,
        )
        if applied.effect is not None:
            self._record.applied(call, applied.effect)
        return applied

    def _repeat(self, call: Invocation, args: dict[str, Any], struck: Struck) -> None:
        """The same call again; what is said to it reaches nobody."""
        self._record.fired(call, struck)
        with suppress(ToolFailed):
            self._change(call, args)

    # --- answers --------------------------------------------------------------------------------

    def _answer(
        self, call: Invocation, args: dict[str, Any], applied: Applied, struck: Struck
    ) -> ToolAnswer:
        gateway = struck.gateway
        plain = Done(applied.data)
        told: Told = self._outputs.shaped(call.tool, args, applied.data, gateway)
        if gateway.lose is not None:
            told = Page(gateway.lose)
        if gateway.drops:
            told = Lost()
        if told != plain or gateway.copies > 1:
            self._record.fired(call, struck)
        return self._record.answered(call, told, copies=gateway.copies)

    def _answer_late(
        self, call: Invocation, args: dict[str, Any], applied: Applied, struck: Struck
    ) -> ToolAnswer:
        """A read is answered with what there was before the last effect."""
        try:
            data = self._world.read_before(call.tool, args)
        except ToolFailed as failed:
            self._record.fired(call, struck)
            return self._fail(call, failed)
        if data != applied.data:
            self._record.fired(call, struck)
        return self._record.answered(call, Done(data))

    def _fail(self, call: Invocation, failed: ToolFailed) -> ToolAnswer:
        told = Failed(500, failed.code, failed.message, failed.retryable)
        return self._record.answered(call, told)

    def _abandon(self, call: Invocation, *, stopped: bool) -> ToolAnswer | None:
        """Write down that the client let go; there is nobody to be answered."""
        self._record.abandoned(call, stopped=stopped)
        return None
