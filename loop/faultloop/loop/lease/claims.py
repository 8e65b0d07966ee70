"""The files of a lease: `<journal>.lease.<token>`, and the greatest number is the holder's.

A token is claimed by linking a whole file under its name, which exactly one process can do, on a
network file system too. There is no lock that a frozen process could keep. Only its owner writes to
a claim again (a heartbeat, a release), by putting a whole file in its place; whoever comes later
claims a greater number and removes the smaller ones. The files are text: `cat` says who it is, and
removing one by hand takes the lease away from its holder.

They need not survive a power cut, which ends all holders; the token's growth is kept by the fence.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

import msgspec

from faultloop.loop.lease.port import Holder

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Holder)


class ClaimFiles:
    """The claims beside one journal. Raises OSError where the folder cannot be used."""

    def __init__(self, journal: Path) -> None:
        """Touches nothing."""
        self._journal = journal
        self._name = re.compile(re.escape(f"{journal.name}.lease.") + r"(\d+)")

    def greatest(self) -> int:
        """The token of whoever holds or held the lease last; 0 if there is no claim."""
        return max(self._tokens(), default=0)

    def read(self, token: int) -> Holder | None:
        """Whose claim it is; None if it is gone, or is none: the fence holds all the same."""
        try:
            return _decoder.decode(self._path(token).read_bytes())
        except (FileNotFoundError, msgspec.DecodeError):
            return None

    def put(self, holder: Holder) -> bool:
        """Claim a token; False if somebody else has."""
        new = self._written(holder)
        try:
            os.link(new, self._path(holder.token))
        except FileExistsError:
            return False
        finally:
            new.unlink()
        return True

    def rewrite(self, holder: Holder) -> None:
        """Say something else in a claim of one's own."""
        self._written(holder).replace(self._path(holder.token))

    def drop(self, token: int) -> None:
        """Give a claim up, or clear one away."""
        self._path(token).unlink(missing_ok=True)

    def drop_below(self, token: int) -> None:
        """Clear away the claims of holders before."""
        for old in self._tokens():
            if old < token:
                with suppress(OSError):  # they are in nobody's way
                    self.drop(old)

    def _tokens(self) -> list[int]:
        names = (self._name.fullmatch(path.name) for path in self._journal.parent.iterdir())
        return [int(name[1]) for name in names if name is not None]

    def _path(self, token: int) -> Path:
        return Path(f"{self._journal}.lease.{token}")

    def _written(self, holder: Holder) -> Path:
        """A whole file, under a name that nobody looks at."""
        new = Path(f"{self._journal}.lease.new-{holder.nonce}")
        new.write_bytes(_encoder.encode(holder) + b"\n")
        return new
