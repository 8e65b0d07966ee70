"""Tools over HTTP, as in subject contract v1 (see DESIGN, "Tools over HTTP").

GET the URL for the list of tools, POST to `<url>/<name>` to call one. An answer that speaks the
contract is a result, good or bad, and its body goes to the model as it is. Anything else between us
and the tool (a gateway's page, a reset, silence) says nothing about the effect: unless the call
cannot have had one, its outcome is unknown. Cancelling a call closes its connection.

NotSent      a request could not be made; whoever declared the tool, or called it, is at fault
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import quote

import httpx
import msgspec

from faultloop.loop.arguments import canonical
from faultloop.loop.client import Client, pieces_of
from faultloop.loop.contract import Contract, ContractError
from faultloop.loop.output import head
from faultloop.loop.tools.port import ToolContext, ToolResult
from faultloop.loop.tools.uncertain import uncertain

PAGE_BYTES = 300
"""How much of a page that is no answer is quoted."""

DISCOVERY_S_MAX = 30.0
"""How long a server may be silent before it has listed its tools."""

NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
"""The request did not leave, so nothing can have happened."""

REFUSALS = frozenset({400, 401, 403, 404, 405, 411, 413, 414, 415, 422, 429, 431})
"""Statuses that are given before anything is done, also without the contract's body."""


SAFE_IN_HEADERS = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) != "%")
"""Any other character of a model's call id is percent-encoded: headers are printable ASCII."""


class NotSent(Exception):
    """The request could not be made, so nothing can have happened."""


class Answer(msgspec.Struct):
    """The body of an answer that speaks the contract."""

    ok: bool
    code: str | None = None
    retryable: bool = False
    truncated: bool = False
    continuation: Any = None
    """Whatever the tool calls its way to read on; it is only passed on."""


class Posted(NamedTuple):
    """What came back."""

    status: int
    body: bytes

    @property
    def text(self) -> str:
        """As JSON is spelt; a page in another encoding is only ever quoted."""
        return self.body.decode(errors="replace")


class RemoteTool(ABC):
    """One tool behind subject contract v1, however its answers come."""

    def __init__(
        self,
        contract: Contract,
        *,
        annotations: Mapping[str, Any] | None = None,
        timeout_s: float | None = None,
    ) -> None:
        """`annotations`: as they stood in the manifest. `timeout_s` bounds a whole call; None
        leaves that to the engine.
        """
        self.contract = contract
        self._timeout_s = timeout_s
        self.annotations = dict(annotations or {})

    @property
    def runs_here(self) -> bool:
        """Whether the server only describes it, and the caller is to run it itself."""
        return self.annotations.get("faultloop/runs") == "subject"

    @abstractmethod
    async def posted(self, body: bytes, context: ToolContext) -> Posted:
        """Send the arguments and wait for the answer. Raises NotSent and httpx.HTTPError."""

    async def run(self, args: dict[str, Any], context: ToolContext) -> ToolResult:
        """Call it once. Raises nothing but CancelledError, and then the connection is closed."""
        try:
            posted = await self._posted_in_time(_spelt(args), context)
        except (NotSent, httpx.UnsupportedProtocol) as error:
            return _failed(
                f"{self.contract.name} could not be asked: {_reason(error)}. Nothing was run.",
                code="NOT_SENT",
                retryable=False,
            )
        except NEVER_SENT as error:
            return _failed(
                f"{self.contract.name} could not be reached: {_reason(error)}. Nothing was run.",
                code="UNREACHABLE",
                retryable=True,
            )
        except TimeoutError:
            bound = "" if self._timeout_s is None else f" ({self._timeout_s:g} s)"
            why = f"it gave no answer in the time it had{bound}"
            return uncertain(self.contract, why, code="TIMEOUT")
        except httpx.HTTPError as error:
            why = f"the connection broke before its answer was complete ({_reason(error)})"
            return uncertain(self.contract, why, code="CONNECTION_LOST")
        return self._read(posted)

    async def _posted_in_time(self, body: bytes, context: ToolContext) -> Posted:
        if self._timeout_s is None:
            return await self.posted(body, context)
        async with asyncio.timeout(self._timeout_s):
            return await self.posted(body, context)

    def _read(self, posted: Posted) -> ToolResult:
        try:
            answer = _ANSWER.decode(posted.body)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return self._not_an_answer(posted)
        if not answer.ok:
            return _failed(
                posted.text, code=answer.code or "TOOL_FAILED", retryable=answer.retryable
            )
        return ToolResult(
            outcome="ok",
            content=posted.text,
            truncated=answer.truncated,
            continuation=_continuation(answer.continuation),
        )

    def _not_an_answer(self, posted: Posted) -> ToolResult:
        status = posted.status
        page = head(" ".join(posted.text.split()), PAGE_BYTES)
        if status in REFUSALS:
            return _failed(
                f"{self.contract.name} was refused with HTTP {status}. Nothing was run. {page}",
                code=f"HTTP_{status}",
                retryable=status == 429,
            )
        why = f"something between here and the tool answered HTTP {status} in its place ({page})"
        return uncertain(self.contract, why, code=f"HTTP_{status}")


