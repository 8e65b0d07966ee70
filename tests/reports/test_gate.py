from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from faultloop.reports.compare import compare
from faultloop.reports.gate import gate
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


def report(path: Path, plays: list[Played]) -> Path:
    path.mkdir()
    summary = summarise((played.record for played in plays), seed=7)
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
    assert not found.worse


@pytest.mark.parametrize("nothing", [[], [BROKEN]])
def test_a_base_in_which_nothing_held_tells_nothing(
    tmp_path: Path, make_play: Callable[..., Played], nothing: list[Verdict]
) -> None:
    base = report(tmp_path / "base", [make_play("cancel-in-tool", one) for one in nothing])
    candidate = report(tmp_path / "candidate", [make_play("cancel-in-tool")])
    decision = gate(base, candidate)
    assert decision.exit_code == 2
    assert "no play that held" in decision.text


def test_a_path_that_is_no_report_is_bad_input(
    tmp_path: Path, make_play: Callable[..., Played]
) -> None:
    base = report(tmp_path / "base", [make_play("cancel-in-tool")])
    decision = gate(base, tmp_path / "nowhere")
    assert decision.exit_code == 2
    assert "nowhere does not exist" in decision.text
