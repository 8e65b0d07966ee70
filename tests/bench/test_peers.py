"""Our own column of docs/peers.md: what we do in each row, and that the page says so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from faultloop.bench.perf.load import EVENTS
from faultloop.bench.perf.measurement import Measured
from faultloop.bench.perf.peers.asking import NAMES, SEED, Cell, Exchange, cells, exchanges
from faultloop.bench.perf.peers.page import Circumstances, escaped, page
from faultloop.bench.perf.peers.peer import PEERS, cache_folder
from faultloop.bench.perf.peers.raw import Ending
from faultloop.bench.perf.peers.servers import BY_NAME, OURS, SERVERS, Server
from faultloop.bench.perf.peers.speed import PEERS_SPEED
from faultloop.bench.perf.peers.standing import AHEAD, DOCUMENTED
from faultloop.bench.perf.peers.streams import AFTER

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "peers.md").read_text()
NAMES_OF_SERVERS = [server.name for server in SERVERS]
NOWHERE = Path("/nonexistent")


@pytest.fixture(scope="module")
def ours() -> list[Cell]:
    return list(cells(BY_NAME[OURS], NOWHERE))


@pytest.fixture(scope="module")
def asked() -> Iterator[list[Exchange]]:
    with BY_NAME[OURS].run(NOWHERE) as port:
        yield list(exchanges(BY_NAME[OURS], port))


TIMED = {("packets", "no fault"), ("breaks-off", "disconnectAfterMs: 50, latency: 20")}
"""Rows and ways in which a busy machine decides as well."""


def is_told(cell: Cell, name: str) -> bool:
    """Whether the page has this cell in a server's column."""
    says = escaped(cell.says)
    if "/" in cell.row:
        (line,) = [line for line in PAGE.splitlines() if f" (`{cell.row}`) |" in line]
        return line.removesuffix(" |").split(" | ")[1 + NAMES_OF_SERVERS.index(name)] == says
    lines = [line for line in PAGE.splitlines() if line.startswith(f"| {name} | ")]
    return any(cell.way in line and line.endswith(f" | {says} |") for line in lines)


def not_told(found: list[Cell], name: str) -> list[Cell]:
    return [one for one in found if (one.row, one.way) not in TIMED and not is_told(one, name)]


def test_every_row_is_in_our_column(ours: list[Cell]) -> None:
    assert {cell.row for cell in ours} == set(NAMES)


def test_the_page_says_what_we_do(ours: list[Cell]) -> None:
    assert not_told(ours, OURS) == [], "make it anew with `make peers`"


def test_a_page_tells_the_day_the_ratio_and_what_is_wanted_of_it(ours: list[Cell]) -> None:
    figure = PEERS_SPEED[0].figures[0]
    text = page(
        {server.name: ours for server in SERVERS},
        [Measured(figure=figure, value=3000.0, baseline=1000.0, ratio=3.1)],
        Circumstances(day="2026-01-02", python="3.11.7", node="20.20.2"),
    )
    assert "Seen on 2026-01-02 with [aimock 1.43.0]" in text
    assert "| faultloop, coalesced | 3000 | aimock | 1000 | x 3.10 | at least x 3 |" in text
    tables = [part for part in text.split("\n\n") if part.startswith("| ")]
    widths = [{line.count(" | ") for line in one.splitlines()} for one in tables]
    assert [len(one) for one in widths] == [1] * len(tables)


def test_the_page_names_the_versions_that_are_installed() -> None:
    assert [peer.title for peer in PEERS if f"[{peer.title}]({peer.home})" not in PAGE] == []


def test_the_page_says_where_the_peers_are_ahead_and_what_they_document() -> None:
    sentences = [one for each in (AHEAD, DOCUMENTED) for said in each.values() for one in said]
    assert [one for one in sentences if one not in PAGE] == []


def test_a_right_history_is_replied_to_and_a_wrong_one_is_not(asked: list[Exchange]) -> None:
    histories = {one.cell.row: one for one in asked if "/" in one.cell.row}
    replied = {row for row, one in histories.items() if one.heard.status == 200}
    assert replied == {row for row in histories if row.startswith("right/")}
    assert {one.heard.status for row, one in histories.items() if row not in replied} == {400}


@pytest.mark.parametrize(
    ("way", "ended", "events", "holds", "lacks"),
    [
        ("no fault", "last chunk", EVENTS, b"[DONE]", b"error"),
        (f"kind: reset_at_byte, after_bytes: {AFTER}", "RST", 1, b"data: ", b"[DONE]"),
        (f"kind: closed_at_byte, after_bytes: {AFTER}", "FIN", 1, b"data: ", b"[DONE]"),
        ("kind: reset_mid_stream, after_deltas: 3", "RST", 3, b"data: ", b"[DONE]"),
        ("kind: ends_without_finish", "last chunk", EVENTS - 2, b"tango", b'"stop"'),
        ("kind: cut_in_arguments", "last chunk", 23, rb"{\"path\":\"not", b"week"),
        ("kind: end_mark_missing", "last chunk", EVENTS - 1, b'"stop"', b"[DONE]"),
        ("kind: finish_missing", "last chunk", EVENTS - 1, b"[DONE]", b'"stop"'),
        ("kind: closed_before_headers", "FIN", 0, b"", b"HTTP"),
    ],
)
def test_a_stream_breaks_off_as_told(
    asked: list[Exchange], way: str, ended: Ending, events: int, holds: bytes, lacks: bytes
) -> None:
    heard = next(one.heard for one in asked if one.cell.way == way)
    assert (heard.ended, len(heard.events)) == (ended, events)
    assert holds in heard.data
    assert lacks not in heard.data


def test_what_breaks_at_a_byte_breaks_there(asked: list[Exchange]) -> None:
    bodies = {len(one.heard.body) for one in asked if f"after_bytes: {AFTER}" in one.cell.way}
    assert bodies == {AFTER}


def test_slices_begin_inside_events_and_change_no_byte(asked: list[Exchange]) -> None:
    whole = next(one.heard.body for one in asked if one.cell.row == "plain")
    sliced = [one.heard for one in asked if one.cell.row == "slices"]
    assert [len(heard.chunks) for heard in sliced] == [-(-len(whole) // 7), 3]
    assert [heard.body for heard in sliced] == [whole, whole]


def test_one_packet_is_one_read(asked: list[Exchange]) -> None:
    (one,) = [one for one in asked if one.cell.way == "kind: one_packet"]
    assert len(one.heard.reads) == 1
    assert len(one.heard.events) == EVENTS


def test_the_same_seed_has_the_same_chances_and_another_one_others(ours: list[Cell]) -> None:
    (cell,) = [cell for cell in ours if cell.row == SEED]
    assert cell.says == "the same choice; another seed, another choice"


@pytest.mark.parametrize("server", [one for one in SERVERS if one.peer], ids=lambda one: one.name)
def test_a_peer_does_what_the_page_says(server: Server) -> None:
    assert server.peer is not None
    if not server.peer.is_installed(cache_folder()):
        pytest.skip(f"{server.peer.title} is not installed: `make peers` does that")
    with server.run(cache_folder()) as port:
        found = [one.cell for one in exchanges(server, port)]
    assert {row for row in NAMES if "/" in row} <= {cell.row for cell in found}
    assert not_told(found, server.name) == []