class HttpTool(RemoteTool):
    """One tool behind a URL."""

    def __init__(
        self,
        contract: Contract,
        client: Client,
        url: str,
        *,
        annotations: Mapping[str, Any] | None = None,
        timeout_s: float | None = None,
    ) -> None:
        """A tool at `url`, through a client that somebody else closes."""
        super().__init__(contract, annotations=annotations, timeout_s=timeout_s)
        self._client = client
        self._text = url

    @cached_property  # parsed only now: most tools of a manifest are never called
    def _url(self) -> httpx.URL:
        return httpx.URL(self._text)

    async def posted(self, body: bytes, context: ToolContext) -> Posted:
        """One POST; being cancelled closes its connection."""
        headers = {
            "content-type": "application/json",
            "x-call-id": quote(context.call_id, safe=SAFE_IN_HEADERS, errors="replace"),
            "idempotency-key": context.key,
        }
        try:
            request = self._client.build_request(
                "POST", self._url, content=body, headers=headers, timeout=None
            )
        except ValueError as error:
            raise NotSent(f"the request cannot be written ({error})") from error
        response = await self._client.send(request, stream=True)
        try:
            body = b"".join([piece async for piece in pieces_of(response)])
        finally:
            await response.aclose()
        return Posted(response.status_code, body)


async def discover(
    client: Client, url: str, *, timeout_s: float | None = None
) -> tuple[HttpTool, ...]:
    """The tools that a server offers, in its order.

    Raises ContractError if what it answers is no list of tools, httpx.HTTPError if it gives none.
    """
    base = url.rstrip("/")
    response = await client.send(
        client.build_request("GET", httpx.URL(base), timeout=DISCOVERY_S_MAX)
    )
    response.raise_for_status()
    try:
        offered = declared(response.content)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ContractError(f"{base} does not answer with a list of tools: {error}") from error
    return tuple(
        HttpTool(
            contract,
            client,
            f"{base}/{contract.name}",
            annotations=annotations,
            timeout_s=timeout_s,
        )
        for contract, annotations in offered
    )


class Declared(NamedTuple):
    """One tool of a manifest."""

    contract: Contract
    annotations: Mapping[str, Any]
    """As they stood there."""


@lru_cache(maxsize=64)  # a server lists the same tools to each session; a contract is a value
def declared(manifest: bytes) -> tuple[Declared, ...]:
    """The tools of a manifest of subject contract v1, in its order.

    Raises ContractError for a declaration that is wrong, msgspec.DecodeError or UnicodeDecodeError
    for something that is no manifest.
    """
    return tuple(
        Declared(Contract.from_manifest(entry), MappingProxyType(entry.get("annotations") or {}))
        for entry in _MANIFEST.decode(manifest)
    )


def _failed(content: str, *, code: str, retryable: bool) -> ToolResult:
    return ToolResult(outcome="failed", content=content, code=code, retryable=retryable)


def _spelt(args: dict[str, Any]) -> bytes:
    try:
        return canonical(args).encode()
    except (TypeError, ValueError) as error:
        raise NotSent(f"its arguments cannot be written as JSON ({error})") from error


def _continuation(given: Any) -> str:
    """As text; what is no text is spelt as in the body that it came in."""
    if not given or isinstance(given, str):
        return given or ""
    return msgspec.json.encode(given).decode()


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__


_ANSWER = msgspec.json.Decoder(Answer)
_MANIFEST = msgspec.json.Decoder(list[dict[str, Any]])
