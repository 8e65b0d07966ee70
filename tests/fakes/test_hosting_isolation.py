"""Two hundred conversations on one port at once: none hears what another was told."""

from __future__ import annotations

import asyncio
import json

from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.hosting import Host, HostedScript, Hosting
from faultloop.fakes.script import ScriptedCall, Step

CONVERSATIONS = 200
TURNS = 3
TOOLS = [{"type": "function", "function": {"name": "note", "parameters": {"type": "object"}}}]


def own(number: int) -> HostedScript:
    """A script that says the number of its conversation in every step."""
    calls = [(ScriptedCall.of("note", {"number": number, "turn": turn}),) for turn in range(TURNS)]
    return HostedScript(
        name=f"script {number}",
        steps=(*(Step(calls=call) for call in calls), Step(say=f"I am {number}.")),
    )


async def post(port: int, number: int, body: dict) -> str:
    """The body of the answer; over a socket of its own, for pools of clients are slow in this."""
    data = json.dumps(body).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        f"POST /c/talk%20{number}/v1/chat/completions HTTP/1.1\r\nhost: x\r\nconnection: close"
        f"\r\ncontent-length: {len(data)}\r\n\r\n".encode()
        + data
    )
    head, _, answer = (await reader.read()).decode().partition("\r\n\r\n")
    writer.close()
    assert head.startswith("HTTP/1.1 200 "), answer
    return answer


async def talk(port: int, number: int) -> tuple[list[str], set[str]]:
    """What a loop hears in its conversation, and the ids of its calls."""
    heard: list[str] = []
    ids: set[str] = set()
    messages: list[object] = [{"role": "user", "content": f"I am client {number}."}]
    while not heard or heard[-1].startswith("{"):
        body = {"model": "m", "messages": messages, "tools": TOOLS, "stream": bool(number % 2)}
        answer = await post(port, number, body)
        text, calls = read(answer) if number % 2 else whole(json.loads(answer))
        said: dict[str, object] = {"role": "assistant", "content": text}
        if calls:
            said["tool_calls"] = calls
        messages.append(said)
        for call in calls:
            ids.add(call["id"])
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": "noted"})
        heard.append(calls[0]["function"]["arguments"] if calls else str(text))
    return heard, ids


def whole(reply: dict) -> tuple[str | None, list[dict]]:
    message = reply["choices"][0]["message"]
    return message.get("content"), message.get("tool_calls") or []


def read(stream: str) -> tuple[str | None, list[dict]]:
    """From chunks as they come: each is an event, and begins a line."""
    text, calls = "", []
    for line in stream.splitlines():
        if not line.startswith("data: {"):
            continue
        for choice in json.loads(line[6:])["choices"]:
            delta = choice["delta"]
            text += delta.get("content") or ""
            for piece in delta.get("tool_calls") or ():
                if piece.get("id"):
                    function = {"name": piece["function"]["name"], "arguments": ""}
                    calls.append({"id": piece["id"], "type": "function", "function": function})
                calls[-1]["function"]["arguments"] += piece["function"].get("arguments") or ""
    return text or None, calls


def test_no_conversation_is_lost_crossed_or_leaked() -> None:
    async def main() -> None:
        hosting = Hosting()
        for number in range(CONVERSATIONS):
            await hosting.load(own(number), f"talk {number}")
        async with Host(hosting) as host:
            port = int(host.url.rsplit(":", 1)[1])
            told = await asyncio.gather(*(talk(port, number) for number in range(CONVERSATIONS)))
            summaries = [hosting.seen(f"talk {n}").summary() for n in range(CONVERSATIONS)]
            assert host.app.failures == {}
        for number, (heard, _) in enumerate(told):
            notes = [json.loads(one) for one in heard[:-1]]
            assert notes == [{"number": number, "turn": turn} for turn in range(TURNS)]
            assert heard[-1] == f"I am {number}."
        assert len(set.union(*(ids for _, ids in told))) == CONVERSATIONS * TURNS
        assert {(one.requests, one.refused, one.said) for one in summaries} == {(4, 0, 4)}

    asyncio.run(main())


def test_every_dialect_has_a_base_url() -> None:
    from faultloop.fakes.hosting.base_urls import SDKS

    assert set(SDKS) == set(DIALECTS)
