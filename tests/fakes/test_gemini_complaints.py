"""What Gemini rejects for its shape, in its own words; and what it answers beside replies."""

import json

import pytest

from faultloop.fakes.dialects.dialect import BadRequest
from faultloop.fakes.dialects.gemini_complaints import COMPLAINTS

from .gemini_replies import (
    COUNT,
    GEMINI,
    MODEL,
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

IN = "Invalid JSON payload received. "
AT = "Invalid value at "
REQUEST = "* GenerateContentRequest."
TYPE = "type.googleapis.com/google.ai.generativelanguage.v1beta."
STRUCT = "type.googleapis.com/google.protobuf.Struct"
NAME_RULE = (
    "Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, "
    "A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128."
)

BAD = [
    (b"{'contents': 1}", f"{IN}Unexpected token.\n{{'contents': 1}}\n ^"),
    (
        b'{"contents": [{"parts": [{"text": NaN}]}]}',
        f'{IN}Unexpected token.\n{{"parts": [{{"text": NaN}}]}}]}}\n                    ^',
    ),
    (
        b'{"contents": [{"parts"',
        f"{IN}Unexpected end of string. Expected a value.\n"
        'contents": [{"parts"\n                    ^',
    ),
    (b'{"a": "\xff"}', f'{IN}Encountered non UTF-8 code points.\n{{"a": "\ufffd"}}\n       ^'),
    (
        b'{"contents": ' + b"9" * 5000 + b"}",
        f'{IN}Number exceeds the range of double.\n{{"contents": {"9" * 20}\n             ^',
    ),
    (
        b'{"a": "1e999", "b": -1e999}',
        f'{IN}Number exceeds the range of double.\n{{"a": "1e999", "b": -1e999}}\n'
        "                    ^",
    ),
    (b"[]", f'{IN}Unknown name "": Root element must be a message.'),
    (b'"hi"', f'{IN}Unknown name "": Root element must be a message.'),
    (asked(talk(), stream=True), f'{IN}Unknown name "stream": Cannot find field.'),
    (asked(talk(), **{"": 1}), f'{IN}Unknown name "": Cannot find field.'),
    (
        asked({"role": "user", "content": "Go."}),
        f"{IN}Unknown name \"content\" at 'contents[0]': Cannot find field.",
    ),
    (
        json.dumps({"contents": {"parts": {"type": "text"}}}).encode(),
        f"{IN}Unknown name \"type\" at 'contents.parts': Cannot find field.",
    ),
    (
        asked(asks({"functionCall": {"name": "a", "thoughtSignature": "aGk="}})),
        f"{IN}Unknown name \"thoughtSignature\" at 'contents[0].parts[0].function_call': "
        "Cannot find field.",
    ),
    (
        asked(answers({"functionResponse": {"name": "a", "response": ["x"]}})),
        f"{IN}Unknown name \"response\" at 'contents[0].parts[0].function_response': Proto field "
        "is not repeating, cannot start list.",
    ),
    (
        asked(answers({"functionResponse": {"name": "a", "response": "x"}})),
        f"{AT}'contents[0].parts[0].function_response.response' ({STRUCT}), \"x\"",
    ),
    (
        asked(asks({"functionCall": {"name": "a", "args": '{"b": 1}'}})),
        f'{AT}\'contents[0].parts[0].function_call.args\' ({STRUCT}), "{{"b": 1}}"',
    ),
    (asked("Go."), f"{AT}'contents[0]' ({TYPE}Content), \"Go.\""),
    (asked(talk(7)), f"{AT}'contents[0].parts[0].text' (TYPE_STRING), 7"),
    (asked(talk(True)), f"{AT}'contents[0].parts[0].text' (TYPE_STRING), true"),
    (
        asked(talk({"a": 1})),
        f"{AT}'contents[0].parts[0]' (text), Starting an object on a scalar field",
    ),
    (
        asked(asks({"text": "a", "functionCall": {"name": "b"}})),
        f"{AT}'contents[0].parts[0]' (oneof), oneof field 'data' is already set. Cannot set "
        "'functionCall'",
    ),
    (
        asked(asks({"text": "a", "thoughtSignature": "a=b"})),
        f"{AT}'contents[0].parts[0].thought_signature' (TYPE_BYTES), Base64 decoding failed for "
        '"a=b"',
    ),
    (
        asked(asks({"text": "a", "thoughtSignature": "abcde"})),
        f"{AT}'contents[0].parts[0].thought_signature' (TYPE_BYTES), Base64 decoding failed for "
        '"abcde"',
    ),
    (asked(talk(), systemInstruction="S"), f"{AT}'system_instruction' ({TYPE}Content), \"S\""),
    (
        asked(talk(), generationConfig={"maxOutputTokens": "many", "temperature": "hot"}),
        f"{AT}'generation_config.max_output_tokens' (TYPE_INT32), \"many\"\n"
        f"{AT}'generation_config.temperature' (TYPE_FLOAT), \"hot\"",
    ),
    (
        asked(talk(), generationConfig={"maxOutputTokens": 1.5, "max_tokens": 1}),
        f"{AT}'generation_config.max_output_tokens' (TYPE_INT32), 1.5\n"
        f"{IN}Unknown name \"max_tokens\" at 'generation_config': Cannot find field.",
    ),
    (
        asked(talk(), toolConfig={"functionCallingConfig": {"mode": "required"}}),
        f"{AT}'tool_config.function_calling_config.mode' ({TYPE}FunctionCallingConfig.Mode), "
        '"required"',
    ),
    (
        asked(
            talk(),
            tools=declared(
                "a",
                parameters={
                    "$schema": "x",
                    "additionalProperties": False,
                    "type": ["string", "null"],
                    "properties": {
                        "b": {"const": 1},
                        "c": {"enum": [1]},
                        "d": {"items": [{}]},
                        "e": "x",
                    },
                },
            ),
        ),
        f"{IN}Unknown name \"$schema\" at 'tools[0].function_declarations[0].parameters': Cannot "
        "find field.\n"
        f'{IN}Unknown name "additionalProperties" at '
        "'tools[0].function_declarations[0].parameters': Cannot find field.\n"
        f"{IN}Unknown name \"type\" at 'tools[0].function_declarations[0].parameters': Proto "
        "field is not repeating, cannot start list.\n"
        f'{IN}Unknown name "const" at '
        "'tools[0].function_declarations[0].parameters.properties[0].value': Cannot find field.\n"
        f"{AT}'tools[0].function_declarations[0].parameters.properties[1].value.enum[0]' "
        "(TYPE_STRING), 1\n"
        f'{IN}Unknown name "items" at '
        "'tools[0].function_declarations[0].parameters.properties[2].value': Proto field is not "
        "repeating, cannot start list.\n"
        f"{AT}'tools[0].function_declarations[0].parameters.properties[3].value' ({TYPE}Schema), "
        '"x"',
    ),
    (
        asked(talk(), tools=declared("a", parameters={"type": "text"})),
        f"{AT}'tools[0].function_declarations[0].parameters.type' ({TYPE}Type), \"text\"",
    ),
    (b"", f"{REQUEST}contents: contents is not specified\n"),
    (b"{}", f"{REQUEST}contents: contents is not specified\n"),
    (asked(), f"{REQUEST}contents: contents is not specified\n"),
    (
        asked(talk(), {"role": "model"}, {"role": "user", "parts": []}, {"parts": [{}]}),
        f"{REQUEST}contents[1].parts: contents.parts must not be empty.\n"
        f"{REQUEST}contents[2].parts: contents.parts must not be empty.\n"
        f"{REQUEST}contents[3].parts[0].data: required oneof field 'data' must have one "
        "initialized field\n",
    ),
    (
        asked(talk(), systemInstruction={"parts": [{"text": "a"}, {"thought": True}]}),
        f"{REQUEST}system_instruction.parts[1].data: required oneof field 'data' must have one "
        "initialized field\n",
    ),
    (
        asked(asks(call("")), answers(result(""))),
        f"{REQUEST}contents[0].parts[0].function_call.name: Name cannot be empty.\n"
        f"{REQUEST}contents[1].parts[0].function_response.name: Name cannot be empty.\n",
    ),
    (asked(talk(role="system")), "Please use a valid role: user, model."),
    (asked(talk(role="assistant")), "Please use a valid role: user, model."),
    (asked(talk(role="tool")), "Please use a valid role: user, model."),
    (
        asked(talk(), tools=declared("read file", "1st", "", "x" * 129, "fine")),
        "".join(
            f"{REQUEST}tools[0].function_declarations[{at}].name: {NAME_RULE}\n" for at in range(4)
        ),
    ),
    (
        asked(talk(), tools=[*declared("a", "b"), *declared("b")]),
        "Duplicate function declaration found: b",
    ),
    (
        asked(talk(), tools=declared(*(f"t{n}" for n in range(513)))),
        "The GenerateContentRequest proto is invalid:\n  * tools[0].function_declarations: "
        "[FIELD_INVALID] At most 512 function declarations can be specified.",
    ),
    (
        asked(talk(), toolConfig={"functionCallingConfig": {"mode": "AUTO"}}),
        "Function calling config is set without function_declarations.",
    ),
    (
        asked(talk(), generationConfig={"maxOutputTokens": 0}),
        f"{REQUEST}generation_config.max_output_tokens: max_output_tokens must be positive.\n",
    ),
    (
        asked(talk(), generationConfig={"candidateCount": 2}),
        "Multiple candidates is not enabled for this model",
    ),
    (
        b'{"contents": ' + b'[{"parts":' * 2000 + b"1" + b"}]" * 2000 + b"}",
        "A FunctionDeclaration in the request exceeds the maximum allowed nesting depth.",
    ),
]


@pytest.mark.parametrize(("body", "sentence"), BAD)
def test_the_api_complains_in_its_own_words(body, sentence):
    with pytest.raises(BadRequest) as caught:
        GEMINI.parse(request(body))

    assert caught.value.message == sentence
    assert (caught.value.status, caught.value.code) == (400, None)


def test_each_sentence_names_its_source():
    assert all(complaint.source for complaint in COMPLAINTS.values())
    assert sum("from memory" in complaint.source for complaint in COMPLAINTS.values()) == 1


def test_what_is_wrong_is_complained_of_at_its_own_place_each_time():
    for contents, at in (((talk(7),), 0), ((talk(), talk(7)), 1), ((talk(), talk(7)), 1)):
        with pytest.raises(BadRequest, match=rf"contents\[{at}\]\.parts\[0\]\.text"):
            read(*contents)


def test_violations_are_listed_with_their_fields():
    body = asked(talk(), {"role": "user", "content": "x"}, stream=True, systemInstruction="S")
    with pytest.raises(BadRequest) as caught:
        GEMINI.parse(request(body))

    spelt = json.loads(GEMINI.error(status=400, code=None, message=caught.value.message))
    details = spelt["error"]["details"]

    assert [detail["@type"] for detail in details] == ["type.googleapis.com/google.rpc.BadRequest"]
    violations = details[0]["fieldViolations"]
    assert [violation.get("field") for violation in violations] == [
        "contents[1]",
        None,
        "system_instruction",
    ]
    assert "\n".join(each["description"] for each in violations) == caught.value.message


@pytest.mark.parametrize("path", [STREAM, COUNT, MODEL, "/v1beta/models"])
def test_who_shows_no_key_is_nobody(path):
    do = GEMINI.parse if path == STREAM else GEMINI.aside
    with pytest.raises(BadRequest, match="doesn't allow unregistered callers") as caught:
        do(request(asked(talk()), path, headers={}))

    assert caught.value.status == 403
    spelt = GEMINI.error(status=403, code=None, message=caught.value.message)
    assert json.loads(spelt)["error"]["status"] == "PERMISSION_DENIED"


@pytest.mark.parametrize(
    "shown",
    [
        {"query": {"key": "none"}, "headers": {}},
        {"headers": {"authorization": "Bearer none"}},
        {"headers": {"x-goog-api-key": "none"}},
    ],
)
def test_a_key_may_be_shown_in_three_places(shown):
    assert GEMINI.parse(request(asked(talk()), **shown)).messages


def test_tokens_are_counted_by_the_estimate_of_replies():
    body = asked(talk("Go on. " * 40))

    counted = json.loads(GEMINI.aside(request(body, COUNT)))

    tokens = len(body) // 4
    assert counted == {
        "totalTokens": tokens,
        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": tokens}],
    }


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (asked(), "* CountTokensRequest.contents: contents is not specified\n"),
        (
            asked({"parts": [{}]}),
            "* CountTokensRequest.contents[0].parts[0].data: required oneof field 'data' must "
            "have one initialized field\n",
        ),
        (asked(talk(), tools=[]), f'{IN}Unknown name "tools": Cannot find field.'),
        (
            b'{"generateContentRequest": {"contents": [{}]}}',
            "* CountTokensRequest.generate_content_request.contents[0].parts: contents.parts must "
            "not be empty.\n",
        ),
    ],
)
def test_counting_has_complaints_of_its_own(body, sentence):
    with pytest.raises(BadRequest) as caught:
        GEMINI.aside(request(body, COUNT))

    assert caught.value.message == sentence


def test_a_whole_request_can_be_counted():
    body = json.dumps(
        {"generateContentRequest": {"model": "models/m", "contents": [talk()]}}
    ).encode()

    assert json.loads(GEMINI.aside(request(body, COUNT)))["totalTokens"] == len(body) // 4


def test_models_are_listed_and_any_is_there():
    listed = json.loads(GEMINI.aside(request(path="/v1beta/models")))["models"]
    one = json.loads(GEMINI.aside(request(path=MODEL)))

    assert one in listed
    assert one["name"] == "models/fake-model"
    paths = {route.path for route in GEMINI.routes}
    assert all(f"{MODEL}:{method}" in paths for method in one["supportedGenerationMethods"])
    assert "generateContent" in one["supportedGenerationMethods"]
