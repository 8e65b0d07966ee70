"""What an SDK forgives is found all the same: streams that lack a piece, or say it twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from faultloop.bench.sdks import lines
from faultloop.bench.sdks.ears import anthropic_messages, openai_chat, openai_responses
from faultloop.bench.sdks.lines import Line, Lines
from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.dialects.dialect import Frame
from faultloop.fakes.reply import Reply, ReplyCall, pieces

REPLY = Reply(
    id="r",
    turn=0,
    step=1,
    text="I look at both.",
    calls=(
        ReplyCall(id="call_0", tool="look", arguments='{"path": "a.txt"}'),
        ReplyCall(id="call_1", tool="look", arguments='{"path": "b.txt"}'),
    ),
    finish="tool_calls",
    prompt_tokens=9,
    completion_tokens=9,
)

JUDGES: dict[str, Callable[[Lines], Iterable[str]]] = {
    "openai_chat": openai_chat.misshapen,
    "openai_responses": lambda read: openai_responses.contradictions(
        [each.data for each in read.events]
    ),
    "anthropic_messages": lambda read: anthropic_messages.misshapen(
        [each.data for each in read.events]
    ),
}
FORGIVEN = ("ping", "response.created", "response.in_progress", "response.content_part")
"""Events whose absence another judge sees: the kinds, or the numbers."""


def stream(dialect: str) -> Lines:
    spelling = DIALECTS[dialect].stream(REPLY, Frame(created_s=0, model="m", usage=True))
    return lines.read([spelling.event(item) for item in pieces(REPLY)])  # type: ignore[arg-type]


def is_vital(line: Line) -> bool:
    """Whether a stream without it, or with it twice, is not the reply any more."""
    kind = line.data.get("type", "")
    if "choices" in line.data:
        choices = line.data["choices"]
        return not choices or bool(choices[0]["finish_reason"])
    return not kind.startswith(FORGIVEN) and "added" not in kind and kind != "response.completed"


@pytest.mark.parametrize("dialect", JUDGES)
def test_a_stream_as_it_should_be_has_nothing_wrong(dialect: str) -> None:
    assert [*JUDGES[dialect](stream(dialect))] == []


@pytest.mark.parametrize("dialect", JUDGES)
def test_an_event_that_is_missing_is_found(dialect: str) -> None:
    read = stream(dialect)
    for at, line in enumerate(read.events):
        if is_vital(line) and not _is_one_of_several(line):
            left = read._replace(events=read.events[:at] + read.events[at + 1 :])
            assert [*JUDGES[dialect](left)], line


def _is_one_of_several(line: Line) -> bool:
    """Of a text in pieces the sum is judged where the script is known."""
    return line.data.get("type") == "content_block_delta"


@pytest.mark.parametrize("dialect", ["openai_chat", "anthropic_messages"])
def test_an_end_that_comes_twice_is_found(dialect: str) -> None:
    read = stream(dialect)
    ends = [
        at
        for at, line in enumerate(read.events)
        if is_vital(line) and line.data.get("type") != "content_block_delta"
    ]
    assert ends
    for at in ends:
        twice = read._replace(events=read.events[: at + 1] + read.events[at:])
        assert [*JUDGES[dialect](twice)], read.events[at]


def test_an_answer_that_does_not_say_it_is_a_stream_is_found() -> None:
    assert lines.untyped({"content-type": "text/event-stream; charset=utf-8"}) == []
    assert lines.untyped({"content-type": "application/json"})
