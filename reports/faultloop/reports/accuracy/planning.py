"""Before a run: what its tasks could show, so that nobody pays for a comparison that cannot tell.

How many tasks would come out differently under two wordings is not known before the run; it is
stated for one in ten, two in ten and three in ten, which is what is commonly seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from faultloop.reports.accuracy.saying import size
from faultloop.reports.accuracy.statistics.power import DISCORDANT_MIN, Design, detectable

DISCORDANCES = (0.1, 0.2, 0.3)
CLUSTER_ICC = 0.1
"""How alike the differences of tasks with one tool set are assumed to be: a design effect of two
was measured at clusters of about eleven (BFCL live_multiple, full beside no descriptions)."""


class Prospect(NamedTuple):
    """What a run could show, at one assumed discordance."""

    discordance: float
    detectable: float | None
    """The smallest difference shown in four runs of five; None: not even if every task that
    differs is gained."""


def prospects(clusters: Sequence[str], *, samples: int = 1) -> tuple[Prospect, ...]:
    """What tasks could show; `clusters` names the cluster of each task."""
    sizes = Counter(clusters).values()
    found = []
    for discordance in DISCORDANCES:
        design = Design(
            discordance=discordance,
            samples=samples,
            cluster_size=sum(one * one for one in sizes) / len(clusters),
            cluster_icc=CLUSTER_ICC,
        )
        found.append(Prospect(discordance, detectable(len(clusters), design)))
    return tuple(found)


def prospect_says(clusters: Sequence[str], *, samples: int = 1) -> str:
    """The same as one sentence."""
    groups = len(set(clusters))
    of = f" of {groups} clusters" if groups < len(clusters) else ""
    often = "once" if samples == 1 else f"{samples} times"
    asked = f"{len(clusters)} tasks{of}, asked {often}"
    found = prospects(clusters, samples=samples)
    seen = [one for one in found if one.detectable is not None]
    if groups < DISCORDANT_MIN:
        least = f"{DISCORDANT_MIN} clusters" if of else f"{DISCORDANT_MIN}"
        return f"{asked}, can never tell: at least {least} must come out differently. Add tasks."
    if not seen:
        most = found[-1].discordance
        return (
            f"{asked}, are too few to show anything in four runs of five, unless more than"
            f" {most * 100:.0f} % come out differently."
        )
    said = [
        f"{size(one.detectable or 0.0)} where {one.discordance * 100:.0f} % come out differently"
        for one in seen
    ]
    listed = " and ".join(filter(None, (", ".join(said[:-1]), said[-1])))
    return f"{asked}, show in four runs of five a difference of {listed}."
