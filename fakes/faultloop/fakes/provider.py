"""The scripted provider: from what a request says to what is answered. No I/O, no history.

Where a request stands in the script is read from the marks in its own text (lineage), so the same
provider serves a loop that retries, forgets, restarts or flattens its messages. The order in which
a request is looked at: cap, strictness, place in the script, HTTP faults, the reply with its model
faults, the stream with its faults.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from faultloop.fakes.conversation import Conversation, Message
from faultloop.fakes.faults.armed import Armed, Strike
from faultloop.fakes.faults.base import HttpFailure
from faultloop.fakes.marks import Marks
from faultloop.fakes.reply import Item, Reply, ReplyCall, pieces
from faultloop.fakes.script import Script, Step
from faultloop.fakes.strictness import judge

Cursor = Literal["mark", "first", "count", "side", "overrun"]

SERVED_MAX = 3
"""A step that was said whole so often is not said again: a model that meets the same wall says
something else."""

COMPLETION_TOKENS_MAX = 4096
"""What a cut reply is said to have used where the request set no limit."""

CHARS_PER_TOKEN = 4
"""Token counts are estimates; only that they are the same every time is promised."""

SIDE_STEP = Step(say="A short talk about some work.")
"""Said to a request that offers no tools and so cannot be the loop's own (titles, summaries)."""

