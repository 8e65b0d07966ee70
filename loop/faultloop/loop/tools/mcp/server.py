"""The connection to one MCP server, and the list of its tools as it stands (SPEC C10).

One task owns the connection from its beginning to its end, because the SDK's scopes must be left
where they were entered; calls come from other tasks. The list is read at the beginning and again
whenever the server says that it changed, and whoever subscribed is told. A server that ends is not
started again: its tools say so to the model.

McpUnavailable      the server could not be reached, or does not speak the protocol
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Self, TextIO

try:
    import mcp_types as types
    from mcp import Client, MCPError, StdioServerParameters, stdio_client
    from mcp.client.session import IncomingMessage
    from mcp.client.streamable_http import streamable_http_client
    from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost
except ModuleNotFoundError as missing:  # pragma: no cover -- the tests install the extra
    raise ModuleNotFoundError(
        "tools of MCP servers need the extra `mcp`: pip install 'faultloop[mcp]'"
    ) from missing

from faultloop.loop.contract import ContractError
from faultloop.loop.tools.mcp import listing
from faultloop.loop.tools.mcp.naming import check_server
from faultloop.loop.tools.mcp.tool import McpTool
from faultloop.loop.tools.port import ToolContext

_log = logging.getLogger(__name__)

PAGES_MAX = 100
"""How many pages a list of tools may have."""


class McpUnavailable(Exception):
    """The server cannot be used; the text says which and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stdio:
    """A server that is a child process and speaks over its standard streams."""

    command: Sequence[str]
    env: Mapping[str, str] | None = None
    """Beside the few variables that the SDK passes on."""
    cwd: Path | None = None


Listener = Callable[[tuple[McpTool, ...]], None]


