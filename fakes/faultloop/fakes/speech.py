"""What a scripted provider answers, and where in its script: values for `provider`, `exchange` and
whoever tells calls by the reply that made them."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from faultloop.fakes.faults.armed import Strike
from faultloop.fakes.faults.base import ByteFault, HttpFailure
from faultloop.fakes.recorded import Recorded
from faultloop.fakes.reply import Item, Reply
from faultloop.fakes.script import Step

Cursor = Literal["mark", "first", "count", "side", "overrun"]


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where in the script a request stands."""

    turn: int
    index: int
    """The step within its turn, from 0."""
    number: int
    """The step through all turns, from 1; 0 where no step of the script is due."""
    cursor: Cursor
    step: Step
    """What is said: the step, or the part of it that is due."""
    calls_before: int = 0
    """Calls of the step that earlier parts of it have made. Above 0 only where requests allow one
    call a reply."""
    is_last: bool = True
    """The step is over with this."""


class Batch(NamedTuple):
    """The calls of one reply."""

    step: int
    """The step's number, from 1."""
    request: int
    """The request that was answered with them."""
    calls: int
    """How many they are."""


class Change(NamedTuple):
    """What a fault made of what is said."""

    strike: Strike
    before: Reply
    after: Reply


class Reshaping(NamedTuple):
    """What a fault made of the stream of a reply."""

    strike: Strike
    before: tuple[Item, ...]
    after: tuple[Item, ...]

    @property
    def shows_after(self) -> int:
        """How many items must have been sent for a difference to have shown."""
        pairs = enumerate(zip(self.before, self.after, strict=False), 1)
        return next((at for at, (one, other) in pairs if one != other), len(self.after))


class Speech(msgspec.Struct, frozen=True, kw_only=True):
    """The model replies."""

    place: Place
    reply: Reply
    spoken: Reply
    """The same as it goes on the wire: where a terminal tool carries the text, a call of that."""
    intended: tuple[str | None, ...]
    """For each call its arguments before a model fault changed them, else None."""
    items: tuple[Item, ...]
    served: int
    changes: tuple[Change, ...]
    """By faults of the model, each of what the one before it left. Whether a client can see one, a
    dialect knows."""
    reshapings: tuple[Reshaping, ...]
    """By faults of the stream, in the same way."""
    byte_faults: tuple[tuple[Strike, ByteFault], ...] = ()
    """Faults that are due below the dialect, for whoever sends the bytes."""


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """An injected HTTP failure."""

    place: Place
    failure: HttpFailure
    strike: Strike | None
    """None: it was recorded."""
    recorded: Recorded | None = None


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """The provider rejects the request on its own account."""

    rule: str
    status: int
    message: str
    param: str | None = None
    code: str | None = None
