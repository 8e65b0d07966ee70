"""A model that thinks aloud is played to the naive loops: each sends back what it got, and is
taken at its word."""

from __future__ import annotations

from pathlib import Path

import pytest

from faultloop.bench.running import play_lot
from faultloop.bench.selection import choose
from faultloop.bench.wanted import Selection
from faultloop.fakes.history import Replied
from faultloop.reports.rows import Played
from faultloop.scenarios.verdict import Verdict

SCENARIO = """\
schema: 1
name: thoughtful
claim: Thoughts between the steps change nothing.
claims: [L1, C3]
checks: [end_acceptable, requests_bounded, results_closed, effects_once]
world:
  files:
    a.txt: ""
input: Add two lines to a.txt.
script:
  - think: I begin with the first line, as anybody would.
    calls:
      - {tool: append_file, args: {path: a.txt, line: one}}
  - think: The second one is left.
    say: One more.
    calls:
      - {tool: append_file, args: {path: a.txt, line: two}}
  - think: Nothing is left.
    say: Both lines are there.
accept:
  - end_reason: [completed]
    effects: 2
max_requests: 4
"""


@pytest.mark.parametrize(
    "name", ["naive-openai", "naive-anthropic", "naive-gemini", "naive-responses"]
)
def test_a_naive_loop_takes_thoughts_and_gives_them_back(name: str, tmp_path: Path) -> None:
    (tmp_path / "thoughtful.yaml").write_text(SCENARIO)
    selection = Selection(subjects=(name,), scenarios=(str(tmp_path / "thoughtful.yaml"),))
    plays: list[Played] = []
    records = [one for lot in choose(selection) for one in play_lot(lot, keep=plays.append)]

    assert {r.dialect: r.reason for r in records if r.verdict is not Verdict.HELD} == {}
    assert sorted(record.streaming for record in records) == [False, True]
    for play in plays:
        replied = [entry for entry in play.history if isinstance(entry, Replied)]
        assert [bool(entry.thought) for entry in replied] == [True] * 3
