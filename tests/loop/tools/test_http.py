"""Tools over HTTP: an answer is a result, silence is not (SPEC C4, D3, D4)."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from faultloop.loop.contract import Contract, ContractError
from faultloop.loop.tools.http import HttpTool, discover
from faultloop.loop.tools.port import ToolContext, ToolResult

URL = "http://world/r/play/1/tools"
SCHEMA: dict[str, Any] = {"type": "object", "properties": {"title": {"type": "string"}}}
HTML_504 = httpx.Response(504, html="<html><h1>504 Gateway\n Time-out</h1></html>")


def contract(**declared: Any) -> Contract:
    return Contract(name="create", purpose="p", parameters=SCHEMA, **declared)


def context() -> ToolContext:
    return ToolContext(
        call_id="call_1", key="key_1", attempt="t1", cancelled=asyncio.Event(), progress=print
    )


def run(answer: httpx.Response | Exception, **declared: Any) -> ToolResult:
    """One call that is answered like this."""

    def handler(_: httpx.Request) -> httpx.Response:
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def scenario() -> ToolResult:
        async with httpx.AsyncClient(transport=httpx.MockTransport(handler)) as client:
            tool = HttpTool(contract(**declared), client, f"{URL}/create", timeout_s=5.0)
            return await tool.run({"title": "ü"}, context())

    return asyncio.run(scenario())


def failed(code: str, *, retryable: bool = False) -> dict[str, object]:
    return {"ok": False, "code": code, "message": "what went wrong", "retryable": retryable}


SPOKEN: list[tuple[int, dict[str, object], dict[str, object]]] = [
    # status, body, fields of the result
    (200, {"ok": True, "data": "text"}, {"outcome": "ok", "code": "", "truncated": False}),
    (200, {"ok": True, "data": "t", "truncated": True, "continuation": "offset=9"},
     {"outcome": "ok", "truncated": True, "continuation": "offset=9"}),
    (200, {"ok": True, "data": {"a": [1]}, "truncated": False, "continuation": None},
     {"outcome": "ok", "continuation": ""}),
    (200, {"ok": True, "data": "t", "continuation": {"offset": 9}},
     {"outcome": "ok", "continuation": '{"offset":9}'}),
    (404, failed("UNKNOWN_TOOL"), {"outcome": "failed", "code": "UNKNOWN_TOOL"}),
    (422, failed("INVALID_ARGS"), {"outcome": "failed", "code": "INVALID_ARGS"}),
    (500, failed("TOOL_FAILED"), {"outcome": "failed", "code": "TOOL_FAILED", "retryable": False}),
    (500, failed("TOOL_FAILED", retryable=True), {"outcome": "failed", "retryable": True}),
]  # fmt: skip


@pytest.mark.parametrize(("status", "body", "fields"), SPOKEN)
def test_an_answer_goes_to_the_model_as_it_is(
    status: int, body: dict[str, object], fields: dict[str, object]
) -> None:
    text = json.dumps(body, indent=1)
    result = run(httpx.Response(status, text=text))
    assert result.content == text
    assert {name: getattr(result, name) for name in fields} == fields


UNSPOKEN: list[tuple[httpx.Response | Exception, str]] = [
    (HTML_504, "HTTP_504"),
    (httpx.Response(502, text="bad gateway"), "HTTP_502"),
    (httpx.Response(500, json={"error": "not the contract's body"}), "HTTP_500"),
    (httpx.Response(200, html="<h1>Log in</h1>"), "HTTP_200"),
    (httpx.ReadError("connection reset"), "CONNECTION_LOST"),
    (httpx.RemoteProtocolError("incomplete body"), "CONNECTION_LOST"),
    (httpx.ReadTimeout(""), "CONNECTION_LOST"),
    (TimeoutError(), "TIMEOUT"),
]


@pytest.mark.parametrize(("answer", "code"), UNSPOKEN)
def test_no_answer_means_unknown_and_the_model_is_never_told_that_nothing_happened(
    answer: httpx.Response | Exception, code: str
) -> None:
    result = run(answer, verify_with="find")
    assert (result.outcome, result.code, result.retryable) == ("unknown", code, False)
    assert result.content.startswith("The outcome of create is unknown: ")
    assert "It may have taken effect. Check with find first" in result.content
    assert "Nothing was run" not in result.content


@pytest.mark.parametrize(("answer", "code"), UNSPOKEN)
def test_a_reading_call_has_no_effect_to_be_uncertain_of(
    answer: httpx.Response | Exception, code: str
) -> None:
    result = run(answer, read_only=True)
    assert (result.outcome, result.code, result.retryable) == ("failed", code, True)


@pytest.mark.parametrize("declared", ["idempotent", "honours_key"])
def test_a_call_whose_repeat_is_harmless_is_as_unknown_but_may_be_tried_again(
    declared: str,
) -> None:
    result = run(HTML_504, **{declared: True})
    assert (result.outcome, result.retryable) == ("unknown", True)


def test_a_model_without_a_way_to_check_is_told_not_to_repeat() -> None:
    assert "Do not repeat it before you have found out" in run(HTML_504).content


@pytest.mark.parametrize(
    ("answer", "code", "retryable"),
    [
        (httpx.ConnectError("refused"), "UNREACHABLE", True),
        (httpx.ConnectTimeout("slow"), "UNREACHABLE", True),
        (httpx.Response(401, text="who are you"), "HTTP_401", False),
        (httpx.Response(429, text="slow down"), "HTTP_429", True),
    ],
)
def test_what_never_reached_the_tool_has_failed(
    answer: httpx.Response | Exception, code: str, retryable: bool
) -> None:
    result = run(answer)
    assert (result.outcome, result.code, result.retryable) == ("failed", code, retryable)
    assert "Nothing was run" in result.content


def test_the_arguments_the_call_id_and_the_key_are_on_the_wire() -> None:
    seen: list[httpx.Request] = []

    def handler(arrived: httpx.Request) -> httpx.Response:
        seen.append(arrived)
        return httpx.Response(200, json={"ok": True, "data": ""})

    async def scenario() -> None:
        async with httpx.AsyncClient(transport=httpx.MockTransport(handler)) as client:
            await HttpTool(contract(), client, f"{URL}/create").run({"title": "ü"}, context())

    asyncio.run(scenario())
    [arrived] = seen
    assert (arrived.method, str(arrived.url)) == ("POST", f"{URL}/create")
    assert json.loads(arrived.content) == {"title": "ü"}
    assert arrived.headers["x-call-id"] == "call_1"
    assert arrived.headers["idempotency-key"] == "key_1"


def test_a_call_that_outlasts_its_time_is_unknown() -> None:
    async def scenario() -> ToolResult:
        async def never(_: httpx.Request) -> httpx.Response:
            await asyncio.Event().wait()
            raise AssertionError("not reached")

        async with httpx.AsyncClient(transport=httpx.MockTransport(never)) as client:
            tool = HttpTool(contract(), client, f"{URL}/create", timeout_s=0.01)
            return await tool.run({}, context())

    result = asyncio.run(scenario())
    assert (result.outcome, result.code) == ("unknown", "TIMEOUT")
    assert "no answer in the time it had (0.01 s)" in result.content


def test_cancelling_closes_the_connection() -> None:
    async def scenario() -> None:
        arrived, gone = asyncio.Event(), asyncio.Event()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            arrived.set()
            await reader.read()  # ends when the client closes
            gone.set()
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, httpx.AsyncClient() as client, asyncio.timeout(60):
            tool = HttpTool(contract(), client, f"http://127.0.0.1:{port}/tools/create")
            call = asyncio.create_task(tool.run({}, context()))
            await arrived.wait()
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            await gone.wait()

    asyncio.run(scenario())


# --- the manifest -------------------------------------------------------------------------------


def discovered(answer: httpx.Response) -> tuple[HttpTool, ...]:
    async def scenario() -> tuple[HttpTool, ...]:
        async with httpx.AsyncClient(transport=httpx.MockTransport(lambda _: answer)) as client:
            return await discover(client, f"{URL}/")

    return asyncio.run(scenario())


def test_the_manifest_gives_the_tools_in_its_order() -> None:
    entries = [
        {"name": "find", "description": "Find.", "parameters": SCHEMA,
         "annotations": {"readOnlyHint": True}},
        {"name": "run_command", "description": "Run.", "parameters": SCHEMA,
         "annotations": {"faultloop/runs": "subject"}},
    ]  # fmt: skip
    find, command = discovered(httpx.Response(200, json=entries))
    assert find.contract.read_only
    assert not find.runs_here
    assert command.runs_here


@pytest.mark.parametrize("body", [b"<html>", b'{"tools": []}', b'[{"description": "no name"}]'])
def test_what_is_no_manifest_is_refused_with_a_sentence(body: bytes) -> None:
    with pytest.raises(ContractError):
        discovered(httpx.Response(200, content=body))


@pytest.mark.parametrize(
    ("call_id", "header"),
    [
        ("call_1:query", "call_1:query"),
        ("été", "%C3%A9t%C3%A9"),
        ("a b\r\nx-evil: 1", "a%20b%0D%0Ax-evil:%201"),
        ("100%", "100%25"),
    ],
)
def test_any_call_id_fits_into_a_header(call_id: str, header: str) -> None:
    seen: list[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request.headers["x-call-id"])
        return httpx.Response(200, json={"ok": True})

    async def scenario() -> ToolResult:
        async with httpx.AsyncClient(transport=httpx.MockTransport(handler)) as client:
            tool = HttpTool(contract(), client, f"{URL}/create")
            return await tool.run({}, replace(context(), call_id=call_id))

    assert asyncio.run(scenario()).outcome == "ok"
    assert seen == [header]


def unsendable(args: dict[str, Any], key: str) -> ToolResult:
    async def scenario() -> ToolResult:
        transport = httpx.MockTransport(lambda _: httpx.Response(200, json={"ok": True}))
        async with httpx.AsyncClient(transport=transport) as client:
            tool = HttpTool(contract(idempotent=True), client, f"{URL}/create")
            return await tool.run(args, replace(context(), key=key))

    return asyncio.run(scenario())


@pytest.mark.parametrize(
    ("args", "key"),
    [({"title": "\ud800"}, "key_1"), ({"title": b"raw"}, "key_1"), ({}, "schlüssel")],
)
def test_a_request_that_could_not_be_written_was_never_sent(args: dict[str, Any], key: str) -> None:
    result = unsendable(args, key)
    assert (result.outcome, result.code, result.retryable) == ("failed", "NOT_SENT", False)
    assert "Nothing was run" in result.content
