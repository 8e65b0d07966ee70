"""The scripted provider: from what a request says to what is answered. No I/O, no history.

Where a request stands in the script is read from the marks in its own text (lineage), so the same
provider serves a loop that retries, forgets, restarts or flattens its messages. The order in which
a request is looked at: cap, strictness, place in the script, HTTP faults, the reply with its model
faults, the stream with its faults.
"""

from __future__ import annotations

from faultloop.fakes.closing import TerminalTool, carried, closes
from faultloop.fakes.conversation import Conversation, Message
from faultloop.fakes.echoes import IDS_MAX, Echoes, over
from faultloop.fakes.faults.armed import Armed
from faultloop.fakes.marks import Marks
from faultloop.fakes.naming import Names
from faultloop.fakes.parts import after_input, bare, counted, failed_as, part_of
from faultloop.fakes.recalled import Recalled
from faultloop.fakes.reply import Item, Reply, ReplyCall, pieces
from faultloop.fakes.script import Script, Step
from faultloop.fakes.speech import (
    Batch,
    Change,
    Cursor,
    Failure,
    Place,
    Refusal,
    Reshaping,
    Speech,
)
from faultloop.fakes.strictness import REAL, Asked, Strictness, asked, breach
from faultloop.fakes.strictness.thought_blocks import OF_OUR_THOUGHTS

SERVED_MAX = 3
"""A step that was said whole so often is not said again: a model that meets the same wall says
something else."""

SIDE_STEP = Step(say="A short talk about some work.")
"""Said to a request that cannot be the loop's own, because the model could call nothing in it
(titles, summaries)."""

BRIEF_THOUGHT = "I see what is asked, and what comes next."
"""Where a request makes a model think and the script says nothing of it."""

OVERRUN_STEP = Step(say="(nothing further)")

HOSTED_SIDE_STEP = Step(say="(beside the script: a call is due, and this request permits none)")


