"""The play that everything is measured with: four steps of three parallel calls, then an answer.

It has no fault, so that what is measured is the bench and not a wait.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from faultloop.scenarios.scenario import Scenario

NOTES = [[f"notes-{step}-{call}.txt" for call in range(3)] for step in range(4)]

WORKLOAD = Scenario.model_validate(
    {
        "schema": 1,
        "name": "four-steps-of-three",
        "claim": "Twelve files are read, three at a time.",
        "claims": ["S1"],
        "checks": ["results_closed"],
        "world": {"files": {name: "some notes" for step in NOTES for name in step}},
        "input": "Read all the notes.",
        "script": [
            *(
                {"calls": [{"tool": "read_file", "args": {"path": name}} for name in step]}
                for step in NOTES
            ),
            {"say": "I have read them all."},
        ],
        "accept": [{"end_reason": ["completed"]}],
        "max_requests": len(NOTES) + 1,
    }
)


def per_cpu_second(times: int, work: Callable[[], object]) -> float:
    """How often `work` is done in a second of this process's own time."""
    began_s = time.process_time()
    for _ in range(times):
        work()
    return times / (time.process_time() - began_s)