OVERRUN_STEP = Step(say="(nothing further)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where in the script a request stands."""

    turn: int
    index: int
    """The step within its turn, from 0."""
    number: int
    """The step through all turns, from 1; 0 where no step of the script is due."""
    cursor: Cursor
    step: Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """The model replies."""

    place: Place
    reply: Reply
    intended: tuple[str | None, ...]
    """For each call its arguments before a model fault changed them, else None."""
    items: tuple[Item, ...]
    served: int
    strikes: tuple[Strike, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """An injected HTTP failure."""

    place: Place
    failure: HttpFailure
    strike: Strike


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """The provider rejects the request on its own account."""

    rule: str
    status: int
    message: str
    param: str | None = None
    code: str | None = None


class Provider:
    """The model of one play. `turn` is the last turn that was started; the stage keeps it."""

    def __init__(self, script: Script, armed: Armed, marks: Marks, *, requests_max: int) -> None:
        self.turn = 0
        self._script = script
        self._armed = armed
        self._marks = marks
        self._requests_max = requests_max
        self._inputs = [_bare(marks.input_mark(turn)) for turn in range(len(script.turns))]
        self._steps_before = [
            sum(len(steps) for steps in script.turns[:turn]) for turn in range(len(script.turns))
        ]
        self._left: dict[tuple[int, int], list[str]] = {}
        """Marks that each step has left in replies, by (turn, index)."""
        self._served: dict[tuple[int, int], int] = {}
        self._whole: dict[tuple[int, int], int] = {}
        """How often each step was served without a stream fault."""
        self._steps_by_call: dict[str, int] = {}
        self._steps_by_tool: dict[str, int] = {}

    def place(self, conversation: Conversation) -> Place:
        """Find the step that is due. Changes nothing."""
        turn, is_marked = self._section(conversation)
        steps = self._script.turns[turn]
        said = self._furthest(turn, conversation.raw)
        cursor: Cursor
        if said is not None:
            index, cursor = said + 1, "mark"
        elif is_marked and not self._lost(conversation, turn):
            index, cursor = 0, "first"
        else:
            index, cursor = self._count(conversation, turn), "count"
        while self._whole.get((turn, index), 0) >= SERVED_MAX and index < len(steps):
            index += 1
        if not conversation.tools and _cannot_be_the_loop(steps, index, said):
            return Place(turn=turn, index=-1, number=0, cursor="side", step=SIDE_STEP)
        if index >= len(steps):
            return Place(turn=turn, index=len(steps), number=0, cursor="overrun", step=OVERRUN_STEP)
        number = self._steps_before[turn] + index + 1
        return Place(turn=turn, index=index, number=number, cursor=cursor, step=steps[index])

    def answer(self, request: int, conversation: Conversation) -> Speech | Failure | Refusal:
        """What request number `request` of the play is answered; moves on by it."""
        if request > self._requests_max:
            return Refusal(
                rule="request_cap",
                status=400,
                code="request_cap",
                message=f"This is request {request} of the play, and {self._requests_max} are "
                "allowed. Stop asking.",
            )
        violation = judge(conversation)
        if violation is not None:
            return Refusal(
                rule=violation.rule,
                status=violation.status,
                message=violation.message,
                param=violation.param,
                code=violation.code,
            )
        place = self.place(conversation)
        due = self._armed.http(place.number)
        if due is not None:
            index, fault = due
            return Failure(place=place, failure=fault.answer(), strike=self._armed.fire(index))
        return self._speak(request, conversation, place)

    def step_of(self, call_id: str | None, tool: str) -> int | None:
        """The step that made a call: by its id, else the last one that called this tool."""
        if call_id is not None and call_id in self._steps_by_call:
            return self._steps_by_call[call_id]
        return self._steps_by_tool.get(tool)

    # --- finding the place ------------------------------------------------------------------

    def _section(self, conversation: Conversation) -> tuple[int, bool]:
        """The turn, and whether its user's message is in the request."""
        for turn in range(len(self._inputs) - 1, -1, -1):
            if self._inputs[turn] in conversation.raw:
                return turn, True
        return self.turn, False

    def _furthest(self, turn: int, raw: str) -> int | None:
        """Index of the furthest step of the turn that left a mark in the text."""
        for index in range(len(self._script.turns[turn]) - 1, -1, -1):
            marks = self._left.get((turn, index), ())
            if any(mark in raw for mark in reversed(marks)):
                return index
        return None

    def _lost(self, conversation: Conversation, turn: int) -> bool:
        """Whether calls follow the user's message although none has an id of ours."""
        after = _after_input(conversation, self._inputs[turn])
        return any(message.calls for message in after)

    def _count(self, conversation: Conversation, turn: int) -> int:
        """The last resort: how many assistant messages the turn has so far."""
        after = _after_input(conversation, self._inputs[turn])
        return sum(message.role == "assistant" for message in after)

    # --- speaking ---------------------------------------------------------------------------

    def _speak(self, request: int, conversation: Conversation, place: Place) -> Speech:
        key = (place.turn, place.index)
        served = self._served[key] = self._served.get(key, 0) + 1
        meant = self._reply(request, place, served)
        reply = meant
        strikes = []
        for index, fault in self._armed.model(place.number):
            changed = fault.say(reply)
            if changed != reply:
                strikes.append(self._armed.fire(index))
                reply = changed
        if reply.text and place.number:
            mark = self._marks.text_mark(place.turn, place.index, served)
            reply = replace(reply, text=f"{reply.text} {mark}")
        reply = replace(
            reply,
            prompt_tokens=len(conversation.raw) // CHARS_PER_TOKEN,
            completion_tokens=_completion_tokens(reply, conversation.max_tokens),
        )
        items: tuple[Item, ...] = tuple(pieces(reply))
        is_whole = True
        if conversation.streaming:
            for index, stream_fault in self._armed.stream(place.number):
                shaped = stream_fault.shape(items)
                if shaped != items:
                    strikes.append(self._armed.fire(index))
                    items, is_whole = shaped, False
        self._remember(place, reply, served, is_whole=is_whole)
        return Speech(
            place=place,
            reply=reply,
            intended=tuple(
                before.arguments if before.arguments != after.arguments else None
                for before, after in zip(meant.calls, reply.calls, strict=False)
            ),
            items=items,
            served=served,
            strikes=tuple(strikes),
        )

    def _reply(self, request: int, place: Place, served: int) -> Reply:
        """The step as the script has it, with ids."""
        return Reply(
            id=self._marks.reply_id(request),
            turn=place.turn,
            step=place.number,
            text=place.step.say,
            calls=tuple(
                ReplyCall(
                    id=self._marks.call_id(place.turn, place.index, number, served),
                    tool=call.tool,
                    arguments=call.arguments,
                )
                for number, call in enumerate(place.step.calls)
            ),
            finish=place.step.finish_reason,
        )

    def _remember(self, place: Place, reply: Reply, served: int, *, is_whole: bool) -> None:
        if not place.number:
            return
        key = (place.turn, place.index)
        marks = self._left.setdefault(key, [])
        marks.extend(call.id for call in reply.calls)
        if reply.text:
            marks.append(_bare(self._marks.text_mark(place.turn, place.index, served)))
        if is_whole:
            self._whole[key] = self._whole.get(key, 0) + 1
        for call in reply.calls:
            self._steps_by_call[call.id] = place.number
            self._steps_by_tool[call.tool] = place.number


def _bare(mark: str) -> str:
    """A mark without its brackets: markdown writers escape those."""
    return mark.strip("[]")


def _after_input(conversation: Conversation, mark: str) -> tuple[Message, ...]:
    """The messages after the one that carries the turn's input; without one, all of them."""
    messages = conversation.messages
    for at in range(len(messages) - 1, -1, -1):
        if mark in messages[at].text:
            return messages[at + 1 :]
    return messages


def _cannot_be_the_loop(steps: tuple[Step, ...], index: int, said: int | None) -> bool:
    """Whether a request without tools is beside the loop.

    Without tools nobody can be answered with calls; and a request that has seen none of a script
    with calls is no step of it, even where a plain text is due.
    """
    if index < len(steps) and steps[index].calls:
        return True
    return said is None and any(step.calls for step in steps)


def _completion_tokens(reply: Reply, max_tokens: int | None) -> int:
    if reply.finish == "length":
        return max_tokens or COMPLETION_TOKENS_MAX
    chars = len(reply.text) + sum(len(call.tool) + len(call.arguments) for call in reply.calls)
    return chars // CHARS_PER_TOKEN + 1
