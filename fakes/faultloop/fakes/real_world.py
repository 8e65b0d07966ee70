"""What does not exist under the simulated clock, and the sentence that says so.

Without a selector these methods would fail anyway, but late and darkly: as a deadlock, as a
spurious timeout, or as a `NotImplementedError` without a word.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import NoReturn, TypeVar

L = TypeVar("L", bound=type[asyncio.AbstractEventLoop])

METHODS = (
    *("run_in_executor", "getaddrinfo", "getnameinfo"),
    *("create_connection", "create_server", "create_datagram_endpoint", "start_tls"),
    *("create_unix_connection", "create_unix_server", "connect_accepted_socket"),
    *("sock_recv", "sock_recv_into", "sock_recvfrom", "sock_recvfrom_into", "sock_sendall"),
    *("sock_sendto", "sock_connect", "sock_accept", "sock_sendfile", "sendfile"),
    *("add_reader", "remove_reader", "add_writer", "remove_writer"),
    *("subprocess_exec", "subprocess_shell", "connect_read_pipe", "connect_write_pipe"),
    *("add_signal_handler", "remove_signal_handler"),
)
"""The ways from an event loop to sockets, names, threads, processes and signals."""


class NotSimulated(RuntimeError):
    """Code under the simulated clock reached for the real world."""


def without_the_real_world(loop_type: L) -> L:
    """Class decorator: each of METHODS raises NotSimulated as soon as it is called."""
    for name in METHODS:
        setattr(loop_type, name, _refusing(name))
    return loop_type


def _refusing(name: str) -> Callable[..., NoReturn]:
    def refuse(self: asyncio.AbstractEventLoop, *args: object, **kwargs: object) -> NoReturn:
        raise NotSimulated(
            f"loop.{name} was called at virtual second {self.time():g}: sockets, processes, "
            "threads and signals do not exist under the simulated clock; "
            "play this in the real tier, or give the code a port that can be simulated"
        )

    return refuse
