"""Tool invocations: from a call that arrives to an answer, an effect, or neither.

The way of a call: arrived, checked, struck by a fault perhaps, held perhaps, applied, answered.
The effect is applied and written down in one breath (no await between), so history and ledger
agree whatever is killed when. A client that lets go stops work that waits, unless it is deaf.
"""

from __future__ import annotations

import asyncio
from typing import Any, Literal, NamedTuple

import msgspec

from faultloop.fakes.answers import ToolAnswer
from faultloop.fakes.company import Company
from faultloop.fakes.cues import Cues
from faultloop.fakes.faults.armed import Armed, Strike
from faultloop.fakes.faults.base import Gateway
from faultloop.fakes.gateway import PAGE_TYPE, gateway_page
from faultloop.fakes.held import Held
from faultloop.fakes.history import (
    CallAbandoned,
    CallAnswered,
    CallArrived,
    CallHeld,
    EffectApplied,
    FaultFired,
    History,
)
from faultloop.fakes.speech import Batch
from faultloop.fakes.world.world import Applied, ToolFailed, World

Tier = Literal["sim", "real"]

OWN_COMMAND = "run_command"
"""The tool that a subject may run itself, as a child process."""

BODY_CHARS_KEPT = 4_000
"""How much of an answer the history keeps."""

_JSON = "application/json"
_PADDING_LINE = "." * 79 + "\n"
_encode = msgspec.json.Encoder().encode
_decode_args = msgspec.json.Decoder(dict[str, Any]).decode


class Invocation(msgspec.Struct, frozen=True, kw_only=True):
    """One call that reached the world."""

    number: int
    start: int
    tool: str
    arguments: str
    batch: Batch | None
    """The calls of the reply that made it, as far as that can be told."""
    call_id: str | None
    key: str | None


class Struck(NamedTuple):
    """A fault that is due at an invocation."""

    gateway: Gateway
    strike: Strike | None


_UNSTRUCK = Struck(Gateway(), None)


