"""`wordings.lock`: what was measured of which wording, so that a change is noticed (SPEC C9).

Wording, examples and schema are interface. A wording stands in the lock with a fingerprint of each
contract's model face, as of its last accuracy run, and with what that run found. What a contract
says now and what it said then either agree, or the run is to be made again; nothing here judges
whether the wording is good. The file is written sorted, one fact a line, for people to review.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import Literal, NamedTuple

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from faultloop.loop.contract import Contract
from faultloop.reports.accuracy.conclusion import Conclusions, Metric, Verdict
from faultloop.scenarios.wordings.task import Task
from faultloop.scenarios.wordings.wording import Wording

NAME = "wordings.lock"
HEAD = """\
# What was measured of each wording. `faultloop compare --lock` writes it; review it, and let CI run
# `faultloop wordings check`.
"""


class BadLock(Exception):
    """The lock cannot be read or written: one sentence for whoever keeps it."""


class Run(BaseModel):
    """One accuracy run, as far as a reviewer asks."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    day: date
    model: str
    tasks: str
    """What was asked from: a path as seen from the lock's folder, or a shipped name."""
    tasks_fingerprint: str
    asked: int
    """Number of tasks."""
    selection: float
    arguments: float | None = None
    """Given the right tool; left out where the model gives none."""
    base: str = ""
    """What it was compared with: a path as seen from the lock's folder, else as it was asked for;
    empty where it was the base itself."""
    verdict: Verdict | Literal[""] = ""
    """Of that comparison; a base has none."""
    without_failures: Verdict | Literal[""] = ""
    """Of what was answered under both, where that is another verdict; left out elsewhere."""
    margin: float = 0.0
    """By how much worse was still no worse, from 0 to 1; left out where none was declared."""


class Locked(BaseModel):
    """A wording as of its last run."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    contracts: dict[str, str]
    """Tool to the fingerprint of what models read of it."""
    run: Run


class Lock(BaseModel):
    """All of the file."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    schema_: Literal[1] = Field(default=1, alias="schema")
    wordings: dict[str, Locked] = Field(default_factory=dict)
    """Path of a wording's file, as seen from the lock's folder, to what is known of it."""

    def with_run(self, path: str, wording: Wording, run: Run) -> Lock:
        """The same with a further run, which takes the place of an earlier one."""
        locked = Locked(contracts=fingerprints(wording), run=run)
        return self.model_copy(update={"wordings": {**self.wordings, path: locked}})


def run_of(
    conclusions: Conclusions,
    wording: str,
    *,
    day: date,
    model: str,
    tasks: str,
    asked: Sequence[Task],
    base: str,
    margin: float,
) -> Run:
    """What the lock keeps of a comparison about one of its wordings; `base` is empty for the base
    itself. `tasks` and `base` are as `stored` gives them."""
    found = [
        difference
        for difference in conclusions.differences
        if base and difference.candidate == wording and difference.metric == conclusions.metrics[0]
    ]
    return Run(
        day=day,
        model=model,
        tasks=tasks,
        tasks_fingerprint=fingerprint_of(asked),
        asked=len(asked),
        selection=_rate(conclusions, wording, "selection") or 0.0,
        arguments=_rate(conclusions, wording, "arguments"),
        base=base,
        verdict=found[0].verdict if found else "",
        without_failures=(found[0].without_failures or "") if found else "",
        margin=margin if base else 0.0,
    )


def fingerprint_of(tasks: Sequence[Task]) -> str:
    """Of all that a set of tasks asks and expects, in whichever order."""
    said = sorted(task.model_dump_json() for task in tasks)
    return hashlib.sha256("\n".join(said).encode()).hexdigest()[:16]


def name_of(lock: Path, file: Path) -> str:
    """What a wording's file is called in a lock: its path from there, with forward slashes."""
    return Path(os.path.relpath(file.resolve(), lock.resolve().parent)).as_posix()


def stored(lock: Path, text: str) -> str:
    """How a lock names what was asked for: a file or a folder by its path from there, all else as
    it is."""
    return name_of(lock, Path(text)) if Path(text).exists() else text


def placed(lock: Path, text: str) -> str:
    """What a lock names, for whoever is here: the reverse of `stored`."""
    path = lock.parent / text
    return str(path) if path.exists() else text


def _rate(conclusions: Conclusions, wording: str, metric: Metric) -> float | None:
    rates = [r for r in conclusions.rates if r.wording == wording and r.metric == metric]
    return round(rates[0].rate, 4) if rates else None


class Change(NamedTuple):
    """What became of one contract since the last run."""

    tool: str
    what: Literal["changed", "added", "removed"]


def fingerprints(wording: Wording) -> dict[str, str]:
    """Tool to the fingerprint of its contract's model face, sorted; nothing of the runtime."""
    return {tool: _fingerprint(wording.contracts[tool]) for tool in sorted(wording.contracts)}


def _fingerprint(contract: Contract) -> str:
    said = json.dumps(contract.face(), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def changes(now: Mapping[str, str], then: Mapping[str, str]) -> tuple[Change, ...]:
    """What differs, by tool."""
    found: list[Change] = []
    for tool in sorted(now.keys() | then.keys()):
        if tool not in then:
            found.append(Change(tool, "added"))
        elif tool not in now:
            found.append(Change(tool, "removed"))
        elif now[tool] != then[tool]:
            found.append(Change(tool, "changed"))
    return tuple(found)


def read(path: Path) -> Lock:
    """The lock; an empty one where there is no file. Raises BadLock, also where none could stand:
    that is told before a run, which may have cost something."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        if path.parent.is_dir():
            return Lock()
        raise BadLock(f"{path} has no folder to stand in: make {path.parent} first") from error
    except (OSError, UnicodeDecodeError) as error:
        raise BadLock(f"{path} cannot be read: {error}") from error
    try:
        data = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # the 30th of February, [[[[
        told = " ".join(str(error).split())
        raise BadLock(f"{path} is no YAML ({told}); was it merged by hand?") from error
    try:
        return Lock.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise BadLock(
            f"{path}: {place}: {first['msg']}; make the runs again with `faultloop compare --lock`"
        ) from error


def update(path: Path, change: Callable[[Lock], Lock]) -> None:
    """Read it, change it and write it, while nobody else does: two comparisons that end at a time
    both stand in it afterwards. Raises BadLock."""
    with _held(path.parent):
        write(path, change(read(path)))


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """The folder's own lock, so that no file of it is left behind. Raises BadLock."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise BadLock(f"{folder} cannot be opened: {error.strerror}") from error
    try:
        with suppress(OSError):  # a file system without locks: as good as it gets there
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def write(path: Path, lock: Lock) -> None:
    """Write it whole or not at all. Raises BadLock."""
    data = lock.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    data = {"schema": 1, "wordings": dict(sorted(data.get("wordings", {}).items()))}
    half = path.with_name(f".{path.name}.{os.getpid()}.half")
    try:
        text = HEAD + yaml.safe_dump(data, sort_keys=False, allow_unicode=True)
        half.write_text(text, encoding="utf-8")
        half.replace(path)
    except OSError as error:
        with suppress(OSError):
            half.unlink(missing_ok=True)
        raise BadLock(f"{path} cannot be written: {error.strerror}") from error
