"""The same as `strictness_cases` for the APIs that think in turns, of Anthropic and Google."""

from __future__ import annotations

from typing import Any

from faultloop.fakes.strictness.levels import RuleName

from .strictness_cases import LONG, LOOSE, OPEN, USER, Body, Case

Rows = tuple[tuple[RuleName, Body, Body, str], ...]


def told(*rows: tuple[RuleName, Body, Body, str]) -> Rows:
    """Rows of APIs that say it all in the message."""
    return rows


# --- Messages -------------------------------------------------------------------------------


def messages(*said: Body, model: str = "m", max_tokens: int = 10, **more: Any) -> Body:
    return {"model": model, "max_tokens": max_tokens, "messages": list(said), **more}


def block(text: str) -> Body:
    return {"type": "text", "text": text}


def uses(*ids: str) -> Body:
    made = [{"type": "tool_use", "id": id_, "name": "read_file", "input": {}} for id_ in ids]
    return {"role": "assistant", "content": [block("I look."), *made]}


def tool_result(id_: str) -> Body:
    return {"type": "tool_result", "tool_use_id": id_, "content": "ok"}


def brings(*blocks: Body) -> Body:
    return {"role": "user", "content": list(blocks)}


def says(text: str) -> Body:
    return {"role": "assistant", "content": text}


def custom(schema: Body) -> Body:
    return {"name": "read_file", "input_schema": schema, "strict": True}


def unanswered(ids: str) -> str:
    return (
        f"messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: "
        f"{ids}. Each `tool_use` block must have a corresponding `tool_result` block in the next "
        "message."
    )


A, B = tool_result("a"), tool_result("b")
PAUSED: Body = {
    "role": "assistant",
    "content": [
        block("I look."),
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}},
    ],
}
ANTHROPIC = [
    Case(rule, "anthropic_messages", broken, right, message)
    for rule, broken, right, message in told(
        (
            "duplicate_calls",
            messages(USER, uses("a", "a"), brings(A)),
            messages(USER, uses("a", "b"), brings(A, B)),
            "messages.1.content.2: `tool_use` ids must be unique",
        ),
        (
            "unpaired_calls",
            messages(USER, uses("a", "b", "c"), brings(A)),
            messages(USER, uses("a"), brings(A)),
            unanswered("b, c"),
        ),
        (
            "unpaired_calls",
            messages(USER, uses("a", "b"), brings(A), brings(B)),
            messages(USER, uses("a", "b"), brings(B, A)),
            unanswered("b"),
        ),
        (
            "unpaired_calls",
            messages(USER, uses("a")),
            messages(USER, uses("a"), brings(A)),
            unanswered("a"),
        ),
        (
            "orphan_results",
            messages(USER, uses("a"), brings(A, B)),
            messages(USER, uses("a", "b"), brings(A, B)),
            "messages.2.content.1: unexpected `tool_use_id` found in `tool_result` blocks: b. Each "
            "`tool_result` block must have a corresponding `tool_use` block in the previous "
            "message.",
        ),
        (
            "duplicate_results",
            messages(USER, uses("a"), brings(A, A)),
            messages(USER, uses("a"), brings(A)),
            "messages.2.content.1: each tool_use must have a single result. Found multiple "
            "`tool_result` blocks with id: a",
        ),
        (
            "reused_calls",
            messages(USER, uses("a"), brings(A), uses("a"), brings(A)),
            messages(USER, uses("a"), brings(A), uses("b"), brings(B)),
            "messages.3.content.1: `tool_use` ids must be unique",
        ),
        (
            "misplaced_results",
            messages(USER, uses("a", "b"), brings(A, block("And?"), B)),
            messages(USER, uses("a", "b"), brings(A, B, block("And?"))),
            unanswered("b"),
        ),
        (
            "last_message",
            messages(USER, says("It is"), model="claude-opus-4-6"),
            messages(USER, says("It is"), model="claude-opus-4-5"),
            "This model does not support assistant message prefill. The conversation must end with "
            "a user message.",
        ),
        (
            "last_message",
            messages(USER, says("I look."), model="claude-opus-4-8"),
            messages(USER, PAUSED, model="claude-opus-4-8"),
            "This model does not support assistant message prefill. The conversation must end with "
            "a user message.",
        ),
        (
            "trailing_space",
            messages(USER, says("It is "), model="claude-opus-4-5"),
            messages(USER, says("It is"), model="claude-opus-4-5"),
            "messages: final assistant content cannot end with trailing whitespace",
        ),
        (
            "strict_schemas",
            messages(USER, tools=[custom(OPEN)]),
            messages(USER, tools=[custom(LOOSE)]),
            "tools.0.custom: For 'object' type, 'additionalProperties' must be explicitly set to "
            "false",
        ),
        (
            "output_overflow",
            messages(
                {"role": "user", "content": LONG}, model="claude-opus-4-1", max_tokens=195_000
            ),
            messages({"role": "user", "content": LONG}, model="claude-opus-4-1", max_tokens=9_000),
            "input length and `max_tokens` exceed context limit: {tokens} + 195000 > 200000, "
            "decrease input length or `max_tokens` and try again",
        ),
    )
]
ANTHROPIC.append(
    Case(
        "context_overflow",
        "anthropic_messages",
        messages({"role": "user", "content": LONG}),
        messages(USER),
        "prompt is too long: {tokens} tokens > 8000 maximum",
        window=8000,
    ),
)

