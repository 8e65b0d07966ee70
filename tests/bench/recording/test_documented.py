"""docs/record.md says what is there."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import typer
import yaml

from faultloop.bench.cli import app
from faultloop.bench.recording.secrets import PATTERNS
from faultloop.bench.serving.reading import read_text
from faultloop.fakes.recorded import Chunk, Recorded
from faultloop.scenarios.reading import loads

RECORD = (Path(__file__).parents[3] / "docs" / "record.md").read_text()


def first_column(text: str) -> list[str]:
    return re.findall(r"^\| (`[^|]+`) \|", text, re.MULTILINE)


def test_the_file_that_is_shown_can_be_played_and_served() -> None:
    (shown,) = re.findall(r"^```yaml\n(.*?)^```", RECORD, re.MULTILINE | re.DOTALL)
    scenario = loads(shown, Path("talk.yaml"))
    assert scenario.script[0].recorded is not None
    assert read_text(shown).steps[0].failures[0].status == 429
    written = yaml.safe_load(shown)["script"][0]
    assert set(written["recorded"]) <= {field.name for field in fields(Recorded)}
    assert set(written["recorded"]["body"][0]) <= {field.name for field in fields(Chunk)}


def test_all_options_are_listed() -> None:
    command = typer.main.get_command(app).commands["record"]  # type: ignore[attr-defined]
    options = {name for param in command.params for name in param.opts if name.startswith("--")}
    listed = {word for row in first_column(RECORD) for word in re.findall(r"--[a-z-]+", row)}
    assert listed == (options - {"--redact"}) | {"--no-redact"}


def test_all_that_is_redacted_is_listed() -> None:
    kinds = {kind for row in first_column(RECORD) for kind in re.findall(r"`([a-z-]+)`", row)}
    assert kinds >= {*PATTERNS, "variable", "header", "cookie", "query"}
