"""A fault of the loop itself ends the turn as `error`, raises nowhere, and blocks nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from faultloop.bench.drills.kit.drill import Drill, Untested
from faultloop.bench.drills.kit.model import Ask, Line, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.bench.drills.turns_frame_their_input import framed
from faultloop.loop.engine import TurnEnd
from faultloop.loop.events import AnyEvent
from faultloop.loop.evolving import replay
from faultloop.loop.journal.port import Journal

APPENDS_MAX = 60


class FullDisk:
    """A journal that cannot write once, at its nth append; the space is there again afterwards."""

    def __init__(self, journal: Journal, at: int) -> None:
        self._journal = journal
        self._left = at
        self.struck = False

    def has_room(self) -> None:
        """From now on nothing strikes."""
        self._left = 0

    def append(self, *events: AnyEvent) -> None:
        """Write, or not."""
        self._left -= 1
        if self._left == 0:
            self.struck = True
            raise OSError(28, "No space left on device")
        self._journal.append(*events)

    def load(self) -> list[AnyEvent]:
        """Read."""
        return self._journal.load()

    def close(self) -> None:
        """Let go."""
        self._journal.close()


def run(kit: Kit) -> Iterator[str]:
    """The disk is full at each append of a turn, one after the other; then the client has a bug."""
    lines = (call(Ask("act"), Ask("look")), say("ok"))
    for at in range(2, APPENDS_MAX):  # the first append takes the input: that one is the host's
        disks: list[FullDisk] = []

        def opened(store: list[bytes], at: int = at, disks: list[FullDisk] = disks) -> Journal:
            disks.append(FullDisk(kit.journal(store), at))
            return disks[-1]

        session, ends = _two_prompts(replace(kit, journal=opened), disks, *lines)
        if not disks[0].struck:
            return
        yield from _judged(f"a full disk at append {at}", session, ends)
        if at == 2:
            yield from _bug(kit)
    raise Untested(f"the turn made more than {APPENDS_MAX} appends")


def _bug(kit: Kit) -> Iterator[str]:
    buggy: Line = [KeyError("choices")]
    session, ends = _two_prompts(kit, [], buggy, say("ok"))
    yield from _judged("a bug in the client", session, ends)


def _two_prompts(
    kit: Kit, disks: list[FullDisk], *lines: Line
) -> tuple[Session, list[TurnEnd | BaseException]]:
    session = Session(kit, *lines)
    session.tools = (toy(kit, "act"), toy(kit, "look", read_only=True, concurrency_safe=True))

    async def story() -> list[TurnEnd | BaseException]:
        agent, ends = session.agent(), list[TurnEnd | BaseException]()
        for text in ("go", "again"):
            try:
                ends.append(await agent.prompt(text))
            except Exception as raised:
                ends.append(raised)
            for disk in disks:
                disk.has_room()
        return ends

    return session, play(story)


def _judged(fault: str, session: Session, ends: list[TurnEnd | BaseException]) -> Iterator[str]:
    first, second = ends
    if isinstance(first, BaseException):
        yield f"{fault} raised out of the loop: {first!r}"
    elif first.end_reason not in ("error", "completed") or (
        first.end_reason == "error" and not first.error
    ):
        yield f"{fault} ended the turn as {first.end_reason} ({first.error!r})"
    if isinstance(second, BaseException):
        yield f"after {fault} the next prompt raised {second!r}"
    elif second.end_reason != "completed":
        yield f"after {fault} the next prompt ended as {second.end_reason} ({second.error})"
    yield from (f"after {fault}: {sentence}" for sentence in framed(session.events))
    replay(session.events)  # a journal that no loop may have written breaks the drill off


DRILL = Drill(
    name="faults-close-the-turn",
    claim="a fault of the loop itself ends the turn as error, raises nowhere, and blocks nothing",
    claims=("L3", "L5"),
    evidence="journal",
    run=run,
)
