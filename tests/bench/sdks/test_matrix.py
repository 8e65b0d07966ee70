"""The SDKs' parse matrix, played: all is green or explained, and the page says just that."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from faultloop.bench.sdks import __main__ as command
from faultloop.bench.sdks.cell import Case, Cell, Mark, Row, cell
from faultloop.bench.sdks.matrix import ROWS, Matrix, play
from faultloop.bench.sdks.page import PAGE, SIGNS, document
from faultloop.fakes.dialects import DIALECTS

DOCS = Path(__file__).parents[3] / "docs"


@pytest.fixture(scope="module")
def matrix() -> Matrix:
    return play()


def test_every_cell_is_green_or_explained(matrix: Matrix) -> None:
    assert list(matrix.wrong()) == []
    unexplained = [one for one in matrix.cells if one.mark is not Mark.GREEN and not one.why]
    assert unexplained == []


def test_every_row_is_played_for_every_dialect_in_both_forms(matrix: Matrix) -> None:
    played = {(one.row, one.dialect, one.streamed) for one in matrix.cells}

    assert len(played) == len(matrix.cells) == 2 * len(ROWS) * len(DIALECTS)
    assert {one.dialect for one in matrix.cells} == set(DIALECTS)


def test_the_known_limit_of_an_sdk_is_not_green_and_names_its_version(matrix: Matrix) -> None:
    (limit,) = [one for one in matrix.cells if one.mark is Mark.LIMIT]

    assert limit.name == "keep-alive comments, gemini streamed"
    assert limit.why.startswith(f"google-genai {matrix.versions['google-genai']}: ")


def test_the_page_is_what_was_measured(matrix: Matrix) -> None:
    assert (DOCS / PAGE).read_text() == document(matrix), "make it anew: make sdks"


def test_every_sdk_defines_more_than_one_kind_of_thing_and_most_of_them_were_seen(
    matrix: Matrix,
) -> None:
    for kinds in matrix.kinds:
        assert len(kinds.seen & kinds.family.defined) >= 2, kinds.family.name


# --- a cell can be red ----------------------------------------------------------------------


class NoEar:
    dialect, package = "gemini", "google-genai"


def came(streamed: bool = True, **row: object) -> Cell:
    made = Row(name="row", about="", **row)  # type: ignore[arg-type]
    return cell(made, Case(None, NoEar(), streamed))  # type: ignore[arg-type]


def fails(case: Case) -> list[str]:
    return ["it is wrong", "in two ways"]


def raises(case: Case) -> list[str]:
    raise KeyError("choices")


def test_a_cell_that_says_what_is_wrong_is_red() -> None:
    assert came(play=fails)[3:] == (Mark.RED, "it is wrong; in two ways")


def test_a_cell_whose_sdk_raises_is_red() -> None:
    assert came(play=raises)[3:] == (Mark.RED, "KeyError: 'choices'")


def test_a_limit_holds_only_for_its_own_dialect() -> None:
    assert came(play=fails, limits={"openai_chat": "it cannot"}).mark is Mark.RED
    assert came(play=fails, limits={"gemini": "it cannot"}).mark is Mark.LIMIT


def test_a_limit_that_is_gone_is_red() -> None:
    assert came(play=lambda case: (), limits={"gemini": "it cannot"}).mark is Mark.RED


def test_what_does_not_exist_is_not_played() -> None:
    assert came(play=raises, instead={"gemini": "no such thing"}).mark is Mark.NONE
    assert came(play=raises, forms=(False,), unformed="never streamed").why == "never streamed"


# --- the command ----------------------------------------------------------------------------


def run(monkeypatch: pytest.MonkeyPatch, found: Matrix, *words: str) -> tuple[int, str]:
    monkeypatch.setattr("faultloop.bench.sdks.matrix.play", lambda **_: found)
    app = command.typer.Typer()
    app.command()(command.main)
    out = CliRunner().invoke(app, list(words), env={"COLUMNS": "200"})
    return out.exit_code, out.output


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    console = command.Console
    monkeypatch.setattr(command, "out", console(width=200))


def test_the_command_prints_every_row_and_ends_with_0(
    matrix: Matrix, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    code, said = run(monkeypatch, matrix, "--write", "--docs", str(tmp_path))

    assert code == 0, said
    assert all(row.name in said for row in ROWS)
    assert f"openai {matrix.versions['openai']}" in said
    assert (tmp_path / PAGE).read_text() == document(matrix)


def test_a_red_cell_is_named_and_the_command_ends_with_1(
    matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *rest = matrix.cells
    red = first._replace(mark=Mark.RED, why="the text is lost")
    found = Matrix(
        cells=(red, *rest),
        kinds=matrix.kinds,
        versions=matrix.versions,
        packages=matrix.packages,
    )
    code, said = run(monkeypatch, found)

    assert code == 1
    assert f"{SIGNS[Mark.RED]} {red.name}: the text is lost" in said


def test_without_an_sdk_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "MODULES", {"no_such_sdk": "no-such-sdk"})
    app = command.typer.Typer()
    app.command()(command.main)
    out = CliRunner().invoke(app, [])

    assert out.exit_code == 2
    assert command.missing() == ["no-such-sdk"]
