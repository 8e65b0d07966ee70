"""`python -m faultloop.bench.perf.peers`: install the peers, make the page, or one row again.

Exit code 2 where something is missing that the user can get: Node.js, the network, a peer.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console

from faultloop.bench.perf.measurement import take
from faultloop.bench.perf.peers.asking import NAMES, SEED, Exchange, cells, exchanges, seed_cell
from faultloop.bench.perf.peers.page import Circumstances, page
from faultloop.bench.perf.peers.peer import (
    FOLDER_VARIABLE,
    NOT_INSTALLED,
    PEERS,
    CannotInstall,
    NotInstalled,
    cache_folder,
    install,
    node_version,
)
from faultloop.bench.perf.peers.servers import SERVERS, Server
from faultloop.bench.perf.peers.speed import PEERS_SPEED

BAD_INPUT = 2
PAGE = "peers.md"

typed = typer.Typer(help=__doc__, no_args_is_help=True, add_completion=False)

Folder = Annotated[
    Path | None,
    typer.Option(
        help="where the peers are installed; faultloop/peers below the cache folder",
        envvar=FOLDER_VARIABLE,
        show_default=False,
    ),
]


@contextmanager
def _working(what: str) -> Iterator[None]:
    """Says what takes its time: as a status line, or where there is no screen as a line."""
    errors = Console(stderr=True)
    if errors.is_terminal:
        with errors.status(what):
            yield
    else:
        errors.print(what, highlight=False)
        yield


def _give_up(why: Exception | str) -> NoReturn:
    Console(stderr=True).print(f"faultloop: {why}", style="red", markup=False, soft_wrap=True)
    raise typer.Exit(BAD_INPUT)


@typed.command("install")
def install_peers(
    folder: Folder = None,
    again: Annotated[bool, typer.Option(help="also those that are installed")] = False,
) -> None:
    """Install aimock (by npm) and llmock (by pip), each into an environment of its own."""
    below = folder or cache_folder()
    for peer in PEERS:
        if again or not peer.is_installed(below):
            try:
                with _working(f"{peer.title}: {peer.tool} installs it"):
                    install(peer, below)
            except CannotInstall as error:
                _give_up(error)
        print(f"{peer.title} is in {peer.folder(below)}")


@typed.command()
def show(
    folder: Folder = None,
    write: Annotated[bool, typer.Option(help=f"to {PAGE} instead of the screen")] = False,
    docs: Annotated[Path, typer.Option(help="the folder of that page")] = Path("docs"),
    rounds: Annotated[int, typer.Option(min=1, help="of the speed")] = 7,
) -> None:
    """Ask all three servers everything, and print the page."""
    below = folder or cache_folder()
    if not all(peer.is_installed(below) for peer in PEERS):
        _give_up(NOT_INSTALLED)
    if write and not docs.is_dir():
        _give_up(f"there is no folder {str(docs)!r} to write {PAGE} to; name one with --docs")
    os.environ[FOLDER_VARIABLE] = str(below)  # the measurement finds them there too
    columns = {}
    try:
        for server in SERVERS:
            with _working(f"{server.name} is asked {len(NAMES)} rows"):
                columns[server.name] = list(cells(server, below))
        with _working(f"speed, {rounds} rounds"):
            speed = list(take(PEERS_SPEED[0], rounds))
    except RuntimeError as error:  # a server did not come up, or not do its work
        _give_up(error)
    text = page(
        columns,
        speed,
        Circumstances(
            day=date.today().isoformat(),
            python=platform.python_version(),
            node=node_version() or "unknown",
        ),
    )
    if write:
        (docs / PAGE).write_text(text, encoding="utf-8")
        print(f"{docs / PAGE} is written")
    else:
        sys.stdout.write(text)


@typed.command()
def repeat(
    row: Annotated[str, typer.Argument(help=f"one of {', '.join(NAMES)}", show_default=False)],
    folder: Folder = None,
) -> None:
    """Make one row again: what each server was told, what was sent, and what came back."""
    if row not in NAMES:
        _give_up(f"there is no row {row!r}; there are {', '.join(NAMES)}")
    below = folder or cache_folder()
    for server in SERVERS:
        print(f"=== {server.name}: {server.started}")
        try:
            for line in _repeated(server, below, row):
                print(line)
        except NotInstalled as missing:
            print(missing)
        except RuntimeError as error:
            _give_up(error)


def _repeated(server: Server, below: Path, row: str) -> Iterator[str]:
    if row == SEED:
        cell = seed_cell(server, below)
        yield f"--- {cell.way}\n--- seen: {cell.says}"
        return
    with server.run(below) as port:
        for exchange in exchanges(server, port, row):
            yield from _in_full(exchange, server)


def _in_full(exchange: Exchange, server: Server) -> Iterator[str]:
    for request in server.tell(exchange.told):
        body = "" if request.body is None else json.dumps(request.body)
        yield f"--- told: {request.method} {request.path} {body}"
    yield f"--- sent\n{exchange.sent.encode().decode()}"
    for number, read in enumerate(exchange.heard.reads, 1):
        yield f"--- read {number}: {len(read)} bytes\n{read.decode(errors='backslashreplace')}"
    yield f"--- ended: {exchange.heard.ended}\n--- seen: {exchange.cell.says}"


if __name__ == "__main__":
    typed()
