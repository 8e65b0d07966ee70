"""`pytest bench` as a person runs it: options, verdicts as test outcomes, and the report."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tests.bench import within

pytest_plugins = ("pytester",)

ROOT = Path(__file__).parents[2]
ONE = ("--scenario", "complete-arguments-of-a-cut-reply", "--stream")


def bench(
    tmp_path: Path, *options: str, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `pytest bench` in the checkout, as a process, with its report under tmp_path."""
    return subprocess.run(
        command(tmp_path / "out", *options),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **(env or {})},
    )


def command(report: Path, *options: str) -> Sequence[str]:
    """The command line."""
    words = ("-m", "pytest", *within.QUIET, *within.LIGHT, "-rs")
    return [sys.executable, *words, "bench", "--report-dir", str(report), *options]


def typed(pytester: pytest.Pytester, report: Path, *options: str) -> pytest.RunResult:
    """The same within this process, which takes a tenth of the time."""
    with contextlib.chdir(ROOT):
        return within.run(pytester, "bench", "-rs", "--report-dir", str(report), *options)


def summary(report: Path) -> dict[str, object]:
    loaded: dict[str, object] = json.loads((report / "summary.json").read_text())
    return loaded


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The report of one scenario that the reference holds, and what pytest said."""
    folder = tmp_path_factory.mktemp("held")
    done = bench(folder, "--subject", "reference", *ONE)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "out", done.stdout


def test_a_loop_that_keeps_its_promises_passes_and_untested_promises_are_skipped(
    held: tuple[Path, str],
) -> None:
    report, said = held
    assert "nothing_runs_from_a_cut_reply" not in said, "passed tests are not listed"
    assert "not applicable: no play of reference-openai_chat-streamed puts" in said
    assert summary(report)["totals"] == {
        "broken": 0,
        "unknown": 0,
        "held": 1,
        "not_applicable": 0,
    }


def test_a_broken_promise_fails_with_proof_and_a_command(
    pytester: pytest.Pytester, tmp_path: Path
) -> None:
    done = typed(pytester, tmp_path / "out", "--subject", "mutant:runs-cut-replies", *ONE)
    said = done.stdout.str()
    assert done.ret == 1, said
    assert "truncated_not_executed (P1) is broken in 1 of the 1 plays" in said
    assert "faultloop run --subject mutant:runs-cut-replies --scenario complete" in said
    assert "Why it matters: " in said
    assert "How loops fix it: " in said
    failures = list((tmp_path / "out" / "failures").iterdir())
    assert len(failures) == 1


def test_each_file_of_the_report_is_there(held: tuple[Path, str]) -> None:
    names = {path.name for path in held[0].iterdir()}
    assert names >= {
        "plays.parquet",
        "timings.parquet",
        "summary.json",
        "report.html",
        "report.md",
        "junit.xml",
    }


def test_the_same_seed_gives_the_same_bytes_whatever_the_hash_seed(
    pytester: pytest.Pytester, tmp_path: Path
) -> None:
    options = ("--subject", "reference", "--scenario", "*504*", "--scenario", "killed-*")
    here = typed(pytester, tmp_path / "a" / "out", *options)  # with whatever this process has
    assert here.ret == 0, here.stdout.str()
    done = bench(tmp_path / "b", *options, env={"PYTHONHASHSEED": "4711"})
    assert done.returncode == 0, done.stdout
    for name in ("plays.parquet", "summary.json", "histories.jsonl.gz", "report.md"):
        first, second = ((tmp_path / run / "out" / name).read_bytes() for run in "ab")
        assert first == second, f"{name} differs"
    assert pq.read_table(tmp_path / "a" / "out" / "plays.parquet").num_rows > 100


def test_another_seed_gives_other_histories(
    pytester: pytest.Pytester, tmp_path: Path, held: tuple[Path, str]
) -> None:
    typed(pytester, tmp_path / "out", "--subject", "reference", *ONE, "--seed", "2")
    first, second = (
        (report / "histories.jsonl.gz").read_bytes() for report in (held[0], tmp_path / "out")
    )
    assert first != second


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--scenario", "no-such"), "no scenario is called no-such; of the "),
        (("--subject", "nobody"), "there is no subject 'nobody': choose one of reference"),
        (("--subject", "/no/such/subject.toml"), "/no/such/subject.toml: cannot be read"),
        (("--seed", "many"), "argument --seed: invalid int value: 'many'"),
    ],
)
def test_wrong_usage_is_a_sentence_and_exit_code_4(
    pytester: pytest.Pytester, tmp_path: Path, options: tuple[str, ...], sentence: str
) -> None:
    done = typed(pytester, tmp_path / "out", *options)
    said = done.stdout.str() + done.stderr.str()
    assert done.ret == 4, said
    assert sentence in said
    assert "Traceback" not in said


def test_a_directory_that_is_no_report_is_left_alone(
    pytester: pytest.Pytester, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").write_text("years of work")
    done = typed(pytester, tmp_path / "out", "--subject", "reference", *ONE)
    said = done.stdout.str() + done.stderr.str()
    assert done.ret == 4, said
    assert "is not empty and holds no report (there is thesis.tex)" in said
    assert (tmp_path / "out" / "thesis.tex").read_text() == "years of work"


def test_workers_share_a_report_and_each_lot_is_played_once(tmp_path: Path) -> None:
    done = bench(
        tmp_path,
        "--subject",
        "reference",
        "--scenario",
        "complete-arguments-of-a-cut-reply",
        "--scenario",
        "two-reads-*",
        "-n",
        "2",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert summary(tmp_path / "out")["totals"] == {
        "broken": 0,
        "unknown": 0,
        "held": 4,
        "not_applicable": 0,
    }


def test_an_interrupt_keeps_the_finished_plays(tmp_path: Path) -> None:
    """Ctrl-C once the first play is on disk; naive-openai takes seconds for the catalogue."""
    report = tmp_path / "out"
    running = subprocess.Popen(
        command(report, "--subject", "naive-openai", "--stream", "-s"),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    kept = report / "plays.jsonl"
    while running.poll() is None and not (kept.exists() and kept.read_bytes().count(b"\n") > 3):
        with contextlib.suppress(subprocess.TimeoutExpired):
            running.wait(0.02)
    os.kill(running.pid, signal.SIGINT)
    said, _ = running.communicate(timeout=200)
    assert running.returncode == pytest.ExitCode.INTERRUPTED, said
    found = summary(report)["plays"]
    assert isinstance(found, list)
    assert len(found) >= 3
    assert f"interrupted: {len(found)} of " in said
    assert "report: " in said


def test_collecting_touches_no_report(
    pytester: pytest.Pytester, tmp_path: Path, held: tuple[Path, str]
) -> None:
    shutil.copytree(held[0], tmp_path / "out")
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").glob("*.*")}
    done = typed(pytester, tmp_path / "out", "--subject", "reference", *ONE, "--collect-only")
    assert done.ret == 0
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").glob("*.*")} == before


def test_plays_that_differ_in_their_form_fail_the_run_when_the_report_is_made(
    pytester: pytest.Pytester, tmp_path: Path
) -> None:
    loop = ("--subject", "mutant:forgets-text-beside-calls", "--scenario", "one-call")
    done = typed(pytester, tmp_path / "out", *loop)

    said = done.stdout.str()
    assert done.ret == 1, said
    assert "of step 1 the next request holds" in said
    assert "FAILED " not in said, "no item is about two columns"
