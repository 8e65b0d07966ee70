"""Something on the way compresses the body, whether or not the client asked for it."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.wire import Act, Acts, Break, Head, after_body, body_bytes, with_head

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
        end = after_body(acts)
        for act in acts[:end]:
            if isinstance(act, bytes):
                out.append(packer.compress(act) + packer.flush(zlib.Z_SYNC_FLUSH))
            else:
                out.append(act)
        if not isinstance(acts[end], Break):
            out.append(packer.flush())
        longer = body_bytes(out) - body_bytes(acts)
        return with_head((*out, *acts[end:]), lambda head: _encoded(head, longer))


def _encoded(head: Head, longer: int) -> Head:
    """A length that is wrong is wrong by as much."""
    headers = (*head.headers, ("content-encoding", "gzip"))
    length = None if head.length is None else head.length + longer
    return replace(head, headers=headers, length=length)
