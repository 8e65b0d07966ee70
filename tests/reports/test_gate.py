from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from faultloop.reports.compare import compare
from faultloop.reports.gate import LISTED_MAX, gate
from faultloop.reports.rows import Played, summarise
from faultloop.scenarios.verdict import Verdict

BROKEN, UNKNOWN, HELD = Verdict.BROKEN, Verdict.UNKNOWN, Verdict.HELD
NOT_APPLICABLE = Verdict.NOT_APPLICABLE

# The one play that differs, before and after (None: not there), and what the gate does.
STEPS: dict[str, tuple[Verdict | None, Verdict | None, int, str]] = {
    "held stays held": (HELD, HELD, 0, ""),
    "held is broken": (HELD, BROKEN, 1, "no longer held (1)"),
    "held is unknown": (HELD, UNKNOWN, 1, "no longer held (1)"),
    "held does not apply": (HELD, NOT_APPLICABLE, 1, "no longer held (1)"),
    "held vanishes": (HELD, None, 1, "vanished (1)"),
    "broken vanishes": (BROKEN, None, 0, "vanished (1)"),
    "broken is mended": (BROKEN, HELD, 0, "mended (1)"),
    "unknown is broken": (UNKNOWN, BROKEN, 0, "changed (1)"),
    "broken stays broken": (BROKEN, BROKEN, 0, ""),
    "a broken play is new": (None, BROKEN, 0, "new (1)"),
}
SECTIONS = ("no longer held", "mended", "changed", "vanished", "new")


def report(path: Path, plays: list[Played], *, planned: int = 0) -> Path:
    path.mkdir()
    summary = summarise((played.record for played in plays), seed=7, planned=planned)
    (path / "summary.json").write_text(summary.model_dump_json(by_alias=True))
    return path


@pytest.mark.parametrize("step", STEPS)
def test_the_gate_closes_when_anything_that_held_is_lost(
    tmp_path: Path, make_play: Callable[..., Played], step: str
) -> None:
    before, after, exit_code, section = STEPS[step]
    always = make_play("kill-after-effect")
    base = [always, *([make_play("cancel-in-tool", before)] if before else [])]
    candidate = [always, *([make_play("cancel-in-tool", after)] if after else [])]
    decision = gate(report(tmp_path / "base", base), report(tmp_path / "candidate", candidate))
    assert decision.exit_code == exit_code
    lines = decision.text.splitlines()
    assert lines[0].startswith("gate open" if exit_code == 0 else "gate closed")
    assert [line for line in lines if line.startswith(SECTIONS)] == (
        [f"{section}:"] if section else []
    )
    assert ("cancel-in-tool [" in decision.text) == bool(section)


@pytest.mark.parametrize("order", [(HELD, BROKEN), (BROKEN, HELD)], ids=["before", "after"])
def test_a_broken_play_does_not_hide_behind_a_held_one_with_the_same_key(
    tmp_path: Path, make_play: Callable[..., Played], order: tuple[Verdict, Verdict]
) -> None:
    base = report(tmp_path / "base", [make_play("cancel-in-tool")])
    twice = [make_play("cancel-in-tool", verdict) for verdict in order]
    decision = gate(base, report(tmp_path / "candidate", twice))
    assert decision.exit_code == 1
    assert "no longer held (1)" in decision.text


def test_a_summary_that_contradicts_itself_is_bad_input(
    tmp_path: Path, make_play: Callable[..., Played]
) -> None:
    base = report(tmp_path / "base", [make_play("cancel-in-tool")])
    broken = report(tmp_path / "broken", [make_play("cancel-in-tool", BROKEN)])
    told = json.loads((broken / "summary.json").read_text())
    wrong_counts = dict(told["totals"], held=5)
    for changed, sentence in (
        ({**told, "totals": wrong_counts}, "it says that 5 plays held, and holds 0"),
        ({**told, "plays": told["plays"] * 2}, "it says that 1 play broken, and holds 2"),
        (
            {
                **told,
                "plays": [{**told["plays"][0], "verdict": "held"}],
                "totals": {"held": 1},
            },
            "cancel-in-tool of reference held, although its effects_once did not",
        ),
    ):
        (broken / "summary.json").write_text(json.dumps(changed))
        for decision in (gate(base, broken), gate(broken, base)):
            assert decision.exit_code == 2
            assert "contradicts itself" in decision.text
            assert sentence in decision.text


def test_a_lost_play_is_named_with_its_proof_and_its_replay(
    tmp_path: Path, make_play: Callable[..., Played]
) -> None:
    base = report(tmp_path / "base", [make_play("cancel-in-tool")])
    broken = make_play("cancel-in-tool", BROKEN, sentence="it took effect twice")
    text = gate(base, report(tmp_path / "candidate", [broken])).text
    assert "cancel-in-tool [reference, openai chat streamed, sim, seed 7, repeat 0]" in text
    assert "held -> broken" in text
    assert "effects_once (D2): it took effect twice" in text
    assert "faultloop replay out/failures/cancel-in-tool" in text


def test_one_subject_is_compared_with_another_and_that_is_said(
    tmp_path: Path, make_play: Callable[..., Played]
) -> None:
    base = report(tmp_path / "base", [make_play("cancel-in-tool")])
    mutant = make_play("cancel-in-tool", BROKEN, subject="mutant:forgetful")
    decision = gate(base, report(tmp_path / "candidate", [mutant]))
    assert decision.exit_code == 1
    assert "subject reference is compared with subject mutant:forgetful" in decision.text
    assert "no longer held (1)" in decision.text


