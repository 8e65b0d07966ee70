"""Drilling: who is drilled, and what becomes of it in a report.

Only loops of this project can be drilled: a drill replaces their parts and reads their journal.
For every other subject each drill is `not_applicable`, and its row says why; so is one for a preset
that promises something else there. A drill is one row of one check, whose name tells the evidence
(`journal:idle-waits`); it has no wire, so in place of a dialect the row says `drill`.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from types import MappingProxyType

import pytest

from faultloop.bench.drills import DRILLS
from faultloop.bench.drills.kit.drill import Drill, judged
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.running import REPLAYED
from faultloop.bench.selection import subject_of
from faultloop.bench.wanted import Selection
from faultloop.loop.policy import Policy
from faultloop.loop.presets import PRESETS
from faultloop.reports.failures import SavedPlay
from faultloop.reports.reading import BadReport
from faultloop.reports.rows import DRILL, CheckRecord, Played, PlayRecord, Proof
from faultloop.scenarios.subject import Subject
from faultloop.scenarios.verdict import Finding, Verdict

WHY_NOT = (
    "a drill replaces parts of the reference loop, sets its policy and reads its journal and run "
    "events, all in this process: only the reference, its presets and its simulated mutants are "
    "drilled"
)

POLICIES: Mapping[str, Policy] = MappingProxyType(
    {
        "reference" if name == "reference" else f"reference:{name}": preset.policy
        for name, preset in PRESETS.items()
    }
)
"""By subject: the right loops, each with the policy that drills set their knobs on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise:
    """One drill for one subject."""

    chosen: str
    """The subject as it was asked for."""
    subject: Subject
    drill: Drill
    seed: int

    @property
    def name(self) -> str:
        """Names the item of pytest: `reference-idle-waits`."""
        return f"{self.subject.name}-{self.drill.name}"

    @property
    def replay(self) -> str:
        """The one line that plays this again."""
        words = ("faultloop", "run", "--subject", self.chosen, "--scenario", self.drill.name)
        return shlex.join((*words, "--report-dir", REPLAYED))


def kit_of(chosen: str) -> Kit | None:
    """The parts of a subject that can be drilled."""
    if chosen in POLICIES:
        return Kit(base=POLICIES[chosen])
    prefix, _, name = chosen.partition(":")
    if prefix != "mutant":
        return None
    from faultloop.bench.mutants import MUTANTS  # other subjects do without them

    mutant = MUTANTS.get(name)
    return mutant.drilled() if mutant is not None and mutant.tier == "sim" else None


def why_not(drill: Drill, policy: str) -> str | None:
    """What the preset of this name does instead, in the words that scenarios have for it."""
    for preset, instead in drill.differs.items():
        if preset == policy:
            return f"the policy {preset} promises otherwise: {instead}"
    return None


def exercises(selection: Selection) -> Iterator[Exercise]:
    """What a selection asks for; the globs for scenarios are globs for drills as well.

    One that plays processes of other loops is the bench's own affair (SPEC O1): it is for those who
    ask for it by name.
    """
    for chosen in () if selection.quick else dict.fromkeys(selection.subjects):
        subject = subject_of(chosen)
        for drill in DRILLS.values():
            if drill.processes and drill.name not in selection.scenarios:
                continue
            if any(fnmatchcase(drill.name, glob) for glob in selection.scenarios):
                yield Exercise(chosen=chosen, subject=subject, drill=drill, seed=selection.seed)


def drilled(exercise: Exercise) -> Played:
    """Play it, where that means anything, and make its row."""
    kit = kit_of(exercise.chosen)
    if kit is None:
        return row(exercise, WHY_NOT)
    otherwise = why_not(exercise.drill, exercise.subject.capabilities.policy)
    return row(exercise, otherwise or judged(exercise.drill, kit))


def drilled_again(folder: Path, saved: SavedPlay) -> PlayRecord:
    """Play the drill of a saved failure once more. Raises BadReport where it is no longer there."""
    drill = DRILLS.get(saved.scenario)
    if drill is None:
        raise BadReport(folder, f"{folder}: there is no drill called {saved.scenario} any more")
    subject = subject_of(saved.chosen)
    exercise = Exercise(chosen=saved.chosen, subject=subject, drill=drill, seed=saved.seed)
    return drilled(exercise).record


def must_hold(record: PlayRecord) -> None:
    """Fail where the drill broke its promise or cannot tell; skip where there is nothing to drill.

    In pytest's words, as `promise.Promise` does for plays.
    """
    if record.verdict is Verdict.NOT_APPLICABLE:
        pytest.skip(f"not applicable: {record.reason}")
    if record.verdict is not Verdict.HELD:
        said = f"{record.subject}: {record.scenario} ({record.claims[0]}) is {record.verdict}"
        pytest.fail(f"{said}\n  {record.reason}\n    {record.replay}", pytrace=False)


def row(exercise: Exercise, seen: Finding | str) -> Played:
    """What a report keeps of a drill: what was found or, where it was not played, why not."""
    drill, subject = exercise.drill, exercise.subject
    checks: Sequence[CheckRecord] = ()
    if isinstance(seen, str):
        verdict, reason = Verdict.NOT_APPLICABLE, seen
    else:
        verdict, reason = seen.verdict, f"{drill.check}: {seen.sentence}"
        proof = Proof(sentence=seen.sentence)
        checks = [
            CheckRecord(check=drill.check, claim=claim, verdict=verdict, proof=proof)
            for claim in drill.claims[:1]
        ]
    record = PlayRecord(
        subject=subject.name,
        version=subject.version,
        scenario=drill.name,
        claims=drill.claims,
        tier=subject.capabilities.tier,
        dialect=DRILL,
        streaming=False,
        policy=subject.capabilities.policy,
        seed=exercise.seed,
        repeat=0,
        verdict=verdict,
        reason=reason,
        end_reason="",
        faults_fired=(),
        replay=exercise.replay,
        stderr="",
        checks=tuple(checks),
    )
    return Played(
        record=record,
        requests=0,
        effects=0,
        scenario={"claim": drill.claim},
        chosen=exercise.chosen,
    )
