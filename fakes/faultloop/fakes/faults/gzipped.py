"""Something on the way compresses the body, whether or not the client asked for it."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.wire import Act, Acts, End, Head, body_bytes, with_head

GZIP = zlib.MAX_WBITS | 16
"""zlib's name for the format with gzip's own head and end; without a time in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gzipped(Fault):
    """`Content-Encoding: gzip`, flushed after each piece, so that a stream still streams."""

    kind: Literal["gzipped"] = "gzipped"

    def travel(self, acts: Acts) -> Acts:
        """The same body, compressed piece by piece."""
        packer = zlib.compressobj(wbits=GZIP)
        out: list[Act] = []
        for act in acts:
            if isinstance(act, bytes):
                out.append(packer.compress(act) + packer.flush(zlib.Z_SYNC_FLUSH))
            elif isinstance(act, End):
                out += [packer.flush(), act]
            else:
                out.append(act)
        size = body_bytes(out)
        return with_head(tuple(out), lambda head: _encoded(head, size))


def _encoded(head: Head, size: int) -> Head:
    headers = (*head.headers, ("content-encoding", "gzip"))
    return replace(head, headers=headers, length=None if head.length is None else size)