def test_of_several_subjects_each_is_compared_with_itself(
    make_play: Callable[..., Played],
) -> None:
    base = [make_play("cancel-in-tool"), make_play("cancel-in-tool", subject="a")]
    candidate = [make_play("cancel-in-tool"), make_play("cancel-in-tool", subject="b")]
    found = compare(
        summarise((played.record for played in base), seed=7),
        summarise((played.record for played in candidate), seed=7),
    )
    assert found.subjects is None
    assert [play.subject for play in found.vanished] == ["a"]
    assert [play.subject for play in found.new] == ["b"]


def test_broken_for_another_reason_is_a_change(make_play: Callable[..., Played]) -> None:
    base = make_play("cancel-in-tool", BROKEN)
    candidate = make_play("cancel-in-tool", BROKEN, check="results_closed")
    found = compare(summarise([base.record], seed=7), summarise([candidate.record], seed=7))
    assert len(found.changed) == 1
    assert found.lost == found.gone == ()


@pytest.mark.parametrize("nothing", [[], [BROKEN]])
def test_a_base_in_which_nothing_held_tells_nothing(
    tmp_path: Path, make_play: Callable[..., Played], nothing: list[Verdict]
) -> None:
    base = report(tmp_path / "base", [make_play("cancel-in-tool", one) for one in nothing])
    candidate = report(tmp_path / "candidate", [make_play("cancel-in-tool")])
    decision = gate(base, candidate)
    assert decision.exit_code == 2
    assert "no play that held" in decision.text


# What was made, before the cut, of two plays that held in the base; and what the gate says.
CUTS: dict[str, tuple[list[Verdict], int, str]] = {
    "one is missing": ([HELD], 3, "gate cannot tell: 1 play that held were not made; 1 the same"),
    "none is missing": ([HELD, HELD], 0, "gate open: nothing that held was lost; 2 the same"),
    "one is broken": (
        [BROKEN],
        1,
        "gate closed: 1 play no longer held and 1 play that held were not made; 0 the same",
    ),
}


@pytest.mark.parametrize("cut", CUTS)
def test_of_a_run_that_was_cut_short_only_what_was_played_is_compared(
    tmp_path: Path, make_play: Callable[..., Played], cut: str
) -> None:
    made, exit_code, decision = CUTS[cut]
    held = [make_play("cancel-in-tool", repeat=number) for number in range(2)]
    again = [make_play("cancel-in-tool", one, repeat=number) for number, one in enumerate(made)]
    candidate = report(tmp_path / "candidate", again, planned=40)
    found = gate(report(tmp_path / "base", held), candidate)
    assert found.exit_code == exit_code
    warning, decided, *rest = found.text.splitlines()
    assert f"{candidate} is of a run that was cut short: {len(made)} of 40 plays" in warning
    assert decided == decision
    assert ("not played (1):" in rest) == (len(made) == 1)
    assert "vanished" not in found.text


def test_a_base_that_was_cut_short_is_named(
    tmp_path: Path, make_play: Callable[..., Played]
) -> None:
    plays = [make_play("cancel-in-tool")]
    base = report(tmp_path / "base", plays, planned=2)
    found = gate(base, report(tmp_path / "candidate", plays))
    assert found.exit_code == 0
    assert found.text.startswith(f"warning: {base} is of a run that was cut short: 1 of 2 plays")


@pytest.fixture
def far_apart(tmp_path: Path, make_play: Callable[..., Played]) -> tuple[Path, Path]:
    """Two reports of different subjects and catalogues, with one loop in common."""
    common = make_play("cancel-in-tool")
    mine = [make_play("pull-request-504-after", subject="a", repeat=n) for n in range(30)]
    mine += [make_play("cancel-in-tool", subject="a", repeat=n) for n in range(5)]
    others = [make_play("kill-after-effect", subject="b", repeat=n) for n in range(30)]
    base = report(tmp_path / "base", [common, *mine])
    return base, report(tmp_path / "candidate", [common, *others])


def test_reports_that_have_little_in_common_are_told_by_their_numbers(
    far_apart: tuple[Path, Path],
) -> None:
    found = gate(*far_apart)
    assert found.exit_code == 1
    assert found.text.splitlines() == [
        "gate closed: 35 plays that held vanished; 1 the same",
        "",
        "vanished (35):",
        "  a: 35 plays (Durability, retries, effects: 30; Cancelling and steering: 5)",
        "",
        "new (30):",
        "  b: 30 plays (Durability, retries, effects: 30)",
        "",
        "--all lists each play",
    ]


def test_each_play_is_listed_where_that_is_asked_for(far_apart: tuple[Path, Path]) -> None:
    text = gate(*far_apart, everything=True).text
    assert text.count("pull-request-504-after [a, ") == 30
    assert text.count("kill-after-effect [b, ") == 30
    assert "--all" not in text


def test_of_many_lost_plays_the_first_are_told_with_their_proofs(
    tmp_path: Path, make_play: Callable[..., Played]
) -> None:
    plays = [
        [make_play("cancel-in-tool", verdict, repeat=n, sentence="Seen.") for n in range(25)]
        for verdict in (HELD, BROKEN)
    ]
    text = gate(report(tmp_path / "base", plays[0]), report(tmp_path / "broken", plays[1])).text
    assert "no longer held (25):" in text
    assert text.count("effects_once (D2): Seen.") == LISTED_MAX
    assert f"  reference: {25 - LISTED_MAX} plays (Cancelling and steering: " in text


def test_a_path_that_is_no_report_is_bad_input(
    tmp_path: Path, make_play: Callable[..., Played]
) -> None:
    base = report(tmp_path / "base", [make_play("cancel-in-tool")])
    decision = gate(base, tmp_path / "nowhere")
    assert decision.exit_code == 2
    assert "nowhere does not exist" in decision.text
