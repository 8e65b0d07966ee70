"""What the page's script needs to draw flips: each task, and each tool's diff, once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from markupsafe import Markup

from faultloop.reports.accuracy.conclusion import Flip
from faultloop.reports.accuracy.diffs import Change, changes
from faultloop.reports.accuracy.escaping import shortened, visible
from faultloop.reports.accuracy.flips import (
    TEXT_MAX,
    Answers,
    Story,
    answers,
    expected_text,
    stories,
)
from faultloop.reports.accuracy.results import Results
from faultloop.reports.page import for_script
from faultloop.scenarios.wordings.task import Task

BYTES_MAX = 3 * 2**20
"""Of the flips that the page holds, of all candidates together; half of it for losses."""
TURNS_MAX = 6
"""Messages of a conversation that are shown, the last ones."""


def page_data(results: Results) -> Markup:
    """The data, as JSON that can stand inside a script element."""
    made = results.conclusions
    known = answers(results.observations)
    told = [
        story
        for candidate in made.candidates
        for gained in (False, True)
        for story in _within(
            results,
            known,
            _of(made.flips, candidate, gained=gained),
            BYTES_MAX // (2 * len(made.candidates)),
        )
    ]
    return Markup(
        for_script(
            {
                "base": visible(made.base),
                "candidates": [visible(one) for one in made.candidates],
                "first": visible(made.headline.candidate),
                "metric": made.metrics[0] if "arguments" in made.metrics else "selection",
                "counts": {
                    visible(candidate): {
                        "lost": len(_of(made.flips, candidate, gained=False)),
                        "gained": len(_of(made.flips, candidate, gained=True)),
                    }
                    for candidate in made.candidates
                },
                "flips": [_story(one) for one in told],
                "tasks": {
                    visible(one.task): _task(results.tasks[one.task])
                    for one in told
                    if one.task in results.tasks
                },
                "diffs": _diffs(results, told),
            }
        )
    )


def _of(flips: Iterable[Flip], candidate: str, *, gained: bool) -> list[Flip]:
    return [one for one in flips if one.candidate == candidate and one.gained is gained]


def _within(
    results: Results, known: Answers, flips: Iterable[Flip], bytes_max: int
) -> Iterator[Story]:
    """The first of these flips, as many as there is room for."""
    for one in stories(results, known, flips):
        task = results.tasks.get(one.task)
        bytes_max -= len(for_script([_story(one), _task(task) if task else None]).encode())
        if bytes_max < 0:
            return
        yield one


def _story(one: Story) -> dict[str, Any]:
    return {
        "candidate": visible(one.candidate),
        "task": visible(one.task),
        "gained": one.is_gain,
        "expected": visible(one.expected),
        "base": one.base,
        "other": one.candidate_side,
        "tools": one.tools,
    }


def _task(task: Task) -> dict[str, Any]:
    return {
        "prompt": shortened(visible(task.prompt), TEXT_MAX),
        "before": [
            {"role": said.role, "text": shortened(visible(said.text), TEXT_MAX)}
            for said in task.before[-TURNS_MAX:]
        ],
        "tags": task.tags,
        "language": task.language,
        "expected": expected_text(task),
        "checked": task.checked,
    }


def _diffs(results: Results, told: Iterable[Story]) -> dict[str, dict[str, Any]]:
    """By candidate and tool, the parts that differ; tools that do not differ have none."""
    by_name = {one.name: one for one in results.wordings}
    base = by_name[results.conclusions.base]
    found: dict[str, dict[str, Any]] = {}
    for one in told:
        tools = found.setdefault(visible(one.candidate), {})
        for tool in one.tools:
            if tool not in tools:
                tools[tool] = list(_change(changes(base, by_name[one.candidate], tool)))
    return found


def _change(found: Iterable[Change]) -> Iterator[list[Any]]:
    """A part and its pieces: `=`, `-` or `+` and the text."""
    signs = {"same": "=", "gone": "-", "new": "+"}
    for one in found:
        yield [visible(one.part), [[signs[piece.kind], piece.text] for piece in one.pieces]]
