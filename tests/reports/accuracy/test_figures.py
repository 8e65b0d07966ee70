"""Confusion matrices, plots and mistakes: what they count, and what they leave out."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from tests.reports.accuracy.observed import asked, once
from tests.reports.accuracy.results import results

from faultloop.reports.accuracy.conclusion import Confusion
from faultloop.reports.accuracy.errors import mistake_rows, parameter_rows
from faultloop.reports.accuracy.marks import MARKS
from faultloop.reports.accuracy.matrices import LABELS_MAX, OTHERS, matrices, swaps
from faultloop.reports.accuracy.plots import Named, forest, steps
from faultloop.scenarios.wordings.score import Flaw, Mistake


def cell(wording: str, expected: str, chosen: str, count: int) -> Confusion:
    return Confusion(wording=wording, expected=expected, chosen=chosen, count=count)


def test_rows_in_which_nobody_went_wrong_are_folded_and_what_is_right_has_its_column() -> None:
    cells = [
        cell("a", "read", "read", 7),
        cell("a", "read", "write", 3),
        cell("b", "read", "read", 10),
        cell("a", "find", "find", 5),
        cell("b", "find", "find", 5),
    ]
    found = matrices(cells, ("a", "b"))
    assert found.columns == ("write",)
    assert found.folded == 1
    first, second = found.matrices
    assert [(row.expected, row.right) for row in first.rows] == [("read", 7)]
    assert [(one.askings, one.shade) for one in first.rows[0].cells] == [(3, 4)]
    assert [(one.askings, one.shade) for one in second.rows[0].cells] == [(0, 0)]
    assert (first.right, first.wrong, second.right, second.wrong) == (12, 3, 15, 0)


def test_the_rarest_of_many_are_taken_together_and_none_is_lost() -> None:
    many = LABELS_MAX + 5
    cells = [cell("a", f"t{place:03}", f"u{place:03}", place + 1) for place in range(many)]
    cells += [cell("a", "t000", "t000", 9), cell("a", "fine", "fine", 50)]
    (matrix,) = matrices(cells, ("a",)).matrices
    assert matrix.rows[-1].expected == OTHERS
    assert len(matrix.rows) == LABELS_MAX + 1
    assert sum(one.askings for row in matrix.rows for one in row.cells) == matrix.wrong
    assert sum(row.right for row in matrix.rows) == 9


def test_confusions_that_moved_most_come_first() -> None:
    cells = [
        cell("a", "read", "write", 8),
        cell("b", "read", "write", 8),
        cell("b", "read", "find", 5),
        cell("b", "read", "read", 50),
    ]
    assert [(one.chosen, one.counts) for one in swaps(cells, ("a", "b"))] == [
        ("find", (0, 5)),
        ("write", (8, 8)),
    ]


@pytest.mark.parametrize("margin", [0.0, 0.3])
def test_a_forest_holds_every_interval_zero_and_the_margin(margin: float) -> None:
    made = results(once(13, 3, 64), margin=margin).conclusions
    plot = forest([Named("x", "", one) for one in made.differences], margin=margin)
    places = [float(plot.zero), *(float(tick.at) for tick in plot.ticks)]
    for bar in plot.bars:
        low, width, at = float(bar.low), float(bar.width), float(bar.at)
        assert low < at < low + width
        places += [low, low + width]
    if margin:
        assert float(plot.margin) + float(plot.margin_width) == pytest.approx(float(plot.zero))
        places.append(float(plot.margin))
    assert all(0 <= place <= 100 for place in places)
    assert "0" in [tick.label for tick in plot.ticks]


def test_the_steps_count_tasks_and_draw_only_those_that_moved() -> None:
    plot = steps(np.array([0.0, -1.0, 0.5, 0.0, 1.0, 0.0]), same=1e-9)
    assert (plot.lost, plot.same, plot.gained) == (1, 3, 2)
    assert plot.svg.count("<rect") == 3
    assert steps(np.zeros(3), same=1e-9).svg.count("<rect") == 0
    assert steps(np.ones(5_000), same=1e-9).svg.count("<rect") == 300


def test_verdicts_are_told_apart_without_colour() -> None:
    marks = MARKS.values()
    for said in ({one.glyph for one in marks}, {one.words for one in marks}):
        assert len(said) == len(MARKS)


def test_repeats_do_not_count_as_mistakes_and_parameters_are_told_with_an_example() -> None:
    flaw = Flaw(mistake=Mistake.WRONG_VALUE, call=0, parameter="path", says="a.py, and b.py came")
    wrong = msgspec.structs.replace(asked("a", "t", 1, filled=False), flaws=(flaw,))
    again = msgspec.structs.replace(wrong, sample=1, is_repeat=True)
    (row,) = parameter_rows([wrong, again], ("a", "b"))
    assert (row.expected, row.parameter, row.counts) == ("read", "path", (1, 0))
    assert row.example == "a.py, and b.py came"


def test_failures_stand_before_the_mistakes_with_their_reason() -> None:
    observations = [
        msgspec.structs.replace(
            one,
            failure="timeout" if one.task == "t0000" and one.wording == "b" else None,
            flaws=() if one.selected else (Flaw(mistake=Mistake.WRONG_TOOL),),
        )
        for one in once(3, 13, 64)
    ]
    rows = mistake_rows(results(observations).conclusions, ("a", "b"))
    assert [(row.mistake, row.is_failure, row.counts) for row in rows] == [
        ("no answer: timeout", True, (0, 1)),
        ("wrong tool", False, (3, 13)),
    ]
