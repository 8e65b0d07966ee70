"""A subject's own account of how it ended: contract v1's result lines, read from its output.

Pure: text in, value out. Output is polluted by frameworks, so only lines that begin with the mark
count, and for each turn the last one. What the process's end itself tells fills what no line said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

import msgspec

from faultloop.fakes.history import Account
from faultloop.scenarios.ends import END_REASONS, INTERRUPT_EXITS

MARK = "@faultloop "
SHOWN_CHARS_MAX = 200
COMPLAINTS_MAX = 20
"""How many bad lines of one start are told; a subject can write a million."""
RAISED = re.compile(r"(Uncaught )?[\w.$]*(Error|Exception|Interrupt|Exit)\b.*")
"""A line that names what ended a program, in Python, Node.js and their like."""


class RecoveredTurn(msgspec.Struct, frozen=True):
    """An earlier turn that the loop closed after a restart."""

    end_reason: str
    turn: int | str = 0


class ResultLine(msgspec.Struct, frozen=True):
    """One result line; keys that are not known here are allowed."""

    v: Literal[1] = 1
    turn: int | str = 0
    end_reason: str | None = None
    finish_reason: str | None = None
    final_text: str | None = None
    error: str | None = None
    recovered: tuple[RecoveredTurn, ...] = ()
    not_applicable: str | None = None


class BadLine(NamedTuple):
    """A line that bears the mark and is no result line."""

    line: str
    sentence: str


def result_lines(output: str) -> Iterator[ResultLine | BadLine]:
    """All lines of the output that bear the mark, in their order."""
    # Not `splitlines`: a JSON text may hold U+2028 and its like, and does where its author says so.
    for line in output.split("\n"):
        if line.startswith(MARK):
            yield _read(line.rstrip("\r"))


def _read(line: str) -> ResultLine | BadLine:
    try:
        said = msgspec.json.decode(line[len(MARK) :], type=ResultLine)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        why = _why(line[len(MARK) :], error)
        return BadLine(line, f"the result line cannot be read ({why}): {line[:SHOWN_CHARS_MAX]!r}")
    if said.not_applicable is None and said.end_reason not in END_REASONS:
        known = ", ".join(sorted(END_REASONS))
        given = said.end_reason and said.end_reason[:SHOWN_CHARS_MAX]
        return BadLine(line, f"{given!r} is no end reason; known are {known}")
    return said


def _why(text: str, error: Exception) -> str:
    """What is wrong, in plainer words than the decoder's where it has none."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    try:
        json.dumps(json.loads(text), ensure_ascii=False).encode()
    except UnicodeEncodeError as half:
        return f"{half.object[half.start]!r} is half a character, a surrogate without its other one"
    except (ValueError, RecursionError):  # no JSON at all: the decoder has said why
        pass
    return str(error)


def account_of(output: str, exit_code: int | None, *, killed: bool, errors: str = "") -> Account:
    """What the subject said of its start, completed by how its process ended.

    `exit_code` is negative for death by signal; `errors` is what it wrote to standard error. A
    start that was killed said only what it said.
    """
    said = [line for line in result_lines(output) if isinstance(line, ResultLine)]
    by_turn = {line.turn: line for line in said}
    if by_turn:
        last = next(reversed(by_turn.values()))
        return Account(
            end_reason=last.end_reason,
            finish_reason=last.finish_reason,
            final_text=last.final_text,
            error=last.error,
            recovered=tuple(
                turn.end_reason for line in by_turn.values() for turn in line.recovered
            ),
            not_applicable=last.not_applicable,
        )
    if killed:
        return Account()
    if exit_code in INTERRUPT_EXITS:
        return Account(end_reason="aborted", error="no result line; it died by SIGINT")
    why = complaints(output, exit_code, errors)
    return Account(end_reason="error", error=why[-1] if why else None)


def complaints(output: str, exit_code: int | None, errors: str = "") -> tuple[str, ...]:
    """What is wrong with the result lines of a start that was not killed."""
    lines = list(result_lines(output))
    if not lines and exit_code not in INTERRUPT_EXITS:
        last = last_words(errors)
        said = f"; the last that it wrote to standard error: {last}" if last else ""
        return (f"no result line; exit code {exit_code}{said}",)
    bad = [line.sentence for line in lines if isinstance(line, BadLine)]
    more = len(bad) - COMPLAINTS_MAX
    told = (f"and {more:,} more lines like these",) if more > 0 else ()
    return (*bad[:COMPLAINTS_MAX], *told)


def last_words(errors: str) -> str:
    """The line of standard error that tells why: the last that names an error, else the last.

    Node.js writes its version after what was thrown; Python writes what was raised at the end.
    """
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    raised = [line for line in lines if RAISED.fullmatch(line)]
    last = (raised or lines or [""])[-1]
    return last if len(last) <= SHOWN_CHARS_MAX else f"{last[: SHOWN_CHARS_MAX - 1]}…"
