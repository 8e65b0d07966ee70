"""Tools over HTTP, as in subject contract v1 (see DESIGN, "Tools over HTTP").

GET the URL for the list of tools, POST to `<url>/<name>` to call one. An answer that speaks the
contract is a result, good or bad, and its body goes to the model as it is. Anything else between us
and the tool (a gateway's page, a reset, silence) says nothing about the effect: unless the call
cannot have had one, its outcome is unknown. Cancelling a call closes its connection.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import httpx
import msgspec

from faultloop.loop.arguments import canonical
from faultloop.loop.contract import Contract, ContractError
from faultloop.loop.output import head
from faultloop.loop.tools.port import ToolContext, ToolResult
from faultloop.loop.tools.uncertain import uncertain

PAGE_BYTES = 300
"""How much of a page that is no answer is quoted."""

NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
"""The request did not leave, so nothing can have happened."""

REFUSALS = frozenset({400, 401, 403, 404, 405, 411, 413, 414, 415, 422, 429, 431})
"""Statuses that are given before anything is done, also without the contract's body."""


class Answer(msgspec.Struct):
    """The body of an answer that speaks the contract."""

    ok: bool
    code: str | None = None
    retryable: bool = False
    truncated: bool = False
    continuation: Any = None
    """Whatever the tool calls its way to read on; it is only passed on."""


class HttpTool:
    """One tool behind a URL."""

    def __init__(
        self,
        contract: Contract,
        client: httpx.AsyncClient,
        url: str,
        *,
        annotations: Mapping[str, Any] | None = None,
        timeout_s: float | None = None,
    ) -> None:
        """A tool at `url`, through a client that somebody else closes.

        `annotations`: as they stood in the manifest. `timeout_s` bounds a whole call; None leaves
        that to the engine.
        """
        self._contract = contract
        self._client = client
        self._url = url
        self._timeout_s = timeout_s
        self.annotations = dict(annotations or {})

    @property
    def contract(self) -> Contract:
        """Its declaration."""
        return self._contract

    @property
    def runs_here(self) -> bool:
        """Whether the server only describes it, and the caller is to run it itself."""
        return self.annotations.get("faultloop/runs") == "subject"

    async def run(self, args: dict[str, Any], context: ToolContext) -> ToolResult:
        """Call it once. Raises nothing but CancelledError, and then the connection is closed."""
        headers = {
            "content-type": "application/json",
            "x-call-id": context.call_id,
            "idempotency-key": context.key,
        }
        try:
            async with asyncio.timeout(self._timeout_s):
                response = await self._client.post(
                    self._url, content=canonical(args).encode(), headers=headers, timeout=None
                )
        except NEVER_SENT as error:
            return _failed(
                f"{self._contract.name} could not be reached: {_reason(error)}. Nothing was run.",
                code="UNREACHABLE",
                retryable=True,
            )
        except TimeoutError:
            bound = "" if self._timeout_s is None else f" ({self._timeout_s:g} s)"
            why = f"it gave no answer in the time it had{bound}"
            return uncertain(self._contract, why, code="TIMEOUT")
        except httpx.HTTPError as error:
            why = f"the connection broke before its answer was complete ({_reason(error)})"
            return uncertain(self._contract, why, code="CONNECTION_LOST")
        return self._read(response)

    def _read(self, response: httpx.Response) -> ToolResult:
        try:
            answer = _ANSWER.decode(response.content)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return self._not_an_answer(response)
        if not answer.ok:
            return _failed(
                response.text, code=answer.code or "TOOL_FAILED", retryable=answer.retryable
            )
        return ToolResult(
            outcome="ok",
            content=response.text,
            truncated=answer.truncated,
            continuation=str(answer.continuation or ""),
        )

    def _not_an_answer(self, response: httpx.Response) -> ToolResult:
        status = response.status_code
        page = head(" ".join(response.text.split()), PAGE_BYTES)
        if status in REFUSALS:
            return _failed(
                f"{self._contract.name} was refused with HTTP {status}. Nothing was run. {page}",
                code=f"HTTP_{status}",
                retryable=status == 429,
            )
        why = f"something between here and the tool answered HTTP {status} in its place ({page})"
        return uncertain(self._contract, why, code=f"HTTP_{status}")


async def discover(
    client: httpx.AsyncClient, url: str, *, timeout_s: float | None = None
) -> tuple[HttpTool, ...]:
    """The tools that a server offers, in its order.

    Raises ContractError if what it answers is no list of tools, httpx.HTTPError if it gives none.
    """
    base = url.rstrip("/")
    response = await client.get(base, timeout=30.0)
    response.raise_for_status()
    try:
        entries = _MANIFEST.decode(response.content)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ContractError(f"{base} does not answer with a list of tools: {error}") from error
    return tuple(
        HttpTool(
            Contract.from_manifest(entry),
            client,
            f"{base}/{entry['name']}",
            annotations=entry.get("annotations"),
            timeout_s=timeout_s,
        )
        for entry in entries
    )


def _failed(content: str, *, code: str, retryable: bool) -> ToolResult:
    return ToolResult(outcome="failed", content=content, code=code, retryable=retryable)


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__


_ANSWER = msgspec.json.Decoder(Answer)
_MANIFEST = msgspec.json.Decoder(list[dict[str, Any]])
