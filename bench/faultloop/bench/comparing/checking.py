"""`faultloop wordings check`: whether each wording that models read now is one that was measured,
as far as is demanded.

    0 all were   1 one was not   2 bad input

It asks no model and costs nothing, so that CI can do it for every change (SPEC C9). A wording that
was found worse does not pass unless that is said. What is wrong is told with the command that mends
it, where one does.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple

from faultloop.bench.comparing.lock import (
    BadLock,
    Change,
    Lock,
    Run,
    changes,
    fingerprint_of,
    fingerprints,
    name_of,
    placed,
    read,
)
from faultloop.bench.comparing.revisions import BadRevision, revisions_of, taken_out
from faultloop.reports.accuracy.conclusion import Verdict
from faultloop.scenarios.files import BadFile
from faultloop.scenarios.wordings.reading import shipped
from faultloop.scenarios.wordings.reading.tasks import load_tasks
from faultloop.scenarios.wordings.reading.wordings import extended_by, load_wording

LISTED_MAX = 6
"""Changed contracts that a sentence names."""

VerdictMin = Literal["better", "no-worse", "cannot-tell", "worse"]
LEAST: Mapping[VerdictMin, frozenset[Verdict | Literal[""]]] = MappingProxyType(
    {
        "better": frozenset({Verdict.BETTER}),
        "no-worse": frozenset({Verdict.BETTER, Verdict.NO_WORSE}),
        "cannot-tell": frozenset({Verdict.BETTER, Verdict.NO_WORSE, Verdict.CANNOT_TELL, ""}),
        "worse": frozenset({*Verdict, ""}),
    }
)
"""The verdicts that pass; a base has none, and is as good as one that cannot be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Demands:
    """What a run must be, to count."""

    model: str = ""
    """As it was given to `compare`; empty: any."""
    tasks_min: int = 1
    verdict_min: VerdictMin = "cannot-tell"


class Looked(NamedTuple):
    """What there is to say of a wording."""

    says: str
    is_good: bool
    command: str = ""
    """What to run, where it is not good."""


def check(
    lock_path: Path, files: Sequence[Path], demands: Demands | None = None
) -> Iterator[Looked]:
    """Look at these files, or without any at all that the lock names.

    Raises BadLock and BadWording.
    """
    lock = read(lock_path)
    if not files and not lock.wordings:
        raise BadLock(f"{lock_path} names no wording, so there is nothing to check")
    look = _Look(lock_path, lock, demands or Demands())
    wanted = [(name_of(lock_path, file), file) for file in files]
    for name, file in wanted or [(name, lock_path.parent / name) for name in lock.wordings]:
        if not files and not file.exists():
            says = f"{name} stands in {lock_path.name} and is no more: take it out there"
            yield Looked(says, is_good=False)
        else:
            yield look.at(name, file)


