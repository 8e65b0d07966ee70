"""Spelling a session's requests: what was spelt before is remembered, and never told wrongly."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from faultloop.loop.message import (
    AssistantMessage,
    Call,
    Message,
    Notice,
    ResultMessage,
    UserMessage,
)
from faultloop.loop.providers import (
    anthropic_messages_request,
    gemini_request,
    openai_chat_request,
    openai_responses_request,
)
from faultloop.loop.providers.dialect import Speller
from faultloop.loop.providers.port import ModelRequest
from faultloop.loop.providers.spelling import IDS, wire_id, wire_name

FACES: tuple[dict[str, Any], ...] = (
    {"name": "look", "description": "d", "parameters": {"type": "object"}},
    {"name": "act", "description": "d", "parameters": {"type": "object"}},
)
OFFERS = ((), FACES, FACES[:1], (*FACES,))

SAID: tuple[Message, ...] = (
    UserMessage(id="u", text="go"),
    AssistantMessage(id="a", text="", calls=(Call(id="c", name="look", arguments="{}"),)),
    ResultMessage(call_id="c", content="seen", ok=True),
    ResultMessage(call_id="c", content="other", ok=True),
    Notice(text="n"),
    UserMessage(id="u", text="go"),  # equal to the first, and not the same
)

requests = st.builds(
    ModelRequest,
    model=st.sampled_from(("m", "n")),
    system=st.sampled_from(("", "s")),
    messages=st.lists(st.sampled_from(SAID), max_size=6).map(tuple),
    tools=st.sampled_from(OFFERS),
    stream=st.booleans(),
    output_tokens_max=st.sampled_from((None, 7)),
)


SPELLERS: dict[str, Callable[[], Speller]] = {
    "openai_chat": lambda: openai_chat_request.Speller(notice_role="system"),
    "openai_responses": lambda: openai_responses_request.Speller(notice_role="system"),
    "anthropic_messages": anthropic_messages_request.Speller,
    "gemini": gemini_request.Speller,
}


def asked(*messages: Message, tools: tuple[dict[str, Any], ...] = FACES) -> ModelRequest:
    return ModelRequest(model="m", system="", messages=messages, tools=tools, stream=True)


@pytest.mark.parametrize("dialect", SPELLERS)
@example(said=[asked(*SAID[:2]), asked(*SAID[:4]), asked(SAID[5], *SAID[1:4], tools=FACES[:1])])
@given(said=st.lists(requests, min_size=2, max_size=5))
def test_each_request_is_spelt_as_if_it_were_the_first(
    dialect: str, said: list[ModelRequest]
) -> None:
    speller = SPELLERS[dialect]()
    for request in said:
        assert speller.body(request) == SPELLERS[dialect]().body(request)


def test_temperature_and_seed_are_said_where_they_are_set_and_the_api_has_them() -> None:
    set_ = replace(asked(SAID[0]), temperature=0.0, seed=3)
    for dialect, known in {
        "openai_chat": {"temperature", "seed"},
        "openai_responses": {"temperature"},
        "anthropic_messages": {"temperature"},
    }.items():
        speller = SPELLERS[dialect]()
        said, unsaid = (json.loads(speller.body(one)) for one in (set_, asked(SAID[0])))
        assert said.keys() - unsaid.keys() == known


@given(st.text(min_size=1, max_size=80), st.text(min_size=1, max_size=80))
def test_ids_fit_and_stay_different(one: str, other: str) -> None:
    assert IDS.fullmatch(wire_id(one))
    assert (wire_id(one) == wire_id(other)) is (one == other)


@pytest.mark.parametrize(
    ("name", "spelt"), [("", "_"), ("a.b c", "a_b_c"), ("n" * 80, "n" * 64), ("read-1", "read-1")]
)
def test_names_fit(name: str, spelt: str) -> None:
    assert wire_name(name) == spelt
