"""Which faultloop plays: its version, and a digest of all that decides what a play comes to.

A cell that another faultloop played is another measurement, so its plays are made again.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import faultloop

DECIDES = ("fakes", "scenarios")
"""The parts in which plays are made and judged; scenarios are told apart by themselves."""
APART = "wordings"
"""No play is made of what lies there."""


@lru_cache(maxsize=1)
def identity() -> str:
    """`0.1.0 (3f2a91c0)`."""
    try:
        number = version("faultloop")
    except PackageNotFoundError:
        number = "as checked out"
    return f"{number} ({_digest()})"


def _digest() -> str:
    found = hashlib.blake2b(digest_size=4)
    for part in DECIDES:
        roots = [Path(folder) / part for folder in faultloop.__path__]
        for root in (root for root in roots if root.is_dir()):
            for file in sorted(root.rglob("*.py")):
                if file.relative_to(root).parts[0] == APART:
                    continue
                found.update(str(file.relative_to(root)).encode())
                found.update(file.read_bytes())
    return found.hexdigest()
