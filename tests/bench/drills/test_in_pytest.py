"""Drills as a person meets them: items of `pytest bench`, rows of the report, a command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tests.bench import within

from faultloop.bench.replay import replay_failure
from faultloop.reports.gate import gate
from faultloop.reports.reading import BadReport

ROOT = Path(__file__).parents[3]


def bench(report: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run `pytest bench` for one drill, in the checkout."""
    quiet = (*within.QUIET, *within.LIGHT, "-rs", "-k", "idle-waits")
    words = [sys.executable, "-m", "pytest", "bench", *quiet, "--report-dir", str(report), *options]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The report of a drill that found a mutant broken, and what pytest said."""
    report = tmp_path_factory.mktemp("broken") / "out"
    done = bench(report, "--subject", "mutant:idles-early")
    assert done.returncode == 1, done.stdout + done.stderr
    return report, done.stdout


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The same of the subjects that are played when none is named."""
    report = tmp_path_factory.mktemp("held") / "out"
    done = bench(report)
    assert done.returncode == 0, done.stdout + done.stderr
    return report, done.stdout


def test_a_drill_is_an_item_of_each_subject_and_strangers_are_skipped(
    held: tuple[Path, str],
) -> None:
    report, said = held
    assert "1 passed, 1 skipped" in said
    assert "only the reference, its presets and its simulated mutants are drilled" in said
    summary = json.loads((report / "summary.json").read_text())
    rows = [(play["subject"], play["dialect"], play["verdict"]) for play in summary["plays"]]
    assert rows == [
        ("reference", "drill", "held"),
        ("reference-process", "drill", "not_applicable"),
    ]


def test_a_broken_drill_fails_with_what_was_seen_and_a_command(broken: tuple[Path, str]) -> None:
    _, said = broken
    assert "mutant:idles-early: idle-waits (L9) is broken" in said
    assert "idle() returned while the loop ran" in said
    assert "faultloop run --subject mutant:idles-early --scenario idle-waits" in said


def test_its_row_tells_by_what_evidence_it_was_judged(broken: tuple[Path, str]) -> None:
    table = pq.read_table(broken[0] / "plays.parquet").to_pylist()
    assert [(row["check"], row["claim"]) for row in table] == [("journal:idle-waits", "L9")]
    assert "journal:idle-waits" in (broken[0] / "report.html").read_text()


def test_a_saved_drill_is_played_again(broken: tuple[Path, str]) -> None:
    (folder,) = (broken[0] / "failures").iterdir()
    assert not (folder / "scenario.yaml").exists()
    (record,) = replay_failure(folder)
    assert (record.scenario, record.verdict) == ("idle-waits", "broken")


def test_a_saved_drill_that_is_no_more_is_told(broken: tuple[Path, str], tmp_path: Path) -> None:
    (folder,) = (broken[0] / "failures").iterdir()
    saved = (folder / "play.json").read_text().replace('"idle-waits"', '"idle-wanders"')
    (tmp_path / "play.json").write_text(saved)
    with pytest.raises(BadReport, match="there is no drill called idle-wanders any more"):
        replay_failure(tmp_path)


def test_a_drill_that_held_and_is_gone_closes_the_gate(
    held: tuple[Path, str], broken: tuple[Path, str]
) -> None:
    assert gate(held[0], held[0]).exit_code == 0
    assert gate(held[0], broken[0]).exit_code == 1
