"""The stage of one play: a scripted provider and a fake world that share one history.

Everything that a subject can reach from outside goes through here, and everything that is
witnessed is written here. The stage knows no HTTP: `app` brings requests and carries answers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Literal

from faultloop.fakes.answers import Answer, Ending, Rejected, ToolAnswer
from faultloop.fakes.closing import TerminalTool
from faultloop.fakes.conversation import Conversation
from faultloop.fakes.cues import Cues, Deeds
from faultloop.fakes.dialects.dialect import BadRequest
from faultloop.fakes.exchange import Exchange
from faultloop.fakes.faults.armed import Armed
from faultloop.fakes.held import Held
from faultloop.fakes.history import (
    Account,
    Ended,
    FaultFired,
    GateOpened,
    History,
    Left,
    Started,
)
from faultloop.fakes.ledger import Ledger
from faultloop.fakes.marks import Marks
from faultloop.fakes.naming import Names, Naming
from faultloop.fakes.plan import Plan
from faultloop.fakes.provider import Provider
from faultloop.fakes.recorded import Asides
from faultloop.fakes.tooling.tooling import OWN_COMMAND, Tier, Tooling
from faultloop.fakes.world.tool import WorldTool
from faultloop.fakes.world.world import World

NO_ACCOUNT = Account()


class Stage:
    """One play's provider, world, history and ledger.

    The only writer of history. Methods without `async` belong to the bench; those with it are
    called by whoever carries requests and answers, in tasks that are not the subject's own, and
    may be held for long: they end by being cancelled.
    """

    def __init__(
        self,
        plan: Plan,
        *,
        clock: Callable[[], float],
        deeds: Deeds,
        tier: Tier = "sim",
        commands: Literal["world", "own"] = "world",
        pairing: Literal["native", "text"] = "native",
        naming: Naming | None = None,
        terminal_tool: TerminalTool | None = None,
    ) -> None:
        """`clock` gives seconds since the play began.

        `tier` decides how a command that takes time spends it: in virtual seconds, or at the gate.
        `commands`: who runs `run_command`, the world or the subject as a child of its own.
        `pairing`: where it is `text`, the subject may describe its tools in words. `naming`: how
        its model knows the tools; None: by the names that the world has for them.
        `terminal_tool`: the tool of the subject's own by which alone its turns end. Raises
        ValueError for a fault that is out of place or a world that makes no sense.
        """
        self.plan = plan
        self.history = History(clock)
        self.ledger = Ledger()
        self.marks = Marks(plan.seed, plan.play)
        self.world = World(plan.world, self.ledger, commands=commands)
        self._naming = naming
        names = Names(naming, [tool.name for tool in self.world.tools()]) if naming else None
        self._tier: Tier = tier
        self._armed = armed = Armed(plan.faults, seed=plan.seed)
        self.asides = Asides(plan.recording.asides)
        self._held = Held()
        self._cues = Cues(plan.triggers, deeds, self.history)
        self._provider = Provider(
            plan.script,
            armed,
            self.marks,
            requests_max=plan.requests_max,
            strictness=plan.strictness,
            tools_offered=pairing == "native" and bool(self.world.tools()),
            hosted=plan.hosted,
            beside=plan.recording.beside,
            names=names,
            terminal_tool=terminal_tool,
            tools=() if plan.hosted or pairing == "text" else self._known_as(naming),
        )
        self._exchange = Exchange(
            history=self.history,
            provider=self._provider,
            cues=self._cues,
            held=self._held,
            clock=clock,
            names=names,
        )

    @cached_property
    def _tooling(self) -> Tooling:
        """Not every play comes to a call."""
        return Tooling(
            history=self.history,
            world=self.world,
            armed=self._armed,
            cues=self._cues,
            held=self._held,
            tier=self._tier,
        )

    # --- the bench's side -------------------------------------------------------------------

    def begin(self, start: int, turn: int, resume: bool, *, pending: bool = False) -> str:
        """Record that a start begins with the user's message number `turn`; return it, marked.

        `pending`: it gets no message and goes on with what is open; the answer is "".
        """
        text = "" if pending else self.marks.marked_input(turn, self.plan.inputs[turn])
        self._provider.turn = turn
        self.history.add(Started, start=start, turn=turn, input=text, resume=resume)
        return text

    def ended(
        self,
        start: int,
        *,
        how: Literal["exited", "killed", "did_not_end"],
        exit_code: int | None = None,
        account: Account = NO_ACCOUNT,
        complaints: tuple[str, ...] = (),
    ) -> None:
        """Record that the leader of a start is over."""
        self.history.add(
            Ended,
            start=start,
            how=how,
            exit_code=exit_code,
            account=account,
            complaints=complaints,
        )

    def left(self, start: int, processes: int) -> None:
        """Record that processes of a start outlived it."""
        self.history.add(Left, start=start, processes=processes)

    def open_gate_for_deaf(self) -> None:
        """Let go on only what is held, cannot be stopped, and is still being waited for."""
        if self._held.open_gate_for_deaf():
            self.history.add(GateOpened, start=0)

    def open_gate(self) -> None:
        """Let held work go on; what it changes from here on is late."""
        if not self._held.is_open:
            self.history.add(GateOpened, start=0)
            self._held.open_gate()

    @property
    def is_settled(self) -> bool:
        """Whether no call is under way."""
        return self._tooling.is_settled

    async def settled(self) -> None:
        """Wait until no call is under way: each was answered, let go of, or died with its start."""
        await self._tooling.settled()

    async def close(self) -> None:
        """Cancel whatever is still held."""
        await self._held.close()

    def unfired_faults(self) -> tuple[int, ...]:
        """Indexes of the plan's faults whose consequence was never delivered."""
        fired = {entry.fault for entry in self.history if isinstance(entry, FaultFired)}
        return tuple(index for index in range(len(self.plan.faults)) if index not in fired)

    def idle_triggers(self) -> tuple[int, ...]:
        """Indexes of the plan's triggers that never acted."""
        return self._cues.idle()

    async def reached(self, start: int, landmark: str, events: Sequence[str] = ()) -> None:
        """A landmark that only the reference loop has (`before_journal`, `after_journal`).

        `events`: the kinds of event that its journal takes there.
        """
        if not await self._cues.reach(landmark, start=start, events=events):
            await self._held.for_ever()

    # --- the wire ---------------------------------------------------------------------------

    async def answer(self, start: int, dialect: str, conversation: Conversation) -> Answer:
        """Take in a provider request and say what it is answered."""
        return await self._exchange.answer(start, dialect, conversation)

    async def unreadable(self, start: int, dialect: str, bad: BadRequest, body: bytes) -> Rejected:
        """Take in a body that the dialect could not parse; it is answered in the API's words."""
        return await self._exchange.unreadable(start, dialect, bad, body)

    async def sent_chunk(self, request: int, number: int) -> None:
        """Chunk `number` (from 1) of a streamed reply was sent."""
        await self._exchange.sent_chunk(request, number)

    def struck(self, request: int, fault: int, kind: str, *, modelled: bool) -> None:
        """A byte fault shows from here on; `modelled`: there is no socket that it happens to."""
        self._exchange.struck(request, fault, kind, modelled=modelled)

    async def stalled(self, request: int, number: int) -> None:
        """After its first `number` items, the trouble itself included, a reply stands still."""
        await self._exchange.stalled(request, number)

    async def closed(self, request: int, ending: Ending) -> None:
        """A reply is over; `ending` is what its `Said.ending` says."""
        await self._exchange.closed(request, ending)

    async def sent_failure(self, request: int) -> None:
        """A `Rejected` was sent in full; passes `reply_sent` if the failure was injected."""
        await self._exchange.sent_failure(request)

    def _known_as(self, naming: Naming | None) -> tuple[str, ...]:
        """What any of the tools that matter here is called by the subject's model, or in part:
        those of the world, and whatever else the script calls."""
        steps = (step for turn in self.plan.script.turns for step in turn)
        called = (call.tool for step in steps for call in step.calls)
        world = tuple(dict.fromkeys((*(tool.name for tool in self.world.tools()), *called)))
        if naming is None:
            return world
        own = tuple(tool.name for tool in naming.own.values())
        return (*world, *own, *([naming.through.name] if naming.through else []))

    # --- the tools --------------------------------------------------------------------------

    def listed(self, start: int) -> tuple[WorldTool, ...]:
        """The tools as they are now; a start of the subject, or the bench as 0, asks for them.
        What the subject has a tool of its own for is not among them."""
        tools = self._tooling.listed(start)
        own = self._naming.own if self._naming else ()
        return tuple(tool for tool in tools if tool.name not in own) if own else tools

    def manifest(self, start: int = 0) -> list[dict[str, Any]]:
        """The same, as subject contract v1 lists them."""
        return [tool.manifest() for tool in self.listed(start)]

    @property
    def list_changed(self) -> list[Callable[[], None]]:
        """Called whenever a listing would say something new."""
        return self._tooling.offer.changed

    def known_call(self, call_id: str) -> bool:
        """Whether the model made a call with this id."""
        return self._provider.batch_of(call_id, tool="") is not None

    async def invoke(
        self,
        start: int,
        tool: str,
        body: bytes,
        *,
        call_id: str | None,
        key: str | None,
        gone: asyncio.Event,
        kept: asyncio.Event | None = None,
        lost: asyncio.Event | None = None,
    ) -> ToolAnswer | None:
        """Carry out a call. `gone` is set by the caller when the client lets go, `kept` here once
        the call is kept waiting. `lost` is set by the caller when the client cannot be answered
        any more and has said nothing of the work, which goes on.

        None: it did let go or was lost, and nobody is to be answered.
        """
        call = self._tooling.arrive(
            start,
            tool,
            body.decode(errors="replace"),
            batch=self._provider.batch_of(call_id, tool),
            call_id=call_id,
            key=key or None,
        )
        return await self._tooling.run(call, gone, kept, lost)

    async def delivered(self, invocation: int) -> None:
        """The answer to a call was sent."""
        call = self._tooling.invocation(invocation)
        self._exchange.sent_result(call.start)
        await self._tooling.delivered(call)

    async def own_began(self, start: int, command: str) -> int:
        """A command that the subject runs itself began; returns the number of the invocation."""
        batch = self._provider.batch_of(None, OWN_COMMAND)
        return await self._tooling.own_began(start, command, batch=batch)

    async def own_held(self, invocation: int, gone: asyncio.Event) -> bool:
        """Wait for as long as that command takes. False: it was let go of meanwhile."""
        return await self._tooling.own_held(invocation, gone)

    async def own_ended(self, invocation: int, *, applied: bool) -> None:
        """That command is over: at its end (its effect is applied now), or cut off before."""
        if applied:
            self._exchange.sent_result(self._tooling.invocation(invocation).start)
        await self._tooling.own_ended(invocation, applied=applied)


__all__ = ["Deeds", "Plan", "Stage"]
