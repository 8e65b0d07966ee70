"""BFCL's own verdicts, from its checker in a process of its own.

Its code runs only where a user asks for the comparison, and never in this process.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from faultloop.scenarios.wordings.bfcl.literals import arguments_as_texts
from faultloop.scenarios.wordings.bfcl.source import Row

PROCESS = Path(__file__).with_name("checker_process.py")
TIMEOUT_S = 600


class CheckerFailed(Exception):
    """Its checker could not be run."""


class Called(NamedTuple):
    """A call in an answer, by the name that BFCL gives the function."""

    name: str
    args: dict[str, Any]


class Asked(NamedTuple):
    """An answer to a row."""

    row: Row
    calls: tuple[Called, ...]


class Verdict(NamedTuple):
    """What its checker says."""

    valid: bool | None
    """None: it failed."""
    says: str


class Checked(NamedTuple):
    """All verdicts, and what they took."""

    verdicts: list[Verdict]
    cpu_s: float
    """CPU seconds for decoding the arguments of all and checking them once."""


def check(package: Path, asked: Sequence[Asked], *, rounds: int = 1) -> Checked:
    """Ask its checker. Raises CheckerFailed."""
    command = [sys.executable, "-I", str(PROCESS), str(package.parent), str(rounds)]
    lines = "".join(json.dumps(_line(one)) + "\n" for one in asked)
    try:
        done = subprocess.run(
            command, input=lines, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CheckerFailed(f"BFCL's checker could not be run: {error}") from error
    if done.returncode:
        last = done.stderr.strip().rpartition("\n")[2]
        raise CheckerFailed(f"BFCL's checker in {package} failed: {last}")
    *found, timed = [json.loads(line) for line in done.stdout.splitlines()]
    return Checked([Verdict(one["valid"], one["says"]) for one in found], timed["cpu_s"])


def _line(asked: Asked) -> Mapping[str, Any]:
    row, calls = asked
    functions = {function["name"]: function for function in row.functions}
    return {
        "functions": row.functions,
        "calls": [
            (call.name, arguments_as_texts(call.args, functions.get(call.name), row.language))
            for call in calls
        ],
        "answers": row.answers,
        "language": row.language,
        "category": row.category,
    }
