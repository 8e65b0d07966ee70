"""The command line: a thin shell over the other parts. Exit codes are the law of this file.

    0 fine   1 broken, or worse than the base   2 bad input   3 cannot tell

Whoever is at fault is told in one sentence; what nobody here knows is a bug of faultloop, for
`entry` to tell. What a command
needs is imported when it is called: the help and a mistyped word are answered at once.
"""

from __future__ import annotations

import functools
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from enum import IntEnum
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from rich.console import Console

from faultloop.bench import entry
from faultloop.bench.chat.typed import chat
from faultloop.bench.comparing.errors_typed import errors
from faultloop.bench.comparing.runs_typed import runs
from faultloop.bench.comparing.typed import COMMANDS as WORDINGS_COMMANDS
from faultloop.bench.comparing.typed import compare
from faultloop.bench.entry import INTERRUPTED, as_ctrl_c
from faultloop.bench.entry import main as main
from faultloop.bench.importing.typed import COMMANDS as IMPORT_COMMANDS
from faultloop.bench.linting.typed import lint
from faultloop.bench.matrix.typed import matrix
from faultloop.bench.recording.typed import record as record_
from faultloop.bench.regressions_command.typed import regressions
from faultloop.bench.serving.typed import serve
from faultloop.bench.subjects_command.typed import COMMANDS as SUBJECTS_COMMANDS
from faultloop.bench.wanted import DEFAULT_SEED, DEFAULT_SUBJECTS, Selection
from faultloop.scenarios.verdict import Verdict, worst

if TYPE_CHECKING:
    from faultloop.bench.drilling import Exercise
    from faultloop.bench.selection import Lot
    from faultloop.reports.rows import Summary
    from faultloop.reports.store import ReportDirectory

app = typer.Typer(
    name="faultloop",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Fault-injection bench for agent loops.",
)
subjects_app = typer.Typer(no_args_is_help=True, help="The agent loops that can be played.")
app.add_typer(subjects_app, name="subjects")
wordings_app = typer.Typer(no_args_is_help=True, help="Wordings of tool contracts.")
app.add_typer(wordings_app, name="wordings")
import_app = typer.Typer(no_args_is_help=True, help="Tasks and wordings of others.")
app.add_typer(import_app, name="import")


class Terminal(Console):
    """A console whose reader may leave before the end: `faultloop gate a b | head`."""

    def on_broken_pipe(self) -> None:
        """What nobody reads is not written; the exit code stays the command's own."""
        self.quiet = True
        with open(os.devnull, "w") as nowhere:  # noqa: PTH123
            os.dup2(nowhere.fileno(), self.file.fileno())


out = Terminal()
err = Terminal(stderr=True)


class Exit(IntEnum):
    """What a command's exit code says."""

    FINE = 0
    BROKEN = 1
    BAD_INPUT = 2
    CANNOT_TELL = 3
    A_BUG = entry.A_BUG


EXIT_OF = {
    Verdict.HELD: Exit.FINE,
    Verdict.NOT_APPLICABLE: Exit.CANNOT_TELL,
    Verdict.UNKNOWN: Exit.CANNOT_TELL,
    Verdict.BROKEN: Exit.BROKEN,
}


def stopping() -> tuple[type[Exception], ...]:
    """What ends a run while it is under way, although what was played before it stays good."""
    from faultloop.fakes.server import CannotListen
    from faultloop.scenarios.room import NoRoom
    from faultloop.scenarios.subject import BadSubject

    return (BadSubject, CannotListen, NoRoom)


def at_fault() -> tuple[type[Exception], ...]:
    """What the user, a file of theirs or their disk is at fault for: a sentence and exit code 2."""
    from faultloop.bench.selection import BadSelection
    from faultloop.reports.reading import BadReport
    from faultloop.reports.writing import ReportUnwritable
    from faultloop.scenarios.reading import BadScenario

    return (BadSelection, BadScenario, BadReport, ReportUnwritable, *stopping())


def unusable() -> type[Exception]:
    """What is nobody's fault here: something that the subject needs is not installed."""
    from faultloop.scenarios.subject import SubjectUnusable

    return SubjectUnusable


