"""THE table: which fact may follow which, and what a session owes at any moment.

Picture four rooms. A session is `idle` until a turn starts; a turn stands `ready` between its
steps; a step is `asking` until its message is committed and then `acting` until the last of its
calls is closed. A turn ends only from `ready`, so whatever happens, calls are closed before their
step and steps before their turn:

    idle --TurnStarted--> ready --StepStarted--> asking --MessageCommitted--> acting
      ^                   |  ^                      |                           |
      +----TurnEnded------+  +------StepEnded-------+---------StepEnded---------+

`TRANSITIONS` is that picture, `CALL_STAGES` the same for one call, and `objection` holds the debts:
an open call forbids the end of its step, a stop forbids the start of a call. `evolve` is pure and
total over legal events; an illegal one raises `IllegalEvent`, and since every value here is frozen
it changes nothing. Nothing decides here: see `decide`. (The values are msgspec's structs because a
changed copy of one costs a tenth of a dataclass's, and a turn makes hundreds.)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from types import MappingProxyType
from typing import Literal, assert_never

import msgspec
from msgspec.structs import replace

from faultloop.loop import inbox as inboxes
from faultloop.loop.budget import Spent
from faultloop.loop.events import (
    AnyEvent,
    AttemptEnded,
    AttemptStarted,
    CallEnded,
    CallNotExecuted,
    CallStarted,
    CancelRequested,
    Cause,
    EndReason,
    Event,
    HeaderChanged,
    InputClaimed,
    InputDiscarded,
    InputQueued,
    LimitReached,
    MessageCommitted,
    NoticeAdded,
    StepEnded,
    StepStarted,
    TurnEnded,
    TurnStarted,
)
from faultloop.loop.header import Header
from faultloop.loop.inbox import Inbox
from faultloop.loop.message import (
    AssistantMessage,
    FinishReason,
    Message,
    ResultMessage,
    UserMessage,
)
from faultloop.loop.providers.port import UsageDelta

Phase = Literal["idle", "ready", "asking", "acting"]

ALWAYS: frozenset[type[Event]] = frozenset({InputQueued, InputDiscarded})
"""What may happen in every phase and moves none: input never waits for the loop."""

TRANSITIONS: Mapping[Phase, Mapping[type[Event], Phase]] = MappingProxyType(
    {
        "idle": {TurnStarted: "ready", CancelRequested: "idle"},
        "ready": {
            InputClaimed: "ready",
            NoticeAdded: "ready",
            HeaderChanged: "ready",
            CancelRequested: "ready",
            LimitReached: "ready",
            StepStarted: "asking",
            TurnEnded: "idle",
        },
        "asking": {
            AttemptStarted: "asking",
            AttemptEnded: "asking",
            CancelRequested: "asking",
            LimitReached: "asking",
            MessageCommitted: "acting",
            StepEnded: "ready",
        },
        "acting": {
            AttemptStarted: "acting",
            AttemptEnded: "acting",
            CallStarted: "acting",
            CallEnded: "acting",
            CallNotExecuted: "acting",
            CancelRequested: "acting",
            LimitReached: "acting",
            StepEnded: "ready",
        },
    }
)
"""From a phase, by an event, to a phase. What is not here is illegal."""

Stage = Literal["queued", "started", "completed", "not_executed"]

CALL_STAGES: Mapping[type[Event], tuple[Stage, Stage]] = MappingProxyType(
    {
        CallStarted: ("queued", "started"),
        CallEnded: ("started", "completed"),
        CallNotExecuted: ("queued", "not_executed"),
    }
)
"""The life of one call (SPEC S4): which stage an event wants, and which it leaves behind."""


class IllegalEvent(Exception):
    """This event cannot follow; the loop (or whoever wrote the journal) is at fault."""


class CallRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One call of the current step and how far it came."""

    call: str
    """Its place in the session, `turn/step/index`."""
    id: str
    name: str
    arguments: str
    """As the model wrote them."""
    stage: Stage = "queued"
    tool: str = ""
    given: str = ""
    """Canonical JSON of what the tool was given, once started."""
    key: str = ""
    ended: CallEnded | CallNotExecuted | None = None

    @property
    def is_open(self) -> bool:
        """Whether the model is still owed its result."""
        return self.ended is None


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """The turn that is open, or the last one that was."""

    number: int
    step: int = 0
    """Steps begun; 0 until the first."""
    why: str = ""
    """What followed from the last step that ended (`StepEnded.why`)."""
    batch: tuple[CallRecord, ...] = ()
    """Calls of the current step, in the model's order."""
    attempts: tuple[AttemptStarted, ...] = ()
    """Those under way."""
    tries: int = 0
    """Attempts begun in the current step; numbers them."""
    claimed: int = 0
    """Inputs let in."""
    follow_up: bool = False
    """Its first input had come as a follow-up."""

    truncated: bool = False
    """The current step's reply was cut: none of its calls may start (SPEC P1)."""
    stop: EndReason | None = None
    """Nothing further starts: a cancel or a limit; the first one wins (SPEC X4)."""
    cause: Cause | None = None
    error: str = ""
    cut_replies: int = 0
    """Replies with calls that were judged truncated."""
    text_cut: bool = False
    """A reply without calls was: `max_tokens` sticks to the turn (SPEC L12)."""
    denied: bool = False
    finish_reason: FinishReason | None = None
    text: str = ""
    """The last text of the model that is not empty."""
    spent: Spent = Spent()
    """Tokens; steps are `step`, and wall time is the shell's to watch (SPEC L2)."""
    cut_in: Phase | None = None
    """What was going on when a step was cut or failed (SPEC X3)."""
    end_reason: EndReason | None = None

    @property
    def open_calls(self) -> tuple[CallRecord, ...]:
        """Calls whose results the model is owed."""
        return tuple(record for record in self.batch if record.is_open)

    def record(self, call: str) -> CallRecord | None:
        """The call at this place, if the current step has it."""
        return next((record for record in self.batch if record.call == call), None)


