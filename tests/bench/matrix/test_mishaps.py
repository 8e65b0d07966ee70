"""What happens to cells: kills, full disks, damaged files, drivers that change, lie or are missing.

The subjects are drivers of two lines that ask nobody anything.
"""

from __future__ import annotations

import errno
import io
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from rich.console import Console

import faultloop.bench.subjects
from faultloop.bench.matrix import playing
from faultloop.bench.matrix.cell import Cell
from faultloop.bench.matrix.command import Made, run_matrix
from faultloop.bench.wanted import Selection
from faultloop.reports.matrix.stamp import STAMP
from faultloop.reports.store import ReportDirectory
from faultloop.reports.writing import ReportUnwritable

SUBJECTS = Path(faultloop.bench.subjects.__file__).parent
TODAY = date(2026, 11, 30)
SIM = Selection(subjects=("reference",), scenarios=("two-effects-in-one-call", "one-call"))
SAYS_DONE = 'import faultloop_driver as bench\nbench.run(lambda: "It is done.")\n'
CRASHES = "import no_such_module\n"


def made(
    selection: Selection, out: Path, *, write: Path | None = None, said: io.StringIO | None = None
) -> Made:
    err = Console(file=said, quiet=said is None)
    return run_matrix(selection, out, today=TODAY, write=write, err=err)


def subject(folder: Path, driver: str, *, python: str = "{python}", second: str = "") -> Path:
    folder.mkdir()
    (folder / "driver.py").write_text(driver)
    (folder / "subject.toml").write_text(
        f'name = "{folder.name}"\nversion = "1"\nstreaming = [false]\n'
        f'command = ["{python}", "driver.py"]\n{second}'
        f'[environment]\nPYTHONPATH = "{SUBJECTS}"\n'
    )
    return folder


def with_second(folder: Path, driver: str, *, python: str = "{python}") -> Path:
    loop = subject(folder, SAYS_DONE, second=f'second_command = ["{python}", "second.py"]\n')
    (folder / "second.py").write_text(driver)
    return loop


def of(*subjects: Path) -> Selection:
    return Selection(subjects=tuple(map(str, subjects)), scenarios=("one-call",))


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The cells that were really played, by their folders' names."""
    names: list[str] = []
    play_lot = playing.play_lot

    def noting(lot: object, **more: object) -> object:
        names.append(lot.name)  # type: ignore[attr-defined]
        return play_lot(lot, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(playing, "play_lot", noting)
    return names


@pytest.mark.parametrize("left", ["nothing", "half a summary", "only the stamp"])
def test_a_cell_whose_report_is_damaged_is_played_again(
    tmp_path: Path, begun: list[str], left: str
) -> None:
    made(SIM, tmp_path)
    (folder,) = (tmp_path / "cells").iterdir()
    begun.clear()
    if left == "half a summary":
        (folder / "summary.json").write_text("{")
    else:
        (folder / "summary.json").unlink()
    if left == "only the stamp":
        for file in folder.iterdir():
            if file.name != STAMP:
                file.unlink()
    made(SIM, tmp_path)
    assert begun
    assert (folder / "summary.json").is_file()


def test_whoever_is_killed_before_the_last_stamp_has_a_finished_cell(
    tmp_path: Path, begun: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write, stamps = Cell.write, iter((True, False))

    def only_once(cell: Cell, stamp: object) -> None:
        if not next(stamps, True):
            raise OSError(errno.ENOSPC, "no space")
        write(cell, stamp)  # type: ignore[arg-type]

    monkeypatch.setattr(Cell, "write", only_once)
    made(SIM, tmp_path)
    begun.clear()
    made(SIM, tmp_path)
    assert not begun


def test_a_full_disk_when_a_cell_is_begun_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(cell: Cell, stamp: object) -> None:
        raise OSError(errno.ENOSPC, "no space")

    monkeypatch.setattr(Cell, "write", full)
    with pytest.raises(ReportUnwritable, match="cannot be begun: the disk is full"):
        made(SIM, tmp_path)
    again = ReportDirectory(next((tmp_path / "cells").iterdir()), seed=1)
    again.prepare()  # nobody holds it
    again.close()


def test_a_cell_that_is_no_report_is_left_alone(tmp_path: Path) -> None:
    made(SIM, tmp_path)
    (folder,) = (tmp_path / "cells").iterdir()
    (folder / STAMP).write_text("not ours")
    (folder / "summary.json").unlink()
    with pytest.raises(ReportUnwritable, match="choose another directory for --report-dir"):
        made(SIM, tmp_path)


def test_a_page_for_others_names_no_folder_of_whoever_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "anna"))
    monkeypatch.setenv("FAULTLOOP_CACHE", str(tmp_path / "anna" / "cache"))
    loop = subject(tmp_path / "anna", f"raise SystemExit('lost in {tmp_path}/anna/cache/x')\n")
    made(of(loop), tmp_path / "out", write=tmp_path / "docs")
    assert str(tmp_path / "anna") in (tmp_path / "out" / "matrix.html").read_text()
    for page in (tmp_path / "docs").iterdir():
        assert str(tmp_path / "anna") not in page.read_text(), page.name
    assert "lost in $FAULTLOOP_CACHE/x" in (tmp_path / "docs" / "matrix.html").read_text()


@pytest.mark.parametrize("name", ["matrix.md", "notes.txt", "cells"])
def test_a_folder_of_others_is_left_alone(tmp_path: Path, begun: list[str], name: str) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(ReportUnwritable, match=rf"holds no matrix \(there is {name}\)"):
        made(SIM, tmp_path)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]
    assert not begun