def refuse(error: Exception | str) -> NoReturn:
    """Say in one sentence what is wrong with the input, and end with 2."""
    say(str(error))
    raise typer.Exit(Exit.BAD_INPUT) from None


@contextmanager
def answering() -> Iterator[None]:
    """Around every command: whoever is at fault is told in a sentence, and Ctrl-C is no crash."""
    try:
        yield
    except typer.Exit:
        raise
    except KeyboardInterrupt:
        say("interrupted")
        raise typer.Exit(INTERRUPTED) from None
    except unusable() as error:
        say(str(error))
        raise typer.Exit(Exit.CANNOT_TELL) from None
    except at_fault() as error:
        refuse(error)


def say(sentence: str) -> None:
    """One sentence beside the output."""
    err.print(f"faultloop: {sentence}", style="red", markup=False, highlight=False, soft_wrap=True)


def show(summary: Summary, report: Path) -> None:
    """Print the end of a run."""
    from faultloop.reports.reading import PAGE
    from faultloop.reports.terminal import closing

    # Uncropped: a replay command is copied, so a narrow terminal must not cut it.
    out.print(closing(summary, where=str(report / PAGE)), crop=False)


@app.command()
def run(
    subject: Annotated[
        list[str] | None,
        typer.Option(help="Shipped name, mutant:NAME or a subject.toml; repeatable."),
    ] = None,
    scenario: Annotated[
        list[str] | None, typer.Option(help="Glob on names, or a scenario file; repeatable.")
    ] = None,
    dialect: Annotated[list[str] | None, typer.Option(help="Only this dialect.")] = None,
    stream: Annotated[
        bool | None, typer.Option("--stream/--no-stream", help="Streamed or whole only.")
    ] = None,
    seed: int = DEFAULT_SEED,
    repeat: Annotated[int | None, typer.Option(min=1, help="Plays of each scenario.")] = None,
    only_repeat: Annotated[
        int | None, typer.Option(min=0, help="Only this one of a scenario's plays, from 0.")
    ] = None,
    quick: Annotated[bool, typer.Option(help="The classic faults, one column.")] = False,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Loopback port for real subjects; 0: any.")
    ] = 0,
    report_dir: Annotated[Path, typer.Option(help="Where the report goes.")] = Path(
        "faultloop-report"
    ),
) -> None:
    """Play scenarios against subjects and write a report."""
    with answering():
        from faultloop.bench.drilling import exercises
        from faultloop.bench.selection import choose
        from faultloop.reports.store import ReportDirectory

        selection = Selection(
            subjects=tuple(subject or DEFAULT_SUBJECTS),
            scenarios=tuple(scenario or ("*",)),
            dialects=tuple(dialect or ()),
            streaming=stream,
            seed=seed,
            repeat=repeat,
            only_repeat=only_repeat,
            quick=quick,
        )
        lots, drills = choose(selection), tuple(exercises(selection))
        with _hangup_as_ctrl_c():
            summary = _play(lots, drills, ReportDirectory(report_dir, seed=seed), port)
        show(summary, report_dir)
    raise typer.Exit(EXIT_OF[worst(play.verdict for play in summary.plays)])


@contextmanager
def _hangup_as_ctrl_c() -> Iterator[None]:
    """A terminal that goes away ends the run, and the report of what was played is made."""
    before = signal.getsignal(signal.SIGHUP)
    if before is signal.SIG_IGN:  # nohup: it goes on
        yield
        return
    terminals = [stream.fileno() for stream in (out.file, err.file) if stream.isatty()]

    def hung_up(number: int, frame: FrameType | None) -> None:
        for descriptor in terminals:  # writing there is an error from now on
            os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
        as_ctrl_c(number, frame)

    signal.signal(signal.SIGHUP, hung_up)
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, before)


