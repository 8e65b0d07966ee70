"""Chat Completions as the official SDK reads it: what no row of its parse matrix asks for."""

import pytest

from .chat_replies import CHAT, USER

openai = pytest.importorskip("openai", reason="the extra `openai` is not installed")
httpx2 = pytest.importorskip("httpx2", reason="this openai does not run on httpx2")


def test_the_sdk_knows_the_field_that_an_error_points_at():
    body = CHAT.error(status=400, code=None, message="No.", param="messages.[1].role")
    headers = dict(CHAT.error_headers())
    transport = httpx2.MockTransport(
        lambda request: httpx2.Response(400, headers=headers, content=body)
    )
    client = openai.OpenAI(api_key="none", http_client=httpx2.Client(transport=transport))

    with client, pytest.raises(openai.BadRequestError) as caught:
        client.chat.completions.create(model="fake-model", messages=[USER])

    assert caught.value.param == "messages.[1].role"
    assert caught.value.type == "invalid_request_error"
