"""The shipped set as the readers see it: every task can be scored in every wording, by names that
are shipped, and its own answer is right there."""

from __future__ import annotations

import pytest

from faultloop.scenarios.wordings.reading import shipped
from faultloop.scenarios.wordings.reading.tasks import load_tasks
from faultloop.scenarios.wordings.reading.wordings import load_wording

from .coding_agent_files import TASKS, TOOLS, VARIANTS

NAMES = [f"coding_agent/{name}" for name in ("full", *VARIANTS)]


def test_all_wordings_are_shipped_by_name() -> None:
    assert set(NAMES) <= set(shipped.wordings())


@pytest.mark.parametrize("name", NAMES)
def test_every_task_can_be_scored_and_its_own_answer_is_right(name: str) -> None:
    wording = load_wording(name)
    assert list(wording.contracts) == list(TOOLS)
    read = load_tasks("coding_agent", wording)
    assert [task.id for task in read.tasks] == [task["id"] for task in TASKS]


def test_no_two_wordings_read_alike() -> None:
    assert len({load_wording(name).fingerprint for name in NAMES}) == len(NAMES)
