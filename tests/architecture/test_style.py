"""The style of the code is a test: lengths, opening laws, names, banned calls.

Each ban names its replacement and each exception its reason, so that a failure here is advice.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

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


MODULES = {str(path.relative_to(ROOT)): path.read_text() for path in modules()}
TREES = {name: ast.parse(text, name) for name, text in MODULES.items()}


def nodes(*kinds: type[ast.AST]) -> Iterator[tuple[str, Any]]:
    """Every node of these kinds, with the module that it is in."""
    for name, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, kinds):
                yield name, node


def test_there_is_something_to_judge() -> None:
    assert len(MODULES) > 50


def test_a_module_is_short() -> None:
    lines = {name: len(text.splitlines()) for name, text in MODULES.items()}
    too_long = {name: count for name, count in lines.items() if count > MODULE_LINES_MAX}
    assert not too_long, "split it by responsibility"


def test_a_file_opens_with_its_law() -> None:
    laws = {name: ast.get_docstring(tree) or "" for name, tree in TREES.items()}
    lawless = [name for name, law in laws.items() if len(law) < LAW_CHARS_MIN]
    assert not lawless, "say what lives here and what must not"


def test_a_function_is_short() -> None:
    too_long = [
        f"{name}: {node.name} has {node.end_lineno - node.lineno + 1} lines"
        for name, node in nodes(ast.FunctionDef, ast.AsyncFunctionDef)
        if node.end_lineno - node.lineno >= FUNCTION_LINES_MAX
    ]
    assert not too_long


def test_a_module_is_named_by_what_it_holds() -> None:
    assert not [name for name in MODULES if Path(name).stem in NO_NAMES]


def dotted(node: ast.expr) -> str:
    """`a.b.c` of an attribute chain, or an empty string."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return ""


def test_banned_calls_have_replacements() -> None:
    found = [
        f"{name}, line {node.lineno}: {called} — {BANS[called].instead}"
        for name, node in nodes(ast.Call)
        if (called := dotted(node.func)) in BANS and name not in BANS[called].allowed
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