def test_what_a_person_put_beside_a_matrix_stays_there(tmp_path: Path, begun: list[str]) -> None:
    made(SIM, tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    begun.clear()
    made(SIM, tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert not begun


def test_a_place_for_the_pages_that_is_none_is_told_before_anything_is_played(
    tmp_path: Path, begun: list[str]
) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(ReportUnwritable, match="nothing was played"):
        made(SIM, tmp_path / "out", write=tmp_path / "file")
    assert not begun


def test_another_driver_or_declaration_makes_another_cell(tmp_path: Path, begun: list[str]) -> None:
    loop = subject(tmp_path / "loop", SAYS_DONE)
    made(of(loop), tmp_path / "out")
    begun.clear()
    (loop / "README.md").write_text("For people.")
    made(of(loop), tmp_path / "out")
    assert not begun
    (loop / "driver.py").write_text(SAYS_DONE + "# mended\n")
    made(of(loop), tmp_path / "out")
    assert len(begun) == 1
    with (loop / "subject.toml").open("a") as file:
        file.write('MORE = "1"\n')
    made(of(loop), tmp_path / "out")
    assert len(begun) == 2


def ends(out: Path) -> str:
    rows = (out / "matrix.md").read_text().splitlines()
    return next(row for row in rows if row.startswith("| end\\_acceptable"))


@pytest.mark.parametrize(
    ("second", "seen"), [(SAYS_DONE, "✗ 1 / 1"), (CRASHES, "? 1 / 1")], ids=["agrees", "crashes"]
)
def test_a_second_driver_that_crashes_agrees_with_nobody(
    tmp_path: Path, second: str, seen: str
) -> None:
    made(of(with_second(tmp_path / "loop", second)), tmp_path / "out")
    assert ends(tmp_path / "out").endswith(f"| {seen} |")


def test_a_second_driver_that_cannot_be_started_is_as_good_as_none(tmp_path: Path) -> None:
    loop, said = with_second(tmp_path / "loop", SAYS_DONE, python="/no/such/python"), io.StringIO()
    assert not made(of(loop), tmp_path / "out", said=said).left
    assert "subject.toml: second_command: '/no/such/python' is neither" in said.getvalue()
    assert ends(tmp_path / "out").endswith("| ? 1 / 1 |")


def test_a_subject_that_cannot_be_started_keeps_no_other_from_being_played(tmp_path: Path) -> None:
    none = subject(tmp_path / "none", SAYS_DONE, python="/no/such/python")
    came = made(of(none, subject(tmp_path / "loop", SAYS_DONE)), tmp_path / "out")
    assert len(came.left) == 1
    assert came.left[0].startswith("none 1: ")
    assert came.headline == "Some scenarios only. loop 1 is in doubt (1 play)"
    assert "/no/such/python" in (tmp_path / "out" / "matrix.md").read_text()


@pytest.mark.parametrize(
    ("lacks", "told"),
    [
        ('[install]\npython = ["loop==1"]\n', "loop@1: not installed"),
        (
            '[[needs]]\ncommand = "no-such-program"\nhint = "get it"\n',
            "loop@1: subject 1 of 1, 1 play to make\nloop@1: nothing could be played",
        ),
    ],
    ids=["not-installed", "a-program-is-missing"],
)
def test_what_was_never_played_is_not_called_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lacks: str, told: str
) -> None:
    monkeypatch.setenv("FAULTLOOP_CACHE", str(tmp_path / "cache"))
    loop, said = subject(tmp_path / "loop", SAYS_DONE), io.StringIO()
    with (loop / "subject.toml").open("a") as file:
        file.write(lacks)
    assert made(of(loop), tmp_path / "out", said=said).left
    assert said.getvalue().strip() == told


def test_a_cell_of_other_plays_is_not_shown_beside_those_of_now(tmp_path: Path) -> None:
    both = replace(SIM, subjects=("reference", "mutant:runs-cut-replies"))
    made(both, tmp_path)
    with pytest.raises(KeyboardInterrupt):
        stopped_at_the_second(replace(both, seed=2), tmp_path)
    (line,) = (one for one in (tmp_path / "matrix.md").read_text().splitlines() if "mutant" in one)
    assert line.startswith("- mutant:runs-cut-replies ")
    assert line.endswith(": not played yet")


def test_whoever_stops_a_matrix_is_told_what_is_kept_and_the_page_says_so(tmp_path: Path) -> None:
    both = replace(SIM, subjects=("reference", "mutant:runs-cut-replies"))
    said = io.StringIO()
    with pytest.raises(KeyboardInterrupt):
        stopped_at_the_second(both, tmp_path, Console(file=said))
    kept = f"4 of 8 plays are kept in {tmp_path}, matrix.html shows what is finished"
    assert f"{kept}; the same command goes on with the rest\n" in said.getvalue()
    assert "not finished, 1 of 2 subjects so far" in (tmp_path / "matrix.md").read_text()


def stopped_at_the_second(selection: Selection, out: Path, err: Console | None = None) -> None:
    play_cell, cells = playing.play_cell, iter((False, True))

    def stopping(cell: Cell, **more: object) -> object:
        if next(cells):
            raise KeyboardInterrupt
        return play_cell(cell, **more)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("faultloop.bench.matrix.command.play_cell", stopping)
        run_matrix(selection, out, today=TODAY, err=err or Console(quiet=True))