class State(msgspec.Struct, frozen=True, kw_only=True):
    """All that the journal says, folded."""

    phase: Phase = "idle"
    inbox: Inbox = Inbox()
    history: tuple[Message, ...] = ()
    """The conversation. Results of a batch enter together, in the model's order, when its step
    closes (SPEC S2); until then they wait in `turn.batch`."""
    turn: Turn = Turn(number=0, end_reason="completed")
    header: Header | None = None
    """What stood above the messages of the last request; None before the first (SPEC L16)."""
    untold: tuple[Turn, ...] = ()
    """Turns that were cut, and no model has been told of it yet (SPEC X3)."""


def evolve(state: State, event: AnyEvent) -> State:
    """The state after this event. Raises IllegalEvent where it cannot happen."""
    name = type(event).__name__
    phase = state.phase if type(event) in ALWAYS else TRANSITIONS[state.phase].get(type(event))
    if phase is None:
        raise IllegalEvent(f"{name} cannot happen while the session is {state.phase}")
    if reason := objection(state, event):
        raise IllegalEvent(f"{name} cannot happen: {reason}")
    return _applied(state, event, phase)


def replay(events: Iterable[AnyEvent], start: State | None = None) -> State:
    """Fold a journal into the state that it describes (SPEC D10)."""
    return reduce(evolve, events, start or State())


def objection(state: State, event: AnyEvent) -> str:
    """Which debt forbids an event that its phase would allow; empty if none does.

    What a journal is full of is looked at first: a class after the other is asked.
    """
    turn = state.turn
    named = getattr(event, "turn", turn.number)
    match event:
        case TurnStarted():
            return "" if named == turn.number + 1 else f"the next turn is {turn.number + 1}"
        case _ if named != turn.number:
            return f"it belongs to turn {named}, but turn {turn.number} is open"
        case AttemptStarted() | MessageCommitted() | StepEnded() if event.step != turn.step:
            return f"it belongs to step {event.step}, but step {turn.step} is open"
        case CallStarted() | CallEnded() | CallNotExecuted():
            return _call_objection(turn, event)
        case AttemptEnded():
            known = any(open_.attempt == event.attempt for open_ in turn.attempts)
            return "" if known else f"no attempt {event.attempt!r} is under way"
        case InputClaimed() | InputDiscarded():
            return "" if state.inbox.has(event.id) else f"no input {event.id!r} is queued"
        case StepStarted():
            if turn.stop:
                return f"the turn was stopped ({turn.stop})"
            return "" if event.step == turn.step + 1 else f"the next step is {turn.step + 1}"
        case AttemptStarted() if turn.stop and event.of != "query":
            return f"the turn was stopped ({turn.stop})"
        case MessageCommitted() if turn.attempts:
            return "an attempt is still under way"
        case StepEnded() if turn.attempts:
            return "an attempt is still under way"
        case StepEnded() if turn.open_calls:
            names = ", ".join(record.call for record in turn.open_calls)
            return f"the model is owed the results of {names}"
        case _:
            return ""


def _call_objection(turn: Turn, event: CallStarted | CallEnded | CallNotExecuted) -> str:
    record = turn.record(event.call)
    if record is None:
        return f"the current step has no call {event.call}"
    wanted, _ = CALL_STAGES[type(event)]
    if record.stage != wanted:
        return f"call {event.call} is {record.stage}, not {wanted}"
    if isinstance(event, CallStarted) and turn.stop:
        return f"the turn was stopped ({turn.stop})"
    if isinstance(event, CallStarted) and turn.truncated:
        return "the reply that made the call was cut"
    return ""


