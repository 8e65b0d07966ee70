"""Finished plays on disk while a run goes on: one line each, appended and flushed at once.

`plays.jsonl` is the only thing that a run writes before its end, so an interrupt or a full disk
loses at most the play that was being written. Its first line is a header: the schema, the run's
seed and how many plays it set out to make. Workers of one run write a file each
(`plays.gw0.jsonl`); nothing is shared. A report is made from an index of these lines, never from
all of them in memory.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec
import pydantic

from faultloop.fakes.history import AnyEntry
from faultloop.reports.rows import Played, PlayRecord

HEADER_BYTES_MAX = 1_000
"""Longer first lines are not read: they are somebody else's."""


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line of a file of kept plays."""

    schema: int
    seed: int
    planned: int = 0
    """How many plays the whole run set out to make; 0: it was not known yet."""
    pid: int = 0
    """The process that writes; it may be over."""


class _Line(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    record: msgspec.Raw
    requests: int
    effects: int
    scenario: dict[str, Any]
    chosen: str
    history: tuple[AnyEntry, ...]
    stderr: str
    wall_s: float
    times_s: tuple[float, ...]


class Kept(NamedTuple):
    """Where a finished play lies, with its record."""

    record: PlayRecord
    path: Path
    offset: int


class Damaged(Exception):
    """A line of kept plays that is not what was written; the text says which and why."""


_encoder = msgspec.json.Encoder()
"""Not with sorted keys: a scenario is played again as it was written, to the last argument text."""

_decode_line = msgspec.json.Decoder(_Line).decode
_decode_header = msgspec.json.Decoder(Header).decode


def encode(played: Played) -> bytes:
    """One line."""
    line = _Line(
        record=msgspec.Raw(played.record.model_dump_json().encode()),
        requests=played.requests,
        effects=played.effects,
        scenario=played.scenario,
        chosen=played.chosen,
        history=played.history,
        stderr=played.stderr,
        wall_s=played.wall_s,
        times_s=played.times_s,
    )
    return _encoder.encode(line) + b"\n"


def decode(line: bytes) -> Played:
    """The inverse of `encode`. Raises Damaged for anything else."""
    try:
        found = _decode_line(line)
        record = PlayRecord.model_validate_json(bytes(found.record))
    except (msgspec.MsgspecError, pydantic.ValidationError) as error:
        raise Damaged(str(error).splitlines()[0]) from error
    return Played(
        record=record,
        requests=found.requests,
        effects=found.effects,
        scenario=found.scenario,
        chosen=found.chosen,
        history=found.history,
        stderr=found.stderr,
        wall_s=found.wall_s,
        times_s=found.times_s,
    )


class Appending:
    """A file of kept plays that is being written."""

    def __init__(self, path: Path, *, seed: int, planned: int = 0) -> None:
        self.plays = 0
        self._stream: BinaryIO = path.open("wb", buffering=0)
        self._length = 0
        try:
            header = Header(schema=1, seed=seed, planned=planned, pid=os.getpid())
            self._append(_encoder.encode(header) + b"\n")
        except OSError:
            self._stream.close()
            raise

    def keep(self, played: Played) -> None:
        """Append a play; it is in the file when this returns. Raises OSError."""
        self._append(encode(played))
        self.plays += 1

    def close(self) -> None:
        """No more plays."""
        self._stream.close()

    def _append(self, line: bytes) -> None:
        try:
            written = 0
            while written < len(line):
                written += self._stream.write(line[written:])
        except OSError:
            # A full disk takes the first half of a line; giving it back needs no space.
            with contextlib.suppress(OSError):
                self._stream.truncate(self._length)
                self._stream.seek(self._length)
            raise
        self._length += len(line)


def is_kept(path: Path) -> bool:
    """Whether a file begins like kept plays; an empty one, what a full disk leaves, does."""
    try:
        first = _first_line(path)
        return not first or _decode_header(first).schema == 1
    except (OSError, msgspec.MsgspecError):
        return False


def is_begun(path: Path) -> bool:
    """Whether there is a whole first line; without one, no play was ever kept in the file."""
    try:
        return _first_line(path).endswith(b"\n")
    except OSError:  # `index` tells of it
        return True


def pid_of(path: Path) -> int:
    """The process that began a file of kept plays; 0 where the file does not say."""
    try:
        return _decode_header(_first_line(path)).pid
    except (OSError, msgspec.MsgspecError):
        return 0


def _first_line(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.readline(HEADER_BYTES_MAX)


def index(path: Path) -> tuple[Header, list[Kept]]:
    """All whole plays of a file. A torn last line, what a killed run leaves, is passed over.

    Raises Damaged for a line elsewhere that cannot be read, and OSError.
    """
    found: list[Kept] = []
    with path.open("rb") as stream:
        try:
            header = _decode_header(stream.readline())
        except msgspec.MsgspecError as error:
            raise Damaged(f"its first line is no header of kept plays: {error}") from error
        if header.schema != 1:
            raise Damaged(f"its schema is {header.schema}, this faultloop reads 1")
        offset = stream.tell()
        for number, line in enumerate(iter(stream.readline, b""), start=2):
            if not line.endswith(b"\n"):
                break
            try:
                found.append(Kept(decode(line).record, path, offset))
            except Damaged as error:
                raise Damaged(f"line {number} is no play: {error}") from error
            offset += len(line)
    return header, found


def read(kept: Sequence[Kept]) -> Iterator[Played]:
    """The plays themselves, one in memory at a time, in the given order."""
    with contextlib.ExitStack() as stack:
        streams = {
            path: stack.enter_context(path.open("rb")) for path in {one.path for one in kept}
        }
        for one in kept:
            stream = streams[one.path]
            stream.seek(one.offset)
            yield decode(stream.readline())
