"""For each strictness rule and each API that keeps it: a body that breaks it, and its neighbour
that does not. The neighbour differs in just what the rule is about. Here those of OpenAI."""

from __future__ import annotations

from typing import Any, NamedTuple

from faultloop.fakes.strictness.levels import RuleName

Body = dict[str, Any]


class Case(NamedTuple):
    """One row: what is broken, what is right, and what the broken one is told."""

    rule: RuleName
    dialect: str
    broken: Body
    right: Body
    message: str
    param: str | None = None
    code: str | None = None
    window: int | None = None
    """Tokens that the model takes, where it is not the model's own number."""


CLOSED = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
    "additionalProperties": False,
}
OPEN = {**CLOSED, "additionalProperties": True}
LOOSE = {**CLOSED, "required": []}
EXTRA = {**CLOSED, "required": ["path", "line"]}
NESTED = {**CLOSED, "properties": {"path": {**OPEN, "properties": {}, "required": []}}}
LONG = "word " * 9000
"""Some 9,000 tokens, more than gpt-4 takes."""

# --- Chat Completions -----------------------------------------------------------------------

USER = {"role": "user", "content": "Go."}


def chat(*messages: Body, model: str = "m", **more: Any) -> Body:
    return {"model": model, "messages": [USER, *messages], **more}


