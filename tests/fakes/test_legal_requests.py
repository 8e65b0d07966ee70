"""Requests that the real APIs reply to: what their SDKs send, and what their documentation shows.

Each once was, or could easily be, taken for a breach. A reply is all that is asked for.
"""

from __future__ import annotations

from typing import Any

import pytest

from faultloop.fakes.conversation import Conversation, Message, SaidCall
from faultloop.fakes.strictness import REAL, Strictness, judge
from faultloop.fakes.strictness.turns import joined_turns, turns

from .strictness_cases import LONG
from .strictness_cases_by_turn import (
    A,
    B,
    block,
    brings,
    contents,
    function_calls,
    function_responses,
    messages,
    part,
    says,
    uses,
)
from .test_strictness_served import served

USER = {"role": "user", "content": "Go."}
TALK = part("Go.")
RESULT = function_responses("a")

SEARCH = {"type": "web_search_20250305", "name": "web_search"}

LEGAL: list[tuple[str, str, dict[str, Any]]] = [
    ("service tier of 2026-10", "openai_responses", {"service_tier": "ultrafast"}),
    ("the assistant speaks first", "anthropic_messages", messages(says("How can I help?"), USER)),
    (
        "a model that stops where its window ends",
        "anthropic_messages",
        messages({"role": "user", "content": LONG}, model="claude-opus-4-5", max_tokens=195_000),
    ),
    (
        "text and a picture after results",
        "anthropic_messages",
        messages(
            USER, uses("a", "b"), brings(B, A, block("And?"), {"type": "image", "source": {}})
        ),
    ),
    (
        "any tool, where all are run by the API",
        "anthropic_messages",
        messages(USER, tools=[SEARCH], tool_choice={"type": "any"}),
    ),
    (
        "the choice of a tool that the API runs",
        "anthropic_messages",
        messages(USER, tools=[SEARCH], tool_choice={"type": "tool", "name": "web_search"}),
    ),
    (
        "a turn in chunks",
        "gemini",
        contents(
            TALK,
            *(part("I ", "model"), part("look.", "model"), function_calls("a")),
            *(function_calls("b", signed=False), part("", "model")),
            function_responses("a", "b"),
        ),
    ),
    (
        "the user speaks beside results, so that what was before is past",
        "gemini",
        contents(
            TALK,
            function_calls("a", signed=False),
            {"role": "user", "parts": [*RESULT["parts"], {"text": "And?"}]},
        ),
    ),
    (
        "a name of 128 letters",
        "gemini",
        {**contents(TALK), "tools": [{"functionDeclarations": [{"name": "f" * 128}]}]},
    ),
]


@pytest.mark.parametrize(
    ("dialect", "body"), [row[1:] for row in LEGAL], ids=[row[0] for row in LEGAL]
)
def test_a_legal_request_is_replied_to(dialect: str, body: dict[str, Any]) -> None:
    if dialect == "openai_responses":
        body = {"model": "m", "input": "Go.", **body}
    status, answer, refused = served(dialect, body, REAL)
    assert (status, refused) == (200, []), answer


def test_what_the_model_said_in_a_row_is_one_turn_and_results_are_not() -> None:
    call = SaidCall(id="a", name="f", arguments="{}")
    said = Conversation(
        messages=(
            Message(role="user", text="Go."),
            Message(role="assistant", text="I look."),
            Message(role="assistant", calls=(call,)),
            Message(role="tool", result_of="a"),
            Message(role="tool", result_of="b"),
        )
    )
    assert [turn.at for turn in turns(said)] == [0, 1, 2, 3, 4]
    joined = joined_turns(said)
    assert [turn.at for turn in joined] == [0, 1, 3, 4]
    assert joined[1].calls == [call]


def test_a_call_without_a_signature_is_told_by_its_own_place() -> None:
    broken = contents(TALK, part("I look.", "model"), function_calls("a", signed=False), RESULT)
    _, answer, (refused,) = served("gemini", broken, REAL)
    assert refused.rule == "thought_signatures"
    assert "`default_api:a` , position 3." in answer["error"]["message"]


def test_a_number_without_end_in_a_call_is_no_object() -> None:
    call = SaidCall(id="a", name="f", arguments="1" * 5000)
    said = Conversation(
        messages=(
            Message(role="user", text="Go."),
            Message(role="assistant", calls=(call,)),
            Message(role="tool", result_of="a"),
        )
    )
    violation = judge(said, "openai_responses", Strictness(level="strict"))
    assert violation is not None
    assert violation.message.endswith("invalid JSON: Number out of range")
