"""What the model thinks: told by each dialect as its API does, streamed as whole, and counted."""

from __future__ import annotations

import json
from typing import Any

import pytest

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.dialects.dialect import Frame
from faultloop.fakes.dialects.openai_responses_objects import settings
from faultloop.fakes.item_ids import after_reasoning, own_part, reasoning_before
from faultloop.fakes.reply import Reply, ReplyCall, pieces
from faultloop.fakes.signing import Seal, judged, signed
from faultloop.fakes.strictness.thought_blocks import thinking_of

THOUGHT = "I look at it first, and then I decide."
CALL = ReplyCall(id="call_x1", tool="f", arguments='{"a":1}')
ID = "a1B2c" * 5 + "d3E4"
SUMMARY = {"settings": settings({"reasoning": {"summary": "auto"}})}
ASKS: dict[str, dict[str, Any]] = {
    "openai_chat": {},
    "openai_responses": SUMMARY,
    "anthropic_messages": {},
    "gemini": {"thoughts": True},
}
"""What a request must ask for to be told all."""


def reply(text: str = "So be it.", *, calls: tuple[ReplyCall, ...] = (CALL,)) -> Reply:
    return Reply(
        id=ID,
        turn=0,
        step=1,
        text=text,
        thought=THOUGHT,
        calls=calls,
        finish="tool_calls" if calls else "stop",
        prompt_tokens=10,
        completion_tokens=30,
        reasoning_tokens=12,
    )


def whole(dialect: str, said: Reply, echo: dict[str, Any]) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(DIALECTS[dialect].whole(said, frame(echo)))
    return body


def streamed(dialect: str, said: Reply, echo: dict[str, Any]) -> list[dict[str, Any]]:
    spelling = DIALECTS[dialect].stream(said, frame(echo))
    text = b"".join(map(spelling.event, pieces(said))).decode()
    lines = (line.removeprefix("data: ") for line in text.splitlines() if "data: {" in line)
    return [json.loads(line) for line in lines]


def frame(echo: dict[str, Any]) -> Frame:
    return Frame(created_s=0, model="m", echo=echo)


# --- Messages -------------------------------------------------------------------------------