def _applied(state: State, event: AnyEvent, phase: Phase) -> State:
    """One line for each event: what it changes."""
    turn, inbox = state.turn, state.inbox
    match event:
        case AttemptStarted():
            begun = replace(turn, attempts=(*turn.attempts, event), tries=turn.tries + 1)
        case AttemptEnded():
            begun = _attempt_ended(turn, event)
        case CallStarted() | CallEnded() | CallNotExecuted():
            begun = _call_moved(turn, event)
        case InputQueued():
            queued = inboxes.put(inbox, event, turn_is_open=phase != "idle")
            return replace(state, inbox=queued)
        case InputDiscarded():
            return replace(state, inbox=inboxes.take(inbox, event.id))
        case TurnStarted():
            return replace(state, phase=phase, turn=Turn(number=event.turn))
        case InputClaimed():
            return _claimed(state, event)
        case NoticeAdded():
            return replace(state, untold=(), history=(*state.history, event.notice))
        case HeaderChanged():
            return replace(state, header=event.header)
        case StepStarted():
            begun = replace(turn, step=event.step, batch=(), tries=0, truncated=False)
        case MessageCommitted():
            message = event.message
            return replace(
                state, phase=phase, turn=_said(turn, message), history=(*state.history, message)
            )
        case StepEnded():
            return _step_ended(state, event, phase)
        case LimitReached():
            begun = replace(turn, stop=turn.stop or event.limit)
        case CancelRequested():
            inbox = inboxes.quieten(inbox, event.kept)
            if phase == "idle":  # between two turns: it stops what waits, and no turn
                return replace(state, inbox=inbox)
            begun = replace(turn, stop=turn.stop or "aborted", cause=turn.cause or event.cause)
        case TurnEnded():
            over = replace(turn, end_reason=event.end_reason, error=event.error)
            untold = state.untold if event.end_reason == "completed" else (*state.untold, over)
            return replace(state, phase=phase, turn=over, untold=untold)
        case _:
            assert_never(event)
    return replace(state, phase=phase, turn=begun, inbox=inbox)


def _claimed(state: State, event: InputClaimed) -> State:
    item = next(item for item in state.inbox.items if item.input.id == event.id)
    message = UserMessage(id=event.id, text=item.input.text)
    turn = state.turn
    return replace(
        state,
        inbox=inboxes.take(state.inbox, event.id),
        history=(*state.history, message),
        turn=replace(
            turn,
            claimed=turn.claimed + 1,
            follow_up=item.follow_up if turn.claimed == 0 else turn.follow_up,
        ),
    )


def _attempt_ended(turn: Turn, event: AttemptEnded) -> Turn:
    usage = UsageDelta(
        input_tokens=event.input_tokens,
        output_tokens=event.output_tokens,
        cached_tokens=event.cached_tokens,
    )
    left = tuple(open_ for open_ in turn.attempts if open_.attempt != event.attempt)
    return replace(turn, attempts=left, spent=turn.spent.charge(usage=usage))


def _said(turn: Turn, message: AssistantMessage) -> Turn:
    batch = tuple(
        CallRecord(
            call=f"{turn.number}/{turn.step}/{index}",
            id=call.id,
            name=call.name,
            arguments=call.arguments,
        )
        for index, call in enumerate(message.calls)
    )
    cut = message.truncated
    return replace(
        turn,
        batch=batch,
        truncated=cut,
        cut_replies=turn.cut_replies + (cut and bool(batch)),
        text_cut=turn.text_cut or (cut and not batch),
        finish_reason=message.finish_reason,
        text=message.text or turn.text,
    )


def _call_moved(turn: Turn, event: CallStarted | CallEnded | CallNotExecuted) -> Turn:
    _, stage = CALL_STAGES[type(event)]

    def moved(record: CallRecord) -> CallRecord:
        if record.call != event.call:
            return record
        if isinstance(event, CallStarted):
            return replace(
                record, stage=stage, tool=event.tool, given=event.arguments, key=event.key
            )
        return replace(record, stage=stage, ended=event)

    denied = isinstance(event, CallNotExecuted) and event.code == "DENIED"
    batch = tuple(moved(record) for record in turn.batch)
    return replace(turn, batch=batch, denied=turn.denied or denied)


def _step_ended(state: State, event: StepEnded, phase: Phase) -> State:
    """The batch is closed: its results enter the history together, in the model's order."""
    turn = state.turn
    results: tuple[ResultMessage, ...] = tuple(
        record.ended.result for record in turn.batch if record.ended is not None
    )
    cut_in = state.phase if event.why in ("cut", "failed") else turn.cut_in
    ended = replace(turn, why=event.why, cut_in=cut_in, error=event.error or turn.error)
    return replace(state, phase=phase, turn=ended, history=(*state.history, *results))
