"""The API below `/_faultloop` over a socket, and what is told of wrong requests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from faultloop.fakes.dialects.gemini_parts import signature
from faultloop.fakes.faults.rate_limited import RateLimited
from faultloop.fakes.faults.tool_slow import ToolSlow
from faultloop.fakes.history import load
from faultloop.fakes.hosting import BadScript, Host, HostedScript, Hosting, HostThread
from faultloop.fakes.hosting.admin import SERVICES
from faultloop.fakes.hosting.app import HostApp
from faultloop.fakes.script import Step
from faultloop.fakes.server import PortInUse
from faultloop.fakes.transport import StageTransport
from faultloop.fakes.world.spec import WorldSpec

SCRIPT = HostedScript(
    name="story", steps=(Step(say="Hi."), Step(say="Ho.")), faults=(RateLimited(at="step 2"),)
)
USER = {"role": "user", "content": "Go."}
CONVERSATIONS = "/_faultloop/conversations"


def read(text: str) -> HostedScript:
    if text == "bad":
        raise BadScript("script:1: this is not a script.")
    return HostedScript(name="sent", steps=(Step(say=text),))


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with (
        HostThread(Hosting(SCRIPT, read=read)) as host,
        httpx.Client(base_url=host.url, trust_env=False) as client,
    ):
        yield client
        assert host.failures == []


def ask(client: httpx.Client, name: str = "a", **more: Any) -> httpx.Response:
    body = {"model": "m", "messages": [USER], **more}
    return client.post(f"/c/{name}/v1/chat/completions", json=body)


def text(answer: httpx.Response) -> str:
    return str(answer.json()["choices"][0]["message"]["content"])


def test_the_api_lists_itself(client: httpx.Client) -> None:
    listed = client.get("/_faultloop").json()
    assert list(listed) == [f"{one.method} {one.path}" for one in SERVICES if one.does]


def test_conversations_in_brief(client: httpx.Client) -> None:
    ask(client, "b")
    ask(client, "a")
    found = client.get(CONVERSATIONS).json()
    assert found["script"]["name"] == "story"
    assert [one["conversation"] for one in found["conversations"]] == ["a", "b"]
    assert client.get(f"{CONVERSATIONS}/a").json() == {
        "conversation": "a",
        "script": "story",
        "own": False,
        "begun": 2,
        "requests": 1,
        "refused": 0,
        "steps": 2,
        "said": 1,
        "effects": 0,
        "entries": 3,
        "faults": [{"kind": "rate_limited", "at": "step 2", "fired": 0}],
    }


def test_a_history_is_what_the_stage_wrote_and_can_be_read_on(client: httpx.Client) -> None:
    ask(client)
    whole = client.get(f"{CONVERSATIONS}/a/history").json()
    assert [one["event"] for one in whole["entries"]] == ["requested", "replied", "reply_closed"]
    assert len(whole["times_s"]) == 3
    lines = "\n".join(json.dumps(one) for one in whole["entries"])
    assert [one.position for one in load(lines.encode())] == [0, 1, 2]
    rest = client.get(f"{CONVERSATIONS}/a/history?since=2").json()
    assert rest["entries"] == whole["entries"][2:]


def test_requests_are_kept_word_for_word(client: httpx.Client) -> None:
    ask(client, temperature=0.25)
    ask(client, temperature=0.25)
    client.post("/c/a/v1/chat/completions", content=b"no json")
    found = client.get(f"{CONVERSATIONS}/a/requests").json()["requests"]
    assert [one["body"] for one in found] == [
        {"model": "m", "messages": [USER], "temperature": 0.25},
        {"model": "m", "messages": [USER], "temperature": 0.25},
        "no json",
    ]
    assert [[one["text"] for one in each["messages"]] for each in found] == [["Go."], ["Go."], []]


def test_what_is_no_body_is_kept_as_text(client: httpx.Client) -> None:
    deep = "[" * 5000
    client.post("/c/a/v1/chat/completions", content=deep)
    client.post("/c/a/v1/chat/completions", content='{"a": 1}\n{"b": 2}')
    kept = client.get(f"{CONVERSATIONS}/a/requests").json()["requests"]
    assert [one["body"] for one in kept] == [deep, '{"a": 1}\n{"b": 2}']


def test_a_body_is_kept_without_what_its_signatures_tell(client: httpx.Client) -> None:
    call = {"functionCall": {"name": "f", "args": {}}, "thoughtSignature": signature(["call_1"])}
    result = {"functionResponse": {"name": "f", "response": {"output": "ok"}}}
    roles = {"model": call, "user": result}
    said = [{"role": role, "parts": [part]} for role, part in roles.items()]
    body = {"contents": [{"role": "user", "parts": [{"text": "Go."}]}, *said]}
    answer = client.post("/c/a/v1beta/models/m:generateContent?key=k", json=body)
    assert answer.status_code == 200
    (kept,) = client.get(f"{CONVERSATIONS}/a/requests").json()["requests"]
    assert kept["messages"][1]["calls"][0]["id"] == "call_1"
    assert kept["body"] == body


def test_a_name_can_have_slashes_and_be_any_word(client: httpx.Client) -> None:
    for name in ("tests/a.py::test_b[c/d]", "100%", "é?#", "%2F"):
        spelt = quote(name, safe="")
        assert text(ask(client, spelt)) == "Hi."
        one = client.get(f"{CONVERSATIONS}/{spelt}").json()
        assert (one["conversation"], one["requests"]) == (name, 1)
    assert "clients take '.' out" in ask(client, "%2E").json()["error"]["message"]


def test_scripts_are_loaded_for_one_and_for_all(client: httpx.Client) -> None:
    assert client.put(f"{CONVERSATIONS}/a/script", content="Mine.").json()["steps"] == 1
    assert client.put("/_faultloop/script", content="Everybody's.").json()["name"] == "sent"
    assert (text(ask(client, "a")), text(ask(client, "b"))) == ("Mine.", "Everybody's.")
    assert client.delete(f"{CONVERSATIONS}/a").status_code == 200
    assert text(ask(client, "a")) == "Everybody's."


def test_a_reset_begins_anew(client: httpx.Client) -> None:
    ask(client, "a")
    ask(client, "b")
    assert client.post(f"{CONVERSATIONS}/a/reset").status_code == 200
    entries = {
        one["conversation"]: one["entries"]
        for one in client.post("/_faultloop/reset").json()["conversations"]
    }
    assert entries == {"a": 0, "b": 0}


@pytest.mark.parametrize(
    ("method", "path", "status", "sentence"),
    [
        ("GET", "/_faultloop/nothing", 404, "GET /_faultloop lists what there is"),
        ("POST", "/_faultloop/script", 405, "/_faultloop/script takes PUT, not POST"),
        ("GET", f"{CONVERSATIONS}/x", 404, "there is no conversation 'x': nobody has asked"),
        ("GET", f"{CONVERSATIONS}/x/history", 404, "there is no conversation 'x'"),
        ("POST", f"{CONVERSATIONS}/x/reset", 404, "there is no conversation 'x'"),
        ("DELETE", f"{CONVERSATIONS}/x", 404, "there is no conversation 'x'"),
        ("GET", f"{CONVERSATIONS}/a/history?since=-1", 400, "since is a number of entries"),
        ("GET", f"{CONVERSATIONS}/a/history?since={'9' * 5000}", 400, "since is a number"),
        ("GET", "/v1/models", 404, "a conversation is at /c/NAME/v1/..., where NAME is any word"),
        ("GET", "/c/a", 404, "a conversation is at /c/NAME/v1/..."),
        ("GET", "/c//v1/models", 404, "a conversation is at /c/NAME/v1/..."),
        ("GET", "/c/a/chat/completions", 404, "below the base URL there are /v1/chat/completions"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(
    method: str, path: str, status: int, sentence: str, client: httpx.Client
) -> None:
    ask(client)
    answer = client.request(method, path)
    assert answer.status_code == status
    assert sentence in answer.json()["error"]["message"]


def test_a_bad_script_is_said_in_its_readers_sentence(client: httpx.Client) -> None:
    answer = client.put("/_faultloop/script", content="bad")
    assert answer.status_code == 400
    assert answer.json() == {"error": {"message": "script:1: this is not a script."}}


def test_a_page_of_another_site_changes_nothing(client: httpx.Client) -> None:
    ask(client)
    for origin in ("https://evil.example", "null", "http://127.0.0.1:1"):
        answer = client.post("/_faultloop/reset", headers={"origin": origin})
        assert answer.status_code == 403
        assert f"a page of {origin} may" in answer.json()["error"]["message"]
    assert client.get(f"{CONVERSATIONS}/a").json()["requests"] == 1
    own = str(client.base_url).rstrip("/")
    assert client.post("/_faultloop/reset", headers={"origin": own}).status_code == 200
    assert client.get(f"{CONVERSATIONS}/a").json()["requests"] == 0


def test_a_page_in_a_browser_may_ask_and_read(client: httpx.Client) -> None:
    page = {"origin": "http://my-page.example"}
    path = "/c/a/v1/chat/completions"
    wanted = {"access-control-request-method": "POST"}

    asked_first = client.options(path, headers={**page, **wanted})
    answer = client.post(path, headers=page, json={"model": "m", "messages": [USER]})

    assert (asked_first.status_code, answer.status_code) == (200, 200)
    assert "authorization" in asked_first.headers["access-control-allow-headers"]
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-origin" not in ask(client).headers


def test_a_server_that_coalesces_sends_a_stream_in_one_write() -> None:
    with (
        HostThread(Hosting(SCRIPT), coalesce=True) as host,
        httpx.Client(base_url=host.url, trust_env=False) as client,
        client.stream(
            "POST",
            "/c/a/v1/chat/completions",
            json={"model": "m", "messages": [USER], "stream": True},
        ) as answer,
    ):
        pieces = list(answer.iter_raw())

    assert len(pieces) == 1
    assert pieces[0].endswith(b"data: [DONE]\n\n")


def test_without_a_script_a_request_is_told_so() -> None:
    with HostThread(Hosting()) as host, httpx.Client(base_url=host.url) as client:
        answer = ask(client)
        assert answer.status_code == 404
        assert "conversation 'a' has no script: load one" in answer.json()["error"]["message"]
        assert client.get(CONVERSATIONS).json()["script"] is None


def test_changes_are_told_as_they_happen(client: httpx.Client) -> None:
    sse = pytest.importorskip("httpx_sse")
    with sse.connect_sse(client, "GET", "/_faultloop/events", timeout=30) as source:
        events = source.iter_sse()
        ask(client, "a")
        event = next(events)
        assert event.event == "conversation"
        assert event.json()["conversation"] == "a"
        client.delete(f"{CONVERSATIONS}/a")
        while event.event != "over":  # its last entries may come before
            event = next(events)
        assert event.json() == {"conversation": "a"}


async def _a_watcher_leaves() -> None:
    hosting = Hosting(SCRIPT)
    transport = StageTransport(HostApp(hosting))
    async with httpx.AsyncClient(transport=transport, base_url="http://fake") as client:
        async with client.stream("GET", "/_faultloop/events") as response:
            assert (await anext(response.aiter_raw())).startswith(b": ")
            while hosting.watchers != 1:
                await asyncio.sleep(0)
        while hosting.watchers:
            await asyncio.sleep(0)


def test_a_watcher_that_left_is_forgotten() -> None:
    asyncio.run(asyncio.wait_for(_a_watcher_leaves(), 60))


def test_a_world_is_served_beside_and_its_gate_opens() -> None:
    script = HostedScript(
        name="world",
        steps=(Step(say="Hi."),),
        world=WorldSpec(files={"a.txt": "old"}),
        faults=(ToolSlow(at="tool write_file"),),
    )
    with HostThread(Hosting(script)) as host, httpx.Client(base_url=host.url) as client:
        tools = host.base_urls("w").tools
        names = {one["name"] for one in client.get(tools).json()}
        assert "write_file" in names
        held = client.build_request(
            "POST", f"{tools}/write_file", json={"path": "a.txt", "content": "new"}
        )
        client.post(f"{CONVERSATIONS}/w/gate")
        assert client.send(held).status_code == 200
        assert client.get(f"{CONVERSATIONS}/w").json()["effects"] == 1


def test_a_port_in_use_is_said_where_it_is_asked_for() -> None:
    with HostThread(Hosting(SCRIPT)) as first:
        port = int(first.url.rsplit(":", 1)[1])
        with pytest.raises(PortInUse, match=f"port {port} on"):
            HostThread(Hosting(SCRIPT), port=port).__enter__()


def test_base_urls_are_what_the_sdks_want() -> None:
    with HostThread(Hosting(SCRIPT)) as host:
        urls = host.base_urls("my talk/1")
        assert urls.openai == f"{host.url}/c/my%20talk%2F1/v1"
        assert urls.of("gemini") == urls.of("anthropic_messages") == f"{host.url}/c/my%20talk%2F1"
        assert urls.environment["OPENAI_BASE_URL"] == urls.openai
        assert f"export GOOGLE_GEMINI_BASE_URL={urls.gemini}\n" in urls.exports()


async def _in_this_loop() -> None:
    async with Host(Hosting(SCRIPT)) as host, httpx.AsyncClient(base_url=host.url) as client:
        body = {"model": "m", "messages": [USER]}
        answer = await client.post("/c/a/v1/chat/completions", json=body)
        assert text(answer) == "Hi."
        assert len(host.hosting.seen("a").history()) == 3


def test_it_serves_on_the_loop_that_runs() -> None:
    asyncio.run(_in_this_loop())


async def _without_a_socket() -> None:
    hosting = Hosting(SCRIPT)
    transport = StageTransport(HostApp(hosting))
    async with httpx.AsyncClient(transport=transport, base_url="http://fake") as client:
        answer = await client.post("/c/a/v1/chat/completions", json={"model": "m", "messages": []})
        assert answer.status_code == 400
        assert (await client.get(f"{CONVERSATIONS}/a")).json()["refused"] == 1
    await hosting.close()


def test_it_is_carried_in_process_too() -> None:
    asyncio.run(_without_a_socket())
