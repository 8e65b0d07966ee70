"""The inbox: input waits here, and never goes straight into the messages (SPEC I1 to I4).

Picture two queues at a door. `next_step` (steering, a finished job) is let in whenever the loop is
about to ask the model again; `next_turn` waits until a turn begins, and then only its first goes
in. Order within a lane is the journal's order, and the same id is let in once in a session.

The third lane, `interrupt`, has fired the stop signal before it comes here (see `stop`). It wakes
nobody and no cancel drops it: it waits to be recorded in the context at the next claim, so that the
model learns why it was stopped. Everything here is a pure function of a frozen value.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from typing import Literal

import msgspec
from msgspec.structs import replace

from faultloop.loop.events import InputQueued

Claims = Literal["all", "one_at_a_time"]
"""How much of a queue enters at once (SPEC X7)."""

ROOM: dict[Claims, int] = {"all": sys.maxsize, "one_at_a_time": 1}


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One queued input."""

    input: InputQueued
    wakes: bool
    """Whether it starts an idle loop; a cancel may have taken that from it."""
    follow_up: bool
    """It came while a turn was open, so it is not the session's next prompt but a follow-up."""


class Inbox(msgspec.Struct, frozen=True, kw_only=True):
    """What waits, and which ids were ever taken."""

    items: tuple[Item, ...] = ()
    seen: frozenset[str] = frozenset()

    def has(self, input_id: str) -> bool:
        """Whether this id is waiting."""
        return any(item.input.id == input_id for item in self.items)

    @property
    def interrupted(self) -> bool:
        """Whether somebody's stop waits to be recorded."""
        return any(item.input.lane == "interrupt" for item in self.items)

    @property
    def droppable(self) -> tuple[str, ...]:
        """Ids that a cancel drops or quietens: all but the interrupts."""
        return tuple(item.input.id for item in self.items if item.input.lane != "interrupt")

    @property
    def wakes(self) -> bool:
        """Whether something waits that starts an idle loop."""
        return any(item.wakes for item in self.items)


def put(inbox: Inbox, event: InputQueued, *, turn_is_open: bool) -> Inbox:
    """Queue it; an id that was taken before changes nothing (SPEC I2)."""
    if event.id in inbox.seen:
        return inbox
    item = Item(input=event, wakes=event.wakes, follow_up=turn_is_open)
    return Inbox(items=(*inbox.items, item), seen=inbox.seen | {event.id})


def take(inbox: Inbox, input_id: str) -> Inbox:
    """Remove it, because it was claimed or discarded; its id stays taken."""
    return replace(inbox, items=tuple(item for item in inbox.items if item.input.id != input_id))


def claimable(
    inbox: Inbox,
    *,
    turn_begins: bool,
    steering: Claims = "all",
    follow_ups: Claims = "one_at_a_time",
) -> tuple[Item, ...]:
    """What a claim takes now: all of `next_step`, plus one `next_turn` at a turn's beginning (I3).

    `steering` and `follow_ups` say otherwise for the two queues (SPEC X7). What is taken enters in
    the order in which it was queued, whatever its lane.
    """
    if not inbox.items:
        return ()
    room = {
        "interrupt": ROOM["all"],
        "next_step": ROOM[steering],
        "next_turn": ROOM[follow_ups] if turn_begins else 0,
    }
    taken = []
    for item in inbox.items:
        if room[item.input.lane] > 0:
            room[item.input.lane] -= 1
            taken.append(item)
    return tuple(taken)


def quieten(inbox: Inbox, ids: Collection[str]) -> Inbox:
    """Keep these queued, but let them wait for somebody else to wake the loop (SPEC X4)."""
    items = tuple(
        replace(item, wakes=False) if item.input.id in ids else item for item in inbox.items
    )
    return replace(inbox, items=items)