class Tooling:
    """The tool side of a stage."""

    def __init__(
        self, *, history: History, world: World, armed: Armed, cues: Cues, held: Held, tier: Tier
    ) -> None:
        self._history = history
        self._world = world
        self._armed = armed
        self._cues = cues
        self._held = held
        self._company = Company(held)
        self._tier = tier
        self._tools = {tool.name: tool for tool in world.tools()}
        self._invocations: dict[int, Invocation] = {}
        self._occurrences: dict[str, int] = {}
        self._own: dict[int, Struck] = {}
        self._let_go: dict[int, asyncio.Event] = {}
        self._under_way: dict[int, None] = {}
        self._quiet = asyncio.Event()
        self._quiet.set()

    def manifest(self) -> list[dict[str, Any]]:
        """The tools as subject contract v1 lists them."""
        return [tool.manifest() for tool in self._tools.values()]

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
        call = Invocation(
            number=len(self._invocations) + 1,
            start=start,
            tool=tool,
            arguments=arguments,
            batch=batch,
            call_id=call_id,
            key=key,
        )
        self._invocations[call.number] = call
        self._under_way[call.number] = None
        self._quiet.clear()
        self._company.arrived(start, batch, call.number, call_id)
        self._history.put(
            CallArrived(
                position=len(self._history),
                start=start,
                invocation=call.number,
                tool=tool,
                arguments=arguments,
                call_id=call_id,
                key=key,
                own=own,
            )
        )
        return call

    async def run(self, call: Invocation, gone: asyncio.Event) -> ToolAnswer | None:
        """Carry a call through. None: the client let go, and nobody is to be answered."""
        answer = None
        try:
            answer = await self._carry(call, gone)
        finally:
            self._settle(call)
            if answer is None:
                self._company.over(call.number)
        return answer

    async def delivered(self, call: Invocation) -> None:
        """The answer to a call was sent."""
        self._company.over(call.number)
        await self.reach("result_sent", call)

    async def _carry(self, call: Invocation, gone: asyncio.Event) -> ToolAnswer | None:
        await self.reach("call_arrived", call)
        if call.tool not in self._tools:
            return self._refuse(call, 404, "UNKNOWN_TOOL", f"there is no tool {call.tool!r}")
        args, problem = self._read(call)
        if problem is not None:
            return self._refuse(call, 422, "INVALID_ARGS", problem)
        struck = self._strike(call)
        gateway = struck.gateway
        if gateway.hang:
            self._fired(call, struck)
            self._keep(call)
            await self._held.until(gone)
            return self._abandon(call, stopped=True)
        if gateway.refuse is not None:
            self._fired(call, struck)
            return self._answer_page(call, gateway.refuse)
        if gateway.raises is not None:
            self._fired(call, struck)
            return self._refuse(call, 500, "TOOL_FAILED", gateway.raises)
        if not await self._hold(call, args, struck, gone):
            return self._abandon(call, stopped=True)
        return await self._apply(call, args, struck, gone)

    async def reach(self, landmark: str, call: Invocation) -> None:
        """Pass a landmark that concerns a call. Does not return if its start was killed here."""
        if not self._cues.watches(landmark):
            return
        step = call.batch.step if call.batch else None
        lives = await self._cues.reach(landmark, start=call.start, step=step, tools=(call.tool,))
        if not lives:
            self._over(call)
            await self._held.for_ever()

    @property
    def is_settled(self) -> bool:
        """Whether no call is under way."""
        return not self._under_way

    async def settled(self) -> None:
        """Wait until no call is under way: each was answered, let go of, or died with its start."""
        await self._quiet.wait()

    # --- a command that the subject runs itself -----------------------------------------------

    async def own_began(self, start: int, command: str, *, batch: Batch | None) -> int:
        """A child of the subject began a command that the world knows."""
        arguments = _encode({"command": command}).decode()
        call = self.arrive(start, OWN_COMMAND, arguments, batch=batch, own=True)
        await self.reach("call_arrived", call)
        struck = self._strike(call, own=True)
        self._own[call.number] = struck
        return call.number

    async def own_held(self, number: int, gone: asyncio.Event) -> bool:
        """Wait for as long as the command takes. False: it was let go of."""
        call = self._invocations[number]
        self._let_go[number] = gone
        return await self._hold(call, _decode_args(call.arguments), self._own[number], gone)

    async def own_ended(self, number: int, *, applied: bool) -> None:
        """The command is over; `applied` if it came to its end."""
        call = self._invocations[number]
        if not applied:
            self._abandon(call, stopped=True)
            self._over(call)
            return
        struck = self._own[number]
        # It did come to its end: only of deaf work is that news to a client that let go.
        gone = self._let_go.get(number) if struck.gateway.deaf else None
        args = _decode_args(call.arguments)
        answer = await self._apply(call, args, struck, gone or asyncio.Event())
        self._over(call)
        if answer is not None:
            await self.reach("result_sent", call)

    # --- the way of a call ----------------------------------------------------------------------

    def _read(self, call: Invocation) -> tuple[dict[str, Any], str | None]:
        """The arguments, and what is wrong with them."""
        try:
            args = _decode_args(call.arguments)
        except (msgspec.DecodeError, RecursionError) as error:
            return {}, f"the arguments cannot be read as a JSON object: {error}"
        return args, self._world.validate(call.tool, args)

    def _strike(self, call: Invocation, *, own: bool = False) -> Struck:
        """The fault that is due. Only calls that pass their schema are counted.

        A command that the subject runs itself (`own`) has no gateway that could answer for it, so
        such a command can only be held.
        """
        occurrence = self._occurrences[call.tool] = self._occurrences.get(call.tool, 0) + 1
        due = self._armed.tool(call.tool, occurrence)
        if due is None:
            return _UNSTRUCK
        index, fault = due
        gateway = fault.gateway()
        if own and not (gateway.hold or gateway.last):
            return _UNSTRUCK
        return Struck(gateway, self._armed.take(index))

    def _fired(self, call: Invocation, struck: Struck) -> None:
        """Write down that a fault's consequence is being delivered."""
        if struck.strike is not None:
            self._history.add(
                FaultFired,
                start=call.start,
                fault=struck.strike.fault,
                kind=struck.strike.kind,
                invocation=call.number,
            )

    def _keep(self, call: Invocation) -> None:
        """Write down that a call is kept waiting."""
        self._history.add(CallHeld, start=call.start, invocation=call.number)

    async def _hold(
        self, call: Invocation, args: dict[str, Any], struck: Struck, gone: asyncio.Event
    ) -> bool:
        """Wait where the work takes long. False: it was let go of and stopped."""
        gateway = struck.gateway
        takes_s = self._world.duration_s(call.tool, args)
        at_gate = gateway.hold or (takes_s > 0 and self._tier == "real")
        if gateway.hold or gateway.last:
            self._fired(call, struck)
        if gateway.last or (not self._held.is_open if at_gate else takes_s > 0):
            self._keep(call)
        if gateway.last:
            await self._company.finish_last(call.number, gone)
            if gone.is_set():
                return False
        if at_gate:
            return await self._stand_at_gate(call, gone, deaf=gateway.deaf)
        return await self._held.for_s(takes_s, gone) if takes_s > 0 else True

    async def _stand_at_gate(self, call: Invocation, gone: asyncio.Event, *, deaf: bool) -> bool:
        if await self._held.at_gate(gone, deaf=deaf):
            return True
        if not deaf:
            return False
        self._abandon(call, stopped=False)
        return await self._held.at_gate()

    async def _apply(
        self, call: Invocation, args: dict[str, Any], struck: Struck, gone: asyncio.Event
    ) -> ToolAnswer | None:
        gateway = struck.gateway
        if self._tools[call.tool].annotations.get("readOnlyHint") is not True:
            await self.reach("before_effect", call)
            if gone.is_set() and not gateway.deaf:
                return self._abandon(call, stopped=True)
        try:
            applied = self._change(call, args)
        except ToolFailed as failed:
            return self._refuse(call, 500, failed.code, failed.message, retryable=failed.retryable)
        if applied.effect is not None:
            await self.reach("after_effect", call)
        if gone.is_set():
            # Where the work is deaf, it was written down when the client let go.
            return None if gateway.deaf and gateway.hold else self._abandon(call, stopped=False)
        if gateway.lose is not None or gateway.pad_bytes:
            self._fired(call, struck)
        if gateway.lose is not None:
            return self._answer_page(call, gateway.lose)
        data = applied.data + _padding(gateway.pad_bytes)
        body = {"ok": True, "data": data, "truncated": False, "continuation": None}
        return self._answer(call, 200, _JSON, _encode(body), "ok")

    def _change(self, call: Invocation, args: dict[str, Any]) -> Applied:
        """Apply and write down, with nothing in between."""
        applied = self._world.apply(
            call.tool,
            args,
            start=call.start,
            invocation=call.number,
            call_id=call.call_id,
            key=call.key,
            position=len(self._history),
        )
        if applied.effect is not None:
            self._history.add(
                EffectApplied,
                start=call.start,
                invocation=call.number,
                effect=applied.effect.number,
                tool=call.tool,
                what=applied.effect.what,
            )
        return applied

    # --- answers ----------------------------------------------------------------------------------

    def _refuse(
        self, call: Invocation, status: int, code: str, message: str, *, retryable: bool = False
    ) -> ToolAnswer:
        body = {"ok": False, "code": code, "message": message, "retryable": retryable}
        return self._answer(call, status, _JSON, _encode(body), "failed")

    def _answer_page(self, call: Invocation, status: int) -> ToolAnswer:
        """A gateway's page says nothing of the work behind it, whatever became of that."""
        return self._answer(call, status, PAGE_TYPE, gateway_page(status).encode(), "unknown")

    def _answer(
        self,
        call: Invocation,
        status: int,
        content_type: str,
        body: bytes,
        outcome: Literal["ok", "failed", "unknown"],
    ) -> ToolAnswer:
        self._history.put(
            CallAnswered(
                position=len(self._history),
                start=call.start,
                invocation=call.number,
                status=status,
                outcome=outcome,
                body=body[: 4 * BODY_CHARS_KEPT].decode(errors="replace")[:BODY_CHARS_KEPT],
            )
        )
        return ToolAnswer(
            invocation=call.number, status=status, content_type=content_type, body=body
        )

    def _over(self, call: Invocation) -> None:
        """Nothing more comes of a call, and nobody is to be answered."""
        self._company.over(call.number)
        self._settle(call)

    def _settle(self, call: Invocation) -> None:
        self._under_way.pop(call.number, None)
        if not self._under_way:
            self._quiet.set()

    def _abandon(self, call: Invocation, *, stopped: bool) -> ToolAnswer | None:
        """Write down that the client let go; there is nobody to be answered."""
        self._history.add(CallAbandoned, start=call.start, invocation=call.number, stopped=stopped)
        return None


def _padding(size_bytes: int) -> str:
    lines = size_bytes // len(_PADDING_LINE) + 1
    return (_PADDING_LINE * lines)[:size_bytes] if size_bytes else ""