class Provider:
    """The model of one play. `turn` is the last turn that was started; the stage keeps it."""

    def __init__(
        self,
        script: Script,
        armed: Armed,
        marks: Marks,
        *,
        requests_max: int,
        tools_offered: bool = True,
        hosted: bool = False,
        strictness: Strictness = REAL,
        beside: tuple[Step, ...] = (),
        names: Names | None = None,
        terminal_tool: TerminalTool | None = None,
        tools: tuple[str, ...] = (),
    ) -> None:
        """`tools_offered`: the loop's own requests offer tools; one without is beside it.
        `hosted`: as in the plan. `beside`: what was recorded for those beside it. `names`: those
        that the subject has for the world's tools; replies are in them. `terminal_tool`: what the
        model calls where the loop offers it and its turn is to end. `tools`: what a tool that
        matters here is called, or called in part; empty: every tool may matter."""
        self.turn = 0
        self._names = names
        self._hosted = hosted
        is_unmarked = hosted or script.is_recorded
        self._echoes = [Echoes() for _ in script.turns] if is_unmarked else []
        """By turn, where its texts bear no marks."""
        self._recalled = Recalled(beside)
        self._tools_offered = tools_offered
        self._tools = tools
        self._terminal_tool = terminal_tool
        self._script = script
        self._armed = armed
        self._marks = marks
        self._requests_max = requests_max
        self._strictness = strictness
        self._rules: dict[str, tuple[Asked, ...]] = {}
        """What is asked of requests, by dialect."""
        self._inputs = [bare(marks.input_mark(turn)) for turn in range(len(script.turns))]
        self._steps_before = script.steps_before
        self._left: dict[tuple[int, int], dict[str, int]] = {}
        """Marks that each step has left in replies, by (turn, index), each with the number of the
        step's calls that were made when its reply was over."""
        self._said: dict[tuple[int, int], int] = {}
        """How often each step was served, all of its parts together: what makes ids fresh."""
        self._served: dict[tuple[int, int, int], int] = {}
        """How often each part was served, by (turn, index, calls before it)."""
        self._whole: dict[tuple[int, int, int], int] = {}
        """How often of that without a fault of the stream or its bytes."""
        self._batches_by_call: dict[str, Batch] = {}
        self._batches_by_tool: dict[str, Batch] = {}

    def place(self, conversation: Conversation) -> Place:
        """Find the step that is due. Changes nothing."""
        turn, is_marked = self._section(conversation)
        steps = self._script.turns[turn]
        said = self._furthest(turn, conversation.raw)
        cursor: Cursor
        before = 0
        if said is not None:
            (index, before), cursor = said, "mark"
            if before >= len(steps[index].calls):
                index, before = index + 1, 0
        elif is_marked and not self._lost(conversation, turn):
            index, cursor = 0, "first"
        else:
            index, cursor = self._count(conversation, turn), "count"
        if self._echoes:
            due = self._echoes[turn].due(self._heard(turn, conversation), said)
            if due:
                (index, cursor), before = due, 0
        while self._whole.get((turn, index, before), 0) >= SERVED_MAX and index < len(steps):
            index, before = index + 1, 0
        if self._is_beside(conversation, steps, index, is_begun=said is not None):
            usual = HOSTED_SIDE_STEP if self._hosted else SIDE_STEP
            step = self._recalled.side_step(conversation, usual)
            return Place(turn=turn, index=-1, number=0, cursor="side", step=step)
        if index >= len(steps):
            return Place(turn=turn, index=len(steps), number=0, cursor="overrun", step=OVERRUN_STEP)
        part, is_last = part_of(steps[index], before, one_call=conversation.one_call)
        return Place(
            turn=turn,
            index=index,
            number=self._steps_before[turn] + index + 1,
            cursor=cursor,
            step=part,
            calls_before=before,
            is_last=is_last,
        )

    def answer(
        self, request: int, conversation: Conversation, dialect: str = "openai_chat"
    ) -> Speech | Failure | Refusal:
        """What request number `request` of the play is answered; moves on by it. `dialect`: whose
        rejections it meets."""
        if request > self._requests_max:
            return Refusal(
                rule="request_cap",
                status=400,
                code="request_cap",
                message=f"This is request {request} of the play, and {self._requests_max} are "
                "allowed. Stop asking.",
            )
        violation = breach(conversation, self._rules_of(dialect))
        if violation is not None:
            return Refusal(
                rule=violation.rule,
                status=violation.status,
                message=violation.message,
                param=violation.param,
                code=violation.code,
            )
        if self._echoes:
            turn, _ = self._section(conversation)
            self._echoes[turn].met(self._heard(turn, conversation))
        place = self.place(conversation)
        if place.cursor == "side":
            self._recalled.said_beside(conversation)
        if place.cursor == "overrun" and self._hosted:
            rule, sentence = over(place.index)
            return Refusal(rule=rule, status=400, code=rule, message=sentence)
        if (failure := self._recalled.failure(place.turn, place.index, place.step)) is not None:
            return Failure(place=place, failure=failed_as(failure), strike=None, recorded=failure)
        due = self._armed.http(place.number)
        if due is not None:
            index, fault = due
            return Failure(place=place, failure=fault.answer(), strike=self._armed.take(index))
        return self._speak(request, conversation, place)

    def _rules_of(self, dialect: str) -> tuple[Asked, ...]:
        rules = self._rules.get(dialect)
        if rules is None:
            rules = asked(dialect, self._strictness)
            if self._script.is_recorded:  # what was thought, if anything, has no seal of ours
                rules = tuple(each for each in rules if each.rule not in OF_OUR_THOUGHTS)
            self._rules[dialect] = rules
        return rules

    def batch_of(self, call_id: str | None, tool: str) -> Batch | None:
        """The batch that a call belongs to: by its id, else the last that called this tool."""
        if call_id is not None and call_id in self._batches_by_call:
            return self._batches_by_call[call_id]
        return self._batches_by_tool.get(tool)

    # --- finding the place ------------------------------------------------------------------

    def _section(self, conversation: Conversation) -> tuple[int, bool]:
        """The turn, and whether its user's message is in the request."""
        for turn in range(len(self._inputs) - 1, -1, -1):
            if self._inputs[turn] in conversation.raw:
                return turn, True
        return self.turn, False

    def _furthest(self, turn: int, raw: str) -> tuple[int, int] | None:
        """The furthest step of the turn that left a mark in the text, and how many of its calls
        were made as far as its marks tell."""
        for index in range(len(self._script.turns[turn]) - 1, -1, -1):
            furthest = -1
            for mark, calls in reversed(self._left.get((turn, index), {}).items()):
                if calls > furthest and mark in raw:
                    furthest = calls
            if furthest >= 0:
                return index, furthest
        return None

    def _is_beside(
        self, conversation: Conversation, steps: tuple[Step, ...], index: int, *, is_begun: bool
    ) -> bool:
        """Whether a request is none of the loop's own, because the model could not act in it.

        Where the loop's requests offer tools, one that offers none is beside it, unless it asks for
        a last word on results, and so is one whose tools are all for something else (a title that
        is to be given by a call). Elsewhere it is so where a script with calls has left no mark in
        it.
        """
        if (is_beside := self._recalled.is_beside(conversation)) is not None:
            return is_beside
        if self._tools and conversation.tools and not self._can_work(conversation):
            return True
        if index < len(steps) and steps[index].calls:
            return not (conversation.tools and conversation.may_call)
        if conversation.tools or self._hosted:
            return False
        if self._tools_offered:
            return not is_begun or conversation.messages[-1].role != "tool"
        return not is_begun and any(step.calls for step in steps)

    def _can_work(self, conversation: Conversation) -> bool:
        """Whether any of the tools that it offers is one of the world's, by whatever name."""
        return any(tool in offered for offered in conversation.tools for tool in self._tools)

    def _lost(self, conversation: Conversation, turn: int) -> bool:
        """Whether calls follow the user's message although none has an id of ours."""
        after = after_input(conversation, self._inputs[turn])
        return any(message.calls for message in after)

    def _count(self, conversation: Conversation, turn: int) -> int:
        """The last resort: how many assistant messages the turn has so far."""
        after = after_input(conversation, self._inputs[turn])
        return sum(message.role == "assistant" for message in after)

    def _heard(self, turn: int, conversation: Conversation) -> tuple[Message, ...]:
        """The messages that can echo the turn's steps."""
        if self._hosted:
            return conversation.messages
        return after_input(conversation, self._inputs[turn])

    # --- speaking ---------------------------------------------------------------------------

    def _speak(self, request: int, conversation: Conversation, place: Place) -> Speech:
        step = (place.turn, place.index)
        said = self._said[step] = self._said.get(step, 0) + 1
        if self._echoes:
            said = min(said, IDS_MAX)
        part = (*step, place.calls_before)
        served = self._served[part] = self._served.get(part, 0) + 1
        meant = self._reply(request, place, said, must_think=conversation.must_think)
        names, offered = self._names, conversation.tools
        if names is not None:
            meant = names.said(meant, offered)
        reply = meant
        changes = []
        # What is odd about a step is odd about its end.
        for index, fault in self._armed.model(place.number) if place.is_last else ():
            changed = fault.say(reply) if names is None else names.struck(fault, reply, offered)
            if changed != reply:
                changes.append(Change(self._armed.take(index), reply, changed))
                reply = changed
        text, mark = reply.text, ""
        if self._echoes:
            self._echoes[place.turn].said(place.index, reply)
        elif text and place.number:
            mark = self._marks.text_mark(place.turn, place.index, said)
            text = f"{text} {mark}"
        reply = counted(reply, text, place.step, conversation)
        spoken = reply if changes else self._spoken(place, reply, said, conversation)
        items: tuple[Item, ...] = pieces(spoken)
        reshapings = []
        if conversation.streaming:
            for index, stream_fault in self._armed.stream(place.number):
                shaped = stream_fault.shape(items)
                if shaped != items:
                    reshapings.append(Reshaping(self._armed.take(index), items, shaped))
                    items = shaped
        byte_faults = tuple(
            (self._armed.take(index), byte_fault)
            for index, byte_fault in self._armed.bytes(place.number)
        )
        self._remember(request, place, reply, mark)
        if place.number and not (reshapings or byte_faults or self._hosted):
            self._whole[part] = self._whole.get(part, 0) + 1
        return Speech(
            place=place,
            reply=reply,
            spoken=spoken,
            intended=tuple(
                before.arguments if before.arguments != after.arguments else None
                for before, after in zip(meant.calls, reply.calls, strict=False)
            ),
            items=items,
            served=served,
            changes=tuple(changes),
            reshapings=tuple(reshapings),
            byte_faults=byte_faults,
        )

    def _spoken(self, place: Place, reply: Reply, said: int, conversation: Conversation) -> Reply:
        """The reply as this loop takes it: a last word may have to be a call."""
        tool = self._terminal_tool
        if tool is None or not closes(reply, tool, conversation):
            return reply
        return carried(reply, tool, self._marks.call_id(place.turn, place.index, 0, said))

    def _reply(self, request: int, place: Place, said: int, *, must_think: bool) -> Reply:
        """The step as the script has it, with ids."""
        recorded = place.step.recorded
        return Reply(
            id=(recorded and recorded.id) or self._marks.reply_id(request),
            turn=place.turn,
            step=place.number,
            text=place.step.say,
            thought=place.step.think or (BRIEF_THOUGHT if must_think and not recorded else ""),
            calls=tuple(
                ReplyCall(
                    id=call.id or self._marks.call_id(place.turn, place.index, number, said),
                    tool=call.tool,
                    arguments=call.arguments,
                )
                for number, call in enumerate(place.step.calls, place.calls_before)
            ),
            finish=place.step.finish_reason,
        )

    def _remember(self, request: int, place: Place, reply: Reply, mark: str) -> None:
        if not place.number:
            return
        marks = self._left.setdefault((place.turn, place.index), {})
        made = place.calls_before + len(place.step.calls)
        marks.update((call.id, made) for call in reply.calls)
        if mark:
            marks[bare(mark)] = made
        batch = Batch(place.number, request, len(reply.calls))
        for call in reply.calls:
            self._batches_by_call[call.id] = batch
            tool = call.tool
            if self._names is not None:
                tool, _ = self._names.heard(tool, call.arguments)
            self._batches_by_tool[tool] = batch
