"""`REV:PATH`: a wording as it stood in a commit, as `git show` spells it, to compare a change with.

The folder of the file is taken out of the commit as a whole, since a wording may extend another one
beside it. Nothing of the working tree changes.
"""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

TIMEOUT_S = 60.0
LOOKED_AT_MAX = 20
"""Commits of a file that are looked at for the one that was measured."""


class BadRevision(Exception):
    """There is no such file in such a commit: one sentence for the user."""


def is_revision(text: str) -> bool:
    """Whether it means a file in a commit: `REV:PATH`, where no file is called so."""
    revision, colon, path = text.partition(":")
    return bool(revision and colon and path) and not Path(text).exists()


@contextmanager
def taken_out(text: str, *, below: Path) -> Iterator[Path]:
    """The file of `REV:PATH` in a folder that is removed afterwards; a PATH that is not absolute
    counts from `below`, as it does everywhere else. Raises BadRevision."""
    revision, _, path = text.partition(":")
    name = Path(path).name
    home = Path(os.path.realpath(below / Path(path).parent))
    here = next(folder for folder in (home, *home.parents) if folder.is_dir())
    top = Path(_git(here, text, "rev-parse", "--show-toplevel").decode().strip())
    folder = Path(os.path.relpath(home, top)).as_posix()
    tree = revision if folder == "." else f"{revision}:{folder}"
    archive = _git(top, text, "archive", "--format=tar", tree)
    with TemporaryDirectory(prefix="faultloop-") as out:
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            tar.extractall(out, filter="data")
        file = Path(out) / name
        if not file.is_file():
            raise BadRevision(f"{text}: commit {revision} has no file {path}")
        yield file


def settled(text: str) -> str:
    """`REV:PATH` by the short name of the commit: what HEAD was, it is no more after the next one.
    All else stays as it is. Raises BadRevision."""
    if not is_revision(text):
        return text
    revision, _, path = text.partition(":")
    commit = _git(Path.cwd(), text, "rev-parse", "--short", f"{revision}^{{commit}}")
    return f"{commit.decode().strip()}:{path}"


def revisions_of(file: Path) -> Iterator[str]:
    """Short names of the commits that changed a file, or one beside it that it may extend, the
    newest first; none where there is no repository, or no git."""
    beside = (f":(literal){file.name}", f":(glob)*{file.suffix}")
    try:
        said = _git(
            file.parent, str(file), "log", "--format=%h", f"-{LOOKED_AT_MAX}", "--", *beside
        )
    except BadRevision:
        return
    yield from said.decode().split()


def _git(below: Path, text: str, *words: str) -> bytes:
    try:
        done = subprocess.run(
            ("git", "-C", str(below), *words),
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except FileNotFoundError as error:
        raise BadRevision(f"{text} asks for a commit, and there is no git here") from error
    except subprocess.TimeoutExpired as error:
        raise BadRevision(f"{text}: git did not answer within {TIMEOUT_S:g} s") from error
    if done.returncode:
        told = done.stderr.decode(errors="replace").strip().splitlines()
        says = told[-1].removeprefix("fatal: ") if told else f"git ended with {done.returncode}"
        raise BadRevision(
            f"there is no file {text}, and as a file in a commit it cannot be had: {says}"
        )
    return done.stdout
