"""Reading requests: what comes again with each of them is read once, and judged where it stands."""

import json

import pytest

from faultloop.fakes.dialects.dialect import BadRequest
from faultloop.fakes.dialects.openai_chat_request import read

USER = {"role": "user", "content": "Go."}
SAID = {"role": "assistant", "content": "Gone."}
ROBOT = {"role": "robot", "content": "x"}


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
