"""What rests on a driver's account is broken only where a second driver tells the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from faultloop.fakes.history import Account, Ended
from faultloop.reports.first_end import failed_with
from faultloop.reports.matrix.values import Mark
from faultloop.reports.rows import Played

from .test_matrix import BROKEN, END, HELD, UNKNOWN, counts, ended, of


@pytest.mark.parametrize(
    ("second", "mark", "said"),
    [
        (None, Mark.UNKNOWN, "no second driver to ask"),
        ([ended("a", HELD, "max_tokens")], Mark.UNKNOWN, "its two drivers differ"),
        ([ended("a", UNKNOWN)], Mark.UNKNOWN, "its two drivers differ"),
        ([ended("a", BROKEN)], Mark.BROKEN, "seen: completed"),
        ([ended("a", BROKEN, "error")], Mark.UNKNOWN, "its two drivers differ"),
        ([ended("b", BROKEN)], Mark.UNKNOWN, "no second driver"),
    ],
    ids=["alone", "held", "unknown", "agree", "another-end", "another-play"],
)
def test_what_rests_on_an_account_is_broken_only_where_two_drivers_agree(
    second: list[Played] | None, mark: Mark, said: str
) -> None:
    made = of(ended("a", BROKEN), second=second)
    assert counts(made, END) == {mark: 1}
    assert said in made.columns[0].entries[END].breaches[0].sentence


def error(said: str, *complaints: str) -> str | None:
    """What failed in a start that said so."""
    account = Account(end_reason="error", error=said)
    told = Ended(
        position=1, start=1, how="exited", exit_code=1, account=account, complaints=complaints
    )
    return failed_with(told)


MODEL_ERROR = error("ModelBehaviorError: no tool 'x' in request 3")
SAYS_NOTHING = "no result line; exit code 1; the last that it wrote to standard error: KeyError: 3"


@pytest.mark.parametrize(
    ("first", "second", "mark"),
    [
        (MODEL_ERROR, error("ModelBehaviorError: no tool 'x' in request 4"), Mark.BROKEN),
        (error("TypeError: no bytes"), error("TypeError: no bytes"), Mark.BROKEN),
        (error(""), error(""), Mark.BROKEN),
        (None, None, Mark.BROKEN),
        (MODEL_ERROR, error("AttributeError: 'NoneType' has no 'stop_reason'"), Mark.UNKNOWN),
        (error("TypeError: no bytes"), error("TypeError: not callable"), Mark.UNKNOWN),
        (error("TypeError: not callable"), MODEL_ERROR, Mark.UNKNOWN),
        (error(""), error("UnboundLocalError: last"), Mark.UNKNOWN),
        (error("Error: HTTP 500"), error("ReferenceError: x is not defined"), Mark.UNKNOWN),
        (error("no such tool was offered"), error("cannot read its state"), Mark.UNKNOWN),
        (MODEL_ERROR, error(SAYS_NOTHING, SAYS_NOTHING), Mark.UNKNOWN),
        (error(SAYS_NOTHING, SAYS_NOTHING), error(SAYS_NOTHING, SAYS_NOTHING), Mark.UNKNOWN),
    ],
    ids=[
        "one-kind",
        "one-mistake",
        "neither-names-any",
        "kept-before-it-was-known",
        "second-crashes",
        "both-crash-each-in-its-way",
        "first-crashes",
        "second-crashes-where-the-first-reports",
        "in-javascript",
        "in-two-sentences",
        "second-says-nothing",
        "both-say-nothing",
    ],
)
def test_an_error_is_confirmed_by_the_same_error_only_and_by_no_crash_of_a_driver(
    first: str | None, second: str | None, mark: Mark
) -> None:
    again = ended("a", BROKEN, "error", failed=second)
    made = of(ended("a", BROKEN, "error", failed=first), second=[again])
    assert counts(made, END) == {mark: 1}


def test_what_failed_is_said_in_a_summary_only_where_it_is_known() -> None:
    plain, known = (ended("a", BROKEN, "error", failed=one).record for one in (None, ""))
    assert "failed" not in plain.model_dump()
    assert known.model_dump()["failed"] == ""


def test_a_second_play_that_proves_nothing_confirms_nothing() -> None:
    again = ended("a", BROKEN)
    hollow = again.record.model_copy(update={"verdict": UNKNOWN, "reason": "no fault fired"})
    made = of(ended("a", BROKEN), second=[replace(again, record=hollow)])
    assert counts(made, END) == {Mark.UNKNOWN: 1}


def test_what_the_bench_saw_itself_needs_no_second_driver() -> None:
    assert counts(of(ended("a", BROKEN, by_account=False)), END) == {Mark.BROKEN: 1}
