"""A loop that lets changes of one file overlap where each is declared safe beside others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace as changed

from msgspec.structs import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.executing import Executing
from faultloop.loop.schedule import Decision, Planned, Progress


class Unqueued(Executing):
    """Asks for no resource."""

    def may_start(self, planned: Sequence[Planned], progress: Mapping[str, Progress]) -> Decision:
        """The decision about calls that change nothing in particular."""
        return super().may_start([_unbound(one) for one in planned], progress)


def _unbound(planned: Planned) -> Planned:
    if planned.contract is None:
        return planned
    return replace(planned, contract=changed(planned.contract, resource=None))


class ForgetsTheQueue(Agent):
    """Runs two edits of one file side by side."""

    executing = Unqueued


MUTANT = Mutant(
    name="forgets-the-queue",
    does="lets two changes of one resource overlap",
    claims=("S5",),
    drills=("changes-queue-up",),
    agent=ForgetsTheQueue,
)
