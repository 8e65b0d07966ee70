"""The look at an endpoint, before anything is said."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import httpx
import pytest

from faultloop.bench.chat.endpoint import model_of
from faultloop.bench.chat.options import BadChat, ChatOptions

OPTIONS = ChatOptions(base_url="http://models.invalid/v1")


def looked(answer: httpx.Response | Exception, *, model: str | None = None, key: str = "") -> str:
    def handle(request: httpx.Request) -> httpx.Response:
        assert str(request.url) == "http://models.invalid/v1/models"
        assert request.headers.get("authorization") == (f"Bearer {key}" if key else None)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def look() -> str:
        async with httpx.AsyncClient(transport=httpx.MockTransport(handle)) as client:
            return await model_of(client, replace(OPTIONS, model=model), key)

    return asyncio.run(look())


def models(*names: str) -> httpx.Response:
    return httpx.Response(200, json={"object": "list", "data": [{"id": name} for name in names]})


def test_the_only_model_needs_no_name() -> None:
    assert looked(models("one")) == "one"


NAMED = [
    models("one", "two"),
    models(),
    httpx.Response(404),
    httpx.Response(500, text="<html>"),
    httpx.Response(200, json={"data": "none"}),
    httpx.ReadTimeout("slow"),
]


@pytest.mark.parametrize("answer", NAMED)
def test_a_name_is_taken_whatever_the_list_says(answer: httpx.Response | Exception) -> None:
    assert looked(answer, model="mine", key="k") == "mine"


REFUSED = {
    "several": (models("one", "two"), "", "name one with --model: one, two"),
    "very many": (models(*map(str, range(30))), "", "19 and 10 more"),
    "none": (models(), "", "does not say which models it has"),
    "no list": (httpx.Response(404), "", "does not say which models it has"),
    "a wrong key": (httpx.Response(401), "k", "the key was refused, it answered 401"),
    "no key": (httpx.Response(403), "", "a key is needed (see --api-key-env)"),
    "nobody there": (httpx.ConnectError("refused"), "", "no connection (refused)"),
}


@pytest.mark.parametrize(("answer", "key", "told"), REFUSED.values(), ids=REFUSED)
def test_what_is_wrong_is_a_sentence(
    answer: httpx.Response | Exception, key: str, told: str
) -> None:
    with pytest.raises(BadChat) as refused:
        looked(answer, key=key)
    assert told in str(refused.value)
