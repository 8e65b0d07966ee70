"""What a drill is: a promise, the evidence it is judged by, and a story that says what it saw.

`run` gets the parts under test and yields a sentence for each thing that breaks the promise; a
story without a sentence is `held`. A loop that hangs where the promise says that something happens
has broken it (`Hung`); where what it is about is not installed, it is not applicable
(`Unplayable`). Everything else that a story raises is `unknown`: the drill proved nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

from faultloop.bench.drills.kit.parts import Kit
from faultloop.loop.presets import PresetName
from faultloop.scenarios.verdict import SENTENCES_MAX, Finding, Verdict

Evidence = Literal["journal", "outside", "static"]
"""`journal`: what the loop itself recorded and told its subscribers. `static`: an artefact, such as
a rendering, looked at without running anything. `outside`: the verdicts of plays."""

LOOKED_AT_MAX = 1_000
"""Sentences that a drill may yield; a story that never ends is a bug of the drill."""


class Hung(Exception):
    """Something that the promise says must happen did not, in all the time that there was."""


class Untested(Exception):
    """The story took another way than the drill needs, so nothing was put to the test."""


class Unplayable(Exception):
    """What the drill is about is not installed here; nobody is at fault, and nothing was seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drill:
    """A promise that is seen from inside."""

    name: str
    """Kebab-case; the name of its file, too."""
    claim: str
    """The promise, in one sentence."""
    claims: tuple[str, ...]
    """SPEC ids, the first being the one that findings name."""
    evidence: Evidence
    run: Callable[[Kit], Iterable[str]]
    """Yields a sentence, with the values in it, for each breach that was seen."""
    measures: Callable[[Kit], str] = lambda kit: ""
    """What was measured, for the row of a drill that held."""
    differs: Mapping[PresetName, str] = field(default_factory=dict)
    """Presets that promise something else here, each with what it does instead; all the others must
    hold it. Only where the claim would be untrue of the preset: where no more than the set-up meets
    one of its knobs, the drill sets that knob, or sets up otherwise."""
    processes: bool = False
    """It plays real processes: only what was made for it is played with it, not every mutant."""

    @property
    def check(self) -> str:
        """Its name in a report, which tells the evidence: `journal:idle-waits`."""
        return f"{self.evidence}:{self.name}"


def judged(drill: Drill, kit: Kit) -> Finding:
    """Play the drill and say what came of it."""
    seen: list[str] = []
    trouble: tuple[Verdict, str] | None = None
    try:
        seen.extend(islice(drill.run(kit), LOOKED_AT_MAX))
    except Hung as hung:
        trouble = Verdict.BROKEN, str(hung)
    except Unplayable as unplayable:
        trouble = Verdict.NOT_APPLICABLE, str(unplayable)
    except Untested as untested:
        trouble = Verdict.UNKNOWN, f"it was not put to the test: {untested}"
    except Exception as crash:
        # Whatever it is, it says nothing of the promise; a loop that raises is told by name.
        trouble = Verdict.UNKNOWN, f"the drill broke off: {crash!r}"
    if trouble and not seen:
        return _finding(drill, *trouble)
    if trouble:  # what was seen before it is proven all the same
        seen.append(trouble[1])
    if not seen:
        measured = drill.measures(kit)
        said = f"{drill.claim} ({measured})" if measured else drill.claim
        return _finding(drill, Verdict.HELD, said)
    more = f"; and {len(seen) - SENTENCES_MAX} more" if len(seen) > SENTENCES_MAX else ""
    return _finding(drill, Verdict.BROKEN, "; ".join(seen[:SENTENCES_MAX]) + more)


def _finding(drill: Drill, verdict: Verdict, sentence: str) -> Finding:
    return Finding(check=drill.check, claim=drill.claims[0], verdict=verdict, sentence=sentence)
