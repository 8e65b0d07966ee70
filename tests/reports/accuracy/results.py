"""Results for tests: two wordings of two tools, and as many tasks as are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from faultloop.loop.contract import Contract
from faultloop.reports.accuracy.concluding import conclude
from faultloop.reports.accuracy.results import Results
from faultloop.scenarios.wordings.observation import Observation
from faultloop.scenarios.wordings.task import Task
from faultloop.scenarios.wordings.wording import Wording


def wording(wording_name: str, purpose: str = "Read a text file.", **more: Any) -> Wording:
    """Tools `read` and `write`; of `read` the purpose, and more of its contract, can be chosen."""
    path = {"type": "object", "properties": {"path": {"type": "string", "description": "Which."}}}
    return Wording(
        name=wording_name,
        contracts={
            "read": Contract(**{"name": "read", "parameters": path, "purpose": purpose, **more}),
            "write": Contract(name="write", parameters=path, purpose="Write a file."),
        },
    )


def task(id_: str, prompt: str = "Show me a.py.", **more: Any) -> Task:
    """A task that wants a file read, with whatever id: no page relies on what files refuse."""
    calls = [{"any_of": [{"tool": "read", "args": {"path": "a.py"}}]}]
    made = Task.model_validate({"id": "t", "prompt": prompt, "calls": calls, **more})
    return made.model_copy(update={"id": id_})


def results(
    observations: Sequence[Observation],
    *,
    base: str = "a",
    candidates: Sequence[str] = ("b",),
    prompts: str = "Show me a.py.",
    **more: Any,
) -> Results:
    """What these observations come to; `prompts` is asked in each task."""
    given = {key: more.pop(key) for key in ("margin", "slices", "seed") if key in more}
    made = conclude(observations, base=base, candidates=candidates, **given)
    ids = dict.fromkeys(one.task for one in observations)
    return Results(
        **{
            "conclusions": made,
            "observations": tuple(observations),
            "tasks": {one: task(one, prompts, tags=("near miss",)) for one in ids},
            "wordings": (wording(base), *(wording(one, "Reads.") for one in candidates)),
            "model": "small",
            "about_model": "It is a lexical proxy and no LLM.",
            "tasks_name": "our tasks",
            "design": "each task once",
            "command": "faultloop compare a.yaml b.yaml --tasks our.yaml",
            **more,
        }
    )
