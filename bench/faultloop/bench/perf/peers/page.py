"""docs/peers.md: what the three servers did, side by side, with the day and the versions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from faultloop.bench.perf.load import EVENTS
from faultloop.bench.perf.measurement import Measured
from faultloop.bench.perf.peers.asking import SEED, Cell
from faultloop.bench.perf.peers.histories import HISTORIES, SAYS
from faultloop.bench.perf.peers.peer import PEERS
from faultloop.bench.perf.peers.seeds import REQUESTS
from faultloop.bench.perf.peers.servers import OURS, SERVERS
from faultloop.bench.perf.peers.standing import AHEAD, DOCUMENTED
from faultloop.bench.perf.peers.streams import STREAMS
from faultloop.bench.perf.serve import CONNECTIONS

COMMAND = "python -m faultloop.bench.perf.peers"
NAMES = tuple(server.name for server in SERVERS)

INTRO = f"""\
# Peers, side by side

<!-- Made by `{COMMAND} show --write`;
a test holds our own column to the code. -->

aimock and llmock are the fake providers that come nearest to ours. Here all three are sent the same
requests (only the path is each one's own) by a client that knows little of HTTP and hides nothing.
They are good tools with another purpose, so no row is a fault of theirs unless they say otherwise.
What they document, and where they are ahead of us, stands below the tables.
"""

REPEAT = f"""\
Nothing of them is part of faultloop. This installs each, at these versions, into an environment of
its own below your cache folder, makes any row again, with all that is sent and all that comes back,
and makes this page:

```console
$ {COMMAND} install
$ {COMMAND} repeat orphan-call/openai_chat
$ {COMMAND} show --write
```
"""


HISTORY_TEXT = f"""\
## Histories that providers reject

An agent that loses a result, or is cut off between a call and its result, sends these. The real
provider answers 400; where that is known from, and many more, is in [strictness.md](strictness.md).
The rows `{next(iter(SAYS))}` are those that all should take.
"""

STREAM_TEXT = f"""\
## Streams that go wrong

The reply would have {EVENTS} events, the end mark included. Each server is told of trouble in its
own words. Of theirs all are here, but for pauses and for errors in place of a reply; of ours a
choice ([faults.md](faults.md) has all). Bytes are those of the body.
"""

SEED_TEXT = f"""\
The same request {REQUESTS} times, each with an even chance of a 500; the server is started three
times.
"""

SPEED_TEXT = f"""\
## Speed

Streams a second of {EVENTS} events each (their bytes are those of the row `plain`) over
{CONNECTIONS} connections, from a client that checks every one; the server on one core, the client
on another. Each round asks every server in turn, so a ratio holds where a figure does not. Medians
of the rounds. *bare* is an ASGI app on uvicorn that has its events ready, and does nothing else.
`python -m faultloop.bench.perf --only peers` measures it anew.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """When and on what it was seen."""

    day: str
    """As in 2026-11-30."""
    python: str
    node: str


def page(
    columns: Mapping[str, Sequence[Cell]],
    speed: Sequence[Measured],
    circumstances: Circumstances,
) -> str:
    """The whole page."""
    parts = [
        INTRO,
        _versions(circumstances),
        REPEAT,
        _histories(columns),
        _streams(columns),
        _speed(speed),
        _documented(),
        _ahead(),
    ]
    return "\n".join(parts)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of Markdown."""
    heads = list(head)
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(escaped(cell) for cell in line)} |\n" for line in lines)


def escaped(text: str) -> str:
    """As a cell of a table takes it."""
    return text.replace("|", "\\|").replace("\n", " ")


def _versions(circumstances: Circumstances) -> str:
    links = ", ".join(f"[{peer.title}]({peer.home}) ({peer.package})" for peer in PEERS)
    return (
        f"Seen on {circumstances.day} with {links}; Python {circumstances.python}, "
        f"Node.js {circumstances.node}.\n"
    )


def _histories(columns: Mapping[str, Sequence[Cell]]) -> str:
    said = {name: {cell.row: cell.says for cell in cells} for name, cells in columns.items()}
    rows = [
        [f"{one.says} (`{one.name}`)", *(said[name][one.name] for name in NAMES)]
        for one in HISTORIES
    ]
    return f"{HISTORY_TEXT}\n{table(['what is sent', *NAMES], rows)}"


def _streams(columns: Mapping[str, Sequence[Cell]]) -> str:
    parts = [STREAM_TEXT]
    for trouble in STREAMS:
        parts.append(f"### {trouble.says[0].upper()}{trouble.says[1:]} (`{trouble.name}`)\n")
        parts.append(table(["server", "told", "what arrives"], _told(columns, trouble.name)))
    parts.append(f"### Chances come again (`{SEED}`)\n")
    parts.append(SEED_TEXT)
    parts.append(table(["server", "told", "which requests fail"], _told(columns, SEED)))
    return "\n".join(parts)


def _told(columns: Mapping[str, Sequence[Cell]], row: str) -> Iterator[list[str]]:
    for name in NAMES:
        for cell in columns[name]:
            if cell.row == row:
                way = f"`{cell.way}`" if ":" in cell.way or "--" in cell.way else cell.way
                yield [name, way, cell.says]


def _speed(speed: Sequence[Measured]) -> str:
    rows = []
    for one in speed:
        ours, _, other = one.figure.name.partition(" : ")
        bound = one.figure.ratio_bound
        wanted = "" if bound is None else f"{bound.side} x {bound.value:g}"
        figures = (f"{one.value:.0f}", other, f"{one.baseline:.0f}", f"x {one.ratio:.2f}", wanted)
        rows.append([f"{OURS}, {ours}", *figures])
    head = ("ours", "streams/s", "beside", "streams/s", "ratio", "wanted")
    return f"{SPEED_TEXT}\n{table(head, rows)}"


def _documented() -> str:
    return "## What they document\n\n" + "\n".join(_lists(DOCUMENTED))


def _ahead() -> str:
    return "## Where they are ahead of us\n\n" + "\n".join(_lists(AHEAD))


def _lists(sentences: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for peer in PEERS:
        yield f"**{peer.title}**\n"
        yield "".join(f"- {sentence}\n" for sentence in sentences[peer.name])
