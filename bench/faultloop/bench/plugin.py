"""The pytest plugin: options, one lot after the other, and the report at the end.

A test item is one promise in one column. All plays of a lot are made when its first item runs and
are kept on disk as they finish, so a thousand plays cost the overhead of a few dozen items, and
an interrupt loses nothing that was finished. Under xdist a lot belongs to one worker.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from faultloop.bench.promise import Promise
from faultloop.bench.running import play_lot
from faultloop.bench.selection import (
    DEFAULT_SEED,
    DEFAULT_SUBJECTS,
    BadSelection,
    Lot,
    Selection,
    choose,
)
from faultloop.fakes.server import CannotListen
from faultloop.reports.reading import PAGE, BadReport
from faultloop.reports.rows import Summary
from faultloop.reports.store import ReportDirectory
from faultloop.reports.terminal import closing
from faultloop.reports.writing import ReportUnwritable
from faultloop.scenarios.reading import BadScenario
from faultloop.scenarios.subject import BadSubject

PROMISES = Path(__file__).parent / "promises"
DEFAULT_REPORT = "faultloop-report"
EXIT_REPORT = 2
"""pytest's own code for a run that was cut short."""

_lots = pytest.StashKey[tuple[Lot, ...]]()
_report = pytest.StashKey[ReportDirectory]()
_summary = pytest.StashKey[Summary]()
_planned = pytest.StashKey[int]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of `pytest bench`; the same words as `faultloop run` uses."""
    group = parser.getgroup("faultloop", "fault-injection bench for agent loops")
    group.addoption(
        "--subject",
        action="append",
        metavar="NAME_OR_FILE",
        help="agent loop to play: a shipped name, mutant:NAME or a subject.toml (repeatable; "
        f"default: {', '.join(DEFAULT_SUBJECTS)})",
    )
    group.addoption(
        "--scenario",
        action="append",
        metavar="GLOB",
        help="play only scenarios with such a name, or this scenario file (repeatable)",
    )
    group.addoption("--dialect", action="append", metavar="NAME", help="only this dialect")
    group.addoption("--stream", action="store_true", default=None, dest="stream", help="streamed")
    group.addoption("--no-stream", action="store_false", dest="stream", help="whole replies only")
    group.addoption("--seed", type=int, default=DEFAULT_SEED, help="default: %(default)s")
    group.addoption("--repeat", type=int, help="plays of each (default: 1, kills 5)")
    group.addoption("--quick", action="store_true", help="the six classic faults, one column")
    group.addoption(
        "--port",
        type=int,
        default=0,
        help="loopback port of the fake provider for real subjects (default: any free one)",
    )
    group.addoption(
        "--report-dir",
        default=DEFAULT_REPORT,
        metavar="DIR",
        help="where the report goes (default: %(default)s)",
    )


def selection_of(config: pytest.Config) -> Selection:
    """The selection that the command line asks for."""
    return Selection(
        subjects=tuple(config.option.subject or DEFAULT_SUBJECTS),
        scenarios=tuple(config.option.scenario or ("*",)),
        dialects=tuple(config.option.dialect or ()),
        streaming=config.option.stream,
        seed=config.option.seed,
        repeat=config.option.repeat,
        quick=config.option.quick,
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object | None:
    """Keep the items of a lot together, unless another distribution was asked for."""
    if config.option.dist != "load" or not _collects_promises(config):
        return None
    from faultloop.bench.lots_under_xdist import LotScheduling

    return LotScheduling(config, log)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Choose the lots and prepare the report directory, once, before anything is played."""
    config = session.config
    if not _collects_promises(config):
        return
    worker = _worker(config)
    report = ReportDirectory(
        config.invocation_params.dir / config.option.report_dir,
        seed=config.option.seed,
        worker=worker,
    )
    try:
        config.stash[_lots] = choose(selection_of(config))
        if not worker and not config.option.collectonly:
            report.prepare()
    except (BadSelection, BadScenario, BadSubject, ReportUnwritable) as error:
        raise pytest.UsageError(str(error)) from error
    config.stash[_report] = report


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One item of each promise for each lot."""
    if "promise" in metafunc.fixturenames:
        lots = metafunc.config.stash[_lots]
        metafunc.parametrize("promise", lots, ids=[lot.name for lot in lots], indirect=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A lot is bounded by its plays' own deadlines, not by a test's."""
    for item in items:
        if "promise" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.timeout(0))


@pytest.fixture(scope="session")
def promise(request: pytest.FixtureRequest) -> Promise:
    """The plays of one lot, made now if this is its first item."""
    lot: Lot = request.param
    report = request.config.stash[_report]
    stash = request.config.stash
    stash[_planned] = stash.get(_planned, 0) + len(lot.pieces)
    try:
        return Promise(lot.name, play_lot(lot, keep=report.keep, port=request.config.option.port))
    except (BadSubject, CannotListen) as error:
        pytest.exit(str(error), returncode=pytest.ExitCode.USAGE_ERROR)
    except ReportUnwritable as error:
        pytest.exit(str(error), returncode=EXIT_REPORT)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Make the report of all that was played, also after an interrupt."""
    report = session.config.stash.get(_report, None)
    if report is None or session.config.option.collectonly:
        return
    if _worker(session.config):
        report.close()
        return
    try:
        session.config.stash[_summary] = report.finish()
    except (ReportUnwritable, BadReport) as error:
        session.exitstatus = EXIT_REPORT
        session.config.get_terminal_writer().line(f"\nfaultloop: {error}", red=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was found, and where to read it."""
    config = terminalreporter.config
    summary = config.stash.get(_summary, None)
    if summary is not None and summary.plays:
        writer = terminalreporter.config.get_terminal_writer()
        console = Console(width=writer.fullwidth, force_terminal=writer.hasmarkup)
        with console.capture() as printed:
            where = str(config.stash[_report].path / PAGE)
            planned = config.stash.get(_planned, 0)
            console.print(closing(summary, where=where, planned=planned), crop=False)
        terminalreporter.section("faultloop")
        terminalreporter.write(printed.get())


def _worker(config: pytest.Config) -> str:
    sent: dict[str, str] = getattr(config, "workerinput", {})
    return sent.get("workerid", "")


def _collects_promises(config: pytest.Config) -> bool:
    """Whether any argument names the promises, a folder above them or a file among them."""
    for arg in config.args:
        place = arg.partition("::")[0]
        if config.option.pyargs and place.split(".")[:2] == ["faultloop", "bench"]:
            return True
        path = (config.invocation_params.dir / place).resolve()
        if path == PROMISES or path in PROMISES.parents or PROMISES in path.parents:
            return True
    return False
