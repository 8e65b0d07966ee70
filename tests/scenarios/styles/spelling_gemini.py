"""Gemini's generateContent as the careful loop writes and reads it.

Its session is kept in the form of Chat Completions; here that becomes contents. Signatures go back
as they came; in the style `bare` calls and results bear no ids, and are known by name and place.
"""

import json

import event_stream
import faultloop_driver as bench
import httpx
import spelling
from world import style

FINISHES = {"STOP": "stop", "MAX_TOKENS": "length", "SAFETY": "content_filter"}


def head():
    """Where it asks, and with what headers."""
    method = "streamGenerateContent?alt=sse" if bench.streaming() else "generateContent"
    url = f"{bench.url('GOOGLE_GEMINI')}/v1beta/models/{bench.setting('MODEL')}:{method}"
    return url, {"x-goog-api-key": bench.key("GEMINI")}


def body(messages, tools):
    """A request."""
    contents, names = [], {}
    for message in messages:
        role = "model" if message["role"] == "assistant" else "user"
        for call in message.get("tool_calls", ()):
            names[call["id"]] = call["function"]["name"]
        parts = list(_parts(message, names))
        is_result = message["role"] == "tool"
        if is_result and "functionResponse" in contents[-1]["parts"][0]:
            contents[-1]["parts"] += parts
        elif parts:
            contents.append({"role": role, "parts": parts})
    declared = [
        {
            "name": tool["name"],
            "description": tool["description"],
            "parametersJsonSchema": tool["parameters"],
        }
        for tool in tools
    ]
    return {
        "systemInstruction": {"parts": [{"text": spelling.SYSTEM["content"]}]},
        "contents": contents,
        **({"tools": [{"functionDeclarations": declared}]} if tools else {}),
    }


def _parts(message, names):
    if message["role"] == "tool":
        id_ = message["tool_call_id"]
        response = {"name": names[id_], "response": {"output": message["content"]}}
        yield {"functionResponse": response | ({} if style("bare") else {"id": id_})}
        return
    if message["content"]:
        yield {"text": message["content"]}
    for call in message.get("tool_calls", ()):
        function = call["function"]
        said = {"name": function["name"], "args": json.loads(function["arguments"])}
        said |= {} if style("bare") else {"id": call["id"]}
        signed = {"thoughtSignature": call["signature"]} if call.get("signature") else {}
        yield {"functionCall": said, **signed}


def wait_s(response):
    """How long a failure asks to wait, in seconds: told in its body."""
    try:
        details = response.json()["error"].get("details", ())
    except ValueError:
        return 0.0
    return sum(float(detail["retryDelay"][:-1]) for detail in details if "retryDelay" in detail)


def replayed(call):
    """A call as the provider takes it back, with its signature."""
    return spelling.replayed(call) | {"signature": call.get("signature")}


def whole(response):
    """Text, calls and finish reason of a whole reply."""
    return _read([response])


async def streamed(response):
    """The same of a streamed one."""
    return _read([chunk async for chunk in event_stream.events(response)])


def _read(responses):
    text, calls, finish = "", [], None
    for response in responses:
        if "error" in response:
            raise httpx.ReadError(response["error"]["message"])
        for candidate in response.get("candidates", ()):
            # What is not of the table (MALFORMED_FUNCTION_CALL) is no end of a reply.
            finish = FINISHES.get(candidate.get("finishReason"), finish)
            for part in (candidate.get("content") or {}).get("parts", ()):
                text += part.get("text", "")
                if said := part.get("functionCall"):
                    calls.append(_call(said, len(calls), part.get("thoughtSignature")))
    return {"text": text, "calls": calls, "finish": finish}


def _call(said, number, signature):
    function = {"name": said["name"], "arguments": json.dumps(said.get("args", {}))}
    id_ = said.get("id") or f"call-{number}"
    return {"id": id_, "type": "function", "function": function, "signature": signature}
