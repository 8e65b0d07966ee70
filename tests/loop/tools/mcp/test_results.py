"""What a server's answers and errors stand for, without a server (SPEC C4, D4, P8)."""

from __future__ import annotations

from typing import Any

import mcp_types as types
import pytest

from faultloop.loop.contract import Contract
from faultloop.loop.tools.mcp import results

WRITES = Contract(name="shed__put", purpose="p", parameters={})
READS = Contract(name="shed__look", purpose="p", parameters={}, read_only=True)
KEYED = Contract(name="shed__keyed", purpose="p", parameters={}, honours_key=True)

ERRORS: list[tuple[int, str, str, str]] = [
    # code, of a tool that writes, of one that reads, our code
    (types.INVALID_PARAMS, "failed", "failed", "INVALID_ARGS"),
    (types.METHOD_NOT_FOUND, "failed", "failed", "UNKNOWN_TOOL"),
    (types.INVALID_REQUEST, "failed", "failed", "REFUSED"),
    (types.REQUEST_TIMEOUT, "unknown", "failed", "TIMEOUT"),
    (types.CONNECTION_CLOSED, "unknown", "failed", "CONNECTION_LOST"),
    (types.INTERNAL_ERROR, "unknown", "failed", "SERVER_ERROR"),
    (12345, "unknown", "failed", "SERVER_ERROR"),
]


@pytest.mark.parametrize(("number", "writing", "reading", "code"), ERRORS)
def test_an_error_before_the_tool_failed_and_any_other_leaves_an_effect_open(
    number: int, writing: str, reading: str, code: str
) -> None:
    told = results.of_error(WRITES, number, "why", trusted=True)
    assert (told.outcome, told.code) == (writing, code)
    assert ("Nothing was run." in told.content) is (writing == "failed")
    assert results.of_error(READS, number, "why", trusted=True).outcome == reading


@pytest.mark.parametrize("number", [row[0] for row in ERRORS])
def test_a_server_that_is_not_trusted_is_not_believed_that_nothing_was_run(number: int) -> None:
    told = results.of_error(WRITES, number, "why", trusted=False)
    assert told.outcome == "unknown"
    assert "Nothing was run." not in told.content
    assert not told.retryable
    assert results.of_error(READS, number, "why", trusted=False).outcome == "failed"


def test_another_try_is_only_offered_where_it_is_harmless() -> None:
    assert not results.silent(WRITES, 5.0).retryable
    assert results.silent(KEYED, 5.0).retryable
    assert results.silent(READS, None).retryable
    assert not results.gone(READS, "shed", "it has ended").retryable


def test_what_a_server_says_of_an_error_is_bounded() -> None:
    for trusted in (True, False):
        told = results.of_error(WRITES, types.INVALID_PARAMS, "x" * 100_000, trusted=trusted)
        assert len(told.content) < 1_000
    assert len(results.unreadable(WRITES, ValueError("x" * 100_000)).content) < 1_000


CONTENT: list[tuple[dict[str, Any], str]] = [
    ({"content": []}, "(no content)"),
    ({"content": [], "structuredContent": {"a": 1}}, '{"a":1}'),
    ({"content": [{"type": "text", "text": "a"}], "structuredContent": {"a": 1}}, "a"),
    ({"content": [{"type": "audio", "data": "", "mimeType": "audio/wav"}]},
     "[audio audio/wav: not shown]"),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "content"), CONTENT)
def test_content_becomes_text(answer: dict[str, Any], content: str) -> None:
    result = results.of_answer(types.CallToolResult.model_validate(answer))
    assert (result.outcome, result.content) == ("ok", content)


def test_an_error_without_content_is_still_one() -> None:
    answer = types.CallToolResult.model_validate({"content": [], "isError": True})
    assert results.of_answer(answer).content == "It failed."
    assert results.of_answer(answer).code == "TOOL_FAILED"