# --- Gemini ---------------------------------------------------------------------------------


def contents(*said: Body, model: str = "gemini-3.8-flash") -> Body:
    return {"contents": list(said), "model": model}


def part(text: str, role: str = "user") -> Body:
    return {"role": role, "parts": [{"text": text}]}


def function_calls(*names: str, signed: bool = True) -> Body:
    parts: list[Body] = [{"functionCall": {"name": name, "args": {}}} for name in names]
    if signed:
        parts[0]["thoughtSignature"] = "c2lnbmVk"
    return {"role": "model", "parts": parts}


def function_responses(*names: str) -> Body:
    made = [{"functionResponse": {"name": name, "response": {"output": "ok"}}} for name in names]
    return {"role": "user", "parts": made}


TALK = part("Go.")
COUNT = (
    "Please ensure that the number of function response parts is equal to the number of function "
    "call parts of the function call turn."
)
UNSIGNED = (
    "Function call is missing a thought_signature in functionCall parts. This is required for "
    "tools to work correctly, and missing thought_signature may lead to degraded model "
    "performance. Additional data, function call `default_api:a` , position 4. Please refer to "
    "https://ai.google.dev/gemini-api/docs/thought-signatures for more details."
)
SECOND = (function_calls("a"), function_responses("a"))
GEMINI = [
    Case(rule, "gemini", broken, right, message)
    for rule, broken, right, message in told(
        (
            "unpaired_calls",
            contents(TALK, function_calls("a", "b"), function_responses("a")),
            contents(TALK, function_calls("a", "b"), function_responses("b", "a")),
            COUNT,
        ),
        ("unpaired_calls", contents(TALK, *SECOND[:1], TALK), contents(TALK, *SECOND, TALK), COUNT),
        (
            "orphan_results",
            contents(TALK, function_responses("a")),
            contents(TALK, *SECOND),
            "Please ensure that function response turn comes immediately after a function call "
            "turn.",
        ),
        (
            "duplicate_results",
            contents(TALK, function_calls("a"), function_responses("a", "a")),
            contents(TALK, *SECOND),
            COUNT,
        ),
        (
            "call_turns",
            contents(*SECOND),
            contents(TALK, *SECOND, *SECOND),
            "Please ensure that function call turn comes immediately after a user turn or after a "
            "function response turn.",
        ),
        (
            "call_turns",
            contents(part("I look.", "model"), *SECOND),
            contents(TALK, part("I look.", "model"), *SECOND),
            "Please ensure that function call turn comes immediately after a user turn or after a "
            "function response turn.",
        ),
        (
            "thought_signatures",
            contents(TALK, *SECOND, function_calls("a", signed=False), SECOND[1]),
            contents(TALK, function_calls("a", signed=False), SECOND[1], TALK, *SECOND),
            UNSIGNED,
        ),
        (
            "last_message",
            contents(TALK, part("It is", "model")),
            contents(TALK, part("It is", "model"), model="gemini-2.5-flash"),
            "Requests ending with a model turn are not supported.",
        ),
    )
]
GEMINI.append(
    Case(
        "context_overflow",
        "gemini",
        contents(part(LONG)),
        contents(TALK),
        "The input token count ({tokens}) exceeds the maximum number of tokens allowed (8000).",
        window=8000,
    ),
)
