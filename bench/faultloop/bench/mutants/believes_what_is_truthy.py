"""A loop that takes any answer but no for the yes of a declaration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace as changed

from msgspec.structs import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.executing import Executing
from faultloop.loop.schedule import Decision, Planned, Progress


class Credulous(Executing):
    """Runs side by side whatever is not plainly unsafe."""

    def may_start(self, planned: Sequence[Planned], progress: Mapping[str, Progress]) -> Decision:
        """The same decision about calls whose answers were rounded up."""
        return super().may_start([_rounded(one) for one in planned], progress)


def _rounded(planned: Planned) -> Planned:
    contract = planned.contract
    if contract is None or not callable(contract.concurrency_safe):
        return planned
    answer = contract.concurrency_safe
    return replace(
        planned,
        contract=changed(contract, concurrency_safe=lambda args: bool(answer(args))),
    )


class BelievesWhatIsTruthy(Agent):
    """Takes 1 and "yes" for True."""

    executing = Credulous


MUTANT = Mutant(
    name="believes-what-is-truthy",
    does="takes any truthy answer for a declaration of safety",
    claims=("C5",),
    drills=("safety-by-arguments",),
    agent=BelievesWhatIsTruthy,
)
