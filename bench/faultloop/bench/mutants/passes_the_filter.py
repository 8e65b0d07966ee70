"""A loop that takes a reply which the provider withheld for the answer."""

from faultloop.bench.mutants.flattering import Flattering
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent


class HidesTheBlock(Flattering):
    """Writes `completed` where the content filter ended the turn."""

    hides = "blocked"


class PassesTheFilter(Agent):
    """Reports content_filter as completed."""

    recording = HidesTheBlock


MUTANT = Mutant(
    name="passes-the-filter",
    does="reports a reply that the content filter stopped as completed",
    claims=("P1", "L11"),
    breaks=("end_acceptable",),
    agent=PassesTheFilter,
)
