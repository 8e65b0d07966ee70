"""Anthropic Messages as the careful loop writes and reads them.

Its session is kept in the form of Chat Completions; here that becomes a request. Results of one
batch go into one message of the user, and what the user says next comes behind them.
"""

import json

import event_stream
import faultloop_driver as bench
import httpx
from spelling import SYSTEM, replayed, wait_s

__all__ = ["body", "head", "replayed", "streamed", "wait_s", "whole"]

FINISHES = {"tool_use": "tool_calls", "max_tokens": "length", "refusal": "content_filter"}
FINISHES |= {"end_turn": "stop", "stop_sequence": "stop"}


def head():
    """Where it asks, and with what headers."""
    headers = {"x-api-key": bench.key("ANTHROPIC"), "anthropic-version": "2023-06-01"}
    return f"{bench.url('ANTHROPIC')}/v1/messages", headers


def body(messages, tools):
    """A request."""
    said = []
    for message in messages:
        role = "assistant" if message["role"] == "assistant" else "user"
        blocks = list(_blocks(message))
        if said and said[-1]["role"] == role:
            said[-1]["content"] += blocks
        elif blocks:
            said.append({"role": role, "content": blocks})
    offered = [
        {"name": t["name"], "description": t["description"], "input_schema": t["parameters"]}
        for t in tools
    ]
    return {
        "model": bench.setting("MODEL"),
        "max_tokens": 4096,
        "system": SYSTEM["content"],
        "messages": said,
        "stream": bench.streaming(),
        **({"tools": offered} if tools else {}),
    }


def _blocks(message):
    if message["role"] == "tool":
        yield {
            "type": "tool_result",
            "tool_use_id": message["tool_call_id"],
            "content": message["content"],
        }
        return
    if message["content"]:
        yield {"type": "text", "text": message["content"]}
    for call in message.get("tool_calls", ()):
        function = call["function"]
        args = json.loads(function["arguments"])
        yield {"type": "tool_use", "id": call["id"], "name": function["name"], "input": args}


def whole(message):
    """Text, calls and finish reason of a whole reply."""
    texts = [block["text"] for block in message["content"] if block["type"] == "text"]
    calls = [
        _call(block["id"], block["name"], json.dumps(block["input"]))
        for block in message["content"]
        if block["type"] == "tool_use"
    ]
    finish = FINISHES[message["stop_reason"]]
    return {"text": "".join(texts), "calls": calls, "finish": finish}


async def streamed(response):
    """The same of a streamed one; without a stop reason it has no finish."""
    text, calls, finish = "", {}, None
    async for event in event_stream.events(response):
        match event["type"]:
            case "content_block_start" if event["content_block"]["type"] == "tool_use":
                block = event["content_block"]
                calls.setdefault(event["index"], _call(block["id"], block["name"], ""))
            case "content_block_delta" if event["delta"]:
                text += event["delta"].get("text", "")
                if event["index"] in calls:
                    function = calls[event["index"]]["function"]
                    function["arguments"] += event["delta"].get("partial_json", "")
            case "message_delta":
                finish = FINISHES.get(event["delta"]["stop_reason"]) or finish
            case "error":
                raise httpx.ReadError(event["error"]["message"])
    for call in calls.values():
        call["function"]["arguments"] = call["function"]["arguments"] or "{}"
    return {"text": text, "calls": list(calls.values()), "finish": finish}


def _call(id_, name, arguments):
    return {"id": id_, "type": "function", "function": {"name": name, "arguments": arguments}}