class McpServer:
    """A connected server. Enter it as a context manager; its tools live as long as that."""

    def __init__(
        self,
        name: str,
        target: Stdio | str,
        *,
        trusted: bool = False,
        prefixed: bool = True,
        declared: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
        connect_timeout_s: float = 30.0,
        call_timeout_s: float | None = None,
    ) -> None:
        """`target`: a command, or the URL of a server that speaks streamable HTTP.

        `trusted`: whether its hints may make the loop less careful. `prefixed`: whether the name
        stands before those of its tools; without it a second server could take them. `declared`:
        by the server's own name of a tool, fields of its contract that the host vouches for. Raises
        ContractError for a name that cannot stand before others.
        """
        self.name = check_server(name)
        self.tools: tuple[McpTool, ...] = ()
        """As the server listed them last."""
        self.refused: tuple[str, ...] = ()
        """Why other tools of its list cannot be offered, a sentence each."""
        self.known: frozenset[str] = frozenset()
        """Names of all tools that it has ever listed, for `Registry.synced`."""
        self.gone: str | None = "it is not connected"
        self._target = target
        # A server behind a URL may be there again for the next call; a child process will not.
        self._ended = "it has ended" if isinstance(target, Stdio) else None
        self._trusted = trusted
        self._space = self.name if prefixed else ""
        self._declared = declared
        self._connect_timeout_s = connect_timeout_s
        self._call_timeout_s = call_timeout_s
        self._listeners: list[Listener] = []
        self._changed = asyncio.Event()
        self._stop = asyncio.Event()
        self._client: Client | None = None
        self._owner: asyncio.Task[None] | None = None

    def subscribe(self, listener: Listener) -> None:
        """Tell the listener the tools whenever the server's list has changed. Must not raise."""
        self._listeners.append(listener)

    async def __aenter__(self) -> Self:
        """Connect and list. Raises McpUnavailable."""
        ready = asyncio.Event()
        self._owner = asyncio.create_task(self._own(ready), name=f"MCP server {self.name}")
        begun = asyncio.create_task(ready.wait())
        try:
            done, _ = await asyncio.wait(
                {self._owner, begun},
                timeout=self._connect_timeout_s,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if begun in done:
                return self
            if self._owner in done:
                error = self._owner.exception()
                raise McpUnavailable(f"the MCP server {self.name} cannot be used: {_first(error)}")
            raise McpUnavailable(
                f"the MCP server {self.name} has not listed its tools within"
                f" {self._connect_timeout_s:g} s"
            )
        finally:
            begun.cancel()
            if not ready.is_set():
                self._owner.cancel()
                await asyncio.wait({self._owner})

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Disconnect; a child process is ended, with everything it started."""
        self._stop.set()
        assert self._owner is not None, "it was entered"
        # How it ended was said to every call that it met.
        await asyncio.gather(self._owner, return_exceptions=True)

    async def call(
        self, remote: str, args: dict[str, Any], context: ToolContext
    ) -> types.CallToolResult:
        """Call a tool by the server's own name for it; being cancelled tells the server."""
        assert self._client is not None, "tools are there only once the server is"

        async def told(progress: float, total: float | None, message: str | None) -> None:
            of = "" if total is None else f"/{total:g}"
            context.progress(message or f"{progress:g}{of}")

        meta = {"faultloop/callId": context.call_id, "faultloop/idempotencyKey": context.key}
        try:
            return await self._client.call_tool(
                remote,
                args,
                progress_callback=told,
                meta=types.RequestParamsMeta(**meta),  # type: ignore[typeddict-item]
            )
        except MCPError as error:
            if error.code == types.CONNECTION_CLOSED:
                self.gone = self._ended
            raise

    # --- the task that owns the connection -----------------------------------------------------

    async def _own(self, ready: asyncio.Event) -> None:
        try:
            async with AsyncExitStack() as stack:
                transport = self._transport(stack)
                client = Client(transport, message_handler=self._heard, cache=None)
                self._client = await stack.enter_async_context(client)
                await self._list()
                self.gone = None
                ready.set()
                listening = asyncio.create_task(self._listen())
                try:
                    await self._keep_up()
                finally:
                    listening.cancel()
                    await asyncio.wait({listening})
        except Exception as error:
            self.gone = f"its connection failed: {_first(error)}"
            raise
        finally:
            self.gone = self.gone or "it was disconnected"

    def _transport(self, stack: AsyncExitStack) -> AbstractAsyncContextManager[Any]:
        if isinstance(self._target, str):
            return streamable_http_client(self._target)
        command, *args = self._target.command
        # What a server writes there is for its own log; the loop's terminal is not that.
        silenced: TextIO = stack.enter_context(
            Path(os.devnull).open("w")  # noqa: SIM115 -- the stack closes it
        )
        parameters = StdioServerParameters(
            command=command,
            args=args,
            env=None if self._target.env is None else dict(self._target.env),
            cwd=self._target.cwd,
        )
        return stdio_client(parameters, errlog=silenced)

    async def _heard(self, message: IncomingMessage) -> None:
        """Older servers send a notification when their list has changed."""
        if isinstance(message, types.ToolListChangedNotification):
            self._changed.set()

    async def _listen(self) -> None:
        """Newer servers have to be asked for the same; the answer also ends with the server."""
        assert self._client is not None
        try:
            async with self._client.listen(tools_list_changed=True) as changes:
                async for _ in changes:
                    self._changed.set()
        except SubscriptionLost:
            self.gone = self._ended
        except (ListenNotSupportedError, MCPError, TimeoutError):
            return  # its list stays as it is, or notifications come by themselves

    async def _keep_up(self) -> None:
        stopped = asyncio.create_task(self._stop.wait())
        try:
            while not stopped.done():
                changed = asyncio.create_task(self._changed.wait())
                await asyncio.wait({stopped, changed}, return_when=asyncio.FIRST_COMPLETED)
                changed.cancel()
                if self._changed.is_set():
                    self._changed.clear()
                    await self._list_again()
        finally:
            stopped.cancel()

    async def _list_again(self) -> None:
        """Neither a server that lists nonsense nor a listener that raises ends the connection."""
        try:
            await self._list()
        except Exception as error:
            _log.warning("the tools of %s stay as they were: %s", self.name, _first(error))
            return
        for listener in self._listeners:
            try:
                listener(self.tools)
            except Exception:
                _log.exception("a listener to the tools of %s raised", self.name)

    async def _list(self) -> None:
        assert self._client is not None
        tools: dict[str, McpTool] = {}
        refused: list[str] = []
        cursor: str | None = None
        for _ in range(PAGES_MAX):
            page = await self._client.list_tools(cursor=cursor)
            for listed in page.tools:
                entry = listed.model_dump(mode="json", by_alias=True, exclude_none=True)
                try:
                    made = self._tool(entry)
                except ContractError as error:
                    refused.append(f"{self.name}: {error}")
                    continue
                if tools.setdefault(made.contract.name, made) is not made:
                    refused.append(f"{self.name} lists two tools called {listed.name}")
            cursor = page.next_cursor
            if cursor is None:
                break
        else:
            refused.append(f"{self.name} lists more than {PAGES_MAX} pages; the rest was not read")
        self.known |= tools.keys()
        self.tools, self.refused = tuple(tools.values()), tuple(refused)

    def _tool(self, entry: Mapping[str, Any]) -> McpTool:
        remote = str(entry["name"])
        made = listing.contract(
            self._space, entry, trusted=self._trusted, declared=self._declared.get(remote, {})
        )
        return McpTool(made, remote, self, timeout_s=self._call_timeout_s, trusted=self._trusted)


def _first(error: BaseException | None) -> str:
    """What went wrong first: the SDK's task groups wrap it."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return "it ended" if error is None else str(error) or type(error).__name__
