"""Chat Completions as the official SDK reads it."""

import pytest

from faultloop.fakes.reply import pieces

from .chat_replies import CALLS, CHAT, CREATED_S, FRAME, REPLY, USER


def sdk(body: bytes, *, streamed: bool, status: int = 200):
    """A client of the official SDK that is answered with these bytes."""
    openai = pytest.importorskip("openai", reason="the extra `openai` is not installed")
    httpx2 = pytest.importorskip("httpx2", reason="this openai does not run on httpx2")
    headers = (
        CHAT.headers(streamed=streamed, reply_id="abc") if status == 200 else CHAT.error_headers()
    )
    transport = httpx2.MockTransport(
        lambda request: httpx2.Response(status, headers=dict(headers), content=body)
    )
    return openai.OpenAI(
        api_key="none",
        base_url="http://provider.test/v1",
        max_retries=0,
        http_client=httpx2.Client(transport=transport),
    )


def test_the_sdk_reads_a_whole_reply():
    body = CHAT.whole(REPLY, FRAME)
    client = sdk(body, streamed=False)

    completion = client.chat.completions.create(model="fake-model", messages=[USER])

    choice = completion.choices[0]
    assert (completion.id, completion.created, completion._request_id) == (
        "chatcmpl-abc",
        CREATED_S,
        "req_abc",
    )
    assert (choice.finish_reason, choice.message.content) == ("tool_calls", "I look.")
    assert [(c.id, c.function.name, c.function.arguments) for c in choice.message.tool_calls] == [
        (c.id, c.tool, c.arguments) for c in CALLS
    ]
    assert completion.usage.total_tokens == 19
    assert completion.model_extra == {}
    assert choice.message.model_extra == {}


def test_the_sdk_assembles_a_streamed_reply():
    spelling = CHAT.stream(REPLY, FRAME)
    client = sdk(b"".join(map(spelling.event, pieces(REPLY))), streamed=True)

    with client.chat.completions.stream(
        model="fake-model", messages=[USER], stream_options={"include_usage": True}
    ) as stream:
        completion = stream.get_final_completion()

    choice = completion.choices[0]
    assert (choice.finish_reason, choice.message.content) == ("tool_calls", "I look.")
    assert [(c.id, c.function.name, c.function.arguments) for c in choice.message.tool_calls] == [
        (c.id, c.tool, c.arguments) for c in CALLS
    ]
    assert completion.usage.total_tokens == 19


def test_the_sdk_raises_the_error_that_was_meant():
    body = CHAT.error(status=400, code=None, message="No.", param="messages.[1].role")
    client = sdk(body, streamed=False, status=400)
    import openai

    with pytest.raises(openai.BadRequestError) as caught:
        client.chat.completions.create(model="fake-model", messages=[USER])

    assert caught.value.param == "messages.[1].role"
    assert caught.value.type == "invalid_request_error"
