"""Two plays of a run that differ in their form: one more check of the streamed one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from faultloop.reports.advice import advice
from faultloop.reports.forms import differs, with_played
from faultloop.reports.reading import read_summary
from faultloop.reports.rows import CheckRecord, Played, PlayRecord
from faultloop.reports.store import ReportDirectory
from faultloop.scenarios.both_forms import NAME
from faultloop.scenarios.verdict import Verdict

from .conftest import Told, calls

Make = Callable[..., Played]


def told(end: str = "completed", text: str = "It is open.") -> Told:
    """A play of one call and a last word."""
    made = Told()
    made.starts("Open a pull request for the login fix. [ref 0a1b2c3d]")
    made.asks(1)
    made.is_answered(1, f"{text} [ref 00112233]", calls("call_A"))
    made.invokes(1, "call_A", effect=1)
    made.is_told(1, 200, "opened", call_id="call_A")
    made.asks(2)
    made.is_answered(2, "Done.")
    made.ends(end)
    return made


def pair(make: Make, streamed: Told, whole: Told, **whole_is: Any) -> list[Played]:
    command = "faultloop run --subject reference --scenario a --stream --seed 0"
    made = make("a", told=streamed)
    made = replace(made, record=made.record.model_copy(update={"replay": command}))
    return [made, make("a", told=whole, streaming=False, **whole_is)]


def found(plays: list[Played]) -> tuple[PlayRecord, CheckRecord]:
    streamed, whole = (play.record for play in with_played(plays))
    assert NAME not in [check.check for check in whole.checks], "the streamed play has it alone"
    (check,) = [check for check in streamed.checks if check.check == NAME]
    return streamed, check


def test_plays_that_are_alike_have_one_check_more(make_play: Make) -> None:
    plays = pair(make_play, told(), told())
    record, check = found(plays)

    assert check.verdict is Verdict.HELD
    assert check.proof.positions
    assert (record.verdict, record.reason, record.replay) == (
        Verdict.HELD,
        plays[0].record.reason,
        plays[0].record.replay,
    )
    assert not differs(record)


def test_plays_that_differ_break_the_streamed_one_and_are_replayed_together(
    make_play: Make,
) -> None:
    record, check = found(pair(make_play, told(), told(end="error")))

    assert check.verdict is record.verdict is Verdict.BROKEN
    assert record.reason.startswith(f"{NAME}: turn 0 ends as completed streamed, and as error")
    assert record.replay == "faultloop run --subject reference --scenario a --seed 0"
    assert differs(record)


def test_a_play_that_proves_nothing_cannot_be_compared(make_play: Make) -> None:
    plays = pair(make_play, told(), told(), verdict=Verdict.UNKNOWN, sentence="a fault never fired")
    record, check = found(plays)

    assert check.verdict is record.verdict is Verdict.UNKNOWN
    assert check.proof.sentence == "the whole play proves nothing: a fault never fired"


def test_a_form_that_does_not_apply_is_no_doubt(make_play: Make) -> None:
    plays = pair(make_play, told(), told(), verdict=Verdict.NOT_APPLICABLE, sentence="it streams")
    record, check = found(plays)

    assert (check.verdict, record.verdict) == (Verdict.NOT_APPLICABLE, Verdict.HELD)
    assert check.proof.sentence == "there is no whole play: it streams"


@pytest.mark.parametrize("other", [{"repeat": 1}, {"subject": "another"}])
def test_plays_that_differ_in_more_than_their_form_are_not_compared(
    make_play: Make, other: dict[str, Any]
) -> None:
    plays = pair(make_play, told(), told(end="error"), **other)

    assert with_played(plays) == plays


def test_one_form_alone_is_left_as_it_is(make_play: Make) -> None:
    plays = pair(make_play, told(), told())

    assert with_played(plays[:1]) == plays[:1]
    assert with_played(plays[1:]) == plays[1:]


@pytest.mark.parametrize("workers", [("",), ("gw0", "gw1")])
def test_a_report_compares_what_workers_kept_apart(
    tmp_path: Path, make_play: Make, workers: tuple[str, ...]
) -> None:
    report = ReportDirectory(tmp_path / "out", seed=7)
    report.prepare()
    plays = pair(make_play, told(), told(text="It opens."))
    for number, play in enumerate(plays):
        own = workers[number % len(workers)]
        keeper = ReportDirectory(tmp_path / "out", seed=7, worker=own) if own else report
        keeper.keep(play)
        if own:
            keeper.close()
    summary = report.finish()

    assert summary == read_summary(tmp_path / "out")
    (broken,) = [play for play in summary.plays if differs(play)]
    assert (broken.streaming, summary.totals[Verdict.BROKEN]) == (True, 1)
    assert NAME in (tmp_path / "out" / "report.md").read_text().replace("\\", "")
    assert NAME in (tmp_path / "out" / "report.html").read_text()
    assert len(list((tmp_path / "out" / "failures").iterdir())) == 1


def test_its_advice_is_known() -> None:
    assert all(advice(NAME))
