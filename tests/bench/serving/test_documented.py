"""docs/serve.md and the README say what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer

from faultloop.bench.cli import app
from faultloop.bench.serving.fixture import FakeProvider
from faultloop.bench.serving.reading import read_text
from faultloop.bench.serving.short_form import FIELDS
from faultloop.fakes.hosting.admin import SERVICES
from faultloop.fakes.hosting.conversations import CONVERSATIONS_MAX, REQUESTS_MAX

ROOT = Path(__file__).parents[3]
SERVE = (ROOT / "docs" / "serve.md").read_text()
README = (ROOT / "README.md").read_text()


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def first_column(text: str) -> list[str]:
    """What stands in code at the beginning of a table's rows."""
    return re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)


@pytest.mark.parametrize("script", blocks(SERVE, "yaml") + blocks(README, "yaml"))
def test_a_script_that_is_shown_can_be_served(script: str) -> None:
    assert read_text(script).faults


def test_all_that_the_api_has_is_listed() -> None:
    listed = {row for row in first_column(SERVE) if row.split()[0].isupper()}
    there = {f"{one.method} {one.path.replace('{name}', 'NAME')}" for one in SERVICES if one.does}
    assert listed == there - {"GET /_faultloop"}


def test_all_options_and_fields_are_listed() -> None:
    command = typer.main.get_command(app).commands["serve"]  # type: ignore[attr-defined]
    options = {name for param in command.params for name in param.opts if name.startswith("--")}
    assert {row.split()[0] for row in first_column(SERVE) if row.startswith("--")} == options
    assert set(FIELDS) <= set(first_column(SERVE))


def test_all_that_the_fixture_has_is_listed() -> None:
    public = {name for name in vars(FakeProvider) | vars(FakeProvider.__base__) if name[0] != "_"}
    assert public <= {row.partition("(")[0] for row in first_column(SERVE)}


def test_the_limits_that_are_told_are_the_limits() -> None:
    assert f"Of {CONVERSATIONS_MAX:,} the one" in SERVE
    assert f"asked {REQUESTS_MAX:,} times" in SERVE


@pytest.mark.parametrize("example", blocks(SERVE, "python"))
def test_an_example_is_python(example: str) -> None:
    import ast

    compile(example, "serve.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
