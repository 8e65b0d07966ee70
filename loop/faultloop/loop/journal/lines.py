"""What a JSONL journal is made of: one line for each append, and how a damaged file is told apart.

    {"crc":"…","after":"…","bytes":"…","events":[…]}

`crc` is the CRC-32 of everything behind it in the line, `after` the `crc` of the line before (zeros
in the first), `bytes` the length of what stands between the square brackets; all are eight hex
digits, so the head has one length. A line holds all events of its append: they have one checksum,
so a torn line is lost as a whole and no half of what belongs together is left (SPEC D9).

Each line can be judged alone, since `after` is in it. That is what tells the two kinds of bad end
apart. A crash tears the line that is being written, and nothing can stand behind it: that line was
never acknowledged and is dropped. Whole lines behind a bad one, or a line that does not follow the
one before it, are no crash but damage. Taking the longest good beginning for the history would lose
what was acknowledged, without a word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from faultloop.loop.journal.port import JournalDamaged

BEGIN = b'{"crc":"'
"""Occurs nowhere else: within an event's text the quotation marks would be escaped."""
FOOT = b"]}\n"
CRC_END = len(BEGIN) + 8
HEAD = re.compile(
    rb'\{"crc":"([0-9a-f]{8})","after":"([0-9a-f]{8})","bytes":"([0-9a-f]{8})","events":\['
)


class Line(NamedTuple):
    """One line that agrees with its own checksum."""

    crc: int
    after: int
    body: bytes
    """The events, with commas between them."""
    end: int
    """Byte offset of what comes next."""


class Scan(NamedTuple):
    """A file as far as it is whole."""

    lines: Sequence[Line]
    end: int
    """Bytes of the whole lines; what is left behind them was torn."""

    @property
    def crc(self) -> int:
        """Of the last line, for the next to follow."""
        return self.lines[-1].crc if self.lines else 0


def written(bodies: Sequence[bytes], after: int) -> tuple[bytes, int]:
    """One line of these events, behind the line whose crc is `after`; and the crc of this one."""
    body = b",".join(bodies)
    rest = b'","after":"%08x","bytes":"%08x","events":[%b]}\n' % (after, len(body), body)
    crc = crc32(rest)
    return b"%b%08x%b" % (BEGIN, crc, rest), crc


def line_at(data: bytes, start: int) -> Line | None:
    """The line that begins there, if a whole one does."""
    head = HEAD.match(data, start)
    if head is None:
        return None
    crc, after, length = (int(digits, 16) for digits in head.groups())
    end = head.end() + length + len(FOOT)
    if end > len(data) or crc32(memoryview(data)[start + CRC_END : end]) != crc:
        return None
    return Line(crc=crc, after=after, body=data[head.end() : end - len(FOOT)], end=end)


def scan(data: bytes, path: Path) -> Scan:
    """All whole lines of the file `path`. Raises JournalDamaged, with the position.

    What was torn at the end is left out; whether it had been acknowledged, the mark knows.
    """
    lines: list[Line] = []
    start, crc = 0, 0
    while start < len(data):
        line = line_at(data, start)
        if line is None:
            behind = _whole_behind(data, start)
            if behind is None:
                break
            raise JournalDamaged(
                f"record {len(lines)} of {path}, at byte {start}, is damaged: a whole record stands"
                f" behind it, at byte {behind}, so it is not what a crash leaves",
                record=len(lines),
                offset=start,
            )
        if line.after != crc:
            raise JournalDamaged(
                f"record {len(lines)} of {path}, at byte {start}, does not follow the one before"
                " it: records are missing, or were moved",
                record=len(lines),
                offset=start,
            )
        lines.append(line)
        start, crc = line.end, line.crc
    return Scan(lines=lines, end=start)


def _whole_behind(data: bytes, bad: int) -> int | None:
    """Where a whole line stands behind the bad one, if one does."""
    start = data.find(BEGIN, bad + 1)
    while start >= 0:
        if line_at(data, start) is not None:
            return start
        start = data.find(BEGIN, start + 1)
    return None
