"""Walking the table: the state after a fact, or the reason why that fact cannot be.

`evolve` asks three tables, each with a line for every event: `state.TRANSITIONS` for the phase that
it leads to, `debts.DEBTS` for what may still forbid it, `changes.CHANGES` for what it changes. It
is pure and total over legal events; an illegal one raises `IllegalEvent`, and since every value is
frozen it changes nothing. Replaying a journal gives the state that its writer had (SPEC D10).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from types import MappingProxyType

from faultloop.loop.changes import CHANGES
from faultloop.loop.debts import DEBTS
from faultloop.loop.events import AnyEvent, Event
from faultloop.loop.state import ALWAYS, TRANSITIONS, Phase, State


class IllegalEvent(Exception):
    """This event cannot follow; the loop (or whoever wrote the journal) is at fault."""


def evolve(state: State, event: AnyEvent) -> State:
    """The state after this event. Raises IllegalEvent where it cannot happen."""
    kind = type(event)
    phase = LEADS_TO[state.phase].get(kind)
    if phase is None:
        raise IllegalEvent(f"{kind.__name__} cannot happen while the session is {state.phase}")
    for debt in DEBTS[kind]:
        if reason := debt(state, event):
            raise IllegalEvent(f"{kind.__name__} cannot happen: {reason}")
    return CHANGES[kind](state, event, phase)


def replay(events: Iterable[AnyEvent], start: State | None = None) -> State:
    """Fold a journal into the state that it describes (SPEC D10)."""
    return reduce(evolve, events, start or State())


LEADS_TO: Mapping[Phase, Mapping[type[Event], Phase]] = MappingProxyType(
    {phase: {**dict.fromkeys(ALWAYS, phase), **row} for phase, row in TRANSITIONS.items()}
)
"""The transitions, with what may always happen in each row of them."""
