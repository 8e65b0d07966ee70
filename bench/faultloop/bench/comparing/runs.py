"""`faultloop wordings runs`: under which wording are more tasks done in the end?

The same comparison as `faultloop compare`, from the model to the page, but that each task is played
through the reference loop in the fake world, with faults of tools where it has some, and right is
what is left of the world (`scenarios.wordings.runs`). A wording that selects well and recovers
badly is seen here.
"""

from __future__ import annotations

from faultloop.bench.comparing.command import (
    BAD,
    BadComparison,
    Read,
    Wanted,
    checked,
    wording_of,
)
from faultloop.scenarios.wordings.models.choosing import model_of
from faultloop.scenarios.wordings.models.port import Model
from faultloop.scenarios.wordings.runs.reading import load_runs
from faultloop.scenarios.wordings.runs.rounds import play_all


def read(wanted: Wanted) -> Read:
    """Read wordings and runs, and choose the model. Raises BadComparison."""
    try:
        wordings = tuple(map(wording_of, (wanted.base, *wanted.candidates)))
        runs = load_runs(wanted.tasks)
        for wording in wordings:
            runs.fit(wording)
        model = model_of(wanted.model, wanted.settings)
    except BAD as error:
        raise BadComparison(str(error)) from error
    if not model.gives_arguments:
        raise BadComparison(
            f"{wanted.model} gives no arguments, so that nothing could be done: choose an endpoint,"
            " or embedded:llm"
        )
    found = Read(
        wordings=wordings,
        tasks=tuple(task.as_task() for task in runs.tasks),
        model=model,
        about_model=model.about,
        plays=lambda design, manner: play_all(
            runs.tasks, wordings, model, design=design, manner=manner
        ),
        design=_design(wanted, len(runs.tasks), model),
    )
    return checked(wanted, found)


def _design(wanted: Wanted, runs: int, model: Model) -> str:
    orders = wanted.design.orders if model.sees_order else 1
    samples = 1 if model.deterministic else wanted.design.samples
    return (
        f"{runs} tasks, each played as a whole run through the reference loop in the fake world,"
        f" {samples} x {orders} times (samples, orders) under each wording; done is what the world"
        f" says at the end; seed {wanted.design.seed}."
    )
