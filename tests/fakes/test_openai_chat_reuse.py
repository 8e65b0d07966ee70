"""Reading requests: what comes again with each of them is read once, and judged where it stands."""

import json

import pytest

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.dialects.dialect import BadRequest
from faultloop.fakes.dialects.openai_chat_request import Reader

USER = {"role": "user", "content": "Go."}
SAID = {"role": "assistant", "content": "Gone."}
ROBOT = {"role": "robot", "content": "x"}


def read(sent: bytes) -> Conversation:
    return Reader().read(sent)


def body(*messages: object, **more: object) -> bytes:
    return json.dumps({"model": "m", "messages": messages, **more}).encode()


def test_a_message_that_comes_again_is_the_message_that_was_read_before():
    before, after = read(body(USER)), read(body(USER, SAID))

    assert after.messages[0] is before.messages[0]
    assert [message.text for message in after.messages] == ["Go.", "Gone."]


def test_a_message_that_was_read_before_is_not_taken_for_one_that_differs():
    assert read(body(USER)) != read(body({**USER, "content": "Stay."}))


def test_what_is_wrong_is_complained_of_at_its_own_place_each_time():
    for messages, at in (((ROBOT,), 0), ((USER, ROBOT), 1), ((USER, ROBOT), 1)):
        with pytest.raises(BadRequest) as caught:
            read(body(*messages))
        assert caught.value.param == f"messages[{at}].role"


@pytest.mark.parametrize(
    "spelt", ['{"role": "user", "content": "\\ud83d"}', '"\\ud83d"', '["a", 01]']
)
def test_what_is_no_json_is_found_in_every_depth(spelt: str):
    for field in ("messages", "tools", "metadata"):
        fields = {"messages": '[{"role": "user", "content": "Go."}]', field: f"[{spelt}]"}
        inside = ", ".join(f'"{name}": {value}' for name, value in fields.items())
        with pytest.raises(BadRequest, match="could not parse the JSON body"):
            read(f'{{"model": "m", {inside}}}'.encode())


BEFORE = body(USER, n=1)
HEAD, TAIL = BEFORE.split(b"]")


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(body(USER, SAID, n=1), id="one message more"),
        pytest.param(body(USER, SAID, USER, n=1), id="two messages more"),
        pytest.param(body(SAID, USER, n=1), id="other messages"),
        pytest.param(body(USER, n=1), id="the same"),
        pytest.param(body(USER, SAID, n=1, stream=True), id="another end"),
        pytest.param(body(USER, SAID), id="a shorter end"),
        pytest.param(body(USER, ROBOT, n=1), id="a wrong message more"),
        pytest.param(body(USER, 3, n=1), id="no message more"),
        pytest.param(HEAD + b", ]" + TAIL, id="a comma more"),
        pytest.param(HEAD + b', {"role": ]' + TAIL, id="half a message more"),
        pytest.param(HEAD + b',"x"], "x": ["y"]' + TAIL, id="another field more"),
        pytest.param(HEAD + b', {"role": "user", "content": "\xff"}]' + TAIL, id="no UTF-8"),
        pytest.param(HEAD + b', {"role": "user", "content": "\\ud83d"}]' + TAIL, id="no text"),
        pytest.param(HEAD + b"," + b"[" * 20_000 + b"]" + TAIL, id="too deep"),
    ],
)
def test_a_request_after_another_is_read_as_if_it_came_alone(sent: bytes):
    reader = Reader()
    reader.read(BEFORE)

    assert outcome(reader, sent) == outcome(Reader(), sent)
    assert outcome(reader, BEFORE) == outcome(Reader(), BEFORE)


@pytest.mark.parametrize("gap", ["", " ", "\n"])
def test_where_messages_end_is_known_whatever_stands_around_them(gap: str):
    def sent(*messages: object) -> bytes:
        spelt = f"{gap},{gap}".join(map(json.dumps, messages))
        return f'{{"messages":{gap}[{gap}{spelt}{gap}]{gap},"model":"m"}}'.encode()

    reader = Reader()
    for messages in ([USER], [USER, SAID], [USER, SAID, USER]):
        assert reader.read(sent(*messages)) == read(sent(*messages))


def test_messages_that_another_field_looks_like_are_not_taken_for_it():
    reader = Reader()
    before = reader.read(
        b'{"model":"m","metadata":[{"role":"user","content":"a"}],'
        b'"messages":[{"role":"user","content":"a"}]}'
    )
    after = reader.read(
        b'{"model":"m","metadata":[{"role":"user","content":"a"},{"x":1}],'
        b'"messages":[{"role":"user","content":"a"}]}'
    )

    assert after.messages == before.messages


def outcome(reader: Reader, sent: bytes) -> object:
    try:
        return reader.read(sent)
    except BadRequest as bad:
        return bad.message, bad.param, bad.code
