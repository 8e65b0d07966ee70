"""A server that coalesces: fewer writes, the same bytes, and no stall without what came before."""

from __future__ import annotations

import asyncio
import json

import pytest

from faultloop.fakes.app import App
from faultloop.fakes.faults import KINDS
from faultloop.fakes.faults.base import Fault
from faultloop.fakes.server import Server

from .byte_scene import HEADERS, RawScene, Seen, asked, begun, ended, plain


def seen_of(*faults: Fault, stream: bool = True) -> Seen:
    async def main() -> Seen:
        stage, text = begun(*faults)
        path, body = asked("openai_chat", text, stream=stream)
        content = json.dumps(body)
        lines = [f"{name}: {value}" for name, value in HEADERS.items()]
        head = [f"POST /r/p/1/{path} HTTP/1.1", "host: fake", *lines]
        request = "\r\n".join([*head, f"content-length: {len(content)}", "", content])
        app = App({"p": stage}, coalesce=True)
        async with Server(app) as server, asyncio.timeout(30):
            scene = RawScene(stage, server.url, request.encode())
            with scene.socket:
                await scene.send()
                seen = await scene.see(ended)
        await stage.close()
        assert app.failures == {}
        return seen

    plain("openai_chat", stream=stream)
    return asyncio.run(main())


@pytest.mark.parametrize("stream", [True, False])
def test_a_reply_is_one_write(stream: bool) -> None:
    seen = seen_of(stream=stream)
    assert seen.body == b"".join(plain("openai_chat", stream=stream))
    assert len(seen.pieces) == 1


def test_what_came_before_a_stall_is_not_kept_back() -> None:
    seen = seen_of(KINDS["stall"](at="step 1", after_deltas=2, seconds=0.05))
    pieces = plain("openai_chat", stream=True)
    assert seen.body == b"".join(pieces)
    assert seen.chunks[0] == b"".join(pieces[:2])
    assert len(seen.pieces) > 1


def test_a_reset_still_comes_after_what_was_said() -> None:
    seen = seen_of(KINDS["reset_mid_stream"](at="step 1", after_deltas=2))
    assert (seen.end, seen.chunks) == ("rst", [b"".join(plain("openai_chat", stream=True)[:2])])


def test_a_byte_fault_is_not_undone() -> None:
    seen = seen_of(KINDS["sliced_bytes"](at="step 1", offsets=(3, 9)))
    body = b"".join(plain("openai_chat", stream=True))
    assert seen.chunks == [body[:3], body[3:9], body[9:], b""]
