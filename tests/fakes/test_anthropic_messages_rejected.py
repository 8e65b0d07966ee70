"""Anthropic Messages requests that the API rejects, each in its words."""

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faultloop.fakes.dialects.anthropic_messages_complaints import COMPLAINTS
from faultloop.fakes.dialects.anthropic_messages_request import BODY_BYTES_MAX
from faultloop.fakes.dialects.dialect import BadRequest

from .anthropic_messages_replies import (
    CACHED,
    COUNTS,
    HEADERS,
    MESSAGES,
    MODELS,
    REPLIES,
    USER,
    http,
    read,
    request,
    result,
    said,
    text,
    tool,
    use,
    user,
)


def schema(**more: object) -> list[object]:
    return [{"name": "x", "input_schema": {"type": "object", **more}}]


def block(kind: str, **fields: object) -> dict[str, object]:
    return {"type": kind, **fields}


MISSING = "Field required"
BAD = [
    (request(USER, max_tokens="-"), f"max_tokens: {MISSING}"),
    (request(USER, max_tokens="many"), "max_tokens: Input should be a valid integer"),
    (request(USER, max_tokens=-1), "max_tokens: Input should be greater than or equal to 0"),
    (request(USER, model="-"), f"model: {MISSING}"),
    (request(USER, model=7), "model: Input should be a valid string"),
    (request(USER, model=""), "model: String should have at least 1 character"),
    (request(USER, stream="yes"), "stream: Input should be a valid boolean"),
    (request(USER, response_format={}), "response_format: Extra inputs are not permitted"),
    (request(messages="-"), f"messages: {MISSING}"),
    (request(messages="hi"), "messages: Input should be a valid list"),
    (request(), "messages: at least one message is required"),
    (
        request("hi"),
        "messages.0: Input should be a valid dictionary or object to extract fields from",
    ),
    (request({"content": "x"}), f"messages.0.role: {MISSING}"),
    (request({"role": 1, "content": "x"}), "messages.0.role: Input should be a valid string"),
    (
        request(USER, {"role": "tool", "content": "ok"}),
        'messages: Unexpected role "tool". Allowed roles are "user" or "assistant". For '
        "instructions on how to use tools, see "
        "https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview.",
    ),
    (
        request({"role": "developer", "content": "x"}),
        'messages: Unexpected role "developer". Allowed roles are "user" or "assistant".',
    ),
    (request({"role": "user"}), f"messages.0.content: {MISSING}"),
    (
        request({"role": "user", "content": None}),
        "messages.0.content: Input should be a valid list",
    ),
    (request({**USER, "name": "Init"}), "messages.0.name: Extra inputs are not permitted"),
    (
        request({"role": "user", "content": ""}),
        "messages.0: user messages must have non-empty content",
    ),
    (request(user()), "messages.0: user messages must have non-empty content"),
    (
        request(said(), USER),
        "messages.0: all messages must have non-empty content except for the optional final "
        "assistant message",
    ),
    (
        request({"role": "user", "content": " \n"}),
        "messages: text content blocks must contain non-whitespace text",
    ),
    (request(user(text(""))), "messages: text content blocks must be non-empty"),
    (request(USER, said(text(""))), "messages: text content blocks must be non-empty"),
    (
        request(user(text(" "))),
        "messages: text content blocks must contain non-whitespace text",
    ),
    (
        request(user(text("", **CACHED))),
        "messages.0.content.0.text: cache_control cannot be set for empty text blocks",
    ),
    (request(USER, system=[text("")]), "system: text content blocks must be non-empty"),
    (request(USER, system=7), "system: Input should be a valid list"),
    (request(USER, system=[{"text": "x"}]), f"system.0.type: {MISSING}"),
    (request(user({"text": "x"})), f"messages.0.content.0.type: {MISSING}"),
    (request(user(block("text"))), f"messages.0.content.0.text.text: {MISSING}"),
    (
        request(user(text("x", extra=1))),
        "messages.0.content.0.text.extra: Extra inputs are not permitted",
    ),
    (
        request(user(block("image_url"))),
        "messages.0.content.0: Input tag 'image_url' found using 'type' does not match any of the "
        "expected tags: 'advisor_tool_result', 'bash_code_execution_tool_result', ",
    ),
    (
        request(USER, said(use(text="x"))),
        "messages.1.content.0.tool_use.text: Extra inputs are not permitted",
    ),
    (
        request(USER, said(use(input='{"a": 1}'))),
        "messages.1.content.0.tool_use.input: Input should be a valid dictionary",
    ),
    (
        request(USER, said(block("tool_use", id="a", name="b"))),
        f"messages.1.content.0.tool_use.input: {MISSING}",
    ),
    (
        request(USER, said(use("functions.read:0"))),
        "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    ),
    (
        request(USER, said(use(name="n" * 201))),
        "messages.1.content.0.tool_use.name: String should have at most 200 characters",
    ),
    (
        request(USER, said(use(name=""))),
        "messages.1.content.0.tool_use.name: String should have at least 1 character",
    ),
    (
        request(USER, said(block("thinking", thinking="Hm."))),
        f"messages.1.content.0.thinking.signature: {MISSING}",
    ),
    (
        request(user(use())),
        "messages.0: `tool_use` blocks can only be in `assistant` messages",
    ),
    (
        request(USER, said(result())),
        "messages.1: `tool_result` blocks can only be in `user` messages",
    ),
    (
        request(user(block("tool_result", content="ok"))),
        f"messages.0.content.0.tool_result.tool_use_id: {MISSING}",
    ),
    (
        request(user(result("a.b"))),
        "messages.0.content.0.tool_result.tool_use_id: String should match pattern "
        "'^[a-zA-Z0-9_-]+$'",
    ),
    (
        request(user(result(content={"a": 1}))),
        "messages.0.content.0.tool_result.content: Input should be a valid list",
    ),
    (
        request(user(result(content=[use()]))),
        "messages.0.content.0.tool_result.content.0: Input tag 'tool_use' found using 'type' does "
        "not match any of the expected tags: 'browser_state', 'document', 'image', "
        "'search_result', 'text', 'tool_reference'",
    ),
    (
        request(user(result(is_error="yes"))),
        "messages.0.content.0.tool_result.is_error: Input should be a valid boolean",
    ),
    (
        request(user(result(content="", is_error=True))),
        "messages.0.content.0.tool_result: content cannot be empty if `is_error` is true",
    ),
    (request(USER, tools={}), "tools: Input should be a valid list"),
    (request(USER, tools=[tool("a b")]), "tools.0.custom.name: String should match pattern '^[a-z"),
    (
        request(USER, tools=[tool("n" * 129)]),
        "tools.0.custom.name: String should have at most 128 characters",
    ),
    (request(USER, tools=[tool("")]), "tools.0.custom.name: String should have at least 1 char"),
    (request(USER, tools=[{"name": "x"}]), f"tools.0.custom.input_schema: {MISSING}"),
    (
        request(USER, tools=[{"name": "x", "input_schema": []}]),
        "tools.0.custom.input_schema: Input should be a valid dictionary",
    ),
    (
        request(USER, tools=[{"name": "x", "input_schema": {}}]),
        f"tools.0.custom.input_schema.type: {MISSING}",
    ),
    (
        request(USER, tools=[{"name": "x", "input_schema": {"type": "string"}}]),
        "tools.0.custom.input_schema.type: Input should be 'object'",
    ),
    (
        request(USER, tools=schema(anyOf=[])),
        "tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the "
        "top level",
    ),
    (
        request(USER, tools=schema(properties={"a": {"type": "strin"}})),
        "tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020",
    ),
    (
        request(USER, tools=[tool(parameters={})]),
        "tools.0.custom.parameters: Extra inputs are not permitted",
    ),
    (
        request(USER, tools=[{"type": "function", "function": {}}]),
        "tools.0: Input tag 'function' found using 'type' does not match any of the expected tags: "
        "'advisor_20260301', 'bash_20241022', ",
    ),
    (request(USER, tools=[tool(), tool()]), "tools: Tool names must be unique."),
    (
        request(USER, tools=[tool()], tool_choice="auto"),
        "tool_choice: Input should be a valid dictionary or object to extract fields from",
    ),
    (
        request(USER, thinking=True),
        "thinking: Input should be a valid dictionary or object to extract fields from",
    ),
    (
        request(USER, tools=[tool()], tool_choice={"type": "required"}),
        "tool_choice: Input tag 'required' found using 'type' does not match any of the expected "
        "tags: 'any', 'auto', 'none', 'tool'",
    ),
    (
        request(USER, tool_choice={"type": "any"}),
        "tool_choice.any may only be specified while providing tools",
    ),
    (
        request(USER, tools=[tool()], tool_choice={"type": "tool", "name": "x"}),
        "Tool 'x' not found in provided tools",
    ),
    (
        request(
            user(*(text(str(n), **CACHED) for n in range(3))),
            tools=[tool(**CACHED)],
            system=[text("x", **CACHED)],
        ),
        "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    ),
    (b"", "The request body is not valid JSON: expecting value: line 1 column 1 (char 0)"),
    (
        b'{"model": "m",\n "x": }',
        "The request body is not valid JSON: expecting value: line 2 column 7 (char 21)",
    ),
    (
        b'{"model": "\\ud83d"}',
        "The request body is not valid JSON: no low surrogate in string: "
        "line 1 column 12 (char 11)",
    ),
    (b"\xff", "The request body is not valid JSON: expecting value: line 1 column 1 (char 0)"),
    (b"[" * 100_000, "The request body is not valid JSON: "),
    (
        b'{"max_tokens":-' + b"9" * 5000 + b"}",
        "The request body is not valid JSON: number out of range: line 1 column 15 (char 14)",
    ),
    (
        b'{"a":"1e999",\n"b":1e999}',
        "The request body is not valid JSON: number out of range: line 2 column 5 (char 18)",
    ),
    (b"[1]", "body: Input should be a valid dictionary or object to extract fields from"),
]


@pytest.mark.parametrize(("body", "sentence"), BAD)
def test_a_request_of_the_wrong_shape_is_rejected_in_the_words_of_the_api(body, sentence):
    with pytest.raises(BadRequest) as caught:
        read(body)

    assert caught.value.message.startswith(sentence)
    assert (caught.value.status, caught.value.code, caught.value.param) == (400, None, None)


def test_what_is_no_json_is_found_in_every_depth():
    for field in ("messages", "tools", "metadata"):
        fields = {"messages": '[{"role": "user", "content": "Go."}]', field: '[["\\ud83d"]]'}
        inside = ", ".join(f'"{name}": {value}' for name, value in fields.items())
        with pytest.raises(BadRequest, match="no low surrogate in string"):
            read(f'{{"model": "m", "max_tokens": 1, {inside}}}'.encode())


VERSION = {"anthropic-version": "2023-06-01"}


@pytest.mark.parametrize(
    ("headers", "status", "sentence"),
    [
        (VERSION, 401, "x-api-key header is required"),
        ({**VERSION, "x-api-key": ""}, 401, "x-api-key header is required"),
        ({"x-api-key": "k"}, 400, "anthropic-version: header is required"),
        (
            {"x-api-key": "k", "anthropic-version": "2023-06-01, 2023-06-01"},
            400,
            'anthropic-version: "2023-06-01, 2023-06-01" is not a valid version',
        ),
    ],
)
def test_every_request_needs_a_key_and_a_version(headers, status, sentence):
    for asked in (
        lambda: MESSAGES.parse(http(request(USER), headers)),
        lambda: MESSAGES.aside(http(request(USER), headers, COUNTS)),
        lambda: MESSAGES.aside(http(b"", headers, MODELS)),
    ):
        with pytest.raises(BadRequest) as caught:
            asked()
        assert (caught.value.status, caught.value.message) == (status, sentence)


def test_a_body_over_the_limit_is_too_large():
    with pytest.raises(BadRequest) as caught:
        read(b" " * (BODY_BYTES_MAX + 1))

    assert (caught.value.status, caught.value.message) == (413, "Request exceeds the maximum size")


def test_tokens_of_a_request_of_the_wrong_shape_are_not_counted():
    with pytest.raises(BadRequest, match="messages: at least one message is required"):
        MESSAGES.aside(http(request(), HEADERS, COUNTS))


def test_every_complaint_says_where_it_is_from():
    assert all(complaint.source for complaint in COMPLAINTS.values())


NEWEST = {**HEADERS, "anthropic-version": "2026-10-21"}
CITED = user(text("x", citations=[{"type": "char_location"}]))
DOCUMENT = {"type": "document", "source": {"type": "text", "data": "x"}}


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (request(USER, temperature=1.0), "temperature: Extra inputs are not permitted"),
        (request(USER, top_k=5), "top_k: Extra inputs are not permitted"),
        (
            request(USER, said(DOCUMENT)),
            "messages.1: `document` blocks can only be in `user` messages",
        ),
        (request(CITED), "messages.0.content.0.text.citations: Extra inputs are not permitted"),
    ],
)
def test_the_newest_version_rejects_what_the_one_before_it_took(body, sentence):
    assert read(body).model == "m"
    for ask, route in ((MESSAGES.parse, REPLIES), (MESSAGES.aside, COUNTS)):
        with pytest.raises(BadRequest) as caught:
            ask(http(body, NEWEST, route))
        assert (caught.value.message, caught.value.status) == (sentence, 400)


