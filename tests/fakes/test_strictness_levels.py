"""Strictness as people write it, the tables of models, the count of tokens, the page."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from faultloop.fakes.conversation import Conversation, Message, SaidCall, StrictTool
from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.strictness import RULES, asked, judge, tokens
from faultloop.fakes.strictness.levels import REAL, Strictness, read
from faultloop.fakes.strictness.models import WINDOWS, signs, takes_prefill, window
from faultloop.fakes.strictness.page import PAGE, document
from faultloop.fakes.strictness.turns import turns

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("text", "strictness"),
    [
        ("", REAL),
        ("real", REAL),
        ("lenient", Strictness(level="lenient")),
        ("real,-unpaired_calls", Strictness(off=("unpaired_calls",))),
        (
            "-last_message, -tool_count ,context=8000",
            Strictness(off=("last_message", "tool_count"), context_tokens=8000),
        ),
    ],
)
def test_a_command_line_says_how_strict(text: str, strictness: Strictness) -> None:
    assert read(text) == strictness
    assert read(str(strictness)) == strictness


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("severe", "'severe' says nothing about strictness: write real or strict or lenient, -R"),
        ("unpaired_calls", "'unpaired_calls' says nothing about strictness"),
        ("-no_such", "the rules are object_arguments, duplicate_calls"),
        ("context=0", "'0' is no number of tokens"),
        ("context=8k", "'8k' is no number of tokens; write for instance context=8000"),
    ],
)
def test_what_says_nothing_is_named_with_what_would(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=r"tokens|strictness") as raised:
        read(text)

    assert complaint in str(raised.value)


def test_a_rule_that_is_off_is_not_asked() -> None:
    without = Strictness(off=("unpaired_calls",))
    rules = [one.rule for one in asked("openai_chat", REAL)]

    assert [one.rule for one in asked("openai_chat", without)] == [
        rule for rule in rules if rule != "unpaired_calls"
    ]


def test_local_servers_are_asked_what_they_were_seen_to_reject() -> None:
    kept = [one.rule for one in asked("openai_chat", Strictness(level="lenient"))]

    assert kept == ["object_arguments", "context_overflow"]


@pytest.mark.parametrize(
    ("model", "most"),
    [
        ("gpt-4", 8_192),
        ("gpt-4-0613", 8_192),
        ("gpt-4-turbo-2024-04-09", 128_000),
        ("gpt-4o-mini", 128_000),
        ("gpt-5-mini", 272_000),
        ("gpt-5.3", None),
        ("gpt-5.6-sol", 922_000),
        ("claude-opus-4-5-20251101", 200_000),
        ("claude-opus-4-6", None),
        ("gemini-2.5-pro", 1_048_576),
        ("fake-model", None),
    ],
)
def test_the_longest_beginning_of_a_models_name_tells_its_window(
    model: str, most: int | None
) -> None:
    assert window(model) == most


def test_every_window_has_a_source() -> None:
    assert all(source for _, source in WINDOWS.values())


@pytest.mark.parametrize(
    ("model", "taken"),
    [
        ("claude-3-5-sonnet-20240620", True),
        ("claude-sonnet-4-20250514", True),
        ("claude-sonnet-4-5", True),
        ("claude-sonnet-4-6", False),
        ("gemini-2.5-flash", True),
        ("gemini-3.5-flash", True),
        ("gemini-3.5-flash-lite", False),
        ("gemini-3.8-flash", False),
    ],
)
def test_older_models_go_on_with_what_was_begun_for_them(model: str, taken: bool) -> None:
    assert takes_prefill(model) is taken


def test_gemini_signs_since_its_third_generation() -> None:
    assert [signs(model) for model in ("gemini-2.5-pro", "gemini-3-pro-preview", "x")] == [
        False,
        True,
        True,
    ]


# --- tokens ---------------------------------------------------------------------------------


def test_without_a_vocabulary_four_bytes_are_a_token() -> None:
    assert [tokens.estimate(text) for text in ("", "a", "abcd", "abcde", "ßßß", "\ud800")] == [
        *(0, 1, 1, 2, 2, 1)
    ]


@pytest.mark.skipif(not tokens.CAN_COUNT, reason="needs the extra `tokens`")
def test_tokens_are_those_of_openais_vocabulary() -> None:
    call = SaidCall(id="a", name="read_file", arguments='{"path": "a.txt"}')
    messages = (Message(role="user", text="hello world"), Message(role="assistant", calls=(call,)))

    assert tokens.of_messages(Conversation(messages=messages[:1])) == tokens.MESSAGE_TOKENS + 2
    assert tokens.of_messages(Conversation(messages=messages)) > 2 * tokens.MESSAGE_TOKENS + 2


def test_tools_count_as_they_are_spelt() -> None:
    body = '{"tools": [{"type": "function", "function": {"name": "read_file"}}], "model": "m"}'

    assert tokens.of_tools(Conversation(messages=(), raw=f"{body}\ncall_1")) > 5
    assert tokens.of_tools(Conversation(messages=(), raw='{"model": "m"}')) == 0
    assert tokens.of_tools(Conversation(messages=(), raw="{")) == 0


@pytest.mark.parametrize("raw", ["x" * 100, "ß" * 50])
def test_a_request_has_no_more_tokens_than_bytes(raw: str) -> None:
    conversation = Conversation(messages=(), raw=raw)

    assert tokens.cannot_exceed(conversation, 100)
    assert not tokens.cannot_exceed(conversation, 99)


# --- turns ----------------------------------------------------------------------------------


def test_messages_of_one_wire_message_are_a_turn_and_the_systems_words_none() -> None:
    said = Conversation(
        messages=(
            Message(role="system", text="Be kind."),
            Message(role="user", text="Go."),
            Message(role="tool", result_of="a"),
            Message(role="user", text="And?"),
            Message(role="tool", result_of="b"),
        ),
        wire=(-1, 0, 1, 1, 1),
    )

    first, second = turns(said)
    assert (first.at, first.results, first.late_results) == (0, [], [])
    assert (second.at, second.results, second.late_results) == (1, ["a", "b"], ["b"])


def test_the_page_is_what_the_rules_make_of_it() -> None:
    committed = (ROOT / "docs" / PAGE).read_text(encoding="utf-8")

    assert committed == document(), "run: make strictness"


# --- strict schemas -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": [1], "required": 7, "additionalProperties": False},
        {"type": ["object", "null"], "additionalProperties": False, "anyOf": {"a": 1}},
        {"$defs": None, "items": [{}], "definitions": {"a": True}},
        {},
    ],
)
def test_no_schema_is_too_odd_to_be_judged(schema: dict[str, object]) -> None:
    tool = StrictTool(name="a", path="tools[0]", schema=msgspec.json.encode(schema))
    conversation = Conversation(messages=(Message(role="user"),), strict=(tool,))

    for dialect in ("openai_chat", "openai_responses", "anthropic_messages"):
        assert RULES["strict_schemas"].rows[dialect].find(conversation) is None


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_conversation_without_messages_breaks_no_rule(dialect: str) -> None:
    assert judge(Conversation(messages=()), dialect) is None
