"""A run that does not come to its end: Ctrl-C, a full disk, a reader that left; no traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.bench import within
from typer.testing import CliRunner

from faultloop.bench.cli import app

ROOT = Path(__file__).parents[2]
ONE = ("--scenario", "one-call", "--stream")

COMMAND = "from faultloop.bench.cli import main; main()"
PYTEST = "import pytest; sys.exit(pytest.main())"

FULL_DISK = "from faultloop.scenarios import room; room.SPARE_BYTES = 2**60"
CTRL_C_IN_THE_REPORT = """
from faultloop.reports import store
write = store._write_pages
def interrupted(*told):
    signal.raise_signal(signal.SIGINT)
    write(*told)
store._write_pages = interrupted
"""


def python(
    program: str, *argv: str | Path, prepared: str = "", stdout: int = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own, after something was prepared in it."""
    roots = ("loop", "fakes", "scenarios", "reports", "bench")
    return subprocess.run(
        [sys.executable, "-c", f"import signal, sys\n{prepared}\n{program}", *map(str, argv)],
        cwd=ROOT,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(str(ROOT / root) for root in roots),
            "COLUMNS": "200",
        },
    )


def run(report: Path, *argv: str, prepared: str = "") -> subprocess.CompletedProcess[str]:
    return python(COMMAND, "run", *ONE, "--report-dir", report, *argv, prepared=prepared)


def bench(report: Path, *argv: str, prepared: str = "") -> subprocess.CompletedProcess[str]:
    quiet = (*within.QUIET, *within.LIGHT, "-q")
    words = ("bench", *quiet, *ONE, "--report-dir", report, *argv)
    return python(PYTEST, *words, prepared=prepared)


def played(report: Path) -> tuple[int, int]:
    summary = json.loads((report / "summary.json").read_text())
    return len(summary["plays"]), summary.get("planned", 0)


BOTH = ("--subject", "reference", "--subject", "reference-process")


def test_a_full_disk_ends_a_run_with_2_and_the_plays_before_it_are_reported(
    tmp_path: Path,
) -> None:
    done = run(tmp_path / "out", *BOTH, prepared=FULL_DISK)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "faultloop: plays cannot be made in " in done.stderr
    assert "make room, or name another place in TMPDIR" in done.stderr
    assert "Traceback" not in done.stderr
    assert "interrupted: 1 of 2 plays were made, and of these:" in done.stdout
    assert played(tmp_path / "out") == (1, 2)


def test_a_full_disk_ends_pytest_bench_in_the_same_way(tmp_path: Path) -> None:
    done = bench(tmp_path / "out", *BOTH, prepared=FULL_DISK)
    assert done.returncode == pytest.ExitCode.INTERRUPTED, done.stdout + done.stderr
    assert "plays cannot be made in " in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
    assert "interrupted: 1 of 2 plays were made, and of these:" in done.stdout
    assert played(tmp_path / "out") == (1, 2)


def test_ctrl_c_while_the_report_is_written_points_to_the_command_that_writes_it(
    tmp_path: Path,
) -> None:
    report = tmp_path / "out"
    done = run(report, "--subject", "reference", prepared=CTRL_C_IN_THE_REPORT)
    assert done.returncode == 130, done.stdout + done.stderr
    assert f"`faultloop report {report}` writes it" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (report / "report.html").exists()
    again = CliRunner().invoke(app, ["report", str(report)])
    assert again.exit_code == 0, again.output
    assert (report / "report.html").exists()
    assert played(report) == (1, 0)


def test_ctrl_c_while_pytest_writes_the_report_does_too(tmp_path: Path) -> None:
    report = tmp_path / "out"
    done = bench(report, "--subject", "reference", prepared=CTRL_C_IN_THE_REPORT)
    assert done.returncode == pytest.ExitCode.INTERRUPTED, done.stdout + done.stderr
    assert f"`faultloop report {report}` writes it" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("finished") / "out"
    words = ("run", *ONE, "--report-dir", str(path), "--subject", "reference")
    assert CliRunner().invoke(app, words).exit_code == 0
    return path


def test_ctrl_c_in_any_other_command_is_a_word_and_130(report: Path) -> None:
    at_once = "from faultloop.reports import gate\ngate.compare = lambda *_: signal.raise_signal(2)"
    done = python(COMMAND, "gate", report, report, prepared=at_once)
    assert (done.returncode, done.stderr) == (130, "faultloop: interrupted\n")


