"""`faultloop wordings errors`: which wording of a failed call is better corrected (SPEC O4)?

The same comparison as `faultloop compare`, from the asking to the page, but that its arms are
styles of error over one wording of the tools. What is read here is what it is made of: tasks with a
mistake in them, as the reference loop has it, and the question after it
(`scenarios.wordings.recovering`). A task is right when the first call after the error is right.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from faultloop.bench.comparing.command import (
    BAD,
    BadComparison,
    Read,
    Wanted,
    checked,
    wording_of,
)
from faultloop.scenarios.wordings.models.choosing import model_of
from faultloop.scenarios.wordings.reading.tasks import load_tasks
from faultloop.scenarios.wordings.recovering.arms import Arm, BadArm, Errors, arm, errors
from faultloop.scenarios.wordings.scoring import score

STYLES = ("vague", "where-what-how")
"""What is compared if nothing else is asked for: the base first."""
SAMPLE_CHARS_MAX = 400
"""Of what an error says, in the report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoilt:
    """What is asked for beside what every comparison is asked for."""

    wording: str
    """Of the tools: a file, `REV:PATH`, or a shipped name."""
    each: bool = False
    """Every mistake that can be made of a task, not one of them."""


def read(wanted: Wanted, asked: Spoilt) -> Read:
    """Read, make the mistakes, and have the loop tell them. `wanted` names styles in the place of
    wordings. Raises BadComparison."""
    try:
        arms = [arm(text) for text in (wanted.base, *wanted.candidates)]
        wording = wording_of(asked.wording)
        tasks = load_tasks(wanted.tasks)
        tasks.fit(wording)
        model = model_of(wanted.model, wanted.settings)
    except (BadArm, *BAD) as error:
        raise BadComparison(str(error)) from error
    if len(arms) < 2 or len(set(arms)) < len(arms):
        raise BadComparison(
            "name two styles of errors or more, each once: the base, and candidates, as in"
            " `--style vague --style problem`"
        )
    if not model.gives_arguments:
        raise BadComparison(
            f"{wanted.model} gives no arguments, so that it could correct none: choose an endpoint,"
            " or embedded:llm"
        )
    seed = wanted.design.seed
    made = asyncio.run(errors(tasks.tasks, wording, arms, seed=seed, each=asked.each))
    if not made.tasks:
        raise BadComparison(
            f"{wanted.tasks}: no task expects one call that could be spoilt; add tasks with `calls`"
        )
    found = Read(
        wordings=made.wordings,
        tasks=made.tasks,
        model=model,
        about_model=model.about,
        asks=made.asks,
        scorer=lambda task, wording, answer: score(
            task, wording, answer, strict=made.strict[wording.name] or wanted.design.strict
        ),
        design=_design(wanted, asked, made),
        remarks=tuple(_told(made, arms)),
    )
    return checked(wanted, found)


def _design(wanted: Wanted, asked: Spoilt, made: Errors) -> str:
    orders, samples = wanted.design.orders, wanted.design.samples
    gives = "task gives" if made.left_out == 1 else "tasks give"
    left_out = f"; {made.left_out} other {gives} no call to spoil" if made.left_out else ""
    return (
        f"Errors are compared, the tools are worded as in {asked.wording}: {len(made.tasks)} right"
        f" calls were spoilt{left_out}, the reference loop refused each in each style, and the"
        f" model's first answer to that was scored. {samples} x {orders} askings each; seed"
        f" {wanted.design.seed}."
    )


def _told(made: Errors, arms: Sequence[Arm]) -> list[str]:
    """What is said in each arm, by an example."""
    return [f"In {one.name} an error says, for example: {_sample(made, one)}" for one in arms]


def _sample(made: Errors, one: Arm) -> str:
    line = " ".join(made.sample_of(one.name).split())
    return line if len(line) <= SAMPLE_CHARS_MAX else line[: SAMPLE_CHARS_MAX - 3] + "..."
