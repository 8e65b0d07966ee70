"""Files: paths and contents. The replay trio of SPEC O3 lives here.

An edit fails the second time, because what it looks for is gone. An overwrite with what is there
already changes no byte, yet it is an effect and enters the ledger as one: a watcher would rebuild,
a modification time would move. An append doubles.
"""

from __future__ import annotations

from types import MappingProxyType

from faultloop.fakes.world.part import Args, Change, Part, ToolFailed, declared
from faultloop.fakes.world.spec import WorldSpec
from faultloop.fakes.world.tool import WorldTool, changes, parameters, reads, text

Files = MappingProxyType[str, str]

_PATH = text("Path relative to the workspace's root, such as src/main.py.", minLength=1)


def part(spec: WorldSpec) -> Part[Files] | None:
    """The files of a world, if it has any. Raises ValueError where one is not in the workspace."""
    if spec.files is None:
        return None
    for path in spec.files:
        if path.startswith("/") or ".." in path.split("/"):
            raise ValueError(
                f"the file {path!r} is outside of the workspace: write its path from the"
                " workspace's root, such as src/main.py"
            )
    return Part(MappingProxyType(dict(spec.files)), _TOOLS)


def _content(files: Files, path: str) -> str:
    try:
        return files[path]
    except KeyError:
        there = ", ".join(sorted(files)) or "none"
        raise ToolFailed(f"There is no file {path!r}. Files that exist: {there}.") from None


def _with(files: Files, path: str, content: str) -> Files:
    return MappingProxyType({**files, path: content})


def _read(files: Files, args: Args, key: str | None) -> Change[Files]:
    return Change(files, _content(files, args["path"]))


def _list(files: Files, args: Args, key: str | None) -> Change[Files]:
    return Change(files, "\n".join(sorted(files)) or "(no files)")


def _write(files: Files, args: Args, key: str | None) -> Change[Files]:
    path, content = args["path"], args["content"]
    if path not in files:
        what = f"created {path} with {_size(content)}"
    elif files[path] == content:
        what = f"rewrote {path} with the same content"
    else:
        what = f"overwrote {path} with {_size(content)}"
    return Change(_with(files, path, content), f"Done: {what}.", what)


def _append(files: Files, args: Args, key: str | None) -> Change[Files]:
    path = args["path"]
    before = files.get(path, "")
    if before and not before.endswith("\n"):
        before += "\n"
    after = f"{before}{args['line']}\n"
    what = f"appended 1 line to {path}"
    return Change(
        _with(files, path, after), f"Done: {what}, which now has {after.count(chr(10))}.", what
    )


def _edit(files: Files, args: Args, key: str | None) -> Change[Files]:
    path, old, new = args["path"], args["old"], args["new"]
    content = _content(files, path)
    found = content.count(old)
    if found != 1:
        times = "does not occur" if found == 0 else f"occurs {found} times"
        raise ToolFailed(
            f"Nothing was changed: the text to replace {times} in {path}, it must occur exactly "
            "once. Read the file and give a longer piece of what is there now."
        )
    what = f"replaced {_size(old)} in {path} by {_size(new)}"
    return Change(_with(files, path, content.replace(old, new)), f"Done: {what}.", what)


def _delete(files: Files, args: Args, key: str | None) -> Change[Files]:
    below = args.get("dir", "/")
    prefix = "" if below.strip("/") == "" else below.strip("/") + "/"
    kept = {path: content for path, content in files.items() if not path.startswith(prefix)}
    gone = len(files) - len(kept)
    if gone == 0:
        return Change(files, f"There were no files below {below}.")
    what = f"deleted {gone} file{'s' if gone > 1 else ''} below {below}"
    return Change(MappingProxyType(kept), f"Done: {what}.", what)


def _size(content: str) -> str:
    return f"{len(content)} character{'' if len(content) == 1 else 's'}"


_TOOLS = declared(
    (
        WorldTool(
            name="read_file",
            description="Read one text file. Use it before you edit a file or quote from it. "
            "Paths are relative to the workspace's root. Returns the whole content.",
            parameters=parameters(("path",), path=_PATH),
            annotations=reads(),
        ),
        _read,
    ),
    (
        WorldTool(
            name="list_files",
            description="List all files of the workspace. Use it when you do not know a path. "
            "Returns one path a line, relative to the workspace's root, sorted.",
            parameters=parameters(),
            annotations=reads(),
        ),
        _list,
    ),
    (
        WorldTool(
            name="write_file",
            description="Create a file, or replace the whole content of one. To change a part of "
            "a file use edit_file, to add a line use append_file. Paths are relative to the "
            "workspace's root. Returns what was done.",
            parameters=parameters(
                ("path", "content"), path=_PATH, content=text("The whole new content.")
            ),
            annotations=changes(risk="medium", destructive=True, idempotent=True),
        ),
        _write,
    ),
    (
        WorldTool(
            name="append_file",
            description="Add one line at the end of a file, which is created if it is missing. "
            "Use it for logs and notes. Each call adds another line. Paths are relative to the "
            "workspace's root. Returns how many lines there are now.",
            parameters=parameters(
                ("path", "line"), path=_PATH, line=text("The line, without its line break.")
            ),
            annotations=changes(risk="medium"),
        ),
        _append,
    ),
    (
        WorldTool(
            name="edit_file",
            description="Replace a piece of a file's text, which must occur in it exactly once. "
            "Use it for small changes, after reading the file. Paths are relative to the "
            "workspace's root. Returns what was replaced; fails, changing nothing, if the piece "
            "is missing or ambiguous.",
            parameters=parameters(
                ("path", "old", "new"),
                path=_PATH,
                old=text("The piece as it stands in the file now.", minLength=1),
                new=text("What takes its place."),
            ),
            annotations=changes(risk="medium", destructive=True),
        ),
        _edit,
    ),
    (
        WorldTool(
            name="delete_files",
            description="Delete all files below a directory, for good. Use it to clear out "
            "build products. Paths are relative to the workspace's root. Returns how many files "
            "were deleted.",
            parameters=parameters(
                dir=text("The directory; left out, everything is deleted.", default="/")
            ),
            annotations=changes(risk="high", destructive=True, idempotent=True),
        ),
        _delete,
    ),
)

NAMES = frozenset(_TOOLS)
"""Of the tools that read and change files."""
