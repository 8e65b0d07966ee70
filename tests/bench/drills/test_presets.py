"""Every preset is drilled: it holds, or its drill says what it promises instead.

A drill that holds under a preset could have met one of its knobs and put nothing to the test (a
guard that refuses a second equal call, say). So each must still find its mutants broken there.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from faultloop.bench.drilling import POLICIES, Exercise, drilled, kit_of, must_hold
from faultloop.bench.drills import DRILLS
from faultloop.bench.drills.kit.drill import Drill, judged
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.mutants import MUTANTS
from faultloop.bench.selection import subject_of
from faultloop.loop.presets import PRESETS, PresetName
from faultloop.scenarios.applicable import why_not
from faultloop.scenarios.reading import catalogue
from faultloop.scenarios.subject import Column
from faultloop.scenarios.subjects.finding import presets
from faultloop.scenarios.verdict import Verdict

SUBJECTS: dict[str, PresetName] = {
    f"reference:{name}": name for name in PRESETS if name != "reference"
}

DIFFERS: dict[PresetName, set[str]] = {
    "dsh": {"repairs-save-requests"},
    "pi": {"repairs-save-requests"},
    "codex": {"repairs-save-requests"},
    "grok": set(),
    "mx_claw": {"repairs-save-requests"},
}
"""By preset: the drills whose promise is another one there; all the others hold."""

DRILLED = [drill for drill in DRILLS.values() if not drill.processes]
"""But for the drill that plays other subjects' processes: it is the same whoever is drilled."""

EXCUSES = [(drill, preset) for drill in DRILLS.values() for preset in drill.differs]

PAIRS = [
    (mutant, drill)
    for mutant in MUTANTS.values()
    for drill in DRILLED
    if drill.name in mutant.drills
]


def exercise(subject: str, drill: Drill) -> Exercise:
    return Exercise(chosen=subject, subject=subject_of(subject), drill=drill, seed=1)


def test_each_preset_subject_is_drilled_with_its_own_policy() -> None:
    assert {subject.name for subject in presets()} == set(SUBJECTS) == set(POLICIES) - {"reference"}
    for subject, preset in SUBJECTS.items():
        assert kit_of(subject) == replace(Kit(), base=PRESETS[preset].policy)
    assert kit_of("reference") == Kit()


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_preset_holds_or_promises_something_else(subject: str) -> None:
    records = [drilled(exercise(subject, drill)).record for drill in DRILLED]
    assert {record.policy for record in records} == {SUBJECTS[subject]}
    differs = [one.scenario for one in records if one.verdict is Verdict.NOT_APPLICABLE]
    assert set(differs) == DIFFERS[SUBJECTS[subject]]
    others = {one.scenario: one for one in records if one.scenario not in differs}
    assert len(others) == len(DRILLED) - len(differs) > 40
    assert [one.reason for one in others.values() if one.verdict is not Verdict.HELD] == []


def test_an_excuse_is_in_the_table_and_never_the_reference_s() -> None:
    told = {name: {drill.name for drill, preset in EXCUSES if preset == name} for name in PRESETS}
    assert told == {**DIFFERS, "reference": set()}


@pytest.mark.parametrize(
    ("drill", "preset"), EXCUSES, ids=[f"{drill.name}-{preset}" for drill, preset in EXCUSES]
)
def test_no_excuse_is_stale(drill: Drill, preset: PresetName) -> None:
    found = judged(drill, Kit(base=PRESETS[preset].policy))
    assert found.verdict is not Verdict.HELD, found.sentence


@pytest.mark.parametrize("subject", SUBJECTS)
def test_what_a_preset_holds_its_mutants_break(subject: str) -> None:
    differs = DIFFERS[SUBJECTS[subject]]
    found = {
        (mutant.name, drill.name): judged(drill, replace(mutant.drilled(), base=POLICIES[subject]))
        for mutant, drill in PAIRS
        if drill.name not in differs
    }
    assert {drill for _, drill in found} == {drill.name for drill in DRILLED} - differs
    survived = {pair: one.sentence for pair, one in found.items() if one.verdict != Verdict.BROKEN}
    assert survived == {}


def test_what_differs_is_not_applicable_in_the_words_of_a_scenario_and_never_green() -> None:
    record = drilled(exercise("reference:dsh", DRILLS["repairs-save-requests"])).record
    assert (record.verdict, record.checks) == (Verdict.NOT_APPLICABLE, ())
    instead = DRILLS["repairs-save-requests"].differs["dsh"]
    assert record.reason == f"the policy dsh promises otherwise: {instead}"
    with pytest.raises(pytest.skip.Exception, match="not applicable: the policy dsh promises"):
        must_hold(record)
    able = subject_of("reference:dsh").capabilities
    scenario = catalogue()[0].model_copy(update={"differs": {"dsh": instead}})
    column = Column(dialect=able.dialects[0], streaming=True)
    assert why_not(scenario, able, column) == record.reason


def test_what_differs_for_one_is_drilled_with_all_others() -> None:
    def mends(subject: str) -> Verdict:
        return drilled(exercise(subject, DRILLS["repairs-save-requests"])).record.verdict

    assert [mends("reference:grok"), mends("reference")] == [Verdict.HELD] * 2
    assert mends("mutant:repairs-nothing") is Verdict.BROKEN
