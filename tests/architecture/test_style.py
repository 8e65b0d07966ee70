"""The style of the code is a test: lengths, opening laws, names, banned calls.

Each ban names its replacement and each exception its reason, so that a failure here is advice.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
SOURCE_ROOTS = ("loop", "fakes", "scenarios", "reports", "bench")

MODULE_LINES_MAX = 400
FUNCTION_LINES_MAX = 70
LAW_CHARS_MIN = 40

NO_NAMES = {"util", "utils", "helper", "helpers", "common", "misc", "base_utils"}


class Ban(NamedTuple):
    """A call that is not made here, and what is made instead."""

    instead: str
    allowed: frozenset[str] = frozenset()
    """Files that may, each for the reason in the comment beside it."""


BANS = {
    "time.sleep": Ban("wait on a landmark, an event or the simulated clock"),
    "random.random": Ban("take a random.Random that was seeded by the play"),
    "random.choice": Ban("take a random.Random that was seeded by the play"),
    "random.randint": Ban("take a random.Random that was seeded by the play"),
    "random.shuffle": Ban("take a random.Random that was seeded by the play"),
    "uuid.uuid4": Ban(
        "derive ids from the seed: fakes.marks, or the session's own counter",
        # Marks real processes, which must differ from those of every other run on the machine.
        allowed=frozenset({"loop/faultloop/loop/tools/process_tree.py"}),
    ),
    "datetime.now": Ban("take the clock as an argument"),
    "datetime.utcnow": Ban("take the clock as an argument"),
    "jsonschema.validate": Ban("compile once with jsonschema_rs.validator_for"),
    "hash": Ban("use hashlib.blake2b: hash() differs from process to process"),
    "os.system": Ban("use asyncio.create_subprocess_exec with a session of its own"),
    "asyncio.get_event_loop": Ban("use asyncio.get_running_loop"),
    "breakpoint": Ban("remove it"),
}


def modules() -> Iterator[Path]:
    """Every Python file that is packaged."""
    for root in SOURCE_ROOTS:
        yield from sorted((ROOT / root).rglob("*.py"))


MODULES = list(modules())
IDS = [str(path.relative_to(ROOT)) for path in MODULES]
everywhere = pytest.mark.parametrize("path", MODULES, ids=IDS)


def test_there_is_something_to_judge() -> None:
    assert len(MODULES) > 50


@everywhere
def test_a_module_is_short(path: Path) -> None:
    lines = len(path.read_text().splitlines())
    assert lines <= MODULE_LINES_MAX, f"{lines} lines: split it by responsibility"


@everywhere
def test_a_file_opens_with_its_law(path: Path) -> None:
    law = ast.get_docstring(ast.parse(path.read_text())) or ""
    assert len(law) >= LAW_CHARS_MIN, "say what lives here and what must not"


@everywhere
def test_a_function_is_short(path: Path) -> None:
    too_long = [
        f"{node.name} has {node.end_lineno - node.lineno + 1} lines"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno >= FUNCTION_LINES_MAX
    ]
    assert not too_long


@everywhere
def test_a_module_is_named_by_what_it_holds(path: Path) -> None:
    assert path.stem not in NO_NAMES


def dotted(node: ast.expr) -> str:
    """`a.b.c` of an attribute chain, or an empty string."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return ""


@everywhere
def test_banned_calls_have_replacements(path: Path) -> None:
    name = str(path.relative_to(ROOT))
    found = [
        f"line {node.lineno}: {called} — {BANS[called].instead}"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and (called := dotted(node.func)) in BANS
        and name not in BANS[called].allowed
    ]
    assert not found


def test_a_ban_is_seen() -> None:
    call = ast.parse("import time\ntime.sleep(1)").body[1]
    assert isinstance(call, ast.Expr)
    assert isinstance(call.value, ast.Call)
    assert dotted(call.value.func) in BANS


def test_tests_do_not_sleep() -> None:
    this = Path(__file__)
    slept = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if path != this
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and dotted(node.func) == "time.sleep"
    ]
    assert not slept
