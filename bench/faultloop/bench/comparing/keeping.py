"""What of a comparison is recorded in the lock: nothing that makes a change look judged which was
not.

- A candidate that is a file: its run, with the verdict.
- A candidate that says what its base says: nothing. This is the trap of CI, where a change stands
  in HEAD already, and `HEAD:tools.yaml` beside `tools.yaml` compares it with itself.
- The base, where it is a file: that it was measured, without a verdict. One that stands in the lock
  of what it says now stays; and where it changed since its last run, the change was not put to
  the test here.
- A shipped wording, and a file in a commit: nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from faultloop.bench.comparing.lock import BadLock, Lock, Run, fingerprints, name_of, update
from faultloop.bench.comparing.revisions import is_revision
from faultloop.scenarios.wordings.wording import Wording


class Measured(NamedTuple):
    """One wording of a comparison."""

    asked: str
    """As it was asked for."""
    wording: Wording
    run: Run

    @property
    def is_kept(self) -> bool:
        """Whether it is a file of the working tree."""
        return _is_file(self.asked)


def refuse_unchanged(asked: Sequence[str], wordings: Sequence[Wording]) -> None:
    """Refuse a comparison of which nothing could be recorded, before it costs anything; base first.

    A file beside itself may be asked for: it is measured, and compared with nothing. Raises
    BadLock.
    """
    base = fingerprints(wordings[0])
    for text, wording in zip(asked[1:], wordings[1:], strict=True):
        if _is_file(text) and Path(text) != Path(asked[0]) and fingerprints(wording) == base:
            raise BadLock(
                f"{text} says what {asked[0]} says, so --lock would record no change that was"
                f" measured: compare it with REV:{text}, REV being the commit before the change"
            )


def keep(path: Path, base: Measured, candidates: Sequence[Measured]) -> tuple[str, ...]:
    """Record it; returned is what is not recorded, a sentence each. Raises BadLock."""
    face = fingerprints(base.wording)
    told: list[str] = []

    def record(lock: Lock) -> Lock:
        for one in candidates:
            if one.is_kept and fingerprints(one.wording) != face:
                lock = lock.with_run(name_of(path, Path(one.asked)), one.wording, one.run)
        if not base.is_kept:
            return lock
        name = name_of(path, Path(base.asked))
        known = lock.wordings.get(name)
        if known is None or (known.contracts == face and not known.run.verdict):
            return lock.with_run(name, base.wording, base.run)
        if known.contracts != face:
            told.append(
                f"{base.asked} changed since its last run and was only the base here, so nothing is"
                " recorded of it: compare it with what it was"
            )
        return lock

    update(path, record)
    return tuple(told)


def _is_file(text: str) -> bool:
    return not is_revision(text) and Path(text).is_file()
