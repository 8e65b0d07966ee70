"""The loop that everybody starts with: ask, run what is called, append, ask again."""

import json

import faultloop_driver as bench
from openai import OpenAI


def assembled(chunks):
    """A streamed reply as one message."""
    message, calls = {"role": "assistant", "content": ""}, []
    for delta in (choice.delta for chunk in chunks for choice in chunk.choices):
        message["content"] += delta.content or ""
        for piece in delta.tool_calls or []:
            if piece.id:
                calls.append(piece.model_dump(exclude={"index"}))
            else:
                calls[-1]["function"]["arguments"] += piece.function.arguments
    return message | ({"tool_calls": calls} if calls else {})


def main():
    """Loop until the model calls nothing."""
    ask, tools, stream = OpenAI().chat.completions.create, bench.functions(), bench.streaming()
    messages = [{"role": "user", "content": bench.setting("INPUT")}]
    while True:
        reply = ask(model=bench.setting("MODEL"), messages=messages, tools=tools, stream=stream)
        message = assembled(reply) if stream else reply.choices[0].message.to_dict()
        messages.append(message)
        if not message.get("tool_calls"):
            return message["content"]
        for call in message["tool_calls"]:
            arguments = json.loads(call["function"]["arguments"])
            result = bench.call(call["function"]["name"], arguments)
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})


bench.run(main)
