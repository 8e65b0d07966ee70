"""The official SDK as client of the fake world: both transports, both eras."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Literal

import pytest
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from tests.fakes.carried import APPEND, NoDeeds, plan

from faultloop.fakes.app import App
from faultloop.fakes.faults import KINDS
from faultloop.fakes.history import CallAbandoned, CallArrived
from faultloop.fakes.mcp import pipe
from faultloop.fakes.server import Server
from faultloop.fakes.stage import Stage

Story = Callable[[Client, Stage], Awaitable[None]]
Carry = Callable[..., None]


class Way:
    """A transport and an era."""

    def __init__(self, transport: str, mode: Literal["auto", "legacy"]) -> None:
        self.transport = transport
        self.mode = mode

    def __call__(self, story: Story, *faults: Any, heard: Any = None) -> None:
        async def bounded() -> None:
            async with asyncio.timeout(60):
                await self._tell(story, faults, heard)

        asyncio.run(bounded())

    async def _tell(self, story: Story, faults: tuple[Any, ...], heard: Any) -> None:
        stage = Stage(plan(*faults), clock=asyncio.get_running_loop().time, deeds=NoDeeds())
        app = App({"p": stage})
        async with Server(app) as server:
            target = self._target(f"{server.url}/r/p/1/mcp")
            async with Client(target, mode=self.mode, message_handler=heard, cache=None) as client:
                await story(client, stage)
            await stage.close()
        assert app.failures == {}

    def _target(self, url: str) -> Any:
        if self.transport == "http":
            return streamable_http_client(url)
        command = StdioServerParameters(command=sys.executable, args=["-I", pipe.__file__, url])
        return stdio_client(command)


MODES: tuple[Literal["auto", "legacy"], ...] = ("auto", "legacy")
WAYS = {
    f"{transport}-{mode}": Way(transport, mode) for transport in ("http", "stdio") for mode in MODES
}
every_way = pytest.mark.parametrize("carry", WAYS.values(), ids=WAYS)


@every_way
def test_the_sdk_agrees_on_a_version(carry: Way) -> None:
    async def story(client: Client, stage: Stage) -> None:
        newest = {"auto": "2026-07-28", "legacy": "2025-11-25"}
        assert client.protocol_version == newest[carry.mode]
        assert client.server_capabilities.tools.list_changed

    carry(story)


@every_way
def test_the_sdk_lists_and_calls_tools(carry: Carry) -> None:
    async def story(client: Client, stage: Stage) -> None:
        (append,) = [t for t in (await client.list_tools()).tools if t.name == "append_file"]
        assert append.input_schema["required"] == ["path", "line"]
        assert append.annotations.read_only_hint is False
        assert append.meta["faultloop/cancellable"] is True
        meta = {"faultloop/callId": "c", "faultloop/idempotencyKey": "k"}
        said = await client.call_tool("append_file", APPEND, meta=meta)
        assert (said.is_error, said.content[0].text[:5]) == (False, "Done:")
        (effect,) = stage.ledger.effects
        assert (effect.call_id, effect.key) == ("c", "k")

    carry(story)


@every_way
def test_the_sdk_tells_a_tools_failure_from_the_protocols(carry: Carry) -> None:
    async def story(client: Client, stage: Stage) -> None:
        failed = await client.call_tool("read_file", {"path": "none"})
        assert (failed.is_error, failed.structured_content["code"]) == (True, "TOOL_FAILED")
        unfit = await client.call_tool("append_file", {})
        assert (unfit.is_error, unfit.structured_content["code"]) == (True, "INVALID_ARGS")
        with pytest.raises(MCPError) as caught:
            await client.call_tool("apend_file", {})
        assert caught.value.error.data["code"] == "UNKNOWN_TOOL"

    carry(story)


@every_way
def test_the_sdk_hears_progress_of_a_held_call(carry: Carry) -> None:
    async def story(client: Client, stage: Stage) -> None:
        heard: list[float] = []

        async def told(progress: float, total: float | None, message: str | None) -> None:
            heard.append(progress)
            stage.open_gate()

        await client.call_tool("append_file", APPEND, progress_callback=told)
        assert heard == [0, 1]

    carry(story, KINDS["tool_slow"](at="tool append_file"))


@every_way
def test_a_cancel_of_the_sdk_stops_a_held_call(carry: Carry) -> None:
    async def story(client: Client, stage: Stage) -> None:
        held = asyncio.Event()

        async def told(progress: float, total: float | None, message: str | None) -> None:
            held.set()

        calling = asyncio.create_task(
            client.call_tool("append_file", APPEND, progress_callback=told)
        )
        await held.wait()
        calling.cancel()
        await asyncio.wait({calling})
        await stage.settled()
        stopped = [entry.stopped for entry in stage.history if isinstance(entry, CallAbandoned)]
        assert stopped == [True]
        stage.open_gate()
        assert stage.ledger.effects == []

    carry(story, KINDS["tool_slow"](at="tool append_file"))


@every_way
def test_behind_a_gateway_that_gave_up_the_sdk_raises_and_the_effect_stands(carry: Way) -> None:
    async def story(client: Client, stage: Stage) -> None:
        with pytest.raises(MCPError):
            await client.call_tool("append_file", APPEND)
        assert len(stage.ledger.effects) == 1

    carry(story, KINDS["gateway_timeout_after_effect"](at="tool append_file"))


@every_way
def test_a_lost_reply_ends_the_sdks_connection_and_the_effect_stands(carry: Way) -> None:
    ledgers = []

    async def story(client: Client, stage: Stage) -> None:
        ledgers.append(stage.ledger.effects)
        await client.call_tool("append_file", APPEND)

    with pytest.raises((MCPError, ExceptionGroup)):
        carry(story, KINDS["lost_reply"](at="tool append_file"))
    assert [len(effects) for effects in ledgers] == [1]


@every_way
def test_an_answer_that_arrives_twice_is_one_to_the_sdk(carry: Carry) -> None:
    async def story(client: Client, stage: Stage) -> None:
        first = await client.call_tool("append_file", APPEND)
        other = await client.call_tool("read_file", {"path": "a.txt"})
        assert first.content != other.content
        assert len(stage.ledger.effects) == 1

    carry(story, KINDS["answer_delivered_twice"](at="tool append_file"))


@every_way
def test_the_sdk_reads_blobs_and_cut_outputs(carry: Carry) -> None:
    async def story(client: Client, stage: Stage) -> None:
        binary = await client.call_tool("append_file", APPEND)
        assert binary.content[0].resource.mime_type == "application/octet-stream"
        cut = await client.call_tool("read_file", {"path": "a.txt"})
        assert cut.meta["faultloop/continuation"] == "9"
        rest = await client.call_tool("read_file", {"path": "a.txt", "cursor": "9"})
        assert cut.content[0].text + rest.content[0].text in f"{APPEND['line']}\n"

    faults = (
        KINDS["binary_output"](at="tool append_file"),
        KINDS["truncated_output"](at="tool read_file", chars=9),
    )
    carry(story, *faults)


@every_way
def test_half_a_surrogate_pair_is_more_than_the_sdk_can_read(carry: Carry) -> None:
    async def story(client: Client, stage: Stage) -> None:
        with pytest.raises((MCPError, TimeoutError)):
            await client.call_tool("append_file", APPEND, read_timeout_seconds=0.5)
        assert len(stage.ledger.effects) == 1

    carry(story, KINDS["lone_surrogates"](at="tool append_file"))


@every_way
def test_the_sdk_is_told_that_the_list_has_changed(carry: Way) -> None:
    changed = asyncio.Event()

    async def heard(message: Any) -> None:
        if "ToolListChanged" in type(message).__name__:
            changed.set()

    async def story(client: Client, stage: Stage) -> None:
        await client.list_tools()
        if carry.mode == "auto":
            async with client.listen(tools_list_changed=True) as changes:
                await client.call_tool("append_file", APPEND)
                await anext(aiter(changes))
        else:
            await client.call_tool("append_file", APPEND)
            await changed.wait()
        (append,) = [t for t in (await client.list_tools()).tools if t.name == "append_file"]
        assert append.input_schema["required"] == ["file", "line"]

    drift = KINDS["schema_drift"](at="tool append_file 2", parameter="path", renamed="file")
    carry(story, drift, heard=heard)


@every_way
def test_each_call_of_the_sdk_arrives_once(carry: Carry) -> None:
    async def story(client: Client, stage: Stage) -> None:
        await asyncio.gather(
            *(client.call_tool("read_file", {"path": str(number)}) for number in range(10))
        )
        arrived = [entry for entry in stage.history if isinstance(entry, CallArrived)]
        assert len({entry.arguments for entry in arrived}) == len(arrived) == 10

    carry(story)
