from __future__ import annotations

from pathlib import Path

from tests.scenarios.wordings.bfcl.small_bfcl import ROWS, laid_out
from typer.testing import CliRunner

from faultloop.bench.cli import app

SMALL = [word for category in ROWS for word in ("--category", category)]


def asked(*words: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["import", "bfcl", *map(str, words)])
    return result.exit_code, result.output


def test_files_are_written_and_the_next_command_told(tmp_path: Path) -> None:
    laid_out(tmp_path)
    out = tmp_path / "out"
    code, said = asked(tmp_path, "--out", out, *SMALL)
    assert code == 0
    assert "left out: multiple_3: " in said
    assert f"--tasks {out / 'multiple.jsonl'}" in said
    assert {one.name for one in out.iterdir()} == {
        f"{category}.{ending}" for category in ROWS for ending in ("yaml", "jsonl")
    }


def test_a_check_writes_its_page_and_fails_on_what_is_unexplained(tmp_path: Path) -> None:
    laid_out(tmp_path)
    page = tmp_path / "bfcl.md"
    code, said = asked(tmp_path, "--check", "--page", page, "--category", "multiple")
    assert code == 1
    assert "UNEXPLAINED" in said
    text = page.read_text()
    assert "| multiple | 4 | 3 | 1 | 3 | 2 |" in text
    assert "**a default is given explicitly**" in text
    assert not (tmp_path / "bfcl").exists()


def test_what_is_wrong_is_told_in_a_sentence(tmp_path: Path) -> None:
    assert asked(tmp_path)[0] == 2
    laid_out(tmp_path)
    code, said = asked(tmp_path, "--category", "multple")
    assert (code, "did you mean 'multiple'" in said) == (2, True)
    assert asked(tmp_path, "--page", tmp_path / "x.md")[0] == 2


def test_a_check_that_compares_nothing_is_no_agreement(tmp_path: Path) -> None:
    laid_out(tmp_path)
    code, said = asked(tmp_path, "--check", "--category", "irrelevance")
    assert code == 3
    assert "nothing was compared" in said


def test_a_checker_that_cannot_run_ends_with_cannot_tell(tmp_path: Path) -> None:
    source = laid_out(tmp_path)
    (source.data.parent / "constants" / "enums.py").write_text("1 / 0\n")
    code, said = asked(tmp_path, "--check", "--category", "multiple")
    assert code == 3
    assert "ZeroDivisionError" in said
