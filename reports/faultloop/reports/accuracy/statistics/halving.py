"""Two halves of the clusters: one chooses the winner, the other reports how good it is.

Whoever wins among several wins partly by luck, and what it won by is too good on the tasks that
chose it. Which half a cluster is in follows from the seed and its name alone, not from the order of
rows or from the other wordings.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from faultloop.reports.accuracy.statistics.arrays import Bools, Ints


def first_half(clusters: Ints, names: Sequence[str], *, seed: int) -> Bools:
    """For each task whether its cluster is in the half that chooses.

    `clusters` is the number of each task's cluster, an index into `names`. Clusters stay whole;
    taken in the order of their hashes, each goes to the half that has fewer tasks.
    """
    tasks = np.bincount(clusters, minlength=len(names))
    chooses = np.zeros(len(names), dtype=np.bool_)
    lead = 0
    for place in sorted(range(len(names)), key=lambda place: _hash(names[place], seed)):
        chooses[place] = lead <= 0
        lead += int(tasks[place]) if lead <= 0 else -int(tasks[place])
    return chooses[clusters]


def _hash(name: str, seed: int) -> bytes:
    return blake2b(f"{seed}:{name}".encode(), digest_size=8).digest()
