"""One mistake at a time in a scenario file that is otherwise good."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from faultloop.scenarios import reading
from faultloop.scenarios.reading import BadScenario

GOOD = """\
schema: 1
name: read-and-add
claim: A thing is added once.
claims: [L11]
checks: [end_acceptable]
world:
  files: {notes.md: "- milk"}
input: Add tea.
script:
  - say: Let me see.
    calls:
      - tool: append_file
        args: {path: notes.md, line: tea}
  - say: Added.
accept:
  - end_reason: [completed]
    effects: 1
max_requests: 8
"""


class Mistake(NamedTuple):
    """A change to GOOD and what is said about it."""

    old: str
    new: str
    line: int
    said: str
    """The text of the error after `PATH:LINE: `."""


FAULTS = "input: Add tea.\nfaults:\n  - "
EVENTS = "input: Add tea.\nevents:\n  - "


def said(mistake: Mistake) -> str:
    """What is said of a good file with that one mistake."""
    assert mistake.old in GOOD
    text = GOOD.replace(mistake.old, mistake.new, 1)
    with pytest.raises(BadScenario) as caught:
        reading.loads(text, Path("mine.yaml"))
    assert caught.value.line == mistake.line
    return str(caught.value)
