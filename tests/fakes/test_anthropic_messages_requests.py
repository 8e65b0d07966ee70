"""Reading Anthropic Messages requests: what clients send."""

import pytest

from faultloop.fakes.conversation import Conversation, Message, SaidCall
from faultloop.fakes.dialects.dialect import BadRequest

from .anthropic_messages_replies import (
    CACHED,
    MESSAGES,
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

CALL = SaidCall(id="toolu_1", name="read_file", arguments='{"path":"a"}')
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}}


def parsed(*messages: object, **more: object) -> Conversation:
    return read(request(*messages, **more))


def test_a_whole_round_trip_is_read_message_by_message():
    body = request(
        USER,
        said(text("I look."), use()),
        user(result(content="one line")),
        system="Be brief.",
        tools=[tool()],
        stream=True,
        temperature=1,
    )

    assert read(body) == Conversation(
        messages=(
            Message(role="system", text="Be brief."),
            Message(role="user", text="Go."),
            Message(role="assistant", text="I look.", calls=(CALL,)),
            Message(role="tool", text="one line", result_of="toolu_1"),
        ),
        tools=("read_file",),
        streaming=True,
        model="m",
        max_tokens=1024,
        wire=(-1, 0, 1, 2),
        raw=body.decode(),
    )


def test_a_message_of_results_and_text_is_several_in_its_order():
    conversation = parsed(
        USER,
        said(use(), use("toolu_2")),
        user(
            result(), result("toolu_2", [text("a"), IMAGE, text("b")]), text("And"), text(" now?")
        ),
    )

    assert conversation.messages[2:] == (
        Message(role="tool", text="ok", result_of="toolu_1"),
        Message(role="tool", text="ab", result_of="toolu_2"),
        Message(role="user", text="And now?"),
    )
    assert conversation.wire == (0, 1, 2, 2, 2)


def test_text_before_a_result_keeps_its_place():
    conversation = parsed(user(text("First."), result(), IMAGE, result("toolu_2")))

    assert [(message.role, message.text) for message in conversation.messages] == [
        ("user", "First."),
        ("tool", "ok"),
        ("user", ""),
        ("tool", "ok"),
    ]


@pytest.mark.parametrize(
    ("content", "text"),
    [("ok", "ok"), ("", ""), (None, ""), ([], ""), ([text("a")], "a"), ([IMAGE], "")],
)
def test_a_result_can_say_its_text_in_each_form(content, text):
    (message,) = parsed(user(result(content=content))).messages

    assert message == Message(role="tool", text=text, result_of="toolu_1")


def test_a_result_can_be_an_error_and_have_no_content_field():
    bare = {"type": "tool_result", "tool_use_id": "toolu_1"}
    failed = result("toolu_2", "no such file", is_error=True)

    assert [message.text for message in parsed(user(bare, failed)).messages] == ["", "no such file"]


GOOD_BLOCKS = [
    {"type": "thinking", "thinking": "Hm.", "signature": "Eq0="},
    {"type": "redacted_thinking", "data": "Eq0="},
    {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}},
    {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
]


@pytest.mark.parametrize("block", GOOD_BLOCKS)
def test_what_an_assistant_thought_or_had_done_for_it_is_accepted_and_says_nothing(block):
    assert parsed(USER, said(block, use())).messages[1].calls == (CALL,)
    assert parsed(USER, said(block)).messages[1] == Message(role="assistant")


def test_a_user_can_say_nothing_but_pictures_and_documents():
    document = {"type": "document", "source": {"type": "text", "data": "x"}, "title": "t"}

    assert parsed(user(IMAGE, document)).messages == (Message(role="user"),)


def test_a_system_message_can_stand_in_the_middle():
    hot = {"role": "system", "content": [text("Hurry.")], "clear_at": "next_user_message"}
    setting = {"role": "system", "output_config": {"effort": "low"}}

    conversation = parsed(USER, hot, setting, {"role": "system", "content": "x"})

    assert [(message.role, message.text) for message in conversation.messages] == [
        ("user", "Go."),
        ("system", "Hurry."),
        ("system", "x"),
    ]
    assert conversation.wire == (0, 1, 3)


def test_the_last_message_can_be_an_assistants_and_empty():
    assert parsed(USER, {"role": "assistant", "content": ""}).messages[1].text == ""
    assert parsed(USER, said()).messages[1] == Message(role="assistant")


def test_system_blocks_are_one_text():
    system = [text("Be", **CACHED), text(" brief.")]

    assert parsed(USER, system=system).messages[0] == Message(role="system", text="Be brief.")


def test_clients_tools_are_offered_and_the_servers_are_not():
    tools = [
        tool("mcp__files__read", description="x", **CACHED, strict=True),
        tool("typed", type="custom", input_examples=[{}], defer_loading=False),
        {"type": "bash_20250124", "name": "bash"},
        {"type": "text_editor_20250728", "name": "str_replace_based_edit_tool"},
        {"type": "web_search_20260318", "name": "web_search", "max_uses": 3},
        {"type": "mcp_toolset", "mcp_server_name": "files"},
        {"type": "browser_toolset_20260801"},
    ]

    assert parsed(USER, tools=tools).tools == (
        "mcp__files__read",
        "typed",
        "bash",
        "str_replace_based_edit_tool",
    )


@pytest.mark.parametrize(
    ("choice", "may_call", "one_call"),
    [
        (None, True, False),
        ({"type": "auto"}, True, False),
        ({"type": "auto", "disable_parallel_tool_use": True}, True, True),
        ({"type": "any", "disable_parallel_tool_use": True}, True, True),
        ({"type": "tool", "name": "read_file", "disable_parallel_tool_use": False}, True, False),
        ({"type": "none"}, False, False),
    ],
)
def test_the_choice_of_tools_is_read(choice, may_call, one_call):
    conversation = parsed(USER, tools=[tool()], tool_choice=choice)

    assert (conversation.may_call, conversation.one_call) == (may_call, one_call)


@pytest.mark.parametrize("fields", [{"tools": []}, {"tools": None}, {"tool_choice": None}, {}])
def test_without_tools_auto_and_none_can_be_chosen(fields):
    for choice in ("auto", "none"):
        assert parsed(USER, **{"tool_choice": {"type": choice}, **fields}).tools == ()


def test_what_a_coding_agent_sends_beside_is_accepted():
    parsed(
        USER,
        metadata={"user_id": "u"},
        thinking={"type": "adaptive"},
        output_config={"effort": "high"},
        context_management={"edits": []},
        service_tier="auto",
        stop_sequences=["x"],
        top_p=0.9,
        stream=None,
    )


def test_what_an_agent_of_another_server_of_this_dialect_sends_is_accepted():
    assert parsed(USER, dsh_session_log={"version": 1}, dsh_plugin_packages={}).model == "m"


def test_a_bearer_token_is_a_key_too():
    headers = {"authorization": "Bearer x", "anthropic-version": "2023-06-01"}

    assert MESSAGES.parse(http(request(USER), headers)).model == "m"


def test_a_message_that_comes_again_is_the_message_that_was_read_before():
    before, after = parsed(USER), parsed(USER, said(text("Gone.")))

    assert after.messages[0] is before.messages[0]


def test_what_is_wrong_is_complained_of_at_its_own_place_each_time():
    wrong = said(use(name=""))
    for messages, at in (((wrong,), 0), ((USER, wrong), 1), ((USER, wrong), 1)):
        with pytest.raises(BadRequest, match=rf"messages\.{at}\.content\.0\.tool_use\.name"):
            parsed(*messages)
