"""Each client before the project's own fake provider: what is said arrives, what breaks is known.

The fake is as strict as any server of the dialect: a history that is spelt wrongly is refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.faults.block_end_missing import BlockEndMissing
from faultloop.fakes.faults.block_start_missing import BlockStartMissing
from faultloop.fakes.faults.closed_at_byte import ClosedAtByte
from faultloop.fakes.faults.cut_in_arguments import CutInArguments
from faultloop.fakes.faults.end_mark_missing import EndMarkMissing
from faultloop.fakes.faults.error_event import ErrorEvent
from faultloop.fakes.faults.gzipped import Gzipped
from faultloop.fakes.faults.interleaved_calls import InterleavedCalls
from faultloop.fakes.faults.keep_alives import KeepAlives
from faultloop.fakes.faults.late_delta import LateDelta
from faultloop.fakes.faults.late_id import LateId
from faultloop.fakes.faults.malformed_event import MalformedEvent
from faultloop.fakes.faults.null_deltas import NullDeltas
from faultloop.fakes.faults.overloaded import Overloaded
from faultloop.fakes.faults.rate_limited import RateLimited
from faultloop.fakes.faults.rejected_request import RejectedRequest
from faultloop.fakes.faults.repeated_names import RepeatedNames
from faultloop.fakes.faults.server_error import ServerError
from faultloop.fakes.faults.unknown_events import UnknownEvents
from faultloop.loop.assembler import Reply
from faultloop.loop.providers.port import ProviderFailure

from .staged import APPEND, DIALECTS, READ, Visit, conversation, first, in_process, over_a_socket

OTHERS = DIALECTS[1:]

dialects = pytest.mark.parametrize("dialect", DIALECTS)
others = pytest.mark.parametrize("dialect", OTHERS)
forms = pytest.mark.parametrize("stream", [True, False], ids=["streamed", "whole"])
carried = pytest.mark.parametrize("carry", [in_process, over_a_socket])

Carry = Callable[..., Any]


def calls(reply: Reply) -> list[tuple[str, Any]]:
    return [(call.name, json.loads(call.arguments or "{}")) for call in reply.message.calls]


BOTH = [("read_file", READ), ("append_file", APPEND)]


@carried
@forms
@dialects
def test_a_conversation_with_tools_is_spelt_as_a_strict_provider_wants_it(
    dialect: str, stream: bool, carry: Carry
) -> None:
    replies: list[Reply] = carry(conversation(dialect, stream=stream))
    assert [calls(reply) for reply in replies] == [BOTH, [("now", {})], [], []]
    texts = [reply.message.text.partition(" [ref")[0] for reply in replies]
    assert texts[0] == "I look, and then I write."
    assert texts[2:] == ["Both are done.", "You are welcome."]
    assert [reply.ending for reply in replies] == ["whole"] * 4
    finish = [reply.message.finish_reason for reply in replies]
    assert finish == ["tool_calls", "tool_calls", "stop", "stop"]
    for reply in replies:
        assert reply.usage is not None
        assert reply.usage.input_tokens > 0 < reply.usage.output_tokens
    assert len({call.id for reply in replies for call in reply.message.calls}) == 3


# --- what changes nothing -------------------------------------------------------------------

HARMLESS: list[Fault] = [
    BlockEndMissing(at="step 1"),
    Gzipped(at="step 1"),
    InterleavedCalls(at="step 1"),
    KeepAlives(at="step 1"),
    LateDelta(at="step 1"),
    LateId(at="step 1"),
    NullDeltas(at="step 1"),
    RepeatedNames(at="step 1"),
    UnknownEvents(at="step 1"),
]


@pytest.mark.parametrize("fault", HARMLESS, ids=lambda fault: fault.kind)
@others
def test_what_adapters_do_on_the_way_changes_nothing(dialect: str, fault: Fault) -> None:
    plain: Reply = in_process(first(dialect, stream=True))
    reply: Reply = in_process(first(dialect, stream=True), fault)
    assert reply == plain
    assert calls(reply) == BOTH


@dialects
def test_a_call_that_never_began_is_nobody_elses(dialect: str) -> None:
    visit, fault = first(dialect, stream=True), BlockStartMissing(at="step 1")
    if dialect == "gemini":  # which has a finish reason for it
        assert failed(visit, fault).kind == "broken"
        return
    reply: Reply = in_process(visit, fault)
    assert calls(reply) == [BOTH[0], ("missing_name", APPEND)]


# --- what breaks ----------------------------------------------------------------------------


def failed(visit: Visit, *faults: Fault, carry: Carry = in_process) -> ProviderFailure:
    with pytest.raises(ProviderFailure) as caught:
        carry(visit, *faults)
    return caught.value


@carried
@dialects
def test_a_stream_that_stops_in_the_arguments_is_no_reply(dialect: str, carry: Carry) -> None:
    reply: Reply = carry(first(dialect, stream=True), CutInArguments(at="step 1"))
    assert reply.ending == "broken"


@dialects
def test_a_finish_is_enough_where_the_end_mark_is_missing(dialect: str) -> None:
    fault = EndMarkMissing(at="step 1")
    if dialect == "openai_responses":  # whose end mark says how it ended
        assert in_process(first(dialect, stream=True), fault).ending == "broken"
    else:
        assert in_process(first(dialect, stream=True), fault).ending == "whole"


@carried
@dialects
def test_an_error_in_the_stream_is_a_failure_of_its_kind(dialect: str, carry: Carry) -> None:
    failure = failed(first(dialect, stream=True), ErrorEvent(at="step 1"), carry=carry)
    assert (failure.kind, failure.status) == ("unavailable", None)
    assert "The server is overloaded. Please try again later." in str(failure)


@pytest.mark.parametrize("after", [1, 2, 4, 8])
@dialects
def test_an_event_that_is_no_json_breaks_the_reply(dialect: str, after: int) -> None:
    fault = MalformedEvent(at="step 1", after_deltas=after)
    failure = failed(first(dialect, stream=True), fault)
    assert failure.kind == "broken"
    assert "cannot be read" in str(failure)


@forms
@carried
@dialects
def test_a_body_that_is_cut_off_is_broken(dialect: str, stream: bool, carry: Carry) -> None:
    fault = ClosedAtByte(at="step 1", after_bytes=200)
    assert failed(first(dialect, stream=stream), fault, carry=carry).kind == "broken"


REFUSED: list[tuple[Fault, str, int | None]] = [
    (RateLimited(at="step 1", retry_after_s=7), "rate_limited", 429),
    (ServerError(at="step 1"), "unavailable", 500),
    (Overloaded(at="step 1"), "unavailable", None),
    (RejectedRequest(at="step 1"), "rejected", 400),
]


@forms
@pytest.mark.parametrize(
    ("fault", "kind", "status"), REFUSED, ids=[fault.kind for fault, *_ in REFUSED]
)
@dialects
def test_a_refusal_has_its_kind_and_the_wait_that_is_asked_for(
    dialect: str, fault: Fault, kind: str, status: int | None, stream: bool
) -> None:
    failure = failed(first(dialect, stream=stream), fault)
    assert failure.kind == kind
    assert status in (None, failure.status)
    assert failure.retry_after_s == (7 if kind == "rate_limited" else failure.retry_after_s)
