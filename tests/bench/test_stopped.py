"""A run that does not come to its end: Ctrl-C, a full disk, a reader that left; no traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

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
    quiet = ("-p", "no:cacheprovider", "--color=no", "-q")
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
    again = python(COMMAND, "report", report)
    assert again.returncode == 0, again.stderr
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
    assert run(path, "--subject", "reference").returncode == 0
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
