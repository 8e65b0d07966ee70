"""The tools that a chat has where none were named: a working folder and a shell in it.

Paths are relative to that folder and may not leave it, through links neither; the shell may, which
is one reason why it asks. What a reader cannot say at once is cut, and says how to read on. A
write replaces the whole file in one step, so it may be repeated, and a look at the file tells
whether it took effect (SPEC D2).
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from faultloop.loop.contract import Contract
from faultloop.loop.registry import Registry
from faultloop.loop.tools.command import CommandTool
from faultloop.loop.tools.port import ToolContext, ToolResult

LINES_MAX = 400
ENTRIES_MAX = 500
HITS_MAX = 100
HIT_CHARS_MAX = 300
SEARCHED_BYTES_MAX = 1_000_000
"""Larger files are no text that a person wrote."""
UNSEARCHED = frozenset({".git", ".faultloop", ".venv", "node_modules", "__pycache__"})


class Refused(Exception):
    """The call cannot be done as asked; the text is for the model."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


Work = Callable[[Path, dict[str, Any]], Awaitable[ToolResult]]


@dataclass(frozen=True, slots=True)
class FolderTool:
    """One tool of a working folder."""

    contract: Contract
    work: Work
    folder: Path

    async def run(self, args: dict[str, Any], context: ToolContext) -> ToolResult:
        """Do it; what the disk or the folder's borders forbid becomes a failure."""
        try:
            return await self.work(self.folder, args)
        except Refused as refused:
            return ToolResult(outcome="failed", code=refused.code, content=str(refused))
        except OSError as error:
            reason = f"{error.strerror or error}: {args.get('path', '.')}"
            return ToolResult(outcome="failed", code="TOOL_FAILED", content=reason)


def folder_tools(folder: Path) -> Registry:
    """All of them, for this folder."""
    folder = folder.resolve()
    own = (
        FolderTool(READ_FILE, _read_file, folder),
        FolderTool(LIST_FILES, _list_files, folder),
        FolderTool(SEARCH, _search, folder),
        FolderTool(_write_contract(folder), _write_file, folder),
    )
    return Registry((*own, CommandTool(cwd=folder)))


def inside(folder: Path, given: str) -> Path:
    """The real path of what was named. Raises Refused for one beyond the folder."""
    path = Path(os.path.realpath(folder / given))
    if path != folder and folder not in path.parents:
        raise Refused(
            "OUTSIDE", f"{given} lies outside the working folder; only what is inside can be used."
        )
    return path


# --- reading --------------------------------------------------------------------------------------