def test_the_newest_version_takes_the_same_otherwise():
    body = request(user(DOCUMENT, text("x", citations=None)), said(text("y", citations=[{}])))

    assert MESSAGES.parse(http(body, NEWEST)) == read(body)


# --- whatever comes ---------------------------------------------------------------------------

NAMES = st.sampled_from(
    [
        *("model", "max_tokens", "messages", "tools", "system", "tool_choice", "stream", "role"),
        *("content", "type", "text", "id", "name", "input", "tool_use_id", "is_error"),
        *("input_schema", "cache_control", "thinking", "signature"),
    ]
)
WORDS = st.sampled_from(
    [
        *("user", "assistant", "system", "tool", "text", "tool_use", "tool_result", "thinking"),
        *("image", "custom", "any", "auto", "object", "bash_20250124", "x"),
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=5),
    max_leaves=20,
)
BLOCKS = st.dictionaries(NAMES, VALUES, max_size=5)
REQUESTS = st.fixed_dictionaries(
    {
        "model": st.just("m"),
        "max_tokens": st.just(1),
        "messages": st.lists(
            st.fixed_dictionaries({"role": WORDS, "content": st.lists(BLOCKS) | VALUES}),
            max_size=3,
        ),
    },
    optional={"tools": st.lists(BLOCKS), "tool_choice": VALUES, "system": VALUES},
)


@settings(max_examples=100, deadline=None)
@given(st.one_of(REQUESTS, VALUES).map(lambda value: json.dumps(value).encode()) | st.binary())
def test_whatever_comes_is_read_or_rejected(body):
    for ask in (lambda: read(body), lambda: MESSAGES.aside(http(body, HEADERS, COUNTS))):
        with suppress(BadRequest):
            ask()
