"""`pytest bench --wordings BASE CANDIDATE ...`: `faultloop compare`, an item for each candidate.

    passes   better, or no worse within the margin
    fails    worse, or cannot tell: unknown is never green; so does all that a limit stopped

Nothing else is collected, whatever pytest was pointed at, and nothing is played. One comparison is
made for all items, when the first of them runs; under xdist they belong to one worker.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import fields
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from faultloop.bench import options
from faultloop.bench.comparing.asked import Shared
from faultloop.bench.comparing.command import (
    TASKS,
    BadComparison,
    Compared,
    NothingAnswered,
    Read,
    Wanted,
    compare,
    foreseen,
    read,
)
from faultloop.bench.comparing.wanting import wanted
from faultloop.reports.accuracy.conclusion import Difference, Verdict
from faultloop.scenarios.wordings.models import DEFAULT

GREEN = frozenset({Verdict.BETTER, Verdict.NO_WORSE})
NODE = "wordings"
SAID = "faultloop"
"""Name of the property under which a test report tells the sentence; workers send it along."""


class Comparison:
    """One comparison, made when the first candidate asks for it."""

    def __init__(self, asked: Wanted, found: Read) -> None:
        self.wanted = asked
        self.found = found
        self.remarks: list[str] = []
        self._made: Compared | None = None
        self._failed: BadComparison | None = None

    @property
    def candidates(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(wording.name for wording in self.found.wordings[1:])

    def made(self) -> Compared:
        """What came of it, for whoever asks: it is made once, limits and failures included. Raises
        BadComparison."""
        if self._failed is not None:
            raise self._failed
        if self._made is None:
            try:
                self._made = compare(
                    self.wanted,
                    self.found,
                    today=date.today(),
                    tell=lambda _: None,
                    says=self.remarks.append,
                )
            except BadComparison as error:
                self._failed = error
                raise
        return self._made


class Judged(NamedTuple):
    """One candidate's outcome."""

    is_green: bool
    says: str


def judged(made: Compared, candidate: str) -> Judged:
    """What came of one candidate, in the headline's metric, beside all that were declared."""
    found = _difference(made, candidate)
    if made.experiment.stopped:
        return Judged(False, f"cannot tell: {made.experiment.stopped}. So far: {found.says}")
    return Judged(found.verdict in GREEN, found.says)


def _difference(made: Compared, candidate: str) -> Difference:
    first = made.conclusions.metrics[0]
    return next(
        one
        for one in made.conclusions.differences
        if one.candidate == candidate and one.metric == first
    )


class Candidate(pytest.Item):
    """The item of one candidate."""

    def __init__(self, *, comparison: Comparison, **node: Any) -> None:
        super().__init__(**node)
        self._comparison = comparison
        self.add_marker(pytest.mark.timeout(0))  # a comparison has limits of its own

    def runtest(self) -> None:
        """Fails in one sentence, with the page that shows why."""
        try:
            made = self._comparison.made()
        except NothingAnswered as error:
            raise pytest.fail.Exception(f"cannot tell: {error}", pytrace=False) from None
        except BadComparison as error:
            pytest.exit(str(error), returncode=pytest.ExitCode.USAGE_ERROR)
        found = judged(made, self.name)
        says = f"{found.says}\npage: {made.page}"
        for remark in self._comparison.remarks:
            self.add_report_section("call", "faultloop", remark)
        self.user_properties.append((SAID, says))
        if not found.is_green:
            pytest.fail(says, pytrace=False)

    def reportinfo(self) -> tuple[Path, None, str]:
        """It stands in no file of its own."""
        return self.path, None, self.nodeid


_comparison = pytest.StashKey[Comparison]()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Read all that was given, before anything is asked."""
    try:
        asked = wanted_by(session.config)
        session.config.stash[_comparison] = Comparison(asked, read(asked))
    except BadComparison as error:
        raise pytest.UsageError(str(error)) from error


def pytest_report_header(config: pytest.Config) -> list[str]:
    """What is compared, and what these tasks can show."""
    comparison = config.stash[_comparison]
    names = ", ".join(wording.name for wording in comparison.found.wordings)
    said = [options.told(config), f"wordings: {names}: asked of {comparison.wanted.model}"]
    return [line for line in (*said, foreseen(comparison.wanted, comparison.found)) if line]


@pytest.hookimpl(tryfirst=True)
def pytest_ignore_collect() -> bool:
    """Nothing but candidates."""
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    """An item for each candidate; first, so that `-k` chooses among them."""
    items[:] = _items(session)
    found = pytest.CollectReport(nodeid=NODE, outcome="passed", longrepr=None, result=[*items])
    session.config.hook.pytest_collectreport(report=found)  # so that they are counted


def _items(session: pytest.Session) -> Iterator[pytest.Item]:
    comparison = session.config.stash[_comparison]
    for name in comparison.candidates:
        yield Candidate.from_parent(
            session, name=name, nodeid=f"{NODE}::{name}", comparison=comparison
        )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object | None:
    """All candidates of a comparison go to one worker, unless another way was asked for."""
    if config.option.dist != "load":
        return None
    from xdist.scheduler import LoadScopeScheduling  # xdist need not be installed

    scheduling: object = LoadScopeScheduling(config, log)
    return scheduling


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What passed is told as well: better is not the same as no worse."""
    told = [
        str(says)
        for report in terminalreporter.stats.get("passed", [])
        for name, says in report.user_properties
        if name == SAID
    ]
    if told:
        terminalreporter.section("faultloop")
        terminalreporter.write("\n".join(told) + "\n")


TYPED_AS = {"strict": "strict_decoding", "timeout": "answer_timeout"}
"""What is called otherwise here: pytest itself and pytest-timeout have these names."""


def wanted_by(config: pytest.Config) -> Wanted:
    """The comparison that the command line asks for. Raises BadComparison."""
    given = config.option
    if len(given.faultloop_wordings) < 2:
        (base,) = given.faultloop_wordings
        raise BadComparison(f"--wordings {base}: give a base and at least one candidate")
    return wanted(
        shared_by(config),
        wordings=given.faultloop_wordings,
        tasks=given.faultloop_tasks or TASKS,
        model=given.faultloop_model or DEFAULT,
        metric=given.faultloop_metric,
        tools=given.faultloop_tools,
        report_dir=Path(given.faultloop_report_dir or options.DEFAULT_ACCURACY),
        lock=Path(given.faultloop_lock) if given.faultloop_lock else None,
        command=shlex.join(["pytest", *map(str, config.invocation_params.args)]),
    )


def shared_by(config: pytest.Config) -> Shared:
    """What was given of the options of every comparison; the rest is as it is there."""
    names = [field.name for field in fields(Shared)]
    typed = {
        name: getattr(config.option, f"faultloop_{TYPED_AS.get(name, name)}") for name in names
    }
    if typed["cache"] is not None:
        typed["cache"] = Path(typed["cache"])
    return Shared(**{name: value for name, value in typed.items() if value is not None})
