"""What Responses rejects, in its own words: a row for each, and the order in which they win."""

import json
import re

import pytest

from faultloop.fakes.dialects.dialect import BadRequest
from faultloop.fakes.dialects.openai_responses_complaints import COMPLAINTS
from faultloop.fakes.dialects.openai_responses_request import read

from .openai_responses_replies import KEY, LEDGER
from .openai_responses_rows import FIELDS, GONE, ITEMS, ORDER, STATE, TOOLS, call


def sent(**fields: object) -> bytes:
    """A request that would be good but for these fields."""
    request = {"model": "fake-model", "input": "Go."} | fields
    return json.dumps({name: v for name, v in request.items() if v is not GONE}).encode()


def refused(body: bytes, headers: dict[str, str] = KEY) -> BadRequest:
    with pytest.raises(BadRequest) as caught:
        read(headers, body)
    return caught.value


@pytest.mark.parametrize(("fields", "param", "code", "words"), FIELDS)
def test_a_field_that_is_wrong_is_rejected_in_the_words_of_the_api(fields, param, code, words):
    bad = refused(sent(**fields))

    assert (bad.param, bad.code, bad.status) == (param, code, 400)
    assert words in bad.message


@pytest.mark.parametrize(("item", "param", "code", "words"), ITEMS)
def test_an_item_that_is_wrong_is_rejected_in_the_words_of_the_api(item, param, code, words):
    bad = refused(sent(input=[item]))

    assert (bad.param, bad.code, bad.status) == (param, code, 400)
    assert words in bad.message


@pytest.mark.parametrize(("tools", "param", "code", "words"), TOOLS)
def test_a_tool_that_is_wrong_is_rejected_in_the_words_of_the_api(tools, param, code, words):
    bad = refused(sent(tools=tools))

    assert (bad.param, bad.code, bad.status) == (param, code, 400)
    assert words in bad.message


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"model": "m", "input": "\\ud83d"}',
        b'{"model": "m", "input": [{"role": "user", "content": "\\ud83d"}]}',
        b'{"model": "m", "input": "x", "tools": [01]}',
        b'{"model": "m", "input": ' + b"[" * 100_000,
        b'{"model": "m", "input": [' + b"[" * 5_000 + b"]" * 5_000 + b"]}",
        b'\xff{"model": "m"}',
    ],
)
def test_what_is_no_json_is_said_to_be_none(body):
    bad = refused(body)

    assert bad.message.startswith("We could not parse the JSON body of your request.")
    assert (bad.param, bad.code, bad.status) == (None, None, 400)


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer ", "none"])
def test_a_request_without_a_key_is_turned_away(header):
    bad = refused(b"{", {} if header is None else {"authorization": header})

    assert (bad.message, bad.status) == ("Missing bearer or basic authentication in header", 401)


@pytest.mark.parametrize(("fields", "status", "param", "sentence"), STATE)
def test_what_is_not_there_is_said_to_be_missing(fields, status, param, sentence):
    bad = refused(sent(**fields))

    assert (bad.status, bad.param, bad.code, bad.message) == (status, param, None, sentence)


def test_a_call_with_its_namespace_or_of_a_plain_tool_needs_no_more():
    spaced = call(name="ledger_add", namespace="mcp__ledger")
    read(KEY, sent(input=[spaced], tools=[LEDGER]))
    read(KEY, sent(input=[call(name="ledger_add")], tools=[LEDGER, LEDGER["tools"][0]]))


@pytest.mark.parametrize(("fields", "first"), ORDER)
def test_of_several_that_are_wrong_the_api_names_the_same_one(fields, first):
    assert refused(sent(**fields)).param == first


def test_every_complaint_is_made_by_some_row():
    bodies = [sent(**row[0]) for row in (*FIELDS, *STATE)]
    bodies += [sent(input=[row[0]]) for row in ITEMS] + [sent(tools=row[0]) for row in TOOLS]
    said = {refused(body).message for body in (b"{", *bodies)} | {refused(b"{", {}).message}

    def form(sentence: str) -> re.Pattern[str]:
        return re.compile(re.sub(r"\\{\w+\\}", ".*", re.escape(sentence)), re.DOTALL)

    assert {
        kind
        for kind, complaint in COMPLAINTS.items()
        if not any(form(complaint.sentence).fullmatch(sentence) for sentence in said)
    } == set()
