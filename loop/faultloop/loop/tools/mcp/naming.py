"""Names of foreign tools, so that two servers cannot take each other's (SPEC C10).

The tool `search` of the server `docs` is `docs__search` to the model. The first `__` separates the
two, so a server's own name has none. A tool's name that providers would refuse, or that is too
long, is cut down and marked with a hash of the whole; such a name is led back by the tool itself
(`McpTool.remote`), all others by reading them.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import NamedTuple

from faultloop.loop.contract import NAMES, ContractError

SEPARATOR = "__"
SERVER_NAMES = re.compile(r"[A-Za-z][A-Za-z0-9-]*(?:_[A-Za-z0-9-]+)*")
SERVER_CHARS_MAX = 24
NAME_CHARS_MAX = 64


class Inner(NamedTuple):
    """A tool as its server knows it."""

    server: str
    tool: str


def check_server(server: str) -> str:
    """The server's name, if it can stand before a tool's. Raises ContractError."""
    if len(server) > SERVER_CHARS_MAX or not SERVER_NAMES.fullmatch(server):
        raise ContractError(
            f"an MCP server cannot be called {server!r}: it takes a letter, then letters, digits, -"
            f" and single _, {SERVER_CHARS_MAX} at most"
        )
    return server


def outer(server: str, tool: str) -> str:
    """The name under which a model calls a tool of a server; an empty one stands before nothing."""
    plain = f"{server}{SEPARATOR}{tool}" if server else tool
    if NAMES.fullmatch(plain):
        return plain
    mark = blake2b(tool.encode(errors="surrogatepass"), digest_size=4).hexdigest()
    cleaned = re.sub(r"[^A-Za-z0-9_-]", "_", plain)
    return f"{cleaned[: NAME_CHARS_MAX - len(mark) - 1]}_{mark}"


def inner(name: str) -> Inner | None:
    """What a name says of its server and tool; None where it is no such name."""
    server, separator, tool = name.partition(SEPARATOR)
    return Inner(server, tool) if separator and SERVER_NAMES.fullmatch(server) else None
