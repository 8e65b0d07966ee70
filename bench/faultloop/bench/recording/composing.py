"""Composing: from what was seen to a scenario file.

One step for each reply of the conversation, one turn for each thing that the user said. The tools
are those that the command offered the model, and answer what the command was seen to bring back, so
that any loop can play it. What a user adds to the file is `faults`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from faultloop.bench.recording.mcp import mcp_tools
from faultloop.bench.recording.offered import answers, offered
from faultloop.bench.recording.redaction import Redactor
from faultloop.bench.recording.replies.meaning import MeantCall, decoded
from faultloop.bench.recording.seen import Exchange
from faultloop.bench.recording.sorting import Reply, Sorted, sort
from faultloop.fakes.ledger import Ledger
from faultloop.fakes.script import ScriptedCall, Step
from faultloop.fakes.world.spec import CannedAnswer, CannedTool, WorldSpec
from faultloop.fakes.world.world import World
from faultloop.scenarios.ends import EndReason
from faultloop.scenarios.scenario import (
    Accept,
    CallLine,
    RecordingLines,
    Scenario,
    StepLine,
    TurnLines,
)

CLAIM = "The recorded conversation goes its way again."
CLAIMS = ("L1",)
CHECKS = ("end_acceptable", "requests_bounded", "results_closed", "no_orphans")

NAME_CHARS_MAX = 80
REQUESTS_MAX = 120
STEPS_MAX = 100
"""What a scenario may ask for at most."""

NO_INPUT = "(no words)"


class NothingRecorded(Exception):
    """No reply of a model was seen, so there is nothing to make a script of."""


class Composed(NamedTuple):
    """A recording as a scenario."""

    scenario: Scenario
    found: Sorted


class _Turn(NamedTuple):
    input: str
    replies: list[Reply]


def compose(seen: Sequence[Exchange], redactor: Redactor, *, name: str) -> Composed:
    """A scenario of what was seen; `name` is what to call it. Raises NothingRecorded."""
    found = sort(seen, redactor)
    if not found.replies:  # nothing but requests without tools: then they are the conversation
        found.replies, found.beside = found.beside, []
    if not found.replies:
        raise NothingRecorded
    world = _world([*found.replies, *found.beside], seen, redactor)
    turns = [
        TurnLines(input=turn.input, script=_lines(turn.replies, world), when="always")
        for turn in _turns(found.replies, redactor)
    ]
    first, steps = turns[0], len(found.replies)
    recordings = [reply.recorded for reply in found.replies]
    scenario = Scenario(
        schema=1,
        name=slug(name),
        claim=CLAIM,
        claims=CLAIMS,
        checks=CHECKS,
        requires=(
            *(("streaming",) if any(one.streamed for one in recordings) else ()),
            *(("memory",) if len(turns) > 1 else ()),
        ),
        world=world,
        input=first.input,
        script=first.script,
        next_turns=tuple(turns[1:]),
        recording=RecordingLines(beside=_lines(found.beside, world), asides=tuple(found.asides)),
        accept=_accepted(first.script),
        max_requests=min(2 * (steps + sum(len(one.failures) for one in found.replies)) + 8, 120),
        max_steps=min(steps + 5, STEPS_MAX),
    )
    return Composed(scenario, found)


def slug(name: str) -> str:
    """A scenario's name from any text."""
    words = re.findall(r"[a-z0-9]+", name.lower())
    return "-".join(words)[:NAME_CHARS_MAX].strip("-") or "recorded"


# --- turns ----------------------------------------------------------------------------------


def _turns(replies: Sequence[Reply], redactor: Redactor) -> list[_Turn]:
    """A turn begins with what the user says after a reply that made no call."""
    turns: list[_Turn] = []
    ended = True
    for reply in replies:
        messages = reply.conversation.messages
        if not turns or (ended and messages and messages[-1].role == "user"):
            turns.append(_Turn(_said(reply, redactor), []))
        turns[-1].replies.append(reply)
        ended = not reply.meant.calls
    return turns


def _said(reply: Reply, redactor: Redactor) -> str:
    said = [one.text for one in reply.conversation.messages if one.role == "user" and one.text]
    return redactor.text(said[-1]).replace("\0", "") if said else NO_INPUT


def _lines(replies: Sequence[Reply], world: WorldSpec) -> tuple[StepLine, ...]:
    tried = World(world, Ledger())
    return tuple(
        StepLine(
            say=reply.meant.text,
            calls=tuple(_call(call, tried) for call in reply.meant.calls),
            finish=_finish(reply),
            recorded=reply.recorded,
            failures=tuple(reply.failures),
        )
        for reply in replies
    )


def _finish(reply: Reply) -> Any:
    """The finish reason, where the content does not say it."""
    calls = tuple(ScriptedCall(tool=call.tool, arguments="") for call in reply.meant.calls)
    usual = Step(calls=calls).finish_reason
    return None if reply.meant.finish == usual else reply.meant.finish


def _call(call: MeantCall, world: World) -> CallLine:
    args = decoded(call.arguments)
    if (
        isinstance(args, dict)
        and world.tool(call.tool)
        and not world.validate(call.tool, args)
        and ScriptedCall.of(call.tool, args).arguments == call.arguments
    ):
        return CallLine(tool=call.tool, args=args, id=call.id)
    return CallLine(tool=call.tool, raw=call.arguments, id=call.id)


def _accepted(script: Sequence[StepLine]) -> tuple[Accept, ...]:
    """The turn ends as it did, and not before all of it was said."""
    replies = (len(script), 10 * len(script))
    last = script[-1]
    ends: tuple[EndReason, ...] = ("completed",)
    if last.recorded is not None and last.recorded.is_failure:
        ends = ("error",)
        replies = (len(script) - 1, 10 * len(script))
    elif last.finish in ("length", "content_filter"):
        ends = ("max_tokens", "blocked", "error")
    return (Accept(end_reason=ends, replies=replies),)


# --- tools ----------------------------------------------------------------------------------


def _world(replies: Sequence[Reply], seen: Sequence[Exchange], redactor: Redactor) -> WorldSpec:
    """The tools that were offered or called, each with the answers that it was seen to give."""
    tools: dict[str, CannedTool] = {}
    for reply in replies:
        for one in offered(reply.asked):
            tools[one.name] = _canned(
                redactor.text(one.description), redactor.value(one.parameters)
            )
    for reply in replies:
        for call in reply.meant.calls:
            tools.setdefault(call.tool, CannedTool())
    heard: set[str] = set()
    for reply in replies:
        for answer in answers(reply.conversation):
            tool = tools.get(answer.tool)
            if tool is None or answer.call in heard:
                continue
            heard.add(answer.call)
            canned = CannedAnswer(
                args=redactor.value(answer.args), answer=redactor.text(answer.text)
            )
            tools[answer.tool] = replace(tool, answers=(*tool.answers, canned))
    for name, served in mcp_tools(seen).items():
        if name not in tools:  # else the model was offered it, and its answers are there
            given = tuple(
                CannedAnswer(args=redactor.value(one.args), answer=redactor.text(one.text))
                for one in served.answers
            )
            declared = _canned(redactor.text(served.description), redactor.value(served.parameters))
            tools[name] = replace(declared, answers=given)
    return WorldSpec(canned=tools or None)


def _canned(description: str, parameters: dict[str, Any]) -> CannedTool:
    tool = CannedTool(description=description, parameters=parameters)
    try:
        World(WorldSpec(canned={"tool": tool}), Ledger())
    except ValueError:  # in a form of the provider's own: then it takes anything
        return CannedTool(description=description)
    return tool
