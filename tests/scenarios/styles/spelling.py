"""Chat Completions as the styles of `driver` write and read it."""

import json
import re

import faultloop_driver as bench
from world import style

SYSTEM = {"role": "system", "content": "You are careful."}
ODD = {"temperature": 0.2, "store": False, "metadata": {"a": "b"}, "user": "u"}


def head():
    """Where it asks, and with what headers."""
    url = f"{bench.url('OPENAI')}/chat/completions"
    return url, {"Authorization": f"Bearer {bench.key('OPENAI')}"}


def wait_s(response):
    """How long a failure asks to wait, in seconds."""
    return float(response.headers.get("retry-after", 0))


def body(messages, tools):
    """A request."""
    spell = flat if style("flat") else in_parts if style("parts") else dict
    keys = ("name", "description", "parameters")
    offered = [{"type": "function", "function": {k: tool[k] for k in keys}} for tool in tools]
    return {
        "model": bench.setting("MODEL"),
        "messages": [spell(_bare(message)) for message in (SYSTEM, *messages)],
        "stream": bench.streaming(),
        **({"tools": offered} if tools else {}),
        **(ODD if style("parts") else {}),
    }


def _bare(message):
    """Without what the session knows of it for other dialects."""
    return {key: value for key, value in message.items() if key != "reply"}


def flat(message):
    """Calls and results as plain text."""
    if message["role"] == "tool":
        said = f"RESULT of {message['tool_call_id']}: {message['content']}"
        return {"role": "user", "content": said}
    calls = [
        f"CALL {call['id']} {call['function']['name']} {call['function']['arguments']}"
        for call in message.get("tool_calls", ())
    ]
    return {"role": message["role"], "content": "\n".join([message["content"] or "", *calls])}


def in_parts(message):
    """Content in parts, a developer in place of a system, and fields that others leave out."""
    content = message["content"]
    spelt = {**message, "content": [{"type": "text", "text": content}] if content else content}
    if message["role"] == "system":
        spelt["role"] = "developer"
    if message["role"] == "assistant":
        spelt |= {"refusal": None, "annotations": [], "audio": None, "name": "bot"}
    return spelt


def whole(completion):
    """Text, calls and finish reason of a whole reply."""
    (choice,) = completion["choices"]
    calls = choice["message"].get("tool_calls") or []
    text = choice["message"]["content"] or ""
    return {"text": text, "calls": calls, "finish": choice["finish_reason"]}


async def streamed(response):
    """The same of a streamed one."""
    text, calls, finish, rest = "", {}, None, b""
    async for chunk in response.aiter_bytes():
        *events, rest = (rest + chunk).split(b"\n\n")
        for event in events:
            data = event.removeprefix(b"data: ")
            for choice in json.loads(data)["choices"] if data != b"[DONE]" else ():
                finish = choice["finish_reason"] or finish
                text += choice["delta"].get("content") or ""
                for piece in choice["delta"].get("tool_calls") or ():
                    _grow(calls, piece)
    return {"text": text, "calls": list(calls.values()), "finish": finish}


def _grow(calls, piece):
    empty = {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}
    call = calls.setdefault(piece["index"], empty)
    call["id"] = piece.get("id") or call["id"]
    call["function"]["name"] = piece["function"].get("name") or call["function"]["name"]
    call["function"]["arguments"] += piece["function"].get("arguments") or ""


def replayed(call):
    """A call as a provider takes it back, whatever the model wrote."""
    name = re.sub(r"[^\w-]", "_", call["function"]["name"])
    try:
        good = isinstance(json.loads(call["raw"]), dict)
    except ValueError:
        good = False
    arguments = call["raw"] if good else json.dumps({"raw": call["raw"]})
    function = {"name": name, "arguments": arguments}
    return {"id": call["id"], "type": "function", "function": function}
