"""The reference loop with its tools from MCP: the same world and faults, the same promises."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import faultloop.bench.subjects
from faultloop.bench.running import play_lot
from faultloop.bench.selection import choose
from faultloop.bench.wanted import Selection
from faultloop.scenarios.verdict import Verdict

FOLDER = Path(faultloop.bench.subjects.__file__).parent / "reference_process"
SCENARIOS = (
    "one-call",
    "append-reply-lost",
    "append-504-appended",
    "charge-answered-twice",
    "pull-request-delivered-twice-*",
    "read-behind-a-write",
    "output-in-pieces",
    "output-is-no-text",
    "output-with-half-a-pair",
    "parameters-change-*",
    "cancel-while-a-tool-runs",
)


@pytest.fixture(params=["mcp_http", "mcp_stdio"])
def declared(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A declaration of the same driver that takes its tools from elsewhere."""
    text = (FOLDER / "subject.toml").read_text()
    text = text.replace('"reference-process"', f'"reference-{request.param.replace("_", "-")}"')
    text = text.replace("{here}", str(FOLDER)).replace("driver.py", str(FOLDER / "driver.py"))
    text = text.replace('commands = "own"', f'commands = "world"\ntools = "{request.param}"')
    file = tmp_path / "subject.toml"
    file.write_text(f'{text}REFERENCE_TOOLS = "{request.param}"\n')
    return file


def test_tools_over_mcp_keep_every_promise(declared: Path) -> None:
    selection = Selection(subjects=(str(declared),), scenarios=SCENARIOS, streaming=True)
    records = [
        record for lot in choose(selection) for record in play_lot(lot, keep=lambda played: None)
    ]
    verdicts = Counter(record.verdict for record in records)
    assert {r.scenario: r.reason for r in records if r.verdict is not Verdict.HELD} == {}
    assert verdicts[Verdict.HELD] == len(SCENARIOS)
