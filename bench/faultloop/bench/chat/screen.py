"""What is to be seen of a session, as a value. Nothing here draws, waits or decides.

Items stand in the order in which they happened, and an item that is settled never changes again: a
terminal may let it scroll away. What was typed and has not entered the context yet is no item; it
waits beside them, because nobody knows yet where it will stand (SPEC X6).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from faultloop.loop.budget import Spent
from faultloop.loop.events import EndReason

Lane = Literal["prompt", "steer", "follow_up"]
ReplyState = Literal["streaming", "whole", "cut", "interrupted"]
CardState = Literal["queued", "asked", "running", "ok", "failed", "unknown", "not_executed"]
Tone = Literal["plain", "good", "warning", "error"]

OPEN: frozenset[CardState] = frozenset({"queued", "asked", "running"})
"""States of a call whose result the model is still owed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What the person said, where it entered the context."""

    id: str
    text: str
    lane: Lane


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The text of one attempt at a reply. Another attempt is another item (SPEC D5)."""

    attempt: str
    text: str
    state: ReplyState = "streaming"
    why: str = ""
    """Why it was interrupted, as far as that was said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One call."""

    call: str
    tool: str
    arguments: str
    """What the model wrote, and from its start on what the tool was given."""
    state: CardState = "queued"
    code: str = ""
    content: str = ""
    """What the model is told of it."""
    progress: str = ""
    """The last that it said of itself while it ran."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What the program itself says to the person."""

    text: str
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """How a turn ended."""

    turn: int
    end_reason: EndReason
    error: str
    took_s: float | None
    """None where nobody watched it."""


Item = Said | Reply | Card | Note | End


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """All that is to be seen."""

    items: tuple[Item, ...] = ()
    waiting: tuple[Said, ...] = ()
    """Said, durable or about to be, and not in the context yet; in the order of its arrival."""
    turn: int = 0
    running: bool = False
    stopping: bool = False
    """The person has asked for a stop, and not everything has stopped yet."""
    steps: int = 0
    """Of the turn, as far as they are over."""
    spent: Spent = field(default=Spent())
    """Tokens of the turn."""
    began_s: float | None = None
    """When the turn began, by the clock of whoever watches."""
    checked: str | None = None
    """The call whose permission the loop asked for last; most of them nobody has to be asked."""
    asked: str | None = None
    """The call that waits for the person's permission."""

    @property
    def question(self) -> Card | None:
        """The card of the call that waits for permission."""
        return next((card for card in self.cards if card.call == self.asked), None)

    @property
    def cards(self) -> tuple[Card, ...]:
        """All calls so far."""
        return tuple(item for item in self.items if isinstance(item, Card))


def is_settled(item: Item) -> bool:
    """Whether this item never changes again."""
    match item:
        case Reply():
            return item.state != "streaming"
        case Card():
            return item.state not in OPEN
        case _:
            return True
