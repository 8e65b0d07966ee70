"""Writing: the file is there whole or not at all, and what was recorded is never lost.

It is made beside its place and moved there. Where that fails at the end (a full disk), it goes to
the folder for temporary files, and the user is told where.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from faultloop.scenarios.reading import dump
from faultloop.scenarios.scenario import Scenario

HEAD = """\
# Recorded by faultloop record. Replay it: faultloop serve {name}
# Add trouble to it, then play it or serve it again:
# faults:
#   - {{at: step 1, kind: rate_limited, retry_after_s: 1}}
"""


class CannotWrite(Exception):
    """The file cannot be written. The text is a sentence."""


def text_of(scenario: Scenario, path: Path) -> str:
    """The file's text."""
    return HEAD.format(name=path.name) + dump(scenario, fast=True)


def try_out(path: Path) -> None:
    """Raises CannotWrite where a file could not be written there; leaves everything as it is."""
    if path.is_dir():
        raise CannotWrite(f"--out {path} is a folder; name a file in it")
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise CannotWrite(f"--out {path} cannot be written: {error.strerror}") from None


def write(path: Path, text: str) -> None:
    """Write the file. Raises CannotWrite, which says where it is instead."""
    try:
        _write(path, text)
    except OSError as error:
        said = f"--out {path} cannot be written: {error.strerror}"
        instead = Path(tempfile.gettempdir()) / f"{path.stem}-{os.getpid()}.yaml"
        try:
            _write(instead, text)
        except OSError:
            raise CannotWrite(f"{said}, and neither can {instead}: nothing was kept") from None
        raise CannotWrite(f"{said}; what was recorded is in {instead}") from None


def _write(path: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    made = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        made.replace(path)
    except BaseException:
        made.unlink(missing_ok=True)
        raise
