"""Responses as the careful loop writes and reads them.

Its session is kept in the form of Chat Completions; here that becomes items. In the style `kept`
the provider keeps the conversation, and only what is new is sent.
"""

import event_stream
import faultloop_driver as bench
import httpx
from spelling import SYSTEM, replayed, wait_s
from world import style

__all__ = ["body", "head", "replayed", "streamed", "wait_s", "whole"]


def head():
    """Where it asks, and with what headers."""
    return f"{bench.url('OPENAI')}/responses", {"Authorization": f"Bearer {bench.key('OPENAI')}"}


def body(messages, tools):
    """A request."""
    offered = [
        {
            "type": "function",
            "name": tool["name"],
            "description": tool["description"],
            "parameters": tool["parameters"],
            "strict": False,
        }
        for tool in tools
    ]
    last = max((at for at, one in enumerate(messages) if one.get("reply")), default=None)
    goes_on = style("kept") and last is not None
    new = messages[last + 1 :] if goes_on else messages
    return {
        "model": bench.setting("MODEL"),
        "instructions": SYSTEM["content"],
        "input": [item for message in new for item in _items(message)],
        "store": style("kept"),
        "stream": bench.streaming(),
        **({"previous_response_id": messages[last]["reply"]} if goes_on else {}),
        **({"tools": offered} if tools else {}),
    }


def _items(message):
    if message["role"] == "tool":
        yield {
            "type": "function_call_output",
            "call_id": message["tool_call_id"],
            "output": message["content"],
        }
        return
    if message["content"]:
        yield {"role": message["role"], "content": message["content"]}
    for call in message.get("tool_calls", ()):
        yield {"type": "function_call", "call_id": call["id"], **call["function"]}


def whole(response):
    """Text, calls and finish reason of a whole reply."""
    text, calls = "", []
    for item in response["output"]:
        match item["type"]:
            case "message":
                text += "".join(part.get("text", "") for part in item["content"])
            case "function_call":
                function = {"name": item["name"], "arguments": item["arguments"]}
                calls.append({"id": item["call_id"], "type": "function", "function": function})
    reason = (response["incomplete_details"] or {}).get("reason")
    cut = {"max_output_tokens": "length", "content_filter": "content_filter"}.get(reason)
    finish = cut or ("tool_calls" if calls else "stop")
    return {"text": text, "calls": calls, "finish": finish, "reply": response["id"]}


async def streamed(response):
    """The same of a streamed one: its last event holds all of it."""
    async for event in event_stream.events(response):
        match event["type"]:
            case "response.completed" | "response.incomplete":
                return whole(event["response"])
            case "response.failed" | "error":
                raise httpx.ReadError("the provider failed in the middle of its stream")
    return {"text": "", "calls": [], "finish": None}
