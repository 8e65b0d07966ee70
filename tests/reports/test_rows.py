from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from faultloop.reports.rows import Played, PlayKey, Summary, play_name, rows, summarise
from faultloop.scenarios.verdict import Verdict

KEY = PlayKey(
    scenario="cut",
    subject="reference",
    dialect="openai_chat",
    streaming=True,
    tier="sim",
    policy="",
    seed=7,
    repeat=0,
)


def test_a_summary_reads_back_as_itself(plays: list[Played]) -> None:
    summary = summarise((played.record for played in plays), seed=7)
    text = summary.model_dump_json(by_alias=True)
    assert Summary.model_validate_json(text) == summary


def test_a_summary_of_a_run_that_was_cut_short_says_how_many_plays_were_planned(
    plays: list[Played],
) -> None:
    summary = summarise((played.record for played in plays), seed=7, planned=40)
    text = summary.model_dump_json(by_alias=True)
    assert json.loads(text)["planned"] == 40
    assert Summary.model_validate_json(text).is_cut_short


def test_a_summary_has_the_published_fields(plays: list[Played]) -> None:
    summary = summarise((played.record for played in plays), seed=7)
    found = json.loads(summary.model_dump_json(by_alias=True))
    assert list(found) == ["schema", "seed", "plays", "totals"]
    assert found["schema"] == 1
    assert found["totals"] == {"broken": 2, "unknown": 1, "held": 4, "not_applicable": 1}
    assert set(found["plays"][0]) == {
        *("subject", "version", "scenario", "claims", "tier", "dialect", "streaming", "policy"),
        *("seed", "repeat", "verdict", "reason", "end_reason", "faults_fired", "replay"),
        *("stderr", "checks"),
    }
    assert set(found["plays"][-1]["checks"][0]) == {"check", "claim", "verdict", "proof"}


def test_a_play_without_checks_still_has_a_row(make_play: Callable[..., Played]) -> None:
    played = make_play("cancel-in-tool", Verdict.NOT_APPLICABLE, sentence="it cannot be cancelled")
    (row,) = rows(played.record, requests=0, effects=0)
    assert (row.verdict, row.check, row.reason) == (
        "not_applicable",
        None,
        "it cannot be cancelled",
    )


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        ({}, "cut--reference--openai_chat-streamed--sim-seed7-0"),
        ({"streaming": False}, "cut--reference--openai_chat-whole--sim-seed7-0"),
        ({"policy": "pi"}, "cut--reference--openai_chat-streamed--pi--sim-seed7-0"),
        ({"subject": "mutant:a"}, "cut--mutant=a--openai_chat-streamed--sim-seed7-0"),
    ],
)
def test_a_play_is_named_by_its_key(changed: dict[str, str], name: str) -> None:
    assert play_name(KEY._replace(**changed)) == name


def test_subjects_that_would_share_a_file_name_do_not() -> None:
    subjects = ["a/b", "a-b", "a:b", "a=b", "../a/b", "a b", "a.b", "", "é"]
    names = {play_name(KEY._replace(subject=subject)) for subject in subjects}
    assert len(names) == len(subjects)
    assert not any("/" in name or name.startswith(".") for name in names)


def test_a_check_that_cannot_tell_casts_no_doubt_on_what_the_others_saw(
    make_play: Callable[..., Played],
) -> None:
    record = make_play("cancel-in-tool", Verdict.HELD).record
    doubtful = record.checks[0].model_copy(
        update={"check": "world_asked", "verdict": Verdict.UNKNOWN}
    )
    sentence = doubtful.proof.sentence
    told = {"verdict": Verdict.UNKNOWN, "checks": (*record.checks, doubtful)}
    of_a_check = record.model_copy(update={**told, "reason": f"world_asked: {sentence}"})
    assert [one.verdict for one in of_a_check.counted] == [Verdict.HELD, Verdict.UNKNOWN]
    of_all = record.model_copy(update={**told, "reason": "fault 1 (stall at step 1) never fired"})
    assert [one.verdict for one in of_all.counted] == [Verdict.UNKNOWN, Verdict.UNKNOWN]
