"""The kill table: every mutant over the whole simulated catalogue, and which checks catch it.

The streamed column is played: it has all that the whole one has, and the faults of streams besides.

A mutant is killed when each check that it was made for finds it broken. The table is complete when
every check kills at least one mutant and none is broken on the reference. Mutants that need
processes are played in the real tier, with the few scenarios that they are for; then so is the
reference. What the table leaves unproven is `proof`'s business.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import NamedTuple

from faultloop.bench.mutants import MUTANTS
from faultloop.bench.mutants.mutant import Mutant
from faultloop.bench.running import play_lot
from faultloop.bench.selection import Selection, choose
from faultloop.reports.rows import PlayRecord
from faultloop.scenarios.checks import CHECKS
from faultloop.scenarios.verdict import Verdict


class Broken(NamedTuple):
    """A check that was broken in a scenario."""

    scenario: str
    check: str


class Order(NamedTuple):
    """What is to be played with a loop."""

    loop: str
    mutant: Mutant | None
    scenarios: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kill:
    """What the checks said of one loop."""

    loop: str
    mutant: Mutant | None
    """None: the reference itself."""
    broken: Counter[str]
    """Check to the number of plays in which it was broken."""
    where: frozenset[Broken]
    """Which checks were broken in which scenarios."""
    scenarios: frozenset[str]
    """All that were played."""
    plays: int

    @property
    def missed(self) -> tuple[str, ...]:
        """Checks that should have caught it and did not."""
        wanted = self.mutant.breaks if self.mutant else ()
        return tuple(check for check in wanted if not self.broken[check])

    @property
    def is_right(self) -> bool:
        """A mutant is caught by all that must catch it, the reference by none."""
        return not self.missed if self.mutant else not self.broken


def baselines(mutants: Sequence[Mutant]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The right loops that these mutants were made of, and what is played with them."""
    yield "reference", ("*",)
    in_processes = tuple(one for m in mutants if m.tier == "real" for one in m.scenarios)
    if in_processes:
        yield "reference-process", in_processes


def kills(mutants: Sequence[Mutant] = tuple(MUTANTS.values())) -> Iterator[Kill]:
    """The right loops first, then each mutant, on all processors of this machine."""
    orders = [
        *(Order(loop, None, scenarios) for loop, scenarios in baselines(mutants)),
        *(Order(f"mutant:{mutant.name}", mutant, mutant.scenarios) for mutant in mutants),
    ]
    # Spawned, not forked: what is imported here has threads of its own.
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        yield from pool.map(_kill, orders)


def unproven(mutants: Sequence[Mutant] = tuple(MUTANTS.values())) -> tuple[str, ...]:
    """Checks for which no mutant was made."""
    proven = {check for mutant in mutants for check in mutant.breaks}
    return tuple(check for check in CHECKS if check not in proven)


def _kill(order: Order) -> Kill:
    loop, mutant, scenarios = order
    records: list[PlayRecord] = []
    for lot in choose(Selection(subjects=(loop,), scenarios=scenarios, streaming=True, repeat=1)):
        records += play_lot(lot, keep=lambda played: None)
    played = [record for record in records if record.verdict is not Verdict.NOT_APPLICABLE]
    found = [
        Broken(record.scenario, finding.check)
        for record in played
        for finding in record.counted
        if finding.verdict is Verdict.BROKEN
    ]
    return Kill(
        loop=loop,
        mutant=mutant,
        broken=Counter(one.check for one in found),
        where=frozenset(found),
        scenarios=frozenset(record.scenario for record in played),
        plays=len(played),
    )
