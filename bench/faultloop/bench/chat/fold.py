"""From events to the screen: one pure change for each, looked up in one place (SPEC E1).

Two kinds of event come in. Those of the run say what the loop did; those of the host, below, what
the person did and what the program has to say, which no run event tells. A call is known by its
place `turn/step/index` and an attempt is `turn/step/n` (see `loop.events`), hence the cards of a
reply's calls stand as soon as the reply does. An attempt that failed keeps its text, and never gets
any more (SPEC D5).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import assert_never

from faultloop.bench.chat.screen import (
    OPEN,
    Card,
    CardState,
    End,
    Item,
    Lane,
    Note,
    Reply,
    Said,
    Screen,
    Tone,
    is_settled,
)
from faultloop.loop.budget import Spent
from faultloop.loop.events import AnyEvent, InputQueued
from faultloop.loop.providers.port import UsageDelta
from faultloop.loop.run_events import (
    QUERY,
    AnyRunEvent,
    AttemptFailed,
    GoalArmed,
    GoalChanged,
    InputDropped,
    InputEntered,
    MessageDelta,
    MessageEnded,
    PermissionAnswered,
    PermissionAsked,
    StepClosed,
    ToolEnded,
    ToolProgress,
    ToolStarted,
    TurnBegan,
    TurnOver,
    UsageCounted,
    WentIdle,
    told,
)
from faultloop.loop.tools.port import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """The person said something, and the loop is about to take it."""

    id: str
    text: str
    lane: Lane


@dataclass(frozen=True, slots=True, kw_only=True)
class NotTaken:
    """The loop did not take it."""

    id: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonAsked:
    """The call whose permission was asked for last waits for the person's answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonAnswered:
    """It has one, or nobody waits for it any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StopAsked:
    """The person wants the turn to stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """The program itself has something to say."""

    text: str
    tone: Tone = "plain"


HostEvent = Typed | NotTaken | PersonAsked | PersonAnswered | StopAsked | Noted
ScreenEvent = AnyRunEvent | HostEvent

STATES: dict[Outcome | None, CardState] = {
    "ok": "ok",
    "failed": "failed",
    "unknown": "unknown",
    None: "not_executed",
}
"""How a call stands that is closed, by its outcome."""

UNSAID = frozenset({"", "vanished", "fault"})
"""Why an attempt ended, where its turn's end says it better."""


def fold(screen: Screen, event: ScreenEvent, *, at_s: float | None = None) -> Screen:
    """The screen after this event, which was seen `at_s` on the watcher's clock."""
    match event:
        case MessageDelta():
            return _grown(screen, event)
        case MessageEnded():
            return _committed(screen, event)
        case AttemptFailed():
            return _interrupted(screen, event)
        case UsageCounted():
            return replace(screen, spent=_charged(screen.spent, event))
        case PermissionAsked():
            return _checked(screen, event)
        case PermissionAnswered():
            return _checked_query(screen, event)
        case ToolStarted():
            return _card(
                screen, event.call, state="running", tool=event.tool, arguments=event.arguments
            )
        case ToolProgress():
            return _card(screen, event.call, progress=event.text)
        case ToolEnded():
            state = STATES[event.outcome]
            return _card(screen, event.call, state=state, code=event.code, content=event.content)
        case TurnBegan():
            return replace(
                screen, turn=event.turn, running=True, steps=0, spent=Spent(), began_s=at_s
            )
        case StepClosed():
            return replace(screen, steps=event.step)
        case TurnOver():
            return _over(screen, event, at_s)
        case WentIdle():
            return replace(screen, running=False, stopping=False)
        case InputEntered() | InputDropped() | NotTaken() | Typed():
            return _input(screen, event)
        case PersonAsked():
            return _asked(screen)
        case PersonAnswered():
            return _answered(screen)
        case StopAsked():
            return replace(screen, stopping=screen.running)
        case GoalChanged() | GoalArmed():
            return _with(screen, Note(text=_of_goal(event)))
        case Noted():
            return _with(screen, Note(text=event.text, tone=event.tone))
        case _:
            assert_never(event)


def folded(events: Iterable[AnyEvent], screen: Screen | None = None) -> Screen:
    """What a journal says that there was to see; nothing in it says when."""
    screen = screen or Screen()
    for event in events:
        if isinstance(event, InputQueued):
            lane: Lane = "steer" if event.lane == "next_step" else "prompt"
            screen = fold(screen, Typed(id=event.id, text=event.text, lane=lane))
        for one in told(event):
            screen = fold(screen, one)
    return screen


def left_open(screen: Screen) -> Screen:
    """Of a past, what was left open: all that whoever pipes has not been told."""
    return replace(screen, items=tuple(one for one in screen.items if not is_settled(one)))


def last_turn(screen: Screen) -> Screen:
    """Of a past, the last turn with its input; how much lies before it is said."""
    ends = [at for at, item in enumerate(screen.items) if isinstance(item, End)]
    is_closed = bool(ends) and ends[-1] == len(screen.items) - 1
    before = ends[-2:-1] if is_closed else ends[-1:]
    if not before:
        return screen
    earlier = sum(1 for end in ends if end <= before[0])
    note = Note(text=f"… {earlier} earlier {'turn' if earlier == 1 else 'turns'} not shown")
    items = (note, *screen.items[before[0] + 1 :])
    return replace(screen, items=items)


# --- replies --------------------------------------------------------------------------------------


def _grown(screen: Screen, event: MessageDelta) -> Screen:
    reply = _reply(screen, event.attempt)
    if reply is None:
        return _with(screen, Reply(attempt=event.attempt, text=event.text))
    if reply.state != "streaming":
        return screen  # whatever comes late: it is never appended to (SPEC D5)
    return _changed(screen, reply, replace(reply, text=reply.text + event.text))


