"""Responses requests: what is read, and what clients send that is welcome."""

import pytest

from faultloop.fakes.conversation import Message, SaidCall
from faultloop.fakes.dialects.dialect import BadRequest
from faultloop.fakes.strictness import RULES

from .openai_responses_replies import APPLY_PATCH, FUNCTION, LEDGER, USER, parsed

REASONING = {
    "type": "reasoning",
    "id": "rs_1",
    "summary": [{"type": "summary_text", "text": "Hm."}],
    "encrypted_content": "gAAAA",
}


def call(id_: str = "call_1", name: str = "read_file", **more: object) -> dict:
    return {"type": "function_call", "call_id": id_, "name": name, "arguments": "{}", **more}


def result(id_: str = "call_1", output: object = "ok", **more: object) -> dict:
    return {"type": "function_call_output", "call_id": id_, "output": output, **more}


def said(text: str = "I look.", **more: object) -> dict:
    part = {"type": "output_text", "text": text, "annotations": []}
    return {"type": "message", "role": "assistant", "content": [part], **more}


def made(id_: str, name: str = "read_file") -> SaidCall:
    return SaidCall(id=id_, name=name, arguments="{}")


def test_a_request_is_read_in_full():
    conversation = parsed(
        {"role": "developer", "content": "Be short."},
        {"role": "user", "content": [{"type": "input_text", "text": "Go"}]},
        said(id="msg_1", status="completed", phase="commentary"),
        call(id="fc_1", status="completed"),
        result(),
        tools=[FUNCTION],
        stream=True,
        instructions="Be kind.",
        max_output_tokens=50,
    )

    assert conversation.messages == (
        Message(role="system", text="Be kind."),
        Message(role="system", text="Be short."),
        Message(role="user", text="Go"),
        Message(role="assistant", text="I look.", calls=(made("call_1"),)),
        Message(role="tool", text="ok", result_of="call_1"),
    )
    assert conversation.wire == (-1, 0, 1, 2, 4)
    assert conversation.tools == ("read_file",)
    assert (conversation.streaming, conversation.wants_usage) == (True, True)
    assert (conversation.model, conversation.max_tokens) == ("fake-model", 50)


def test_a_text_is_one_message_of_the_user():
    conversation = parsed(input="Go.")

    assert conversation.messages == (Message(role="user", text="Go."),)
    assert conversation.wire == ()
    assert conversation.raw == '{"model": "fake-model", "input": "Go."}'


@pytest.mark.parametrize(
    ("more", "may_call", "one_call", "is_kept"),
    [
        ({}, True, False, True),
        ({"tool_choice": "auto", "parallel_tool_calls": True, "store": None}, True, False, True),
        ({"tool_choice": "none", "store": False}, False, False, False),
        ({"tool_choice": "required", "parallel_tool_calls": False}, True, True, True),
        ({"tool_choice": {"type": "function", "name": "read_file"}}, True, False, True),
    ],
)
def test_what_the_model_may_call_and_what_is_kept_is_read(more, may_call, one_call, is_kept):
    conversation = parsed(USER, tools=[FUNCTION], **more)

    assert (conversation.may_call, conversation.one_call) == (may_call, one_call)
    assert conversation.is_kept is is_kept


def test_a_request_can_go_on_with_an_earlier_response_and_say_nothing_itself():
    conversation = parsed(result(), previous_response_id="resp_1")
    silent = parsed(previous_response_id="resp_1")

    assert conversation.continues == silent.continues == "resp_1"
    assert conversation.messages == (Message(role="tool", text="ok", result_of="call_1"),)


JOINED = [
    ([call("a"), call("b")], [["a", "b"]]),
    ([said(), call("a"), REASONING, call("b")], [["a", "b"]]),
    ([call("a"), said(), call("b")], [["a", "b"]]),
    ([said(), said()], [[], []]),
    ([call("a"), result("a"), call("b")], [["a"], None, ["b"]]),
    ([call("a"), USER, call("b")], [["a"], None, ["b"]]),
]


@pytest.mark.parametrize(("items", "expected"), JOINED)
def test_the_calls_of_one_reply_are_in_one_message(items, expected):
    messages = parsed(*items).messages

    calls = [[c.id for c in m.calls] if m.role == "assistant" else None for m in messages]
    assert calls == expected


RESULTS = [
    ("ok", "ok"),
    ([{"type": "input_text", "text": "o"}, {"type": "input_text", "text": "k"}], "ok"),
    (
        [
            {"type": "input_text", "text": "see "},
            {"type": "input_image", "image_url": "data:image/png;base64,AA", "detail": "auto"},
            {"type": "input_text", "text": "this"},
        ],
        "see this",
    ),
    ([], ""),
]


@pytest.mark.parametrize(("output", "text"), RESULTS)
@pytest.mark.parametrize("kind", ["function_call_output", "custom_tool_call_output"])
def test_a_result_is_a_text_or_parts_of_which_the_text_is_read(kind, output, text):
    (message,) = parsed(result(output=output, type=kind)).messages

    assert message == Message(role="tool", text=text, result_of="call_1")


