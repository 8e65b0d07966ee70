"""The host: what a person's lines and keys do to the agent, and what of it is seen.

It keeps the one screen, folds every event into it, and tells `changed` that there is something new.
Nothing here knows a terminal, so all of it can be played in a test.

    a line while a question is open, and an answer to it     permission
    a line while the loop runs                               steering (SPEC X7)
    a line at idle                                           the next prompt
    /follow TEXT                                             a follow-up: when the loop would stop
    Esc, Ctrl-C                                              a cancel; Ctrl-C twice, /quit: the end
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from types import MappingProxyType

from faultloop.bench.chat.fold import (
    Noted,
    NotTaken,
    ScreenEvent,
    StopAsked,
    Typed,
    fold,
    folded,
    last_turn,
    left_open,
)
from faultloop.bench.chat.permission import Permissions
from faultloop.bench.chat.recovered import account
from faultloop.bench.chat.screen import End, Lane, Screen, Tone
from faultloop.bench.chat.wording import in_full
from faultloop.loop.engine import Agent, AlreadyTaken, BadInput, Busy, TurnEnd
from faultloop.loop.events import AnyEvent
from faultloop.loop.evolving import replay
from faultloop.loop.journal.port import JournalTrouble
from faultloop.loop.lease.port import LeaseHeld

INPUT = "/chat/"
"""Stands between a session's name and the rest of an input's id, so that a journal tells it."""


NOT_TAKEN = (BadInput, AlreadyTaken, JournalTrouble, LeaseHeld)
"""Why the loop may refuse what was said; each is a sentence."""


class Host:
    """One person, one agent, one screen."""

    def __init__(
        self,
        *,
        session: str,
        journal: str,
        all_granted: bool,
        person: bool,
        now_s: Callable[[], float],
    ) -> None:
        """`journal`: its path, as the person knows it. `person`: somebody can be asked."""
        self.session = session
        self.screen = Screen()
        self.changed = asyncio.Event()
        self.over = asyncio.Event()
        """The person wants to leave."""
        self.permissions = Permissions(self.see, all_granted=all_granted, person=person)
        self.last: TurnEnd | None = None
        self._journal = journal
        self._person = person
        self._now_s = now_s
        self._agent: Agent | None = None
        self._sending: set[asyncio.Task[None]] = set()
        self._warned = False

    @property
    def agent(self) -> Agent:
        """The agent, once `open` was told of it."""
        assert self._agent is not None, "a host is opened before it is spoken to"
        return self._agent

    @property
    def is_busy(self) -> bool:
        """Whether something runs, or was sent and is about to."""
        return self.agent.running or bool(self._sending)

    def see(self, event: ScreenEvent) -> None:
        """Fold one event into the screen."""
        self.screen = fold(self.screen, event, at_s=self._now_s())
        self.changed.set()

    def note(self, text: str, tone: Tone = "plain") -> None:
        """Say something to the person."""
        self.see(Noted(text=text, tone=tone))

    async def open(self, agent: Agent, past: list[AnyEvent]) -> None:
        """Take the agent; show what its journal holds, recover, and say what that did.

        Raises LeaseHeld, JournalTrouble or IllegalEvent.
        """
        self._agent = agent
        self.screen = last_turn(folded(past)) if self._person else left_open(folded(past))
        agent.subscribe(self.see)
        await agent.open()
        if not past:
            return
        wrote = agent.recorder.journal.load()[len(past) :]
        said = account(replay(past), wrote)
        if said is not None:
            self.note(said, "warning")
        else:
            turns = self.screen.turn
            self.note(f"resumed after {turns} {'turn' if turns == 1 else 'turns'}; none was open")

    async def close(self) -> None:
        """Stop what runs and let go of the journal."""
        self.see(StopAsked())
        await self.agent.close()
        await asyncio.gather(*self._sending, return_exceptions=True)

    # --- what the person does ---------------------------------------------------------------------

    def enter(self, line: str) -> None:
        """A line was sent."""
        self._warned = False
        text = line.strip()
        if text.startswith("/") and not line.startswith(" "):
            self._command(text)
        elif text and not self.permissions.take(text):
            self.say(text, "steer" if self.is_busy else "prompt")

    def stop(self) -> bool:
        """Cancel the turn. False: there is nothing to stop."""
        if self._sending and not self.agent.running:  # what was just said has not come in yet
            asyncio.get_running_loop().call_soon(self._cancel)
            return True
        return self._cancel()

    def _cancel(self) -> bool:
        stopped = self.agent.cancel("user")
        if stopped:
            self.see(StopAsked())
        return stopped

    def interrupt(self) -> None:
        """Ctrl-C: stops what runs; the second one, or one at idle after a warning, leaves."""
        if self._warned:
            self.over.set()
            return
        self._warned = True
        if not self.stop():
            self.note("press Ctrl-C again to leave, or type /quit")

    def say(self, text: str, lane: Lane) -> None:
        """Send it on; a line that comes just as a turn begins steers it."""
        self._send(self._said(text, lane))

    def go_on(self) -> None:
        """Go on with what a vanished process, or a cancel, has left."""
        self._send(self._resumed())

    async def done(self) -> None:
        """Wait until all that was sent is done, and the loop is idle."""
        while self._sending:
            await asyncio.wait(self._sending)
        await self.agent.idle()

    # --- how it is done ---------------------------------------------------------------------------

    def _send(self, sending: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(sending)
        self._sending.add(task)
        task.add_done_callback(self._sent)

    def _sent(self, task: asyncio.Task[None]) -> None:
        self._sending.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self.note(f"the chat itself failed: {task.exception()!r}", "error")

    async def _said(self, text: str, lane: Lane) -> None:
        name = f"{self.session}{INPUT}{secrets.token_hex(6)}"
        self.see(Typed(id=name, text=text, lane=lane))
        try:
            match lane:
                case "prompt":
                    await self._prompted(text, name)
                case "steer":
                    await self.agent.steer(text, input_id=name)
                case "follow_up":
                    await self.agent.follow_up(text, input_id=name)
        except NOT_TAKEN as error:
            self.see(NotTaken(id=name, why=str(error)))

    async def _prompted(self, text: str, name: str) -> None:
        try:
            await self._driven(self.agent.prompt(text, input_id=name))
        except Busy:
            await self.agent.steer(text, input_id=name)

    async def _resumed(self) -> None:
        try:
            await self._driven(self.agent.resume())
        except NOT_TAKEN as error:
            self.note(str(error), "error")

    async def _driven(self, driving: Awaitable[TurnEnd | None]) -> None:
        """A turn's end is an event; one that could not even be journalled is told here."""
        end = await driving
        self.last = end or self.last
        if end is None or not end.error:
            return
        told = any(isinstance(one, End) and one.error == end.error for one in self.screen.items)
        if not told:
            self.note(end.error, "error")

    def _command(self, text: str) -> None:
        name, _, rest = text.partition(" ")
        command = COMMANDS.get(name)
        if command is None:
            known = ", ".join(COMMANDS)
            self.note(
                f"there is no command {name}; there are {known}. A line that only begins with /"
                " is sent if a space stands before it",
                "warning",
            )
        else:
            command(self, rest.strip())

    def follow_up(self, text: str) -> None:
        """`/follow TEXT`."""
        if text:
            self.say(text, "follow_up")
        else:
            self.note("/follow wants a text, which is said when the loop would stop", "warning")

    def tell_tools(self, _: str) -> None:
        """`/tools`."""
        lines = []
        for tool in self.agent.tools:
            contract = tool.contract
            how = "reads" if contract.read_only else f"asks, risk {contract.risk}"
            lines.append(f"{contract.name} ({how}): {contract.purpose}")
        self.note("\n".join(lines) or "there are no tools")

    def tell_journal(self, _: str) -> None:
        """`/journal`."""
        count = len(self.agent.recorder.journal.load())
        self.note(f"{self._journal}: {count} events, session {self.session}")

    def tell_arguments(self, _: str) -> None:
        """`/args`."""
        card = self.screen.question or next(reversed(self.screen.cards), None)
        if card is None:
            self.note("no tool was called yet")
        else:
            self.note(f"{card.tool}\n{in_full(card.arguments)}")

    def leave(self, _: str) -> None:
        """`/quit`."""
        self.over.set()


COMMANDS: Mapping[str, Callable[[Host, str], None]] = MappingProxyType(
    {
        "/follow": Host.follow_up,
        "/tools": Host.tell_tools,
        "/journal": Host.tell_journal,
        "/args": Host.tell_arguments,
        "/quit": Host.leave,
    }
)
"""Lines that are for this program and not for the model."""
