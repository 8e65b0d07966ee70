"""The reference loop as a process, on each of its stores in files: killed at every landmark.

`reference-process` is played by the bench with SQLite; here it is played with JSONL too.
"""

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


@pytest.fixture(params=["sqlite", "jsonl"])
def declared(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A declaration of the same driver with another store."""
    text = (FOLDER / "subject.toml").read_text()
    text = text.replace('"reference-process"', f'"reference-on-{request.param}"')
    text = text.replace("{here}", str(FOLDER)).replace("driver.py", str(FOLDER / "driver.py"))
    file = tmp_path / "subject.toml"
    file.write_text(f'{text}REFERENCE_JOURNAL = "{request.param}"\n')
    return file


def test_a_process_killed_anywhere_keeps_every_promise(
    declared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenarios = ("killed-*", "replay-*")
    selection = Selection(subjects=(str(declared),), scenarios=scenarios, streaming=True, repeat=1)
    records = [
        record for lot in choose(selection) for record in play_lot(lot, keep=lambda played: None)
    ]
    verdicts = Counter(record.verdict for record in records)
    assert {r.scenario: r.reason for r in records if r.verdict is Verdict.BROKEN} == {}
    assert verdicts[Verdict.UNKNOWN] == 0
    assert verdicts[Verdict.HELD] >= 9
    with capsys.disabled():
        print(f"\n{records[0].subject}: {verdicts[Verdict.HELD]} plays killed, all held")
