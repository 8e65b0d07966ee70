"""The tools of a working folder: what they say, and that they stay inside."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from faultloop.bench.chat.folder_tools import ENTRIES_MAX, HITS_MAX, LINES_MAX, folder_tools
from faultloop.loop.registry import Found, Query
from faultloop.loop.tools.port import ToolContext, ToolResult


def call(folder: Path, tool: str, **args: Any) -> ToolResult:
    found = folder_tools(folder).find(tool)
    assert isinstance(found, Found)
    assert found.tool.contract.validator.is_valid(args)

    async def run() -> ToolResult:
        context = ToolContext(
            call_id="c", key="k", attempt="a", cancelled=asyncio.Event(), progress=print
        )
        return await found.tool.run(args, context)

    return asyncio.run(run())


def test_a_file_that_is_written_reads_back(tmp_path: Path) -> None:
    assert call(tmp_path, "write_file", path="a/b.txt", content="one\r\ntwo").outcome == "ok"
    assert call(tmp_path, "read_file", path="a/b.txt").content == "one\r\ntwo"
    assert (tmp_path / "a/b.txt").read_bytes() == b"one\r\ntwo"


def test_a_write_keeps_the_mode_and_leaves_nothing_beside(tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    script.write_text("old")
    script.chmod(0o755)
    call(tmp_path, "write_file", path="run.sh", content="new")
    assert script.stat().st_mode & 0o777 == 0o755
    assert [path.name for path in tmp_path.iterdir()] == ["run.sh"]


def test_a_long_file_says_how_to_read_on(tmp_path: Path) -> None:
    (tmp_path / "long").write_text("".join(f"{number}\n" for number in range(1, LINES_MAX + 3)))
    first = call(tmp_path, "read_file", path="long")
    assert first.truncated
    assert f"from_line {LINES_MAX + 1}" in first.continuation
    rest = call(tmp_path, "read_file", path="long", from_line=LINES_MAX + 1)
    assert not rest.truncated
    assert rest.content == f"{LINES_MAX + 1}\n{LINES_MAX + 2}\n"


OUTSIDE = ["..", "../x", "/etc/passwd", "link", "link/passwd"]


@pytest.mark.parametrize("path", OUTSIDE)
@pytest.mark.parametrize("tool", ["read_file", "list_files", "write_file", "search"])
def test_nothing_outside_the_folder_can_be_named(tool: str, path: str, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link").symlink_to("/etc")
    more = {"write_file": {"content": "x"}, "search": {"text": "root"}}.get(tool, {})
    result = call(folder, tool, path=path, **more)
    assert (result.outcome, result.code) == ("failed", "OUTSIDE")
    assert not (tmp_path / "x").exists()


FAILS = {
    "a file that is not there": ("read_file", {"path": "no"}, "TOOL_FAILED"),
    "a folder that is read": ("read_file", {"path": "."}, "NO_FILE"),
    "past the end": ("read_file", {"path": "a.txt", "from_line": 9}, "PAST_END"),
    "a folder that is written": ("write_file", {"path": ".", "content": ""}, "IS_FOLDER"),
    "a file that is listed": ("list_files", {"path": "a.txt"}, "TOOL_FAILED"),
}


@pytest.mark.parametrize(("tool", "args", "code"), FAILS.values(), ids=FAILS)
def test_what_cannot_be_done_is_a_failure_with_a_code(
    tool: str, args: dict[str, Any], code: str, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    result = call(tmp_path, tool, **args)
    assert (result.outcome, result.code) == ("failed", code)
    assert result.content


def test_a_list_tells_folders_and_what_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.txt").touch()
    assert call(tmp_path, "list_files").content == "a.txt\nsub/"
    assert call(tmp_path, "list_files", path="sub").content == "[the folder is empty]"
    for number in range(ENTRIES_MAX + 1):
        (tmp_path / f"sub/{number}").touch()
    assert "[1 more are not shown" in call(tmp_path, "list_files", path="sub").content


def test_a_search_names_places_and_passes_over_what_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n  two words\n")
    (tmp_path / "b.bin").write_bytes(b"\xff\xfetwo words")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/config").write_text("two words")
    assert call(tmp_path, "search", text="two w").content == "a.txt:2: two words"
    assert call(tmp_path, "search", text="two w", path="a.txt").content == "a.txt:2: two words"
    assert call(tmp_path, "search", text="three").content == "[no line contains three]"


def test_a_search_that_finds_too_much_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x\n" * (HITS_MAX + 1))
    result = call(tmp_path, "search", text="x")
    assert result.truncated
    assert result.content.count("a.txt:") == HITS_MAX


def test_a_command_runs_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()
    assert call(tmp_path, "run_command", command="ls").content.startswith("a.txt")


def test_what_reads_asks_nobody_and_the_rest_does(tmp_path: Path) -> None:
    reads = {tool.contract.name for tool in folder_tools(tmp_path) if tool.contract.read_only}
    assert reads == {"read_file", "list_files", "search"}


def test_a_write_of_unknown_outcome_can_be_looked_at(tmp_path: Path) -> None:
    tools = folder_tools(tmp_path)
    found = tools.find("write_file")
    assert isinstance(found, Found)
    query = tools.query(found.tool.contract, {"path": "a.txt", "content": "x"})
    assert isinstance(query, Query)
    assert query.args == {"path": "a.txt"}


def test_every_example_is_right_and_every_contract_says_when(tmp_path: Path) -> None:
    for tool in folder_tools(tmp_path):
        contract = tool.contract
        assert contract.validator.is_valid(json.loads(json.dumps(contract.example)))
        assert contract.when
        assert contract.when_not
        assert contract.paths
        assert contract.returns