def test_a_reader_that_leaves_changes_no_verdict(report: Path) -> None:
    """`faultloop gate a b | head`: equal reports are fine, whoever listens."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = python(COMMAND, "gate", report, report, stdout=writing)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


# --- whatever the command: it is told in a line --------------------------------------------------

GATE = ("gate", "no-such", "report")
ANY = [
    ("gate", "a", "b"),
    ("replay", "a"),
    ("lint", "nothing.yaml"),
    ("chat", "--base-url", "http://127.0.0.1:9/v1"),
    ("subjects", "list"),
    ("subjects", "check", "reference"),
]
PRESSED_AT = {
    "gate": ("faultloop.reports.gate", "gate"),
    "replay": ("faultloop.bench.replay", "replay_failure"),
    "lint": ("faultloop.bench.linting.finding", "find"),
    "chat": ("faultloop.bench.chat.command", "run_chat"),
    "subjects list": ("faultloop.scenarios.subjects.finding", "shipped"),
    "subjects check": ("faultloop.scenarios.subjects.finding", "find"),
}


def in_the_middle(argv: tuple[str, ...], statement: str) -> str:
    """A program that does this where the command has begun its work."""
    place = argv[0] if argv[0] in PRESSED_AT else " ".join(argv[:2])
    module, name = PRESSED_AT[place]
    return (
        "import importlib, sys\n"
        f"at = importlib.import_module({module!r})\n"
        f"def now(*_, **__): {statement}\n"
        f"setattr(at, {name!r}, now)\n"
    )


PRESSED = [
    *((argv, "SIGINT") for argv in ANY),
    *((argv, "SIGTERM") for argv in ANY if argv[0] in {"gate", "chat"}),
]
"""The other signal is made the first in one place (`entry`); chat has an event loop of its own."""


@pytest.mark.parametrize(("argv", "number"), PRESSED, ids=str)
def test_ctrl_c_in_any_command_is_a_word_and_130(argv: tuple[str, ...], number: str) -> None:
    pressed = in_the_middle(argv, f"signal.raise_signal(signal.{number})")
    done = python(COMMAND, *argv, prepared=pressed)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "faultloop: interrupted\n")


def test_ctrl_c_while_the_command_line_itself_is_imported_is_the_same() -> None:
    pressed = (
        "class Slow:\n"
        "    def find_spec(name, *_):\n"
        "        if name == 'faultloop.bench.cli': signal.raise_signal(signal.SIGTERM)\n"
        "sys.meta_path.insert(0, Slow)\n"
    )
    done = python("from faultloop.bench.entry import main; main()", "gate", prepared=pressed)
    assert (done.returncode, done.stderr) == (130, "faultloop: interrupted\n")


def test_what_no_command_knows_is_a_bug_of_ours_and_never_1() -> None:
    broken = in_the_middle(GATE, "raise KeyError('no such\\nthing')")
    done = python(COMMAND, *GATE, prepared=broken)
    assert done.returncode == 70
    said = "faultloop: this is a bug of faultloop: KeyError: 'no such\\nthing'"
    assert done.stderr == f"{said} (FAULTLOOP_TRACEBACK=1 shows where)\n"
    where = python(
        COMMAND, *GATE, prepared=f"import os; os.environ['FAULTLOOP_TRACEBACK'] = '1'\n{broken}"
    )
    assert where.returncode == 70
    assert "Traceback" in where.stderr


@pytest.mark.parametrize(
    ("closed", "argv", "sentence"),
    [
        (1, ("lint", str(ROOT / "docs" / "example-tools.yaml")), "standard output is closed"),
        (1, ("run", *ONE), "standard output is closed"),
        (1, ("chat", "--base-url", "http://127.0.0.1:9/v1"), "standard output is closed"),
        (0, ("chat", "--base-url", "http://127.0.0.1:9/v1"), "nothing was said: pipe a prompt in"),
    ],
)
def test_a_closed_stream_is_told_in_a_sentence(
    closed: int, argv: tuple[str, ...], sentence: str
) -> None:
    done = python(COMMAND, *argv, prepared=f"import os; os.close({closed})")
    assert done.returncode == 2
    assert done.stderr.startswith(f"faultloop: {sentence}")


def test_a_command_that_needs_no_input_does_without(report: Path) -> None:
    done = python(COMMAND, "gate", report, report, prepared="import os; os.close(0)")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_terminal_that_goes_away_leaves_the_report_of_what_was_played(tmp_path: Path) -> None:
    hung_up = (
        "from faultloop.bench import running\n"
        "def once(*told):\n"
        "    signal.raise_signal(signal.SIGHUP)\n"
        "running._not_played = running._judged = once\n"
    )
    done = run(tmp_path / "out", "--subject", "reference", prepared=hung_up)
    assert done.returncode == 130, done.stderr
    assert played(tmp_path / "out") == (0, 1)
