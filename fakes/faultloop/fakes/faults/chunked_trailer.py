"""A chunked body with fields after it, which few clients know of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.wire import Act, Acts, End, Head, Trailers, with_head


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkedTrailer(Fault):
    """After the last chunk come trailer fields. Over a socket only: in process there is no frame.

    A whole reply is chunked for it, too.
    """

    kind: Literal["chunked_trailer"] = "chunked_trailer"
    name: str = "x-checksum"
    """The field's name, in lower case."""
    value: str = "none"
    """The field's value."""

    def travel(self, acts: Acts) -> Acts:
        """The same body in chunks, with the field before its end."""
        if not isinstance(acts[-1], End):
            return acts
        out: list[Act] = [*acts[:-1], Trailers(((self.name, self.value),)), End()]
        return with_head(tuple(out), self._announced)

    def _announced(self, head: Head) -> Head:
        return replace(head, headers=(*head.headers, ("trailer", self.name)), length=None)
