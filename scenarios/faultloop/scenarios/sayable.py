"""What of a scenario its column's dialect can say at all.

Dialects differ in what a broken provider could send in them: Gemini has no way to say a call whose
arguments are no object, Chat Completions no end of a block. A fault that leaves the bytes of every
reply it strikes as they were tests nothing there, however often it fires, and a call without a form
reaches nobody who could mishandle it. So such a scenario is not applicable to the column. Nothing
is listed here: each reply is spelt with the fault and without it, and the two are compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.dialects.dialect import Dialect, Frame
from faultloop.fakes.dialects.showing import events, shows
from faultloop.fakes.faults.base import Fault, ModelFault, StreamFault, parse_site
from faultloop.fakes.reply import Item, Reply, ReplyCall, pieces
from faultloop.fakes.script import Step
from faultloop.scenarios.argument_text import parse
from faultloop.scenarios.once import once
from faultloop.scenarios.plan import script
from faultloop.scenarios.scenario import Scenario
from faultloop.scenarios.subject import Column

MARK = " [ref 00000000]"
"""Stands for the mark that each text of a reply bears."""

_FRAME = Frame(created_s=0, model="m")
_MENDED = (
    "{dialect} has no way to say {what}: the call in a {form} reply has proper arguments all the "
    "same"
)


class _Struck(NamedTuple):
    """A reply that a fault can strike, before and after."""

    before: Reply
    after: Reply
    items: tuple[Item, ...]
    """What is streamed of it, with the fault."""


def says_any_call(dialect: str) -> bool:
    """Whether a dialect says a call with whatever arguments the model wrote."""
    return DIALECTS[dialect].says(ReplyCall(id="call_0", tool="any", arguments="{"))


def why_unsaid(scenario: Scenario, column: Column) -> str | None:
    """Why the column's dialect cannot say what the scenario stages; None if it can."""
    dialect = DIALECTS[column.dialect]
    form = "streamed" if column.streaming else "whole"
    for reply in _replies(scenario):
        if any(not dialect.says(call) for call in reply.calls):
            return _unsaid_call(dialect)
        if _is_mended(dialect, reply, streamed=column.streaming):
            return _MENDED.format(dialect=dialect.name, what="such arguments", form=form)
    for fault in scenario.faults:
        if not isinstance(fault, ModelFault | StreamFault):
            continue
        struck = list(_struck(scenario, fault))
        if not struck:
            continue  # it never fires, and the play will say so
        if all(_is_unchanged(dialect, one, streamed=column.streaming) for one in struck):
            return (
                f"{dialect.name} has no way to say {fault.kind}: a {form} reply with it is the "
                "same as one without"
            )
        if all(_is_mended(dialect, one.after, streamed=column.streaming) for one in struck):
            return _MENDED.format(dialect=dialect.name, what=fault.kind, form=form)
        is_meant = "malformed_calls" in scenario.requires
        if not is_meant and any(_is_lost(dialect, one.after) for one in struck):
            return _unsaid_call(dialect)
    if column.streaming:
        return _missing_chunk(scenario, dialect)
    return None


def _missing_chunk(scenario: Scenario, dialect: Dialect) -> str | None:
    """Why an event at a chunk of a stream cannot come to pass: there are not so many."""
    for event in scenario.events:
        kind, _, number = event.at.partition(":")
        if kind != "chunk":
            continue
        chunks = [
            sum(map(bool, events(dialect, _FRAME, reply, tuple(pieces(reply)))))
            for reply in map(_marked, _replies(scenario))
            if event.step in (None, reply.step)
        ]
        if max(chunks, default=0) < int(number):
            return f"{dialect.name} says that reply in fewer than {number} chunks"
    return None


def _is_mended(dialect: Dialect, reply: Reply, *, streamed: bool) -> bool:
    """Whether a call whose text is no object is told as one, and no limit says that it was cut."""
    return reply.finish != "length" and any(
        isinstance(parse(dialect.told(call, streamed=streamed)), dict)
        and not isinstance(parse(call.arguments), dict)
        for call in reply.calls
    )


def _is_lost(dialect: Dialect, reply: Reply) -> bool:
    """Whether a call is not said, and no other that was cut with it tells of the same."""
    said = [dialect.says(call) for call in reply.calls]
    return not all(said) and not (any(said) and reply.finish == "length")


def _unsaid_call(dialect: Dialect) -> str:
    return (
        f"{dialect.name} has no form for a call whose arguments are no JSON object: it never "
        "reaches the subject"
    )


@once
def _replies(scenario: Scenario) -> tuple[Reply, ...]:
    """What the script says, step by step."""
    steps = [step for turn in script(scenario).turns for step in turn]
    return tuple(_reply(number, step) for number, step in enumerate(steps, 1))


def _reply(number: int, step: Step) -> Reply:
    return Reply(
        id="r",
        turn=0,
        step=number,
        text=step.say,
        thought=step.think,
        calls=tuple(
            ReplyCall(id=f"call_{at}", tool=call.tool, arguments=call.arguments)
            for at, call in enumerate(step.calls)
        ),
        finish=step.finish_reason,
        # Nobody counts what would differ with a fault: a count is not what goes wrong.
        prompt_tokens=9,
        completion_tokens=9,
    )


def _struck(scenario: Scenario, fault: Fault) -> Iterator[_Struck]:
    """The replies that a fault changes."""
    site = parse_site(fault.at)
    for reply in _replies(scenario):
        if not site.is_at_step(reply.step):
            continue
        after = fault.say(reply) if isinstance(fault, ModelFault) else reply
        before, after = _marked(reply), _marked(after)
        items = tuple(pieces(after))
        shaped = fault.shape(items) if isinstance(fault, StreamFault) else items
        if after != before or shaped != items:
            yield _Struck(before, after, shaped)


def _marked(reply: Reply) -> Reply:
    return replace(reply, text=reply.text + MARK) if reply.text else reply


def _is_unchanged(dialect: Dialect, struck: _Struck, *, streamed: bool) -> bool:
    before, after, items = struck
    return not shows(dialect, _FRAME, before, after, streaming=streamed, items=items)
