"""The play that everything is measured with: four steps of three parallel calls, then an answer."""

from __future__ import annotations

import time
from collections.abc import Callable

from faultloop.scenarios.scenario import Scenario

STEPS = 4
CALLS = 3


def workload() -> Scenario:
    """A scenario without a fault, so that what is measured is the bench and not a wait."""
    names = [[f"notes-{step}-{call}.txt" for call in range(CALLS)] for step in range(STEPS)]
    return Scenario.model_validate(
        {
            "schema": 1,
            "name": "four-steps-of-three",
            "claim": "Twelve files are read, three at a time.",
            "claims": ["S1"],
            "checks": ["results_closed"],
            "world": {"files": {name: "some notes" for step in names for name in step}},
            "input": "Read all the notes.",
            "script": [
                *({"calls": [_read(name) for name in step]} for step in names),
                {"say": "I have read them all."},
            ],
            "accept": [{"end_reason": ["completed"]}],
            "max_requests": STEPS + 1,
        }
    )


def _read(name: str) -> dict[str, object]:
    return {"tool": "read_file", "args": {"path": name}}


def per_cpu_second(times: int, work: Callable[[], object]) -> float:
    """How often `work` is done in a second of this process's own time."""
    began_s = time.process_time()
    for _ in range(times):
        work()
    return times / (time.process_time() - began_s)
