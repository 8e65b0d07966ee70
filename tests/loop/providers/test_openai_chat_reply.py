"""Read leniently where a field is not needed, strictly where it is (SPEC P3)."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from faultloop.loop.providers.error_body import ErrorBody, error_of
from faultloop.loop.providers.lenient import arguments
from faultloop.loop.providers.openai_chat_reply import of_chunk
from faultloop.loop.providers.port import (
    CallDelta,
    Delta,
    FinishDelta,
    ProviderFailure,
    TextDelta,
    UsageDelta,
)


def chunk(**delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta}]}


def called(**fields: Any) -> dict[str, Any]:
    call = {"index": 0, "id": "c", "function": {"name": "a", "arguments": "{}"}, **fields}
    return chunk(tool_calls=[call])


HI = [TextDelta("hi")]
PARTS = [{"type": "text", "text": "h"}, {"type": "image"}, None, "i", 7]

LENIENT: list[tuple[dict[str, Any], list[Delta]]] = [
    (chunk(content=PARTS), HI),
    (chunk(content={"text": "hi"}), HI),
    (chunk(content=7), []),
    ({"choices": [{"index": None, "delta": {"content": "hi"}}]}, HI),
    ({"choices": [{"index": "0", "delta": {"content": "hi"}}]}, HI),
    ({"choices": [{"index": 1, "delta": {"content": "another answer"}}]}, []),
    ({"choices": [None, {"delta": {"content": "hi"}}]}, HI),
    ({"choices": [{"delta": {"content": "hi"}, "finish_reason": 0}]}, HI),
    ({"choices": [{"delta": None, "finish_reason": "stop"}]}, [FinishDelta("stop", "stop")]),
    ({"choices": [{"finish_reason": {"why": "?"}}]}, []),
    (called(index="0"), [CallDelta(0, "c", "a", "{}")]),
    (called(index=1.0), [CallDelta(1, "c", "a", "{}")]),
    (called(index={}), [CallDelta(None, "c", "a", "{}")]),
    (called(id=7), [CallDelta(0, "7", "a", "{}")]),
    (called(id=["c"]), [CallDelta(0, None, "a", "{}")]),
    (called(function=None), [CallDelta(0, "c", None, "")]),
    (called(function={"name": 3, "arguments": ["x"]}), [CallDelta(0, "c", "3", '["x"]')]),
    (chunk(tool_calls=[None]), []),
    ({"usage": {"prompt_tokens": 1.5, "completion_tokens": "2"}}, [UsageDelta(1, 2)]),
    ({"usage": {"prompt_tokens": 5, "prompt_tokens_details": "x"}}, [UsageDelta(5, 0)]),
    ({"usage": {"prompt_tokens": 5, "prompt_tokens_details": {"cached_tokens": 3.0}}},
     [UsageDelta(5, 0, 3)]),
    ({"usage": {"prompt_tokens": 1e400}}, []),
    ({"usage": {"total": 5}}, []),
    ({"usage": "none"}, []),
    ({"error": {}, **chunk(content="hi")}, HI),
    ({"error": False, **chunk(content="hi")}, HI),
]  # fmt: skip


@pytest.mark.parametrize(
    ("data", "deltas"), LENIENT, ids=lambda value: json.dumps(value, default=str)
)
def test_a_field_that_is_not_needed_never_breaks_a_reply(
    data: dict[str, Any], deltas: list[Delta]
) -> None:
    assert list(of_chunk(json.dumps(data))) == deltas


DEEP = '{"a":' * 3_000 + "0" + "}" * 3_000

DAMAGED = [
    '{"choices": "none"}',
    '{"choices": [{"delta": "hi"}]}',
    '{"choices": [{"delta": {"tool_calls": "none"}}]}',
    '{"choices": [{"delta": {"tool_calls": ["none"]}}]}',
    '{"choices": [{"delta": {"tool_calls": [{"function": {"name": "a", "arguments": '
    + DEEP
    + "}}]}}]}",
    "[1]",
    "{",
]


@pytest.mark.parametrize("data", DAMAGED, ids=range(len(DAMAGED)))
def test_what_is_needed_and_wrong_is_damage_of_the_wire(data: str) -> None:
    with pytest.raises(ProviderFailure) as caught:
        list(of_chunk(data))
    assert caught.value.kind == "broken"


def nested(depth: int) -> str:
    """A call whose arguments came decoded, so many lists in one another."""
    return json.dumps(called(function={"name": "a", "arguments": "HERE"})).replace(
        '"HERE"', "[" * depth + "]" * depth
    )


def test_however_deep_arguments_are_they_come_whole_or_are_damage_of_the_wire() -> None:
    """Python's limit of recursion counts what is already on the stack: it is looked for."""
    kinds: list[str] = []
    for depth in range(1, sys.getrecursionlimit() + 10, 3):
        try:
            (delta,) = of_chunk(nested(depth))
        except ProviderFailure as failure:
            kinds.append(failure.kind)
        else:
            assert isinstance(delta, CallDelta)
            assert delta.arguments == "[" * depth + "]" * depth
    assert set(kinds) <= {"broken"}
    assert len(kinds) < 100, "most came whole"


def test_arguments_that_cannot_be_text_again_are_damage_of_the_wire() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ProviderFailure, match="arguments cannot be read: it is nested too deeply"):
        arguments(deep)


ERRORS = [
    (b'{"error": {"message": "m", "code": 7}}', "m", "7"),
    (b'{"error": {"message": "m", "type": "t"}}', "m", "t"),
    (b'{"message": "m"}', "m", None),
    (b'{"error": "out of credit"}', "out of credit", None),
    (b'["no", "object"]', "['no', 'object']", None),
    (b"<h1>504</h1>\n", "<h1>504</h1>", None),
]


@pytest.mark.parametrize(("raw", "message", "code"), ERRORS)
def test_an_error_is_read_in_any_of_its_shapes(raw: bytes, message: str, code: str | None) -> None:
    assert error_of(raw) == ErrorBody(message=message, code=code)