def _committed(screen: Screen, event: MessageEnded) -> Screen:
    message = event.message
    whole = Reply(
        attempt=event.attempt, text=message.text, state="cut" if message.truncated else "whole"
    )
    reply = _reply(screen, event.attempt)
    if reply is not None and reply.state == "interrupted":
        pass  # only calls are left of it (SPEC L4); its text stays as it broke off (SPEC D5)
    elif reply is not None:
        screen = _changed(screen, reply, whole)
    elif message.text or message.truncated:
        screen = _with(screen, whole)
    step = event.attempt.rpartition("/")[0]
    for index, call in enumerate(message.calls):
        screen = _card(screen, f"{step}/{index}", tool=call.name, arguments=call.arguments)
    return screen


def _interrupted(screen: Screen, event: AttemptFailed) -> Screen:
    """A try of the model's leaves its text, or a note; a tool's own card tells of its tries."""
    reply = _reply(screen, event.attempt)
    if reply is not None:
        return _changed(screen, reply, replace(reply, state="interrupted", why=event.detail))
    is_models = not any(card.state in OPEN for card in screen.cards)
    if is_models and event.detail not in UNSAID:
        return _with(screen, Note(text=f"an attempt failed: {event.detail}", tone="warning"))
    return screen


def _reply(screen: Screen, attempt: str) -> Reply | None:
    """The attempt's text. It is among the last: only what is under way is asked for."""
    for item in reversed(screen.items):
        if isinstance(item, Reply) and item.attempt == attempt:
            return item
        if isinstance(item, End):
            return None
    return None


# --- calls ----------------------------------------------------------------------------------------


def _card(
    screen: Screen,
    call: str,
    *,
    state: CardState | None = None,
    tool: str | None = None,
    arguments: str | None = None,
    code: str | None = None,
    content: str | None = None,
    progress: str | None = None,
) -> Screen:
    """The screen with these fields of a call's card changed; a call without one gets it."""
    known = next((card for card in reversed(screen.cards) if card.call == call), None)
    card = known or Card(call=call, tool="?", arguments="")
    changed = Card(
        call=call,
        state=state or card.state,
        tool=tool or card.tool,
        arguments=card.arguments if arguments is None else arguments,
        code=card.code if code is None else code,
        content=card.content if content is None else content,
        progress=card.progress if progress is None else progress,
    )
    return _with(screen, changed) if known is None else _changed(screen, known, changed)


def _checked(screen: Screen, event: PermissionAsked) -> Screen:
    screen = _card(screen, event.call, tool=event.tool, arguments=event.arguments)
    return replace(screen, checked=event.call)


def _checked_query(screen: Screen, event: PermissionAnswered) -> Screen:
    """A query of the loop's own is no call: its card was there for the question alone."""
    if not event.call.endswith(QUERY):
        return screen
    items = (one for one in screen.items if not (isinstance(one, Card) and one.call == event.call))
    return replace(screen, items=tuple(items), checked=None)


def _asked(screen: Screen) -> Screen:
    if screen.checked is None:
        return screen
    return replace(_card(screen, screen.checked, state="asked"), asked=screen.checked)


def _answered(screen: Screen) -> Screen:
    question = screen.question
    if question is not None and question.state == "asked":
        screen = _card(screen, question.call, state="queued")
    return replace(screen, asked=None)


# --- turns and input ------------------------------------------------------------------------------


def _over(screen: Screen, event: TurnOver, at_s: float | None) -> Screen:
    took_s = at_s - screen.began_s if at_s is not None and screen.began_s is not None else None
    end = End(turn=event.turn, end_reason=event.end_reason, error=event.error, took_s=took_s)
    return replace(_with(screen, end), asked=None, began_s=None)


def _input(screen: Screen, event: Typed | NotTaken | InputEntered | InputDropped) -> Screen:
    if isinstance(event, Typed):
        said = Said(id=event.id, text=event.text, lane=event.lane)
        return replace(screen, waiting=(*screen.waiting, said))
    found = next((said for said in screen.waiting if said.id == event.id), None)
    rest = tuple(said for said in screen.waiting if said.id != event.id)
    screen = replace(screen, waiting=rest)
    match event:
        case InputEntered():
            return screen if found is None else _with(screen, found)
        case InputDropped():
            why = f"dropped, the model never sees it ({event.reason})"
        case NotTaken():
            why = f"not sent: {event.why}"
    text = f"{why}: {found.text}" if found else why
    return _with(screen, Note(text=text, tone="warning"))


def _of_goal(event: GoalChanged | GoalArmed) -> str:
    if isinstance(event, GoalChanged):
        reason = f": {event.reason}" if event.reason else ""
        return f"the goal is {event.phase}{reason}"
    return "the goal may wake the loop" if event.armed else f"the goal wakes nobody: {event.why}"


def _charged(spent: Spent, event: UsageCounted) -> Spent:
    usage = UsageDelta(
        input_tokens=event.input_tokens,
        output_tokens=event.output_tokens,
        cached_tokens=event.cached_tokens,
    )
    return spent.charge(usage=usage)


def _with(screen: Screen, item: Item) -> Screen:
    return replace(screen, items=(*screen.items, item))


def _changed(screen: Screen, old: Item, new: Item) -> Screen:
    """One item replaced. Looked for from the end: what changes is young."""
    items = list(screen.items)
    for at in range(len(items) - 1, -1, -1):
        if items[at] is old:
            items[at] = new
            break
    return replace(screen, items=tuple(items))
