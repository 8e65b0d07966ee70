"""The reference loop with its tools from MCP after a handshake, as all of MCP was before 2026.

MANNERS=forgetful: whoever is cancelled tells the server nothing, and its connection closes with it.
"""

import os
from functools import partial

import faultloop_driver as bench
from mcp import Client
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher

from faultloop.bench.subjects.reference_process import driver
from faultloop.loop.tools.mcp import server

server.Client = partial(Client, mode="legacy")


async def say_nothing(*said: object) -> None:
    """In place of `notifications/cancelled`."""


if os.environ["MANNERS"] == "forgetful":
    JSONRPCDispatcher._cancel_outbound = say_nothing

bench.run(driver.main)
