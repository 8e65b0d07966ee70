"""`faultloop wordings check`: whether each wording that models read now is one that was measured.

    0 all were   1 one was not   2 bad input

It asks no model and costs nothing, so that CI can do it for every change (SPEC C9). What is wrong
is said with the command that mends it.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from faultloop.bench.comparing.lock import (
    BadLock,
    Change,
    Lock,
    Locked,
    changes,
    fingerprints,
    name_of,
    read,
)
from faultloop.bench.comparing.revisions import BadRevision, revisions_of, taken_out
from faultloop.scenarios.files import BadFile
from faultloop.scenarios.wordings.reading.wordings import load_wording

LISTED_MAX = 6
"""Changed contracts that a sentence names."""


class Unmeasured(NamedTuple):
    """A wording that was never measured, or not as it is now."""

    file: str
    says: str
    command: str
    """What to run."""


def check(lock_path: Path, files: Sequence[Path]) -> Iterator[Unmeasured]:
    """Look at these files, or without any at all that the lock names.

    Raises BadLock and BadWording.
    """
    lock = read(lock_path)
    if not files and not lock.wordings:
        raise BadLock(f"{lock_path} names no wording, so there is nothing to check")
    wanted = [(name_of(lock_path, file), file) for file in files]
    for name, file in wanted or [(name, lock_path.parent / name) for name in lock.wordings]:
        if not files and not file.exists():
            says = f"{name} stands in {lock_path.name} and is no more: take it out there"
            yield Unmeasured(name, says, "")
            continue
        now = fingerprints(load_wording(file))
        known = lock.wordings.get(name)
        if known is None:
            says = f"{name}: no accuracy run is recorded for it"
            yield Unmeasured(name, says, _command(lock_path, lock, name, file))
        elif changed := changes(now, known.contracts):
            says = (
                f"{name}: {_listed(changed)} since its last accuracy run ({known.run.day},"
                f" {known.run.model}): wording is interface, and this one was not measured"
            )
            yield Unmeasured(name, says, _command(lock_path, lock, name, file))


def measured(lock_path: Path, files: Sequence[Path]) -> Iterator[str]:
    """What the lock says of these files, or of all that it names, a sentence each: that a wording
    was measured does not say that it was found good. Raises BadLock."""
    lock = read(lock_path)
    for name in [name_of(lock_path, file) for file in files] or lock.wordings:
        run = lock.wordings[name].run
        verdict = f"; {run.verdict} beside {run.base}" if run.verdict else ""
        yield f"{name}: {run.day}, {run.model}, {run.asked} tasks{verdict}"


def _measured(file: Path, known: Locked | None) -> str:
    """`REV:FILE` as it was measured; what was never measured is compared with its last commit."""
    for revision in revisions_of(file) if known is not None else ():
        text = f"{revision}:{file.name}"
        with suppress(BadFile, BadRevision), taken_out(text, below=file.parent) as then:
            if known is not None and fingerprints(load_wording(then)) == known.contracts:
                return f"{revision}:{file}"
    return f"HEAD:{file}"


def _command(lock_path: Path, lock: Lock, name: str, file: Path) -> str:
    known = lock.wordings.get(name)
    words = ["faultloop", "compare", _measured(file, known), str(file)]
    if known is not None:
        words += ["--tasks", known.run.tasks, "--model", known.run.model]
    return shlex.join([*words, "--lock", str(lock_path)])


def _listed(changed: tuple[Change, ...]) -> str:
    shown = ", ".join(f"{one.tool} {one.what}" for one in changed[:LISTED_MAX])
    more = len(changed) - LISTED_MAX
    return f"{shown} and {more} more" if more > 0 else shown