def _play(
    lots: Sequence[Lot], drills: Sequence[Exercise], report: ReportDirectory, port: int
) -> Summary:
    """Play lot after lot, and the drills, with a progress bar.

    The report is made also of a run that is stopped.
    """
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    from faultloop.bench.drilling import drilled
    from faultloop.bench.running import play_lot

    planned = sum(len(lot.pieces) for lot in lots) + len(drills)
    report.plan(planned)
    report.prepare()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    try:
        with Progress(*columns, console=err, transient=True) as progress:
            task = progress.add_task("", total=planned)
            for lot in lots:
                progress.update(task, description=lot.name)
                if not err.is_terminal:  # no bar there: a line that tells how far it is
                    err.print(f"{lot.name}: {len(lot.pieces)} plays", highlight=False)
                play_lot(lot, keep=report.keep, seen=lambda: progress.advance(task), port=port)
            for exercise in drills:
                progress.update(task, description=exercise.name)
                report.keep(drilled(exercise))
                progress.advance(task)
    except KeyboardInterrupt:
        show(_finished(report.path, report.finish), report.path)
        raise typer.Exit(INTERRUPTED) from None
    except stopping() as error:
        if (summary := _finished(report.path, report.finish)).plays:
            show(summary, report.path)
        refuse(error)
    else:
        return _finished(report.path, report.finish)
    finally:  # not before the report is made: until then the directory is held
        report.close()


def _finished(path: Path, make: Callable[[], Summary]) -> Summary:
    """Make the report; whoever interrupts that is told how to get it after all."""
    try:
        return make()
    except KeyboardInterrupt:
        from faultloop.reports.store import unfinished

        say(unfinished(path))
        raise typer.Exit(INTERRUPTED) from None


@app.command()
def replay(
    failure: Annotated[Path, typer.Argument(help="A folder below failures/, or a file in it.")],
    all_repeats: Annotated[
        bool, typer.Option("--all-repeats", help="Also the repeats beside the one that failed.")
    ] = False,
) -> None:
    """Play one saved failure again and say whether it is still broken."""
    with answering():
        from faultloop.bench.replay import replay_failure

        records = replay_failure(failure, all_repeats=all_repeats)
    for record in records:
        which = f"repeat {record.repeat}: " if len(records) > 1 else ""
        said = f"{which}{record.verdict}: {record.reason}"
        out.print(said, markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(EXIT_OF[worst(record.verdict for record in records)])


@app.command()
def report(directory: Annotated[Path, typer.Argument(help="A report directory.")]) -> None:
    """Write a report's pages anew, or the report of a run that was cut short."""
    with answering():
        from faultloop.reports.store import complete

        show(_finished(directory, lambda: complete(directory)), directory)


@app.command()
def gate(
    base: Path,
    candidate: Path,
    everything: Annotated[
        bool, typer.Option("--all", help="List each play, however many there are.")
    ] = False,
) -> None:
    """Compare two report directories; exit 1 when anything that held does so no more."""
    with answering():
        from faultloop.reports.gate import gate as decide

        decision = decide(base, candidate, everything=everything)
        if decision.exit_code == Exit.BAD_INPUT:
            refuse(decision.text)
        out.print(decision.text, markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(decision.exit_code)


def _answered(command: Callable[..., None], *, plays: bool = False) -> Callable[..., None]:
    """A command that lies elsewhere and tells of bad input itself; Ctrl-C is told here.

    `plays`: what it has started must not outlive a terminal that goes away.
    """

    @functools.wraps(command)
    def answered(*told: object, **named: object) -> None:
        with answering(), _hangup_as_ctrl_c() if plays else nullcontext():
            command(*told, **named)

    return answered


wordings_app.command()(_answered(errors))
wordings_app.command()(_answered(runs))
app.command()(_answered(chat))
app.command()(_answered(compare))
app.command()(_answered(lint))
app.command()(_answered(matrix, plays=True))
app.command()(_answered(record_))
app.command()(_answered(regressions, plays=True))
app.command()(_answered(serve))


for _name, _command in SUBJECTS_COMMANDS.items():
    subjects_app.command(_name)(_answered(_command))
for _name, _command in WORDINGS_COMMANDS.items():
    wordings_app.command(_name)(_answered(_command))


for _name, _command in IMPORT_COMMANDS.items():
    import_app.command(_name)(_answered(_command))
