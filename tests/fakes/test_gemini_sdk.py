"""Gemini as the official SDK reads it, from the real server over HTTP."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from faultloop.fakes.faults.length_with_complete_arguments import LengthWithCompleteArguments
from faultloop.fakes.faults.truncated_arguments import TruncatedArguments
from faultloop.fakes.history import Refused, ReplyClosed, Requested
from faultloop.fakes.script import ScriptedCall, Step
from faultloop.fakes.strictness import Strictness

from .gemini_scene import (
    BOTH,
    CONFIG,
    FILTERED,
    LONG,
    ONE,
    TALK,
    A,
    B,
    Scene,
    genai,
    play,
    types,
)


def args(response: Any) -> list[Any]:
    return [(call.name, call.args) for call in response.function_calls or ()]


both_ways = pytest.mark.parametrize("streamed", [False, True])


@both_ways
@pytest.mark.parametrize("version", [None, "v1", "v1beta", "v1alpha"])
def test_text(streamed: bool, version: str | None) -> None:
    async def story(scene: Scene) -> None:
        response = await scene.ask(streamed=streamed)
        assert response.text.startswith(TALK.say + " [ref ")
        assert response.candidates[0].finish_reason == "STOP"
        assert response.model_version == "gemini-x"
        assert len(response.response_id) == 29
        usage = response.usage_metadata
        assert usage.prompt_token_count > 0 < usage.candidates_token_count
        assert usage.total_token_count == usage.prompt_token_count + usage.candidates_token_count
        assert usage.prompt_tokens_details[0].modality == "TEXT"
        (request,) = scene.seen(Requested)
        assert (request.dialect, request.streaming) == ("gemini", streamed)
        assert request.tools == ("read_file", "list_files")
        assert [message.role for message in request.messages] == ["system", "user"]

    play(story, TALK, version=version)


@both_ways
@pytest.mark.parametrize(("step", "calls"), [(ONE, [A]), (BOTH, [A, B])])
def test_calls(step: Step, calls: list[ScriptedCall], streamed: bool) -> None:
    async def story(scene: Scene) -> None:
        response = await scene.ask(streamed=streamed)
        path = {"path": "a.txt", "lines": [1, 2.5, None, "ü<b>"]}
        assert args(response) == [("read_file", path), ("list_files", {})][: len(calls)]
        assert all(call.id.startswith("call_") for call in response.function_calls)
        signed = [
            part.thought_signature
            for part in response.candidates[0].content.parts
            if part.function_call
        ]
        assert signed[0]
        assert not any(signed[1:])
        assert response.candidates[0].finish_reason == "STOP"
        (closed,) = scene.seen(ReplyClosed)
        assert (closed.outcome, len(closed.calls_complete)) == ("sent", len(calls))

    play(story, step)


@both_ways
@pytest.mark.parametrize(
    ("step", "reason"), [(LONG, "MAX_TOKENS"), (FILTERED, "SAFETY"), (TALK, "STOP")]
)
def test_finishes(step: Step, reason: str, streamed: bool) -> None:
    async def story(scene: Scene) -> None:
        response = await scene.ask(streamed=streamed)
        candidate = response.candidates[0]
        assert candidate.finish_reason == reason
        assert bool(candidate.safety_ratings) == (reason == "SAFETY")
        assert candidate.content.parts[0].text.startswith(step.say)
        at_limit = response.usage_metadata.candidates_token_count == CONFIG.max_output_tokens
        assert at_limit == (reason == "MAX_TOKENS")

    play(story, step)


@both_ways
def test_what_was_cut_in_a_call_is_not_seen_and_what_was_whole_is(streamed: bool) -> None:
    async def story(scene: Scene) -> None:
        cut = await scene.ask(streamed=streamed)
        assert (args(cut), cut.candidates[0].finish_reason) == ([], "MAX_TOKENS")

    async def other(scene: Scene) -> None:
        complete = await scene.ask(streamed=streamed)
        assert len(args(complete)) == 1
        assert complete.candidates[0].finish_reason == "MAX_TOKENS"

    play(story, ONE, faults=(TruncatedArguments(at="step 1"),))
    play(other, ONE, faults=(LengthWithCompleteArguments(at="step 1"),))


LENIENT = Strictness(off=("thought_signatures",))


@both_ways
@pytest.mark.parametrize("echo", ["all", "ids", "signatures", "nothing"])
def test_a_tool_round_trip(streamed: bool, echo: str) -> None:
    """Two steps and a last word, whatever of a call's marks the client sends back."""

    async def story(scene: Scene) -> None:
        contents = [types.Content(role="user", parts=[types.Part(text=scene.input)])]
        said = []
        while True:
            response = await scene.ask(contents, streamed=streamed)
            said.append(args(response))
            if not response.function_calls:
                break
            content = response.candidates[0].content.model_copy(deep=True)
            for part in content.parts:
                if echo in ("ids", "nothing"):
                    part.thought_signature = None
                if echo in ("signatures", "nothing") and part.function_call:
                    part.function_call.id = None
            results = [
                types.Part(
                    function_response=types.FunctionResponse(
                        id=part.function_call.id,
                        name=part.function_call.name,
                        response={"output": f"result of {part.function_call.name}"},
                    )
                )
                for part in content.parts
                if part.function_call
            ]
            contents += [content, types.Content(role="user", parts=results)]
        assert [len(calls) for calls in said] == [2, 1, 0]
        assert response.text.startswith("Done.")
        assert scene.seen(Refused) == []
        last = scene.seen(Requested)[-1].messages
        made = [call.id for message in last for call in message.calls]
        assert [message.result_of for message in last if message.role == "tool"] == made
        assert all(id_.startswith("call_") for id_ in made) == (echo != "nothing")

    # Without any mark in its calls a step is known by its text alone.
    again = Step(say="Again." if echo == "nothing" else "", calls=(A,))
    off = Strictness() if echo in ("all", "signatures") else LENIENT
    play(story, BOTH, again, Step(say="Done."), strictness=off)


