"""The plays that everything is measured with: four steps of three parallel calls, then an answer.

WORKLOAD has no fault, so that what is measured is the bench and not a wait. TROUBLED is the same in
bad weather: about a quarter of what the loop asks fails and is tried again after a pause, which
takes no time of a simulated clock but all the work that a failure makes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from faultloop.scenarios.scenario import Scenario

NOTES = [[f"notes-{step}-{call}.txt" for call in range(3)] for step in range(4)]

_FIELDS: dict[str, Any] = {
    "schema": 1,
    "name": "four-steps-of-three",
    "claim": "Twelve files are read, three at a time.",
    "claims": ["S1"],
    "checks": ["results_closed"],
    "world": {"files": {name: "some notes" for step in NOTES for name in step}},
    "input": "Read all the notes.",
    "script": [
        *({"calls": [{"tool": "read_file", "args": {"path": name}} for name in s]} for s in NOTES),
        {"say": "I have read them all."},
    ],
    "accept": [{"end_reason": ["completed"]}],
    "max_requests": len(NOTES) + 1,
}

WORKLOAD = Scenario.model_validate(_FIELDS)

# One of five requests and three of twelve calls, each in a step of its own: what is tried again is
# counted as an invocation too.
TROUBLED = Scenario.model_validate(
    _FIELDS
    | {
        "name": "four-steps-of-three-in-trouble",
        "faults": [
            {"kind": "rate_limited", "at": "step 3", "retry_after_s": 1},
            *(
                {"kind": "gateway_timeout_before_effect", "at": f"tool read_file {invocation}"}
                for invocation in (2, 7, 11)
            ),
        ],
        "max_requests": len(NOTES) + 2,
    }
)


def per_cpu_second(times: int, work: Callable[[], object]) -> float:
    """How often `work` is done in a second of this process's own time."""
    began_s = time.process_time()
    for _ in range(times):
        work()
    return times / (time.process_time() - began_s)