def makes(*ids: str, arguments: str = "{}") -> Body:
    function = {"name": "read_file", "arguments": arguments}
    calls = [{"id": id_, "type": "function", "function": function} for id_ in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def gives(id_: str) -> Body:
    return {"role": "tool", "tool_call_id": id_, "content": "ok"}


def function(parameters: Body, strict: bool = True, name: str = "read_file") -> Body:
    inner = {"name": name, "parameters": parameters, "strict": strict}
    return {"type": "function", "function": inner}


def functions(count: int) -> list[Body]:
    return [function({}, strict=False, name=f"tool_{n}") for n in range(count)]


NO_RESULTS = (
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
    "'tool_call_id'. The following tool_call_ids did not have response messages: "
)
ARGUMENTS = "messages.1.tool_calls.0.function.arguments"
NOT_CLOSED = "In context=(), 'additionalProperties' is required to be supplied and to be false."
KEYS = "'required' is required to be supplied and to be an array including every key in properties."
INVALID = "Invalid schema for function 'read_file': "
BAD_SCHEMA = "invalid_function_parameters"

CHAT = [
    Case(
        "object_arguments",
        "openai_chat",
        chat(makes("a", arguments='{"x":'), gives("a")),
        chat(makes("a", arguments='{"x": 1}'), gives("a")),
        f"Invalid request: {ARGUMENTS}: arguments must be a valid JSON object string",
        ARGUMENTS,
    ),
    Case(
        "duplicate_calls",
        "openai_chat",
        chat(makes("a", "a"), gives("a")),
        chat(makes("a", "b"), gives("a"), gives("b")),
        "Duplicate value for 'tool_call_id' of a in message[1]",
        "messages.[1].tool_calls.[1].id",
    ),
    Case(
        "unpaired_calls",
        "openai_chat",
        chat(makes("a", "b"), gives("a"), USER),
        chat(makes("a", "b"), gives("a"), gives("b"), USER),
        f"{NO_RESULTS}b",
        "messages.[3].role",
    ),
    Case(
        "orphan_results",
        "openai_chat",
        chat(gives("a")),
        chat(makes("a"), gives("a")),
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message "
        "with 'tool_calls'.",
        "messages.[1].role",
    ),
    Case(
        "orphan_results",
        "openai_chat",
        chat(makes("a"), gives("a"), gives("b")),
        chat(makes("a", "b"), gives("a"), gives("b")),
        "Invalid parameter: 'tool_call_id' of 'b' not found in 'tool_calls' of previous message.",
        "messages.[3].tool_call_id",
    ),
    Case(
        "duplicate_results",
        "openai_chat",
        chat(makes("a"), gives("a"), gives("a")),
        chat(makes("a"), gives("a")),
        "Invalid parameter: Duplicate value for 'tool_call_id' of 'a', in messages[2] and "
        "messages[3].",
        "messages.[3].tool_call_id",
    ),
    Case(
        "tool_count",
        "openai_chat",
        chat(tools=functions(129)),
        chat(tools=functions(128)),
        "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an "
        "array with length 129 instead.",
        "tools",
        "array_above_max_length",
    ),
    *(
        Case(
            "strict_schemas",
            "openai_chat",
            chat(tools=[function(schema)]),
            chat(tools=[function(good)]),
            INVALID + flaw,
            "tools[0].function.parameters",
            BAD_SCHEMA,
        )
        for schema, good, flaw in (
            (OPEN, CLOSED, NOT_CLOSED),
            (LOOSE, CLOSED, f"In context=(), {KEYS} Missing 'path'."),
            (EXTRA, CLOSED, f"In context=(), {KEYS} Extra required key 'line' supplied."),
            (NESTED, CLOSED, NOT_CLOSED.replace("()", "('properties', 'path')")),
        )
    ),
    Case(
        "context_overflow",
        "openai_chat",
        chat({"role": "user", "content": LONG}, model="gpt-4"),
        chat({"role": "user", "content": LONG}, model="gpt-4o"),
        "This model's maximum context length is 8192 tokens. However, your messages resulted in "
        "{tokens} tokens. Please reduce the length of the messages.",
        "messages",
        "context_length_exceeded",
    ),
    Case(
        "context_overflow",
        "openai_chat",
        chat({"role": "user", "content": LONG}, tools=functions(3)),
        chat(tools=functions(3)),
        "This model's maximum context length is 8000 tokens. However, your messages resulted in "
        "{tokens} tokens ({said} in the messages, {offered} in the functions). Please reduce the "
        "length of the messages or functions.",
        "messages",
        "context_length_exceeded",
        window=8000,
    ),
]

# --- Responses ------------------------------------------------------------------------------


def items(*given: Body, model: str = "m", **more: Any) -> Body:
    return {"model": model, "input": [USER, *given], "store": False, **more}


def calls(id_: str, arguments: str = "{}") -> Body:
    return {
        "type": "function_call",
        "call_id": id_,
        "name": "read_file",
        "arguments": arguments,
    }


def output(id_: str) -> Body:
    return {"type": "function_call_output", "call_id": id_, "output": "ok"}


def flat(parameters: Body) -> Body:
    return {"type": "function", "name": "read_file", "parameters": parameters, "strict": True}


RESPONSES = [
    Case(
        "object_arguments",
        "openai_responses",
        items(calls("a", '{"x":'), output("a")),
        items(calls("a", '{"x": 1}'), output("a")),
        "Responses function_call arguments are invalid JSON: Expecting value",
    ),
    Case(
        "unpaired_calls",
        "openai_responses",
        items(calls("a"), calls("b"), output("a")),
        items(calls("a"), calls("b"), output("a"), USER, output("b")),
        "No tool output found for function call b.",
        "input",
    ),
    Case(
        "orphan_results",
        "openai_responses",
        items(output("a")),
        items(calls("a"), USER, output("a")),
        "No tool call found for function call output with call_id a.",
        "input",
    ),
    Case(
        "strict_schemas",
        "openai_responses",
        items(tools=[flat(OPEN)]),
        items(tools=[flat(CLOSED)]),
        INVALID + NOT_CLOSED,
        "tools[0].parameters",
        BAD_SCHEMA,
    ),
    Case(
        "context_overflow",
        "openai_responses",
        items({"role": "user", "content": LONG}, model="gpt-4"),
        items({"role": "user", "content": LONG}, model="gpt-4o"),
        "Your input exceeds the context window of this model. Please adjust your input and try "
        "again.",
        "input",
        "context_length_exceeded",
    ),
]


OPENAI = (*CHAT, *RESPONSES)
