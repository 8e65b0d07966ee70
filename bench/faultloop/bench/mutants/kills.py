"""The kill table: every mutant over the whole simulated catalogue, and which checks catch it.

The streamed column is played: it has all that the whole one has, and the faults of streams besides.
Right loops, and mutants that differ from one form to the other, are played in both.

A mutant is killed when each check and drill that it was made for finds it broken. The table is
complete when every check and drill kills at least one mutant and none is broken on the reference.
Drills are played with all; a mutant that only drills can see is played no scenario. Mutants that
need processes are played in the real tier, with the few scenarios that they are for; then so is the
reference. What the table leaves unproven is `proof`'s business.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from typing import NamedTuple

from faultloop.bench.drilling import kit_of, why_not
from faultloop.bench.drills import DRILLS
from faultloop.bench.drills.kit.drill import judged
from faultloop.bench.mutants import MUTANTS
from faultloop.bench.mutants.mutant import Mutant
from faultloop.bench.running import play_lot
from faultloop.bench.selection import choose, subject_of
from faultloop.bench.wanted import Selection
from faultloop.reports.forms import with_played
from faultloop.reports.rows import Played
from faultloop.scenarios import both_forms
from faultloop.scenarios.checks import CHECKS
from faultloop.scenarios.subjects.finding import presets
from faultloop.scenarios.verdict import Verdict


class Broken(NamedTuple):
    """A check that was broken in a scenario."""

    scenario: str
    check: str


class Order(NamedTuple):
    """What is to be played with a loop."""

    loop: str
    mutant: str
    """Name of the mutant that it is; empty for a right loop. (A mutant may hold what cannot be sent
    to another process.)"""
    scenarios: tuple[str, ...]
    all_drills: bool
    """Also those that a mutant was not made for: who else sees it, which proves nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kill:
    """What the checks said of one loop."""

    loop: str
    mutant: Mutant | None
    """None: the reference itself."""
    broken: Counter[str]
    """Check, or drill, to the number of plays in which it was broken."""
    where: frozenset[Broken]
    """Which checks were broken in which scenarios; drills have none."""
    scenarios: frozenset[str]
    """All that were played."""
    plays: int

    @property
    def missed(self) -> tuple[str, ...]:
        """Checks and drills that should have caught it and did not."""
        wanted = (*self.mutant.breaks, *self.mutant.drills) if self.mutant else ()
        return tuple(check for check in wanted if not self.broken[check])

    @property
    def is_right(self) -> bool:
        """A mutant is caught by all that must catch it, the reference by none."""
        return not self.missed if self.mutant else not self.broken


def baselines(mutants: Sequence[Mutant]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The right loops that these mutants were made of, and what is played with them."""
    yield "reference", ("*",)
    for preset in presets():
        yield preset.name, ("*",)
    in_processes = tuple(one for m in mutants if m.tier == "real" for one in m.scenarios)
    if in_processes:
        yield "reference-process", in_processes


def kills(
    mutants: Sequence[Mutant] = tuple(MUTANTS.values()),
    *,
    right_loops: bool = True,
    all_drills: bool = True,
) -> Iterator[Kill]:
    """The right loops first, if wanted, then each mutant, on all processors of this machine.

    `all_drills`: a mutant is played also the drills that it was not made for, which is most of the
    time; a right loop always is.
    """
    orders = [
        *(
            Order(loop, "", scenarios, True)
            for loop, scenarios in (baselines(mutants) if right_loops else ())
        ),
        *(
            Order(
                f"mutant:{mutant.name}",
                mutant.name,
                mutant.scenarios if mutant.breaks else (),
                all_drills,
            )
            for mutant in mutants
        ),
    ]
    made = (*(None for order in orders if not order.mutant), *mutants)
    # Spawned, not forked: what is imported here has threads of its own.
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        for kill, mutant in zip(pool.map(_kill, orders), made, strict=True):
            yield replace(kill, mutant=mutant)


def unproven(mutants: Sequence[Mutant] = tuple(MUTANTS.values())) -> tuple[str, ...]:
    """Checks and drills for which no mutant was made."""
    proven = {one for mutant in mutants for one in (*mutant.breaks, *mutant.drills)}
    return tuple(one for one in (*CHECKS, both_forms.NAME, *DRILLS) if one not in proven)


def broken_drills(loop: str, mutant: Mutant | None, *, all_drills: bool) -> list[str]:
    """Drills that find this loop broken; those that play processes are for their own mutants.

    A right loop must hold: a drill that cannot tell is as bad there as one that finds it broken.
    """
    kit = kit_of(loop)
    if kit is None:
        return []
    policy = subject_of(loop).capabilities.policy
    bad = {Verdict.BROKEN} if mutant else {Verdict.BROKEN, Verdict.UNKNOWN}
    return [
        drill.name
        for drill in DRILLS.values()
        if mutant is None or drill.name in mutant.drills or (all_drills and not drill.processes)
        if not why_not(drill, policy) and judged(drill, kit).verdict in bad
    ]


def _kill(order: Order) -> Kill:
    loop, scenarios = order.loop, order.scenarios
    mutant = MUTANTS[order.mutant] if order.mutant else None
    plays: list[Played] = []
    form = None if mutant is None or both_forms.NAME in mutant.breaks else True
    selection = Selection(subjects=(loop,), scenarios=scenarios, streaming=form, repeat=1)
    for lot in choose(selection) if scenarios else ():
        play_lot(lot, keep=plays.append)
    records = [play.record for play in with_played(plays)]
    played = [record for record in records if record.verdict is not Verdict.NOT_APPLICABLE]
    found = [
        Broken(record.scenario, finding.check)
        for record in played
        for finding in record.counted
        if finding.verdict is Verdict.BROKEN
    ]
    if mutant is None:  # of a right loop the bench must be able to tell
        found += [
            Broken(record.scenario, "unknown")
            for record in played
            if record.verdict is Verdict.UNKNOWN
        ]
    return Kill(
        loop=loop,
        mutant=None,
        broken=Counter(one.check for one in found)
        + Counter(broken_drills(loop, mutant, all_drills=order.all_drills)),
        where=frozenset(found),
        scenarios=frozenset(record.scenario for record in played),
        plays=len(played),
    )
