"""All rows asked of a server: what each cell of docs/peers.md says.

`NAMES` is every row there is; `cells` is one column of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from faultloop.bench.perf.peers.histories import HISTORIES, History
from faultloop.bench.perf.peers.raw import Heard, Request, ask
from faultloop.bench.perf.peers.seeds import CHANCES, SEEDS, failures, how_they_compare
from faultloop.bench.perf.peers.servers import Server, say
from faultloop.bench.perf.peers.streams import BODY, PLAIN, STREAMS, Trouble, Way

HEADERS = {
    "authorization": "Bearer faultloop",
    "x-api-key": "faultloop",
    "anthropic-version": "2023-06-01",
    "x-goog-api-key": "faultloop",
}
"""So that no provider misses its key; each looks at its own."""

SEED = "seed"
NAMES = (*(one.name for one in HISTORIES), *(one.name for one in STREAMS), SEED)
"""Every row, as it is called on the command line."""


class Cell(NamedTuple):
    """What one server did in one row, in one of the ways that it can be told."""

    row: str
    way: str
    """How it was told, in its own words; empty where all were told the same."""
    says: str


class Exchange(NamedTuple):
    """A cell with all that made it."""

    cell: Cell
    told: object
    sent: Request
    heard: Heard


def exchanges(server: Server, port: int, row: str | None = None) -> Iterator[Exchange]:
    """Ask a server that runs what is asked in a row, or in all of them."""
    for history in HISTORIES:
        if row in (None, history.name):
            yield _history(server, port, history)
    for trouble in STREAMS:
        ways = trouble.ways[server.name]
        if row in (None, trouble.name) and not isinstance(ways, str):
            for way in ways:
                yield _stream(server, port, trouble, way)


def cells(server: Server, below: Path) -> Iterator[Cell]:
    """A server's column, started for it. Raises NotInstalled."""
    with server.run(below) as port:
        for exchange in exchanges(server, port):
            yield exchange.cell
    for trouble in STREAMS:
        ways = trouble.ways[server.name]
        if isinstance(ways, str):
            yield Cell(trouble.name, "", ways)
    yield seed_cell(server, below)


def seed_cell(server: Server, below: Path) -> Cell:
    """The row of chances. Raises NotInstalled."""
    patterns = [failures(server, below, HEADERS, seed) for seed in SEEDS]
    return Cell(SEED, CHANCES[server.name].says, how_they_compare(patterns))


def _history(server: Server, port: int, history: History) -> Exchange:
    path = server.path(history.dialect, stream=False)
    sent = Request(path=path, body=history.body, headers=HEADERS)
    told = PLAIN[server.name]
    say(server, port, told)
    heard = ask(port, sent.encode())
    return Exchange(Cell(history.name, "", answer(heard)), told, sent, heard)


def _stream(server: Server, port: int, trouble: Trouble, way: Way) -> Exchange:
    path = server.path("openai_chat", stream=True)
    headers = {**HEADERS, **(way.headers or {})}
    sent = Request(path=path, body=way.body or BODY, headers=headers)
    say(server, port, way.told)
    heard = ask(port, sent.encode())
    return Exchange(Cell(trouble.name, way.says, trouble.reads(heard)), way.told, sent, heard)


def answer(heard: Heard) -> str:
    """A whole response in a few words: the status, and what an error says."""
    if heard.status == 200:
        return "200, a reply"
    return f"{heard.status}: {heard.json()['error']['message']}"
