"""Tools of real MCP servers, over both transports, through the official SDK (SPEC C10, C4, P8)."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from faultloop.loop.registry import Registry
from faultloop.loop.tools.mcp import McpServer, McpTool, McpUnavailable, Stdio
from faultloop.loop.tools.port import ToolContext, ToolResult

HERE = Path(__file__).parents[2]
SDK = Stdio(command=(sys.executable, str(HERE / "mcp_server.py")))
OLD = Stdio(command=(sys.executable, str(HERE / "old_mcp_server.py")))
LONG = "put.away/" + "x" * 60
connected = partial(McpServer, connect_timeout_s=150.0)
"""However busy the machine is: an interpreter with the SDK takes a second of work to start."""


def played(story: Coroutine[Any, Any, None]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(200):
            await story

    asyncio.run(bounded())


def context(progress: Callable[[str], None] = lambda text: None) -> ToolContext:
    return ToolContext(
        call_id="call-1", key="key-1", attempt="a", cancelled=asyncio.Event(), progress=progress
    )


def tool(server: McpServer, name: str) -> McpTool:
    return next(made for made in server.tools if made.remote == name)


async def ran(server: McpServer, name: str, **args: Any) -> ToolResult:
    return await tool(server, name).run(args, context())


@contextmanager
def over_http() -> Iterator[str]:
    """The same server behind a URL."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([*SDK.command, str(port)], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        while "running on" not in (line := process.stderr.readline()):
            assert line, "the server did not start"
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """One server for all stories that leave it as they found it; its start is most of a story."""
    with over_http() as url:
        yield url


@pytest.fixture(params=["stdio", "http"])
def target(request: pytest.FixtureRequest) -> Any:
    """How it is reached, by stories that leave it as they found it."""
    return SDK if request.param == "stdio" else request.getfixturevalue("url")


@asynccontextmanager
async def reached(transport: str, **options: Any) -> AsyncIterator[McpServer]:
    """A server of one's own, to be changed or broken."""
    with nullcontext(SDK) if transport == "stdio" else over_http() as target:
        async with connected("shed", target, **options) as server:
            yield server


both = pytest.mark.parametrize("transport", ["stdio", "http"])


def test_a_servers_tools_are_listed_and_called(target: Any) -> None:
    async def story() -> None:
        async with connected("shed", target) as server:
            assert Registry(server.tools).names[:2] == ("shed__look", "shed__add")
            assert await ran(server, "look", path="rake") == ToolResult(
                outcome="ok", content="saw rake"
            )
            assert (await ran(server, "add", left=2)).content == '{\n  "sum": 3\n}'
            assert await ran(server, LONG) == ToolResult(outcome="ok", content="put away")
            assert (await ran(server, "about")).content == "call-1 key-1"

    played(story())


def test_an_error_of_the_tool_is_a_failed_result(target: Any) -> None:
    async def story() -> None:
        async with connected("shed", target) as server:
            result = await ran(server, "fail")
            assert (result.outcome, result.code) == ("failed", "TOOL_FAILED")
            assert "the shed is locked" in result.content

    played(story())


def test_content_that_is_no_text_is_named_and_a_cut_is_told(url: str) -> None:
    async def story() -> None:
        async with connected("shed", url) as server:
            assert await ran(server, "show") == ToolResult(
                outcome="ok",
                content="a text\n[image image/png: not shown]\n[resource shed://rake: rake]\n"
                "[resource shed://hoe]\na hoe\n[resource shed://saw: binary, not shown]",
                truncated=True,
                continuation="show(page=2)",
            )

    played(story())


@both
def test_a_list_that_changes_is_read_again_and_told(transport: str) -> None:
    async def story() -> None:
        async with reached(transport) as server:
            registry = Registry(server.tools).closing(("shed__fail",))
            changed: asyncio.Queue[tuple[McpTool, ...]] = asyncio.Queue()
            server.subscribe(changed.put_nowait)
            await ran(server, "grow")
            registry = registry.synced(server.known, await changed.get())
            assert registry.names[-1] == "shed__later"
            assert "shed__fail" not in registry
            assert (await ran(server, "later")).content == "late"

    played(story())


def test_a_server_that_dies_in_a_call_leaves_its_outcome_unknown_and_then_is_gone() -> None:
    async def story() -> None:
        async with reached("stdio") as server:
            died = await ran(server, "die")
            assert (died.outcome, died.code) == ("unknown", "CONNECTION_LOST")
            assert "It may have taken effect" in died.content
            after = await ran(server, "look", path="x")
            assert (after.outcome, after.code) == ("failed", "SERVER_GONE")
            assert "the MCP server shed is gone (it has ended). Nothing was run." in after.content
            assert not after.retryable

    played(story())


def test_what_only_reads_cannot_have_done_anything_when_its_server_dies() -> None:
    async def story() -> None:
        declared = {"die": {"read_only": True}}
        async with reached("stdio", declared=declared) as server:
            died = await ran(server, "die")
            assert (died.outcome, died.code) == ("failed", "CONNECTION_LOST")

    played(story())


def test_a_server_behind_a_url_that_dies_leaves_each_outcome_unknown() -> None:
    async def story() -> None:
        async with reached("http") as server:
            assert (await ran(server, "die")).outcome == "unknown"
            assert (await ran(server, "add", left=1)).outcome == "unknown"

    played(story())


