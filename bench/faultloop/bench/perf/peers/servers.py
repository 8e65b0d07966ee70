"""The three servers, started the same way and told what to say by requests: `SERVERS`.

Each is told in its own words: we take steps, aimock a fixture, llmock behaviours. What is told
replaces what was told before, so an answer depends on nothing but its own row.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from faultloop.bench.perf.peers.peer import AIMOCK, LLMOCK, Peer
from faultloop.bench.perf.peers.raw import Request, ask
from faultloop.bench.perf.serve import servers_core
from faultloop.bench.serving.reading import sent
from faultloop.fakes.hosting import Hosting, HostThread

OURS = "faultloop"
START_MAX_S = 60.0
POLL_S = 0.02

FIXTURES = '{"fixtures": [{"match": {}, "response": {"content": "Hello."}}]}'
"""aimock ends at once where it has none to begin with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """How one of the three is asked and told."""

    name: str
    peer: Peer | None
    """None: ourselves."""
    paths: Mapping[str, str]
    """Where each dialect is, whole."""
    tell: Callable[[object], tuple[Request, ...]]
    """The requests that tell it what to say, and nothing else any more."""
    started: str
    """How it is started here, as a person would type it."""

    def path(self, dialect: str, *, stream: bool) -> str:
        """Where a dialect is asked."""
        path = self.paths[dialect]
        if stream and dialect == "gemini":
            return path.replace(":generateContent", ":streamGenerateContent") + "?alt=sse"
        return path

    @contextmanager
    def run(self, below: Path, *more: str, seed: int = 0) -> Iterator[int]:
        """Start it; gives its port. Only we have a seed. Raises NotInstalled."""
        with ExitStack() as stack:
            if self.peer is None:
                host = HostThread(Hosting(read=sent, seed=seed))
                yield int(stack.enter_context(host).url.rsplit(":", 1)[1])
            else:
                yield stack.enter_context(process(self.peer, below, *more))


def say(server: Server, port: int, told: object) -> None:
    """Tell a server what to say. Raises RuntimeError where it does not want to."""
    for request in server.tell(told):
        heard = ask(port, request.encode())
        if heard.status is None or not 200 <= heard.status < 300:
            raise RuntimeError(f"{server.name} did not take {request}: {heard.data!r}")


@contextmanager
def process(peer: Peer, below: Path, *more: str) -> Iterator[int]:
    """A peer as a process of its own, on the servers' core; gives its port.

    Raises NotInstalled, and RuntimeError where it does not come up.
    """
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    command = peer.command(below, port, *more)
    with tempfile.TemporaryDirectory(prefix="faultloop-peer-") as home:
        Path(home, "fixtures.json").write_text(FIXTURES)
        said = Path(home, "said")
        with said.open("wb") as output, servers_core():
            running = subprocess.Popen(
                command,
                cwd=home,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                # Nothing of the user's reaches it: no keys, no settings of its own.
                env={"PATH": os.environ.get("PATH", os.defpath), "HOME": home},
            )
        try:
            _wait_for(running, port, peer, said)
            yield port
        finally:
            running.terminate()
            try:
                running.wait(timeout=5)
            except subprocess.TimeoutExpired:
                running.kill()
                running.wait()


def _wait_for(running: subprocess.Popen[bytes], port: int, peer: Peer, said: Path) -> None:
    give_up_s = time.monotonic() + START_MAX_S
    while time.monotonic() < give_up_s:
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = running.wait(timeout=POLL_S)
            lines = said.read_text(errors="replace").strip().splitlines() or ["it said nothing"]
            raise RuntimeError(f"{peer.title} ended with code {code}: {lines[-1]}")
    raise RuntimeError(f"{peer.title} did not listen within {START_MAX_S:g} s")


def _ours(told: object) -> tuple[Request, ...]:
    path = "/_faultloop/conversations/default/script"
    return (Request(method="PUT", path=path, body=told),)


def _aimock(told: object) -> tuple[Request, ...]:
    assert isinstance(told, dict)
    path = "/__aimock/fixtures"
    fixtures = {"fixtures": [{"match": {}, **told}]}
    return Request(method="DELETE", path=path), Request(path=path, body=fixtures)


def _llmock(told: object) -> tuple[Request, ...]:
    return (
        Request(path="/_llmock/reset"),
        Request(path="/_llmock/scenario", body={"behaviors": told}),
    )


def _paths(openai: str, anthropic: str, gemini: str) -> dict[str, str]:
    return {
        "openai_chat": f"{openai}/v1/chat/completions",
        "openai_responses": f"{openai}/v1/responses",
        "anthropic_messages": f"{anthropic}/v1/messages",
        "gemini": f"{gemini}/v1beta/models/m:generateContent",
    }


SERVERS = (
    Server(
        name=OURS,
        peer=None,
        paths=_paths("/c/default", "/c/default", "/c/default"),
        tell=_ours,
        started="faultloop serve --port PORT",
    ),
    Server(
        name="aimock",
        peer=AIMOCK,
        paths=_paths("", "", ""),
        tell=_aimock,
        started=f"npx -p {AIMOCK.requirement} llmock --host 127.0.0.1 --port PORT "
        "--fixtures FILE --latency 0 --log-level silent --journal-max 1",
    ),
    Server(
        name="llmock",
        peer=LLMOCK,
        paths=_paths("", "/anthropic", "/gemini"),
        tell=_llmock,
        started="llmock serve --host 127.0.0.1 --port PORT --log-level critical --latency-ms 0 "
        "--tool-mode off",
    ),
)
BY_NAME = {server.name: server for server in SERVERS}
