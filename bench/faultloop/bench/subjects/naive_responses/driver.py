"""The loop that everybody starts with: ask, run what is called, append, ask again."""

import json

import faultloop_driver as bench
from openai import OpenAI

KEYS = ("name", "description", "parameters")


def items(reply, stream):
    """What the model said, item by item."""
    if not stream:
        return reply.output
    return [event.item for event in reply if event.type == "response.output_item.done"]


def text(said):
    """The text of messages."""
    return "".join(part.text for one in said if one.type == "message" for part in one.content)


def main():
    """Loop until the model calls nothing."""
    ask, stream = OpenAI().responses.create, bench.streaming()
    tools = [
        {"type": "function", "strict": False, **{k: t[k] for k in KEYS}} for t in bench.manifest()
    ]
    history = [{"role": "user", "content": bench.setting("INPUT")}]
    while True:
        reply = ask(model=bench.setting("MODEL"), input=history, tools=tools, stream=stream)
        said = items(reply, stream)
        history += said
        calls = [item for item in said if item.type == "function_call"]
        if not calls:
            return text(said)
        for call in calls:
            result = bench.call(call.name, json.loads(call.arguments))
            history.append(
                {"type": "function_call_output", "call_id": call.call_id, "output": result}
            )


bench.run(main)