def blocks(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What a client makes of the blocks of a stream, without calls."""
    made: dict[int, dict[str, Any]] = {}
    for event in events:
        if event["type"] == "content_block_start":
            made[event["index"]] = dict(event["content_block"])
        elif event["type"] == "content_block_delta":
            delta = dict(event["delta"])
            del delta["type"]
            for field, text in delta.items():
                block = made[event["index"]]
                block[field] = block.get(field, "") + text
    return [made[index] for index in sorted(made) if made[index]["type"] != "tool_use"]


@pytest.mark.parametrize("echo", [{}, {"thinking": {"type": "adaptive", "display": "omitted"}}])
def test_a_thinking_block_stands_first_and_is_signed(echo: dict[str, Any]) -> None:
    content = whole("anthropic_messages", reply(), echo)["content"]
    assert [block["type"] for block in content] == ["thinking", "text", "tool_use"]
    text = "" if echo else THOUGHT
    assert content[0] == {"type": "thinking", "thinking": text, "signature": signed(text)}
    assert blocks(streamed("anthropic_messages", reply(), echo)) == content[:2]


def test_the_signature_is_the_last_piece_of_the_block_that_it_signs() -> None:
    events = streamed("anthropic_messages", reply(), {})
    first = [e for e in events if e.get("index") == 0]
    kinds = [event.get("delta", event)["type"] for event in first]
    assert kinds == [
        "content_block_start",
        *["thinking_delta"] * 2,
        "signature_delta",
        "content_block_stop",
    ]
    assert [e["index"] for e in events if e["type"] == "content_block_start"] == [0, 1, 2]


def test_a_request_that_disables_thinking_is_told_none() -> None:
    echo = {"thinking": {"type": "disabled"}}
    content = whole("anthropic_messages", reply(), echo)["content"]
    assert [block["type"] for block in content] == ["text", "tool_use"]
    assert blocks(streamed("anthropic_messages", reply(), echo)) == content[:1]


# --- Responses ------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["So be it.", ""])
@pytest.mark.parametrize("calls", [(), (CALL,)])
@pytest.mark.parametrize("asked", [{}, SUMMARY["settings"]])
def test_a_reasoning_item_stands_first(
    text: str, calls: tuple[ReplyCall, ...], asked: dict[str, Any]
) -> None:
    echo = {"settings": settings(asked)}
    said = reply(text, calls=calls)
    output = whole("openai_responses", said, echo)["output"]
    part = {"type": "summary_text", "text": THOUGHT}
    summary = [part] if asked else []
    assert output[0] == {"id": f"rs_{ID}", "type": "reasoning", "summary": summary}
    events = streamed("openai_responses", said, echo)
    done = [e["item"] for e in events if e["type"] == "response.output_item.done"]
    assert done == output == events[-1]["response"]["output"]
    added = [e["output_index"] for e in events if e["type"] == "response.output_item.added"]
    assert added == [*range(len(output))]


def test_a_summary_comes_as_a_part_in_pieces() -> None:
    events = streamed("openai_responses", reply(), SUMMARY)
    summary = [e for e in events if "summary_index" in e]
    assert [e["type"].removeprefix("response.reasoning_summary_") for e in summary] == [
        "part.added",
        *["text.delta"] * 2,
        "text.done",
        "part.done",
    ]
    assert "".join(e.get("delta", "") for e in summary) == THOUGHT


def test_content_under_seal_comes_where_it_is_asked_for() -> None:
    echo = {"settings": settings({"include": ["reasoning.encrypted_content"]})}
    item = whole("openai_responses", reply(), echo)["output"][0]
    assert item["encrypted_content"].startswith("gAAAA")
    assert THOUGHT not in json.dumps(item)


def test_the_item_of_a_call_tells_the_reasoning_before_it() -> None:
    id_ = whole("openai_responses", reply(), {})["output"][-1]["id"]
    assert reasoning_before(id_) == f"rs_{ID}"
    assert own_part(id_) == "x1"
    assert reasoning_before("fc_x1") is None
    assert after_reasoning(ID, "x" * 40) == "x" * 40  # an id has room for 64 characters


# --- Gemini ---------------------------------------------------------------------------------


def parts(chunks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        part for chunk in chunks for part in chunk["candidates"][0]["content"]["parts"]
    ]
    return found


@pytest.mark.parametrize("asks", [True, None])
def test_thoughts_are_parts_of_their_own_where_they_are_asked_for(asks: bool | None) -> None:
    said = parts([whole("gemini", reply(), {"thoughts": asks})])
    told = [part["text"] for part in said if part.get("thought")]
    assert told == ([THOUGHT] if asks else [])
    chunks = parts(streamed("gemini", reply(), {"thoughts": asks}))
    assert "".join(part["text"] for part in chunks if part.get("thought")) == "".join(told)
    signs = [[part for part in one if "thoughtSignature" in part] for one in (said, chunks)]
    assert signs[0] == signs[1] == [said[-1]]


def test_the_last_part_is_signed_where_nothing_is_called() -> None:
    said = parts([whole("gemini", reply(calls=()), {})])
    chunks = parts(streamed("gemini", reply(calls=()), {}))
    assert said[-1]["thoughtSignature"] == chunks[-1]["thoughtSignature"]
    assert (said[-1]["text"], chunks[-1]["text"]) == ("So be it.", "")


# --- all ------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", DIALECTS)
def test_thoughts_are_counted_in_both_forms(dialect: str) -> None:
    def counts(body: dict[str, Any]) -> list[int]:
        body = body.get("response", body)
        used = body.get("usage") or body.get("usageMetadata") or {}
        inner = used.get("output_tokens_details") or used.get("completion_tokens_details") or used
        return [n for name, n in inner.items() if name in NAMES]

    events = streamed(dialect, reply(), ASKS[dialect])
    assert counts(whole(dialect, reply(), ASKS[dialect])) == [12]
    assert [found for event in events if (found := counts(event))][-1] == [12]


NAMES = ("reasoning_tokens", "thinking_tokens", "thoughtsTokenCount")


def test_chat_completions_tell_nothing_else_of_them() -> None:
    bodies = [whole("openai_chat", reply(), {}), *streamed("openai_chat", reply(), {})]
    assert THOUGHT[:10] not in json.dumps(bodies)
    assert "reasoning_content" not in json.dumps(bodies)


@pytest.mark.parametrize(
    ("signature", "seal"),
    [
        (signed(THOUGHT), Seal.FITS),
        (signed("something else"), Seal.OTHER_TEXT),
        (signed(THOUGHT)[:-4], Seal.FOREIGN),
        ("Eq0=", Seal.FOREIGN),
        ("", Seal.FOREIGN),
        ("no base64!", Seal.FOREIGN),
    ],
)
def test_a_signature_is_known_again(signature: str, seal: Seal) -> None:
    assert judged(signature, THOUGHT) is seal


@pytest.mark.parametrize("setting", ['"on"', "3", "[1]", "null"])
def test_a_setting_that_is_no_object_says_nothing_of_thinking(setting: str) -> None:
    raw = f'{{"thinking":{setting},"messages":[]}}'
    assert thinking_of(Conversation(messages=(), raw=raw)) == {}