class _Look:
    """At one wording after the other, with one lock."""

    def __init__(self, lock_path: Path, lock: Lock, demands: Demands) -> None:
        self._path = lock_path
        self._lock = lock
        self._demands = demands
        self._tasks: dict[str, str] = {}
        """Fingerprints of sets of tasks as they are now; empty where they cannot be read."""

    def at(self, name: str, file: Path) -> Looked:
        """Raises BadWording."""
        now = fingerprints(load_wording(file))
        known = self._lock.wordings.get(name)
        if known is None:
            says = f"{name}: no accuracy run is recorded for it"
            base = _before(file, now) or extended_by(file)
            return Looked(says, False, self._command(file, base, None))
        told = self._told(known.run)
        if changed := changes(now, known.contracts):
            says = (
                f"{name}: {_listed(changed)} since its last accuracy run ({told}): wording is"
                " interface, and this one was not measured"
            )
            base = _before(file, now, known.contracts)
            return Looked(says, False, self._command(file, base or f"REV:{file}", known.run))
        if wanting := self._wanting(known.run):
            base = self._base(file, now, known.run)
            if base is None and known.run.verdict:  # beside itself its verdict would stay
                base = f"REV:{file}"
            command = self._command(file, base, known.run)
            return Looked(f"{name}: {told}: {wanting}", False, command)
        verdicts = {known.run.verdict, known.run.without_failures or known.run.verdict}
        if not verdicts <= LEAST[self._demands.verdict_min]:  # failures make no wording good
            says = f"{name}: {told}: {self._not_accepted(known.run)}"
            return Looked(says, is_good=False)
        return Looked(f"{name}: {told}", is_good=True)

    def _told(self, run: Run) -> str:
        """The run: that a wording was measured does not say that it was found good."""
        verdict = f"{run.verdict} beside {run.base}" if run.verdict else "a base, without a verdict"
        if run.verdict == Verdict.NO_WORSE:
            verdict += f" (a margin of {run.margin * 100:g} points)"
        if run.without_failures:
            verdict += f", by failures: of what was answered {run.without_failures}"
        now = self._tasks_now(run.tasks)
        told = f"{run.day}, {run.model}, {run.asked} tasks; {verdict}"
        if not now:
            return f"{told}; {run.tasks} cannot be read any more"
        return told if now == run.tasks_fingerprint else f"{told}; {run.tasks} changed since"

    def _tasks_now(self, tasks: str) -> str:
        if tasks not in self._tasks:
            self._tasks[tasks] = ""
            with suppress(BadFile):
                self._tasks[tasks] = fingerprint_of(load_tasks(placed(self._path, tasks)).tasks)
        return self._tasks[tasks]

    def _number_of(self, tasks: str) -> int | None:
        """How many tasks there are now; None: they cannot be read."""
        with suppress(BadFile):
            return len(load_tasks(placed(self._path, tasks)).tasks)
        return None

    def _wanting(self, run: Run) -> str:
        """What another run would mend."""
        if self._demands.model not in ("", run.model):
            return f"a run by {self._demands.model} is demanded"
        if run.asked < self._demands.tasks_min:
            few = f"a run of {self._demands.tasks_min} tasks or more is demanded"
            there = self._number_of(run.tasks)
            if there is None or there >= self._demands.tasks_min:
                return few
            return f"{few}, and {run.tasks} holds {there}: add tasks, then run it again"
        return ""

    def _not_accepted(self, run: Run) -> str:
        if run.verdict == Verdict.WORSE:
            return "reword it, or accept it with `--verdict-min worse`"
        return f"`--verdict-min {self._demands.verdict_min}` demands more"

    def _base(self, file: Path, now: Mapping[str, str], run: Run) -> str | None:
        """What it was compared with, where that is a file or shipped; the name of a commit, such as
        HEAD, may have moved on."""
        base = placed(self._path, run.base) if run.base else ""
        if base and (Path(base).is_file() or not shipped.is_file(base)):
            return base
        return _before(file, now) or extended_by(file)

    def _command(self, file: Path, base: str | None, run: Run | None) -> str:
        """Without a base the file is compared with itself: measured, and nothing said of it. What
        was never measured is asked as all others are, if these are asked alike."""
        others = [one.run for one in self._lock.wordings.values()]
        asked = {(one.tasks, one.model) for one in ([run] if run else others)}
        tasks, model = asked.pop() if len(asked) == 1 else ("", "")
        words = ["faultloop", "compare", base or str(file), str(file)]
        if tasks:
            words += ["--tasks", placed(self._path, tasks)]
        if model := self._demands.model or model:
            words += ["--model", model]
        if run and run.margin:
            words += ["--margin", f"{run.margin * 100:g}"]
        where = "   (REV: the commit before the change)" if base == f"REV:{file}" else ""
        return shlex.join([*words, "--lock", str(self._path)]) + where


def _before(
    file: Path, now: Mapping[str, str], measured: Mapping[str, str] | None = None
) -> str | None:
    """`REV:FILE` as it was measured; else as it last said something else. None: it never did."""
    other = None
    for revision, face in _faces(file):
        if face == measured or (measured is None and face != now):
            return f"{revision}:{file}"
        if other is None and face != now:
            other = f"{revision}:{file}"
    return other


def _faces(file: Path) -> Iterator[tuple[str, Mapping[str, str]]]:
    """What the file said in its commits, the newest first, as far as that can be read."""
    for revision in revisions_of(file):
        text = f"{revision}:{file.name}"
        with suppress(BadFile, BadRevision), taken_out(text, below=file.parent) as then:
            face = fingerprints(load_wording(then))
            yield revision, face


def _listed(changed: tuple[Change, ...]) -> str:
    shown = ", ".join(f"{one.tool} {one.what}" for one in changed[:LISTED_MAX])
    more = len(changed) - LISTED_MAX
    return f"{shown} and {more} more" if more > 0 else shown