def test_the_sdk_calls_functions_by_itself() -> None:
    async def list_files() -> str:
        """List all files."""
        return "a.txt"

    async def story(scene: Scene) -> None:
        config = types.GenerateContentConfig(tools=[list_files])
        response = await scene.ask(config=config)
        assert response.text.startswith("Done.")
        result = scene.seen(Requested)[-1].messages[-1]
        assert result.text == "a.txt"
        assert result.result_of.startswith("call_")

    play(story, Step(calls=(B,)), Step(say="Done."))


def test_a_chat_goes_on_where_it_was() -> None:
    async def story(scene: Scene) -> None:
        chat = scene.client.chats.create(model="gemini-x", config=CONFIG)
        first = await chat.send_message(scene.input)
        answers = [
            types.Part.from_function_response(name=call.name, response={"result": "ok"})
            for call in first.function_calls
        ]
        texts = [chunk.text or "" async for chunk in await chat.send_message_stream(answers)]
        assert "".join(texts).startswith("Done.")

    play(story, BOTH, Step(say="Done."))


@pytest.mark.parametrize("step", [ONE, BOTH], ids=["one", "both"])
def test_a_streamed_chat_sends_each_chunk_as_a_message_of_its_own(step: Step) -> None:
    async def read_file(path: str) -> str:
        """Read a file."""
        return "text"

    async def list_files() -> str:
        """List all files."""
        return "a.txt"

    async def story(scene: Scene) -> None:
        config = types.GenerateContentConfig(tools=[read_file, list_files])
        chat = scene.client.chats.create(model="gemini-x", config=config)
        texts = [chunk.text or "" async for chunk in await chat.send_message_stream(scene.input)]
        assert "".join(texts).endswith("]")
        roles = [message.role for message in scene.seen(Requested)[-1].messages]
        assert roles.count("assistant") > 1
        assert scene.seen(Refused) == []

    play(story, step, Step(say="Done."))


@both_ways
def test_what_the_api_rejects_reaches_the_sdk_in_its_words(streamed: bool) -> None:
    async def story(scene: Scene) -> None:
        contents = [types.Content(role="system", parts=[types.Part(text="S")])]
        with pytest.raises(genai.errors.ClientError) as caught:
            await scene.ask(contents, streamed=streamed)
        assert caught.value.message == "Please use a valid role: user, model."
        assert scene.seen(Refused)[0].rule == "unreadable"

    play(story, TALK)


@pytest.mark.parametrize("version", [None, "v1beta"])
def test_asides_are_no_requests_of_the_play(version: str | None) -> None:
    async def story(scene: Scene) -> None:
        models = scene.client.models
        counted = await models.count_tokens(model="gemini-x", contents="Go on. " * 40)
        assert counted.total_tokens > 70
        listed = [model.name async for model in await models.list()]
        assert "models/fake-model" in listed
        one = await models.get(model="gemini-x")
        assert (one.name, one.input_token_limit) == ("models/gemini-x", 1_048_576)
        assert "generateContent" in one.supported_actions
        empty = types.Content(role="user", parts=[types.Part()])
        with pytest.raises(genai.errors.ClientError, match="required oneof field 'data'"):
            await models.count_tokens(model="gemini-x", contents=[empty])
        assert scene.seen(Requested) == []

    play(story, TALK, version=version)


def test_without_events_the_array_arrives_with_json_headers() -> None:
    async def story(scene: Scene) -> None:
        async with httpx.AsyncClient(trust_env=False, verify=False) as client:
            url = f"{scene.url}/v1beta/models/m:streamGenerateContent"
            tools = {"functionDeclarations": {"name": "read_file"}}
            body = {"contents": {"parts": {"text": scene.input}}, "tools": tools}
            answer = await client.post(url, json=body, params={"key": "none"})
            assert answer.headers["content-type"] == "application/json; charset=UTF-8"
            texts = [
                response["candidates"][0]["content"]["parts"][0]["text"]
                for response in answer.json()
            ]
            assert "".join(texts).startswith(TALK.say)
            refused = await client.post(url, json={}, params={"key": "none"})
            assert refused.status_code == 400
            assert refused.json()[0]["error"]["status"] == "INVALID_ARGUMENT"
            events = await client.post(url, json={}, params={"key": "none", "alt": "sse"})
            assert events.json()["error"]["status"] == "INVALID_ARGUMENT"
            nobody = await client.post(url, json=body)
            assert nobody.status_code == 403

    play(story, TALK)
