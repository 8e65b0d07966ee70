"""Drills: promises that no outsider can see, put to the test on the loop's own account of itself.

A scenario watches the wire and the world, and so it judges strangers. Some promises leave no trace
there: that waiting for idle really waits, that the first cancel wins, that a journal replays to the
byte. A drill is a short story against the host API (or a look at an artefact), judged by journal,
run events or artefact. One file each in this folder, found by looking: a new drill is a new file
with a `DRILL`, and no list is to be edited. What they are played with is `kit`.

One drill is judged from outside, for its promise is the bench's own: `the-minimal-loop-breaks`.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from faultloop.bench.drills.kit.drill import Drill


def _found() -> dict[str, Drill]:
    names = sorted(info.name for info in pkgutil.iter_modules(__path__) if not info.ispkg)
    drills: dict[str, Drill] = {}
    for name in names:
        drill: Drill = import_module(f"{__name__}.{name}").DRILL
        if drill.name != name.replace("_", "-"):
            raise ValueError(f"{name}.py holds the drill {drill.name}: they must have one name")
        drills[drill.name] = drill
    return drills


DRILLS: dict[str, Drill] = _found()
"""All drills by name."""
