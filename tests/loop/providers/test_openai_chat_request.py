"""Spelling a session's requests: what was spelt before is remembered, and never told wrongly."""

from __future__ import annotations

from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from faultloop.loop.message import (
    AssistantMessage,
    Call,
    Message,
    Notice,
    ResultMessage,
    UserMessage,
)
from faultloop.loop.providers.openai_chat_request import Speller
from faultloop.loop.providers.port import ModelRequest

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


def asked(*messages: Message, tools: tuple[dict[str, Any], ...] = FACES) -> ModelRequest:
    return ModelRequest(model="m", system="", messages=messages, tools=tools, stream=True)


@example([asked(*SAID[:2]), asked(*SAID[:4]), asked(SAID[5], *SAID[1:4], tools=FACES[:1])])
@given(st.lists(requests, min_size=2, max_size=5))
def test_each_request_is_spelt_as_if_it_were_the_first(said: list[ModelRequest]) -> None:
    speller = Speller(notice_role="system")
    for request in said:
        assert speller.body(request) == Speller(notice_role="system").body(request)