def test_what_the_assistant_refused_is_what_it_said():
    refusal = {"role": "assistant", "content": [{"type": "refusal", "refusal": "I cannot."}]}

    assert parsed(refusal).messages == (Message(role="assistant", text="I cannot."),)


def test_a_call_of_a_custom_tool_has_plain_text():
    patch = {"type": "custom_tool_call", "call_id": "c", "name": "apply_patch", "input": "*** B"}

    conversation = parsed({**patch, "id": "ctc_1"}, tools=[APPLY_PATCH])

    (message,) = conversation.messages
    assert RULES["object_arguments"].rows["openai_responses"].find(conversation) is None
    assert message.calls == (SaidCall(id="c", name="apply_patch", arguments="*** B", is_text=True),)


TOOLS = [
    ([FUNCTION, APPLY_PATCH, LEDGER], ("read_file", "apply_patch", "ledger_add")),
    ([{"type": "web_search"}, {"type": "local_shell"}, {"type": "mcp", "server_label": "x"}], ()),
    ([{"type": "function", "name": "n" * 128, "strict": False, "parameters": None}], ("n" * 128,)),
    ([], ()),
    (None, ()),
    ([FUNCTION, {**LEDGER, "tools": [{**FUNCTION, "description": None}]}], ("read_file",)),
    ([{**LEDGER, "tools": [{"type": "web_search"}, APPLY_PATCH]}], ("apply_patch",)),
]


@pytest.mark.parametrize(("tools", "names"), TOOLS)
def test_tools_are_offered_by_their_bare_names_and_built_in_ones_are_not(tools, names):
    assert parsed(USER, tools=tools).tools == names


def test_tools_can_be_offered_by_an_item_as_well():
    added = {"type": "additional_tools", "role": "developer", "tools": [LEDGER]}

    conversation = parsed(added, USER, tools=[FUNCTION])

    assert conversation.tools == ("read_file", "ledger_add")
    assert conversation.messages == (Message(role="user", text="Go."),)
    assert conversation.wire == (1,)


WELCOME = [
    REASONING,
    {"type": "reasoning", "summary": [], "encrypted_content": None, "status": "completed"},
    {"type": "compaction", "encrypted_content": "gAAAA"},
    {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {}},
    {"type": "local_shell_call", "call_id": "c", "status": "completed", "action": {}},
    {"type": "mcp_list_tools", "id": "mcpl_1", "server_label": "x", "tools": []},
    {"type": "tool_search_call", "arguments": {}},
]


@pytest.mark.parametrize("item", WELCOME)
def test_what_says_nothing_is_welcome_and_takes_no_place(item):
    conversation = parsed(USER, item, result())

    assert [message.role for message in conversation.messages] == ["user", "tool"]
    assert conversation.wire == (0, 2)


def test_a_request_of_items_that_say_nothing_is_one_all_the_same():
    assert parsed(REASONING).messages == (Message(role="other"),)


def test_a_reference_stands_for_the_item_whose_id_it_bears():
    conversation = parsed(
        USER,
        {"type": "item_reference", "id": "msg_abc"},
        {"type": "item_reference", "id": "fc_1"},
        result(),
    )

    assert conversation.messages[1:] == (
        Message(role="assistant", calls=(made("call_1", name=""),)),
        Message(role="tool", text="ok", result_of="call_1"),
    )
    assert conversation.raw.endswith("\ncall_1")


@pytest.mark.parametrize(
    "more",
    [
        {"include": ["reasoning.encrypted_content"], "prompt_cache_key": "k"},
        {"text": {"format": {"type": "json_schema", "name": "n", "schema": {}}}},
        {"text": {"verbosity": "low"}, "reasoning": {"effort": "high", "summary": "auto"}},
        {"temperature": 1, "top_p": 0.5, "top_logprobs": 0, "metadata": {"a": "b"}},
        {"stream_options": {"include_obfuscation": False}, "service_tier": "priority"},
        {"client_metadata": {"session": "s"}, "safety_identifier": "s", "user": "u"},
        {"text": {"format": None}, "reasoning": {"effort": None, "summary": None}},
        {"truncation": None, "instructions": None, "tools": None, "tool_choice": None},
        {"background": False, "max_tool_calls": 3, "context_management": []},
        {
            "tools": [FUNCTION, {"type": "web_search"}],
            "tool_choice": {
                "type": "allowed_tools",
                "mode": "auto",
                "tools": [{"type": "function", "name": "read_file"}, {"type": "web_search"}],
            },
        },
    ],
)
def test_what_clients_send_beside_that_is_welcome(more):
    assert parsed(USER, **more).messages == (Message(role="user", text="Go."),)


def test_an_item_that_comes_again_is_the_one_that_was_read_before():
    before, after = parsed(USER), parsed(USER, said())

    assert after.messages[0] is before.messages[0]


def test_what_is_wrong_is_complained_of_at_its_own_place_each_time():
    robot = {"role": "robot", "content": "x"}
    for items, at in (((robot,), 0), ((USER, robot), 1), ((USER, robot), 1)):
        with pytest.raises(BadRequest) as caught:
            parsed(*items)
        assert caught.value.param == f"input[{at}]"
