"""A torn last record is lost alone; all else that is missing or changed is told with its place.

The files are cut and changed as a crash or a bad disk does it, at the end of the last append and in
the middle of what was acknowledged before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from faultloop.bench.drills.kit.drill import Drill, Untested
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.shared import folder
from faultloop.loop.events import AnyEvent, InputQueued
from faultloop.loop.journal.port import Fenced, JournalDamaged

APPENDS = 5
CUTS = 40
"""Places, spread evenly over the bytes of the last append."""
DERIVED = "-shm"
"""An index that SQLite makes anew when it opens a file after a crash."""

Files = Mapping[str, bytes]
Open = Callable[[Path], Fenced]
HISTORY: list[AnyEvent] = [
    InputQueued(id=f"i{number}", lane="next_turn", source="user", text="word " * 40)
    for number in range(APPENDS)
]


def run(kit: Kit) -> Iterator[str]:
    """For each store: the last append torn at many places; then what was acknowledged, damaged."""
    for number, store in enumerate(kit.stores):
        with folder() as where:
            before, after = _written(store, where / "written")
            name = _grown(before, after)
            yield from _torn(store, where / f"torn{number}", name, before, after)
            yield from _damaged(store, where / f"damaged{number}", name, after)


def _written(store: Open, where: Path) -> tuple[Files, Files]:
    """The files before and after the last append."""
    where.mkdir()
    journal = store(where / "journal")
    states = []
    for event in HISTORY:
        journal.append(event)
        states.append({file.name: file.read_bytes() for file in where.iterdir()})
    journal.close()
    return states[-2], states[-1]


def _grown(before: Files, after: Files) -> str:
    """The file that the records are in: the one that has grown."""
    for name, content in after.items():
        if len(content) > len(before[name]) and content.startswith(before[name]):
            return name
    raise Untested("no file of the journal grows as it is appended to")


def _opened(store: Open, where: Path, files: Files) -> tuple[list[AnyEvent], bool]:
    """What a start loads from these files, and whether it can go on."""
    where.mkdir(exist_ok=True)
    for old in where.iterdir():
        old.unlink()
    for name, content in files.items():
        if not name.endswith(DERIVED):
            (where / name).write_bytes(content)
    journal = store(where / "journal")
    try:
        loaded = journal.load()
        journal.append(HISTORY[0])
        return loaded, journal.load() == [*loaded, HISTORY[0]]
    finally:
        journal.close()


def _torn(store: Open, where: Path, name: str, before: Files, after: Files) -> Iterator[str]:
    start, end = len(before[name]), len(after[name])
    for at in range(start, end, max(1, (end - start) // CUTS)):
        torn = {**before, name: after[name][:at]}
        what = f"an append torn {at - start} bytes into its {end - start}"
        try:
            loaded, goes_on = _opened(store, where, torn)
        except JournalDamaged as damaged:
            yield f"{what} is taken for damage: {damaged}"
            continue
        if loaded != HISTORY[:-1]:
            yield f"{what} leaves {len(loaded)} events of the {APPENDS - 1} before"
        if not goes_on:
            yield f"after {what}, what was appended next was not there"


def _damaged(store: Open, where: Path, name: str, after: Files) -> Iterator[str]:
    """Cut, and one byte changed, at places all over what was acknowledged."""
    data = after[name]
    for at in range(1, len(data), max(1, len(data) // CUTS)):
        changed = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        for what, harmed in (("cut", data[:at]), ("changed", changed)):
            try:
                loaded, _ = _opened(store, where, {**after, name: harmed})
            except JournalDamaged as damaged:
                if damaged.record is None:
                    yield f"{name} {what} at byte {at} is told without its place: {damaged}"
                continue
            if loaded != HISTORY:
                left = f"{len(loaded)} of {APPENDS} events"
                yield f"{name} {what} at byte {at} is a history of {left}"


DRILL = Drill(
    name="torn-tails-are-dropped",
    claim="a torn record is lost alone; whatever else is missing or changed is told with its place",
    claims=("D9",),
    evidence="journal",
    run=run,
)
