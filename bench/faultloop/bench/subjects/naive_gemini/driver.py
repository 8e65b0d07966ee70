"""The loop that everybody starts with: ask, run what is called, append, ask again."""

import faultloop_driver as bench
from google import genai
from google.genai import types


def asked(client, **request):
    """What the model said, part by part, streamed or whole."""
    if bench.streaming():
        replies = client.models.generate_content_stream(**request)
    else:
        replies = [client.models.generate_content(**request)]
    return [part for reply in replies for part in reply.candidates[0].content.parts or []]


def main():
    """Loop until the model calls nothing."""
    client = genai.Client()
    declared = [
        types.FunctionDeclaration(
            name=tool["name"],
            description=tool["description"],
            parameters_json_schema=tool["parameters"],
        )
        for tool in bench.manifest()
    ]
    config = types.GenerateContentConfig(tools=[types.Tool(function_declarations=declared)])
    contents = [types.Content(role="user", parts=[types.Part(text=bench.setting("INPUT"))])]
    while True:
        parts = asked(client, model=bench.setting("MODEL"), contents=contents, config=config)
        contents.append(types.Content(role="model", parts=parts))
        calls = [part.function_call for part in parts if part.function_call]
        if not calls:
            return "".join(part.text or "" for part in parts)
        results = []
        for call in calls:
            response = {"result": bench.call(call.name, call.args)}
            results.append(types.Part.from_function_response(name=call.name, response=response))
        contents.append(types.Content(role="user", parts=results))


bench.run(main)
