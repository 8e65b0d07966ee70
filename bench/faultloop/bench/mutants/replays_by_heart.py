"""A replay that leaves out what it takes for a repetition."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.events import AnyEvent, NoticeAdded
from faultloop.loop.evolving import replay
from faultloop.loop.state import State


def abridged(events: Iterable[AnyEvent]) -> State:
    """Replay what a person or a model said; the loop's own words can be made again."""
    return replay(event for event in events if not isinstance(event, NoticeAdded))


def abridging(kit: Kit) -> Kit:
    """The right loop, and another reader of its journal."""
    return replace(kit, replay=abridged)


MUTANT = Mutant(
    name="replays-by-heart",
    does="rebuilds another history from the journal than was lived",
    claims=("D10",),
    drills=("replay-is-exact",),
    kit=abridging,
)
