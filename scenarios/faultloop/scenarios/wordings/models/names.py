"""Names of tools as an API takes them, and the way back.

A name that is allowed stays as it is. Of any other, what is not allowed becomes `_`, and where that
is taken already, a digest of the whole name tells the two apart. The order of the names decides
nothing, so that a tool has one name in all rotations of its set.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

NOT_ALLOWED = re.compile(r"[^A-Za-z0-9_-]")
ALLOWED = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""What OpenAI and Anthropic take."""
CHARS_MAX = 64
DIGEST_CHARS = 8


def api_names(names: Iterable[str], allowed: re.Pattern[str] = ALLOWED) -> dict[str, str]:
    """Name to the name that the API gets; no two names get the same one.

    `allowed` matches whole names; what it wants beyond `ALLOWED` must be cured by a `_` in front.
    """
    asked = set(names)
    given = {name: name for name in asked if allowed.fullmatch(name)}
    taken = set(given)
    for name in sorted(asked - taken):
        candidate = _made_legal(name, allowed, CHARS_MAX)
        if candidate in taken:
            digest = hashlib.sha256(name.encode()).hexdigest()[:DIGEST_CHARS]
            candidate = _made_legal(name, allowed, CHARS_MAX - DIGEST_CHARS - 1) + "_" + digest
        given[name] = candidate
        taken.add(candidate)
    return given


def _made_legal(name: str, allowed: re.Pattern[str], chars_max: int) -> str:
    plain = NOT_ALLOWED.sub("_", name)[:chars_max] or "_"
    return plain if allowed.fullmatch(plain) else ("_" + plain)[:chars_max]
