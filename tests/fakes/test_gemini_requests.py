"""Gemini requests: what is read, and what is welcome."""

import json

import pytest

from faultloop.fakes.conversation import Message, SaidCall
from faultloop.fakes.dialects.gemini_parts import signature

from .gemini_replies import (
    GEMINI,
    STREAM,
    answers,
    asked,
    asks,
    call,
    declared,
    read,
    request,
    result,
    talk,
)


def test_a_request_is_read_in_full():
    body = asked(
        talk("Go."),
        asks({"text": "Hm.", "thought": True}, {"text": "I look."}, call(path="a")),
        answers(result(result="ok")),
        systemInstruction={"parts": [{"text": "Be "}, {"text": "kind."}]},
        tools=declared("read_file", "list_files"),
        generationConfig={"maxOutputTokens": 50},
    )

    conversation = GEMINI.parse(request(body, STREAM, query={"alt": "sse"}))

    assert conversation.messages == (
        Message(role="system", text="Be kind."),
        Message(role="user", text="Go."),
        Message(
            role="assistant",
            text="I look.",
            calls=(
                SaidCall(id="call_1", name="read_file", arguments='{"path":"a"}', is_unsigned=True),
            ),
        ),
        Message(role="tool", text="ok", result_of="call_1"),
    )
    assert conversation.wire == (-1, 0, 1, 2)
    assert conversation.tools == ("read_file", "list_files")
    assert (conversation.streaming, conversation.wants_usage) == (True, True)
    assert (conversation.model, conversation.max_tokens) == ("fake-model", 50)
    assert (conversation.may_call, conversation.one_call) == (True, False)
    assert conversation.raw == body.decode()


def test_only_the_path_says_whether_a_reply_is_streamed():
    assert not read(talk()).streaming


@pytest.mark.parametrize(
    ("response", "text"),
    [
        ({"output": "ok"}, "ok"),
        ({"error": "no such file"}, "no such file"),
        ({"result": {"a": 1}}, '{"result":{"a":1}}'),
        ({"output": "ok", "content": "ok"}, '{"output":"ok","content":"ok"}'),
        ({"lines": "ü"}, '{"lines":"ü"}'),
        ({"name": "read_file", "content": "ok"}, "ok"),
        ({"name": "other", "content": "ok"}, '{"name":"other","content":"ok"}'),
        ({}, "{}"),
    ],
)
def test_a_result_is_its_text_where_it_is_nothing_else(response, text):
    answer = {"functionResponse": {"name": "read_file", "response": response}}
    said = read(asks(call()), answers(answer)).messages[1]

    assert (said.role, said.text) == ("tool", text)


def test_one_content_becomes_one_message_for_each_result_and_for_what_is_between():
    conversation = read(
        asks(call(id_="a"), call(id_="b")),
        answers({"text": "First."}, result(id_="a"), result(id_="b"), {"text": "Last."}),
    )

    said = [(message.role, message.result_of or message.text) for message in conversation.messages]
    assert said[1:] == [("user", "First."), ("tool", "a"), ("tool", "b"), ("user", "Last.")]
    assert conversation.wire == (0, 1, 1, 1, 1)


def pairs(*contents: object) -> tuple[list[str], list[str | None]]:
    messages = read(*contents).messages
    made = [call.id for message in messages for call in message.calls]
    return made, [message.result_of for message in messages if message.role == "tool"]


def test_a_result_without_an_id_answers_the_first_open_call_of_its_name():
    made, answered = pairs(
        asks(call("a", id_="1"), call("b", id_="2"), call("a", id_="3")),
        answers(result("b", id_=None), result("a", id_=None), result("a", id_=None)),
    )

    assert (made, answered) == (["1", "2", "3"], ["2", "1", "3"])


def test_results_with_ids_are_matched_by_them_in_any_order():
    made, answered = pairs(
        asks(call(id_="1"), call(id_="2")), answers(result(id_="2"), result(id_="1"))
    )

    assert (made, answered) == (["1", "2"], ["2", "1"])


def test_calls_without_ids_are_told_apart_and_answered_by_name():
    made, answered = pairs(
        asks(call("a", id_=None), call("b", id_=None)),
        answers(result("a", id_="own-1"), result("b", id_=None)),
    )

    assert len(set(made)) == 2
    assert answered == made


