"""The port to a lease, and who holds one (SPEC L14, X8).

Two things keep two processes from working on one session, and they must not be confused:

* the *lease* says whose turn it is. It has an expiry, which its holder keeps putting off (the
  heartbeat), so a holder that vanished or is frozen loses it in the end. It rests on clocks, and a
  process can be frozen between a look at the clock and what it does next: it is never proof.
* the *fence* is what makes it safe. Each lease has a token that is greater than all before it, and
  the journal takes no append from a smaller one (`journal.port.Fenced`). Whoever lost the lease can
  write nothing more, whatever it believes; and since nothing runs before it is written ahead, it
  starts no further tool either.

What no lease can prevent: a tool that was already started when its process was frozen goes on when
it wakes. The successor finds it in the journal as started without a result, and treats it so.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol

import msgspec


class Holder(msgspec.Struct, frozen=True, kw_only=True):
    """Who holds a lease, as it stands in its file. Times are seconds of the wall clock."""

    token: int
    """Greater than that of every holder before."""
    nonce: str
    """Tells two holders apart whose files somebody confused."""
    pid: int
    host: str
    place: str
    """The boot and the process table that `pid` belongs to; empty where it cannot be known."""
    began: str
    """When the process began, as its system counts; a pid is used again, but not with this."""
    since: float
    expires: float
    released: bool = False
    """It has let go; the token stays used."""

    @property
    def name(self) -> str:
        """Which process, for a person."""
        since = datetime.fromtimestamp(self.since, UTC).isoformat(timespec="seconds")
        return f"process {self.pid} on {self.host}, since {since}"


class LeaseHeld(Exception):
    """Another process, or another agent of this one, works on the session; nobody is at fault.

    Wait until it has let go, or end it.
    """

    def __init__(self, journal: object, holder: Holder | None, *, now: float) -> None:
        """`holder` is None where it came and went too quickly to be seen."""
        self.holder = holder
        who = "another process, just now" if holder is None else holder.name
        until = ""
        if holder is not None:
            left_s = max(0.0, holder.expires - now)
            until = f" Its lease expires in {left_s:.0f} s, unless it is renewed."
        super().__init__(
            f"the session of {journal} is held by {who}.{until} Wait for it, or end that process"
        )


class Lease(Protocol):
    """The right to work on one session."""

    @property
    def heartbeat_s(self) -> float:
        """How often to renew it."""
        ...

    def acquire(self) -> None:
        """Take it, and fence out whoever had it. Raises LeaseHeld, JournalUnusable."""
        ...

    def renew(self) -> None:
        """Put off its expiry. Raises LeaseLost, JournalUnusable."""
        ...

    def check(self) -> None:
        """Raise LeaseLost if it is known to be lost; costs a look at the clock while it is not."""
        ...

    def release(self) -> None:
        """Let go of it, if it is held; never raises."""
        ...
