"""The smallest agent loop on each official SDK: it goes on until the provider says no.

What a loop heard is told in the same words for all, so that one script can be compared across
dialects, streamed and whole.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from faultloop.fakes.hosting import BaseUrls

Heard = list[tuple[str, ...]]
"""("say", text), ("call", tool, arguments as JSON) and, at the end, ("no", status, message)."""

NAME = "read_file"
SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}}
STEPS_MAX = 20


def call(name: str, args: Any) -> tuple[str, ...]:
    return ("call", name, json.dumps(args, sort_keys=True))


def openai_chat(urls: BaseUrls, streamed: bool) -> Heard:
    import openai

    heard: Heard = []
    tools: Any = [{"type": "function", "function": {"name": NAME, "parameters": SCHEMA}}]
    messages: list[Any] = [{"role": "user", "content": "Go."}]
    with openai.OpenAI(base_url=urls.openai, api_key="k") as client:
        for _ in range(STEPS_MAX):
            asked: Any = {"model": "m", "messages": messages, "tools": tools}
            try:
                if streamed:
                    with client.chat.completions.stream(**asked) as stream:
                        message: Any = stream.get_final_completion().choices[0].message
                else:
                    message = client.chat.completions.create(**asked).choices[0].message
            except openai.APIStatusError as error:
                return [*heard, ("no", str(error.status_code), str(error.body["message"]))]  # type: ignore[index]
            said: Any = {"role": "assistant", "content": message.content}
            if message.content:
                heard.append(("say", message.content))
            if message.tool_calls:
                said["tool_calls"] = [
                    {
                        "id": one.id,
                        "type": "function",
                        "function": {
                            "name": one.function.name,
                            "arguments": one.function.arguments,
                        },
                    }
                    for one in message.tool_calls
                ]
            messages.append(said)
            for one in message.tool_calls or ():
                heard.append(call(one.function.name, json.loads(one.function.arguments)))
                messages.append({"role": "tool", "tool_call_id": one.id, "content": "done"})
            if not message.tool_calls:
                messages.append({"role": "user", "content": "And then?"})
    return heard


def openai_responses(urls: BaseUrls, streamed: bool) -> Heard:
    import openai

    heard: Heard = []
    tools: Any = [{"type": "function", "name": NAME, "parameters": SCHEMA, "strict": False}]
    items: list[Any] = [{"role": "user", "content": "Go."}]
    earlier: str | None = None
    with openai.OpenAI(base_url=urls.openai, api_key="k") as client:
        for _ in range(STEPS_MAX):
            asked: Any = {"model": "m", "input": items, "tools": tools}
            if earlier:
                asked["previous_response_id"] = earlier
            try:
                if streamed:
                    with client.responses.stream(**asked) as stream:
                        response: Any = stream.get_final_response()
                else:
                    response = client.responses.create(**asked)
            except openai.APIStatusError as error:
                return [*heard, ("no", str(error.status_code), str(error.body["message"]))]  # type: ignore[index]
            earlier, items = response.id, []
            if response.output_text:
                heard.append(("say", response.output_text))
            for one in response.output:
                if one.type == "function_call":
                    heard.append(call(one.name, json.loads(one.arguments)))
                    items.append(
                        {
                            "type": "function_call_output",
                            "call_id": one.call_id,
                            "output": "done",
                        }
                    )
            items = items or [{"role": "user", "content": "And then?"}]
    return heard


def anthropic_messages(urls: BaseUrls, streamed: bool) -> Heard:
    import anthropic

    heard: Heard = []
    tools: Any = [{"name": NAME, "input_schema": SCHEMA}]
    messages: list[Any] = [{"role": "user", "content": "Go."}]
    with anthropic.Anthropic(base_url=urls.anthropic, api_key="k") as client:
        for _ in range(STEPS_MAX):
            asked: Any = {"model": "m", "max_tokens": 99, "messages": messages, "tools": tools}
            try:
                if streamed:
                    with client.messages.stream(**asked) as stream:
                        message: Any = stream.get_final_message()
                else:
                    message = client.messages.create(**asked)
            except anthropic.APIStatusError as error:
                body: Any = error.body
                return [*heard, ("no", str(error.status_code), body["error"]["message"])]
            results = []
            for block in message.content:
                if block.type == "text":
                    heard.append(("say", block.text))
                elif block.type == "tool_use":
                    heard.append(call(block.name, block.input))
                    results.append(
                        {"type": "tool_result", "tool_use_id": block.id, "content": "done"}
                    )
            messages.append({"role": "assistant", "content": message.content})
            messages.append({"role": "user", "content": results or "And then?"})
    return heard


def gemini(urls: BaseUrls, streamed: bool) -> Heard:
    from google import genai
    from google.genai import errors, types

    heard: Heard = []
    options = types.HttpOptions(base_url=urls.gemini)
    declared = types.FunctionDeclaration(name=NAME, parameters_json_schema=SCHEMA)
    config: Any = types.GenerateContentConfig(
        tools=[types.Tool(function_declarations=[declared])],
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    contents: list[Any] = [types.Content(role="user", parts=[types.Part(text="Go.")])]
    with genai.Client(api_key="k", http_options=options) as client:
        for _ in range(STEPS_MAX):
            asked: Any = {"model": "m", "contents": contents, "config": config}
            try:
                if streamed:
                    chunks = list(client.models.generate_content_stream(**asked))
                else:
                    chunks = [client.models.generate_content(**asked)]
            except errors.APIError as error:
                return [*heard, ("no", str(error.code), str(error.message))]
            parts: list[Any] = [
                part
                for chunk in chunks
                for candidate in chunk.candidates or ()
                if candidate.content
                for part in candidate.content.parts or ()
            ]
            if text := "".join(part.text or "" for part in parts):
                heard.append(("say", text))
            contents.append(types.Content(role="model", parts=parts))
            results = []
            for part in parts:
                if one := part.function_call:
                    heard.append(call(one.name, one.args))
                    answer = types.FunctionResponse(
                        id=one.id, name=one.name, response={"output": "done"}
                    )
                    results.append(types.Part(function_response=answer))
            parts = results or [types.Part(text="And then?")]
            contents.append(types.Content(role="user", parts=parts))
    return heard


LOOPS: dict[str, Callable[[BaseUrls, bool], Heard]] = {
    loop.__name__: loop for loop in (openai_chat, openai_responses, anthropic_messages, gemini)
}
PACKAGE = {
    "openai_chat": "openai",
    "openai_responses": "openai",
    "anthropic_messages": "anthropic",
    "gemini": "google.genai",
}
