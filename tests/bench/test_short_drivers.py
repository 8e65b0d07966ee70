"""A driver is under thirty lines of code, so that what was driven is seen at a glance.

Counted is what runs: no blank lines, comments, docstrings and imports. The helper that is shared
(`faultloop_driver.*`) is apart. Whoever is longer is named here, with the reason.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import faultloop.bench.subjects

FOLDER = Path(faultloop.bench.subjects.__file__).parent
LINES_MAX = 29
LONGER = {
    "agno/driver.py": "its store has had another name before version 2",
    "naive_gemini/driver.py": "its SDK wants each tool as a declaration of its own",
    "naive_node/driver.mjs": "a loop of its own without an SDK: it reads the stream by itself",
    "reference_process/driver.py": "it shows all that a process can do",
    "vercel_ai/driver.cjs": "four major versions, and messages that the SDK leaves to its user",
}
"""Each driver that is longer, and why."""
COMMENTS = ("#", "//")
DRIVERS = sorted(str(file.relative_to(FOLDER)) for file in FOLDER.glob("*/driver*"))


def lines(text: str, suffix: str) -> int:
    """How many lines of it run."""
    rows = dict(enumerate(text.splitlines(), 1))
    aside = {n for n, row in rows.items() if not row.strip() or row.strip().startswith(COMMENTS)}
    if suffix != ".py":
        brings = {n for n, row in rows.items() if row.startswith("import ") or "= require(" in row}
        return len(rows.keys() - aside - brings)
    for node in ast.walk(ast.parse(text)):
        is_docstring = (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        )
        if is_docstring or isinstance(node, ast.Import | ast.ImportFrom):
            assert isinstance(node, ast.stmt)
            aside.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(rows.keys() - aside)


@pytest.mark.parametrize("driver", DRIVERS)
def test_a_driver_is_under_thirty_lines_unless_there_is_a_reason(driver: str) -> None:
    file = FOLDER / driver
    is_longer = lines(file.read_text(), file.suffix) > LINES_MAX
    assert is_longer == (driver in LONGER), LONGER.get(driver, "shorten it, or say why not")


@pytest.mark.parametrize("driver", DRIVERS)
def test_no_line_of_a_driver_is_hidden_beyond_the_edge(driver: str) -> None:
    rows = (row.split("  # noqa")[0] for row in (FOLDER / driver).read_text().splitlines())
    assert [row for row in rows if len(row) > 100] == []


def test_what_does_not_run_is_not_counted() -> None:
    text = '"""Law."""\n\nimport os\n\n# why\nX = 1\n"""What it is."""\n\ndef f():\n    """Do."""\n'
    assert lines(f"{text}    return (\n        os\n    )\n", ".py") == 5
    script = 'import a from "a";\nconst b = require("b");\n// why\nconst c = 1;\n'
    assert lines(script, ".mjs") == 1
