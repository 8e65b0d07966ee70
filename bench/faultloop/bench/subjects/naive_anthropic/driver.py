"""The loop that everybody starts with: ask, run what is called, append, ask again."""

import faultloop_driver as bench
from anthropic import Anthropic

MAX_TOKENS = 4096


def asked(client, **request):
    """The model's message, streamed or whole."""
    if not bench.streaming():
        return client.messages.create(**request)
    with client.messages.stream(**request) as stream:
        return stream.get_final_message()


def main():
    """Loop until the model calls nothing."""
    client, tools = Anthropic(), []
    for tool in bench.manifest():
        named = {key: tool[key] for key in ("name", "description")}
        tools.append({**named, "input_schema": tool["parameters"]})
    request = {"model": bench.setting("MODEL"), "max_tokens": MAX_TOKENS, "tools": tools}
    messages = [{"role": "user", "content": bench.setting("INPUT")}]
    while True:
        message = asked(client, messages=messages, **request)
        messages.append({"role": "assistant", "content": message.content})
        results = []
        for block in message.content:
            if block.type == "tool_use":
                result = {"type": "tool_result", "tool_use_id": block.id}
                results.append({**result, "content": bench.call(block.name, block.input)})
        if not results:
            return "".join(block.text for block in message.content if block.type == "text")
        messages.append({"role": "user", "content": results})


bench.run(main)
