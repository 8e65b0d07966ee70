"""From options to plays: what is asked for is what is played, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from faultloop.bench.running import replay_command
from faultloop.bench.selection import KILL_REPEATS, BadSelection, choose
from faultloop.bench.wanted import Selection
from faultloop.scenarios.reading import catalogue, dump
from faultloop.scenarios.subject import BadSubject


def names(selection: Selection) -> set[str]:
    return {piece.scenario.name for lot in choose(selection) for piece in lot.pieces}


def test_by_default_the_reference_is_played_in_both_tiers_and_both_forms() -> None:
    assert [lot.name for lot in choose(Selection())] == [
        "reference-openai_chat-streamed",
        "reference-openai_chat-whole",
        "reference-process-openai_chat-streamed",
        "reference-process-openai_chat-whole",
    ]


def test_a_column_can_be_left_out() -> None:
    (lot,) = choose(Selection(subjects=("reference",), streaming=False))
    assert lot.name == "reference-openai_chat-whole"


def test_a_glob_selects_scenarios_by_name() -> None:
    chosen = names(Selection(subjects=("reference",), scenarios=("killed-*",)))
    assert chosen
    assert all(name.startswith("killed-") for name in chosen)


def test_quick_plays_the_six_classic_faults() -> None:
    chosen = names(Selection(subjects=("reference",), quick=True))
    everything = names(Selection(subjects=("reference",)))
    assert 6 <= len(chosen) < len(everything) / 2


def test_kills_of_real_processes_are_repeated_and_others_are_not() -> None:
    (lot,) = choose(Selection(subjects=("naive-openai",), streaming=True))
    repeats: dict[str, int] = {}
    for piece in lot.pieces:
        repeats[piece.scenario.name] = repeats.get(piece.scenario.name, 0) + 1
    kills = {p.scenario.name for p in lot.pieces if any(e.do == "kill" for e in p.scenario.events)}
    assert {repeats[name] for name in kills} == {KILL_REPEATS}
    assert {repeats[name] for name in repeats.keys() - kills} == {1}


@pytest.mark.parametrize("failed", [0, 3])
def test_the_printed_command_plays_the_one_repeat_that_failed(failed: int) -> None:
    selection = Selection(subjects=("naive-openai",), scenarios=("killed-after-*",), streaming=True)
    (lot,) = choose(selection)
    piece = next(piece for piece in lot.pieces if piece.repeat == failed)
    told = replay_command(lot, piece)
    assert f" --only-repeat {failed} " in told
    again = replace(selection, scenarios=(piece.scenario.name,), only_repeat=failed)
    assert [lot.pieces for lot in choose(again)] == [(piece,)]


def test_the_printed_command_of_a_scenario_that_is_played_once_names_no_repeat() -> None:
    (lot,) = choose(Selection(subjects=("reference",), scenarios=("one-call",), streaming=True))
    assert "repeat" not in replay_command(lot, lot.pieces[0])


def test_an_unknown_scenario_is_refused_with_what_there_is() -> None:
    with pytest.raises(
        BadSelection, match=r"no scenario is called no-such-thing; of the \d+ that there are"
    ):
        choose(Selection(subjects=("reference",), scenarios=("no-such-thing",)))


def test_an_unknown_subject_is_refused_with_what_there_is() -> None:
    with pytest.raises(BadSubject, match="there is no subject 'nobody': choose one of reference"):
        choose(Selection(subjects=("nobody",)))


def test_an_unknown_mutant_is_refused_with_what_there_is() -> None:
    with pytest.raises(BadSubject, match=r"no mutant 'drops-result'; of .* nearest are drops-a-"):
        choose(Selection(subjects=("mutant:drops-result",)))


def test_a_dialect_that_nobody_speaks_is_refused() -> None:
    with pytest.raises(BadSelection, match="none of reference speaks gemini"):
        choose(Selection(subjects=("reference",), dialects=("gemini",)))


@pytest.mark.parametrize(
    ("selection", "sentence"),
    [
        (Selection(repeat=0), "--repeat 0 plays nothing"),
        (Selection(only_repeat=-1), "--only-repeat -1: repeats count from 0"),
        (Selection(repeat=2, only_repeat=1), "give one of the two"),
        (Selection(seed=2**63), "does not fit into 64 bits"),
        (Selection(subjects=("reference", "mutant:mumbles", "naive-openai/")), "cannot be read"),
    ],
)
def test_numbers_and_paths_that_make_no_sense_are_refused(
    selection: Selection, sentence: str
) -> None:
    with pytest.raises((BadSelection, BadSubject), match=sentence):
        choose(selection)


def own(folder: Path, name: str) -> str:
    """A scenario file of a user's own, made of a shipped one."""
    shipped = next(scenario for scenario in catalogue() if scenario.name == "one-call")
    file = folder / f"{name}.yaml"
    file.write_text(dump(shipped).replace("one-call", name))
    return str(file)


def test_files_are_played_beside_globs_and_replayed_by_their_path(tmp_path: Path) -> None:
    chosen = (own(tmp_path, "mine"), "one-call")
    (lot,) = choose(Selection(subjects=("reference",), scenarios=chosen, streaming=True))
    assert {piece.scenario.name: piece.file for piece in lot.pieces} == {
        "one-call": "",
        "mine": str(tmp_path / "mine.yaml"),
    }
    mine = next(piece for piece in lot.pieces if piece.file)
    assert str(tmp_path / "mine.yaml") in replay_command(lot, mine)


def test_two_scenarios_of_one_name_are_refused(tmp_path: Path) -> None:
    chosen = (own(tmp_path, "one-call"), "one-call")
    with pytest.raises(BadSelection, match="there are two scenarios called one-call"):
        choose(Selection(subjects=("reference",), scenarios=chosen))


def test_a_replay_never_writes_over_the_report_it_was_copied_from() -> None:
    (lot,) = choose(Selection(subjects=("reference",), streaming=True))
    assert "--report-dir faultloop-replay" in replay_command(lot, lot.pieces[0])
