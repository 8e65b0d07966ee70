"""Cells: what is kept, what is gone on with, and what makes a cell be played again."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from faultloop.bench import running
from faultloop.bench.cli import app
from faultloop.bench.matrix import command, playing
from faultloop.bench.matrix.cell import Cell, cell_of
from faultloop.bench.matrix.command import Made, run_matrix
from faultloop.bench.matrix.second import in_doubt
from faultloop.bench.selection import Lot, choose
from faultloop.bench.wanted import Selection
from faultloop.reports.matrix.stamp import read_stamp
from faultloop.reports.reading import read_summary
from faultloop.reports.rows import Played
from faultloop.scenarios.verdict import Verdict

TODAY = date(2026, 11, 30)
SCENARIO = "complete-arguments-of-a-cut-reply"
ONE = Selection(subjects=("reference",), scenarios=(SCENARIO, "two-effects-in-one-call"))
WRONG = replace(ONE, subjects=("reference", "mutant:runs-cut-replies"))


def made(
    selection: Selection, out: Path, *, fresh: bool = False, write: Path | None = None
) -> Made:
    quiet = Console(quiet=True, stderr=True)
    return run_matrix(selection, out, today=TODAY, fresh=fresh, write=write, err=quiet)


def cell(selection: Selection, out: Path, *, faultloop: str = "one") -> Cell:
    return cell_of(choose(selection), out, faultloop=faultloop)


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The plays that were really made, as they are kept."""
    names: list[str] = []

    def noting(lot: Lot, *, keep: object, seen: object, port: int) -> object:
        def kept(one: Played) -> None:
            names.append(f"{one.record.scenario} {one.record.streaming}")
            keep(one)  # type: ignore[operator]

        return running.play_lot(lot, keep=kept, seen=seen, port=port)  # type: ignore[arg-type]

    monkeypatch.setattr(playing, "play_lot", noting)
    return names


def test_a_matrix_has_a_report_of_each_subject_and_two_pages(tmp_path: Path) -> None:
    came = made(WRONG, tmp_path / "out", write=tmp_path / "docs")
    folders = sorted((tmp_path / "out" / "cells").iterdir())
    assert [folder.name.split("@")[0] for folder in folders] == [
        "mutant=runs-cut-replies",
        "reference",
    ]
    assert all((folder / "report.html").is_file() for folder in folders)
    assert "1 break" in came.headline
    for folder in (tmp_path / "out", tmp_path / "docs"):
        assert "mutant:runs-cut-replies" in (folder / "matrix.md").read_text()
        assert (folder / "matrix.html").is_file()
    assert "report.html#" in (tmp_path / "out" / "matrix.html").read_text()
    assert "report.html#" not in (tmp_path / "docs" / "matrix.html").read_text()


def test_a_finished_cell_is_not_played_again_unless_asked(
    tmp_path: Path, played: list[str]
) -> None:
    made(ONE, tmp_path)
    first = len(played)
    made(ONE, tmp_path)
    assert len(played) == first > 0
    made(ONE, tmp_path, fresh=True)
    assert len(played) == 2 * first


def test_another_seed_or_faultloop_or_scenario_makes_another_cell(tmp_path: Path) -> None:
    prints = {
        cell(ONE, tmp_path).fingerprint,
        cell(replace(ONE, seed=2), tmp_path).fingerprint,
        cell(replace(ONE, scenarios=(SCENARIO,)), tmp_path).fingerprint,
        cell(replace(ONE, repeat=2), tmp_path).fingerprint,
        cell(ONE, tmp_path, faultloop="two").fingerprint,
    }
    assert len(prints) == 5
    assert cell(ONE, tmp_path).fingerprint in prints


def test_an_interrupted_cell_goes_on_with_what_is_left(
    tmp_path: Path, played: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = cell(ONE, tmp_path)

    def stopping(more: int) -> None:
        if len(played) == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        playing.play_cell(one, faultloop="one", today=TODAY, port=0, seen=stopping)
    assert not one.is_finished
    kept, played[:] = set(played), []
    assert len(kept) == 1
    told: list[int] = []
    summary = playing.play_cell(one, faultloop="one", today=TODAY, port=0, seen=told.append)
    assert not kept & set(played)
    assert sum(told) == one.plays == len(summary.plays)
    assert one.is_finished
    stamp = read_stamp(one.folder)
    assert stamp is not None
    assert stamp.date == "2026-11-30"


def test_what_another_faultloop_left_unfinished_is_thrown_away(
    tmp_path: Path, played: list[str]
) -> None:
    def stopping(more: int) -> None:
        if played:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        playing.play_cell(cell(ONE, tmp_path), faultloop="one", today=TODAY, port=0, seen=stopping)
    played.clear()
    other = cell(ONE, tmp_path, faultloop="two")
    playing.play_cell(other, faultloop="two", today=TODAY, port=0, seen=lambda _: None)
    assert len(played) == other.plays


def test_a_subject_that_cannot_run_here_is_played_when_it_can(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    missing.mkdir()
    (missing / "subject.toml").write_text(
        'name = "missing"\nversion = "1"\ncommand = ["{python}", "driver.py"]\n'
        '[[needs]]\nmodule = "no_such_module"\nhint = "install it"\n'
    )
    (missing / "driver.py").write_text("")
    wanted = Selection(subjects=(str(missing),), scenarios=(SCENARIO,))
    came = made(wanted, tmp_path / "out")
    assert len(came.left) == 1
    assert "install it" in came.left[0]
    assert not cell_of(choose(wanted), tmp_path / "out", faultloop=command.identity()).is_finished


def test_only_what_rests_on_an_account_is_in_doubt(tmp_path: Path) -> None:
    subjects = ("mutant:calls-a-limit-completed", "mutant:runs-cut-replies")
    made(replace(WRONG, subjects=subjects, scenarios=("*-for-ever", *WRONG.scenarios)), tmp_path)
    seen: set[bool] = set()
    for folder in (tmp_path / "cells").iterdir():
        summary = read_summary(folder)
        doubted = in_doubt(summary)
        for play in summary.plays:
            broken = [one for one in play.checks if one.verdict is Verdict.BROKEN]
            assert (play.key in doubted) == any(one.by_account for one in broken)
            seen |= {play.key in doubted} if broken else set()
    assert seen == {True, False}


@pytest.mark.parametrize("option", ["--report-dir", "--out"])
def test_the_place_has_the_name_that_it_has_everywhere(tmp_path: Path, option: str) -> None:
    words = ["matrix", "--subject", "reference", "--scenario", "one-call", option]
    assert CliRunner().invoke(app, [*words, str(tmp_path / "mx")]).exit_code == 0
    assert (tmp_path / "mx" / "matrix.html").is_file()
