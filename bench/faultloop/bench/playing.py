"""The playing part of the pytest plugin: one lot after the other, and the report at the end.

`plugin` registers this module where promises are collected, and only there. A test item is one
promise in one column. All plays of a lot are made when its first item runs and are kept on disk as
they finish, so a thousand plays cost the overhead of a few dozen items, and an interrupt loses
nothing that was finished. Under xdist a lot belongs to one worker.
"""

from __future__ import annotations

from typing import Any

import pytest
from rich.console import Console

from faultloop.bench import options
from faultloop.bench.drilling import Exercise, drilled, exercises
from faultloop.bench.promise import Promise
from faultloop.bench.running import play_lot
from faultloop.bench.selection import BadSelection, Lot, choose
from faultloop.fakes.server import CannotListen
from faultloop.reports.forms import differs
from faultloop.reports.reading import PAGE, BadReport
from faultloop.reports.rows import PlayRecord, Summary
from faultloop.reports.store import ReportDirectory, unfinished
from faultloop.reports.terminal import closing
from faultloop.reports.writing import ReportUnwritable
from faultloop.scenarios.reading import BadScenario
from faultloop.scenarios.room import NoRoom
from faultloop.scenarios.subject import BadSubject

EXIT_REPORT = 2
"""pytest's own code for a run that was cut short."""

_lots = pytest.StashKey[tuple[Lot, ...]]()
_report = pytest.StashKey[ReportDirectory]()
_summary = pytest.StashKey[Summary]()


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Which of our names are somebody else's here."""
    said = options.told(config)
    return [said] if said else []


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object | None:
    """Keep the items of a lot together, unless another distribution was asked for."""
    if config.option.dist != "load":
        return None
    from faultloop.bench.lots_under_xdist import LotScheduling  # xdist need not be installed

    return LotScheduling(config, log)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Choose the lots. Under xdist nobody here will see the items, so the report begins now."""
    config = session.config
    worker = _worker(config)
    given = config.option.faultloop_report_dir or options.DEFAULT_REPORT
    report = ReportDirectory(
        config.invocation_params.dir / given,
        seed=options.selection_of(config).seed,
        worker=worker,
    )
    try:
        config.stash[_lots] = choose(options.selection_of(config))
        if config.pluginmanager.hasplugin("dsession") and not config.option.collectonly:
            report.prepare()
    except (BadSelection, BadScenario, BadSubject, ReportUnwritable) as error:
        raise pytest.UsageError(str(error)) from error
    config.stash[_report] = report


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One item of each promise for each lot, and one of each drill for each subject."""
    if "promise" in metafunc.fixturenames:
        lots = metafunc.config.stash[_lots]
        metafunc.parametrize("promise", lots, ids=[lot.name for lot in lots], indirect=True)
    if "drilled" in metafunc.fixturenames:
        found = tuple(exercises(options.selection_of(metafunc.config)))
        metafunc.parametrize("drilled", found, ids=[one.name for one in found], indirect=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A lot is bounded by its plays' own deadlines, not by a test's."""
    for item in items:
        if "promise" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.timeout(0))


def pytest_collection_finish(session: pytest.Session) -> None:
    """How many plays there will be, now that it is known what is left of the lots.

    The report of a run before this one is cleared only if there is anything to play.
    """
    report = session.config.stash.get(_report, None)
    found = [one for item in session.items if (one := _parameter(item)) is not None]
    if report is None or session.config.option.collectonly or not found:
        return
    lots = {lot.name: lot for lot in found if isinstance(lot, Lot)}
    drills = sum(isinstance(one, Exercise) for one in found)
    try:
        if not _worker(session.config):
            report.prepare()
        report.plan(sum(len(lot.pieces) for lot in lots.values()) + drills)
    except ReportUnwritable as error:
        raise pytest.UsageError(str(error)) from error


def _parameter(item: pytest.Item) -> object:
    """The lot or the drill of an item of ours."""
    called = getattr(item, "callspec", None)
    params: dict[str, object] = called.params if called is not None else {}
    return params.get("promise") or params.get("drilled")


@pytest.fixture(scope="session")
def promise(request: pytest.FixtureRequest) -> Promise:
    """The plays of one lot, made now if this is its first item."""
    lot: Lot = request.param
    report = request.config.stash[_report]
    port = request.config.option.faultloop_port
    try:
        return Promise(lot.name, play_lot(lot, keep=report.keep, port=port))
    except (BadSubject, CannotListen) as error:
        pytest.exit(str(error), returncode=pytest.ExitCode.USAGE_ERROR)
    except (ReportUnwritable, NoRoom) as error:
        pytest.exit(str(error), returncode=EXIT_REPORT)


@pytest.fixture(name="drilled")
def drilled_now(request: pytest.FixtureRequest) -> PlayRecord:
    """What came of one drill."""
    exercise: Exercise = request.param
    played = drilled(exercise)
    try:
        request.config.stash[_report].keep(played)
    except ReportUnwritable as error:
        pytest.exit(str(error), returncode=EXIT_REPORT)
    return played.record


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
        summary = session.config.stash[_summary] = report.finish()
        # No item could tell: the plays of two lots are compared when the report is made.
        if session.exitstatus == pytest.ExitCode.OK and any(map(differs, summary.plays)):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
    except (ReportUnwritable, BadReport) as error:
        _refused(session, str(error))
    except KeyboardInterrupt:
        _refused(session, unfinished(report.path))


def _refused(session: pytest.Session, sentence: str) -> None:
    session.exitstatus = EXIT_REPORT
    session.config.get_terminal_writer().line(f"\nfaultloop: {sentence}", red=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was found, and where to read it."""
    config = terminalreporter.config
    summary = config.stash.get(_summary, None)
    if summary is not None and summary.plays:
        writer = terminalreporter.config.get_terminal_writer()
        console = Console(width=writer.fullwidth, force_terminal=writer.hasmarkup)
        with console.capture() as printed:
            where = str(config.stash[_report].path / PAGE)
            console.print(closing(summary, where=where), crop=False)
        terminalreporter.section("faultloop")
        terminalreporter.write(printed.get())


def _worker(config: pytest.Config) -> str:
    sent: dict[str, str] = getattr(config, "workerinput", {})
    return sent.get("workerid", "")
