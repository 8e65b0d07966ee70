"""What a matrix that is gone on with shows of subjects that were not asked for this time."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from rich.console import Console

from faultloop.bench.matrix import playing
from faultloop.bench.matrix.command import Made, run_matrix
from faultloop.bench.selection import choose
from faultloop.bench.wanted import Selection
from faultloop.scenarios.subject import BadSubject

MUTANT = "mutant:runs-cut-replies"
ONE = Selection(subjects=("reference",), scenarios=("two-effects-in-one-call",))
OTHER = replace(ONE, subjects=(MUTANT,))


def made(selection: Selection, out: Path) -> Made:
    return run_matrix(selection, out, today=date(2026, 11, 30), err=Console(quiet=True))


def test_a_subject_is_added_to_a_page_by_naming_it_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(ONE, tmp_path)
    played: list[str] = []
    play_lot = playing.play_lot

    def noting(lot: object, **more: object) -> object:
        played.append(lot.subject.name)  # type: ignore[attr-defined]
        return play_lot(lot, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(playing, "play_lot", noting)
    came = made(OTHER, tmp_path)
    assert set(played) == {MUTANT}
    assert (came.left, came.not_shown) == ((), ())
    page = (tmp_path / "matrix.md").read_text()
    assert page.index(f"### {MUTANT}") < page.index("### reference")


def test_a_cell_of_other_plays_is_named_and_not_shown(tmp_path: Path) -> None:
    made(ONE, tmp_path)
    came = made(replace(OTHER, seed=2), tmp_path)
    assert came.left == ()
    (line,) = came.not_shown
    assert line.startswith("reference ")
    assert "name it to have it played like these" in line
    page = (tmp_path / "matrix.md").read_text()
    assert "### reference" not in page
    assert "played with other options" in page


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("openai-agent", "there is no subject 'openai-agent': did you mean openai-agents"),
        ("claude-code@latest", "'latest' is no version of claude-code: name one exactly"),
        ("qqqq", "there is no subject 'qqqq': choose one of"),
    ],
)
def test_a_name_that_is_almost_one_is_answered_with_that_one(typed: str, said: str) -> None:
    with pytest.raises(BadSubject, match=said):
        choose(replace(ONE, subjects=(typed,)))