def test_a_server_that_is_silent_is_given_up_and_told_so(url: str, tmp_path: Path) -> None:
    async def story() -> None:
        flag = tmp_path / "flag"
        async with connected("shed", url, call_timeout_s=0.5) as server:
            result = await ran(server, "wait", flag=str(flag))
            assert (result.outcome, result.code) == ("unknown", "TIMEOUT")
            assert "in the time it had (0.5 s)" in result.content
            # However slow the machine is: the server is not given up with the call.
            patient = McpTool(tool(server, "look").contract, "look", server, timeout_s=None)
            assert (await patient.run({"path": "x"}, context())).outcome == "ok"

    played(story())


async def until(holds: Callable[[], bool | Awaitable[bool]]) -> None:
    while not holds():
        await asyncio.sleep(0.01)


def test_a_cancelled_call_is_cancelled_at_the_server_and_progress_is_passed_on(
    target: Any, tmp_path: Path
) -> None:
    async def story() -> None:
        flag, said = tmp_path / "flag", list[str]()
        async with connected("shed", target) as server:
            work = asyncio.create_task(
                tool(server, "wait").run({"flag": str(flag)}, context(said.append))
            )
            await until(lambda: flag.exists() and flag.read_text() == "begun" and len(said) == 2)
            work.cancel()
            await asyncio.wait({work})
            assert work.cancelled()
            await until(lambda: flag.read_text() == "cancelled")
            assert said == ["1/3", "half of it"]

    played(story())


def test_tools_of_a_server_that_was_left_cannot_be_called(url: str) -> None:
    async def story() -> None:
        async with connected("shed", url) as server:
            pass
        result = await ran(server, "look", path="x")
        assert (result.code, "it was disconnected" in result.content) == ("SERVER_GONE", True)

    played(story())


# --- a server of the handshake era ------------------------------------------------------------


def test_an_older_server_is_spoken_to_as_well_and_its_notifications_are_heard() -> None:
    async def story() -> None:
        async with connected("old", OLD) as server:
            changed: asyncio.Queue[tuple[McpTool, ...]] = asyncio.Queue()
            server.subscribe(changed.put_nowait)
            assert (await ran(server, "grow")).content == "(no content)"
            assert (await changed.get())[-1].contract.name == "old__late"

    played(story())


def test_a_tool_that_cannot_be_offered_does_not_spoil_the_others() -> None:
    async def story() -> None:
        async with connected("old", OLD) as server:
            names = [made.remote for made in server.tools]
            assert names == ["grow", "twin", "lie", "nonsense", "internal", "unknown", "spoil"]
            broken, twin = sorted(server.refused)
            assert broken.startswith("old lists two tools called twin")
            assert twin.startswith("old: the parameters of old__broken are no JSON Schema")

    played(story())


def test_a_list_without_an_end_is_read_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        monkeypatch.setattr("faultloop.loop.tools.mcp.server.PAGES_MAX", 1)
        async with connected("old", OLD) as server:
            assert [made.remote for made in server.tools] == ["grow", "twin", "lie"]
            assert server.refused[-1] == "old lists more than 1 pages; the rest was not read"

    played(story())


def test_a_list_that_cannot_be_read_leaves_the_tools_as_they_were(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def story() -> None:
        async with connected("old", OLD) as server:
            await ran(server, "spoil")
            await until(lambda: "the tools of old stay as they were" in caplog.text)
            assert (await ran(server, "internal")).code == "SERVER_ERROR"

    played(story())


def test_a_listener_that_raises_keeps_nobody_else_from_hearing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def raising(tools: tuple[McpTool, ...]) -> None:
        raise KeyError("listener")

    async def story() -> None:
        async with connected("old", OLD) as server:
            changed: asyncio.Queue[tuple[McpTool, ...]] = asyncio.Queue()
            server.subscribe(raising)
            server.subscribe(changed.put_nowait)
            await ran(server, "grow")
            assert len(await changed.get()) == 8

    played(story())
    assert "a listener to the tools of old raised" in caplog.text


ANSWERS: list[tuple[str, str, str, str]] = [
    # tool, outcome, code, what the model is told
    ("lie", "unknown", "BAD_ANSWER", "the answer of its server cannot be read"),
    ("nonsense", "unknown", "BAD_ANSWER", "the answer of its server cannot be read"),
    ("internal", "unknown", "SERVER_ERROR", "answered with the error -32603 (out of order)"),
    ("unknown", "unknown", "SERVER_ERROR", "answered with the error -32602 (no tool unknown)"),
]


@pytest.mark.parametrize(("name", "outcome", "code", "told"), ANSWERS)
def test_each_way_to_fail_has_its_declared_class(
    name: str, outcome: str, code: str, told: str
) -> None:
    async def story() -> None:
        async with connected("old", OLD) as server:
            result = await ran(server, name)
            assert (result.outcome, result.code) == (outcome, code)
            assert told in result.content

    played(story())


UNUSABLE: list[tuple[Any, str]] = [
    (Stdio(command=("/no/such/program",)), "No such file"),
    (Stdio(command=(sys.executable, "-c", "pass")), "cannot be used"),
    ("http://127.0.0.1:1/mcp", "cannot be used"),
]


@pytest.mark.parametrize(("target", "why"), UNUSABLE)
def test_a_server_that_cannot_be_used_is_named_with_the_reason(target: Any, why: str) -> None:
    async def story() -> None:
        with pytest.raises(McpUnavailable, match=f"the MCP server shed .*{why}"):
            async with connected("shed", target):
                raise AssertionError("it was entered")

    played(story())


def test_a_server_that_does_not_answer_is_given_up() -> None:
    async def story() -> None:
        deaf = Stdio(command=(sys.executable, "-c", "import sys; sys.stdin.read()"))
        with pytest.raises(McpUnavailable, match=r"has not listed its tools within 0.5 s"):
            async with connected("shed", deaf, connect_timeout_s=0.5):
                raise AssertionError("it was entered")

    played(story())