def test_calls_without_ids_get_those_that_their_signature_tells():
    signed = {**call("a", id_=None), "thoughtSignature": signature(["call_1", "call_2"])}
    conversation = read(asks(signed, call("b", id_=None)), answers(result("b", id_=None)))

    assert [call.id for call in conversation.messages[0].calls] == ["call_1", "call_2"]
    assert conversation.messages[1].result_of == "call_2"
    assert {"call_1", "call_2"} < set(conversation.raw.split())


@pytest.mark.parametrize("spell", [str, lambda text: text.replace("+", "-").replace("/", "_")])
def test_a_signature_may_come_back_in_the_other_base64_alphabet(spell):
    told = signature(["call_>>>???", "call_~~~"])
    assert {"+", "/"} & set(told)
    signed = {**call(id_=None), "thoughtSignature": spell(told)}

    assert read(asks(signed)).messages[0].calls[0].id == "call_>>>???"


def test_orphans_and_second_results_keep_what_they_call_themselves():
    _, answered = pairs(
        asks(call(id_="1")),
        answers(result(id_="1"), result(id_="1"), result("other", id_="9"), result("x", id_=None)),
    )

    assert answered == ["1", "1", "9", "x"]


@pytest.mark.parametrize(
    ("more", "may_call"),
    [
        ({}, True),
        ({"toolConfig": {"functionCallingConfig": {"mode": "AUTO"}}}, True),
        ({"toolConfig": {"functionCallingConfig": {"mode": "any"}}}, True),
        ({"tool_config": {"function_calling_config": {"mode": "NONE"}}}, False),
    ],
)
def test_what_the_model_may_call_is_read(more, may_call):
    assert read(talk(), tools=declared("a"), **more).may_call is may_call


WELCOME = [
    {"contents": talk()},
    {"contents": {"parts": {"text": "Go."}}},
    {"contents": [{"role": None, "parts": [{"text": "Go.", "thought": None}]}], "tools": None},
    {"contents": [talk()], "system_instruction": {"role": "system", "parts": {"text": "S"}}},
    {"contents": [talk()], "tools": {"functionDeclarations": [{"name": "a"}]}},
    {"contents": [talk()], "tools": [{"googleSearch": {}}, {"urlContext": {}}]},
    {"contents": [talk()], "tools": [], "toolConfig": None, "safetySettings": [{"a": 1}]},
    {
        "contents": [talk()],
        "tools": [
            {
                "functionDeclarations": [
                    {
                        "name": "mcp__files.read:v1-x",
                        "description": "Reads.",
                        "parametersJsonSchema": {"$schema": "x", "oneOf": [], "const": 1},
                    },
                    {
                        "name": "_b",
                        "parameters": {
                            "type": "object",
                            "properties": {
                                "a": {"type": "STRING", "minLength": "1", "enum": ["x"]},
                                "b": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
                            },
                            "required": ["a"],
                        },
                    },
                ]
            }
        ],
    },
    {
        "contents": [talk()],
        "generationConfig": {
            "temperature": 0,
            "topP": "0.95",
            "topK": 64,
            "maxOutputTokens": "100",
            "candidateCount": 1,
            "thinkingConfig": {"includeThoughts": True, "thinkingBudget": -1},
            "responseMimeType": "application/json",
            "responseJsonSchema": {"const": 1},
        },
        "cachedContent": "cachedContents/a",
        "labels": {"a": "b"},
        "serviceTier": "x",
        "store": False,
    },
    {
        "contents": [
            {
                "role": "user",
                "parts": [
                    {"text": "Look: "},
                    {"inlineData": {"mimeType": "image/png", "data": "aGk="}},
                    {"fileData": {"fileUri": "gs://a", "mimeType": "image/png"}},
                ],
            },
            asks({"text": "", "thoughtSignature": "skip_thought_signature_validator"}),
            asks({"executableCode": {"code": "1"}}, {"codeExecutionResult": {"outcome": "OK"}}),
            answers(
                {
                    "functionResponse": {
                        "name": "a",
                        "response": {"output": "x"},
                        "parts": [{"inlineData": {"mimeType": "image/png", "data": "aGk="}}],
                    }
                }
            ),
            {"role": "function", "parts": [result()]},
        ]
    },
]


@pytest.mark.parametrize("body", WELCOME)
def test_what_clients_send_is_welcome(body):
    assert GEMINI.parse(request(json.dumps(body).encode())).messages


def test_an_image_keeps_the_place_of_its_content_and_says_nothing():
    image = {"role": "user", "parts": [{"inlineData": {"mimeType": "image/png", "data": "aGk="}}]}

    assert read(talk("A"), image, talk("B")).messages[1] == Message(role="user")
