"""Our scores beside BFCL's own checker on the same rows: answers in a CPU second.

The answers are each row's own one, as in `faultloop import bfcl --check`; both sides decode their
arguments from the text that a model writes. Its checker runs in a process of its own, which tells
the CPU time of decoding and checking alone. Only where `bfcl-eval` is installed.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from faultloop.bench.perf.measurement import Bound, Figure, Figures, Measurement, Sides
from faultloop.scenarios.wordings.answer import Answer
from faultloop.scenarios.wordings.bfcl.checker import Asked, check
from faultloop.scenarios.wordings.bfcl.comparing import Judge
from faultloop.scenarios.wordings.bfcl.importing import imported
from faultloop.scenarios.wordings.bfcl.mutating import own_calls
from faultloop.scenarios.wordings.bfcl.source import CATEGORIES, BadSource, find
from faultloop.scenarios.wordings.scoring import score
from faultloop.scenarios.wordings.task import Task
from faultloop.scenarios.wordings.wording import Wording

ROUNDS = 5
"""Times that all answers are judged in one round."""

NOT_INSTALLED = "bfcl-eval is not installed"
NOWHERE = float("nan")

Answered = tuple[Task, Wording, Answer]


@contextmanager
def _both() -> Iterator[Sides]:
    try:
        source = find(None)
    except BadSource:
        yield Sides(measured=lambda: (NOWHERE,), baseline=lambda: (NOWHERE,))
        return
    assert source.package is not None, "it is installed with its checker"
    package = source.package
    ours: list[Answered] = []
    theirs: list[Asked] = []
    for category, expects in CATEGORIES.items():
        if expects == "calls":
            one = imported(source, category)
            judge = Judge(one)
            asked = [Asked(one.rows[task.id], own_calls(one.rows[task.id])) for task in one.tasks]
            theirs += asked
            ours += [
                (task, one.wording, judge.answer(answer))
                for task, answer in zip(one.tasks, asked, strict=True)
            ]
    yield Sides(measured=lambda: _ours(ours), baseline=lambda: _theirs(package, theirs))


def _ours(answered: Sequence[Answered]) -> Figures:
    began_s = time.process_time()
    for _ in range(ROUNDS):
        for task, wording, answer in answered:
            score(task, wording, answer)
    return (ROUNDS * len(answered) / (time.process_time() - began_s),)


def _theirs(package: Path, asked: Sequence[Asked]) -> Figures:
    return (len(asked) / check(package, asked, rounds=ROUNDS).cpu_s,)


SCORING = (
    Measurement(
        name="scoring",
        says="answers to BFCL's rows scored, from the texts of their arguments",
        against="its own checker on the same answers",
        figures=(
            Figure(
                name="scored",
                unit="answers/CPU s",
                ratio_bound=Bound("at least", 1.5),
                without=NOT_INSTALLED,
            ),
        ),
        open=_both,
        rounds=5,
    ),
)
