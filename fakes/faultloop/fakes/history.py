"""The history: all that was observed at our boundary in one play, in one order.

Only the fakes write it; a subject's own account enters as one more thing that was said (`Ended`),
never as truth. An entry's position is its place in the play, and a check proves its verdict by
naming positions. Wall times are kept apart (`History.times_s`), so that in the sim tier the same
seed gives the same bytes. Process ids, ports and paths never enter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, TypeVar

import msgspec

from faultloop.fakes.conversation import Message


class Entry(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", omit_defaults=True):
    """What every entry says: where it stands and which start of the subject it belongs to."""

    position: int
    start: int
    """1 for the subject's first start, 0 for the bench itself."""


# --- the subject comes and goes -------------------------------------------------------------


class Started(Entry, tag="started", frozen=True, kw_only=True):
    """The subject was started with a user message (or, on `continue`, with none)."""

    turn: int
    """Which of the scenario's user messages this is, from 0."""
    input: str
    """As the subject got it, with its mark; empty where it only goes on with pending work."""
    resume: bool


class Account(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How the loop says a turn of its own ended (result line of subject contract v1)."""

    end_reason: str | None = None
    finish_reason: str | None = None
    final_text: str | None = None
    error: str | None = None
    recovered: tuple[str, ...] = ()
    """End reasons that recovery wrote for earlier turns of the session."""
    not_applicable: str | None = None


class Ended(Entry, tag="ended", frozen=True, kw_only=True):
    """The leader of the subject's start is over. Processes that outlive it are told by `Left`."""

    how: Literal["exited", "killed", "did_not_end"]
    exit_code: int | None = None
    account: Account = Account()
    complaints: tuple[str, ...] = ()
    """What was wrong with its result lines and its exit code, in sentences (contract v1)."""


class Left(Entry, tag="left", frozen=True, kw_only=True):
    """Processes of a start outlived its leader and were ended by the bench.

    Written after late work had its chance to show; absent where nothing was left.
    """

    processes: int


# --- the wire -------------------------------------------------------------------------------


class Requested(Entry, tag="requested", frozen=True, kw_only=True):
    """A provider request arrived."""

    request: int
    """Number of the request in the play, from 1."""
    dialect: str
    streaming: bool
    tools: tuple[str, ...]
    messages: tuple[Message, ...]
    same_as: int | None = None
    """An earlier request with the very same body; its messages are not repeated here."""
    one_call: bool = False
    """It allows the model one call a reply (`parallel_tool_calls: false`)."""


class Refused(Entry, tag="refused", frozen=True, kw_only=True):
    """The provider rejected a request that a real one would reject."""

    request: int
    status: int
    rule: str
    """Name of the strictness rule, or `request_cap`."""
    sentence: str


class Failed(Entry, tag="failed", frozen=True, kw_only=True):
    """An injected HTTP failure was the answer."""

    request: int
    status: int
    retry_after_s: float | None = None


class MadeCall(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tool call that the model made."""

    id: str
    tool: str
    arguments: str
    """Its text as the dialect says it."""
    intended: str | None = None
    """The argument text before a model fault changed it, where one did."""
    is_unsaid: bool = False
    """The dialect has no form for it: it reached nobody."""


class Replied(Entry, tag="replied", frozen=True, kw_only=True):
    """The model's reply began to be sent."""

    request: int
    turn: int
    """The script's turn, from 0."""
    step: int
    """The step's number through all turns, from 1; 0 where no step of the script was said."""
    cursor: Literal["mark", "first", "count", "side", "overrun"]
    """How the step was found: by a mark in the request, as the turn's first step, by counting
    assistant messages (flagged: the subject lost every mark), a side request without tools, or
    past the end of the script."""
    text: str
    calls: tuple[MadeCall, ...]
    finish_reason: str
    served: int
    """How often this step (or part of it) has been served in this play, this time included."""
    thought: str = ""
    """What it is said to think, where its dialect tells that."""
    part: int = 1
    """Which part of the step this is: above 1 only where the request allowed one call a reply, so
    that a step of several calls takes several replies."""


class ReplyClosed(Entry, tag="reply_closed", frozen=True, kw_only=True):
    """The reply is over on our side."""

    request: int
    outcome: Literal["sent", "reset", "cut", "client_gone"]
    """`sent`: with its finish reason. `cut`: ended properly framed but without one. `reset`: the
    connection broke before that, by RST or FIN."""
    calls_complete: tuple[str, ...]
    """Ids of the calls that were delivered to their last byte."""


# --- the world ------------------------------------------------------------------------------


class CallArrived(Entry, tag="call_arrived", frozen=True, kw_only=True):
    """A tool invocation reached the world (or a subject's own command began)."""

    invocation: int
    tool: str
    arguments: str
    call_id: str | None = None
    key: str | None = None
    own: bool = False
    """The subject runs this one itself; we see it through the command that it runs."""


class CallHeld(Entry, tag="call_held", frozen=True, kw_only=True):
    """The world keeps an invocation waiting, so that whatever else the loop would start beside it
    has its chance to arrive."""

    invocation: int


class EffectApplied(Entry, tag="effect_applied", frozen=True, kw_only=True):
    """The world changed. `effect` is the number of the ledger's entry."""

    invocation: int
    effect: int
    tool: str
    what: str


class CallAnswered(Entry, tag="call_answered", frozen=True, kw_only=True):
    """The world answered an invocation."""

    invocation: int
    status: int
    """Of HTTP, also where the call came over MCP; 0: the connection broke in place of an answer."""
    outcome: Literal["ok", "failed", "unknown"]
    """What the *subject* may conclude: an injected 504 is `unknown` whether or not it applied."""
    body: str
    """At most 4,000 characters of it."""

    @property
    def how(self) -> str:
        """The status, as words for a sentence."""
        return str(self.status) if self.status else "by a broken connection"


class CallAbandoned(Entry, tag="call_abandoned", frozen=True, kw_only=True):
    """The subject let go of an invocation before it was answered."""

    invocation: int
    stopped: bool
    """Whether the work stopped with it."""
    unasked: bool = False
    """Whether it goes on only because nobody asked it to stop: a connection was closed where that
    asks for nothing (MCP with a handshake). A cancel that comes later is an entry of its own."""


# --- the bench's own hand -------------------------------------------------------------------


class FaultFired(Entry, tag="fault_fired", frozen=True, kw_only=True):
    """An injected fault took effect: written where its consequence is delivered, not where it was
    decided (a stream's break when the stream has come that far, a lost answer when it is lost)."""

    fault: int
    """Its index in the scenario's list."""
    kind: str
    request: int | None = None
    invocation: int | None = None
    modelled: bool = False
    """A byte fault that happened to no socket: in process, where a connection is a model of one."""


class Acted(Entry, tag="acted", frozen=True, kw_only=True):
    """The bench killed, cancelled or spoke at a landmark."""

    trigger: int
    """Its index in the scenario's list of events."""
    do: str
    landmark: str
    text: str = ""


class GateOpened(Entry, tag="gate_opened", frozen=True, kw_only=True):
    """Slow work that was held back may go on: what it changes from here on is late. Written a
    second time where the gate had been opened only for work that cannot be stopped."""


AnyEntry = (
    Started
    | Ended
    | Left
    | Requested
    | Refused
    | Failed
    | Replied
    | ReplyClosed
    | CallArrived
    | CallHeld
    | EffectApplied
    | CallAnswered
    | CallAbandoned
    | FaultFired
    | Acted
    | GateOpened
)

E = TypeVar("E", bound=Entry)


class History:
    """The growing list of entries of one play.

    `clock` gives seconds since the play began: virtual in sim, monotonic wall time in real.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.entries: list[AnyEntry] = []
        self.times_s: list[float] = []
        self.heard: Callable[[], None] | None = None
        """Called after each entry, where somebody looks on while it grows."""
        self._clock = clock

    def add(self, kind: type[E], /, *, start: int, **fields: object) -> E:
        """Append an entry of `kind` and return it with its position."""
        entry = kind(position=len(self.entries), start=start, **fields)
        self.put(entry)  # type: ignore[arg-type]  # every Entry here is an AnyEntry
        return entry

    def put(self, entry: AnyEntry) -> None:
        """Append an entry that was made for this place: `add`, for what comes with every request
        and every call, of which a history mostly consists."""
        assert entry.position == len(self.entries), "an entry's position is its place"
        self.entries.append(entry)
        self.times_s.append(self._clock())
        if self.heard is not None:
            self.heard()

    def __iter__(self) -> Iterator[AnyEntry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)


def dump(entries: list[AnyEntry] | tuple[AnyEntry, ...]) -> bytes:
    """One JSON object a line; equal histories give equal bytes."""
    encode = msgspec.json.Encoder(order="deterministic").encode
    return b"".join(encode(entry) + b"\n" for entry in entries)


def load(data: bytes) -> list[AnyEntry]:
    """The inverse of `dump`. Raises msgspec.DecodeError on anything else."""
    decode = msgspec.json.Decoder(AnyEntry).decode
    return [decode(line) for line in data.splitlines() if line]
