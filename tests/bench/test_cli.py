"""The command line: what each command says, and its exit code."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from faultloop.bench.cli import app

ONE = ("--scenario", "complete-arguments-of-a-cut-reply", "--stream")
WRONG = ("--subject", "mutant:runs-cut-replies", *ONE)


def faultloop(*argv: str | Path) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(app, [str(word) for word in argv], env={"COLUMNS": "200"})


HEAVY = {"faultloop.loop.engine", "faultloop.fakes", "httpx", "pyarrow", "pydantic", "pytest"}


def test_the_help_is_there_at_once() -> None:
    code = """
import sys
from faultloop.bench.cli import app
app(["--help"], standalone_mode=False)
print(*sys.modules)
"""
    path = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert "Compare two report directories" in done.stdout
    assert not HEAVY & set(done.stdout.split())


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a report of the reference and one of a mutant."""
    folder = tmp_path_factory.mktemp("reports")
    assert faultloop("run", "--subject", "reference", *ONE, "--report-dir", folder / "base")
    assert faultloop("run", *WRONG, "--report-dir", folder / "wrong")
    return folder


def test_run_says_held_with_0(tmp_path: Path) -> None:
    done = faultloop("run", "--subject", "reference", *ONE, "--report-dir", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "out" / "report.html").exists()


def test_run_says_broken_with_1(tmp_path: Path) -> None:
    done = faultloop("run", *WRONG, "--report-dir", tmp_path / "out")
    assert done.exit_code == 1, done.output
    assert "truncated_not_executed" in done.output


def test_run_says_that_nothing_applies_with_3(tmp_path: Path) -> None:
    """Whole replies have no stream in which anything could end."""
    options = ("--scenario", "ends-within-text", "--no-stream")
    done = faultloop("run", "--subject", "reference", *options, "--report-dir", tmp_path / "out")
    assert done.exit_code == 3, done.output


def test_run_takes_a_scenario_file(tmp_path: Path, reports: Path) -> None:
    (failure,) = (reports / "wrong" / "failures").iterdir()
    done = faultloop(
        "run",
        "--subject",
        "reference",
        "--scenario",
        failure / "scenario.yaml",
        "--report-dir",
        tmp_path / "out",
    )
    assert done.exit_code == 0, done.output


def test_a_scenario_file_with_a_typo_is_a_sentence_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "typo.yaml"
    file.write_text("schema: 1\nname: typo\nclaim: x\ninptu: hello\n")
    done = faultloop("run", "--scenario", file, "--report-dir", tmp_path / "out")
    assert done.exit_code == 2
    assert f"{file}:4: inptu: " in done.output
    assert "input" in done.output
    assert "Traceback" not in done.output
    assert not (tmp_path / "out").exists()


def test_a_subject_with_a_wrong_command_is_a_sentence_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "subject.toml"
    file.write_text('name = "mine"\nversion = "1"\ncommand = ["no-such-program"]\n')
    done = faultloop("run", "--subject", file, *ONE, "--report-dir", tmp_path / "out")
    assert done.exit_code == 2
    assert f"{file}: command: 'no-such-program' is neither on PATH" in done.output
    assert "Traceback" not in done.output


def test_a_port_in_use_is_a_sentence_with_2(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        options = ("--port", str(port), "--report-dir", tmp_path / "out")
        done = faultloop("run", "--subject", "naive-openai", "--scenario", "one-call", *options)
    assert done.exit_code == 2
    assert str(port) in done.output
    assert "in use" in done.output
    assert "Traceback" not in done.output


def test_replay_of_a_failure_is_broken_with_1(reports: Path) -> None:
    (failure,) = (reports / "wrong" / "failures").iterdir()
    done = faultloop("replay", failure)
    assert done.exit_code == 1
    assert done.output.startswith("broken: ")


def test_replay_takes_a_file_of_the_failure_too(reports: Path) -> None:
    (failure,) = (reports / "wrong" / "failures").iterdir()
    assert faultloop("replay", failure / "play.json").output == faultloop("replay", failure).output


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The last repeat of a kill, saved as a failure: this loop forgets what it did."""
    path = tmp_path_factory.mktemp("killed") / "out"
    only = ("--scenario", "killed-after-the-effect", "--stream", "--only-repeat", "4")
    faultloop("run", "--subject", "naive-openai", *only, "--report-dir", path)
    (failure,) = (path / "failures").iterdir()
    assert failure.name.endswith("-4")
    return failure


def test_replay_of_a_kill_plays_the_repeat_that_failed(killed: Path) -> None:
    assert len(faultloop("replay", killed).output.splitlines()) == 1


def test_replay_plays_the_other_repeats_where_they_are_asked_for(killed: Path) -> None:
    said = faultloop("replay", killed, "--all-repeats").output.splitlines()
    assert [line.partition(":")[0] for line in said] == [f"repeat {n}" for n in range(5)]


def test_replay_of_anything_else_is_refused_with_2(tmp_path: Path) -> None:
    done = faultloop("replay", tmp_path)
    assert done.exit_code == 2
    assert "is no saved failure" in done.output


def test_gate_is_closed_with_1_and_names_the_plays(reports: Path) -> None:
    done = faultloop("gate", reports / "base", reports / "wrong")
    assert done.exit_code == 1
    assert "complete-arguments-of-a-cut-reply" in done.output


def test_gate_is_open_with_0_for_equal_reports(reports: Path) -> None:
    done = faultloop("gate", reports / "base", reports / "base")
    assert done.exit_code == 0
    assert "gate open" in done.output


def test_gate_refuses_what_is_no_report_with_2(reports: Path, tmp_path: Path) -> None:
    done = faultloop("gate", reports / "base", tmp_path)
    assert done.exit_code == 2
    assert "is no report directory" in done.output


def test_report_writes_the_pages_of_a_finished_report_anew(reports: Path) -> None:
    page = reports / "base" / "report.html"
    before = page.read_bytes()
    page.unlink()
    done = faultloop("report", reports / "base")
    assert done.exit_code == 0, done.output
    assert page.read_bytes() == before


def test_subjects_are_listed_with_what_they_can_do() -> None:
    done = faultloop("subjects", "list")
    assert done.exit_code == 0
    for name in ("reference", "reference-process", "naive-openai", "naive-gemini", "naive-node"):
        assert name in done.output


def test_a_driver_that_keeps_the_contract_passes_its_conformance_suite() -> None:
    done = faultloop("subjects", "check", "reference-process")
    assert done.exit_code == 0, done.output
    assert "broken" not in done.output


def test_plays_that_differ_in_their_form_are_broken_and_replayed_in_both(tmp_path: Path) -> None:
    loop = ("--subject", "mutant:forgets-text-beside-calls", "--scenario", "one-call")
    done = faultloop("run", *loop, "--report-dir", tmp_path / "out")
    assert (done.exit_code, "streamed_equals_whole" in done.output) == (1, True), done.output
    (failure,) = (tmp_path / "out" / "failures").iterdir()
    again = faultloop("replay", failure)
    assert (again.exit_code, again.output.splitlines()[0][:30]) == (
        1,
        "broken: streamed_equals_whole:",
    )
    alone = faultloop("run", *loop, "--stream", "--report-dir", tmp_path / "alone")
    assert alone.exit_code == 0, "one form alone shows nothing of it"
