"""Our scores and BFCL's verdicts on the same answers, and why they differ where they do.

A reason is never guessed. It rewrites the answer so that what it speaks of is gone, and nothing
else; where both then call the answer right, that was the reason (`reasons`). What no rewriting
explains is shown as unexplained.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from faultloop.loop.message import Call
from faultloop.scenarios.wordings.answer import Answer
from faultloop.scenarios.wordings.assignment import best
from faultloop.scenarios.wordings.bfcl.checker import Asked, Called, Verdict
from faultloop.scenarios.wordings.bfcl.importing import Imported
from faultloop.scenarios.wordings.bfcl.mutating import (
    OWN,
    Calls,
    alike,
    full_calls,
    own_calls,
    tried,
)
from faultloop.scenarios.wordings.bfcl.reasons import FAILS_ITSELF, REASONS, Reason, Rewriting
from faultloop.scenarios.wordings.bfcl.source import Row
from faultloop.scenarios.wordings.score import Score
from faultloop.scenarios.wordings.scoring import score
from faultloop.scenarios.wordings.task import Task

Check = Callable[[Sequence[Asked]], Sequence[Verdict]]
"""BFCL's checker."""


class Tried(NamedTuple):
    """One answer, judged twice."""

    kind: str
    """What was changed."""
    asked: Asked
    ours: Score
    theirs: Verdict

    @property
    def agrees(self) -> bool:
        """Whether both say the same."""
        return self.ours.right is self.theirs.valid


class Disagreement(NamedTuple):
    """Where they differ."""

    tried: Tried
    reason: Reason | None
    """None: nobody knows."""


class FailsItself(NamedTuple):
    """A row whose own answer its own checker calls wrong."""

    row: Row
    verdict: Verdict


class Compared(NamedTuple):
    """All of one or more categories."""

    tried: list[Tried]
    disagreements: list[Disagreement]
    fails_itself: list[FailsItself]

    @property
    def by_reason(self) -> list[tuple[Reason | None, list[Disagreement]]]:
        """The disagreements of each reason, the commonest first; unexplained ones first of all."""
        found: defaultdict[str, list[Disagreement]] = defaultdict(list)
        for one in self.disagreements:
            found[one.reason.name if one.reason else ""].append(one)
        ordered = sorted(found.items(), key=lambda item: (item[0] != "", -len(item[1])))
        return [(cases[0].reason, cases) for _, cases in ordered]


class Judge:
    """Our verdict on answers to the rows of a category."""

    def __init__(self, imported: Imported) -> None:
        self.imported = imported
        self.tasks = {task.id: task for task in imported.tasks}

    def __call__(self, asked: Asked) -> Score:
        """Score an answer."""
        return score(self.tasks[asked.row.id], self.imported.wording, self.answer(asked))

    def answer(self, asked: Asked) -> Answer:
        """The answer as a model gives it."""
        called = {
            function["name"]: self.imported.tools.of(function).contract.name
            for function in asked.row.functions
        }
        return Answer(
            calls=tuple(
                Call(
                    id=f"call_{at}",
                    name=called.get(call.name, call.name),
                    arguments=json.dumps(call.args, ensure_ascii=False),
                )
                for at, call in enumerate(asked.calls)
            )
        )

    def in_place(self, asked: Asked) -> Calls:
        """The calls in the order in which they are expected, as we assign them to each other."""
        task = self.tasks[asked.row.id]
        fits = [[self._fits(task, at, asked, call) for call in asked.calls] for at in
                range(len(task.calls))]  # fmt: skip
        order = [at for at in best(fits) if at is not None]
        rest = [at for at in range(len(asked.calls)) if at not in order]
        return tuple(asked.calls[at] for at in (*order, *rest))

    def _fits(self, task: Task, at: int, asked: Asked, call: Called) -> bool:
        alone = task.model_copy(update={"calls": (task.calls[at],)})
        answer = self.answer(Asked(asked.row, (call,)))
        return score(alone, self.imported.wording, answer).right


def compare(categories: Iterable[Imported], check: Check, seed: int) -> Compared:
    """Try both on each row's own answer and on changed ones."""
    found = Compared([], [], [])
    for imported in categories:
        judge = Judge(imported)
        rows = list(imported.rows.values())
        broken = _failing(rows, check)
        found.fails_itself.extend(broken.values())
        trials = [
            (kind, asked)
            for row in rows
            if row.id in judge.tasks
            for kind, asked in tried(row, seed)
        ]
        verdicts = check([asked for _, asked in trials])
        judged = [
            Tried(kind, asked, judge(asked), verdict)
            for (kind, asked), verdict in zip(trials, verdicts, strict=True)
        ]
        found.tried.extend(judged)
        differing = [one for one in judged if not one.agrees]
        for one, reason in _explained(differing, judge, check):
            if reason is None and one.asked.row.id in broken:
                reason = FAILS_ITSELF
            found.disagreements.append(Disagreement(one, reason))
    return found


def _failing(rows: Sequence[Row], check: Check) -> dict[str, FailsItself]:
    """Rows whose own answer fails, with what may be left out or without it."""
    own = [Asked(row, calls(row)) for row in rows for calls in (own_calls, full_calls)]
    failing = [
        FailsItself(asked.row, verdict)
        for asked, verdict in zip(own, check(own), strict=True)
        if not verdict.valid
    ]
    found: dict[str, FailsItself] = {}
    for one in failing:
        found.setdefault(one.row.id, one)
    return found


def _explained(differing: Sequence[Tried], judge: Judge, check: Check) -> Iterator[Disagreement]:
    """Each with the first reason whose rewriting makes both right, or both wrong."""
    attempts = [
        (at, reason, Asked(one.asked.row, calls))
        for at, one in enumerate(differing)
        for reason, calls in _rewritten(one, judge)
    ]
    verdicts = check([asked for _, _, asked in attempts])
    reasons: dict[int, Reason] = {}
    for (at, reason, asked), verdict in zip(attempts, verdicts, strict=True):
        if at not in reasons and verdict.valid and judge(asked).right:
            reasons[at] = reason
    for at, one in enumerate(differing):
        yield Disagreement(one, reasons.get(at))


def _rewritten(one: Tried, judge: Judge) -> Iterator[tuple[Reason, Calls]]:
    row = one.asked.row
    rewriting = Rewriting(row, one.asked.calls, lambda: judge.in_place(one.asked))
    for reason in REASONS:
        if reason.ours_right is one.ours.right:
            calls = reason.rewrite(rewriting)
            if calls is not None and not alike(calls, one.asked.calls):
                yield reason, calls


def kinds_of(compared: Compared) -> Iterator[str]:
    """The kinds of changes, in their order."""
    yield from dict.fromkeys(chain([OWN], (one.kind for one in compared.tried)))
