"""A comparison whose process is killed goes on where it was, and comes to the same bytes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from tests.scenarios.wordings import experiment_process
from tests.scenarios.wordings.models.scripted import Body, Said, Scripted, says
from tests.scenarios.wordings.toy_tasks import TASKS

ROOT = Path(__file__).parents[3]
QUESTIONS = len(TASKS) * 2 * 2 * 2
"""Orders, samples, wordings."""


class Killing:
    """Answers alike what was asked alike so often, and kills who asks when told to."""

    def __init__(self) -> None:
        self.child: subprocess.Popen[str] | None = None
        self.kill_at: frozenset[int] = frozenset()
        self.answered: list[str] = []

    def __call__(self, number: int, body: Body) -> Said:
        question = json.dumps(body, sort_keys=True)
        if number in self.kill_at:
            assert self.child is not None
            self.child.send_signal(signal.SIGKILL)
            self.child.wait()
            return says(text="Nobody hears this.")
        self.answered.append(question)
        names = [tool["function"]["name"] for tool in body["tools"]]
        return says((Random(question).choice(names), "{}"))


def run(killing: Killing, server: Scripted, folder: Path, concurrency: int) -> int:
    child = subprocess.Popen(
        [
            sys.executable,
            experiment_process.__file__,
            server.url,
            folder / "cache",
            folder / "rows.json",
            str(concurrency),
        ],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        text=True,
        stdout=subprocess.PIPE,
    )
    killing.child = child
    told, _ = child.communicate()
    assert told == "", "no kept answer is damaged"
    return child.returncode


@pytest.mark.parametrize(("concurrency", "kills"), [(1, (9, 30)), (5, (20,))])
def test_who_is_killed_asks_nothing_twice_and_comes_to_the_same_bytes(
    concurrency: int, kills: tuple[int, ...], tmp_path: Path
) -> None:
    whole = Killing()
    with Scripted(whole).serving() as server:
        assert run(whole, server, tmp_path / "whole", concurrency) == 0
    killed = Killing()
    killed.kill_at = frozenset(kills)
    with Scripted(killed).serving() as server:
        for _ in kills:
            assert run(killed, server, tmp_path / "killed", concurrency) == -signal.SIGKILL
            assert not (tmp_path / "killed" / "rows.json").exists()
        assert run(killed, server, tmp_path / "killed", concurrency) == 0
        asked = len(server.asked)
        assert run(killed, server, tmp_path / "killed", concurrency) == 0
        assert len(server.asked) == asked, "another run costs nothing"
    rows = [(tmp_path / name / "rows.json").read_bytes() for name in ("whole", "killed")]
    assert rows[0] == rows[1]
    # Who asks several at once may be killed before the others' answers came to it.
    twice = sum((Counter(killed.answered) - Counter(whole.answered)).values())
    assert twice <= (concurrency - 1) * len(kills)
    assert asked == QUESTIONS + len(kills) + twice
