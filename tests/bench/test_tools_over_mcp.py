"""The reference loop with its tools from MCP: the same world and faults, the same promises."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import faultloop.bench.subjects
from faultloop.bench.running import play_lot
from faultloop.bench.selection import choose
from faultloop.bench.wanted import Selection
from faultloop.reports.rows import PlayRecord
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


AFTER_A_HANDSHAKE = Path(__file__).parent / "over_mcp" / "driver.py"
CANCELS = (
    "cancel-while-a-tool-runs",
    "cancel-what-cannot-be-stopped",
    "cancel-with-calls-waiting",
    "cancel-in-the-second-of-two-calls",
)
ONLY_CLOSES = "the loop closed the connection, which over MCP cancels nothing"


def declare(folder: Path, way: str, driver: Path = FOLDER / "driver.py", **told: str) -> Path:
    """A declaration of the same loop that takes its tools from elsewhere."""
    text = (FOLDER / "subject.toml").read_text()
    text = text.replace('"reference-process"', f'"reference-{way.replace("_", "-")}"')
    text = text.replace("{here}", str(FOLDER)).replace("driver.py", str(driver))
    text = text.replace('commands = "own"', f'commands = "world"\ntools = "{way}"')
    file = folder / "subject.toml"
    lines = (f'{name} = "{value}"\n' for name, value in {"REFERENCE_TOOLS": way, **told}.items())
    file.write_text(text + "".join(lines))
    return file


def played(declared: Path, *scenarios: str) -> list[PlayRecord]:
    selection = Selection(subjects=(str(declared),), scenarios=scenarios, streaming=True)
    return [
        record for lot in choose(selection) for record in play_lot(lot, keep=lambda played: None)
    ]


@pytest.mark.parametrize("way", ["mcp_http", "mcp_stdio"])
def test_tools_over_mcp_keep_every_promise(way: str, tmp_path: Path) -> None:
    records = played(declare(tmp_path, way), *SCENARIOS)
    verdicts = Counter(record.verdict for record in records)
    assert {r.scenario: r.reason for r in records if r.verdict is not Verdict.HELD} == {}
    assert verdicts[Verdict.HELD] == len(SCENARIOS)


def test_after_a_handshake_a_cancel_reaches_the_tool(tmp_path: Path) -> None:
    declared = declare(tmp_path, "mcp_http", AFTER_A_HANDSHAKE, MANNERS="good")
    records = played(declared, *CANCELS)
    assert {r.scenario: r.reason for r in records if r.verdict is not Verdict.HELD} == {}
    assert len(records) == len(CANCELS)


def test_a_loop_that_only_closes_the_connection_is_seen_to_go_on(tmp_path: Path) -> None:
    declared = declare(tmp_path, "mcp_http", AFTER_A_HANDSHAKE, MANNERS="forgetful")
    (record,) = played(declared, "cancel-while-a-tool-runs")
    assert record.verdict is Verdict.BROKEN
    assert ONLY_CLOSES in str(record)
