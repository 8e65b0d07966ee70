"""The direct port: the reference loop talks to the stage without HTTP in between, for speed.

What is said is the same to the byte as far as the stage can see: requests are spelt and read in the
dialect, tools take the same bodies. Left out are the client, the transport and the event stream, so
faults of framing (a missing end mark) are as good as they look from above the wire.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Coroutine
from functools import lru_cache
from typing import Any, TypeVar

import httpx
import msgspec

from faultloop.fakes.answers import Rejected, Said
from faultloop.fakes.clock import bench_task
from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.dialects.openai_chat_request import read
from faultloop.fakes.processes import current_process
from faultloop.fakes.reply import (
    CallArguments,
    CallBegan,
    EndMark,
    Eof,
    Finished,
    Item,
    ProviderError,
    Reset,
    Stall,
    Text,
    Usage,
)
from faultloop.fakes.stage import Stage
from faultloop.loop.contract import Contract
from faultloop.loop.providers.error_body import ErrorBody
from faultloop.loop.providers.failures import from_body, from_status
from faultloop.loop.providers.openai_chat_request import Speller
from faultloop.loop.providers.port import (
    CallDelta,
    Delta,
    EndDelta,
    FinishDelta,
    ModelRequest,
    ProviderFailure,
    TextDelta,
    UsageDelta,
)
from faultloop.loop.tools.http import Posted, RemoteTool
from faultloop.loop.tools.port import Tool, ToolContext

DIALECT = DIALECTS["openai_chat"]

T = TypeVar("T")


class DirectProvider:
    """A provider whose wire is a function call."""

    def __init__(self, stage: Stage, start: int) -> None:
        self._stage = stage
        self._start = start
        self._speller = Speller(notice_role="system")

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        """The deltas of the reply. Raises ProviderFailure."""
        body = self._speller.body(request)
        conversation = read(body)
        answer = await _passing(
            self._stage, self._stage.answer(self._start, DIALECT.name, conversation)
        )
        if isinstance(answer, Rejected):
            await _passing(self._stage, self._stage.sent_failure(answer.request))
            headers = httpx.Headers(list(DIALECT.error_headers(retry_after_s=answer.retry_after_s)))
            said = ErrorBody(answer.message, answer.code)
            raise from_status(answer.status, said, headers, now_s=time.time())
        sending = _Sending(self._stage, answer)
        try:
            for item in answer.items:
                if type(item) in _TROUBLES:
                    await sending.suffer(item)
                    if isinstance(item, Eof):
                        break
                elif sending.carries(item):
                    if sending.is_watched:
                        await sending.announce()
                    if isinstance(item, ProviderError):
                        raise from_body(ErrorBody(item.message, "server_error"))
                    spell = _DELTAS.get(type(item))
                    if spell is not None:
                        yield spell(item)
        finally:
            await sending.close()


async def _passing(stage: Stage, work: Coroutine[Any, Any, T]) -> T:
    """Let the stage pass landmarks. A kill may strike whoever passes one, and must not strike the
    stage: so it is a task of the bench's, except where nothing is staged, which saves the task."""
    return await (bench_task(work) if stage.plan.triggers else work)


class _Sending:
    """A reply on its way, and how far it came."""

    def __init__(self, stage: Stage, said: Said) -> None:
        self._stage = stage
        self._said = said
        self.is_watched = said.streaming and bool(stage.plan.triggers)
        """Something may be staged at one of its chunks."""
        self._sent = 0
        self._chunks = 0
        self._closed = False
        self._process = current_process()
        if self._process is not None:
            self._process.at_death.append(self._died)

    def carries(self, item: Item) -> bool:
        """An item's turn has come. False: nothing is sent for it."""
        self._sent += 1
        if type(item) is Usage and not self._said.frame.usage:
            return False
        self._chunks += 1
        return True

    async def announce(self) -> None:
        """Let the stage pass the landmarks of the chunk that was sent."""
        await _passing(self._stage, self._stage.sent_chunk(self._said.request, self._chunks))

    async def suffer(self, trouble: Item) -> None:
        """The item whose turn has come is a trouble. Raises ProviderFailure for a reset."""
        self._sent += 1
        if isinstance(trouble, Stall):
            await _passing(self._stage, self._stage.stalled(self._said.request, self._sent))
            await _stand_still(trouble.seconds)
        if isinstance(trouble, Reset):
            raise ProviderFailure("broken", "the connection was reset (direct port)")

    async def close(self) -> None:
        """Tell the stage how it ended."""
        if self._process is not None and self._died in self._process.at_death:
            self._process.at_death.remove(self._died)
        await _passing(self._stage, self._tell())

    async def _tell(self) -> None:
        if not self._closed:
            self._closed = True
            over = self._sent == len(self._said.items) or isinstance(
                self._said.items[self._sent - 1], Eof | Reset | ProviderError
            )
            ending = self._said.ending(self._sent, gone=not over)
            await self._stage.closed(self._said.request, ending)

    def _died(self) -> None:
        """The loop's process was killed in the middle: nobody reads on."""
        bench_task(self._tell())


async def _stand_still(seconds: float | None) -> None:
    if seconds is None:
        await asyncio.get_running_loop().create_future()
    else:
        await asyncio.sleep(seconds)


_TROUBLES = frozenset({Stall, Reset, Eof})

_DELTAS: dict[type[Item], Callable[[Any], Delta]] = {
    Text: lambda item: TextDelta(item.text),
    CallBegan: lambda item: CallDelta(item.index, item.id, item.tool),
    CallArguments: lambda item: CallDelta(item.index, arguments=item.text),
    Finished: lambda item: FinishDelta(item.finish, item.finish),
    Usage: lambda item: UsageDelta(item.prompt_tokens, item.completion_tokens),
    EndMark: lambda item: EndDelta(),
}
"""What the loop gets for an item; nothing for one that is not here."""


def direct_tools(stage: Stage, start: int) -> tuple[Tool, ...]:
    """The tools of the manifest."""
    contracts = _contracts(msgspec.json.encode(stage.manifest(start)))
    return tuple(DirectTool(stage, start, contract) for contract in contracts)


@lru_cache(maxsize=128)
def _contracts(manifest: bytes) -> tuple[Contract, ...]:
    return tuple(map(Contract.from_manifest, msgspec.json.decode(manifest)))


class DirectTool(RemoteTool):
    """A tool whose wire is a function call."""

    def __init__(self, stage: Stage, start: int, contract: Contract) -> None:
        super().__init__(contract)
        self._stage = stage
        self._start = start

    async def posted(self, body: bytes, context: ToolContext) -> Posted:
        """One invocation."""
        gone = asyncio.Event()
        work = self._stage.invoke(
            self._start,
            self.contract.name,
            body,
            call_id=context.call_id,
            key=context.key,
            gone=gone,
        )
        # Where nothing can strike or hold it, it is over before anybody could let go of it.
        answer = await (work if self._stage.plan.is_plain else _connected(work, gone))
        if answer is None or answer.status == 0:
            raise httpx.ReadError("the connection was closed (direct port)")
        await _passing(self._stage, self._stage.delivered(answer.invocation))
        return Posted(answer.status, answer.body)


async def _connected(work: Coroutine[Any, Any, T], gone: asyncio.Event) -> T:
    """Work in a task of the bench's; letting go of it is letting go of the connection."""
    process = current_process()
    if process is not None:
        process.at_death.append(gone.set)
    try:
        return await asyncio.shield(bench_task(work))
    except asyncio.CancelledError:
        gone.set()
        raise
    finally:
        if process is not None and not process.dead:
            process.at_death.remove(gone.set)
