"""What the bench hands in becomes a record: from evidence and judgement, or from a refusal."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from faultloop.fakes.history import Account, AnyEntry, Ended, FaultFired, History, Started
from faultloop.reports.ends import accepted, happened
from faultloop.reports.rows import STDERR_CHARS_MAX, Played, from_play, not_played, scenario_file
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.judge import Judgement
from faultloop.scenarios.scenario import Scenario
from faultloop.scenarios.subject import Capabilities, Column
from faultloop.scenarios.verdict import Finding, Verdict

SCENARIO = Scenario.model_validate(
    {
        "schema": 1,
        "name": "tool-hangs",
        "claim": "A tool that hangs does not hang the loop.",
        "claims": ["D4"],
        "checks": ["effects_once"],
        "world": {"files": {"a": "1"}},
        "input": "Read a.",
        "script": [{"calls": [{"tool": "read_file", "args": {"path": "a"}}]}],
        "faults": [{"at": "tool read_file", "kind": "tool_hang"}],
        "accept": [{"end_reason": ["completed"], "effects": 0, "replies": [1, 2]}],
        "max_requests": 6,
    }
)
EXITED, KILLED = ("exited", "completed"), ("killed", None)


def entries(*starts: tuple[int, str, str | None]) -> tuple[AnyEntry, ...]:
    history = History(lambda: 0.0)
    for number, (turn, how, reason) in enumerate(starts, 1):
        history.add(Started, start=number, turn=turn, input="", resume=number > 1)
        history.add(FaultFired, start=number, fault=0, kind="tool_hang")
        history.add(Ended, start=number, how=how, account=Account(end_reason=reason))
    return tuple(history)


def filled(
    history: Iterable[AnyEntry], verdict: Verdict = Verdict.BROKEN, *, stderr: str = ""
) -> Played:
    evidence = Evidence(
        scenario=SCENARIO,
        subject="./mine.toml",
        capabilities=Capabilities(policy="pi"),
        column=Column(streaming=False),
        history=tuple(history),
        times_s=(),
        ledger=(),
    )
    finding = Finding(
        check="effects_once", claim="D2", verdict=verdict, sentence="Seen.", positions=(1, 2)
    )
    return from_play(
        evidence,
        Judgement(verdict=verdict, reason="Seen.", findings=(finding,)),
        version="2",
        tier="real",
        seed=7,
        repeat=3,
        replay="faultloop run",
        stderr=stderr,
    )


def test_a_judged_play_becomes_a_record() -> None:
    record = filled(entries((0, *EXITED))).record
    assert record.key == ("tool-hangs", "./mine.toml", "openai_chat", False, "real", "pi", 7, 3)
    assert (record.verdict, record.end_reason) == (Verdict.BROKEN, "completed")
    assert record.faults_fired == ("tool_hang",)
    assert record.checks[0].proof.positions == (1, 2)


@pytest.mark.parametrize(
    ("starts", "end_reason"),
    [
        ([(0, "exited", "aborted"), (1, *EXITED)], "aborted"),
        ([(0, *KILLED), (0, *EXITED)], "completed"),
        ([(0, *KILLED), (1, *EXITED)], "killed"),
        ([(0, "did_not_end", None)], "did_not_end"),
        ([(0, "exited", "error"), (1, *EXITED)], "error"),
        ([(0, "exited", None)], ""),
        ([], ""),
    ],
)
def test_the_end_is_that_of_the_first_turn(
    starts: list[tuple[int, str, str | None]], end_reason: str
) -> None:
    record = filled(entries(*starts)).record
    assert record.end_reason == end_reason
    assert record.failed == ("" if end_reason == "error" else None)


def test_standard_error_is_kept_for_failed_plays_and_bounded_in_the_summary() -> None:
    long = "x" * STDERR_CHARS_MAX + "the end"
    failed = filled(entries((0, *EXITED)), stderr=long)
    assert len(failed.record.stderr) == STDERR_CHARS_MAX
    assert failed.record.stderr.endswith("the end")
    assert failed.stderr == long
    assert filled(entries((0, *EXITED)), Verdict.HELD, stderr=long).record.stderr == ""


def test_a_scenario_that_does_not_apply_says_why() -> None:
    played = not_played(
        SCENARIO,
        subject="a",
        version="1",
        capabilities=Capabilities(),
        column=Column(),
        seed=7,
        repeat=0,
        reason="it cannot be cancelled",
    )
    assert (played.record.verdict, played.record.reason) == (
        Verdict.NOT_APPLICABLE,
        "it cannot be cancelled",
    )
    assert (played.record.checks, played.history, played.chosen) == ((), (), "a")


def test_the_scenario_that_is_kept_reads_back_as_the_same() -> None:
    assert Scenario.model_validate(scenario_file(SCENARIO)) == SCENARIO


def test_what_happened_is_one_sentence() -> None:
    assert happened(filled(entries((0, *KILLED), (0, *EXITED)))) == (
        "Its first start was killed, then ended as completed; no requests and no effects in all; "
        "struck by tool hang."
    )


def test_a_play_without_any_end_was_not_played(make_play: Callable[..., Played]) -> None:
    assert happened(make_play("cancel-in-tool", Verdict.NOT_APPLICABLE)) == "It was not played."


@pytest.mark.parametrize(
    ("alternative", "sentence"),
    [
        ({}, "any end"),
        ({"end_reason": ["aborted"]}, "ends as aborted"),
        ({"end_reason": ["a", "b", "c"]}, "ends as a, b or c"),
        ({"effects": 0}, "no effects in the ledger"),
        ({"effects": [0, 1]}, "0 to 1 effect in the ledger"),
        ({"effects": [2, 2], "replies": 3}, "2 effects in the ledger; 3 replies in the first turn"),
        ({"next_turn": ["completed"]}, "the next turn ends as completed"),
    ],
)
def test_an_accepted_end_is_one_sentence(alternative: dict[str, object], sentence: str) -> None:
    assert accepted({"accept": [alternative]}) == [sentence]
