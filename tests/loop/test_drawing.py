"""What is drawn is what runs."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from faultloop.loop import drawing
from faultloop.loop.between import ENDS
from faultloop.loop.state import TRANSITIONS


def test_the_picture_has_every_transition_once() -> None:
    drawn = drawing.phases()
    for phase, row in TRANSITIONS.items():
        for kind, follows in row.items():
            lines = [line for line in drawn.splitlines() if line.startswith(f"    {phase} --> ")]
            assert [line.split()[2] for line in lines if kind.__name__ in line] == [f"{follows}:"]


def test_a_call_is_drawn_from_queued_to_its_two_ends() -> None:
    assert drawing.call_stages().splitlines()[2:] == [
        "    queued --> started: CallStarted",
        "    started --> completed: CallEnded",
        "    queued --> not_executed: CallNotExecuted",
    ]


def test_the_ends_are_listed_in_the_order_in_which_they_are_asked() -> None:
    rows = drawing.ends().splitlines()[2:]
    assert [row.split("`")[1] for row in rows] == [end.reason for end in ENDS]


def test_the_page_of_the_documentation_is_current() -> None:
    page = Path(__file__).parents[2] / "docs" / "reference-loop.md"
    assert page.read_text() == drawing.document()


def test_as_a_program_it_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(drawing.__file__, run_name="__main__")
    assert capsys.readouterr().out == drawing.document()
