"""A lease in files beside the journal that it is for, whichever store in a file that is.

Times are the wall clock's, since other processes must be able to judge them, also after a boot. A
clock that jumps makes a lease expire too early or too late; it never lets two write, for that is
the fence's doing. A holder whose process has provably ended is not waited for.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from contextlib import suppress

from msgspec.structs import replace

from faultloop.loop.journal import place
from faultloop.loop.journal.port import Fenced, LeaseLost
from faultloop.loop.lease.claims import ClaimFiles
from faultloop.loop.lease.port import Holder, LeaseHeld
from faultloop.loop.lease.whereabouts import is_gone, this_process

TTL_S = 30.0
HEARTBEATS = 3
"""So many per expiry: two may fail, or be late, before anybody notices."""


class FileLease:
    """The lease of one journal's session, for one agent."""

    def __init__(
        self, journal: Fenced, *, ttl_s: float = TTL_S, clock: Callable[[], float] = time.time
    ) -> None:
        """`ttl_s` is how long a frozen holder keeps it; `clock` the time in seconds since 1970."""
        self.journal = journal
        self.heartbeat_s = ttl_s / HEARTBEATS
        self._ttl_s = ttl_s
        self._clock = clock
        self._claims = ClaimFiles(journal.path)
        self._mine: Holder | None = None
        self._why = "is not held here"

    @property
    def holder(self) -> Holder | None:
        """Whoever holds it now, if anybody does; of no use but to be shown."""
        try:
            now = self._claims.read(self._claims.greatest())
        except OSError:
            return None
        return None if now is None or self._is_free(now) else now

    def acquire(self) -> None:
        """Take it, unless it is held. Raises LeaseHeld, JournalUnusable."""
        try:
            mine = self._claim()
        except OSError as error:
            raise place.refused(self.journal.path, error) from error
        try:
            self.journal.fence(mine.token)
        except BaseException as error:
            with suppress(OSError):
                self._claims.drop(mine.token)
            if isinstance(error, LeaseLost):  # somebody was quicker
                raise self._held(self._claims.greatest()) from error
            raise
        self._mine = mine
        self._claims.drop_below(mine.token)

    def renew(self) -> None:
        """Put off its expiry. Raises LeaseLost, JournalUnusable."""
        if self._mine is None:
            raise LeaseLost(f"the lease of {self.journal.path} {self._why}")
        try:
            self._look(self._mine)
            self._mine = replace(self._mine, expires=self._clock() + self._ttl_s)
            self._claims.rewrite(self._mine)
            self._look(self._mine)
        except OSError as error:
            raise place.refused(self.journal.path, error) from error

    def check(self) -> None:
        """Raise LeaseLost if it is lost. Only once it has expired this looks at the files."""
        if self._mine is None or self._clock() >= self._mine.expires:
            self.renew()

    def release(self) -> None:
        """Let go of it, if it is held; never raises: what cannot be said expires by itself."""
        mine, self._mine = self._mine, None
        if mine is None:
            return
        self._why = "was released here"
        with suppress(OSError):
            if self._is_there(mine):
                self._claims.rewrite(replace(mine, released=True))

    def _claim(self) -> Holder:
        fenced = self.journal.fenced  # before the claims: whoever is seen by it is seen by them
        now, before = self._clock(), self._claims.greatest()
        holder = self._claims.read(before)
        if holder is not None and not self._is_free(holder):
            raise LeaseHeld(self.journal.path, holder, now=now)
        mine = Holder(
            token=max(before, fenced) + 1,
            nonce=secrets.token_hex(8),
            since=now,
            expires=now + self._ttl_s,
            **this_process()._asdict(),
        )
        if not self._claims.put(mine):
            raise self._held(mine.token)
        after = self._claims.greatest()
        if after > mine.token:  # this one dawdled, and the lease has changed hands meanwhile
            self._claims.drop(mine.token)
            raise self._held(after)
        return mine

    def _look(self, mine: Holder) -> None:
        if self._is_there(mine):
            return
        self._mine = None
        holder = self._claims.read(self._claims.greatest())
        if holder is None or holder.token <= mine.token:
            by = "its file was removed"
        else:
            by = f"it was taken over by {holder.name}"
            self._claims.drop(mine.token)
        self._why = (
            f"is lost: {by}. Nothing more is written here; open the session again once it is free"
        )
        raise LeaseLost(f"the lease of {self.journal.path} {self._why}")

    def _is_there(self, mine: Holder) -> bool:
        there = self._claims.read(mine.token)
        is_mine = there is not None and there.nonce == mine.nonce
        return is_mine and self._claims.greatest() == mine.token

    def _is_free(self, holder: Holder) -> bool:
        return holder.released or self._clock() >= holder.expires or is_gone(holder)

    def _held(self, token: int) -> LeaseHeld:
        return LeaseHeld(self.journal.path, self._claims.read(token), now=self._clock())