def _object(required: tuple[str, ...] = (), **properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


PATHS = "relative to the working folder; nothing outside of it can be named."

READ_FILE = Contract(
    name="read_file",
    purpose="Read a text file.",
    when="you need to know what a file says.",
    when_not="you look for a word in many files: search finds it at once.",
    paths=PATHS,
    returns=f"the text as it is, at most {LINES_MAX} lines; the last line says how to read on.",
    example={"path": "src/main.py", "from_line": 401},
    mistake="reading a folder; use list_files for that.",
    parameters=_object(
        ("path",),
        path={"type": "string", "minLength": 1, "description": "The file."},
        from_line={"type": "integer", "minimum": 1, "description": "First line; 1 if left out."},
    ),
    read_only=True,
    concurrency_safe=True,
    risk="low",
    output_budget_bytes=48_000,
)

LIST_FILES = Contract(
    name="list_files",
    purpose="List what one folder holds.",
    when="you need to know which files there are.",
    when_not="you look for a word inside files; use search for that.",
    paths=PATHS,
    returns=f"one name a line, folders with a / at the end, at most {ENTRIES_MAX} of them.",
    example={"path": "src"},
    mistake="expecting what is in its subfolders; list each of them.",
    parameters=_object(
        path={"type": "string", "minLength": 1, "description": "The folder; . if left out."}
    ),
    read_only=True,
    concurrency_safe=True,
    risk="low",
)

SEARCH = Contract(
    name="search",
    purpose="Find the lines that contain a text.",
    when="you do not know in which file something is.",
    when_not="you know the file; read_file shows it whole.",
    paths=PATHS,
    returns=f"path:line: text, at most {HITS_MAX} of them; then name a narrower folder.",
    example={"text": "def main", "path": "src"},
    mistake="giving a pattern; the text is taken literally, capitals included.",
    parameters=_object(
        ("text",),
        text={"type": "string", "minLength": 1, "description": "What the line contains."},
        path={
            "type": "string",
            "minLength": 1,
            "description": "Folder or file to look in; . if left out.",
        },
    ),
    read_only=True,
    concurrency_safe=True,
    cancellable=True,
    risk="low",
)


async def _read_file(folder: Path, args: dict[str, Any]) -> ToolResult:
    path = inside(folder, args["path"])
    if path.exists() and not path.is_file():
        raise Refused("NO_FILE", f"{args['path']} is no file; list_files shows what a folder holds")
    lines = path.read_bytes().decode("utf-8", "replace").splitlines(keepends=True)
    first = args.get("from_line", 1)
    if first > max(1, len(lines)):
        raise Refused("PAST_END", f"{args['path']} has {len(lines)} lines; {first} is past its end")
    shown = lines[first - 1 : first - 1 + LINES_MAX]
    after = first + len(shown)
    more = after <= len(lines)
    return ToolResult(
        outcome="ok",
        content="".join(shown),
        truncated=more,
        continuation=f"read_file with from_line {after} ({len(lines)} lines in all)"
        if more
        else "",
    )


async def _list_files(folder: Path, args: dict[str, Any]) -> ToolResult:
    path = inside(folder, args.get("path", "."))
    names = sorted(f"{entry.name}/" if entry.is_dir() else entry.name for entry in path.iterdir())
    shown = names[:ENTRIES_MAX]
    if len(names) > len(shown):
        shown.append(f"[{len(names) - len(shown)} more are not shown; search finds them]")
    return ToolResult(outcome="ok", content="\n".join(shown) or "[the folder is empty]")


async def _search(folder: Path, args: dict[str, Any]) -> ToolResult:
    wanted: str = args["text"]
    hits: list[str] = []
    for path in _files(inside(folder, args.get("path", "."))):
        await asyncio.sleep(0)  # a cancel comes through between two files
        for number, line in enumerate(_text(path).splitlines(), 1):
            if wanted in line:
                name = path.relative_to(folder)
                hits.append(f"{name}:{number}: {line.strip()[:HIT_CHARS_MAX]}")
        if len(hits) > HITS_MAX:
            shown = [*hits[:HITS_MAX], "[there is more; name a narrower path or a longer text]"]
            return ToolResult(
                outcome="ok",
                content="\n".join(shown),
                truncated=True,
                continuation="name a narrower path or a longer text",
            )
    return ToolResult(outcome="ok", content="\n".join(hits) or f"[no line contains {wanted}]")


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(set(folders) - UNSEARCHED)
        for name in sorted(names):
            file = Path(folder, name)
            if file.is_file() and not file.is_symlink():
                yield file


def _text(path: Path) -> str:
    """What a search may look at; nothing of a file that is too large, no text, or out of reach."""
    with suppress(OSError, UnicodeDecodeError):
        if path.stat().st_size <= SEARCHED_BYTES_MAX:
            return path.read_bytes().decode()
    return ""


# --- writing --------------------------------------------------------------------------------------


def _write_contract(folder: Path) -> Contract:
    return Contract(
        name="write_file",
        purpose="Write a text file, and replace it whole if it is there.",
        when="a file is to be made, or to say something else.",
        when_not="you have not read the file that you replace: what you leave out is gone.",
        paths=f"{PATHS} Folders that are missing are made.",
        returns="how many bytes the file has now.",
        example={"path": "notes/todo.txt", "content": "first\n"},
        mistake="giving only the part that changes; the content is the whole file.",
        parameters=_object(
            ("path", "content"),
            path={"type": "string", "minLength": 1, "description": "The file."},
            content={"type": "string", "description": "All that it is to hold."},
        ),
        idempotent=True,
        risk="medium",
        resource=lambda args: os.path.realpath(folder / args["path"]),
        verify_with="read_file",
    )


async def _write_file(folder: Path, args: dict[str, Any]) -> ToolResult:
    path = inside(folder, args["path"])
    if path.is_dir():
        raise Refused("IS_FOLDER", f"{args['path']} is a folder; name a file")
    path.parent.mkdir(parents=True, exist_ok=True)
    content = args["content"].encode()
    mode = path.stat().st_mode & 0o777 if path.exists() else None
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).chmod(_default_mode() if mode is None else mode)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return ToolResult(outcome="ok", content=f"{args['path']} holds {len(content)} bytes now.")


def _default_mode() -> int:
    """What a file that is simply opened would get; the mask can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
