"""The MCP endpoint, byte by byte: sessions, versions, refusals; in process and over a socket."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.fakes.carried import APPEND, Carry, Scene, carried, plan

from faultloop.fakes.history import CallArrived

from .talk import BOTH, ENVELOPE, HELLO, META, Talk, call, request, told

VERSION = "io.modelcontextprotocol/protocolVersion"


@carried
def test_a_session_begins_with_a_handshake_and_ends_with_delete(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        greeting = await talk.hello()
        assert greeting["protocolVersion"] == "2025-11-25"
        assert greeting["capabilities"] == {"tools": {"listChanged": True}}
        assert (await talk.post(request("ping"))).json()["result"] == {}
        assert (await scene.client.delete("mcp", headers=talk.headers)).status_code == 200
        over = await talk.post(request("ping", number=7))
        assert over.status_code == 404
        assert over.json() == {
            "jsonrpc": "2.0",
            "id": 7,
            "error": {"code": -32600, "message": "Session not found"},
        }

    carry(story, plan())


@carried
@pytest.mark.parametrize(
    ("wanted", "agreed"),
    [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ],
)
def test_a_version_that_is_not_known_is_answered_with_the_newest_of_its_era(
    carry: Carry, wanted: str, agreed: str
) -> None:
    async def story(scene: Scene) -> None:
        assert (await Talk(scene).hello(wanted))["protocolVersion"] == agreed

    carry(story, plan())


@carried
def test_two_sessions_have_two_ids(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        one, other = Talk(scene), Talk(scene)
        await one.hello()
        await other.hello()
        assert one.headers["mcp-session-id"] != other.headers["mcp-session-id"]
        assert (await scene.client.delete("mcp", headers=one.headers)).status_code == 200
        assert (await other.post(request("ping"))).status_code == 200

    carry(story, plan())


@carried
def test_tools_are_listed_with_schema_and_honest_hints(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        tools = (await talk.post(request("tools/list"))).json()["result"]["tools"]
        plain = (await scene.client.get("tools")).json()
        assert [tool["name"] for tool in tools] == [tool["name"] for tool in plain]
        for tool, same in zip(tools, plain, strict=True):
            assert tool["inputSchema"] == same["parameters"]
            assert tool["annotations"] | tool["_meta"] == same["annotations"]
            assert all(key.endswith("Hint") for key in tool["annotations"])
            assert all(key.startswith("faultloop/") for key in tool["_meta"])

    carry(story, plan())


@carried
def test_a_call_enters_the_same_history_and_ledger_as_over_plain_http(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        said = await told(
            talk, "append_file", APPEND, faultloop__callId="c", faultloop__idempotencyKey="k"
        )
        assert said["content"] == [
            {"type": "text", "text": "Done: appended 1 line to a.txt, which now has 1."}
        ]
        assert said["isError"] is False
        (arrived,) = scene.seen(CallArrived)
        assert (arrived.start, arrived.call_id, arrived.key) == (1, "c", "k")
        read = await scene.client.post("tools/read_file", json={"path": "a.txt"})
        assert str(APPEND["line"]) in read.json()["data"]

    carry(story, plan())


@carried
def test_arguments_are_kept_as_the_client_wrote_them(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        body = (
            '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"append_file",'
            '"arguments":{"line": "\\u0041",  "path":"a.txt"}}}'
        )
        sent = await scene.client.post("mcp", content=body, headers=talk.headers)
        assert sent.json()["result"]["isError"] is False
        assert scene.seen(CallArrived)[0].arguments == '{"line": "\\u0041",  "path":"a.txt"}'

    carry(story, plan())


@carried
def test_the_key_of_a_call_can_come_as_a_header(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        await talk.post(call("append_file", APPEND), **{"idempotency-key": "h", "x-call-id": "i"})
        (arrived,) = scene.seen(CallArrived)
        assert (arrived.call_id, arrived.key) == ("i", "h")

    carry(story, plan())


@carried
def test_where_requests_have_envelopes_no_handshake_is_needed(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        found = (await talk.enveloped("server/discover")).json()["result"]
        assert found["supportedVersions"] == [ENVELOPE]
        listed = (await talk.enveloped("tools/list")).json()["result"]
        assert (listed["resultType"], listed["ttlMs"], listed["cacheScope"]) == (
            "complete",
            0,
            "private",
        )
        params = {"name": "append_file", "arguments": APPEND}
        response = await talk.enveloped("tools/call", params)
        assert "mcp-session-id" not in response.headers
        assert response.json()["result"]["isError"] is False
        assert len(scene.stage.ledger.effects) == 1

    carry(story, plan())


@carried
def test_a_failure_of_the_tool_is_a_result_that_says_so(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        said = await told(talk, "read_file", {"path": "none"})
        assert said["isError"] is True
        assert said["structuredContent"] == {
            "code": "TOOL_FAILED",
            "message": "There is no file 'none'. Files that exist: none.",
            "retryable": False,
        }
        assert said["content"][0]["text"].startswith("TOOL_FAILED: There is no file")

    carry(story, plan())


@carried
@pytest.mark.parametrize(
    ("version", "is_result"),
    [("2025-03-26", False), ("2025-06-18", False), ("2025-11-25", True)],
)
def test_arguments_that_do_not_fit_are_told_as_the_version_has_it(
    carry: Carry, version: str, is_result: bool
) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello(version)
        body = (await talk.call("append_file", {"path": "a.txt"})).json()
        if is_result:
            told = body["result"]["structuredContent"]
            assert body["result"]["isError"] is True
        else:
            told = body["error"]["data"]
            assert body["error"]["code"] == -32602
        assert told["code"] == "INVALID_ARGS"
        assert '"line" is a required property' in told["message"]
        assert scene.stage.ledger.effects == []

    carry(story, plan())


@carried
@pytest.mark.parametrize("arguments", ["text", [APPEND], None])
def test_arguments_that_are_no_object_arrive_and_are_refused(
    carry: Carry, arguments: object
) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        body = (await talk.call("append_file", arguments)).json()
        assert body["error"]["code"] == -32602
        (arrived,) = scene.seen(CallArrived)
        assert json.loads(arrived.arguments) == arguments
        assert scene.stage.ledger.effects == []

    carry(story, plan())


@carried
@pytest.mark.parametrize("params", [None, [], {"_meta": []}])
def test_a_request_that_is_wrong_in_one_field_is_refused_under_its_id(
    carry: Carry, params: object
) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        wrong = {"jsonrpc": "2.0", "id": 7, "method": "ping", "params": params}
        body = (await talk.post(wrong)).json()
        assert (body["id"], body["error"]["code"]) == (7, -32600)

    carry(story, plan())


@carried
def test_a_tool_that_is_not_there_is_an_error_of_the_protocol(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        response = await talk.call("apend_file", APPEND)
        assert response.status_code == 200
        error = response.json()["error"]
        assert error["code"] == -32602
        assert error["data"]["code"] == "UNKNOWN_TOOL"
        again = await talk.enveloped("tools/call", {"name": "apend_file", "arguments": APPEND})
        assert (again.status_code, again.json()["error"]["code"]) == (400, -32602)
        assert [entry.tool for entry in scene.seen(CallArrived)] == ["apend_file"] * 2

    carry(story, plan())


# --- what a real server refuses ---------------------------------------------------------------


@carried
@pytest.mark.parametrize(
    ("body", "headers", "status", "code", "sentence"),
    [
        (request("ping"), {"accept": "application/json"}, 406, -32600, "text/event-stream"),
        (request("ping"), {"origin": "https://evil.example"}, 403, -32600, "evil.example"),
        (request("ping"), {}, 400, -32600, "Missing session ID"),
        (request("ping"), {"mcp-session-id": "guessed"}, 404, -32600, "Session not found"),
        (request("ping"), {"mcp-protocol-version": "2020-01-01"}, 400, -32600, "2020-01-01"),
        ([request("ping")], {}, 400, -32600, "no JSON-RPC message"),
        ({"id": 1, "method": "ping"}, {}, 400, -32600, "jsonrpc"),
        ({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}, {}, 400, -32600, "id"),
        (request("ping", {"_meta": META}), {}, 400, -32020, "mcp-protocol-version"),
        (request("initialize", HELLO), {"mcp-session-id": "x", "origin": "null"}, 403, -32600, ""),
    ],
)
def test_a_request_that_breaks_the_rules_is_refused(
    carry: Carry, body: Any, headers: dict[str, str], status: int, code: int, sentence: str
) -> None:
    async def story(scene: Scene) -> None:
        response = await scene.client.post("mcp", json=body, headers=BOTH | headers)
        assert response.status_code == status
        error = response.json()["error"]
        assert error["code"] == code
        assert sentence in error["message"]
        assert scene.app.failures == {}

    carry(story, plan())


@carried
@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b'"\\ud83d"', b"[" * 5000])
def test_a_body_that_cannot_be_read_is_refused(carry: Carry, body: bytes) -> None:
    async def story(scene: Scene) -> None:
        response = await scene.client.post("mcp", content=body, headers=BOTH)
        assert response.status_code == 400
        answer = response.json()
        assert answer["id"] is None
        assert answer["error"]["code"] in (-32700, -32600)
        assert scene.app.failures == {}

    carry(story, plan())


@carried
@pytest.mark.parametrize(
    ("headers", "meta", "code"),
    [
        ({"mcp-method": "tools/list"}, META, -32020),
        ({"mcp-name": "read_file"}, META, -32020),
        ({"mcp-name": "=?base64?!?="}, META, -32020),
        ({"mcp-name": "=?base64?YXBwZW5kX2ZpbGU=?="}, META, None),
        ({"mcp-protocol-version": "2025-11-25"}, META, -32020),
        ({}, {}, -32602),
        ({"mcp-protocol-version": "2027-01-01"}, {**META, VERSION: "2027-01-01"}, -32022),
    ],
)
def test_the_envelope_and_the_headers_must_agree(
    carry: Carry, headers: dict[str, str], meta: dict[str, Any], code: int | None
) -> None:
    async def story(scene: Scene) -> None:
        said = {
            "mcp-protocol-version": ENVELOPE,
            "mcp-method": "tools/call",
            "mcp-name": "append_file",
        }
        body = request("tools/call", {"name": "append_file", "arguments": APPEND, "_meta": meta})
        response = await scene.client.post("mcp", json=body, headers=BOTH | said | headers)
        error = response.json().get("error", {})
        assert error.get("code") == code
        assert response.status_code == (400 if code else 200)
        assert len(scene.stage.ledger.effects) == (0 if code else 1)
        if code == -32022:
            assert error["data"] == {"supported": [ENVELOPE], "requested": "2027-01-01"}

    carry(story, plan())


@carried
@pytest.mark.parametrize("method", ["resources/list", "initialize", "ping", "tools/drop"])
def test_a_method_of_another_era_is_not_found(carry: Carry, method: str) -> None:
    async def story(scene: Scene) -> None:
        response = await Talk(scene).enveloped(method)
        assert (response.status_code, response.json()["error"]["code"]) == (404, -32601)

    carry(story, plan())


@carried
@pytest.mark.parametrize("params", [{"arguments": {}}, {"name": 1}])
def test_a_call_without_a_name_never_reaches_the_world(
    carry: Carry, params: dict[str, Any]
) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        error = (await talk.post(request("tools/call", params))).json()["error"]
        assert error["code"] in (-32602, -32600)
        assert scene.seen(CallArrived) == []

    carry(story, plan())


@carried
@pytest.mark.parametrize(("method", "status"), [("PUT", 405), ("GET", 400), ("DELETE", 400)])
def test_other_verbs_need_a_session_or_are_not_taken(
    carry: Carry, method: str, status: int
) -> None:
    async def story(scene: Scene) -> None:
        response = await scene.client.request(method, "mcp", headers=BOTH)
        assert response.status_code == status

    carry(story, plan())
