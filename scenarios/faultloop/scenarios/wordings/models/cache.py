"""Answers that were given, on disk, under the digest of all that decided them.

One file an answer, written beside its place and moved there: whoever is killed at any instant
leaves whole answers and at most one scrap that is never read. Several processes may share a folder.
Each file says which question it answers and holds a digest of its content; one that does not fit is
told, counts as absent, and is written anew. A failure that another day may mend is never kept
(`failures`), and a timeout says nothing to who would wait longer. Nothing is ever deleted here: the
whole folder may be, at any time.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from faultloop.scenarios.wordings.answer import Answer
from faultloop.scenarios.wordings.models.failures import RULES
from faultloop.scenarios.wordings.models.port import ModelUnusable

FORMAT = 1


class _Kept(msgspec.Struct, frozen=True, kw_only=True):
    """One file."""

    format: int
    key: str
    digest: str
    """SHA-256 of the answer as it is spelt here."""
    answer: msgspec.Raw


class Cache:
    """One folder of answers."""

    def __init__(
        self,
        folder: Path,
        *,
        says: Callable[[str], None],
        fresh: bool = False,
        patience_s: float = 0.0,
    ) -> None:
        """`says` hears of files that are no good. `fresh`: nothing kept is read, but what is
        answered is kept, in the place of what was. `patience_s`: timeouts that came sooner are
        asked again."""
        self._folder = folder
        self._says = says
        self._fresh = fresh
        self._patience_s = patience_s
        self._made: set[Path] = set()

    def get(self, key: str) -> Answer | None:
        """The answer that was kept; None: there is none that can be trusted. Raises ModelUnusable
        where none could be kept either: that is told before it is paid for."""
        if self._fresh:
            return None
        path = self._path(key)
        try:
            raw = path.read_bytes()
        except FileNotFoundError:
            return None
        except IsADirectoryError as error:
            raise ModelUnusable(f"{path}: an answer belongs there; take the folder away") from error
        except OSError as error:
            self._says(f"{path}: a kept answer cannot be read ({error.strerror}); asked again")
            return None
        answer = _read(raw, key)
        if answer is None:
            self._says(f"{path}: a kept answer is damaged; asked again")
        elif answer.failure == "timeout" and answer.waited_s < self._patience_s:
            return None
        return answer

    def put(self, key: str, answer: Answer) -> None:
        """Keep an answer, unless its failure may pass. Raises ModelUnusable: it cannot be kept."""
        if answer.failure is not None and not RULES[answer.failure].is_kept:
            return
        spelt = msgspec.json.encode(answer)
        kept = _Kept(format=FORMAT, key=key, digest=_digest(spelt), answer=msgspec.Raw(spelt))
        path = self._path(key)
        scrap = path.with_name(f"{path.name}.{os.getpid()}")
        try:
            if path.parent not in self._made:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._made.add(path.parent)
            scrap.write_bytes(msgspec.json.encode(kept) + b"\n")
            scrap.replace(path)
        except OSError as error:
            with suppress(OSError):
                scrap.unlink()
            raise ModelUnusable(
                f"{self._folder}: answers cannot be kept there ({error.strerror}); make room, or"
                " name another folder with --cache"
            ) from error

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"


def key_of(identity: str, digest: str, sample: int) -> str:
    """Where a model's answer to a question of this digest is kept, asked the nth time."""
    return hashlib.sha256(f"{identity}\0{digest}\0{sample}".encode()).hexdigest()


def _read(raw: bytes, key: str) -> Answer | None:
    try:
        kept = msgspec.json.decode(raw, type=_Kept)
        spelt = bytes(kept.answer)
        if (kept.format, kept.key, kept.digest) != (FORMAT, key, _digest(spelt)):
            return None
        return msgspec.json.decode(spelt, type=Answer)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _digest(spelt: bytes) -> str:
    return hashlib.sha256(spelt).hexdigest()
