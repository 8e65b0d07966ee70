"""The experiment: a plan's questions asked, and the rows that come of the answers.

```
plan ──ask──> answers ──score──> observations ──> reports.accuracy
```

Rows come in the order of the plan, whoever answered first: the same inputs give the same bytes. A
run that was stopped gives the rows in which all wordings were answered, and no others; it says so,
and goes on where it was when it is run again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from faultloop.loop.budget import Price
from faultloop.scenarios.wordings import planning
from faultloop.scenarios.wordings.answer import Answer
from faultloop.scenarios.wordings.models.asking import Manner, Progress, ask
from faultloop.scenarios.wordings.models.budget import cost_usd
from faultloop.scenarios.wordings.models.port import Model
from faultloop.scenarios.wordings.observation import Observation
from faultloop.scenarios.wordings.planning import Design, Plan, plan
from faultloop.scenarios.wordings.remarks import remarks, samples_are_alike
from faultloop.scenarios.wordings.score import Score
from faultloop.scenarios.wordings.task import Task
from faultloop.scenarios.wordings.wording import Wording

ANSWERED_CHARS_MAX = 400
"""Of an answer, for people."""

Scorer = Callable[[Task, Wording, Answer], Score]


class Experiment(msgspec.Struct, frozen=True, kw_only=True):
    """All that came of it."""

    observations: tuple[Observation, ...]
    progress: Progress
    stopped: str = ""
    """Why it is not whole, in words; empty: it is."""
    remarks: tuple[str, ...] = ()
    """What the reader of its result should know, a sentence each."""


async def experiment(
    tasks: Sequence[Task],
    wordings: Sequence[Wording],
    model: Model,
    *,
    scorer: Scorer,
    design: Design,
    manner: Manner,
    asks: planning.Asks = planning.plainly,
) -> Experiment:
    """Ask a model the tasks under each wording. Raises NoSuchTool and ModelUnusable."""
    planned = plan(tasks, wordings, model, design, asks=asks)
    asked = await ask(model, planned.questions, manner)
    alike = not planned.deterministic and samples_are_alike(planned, asked.answers)
    return Experiment(
        observations=tuple(
            rows(
                planned,
                asked.answers,
                scorer,
                price=manner.limits.price,
                repeats=planned.deterministic or alike,
            )
        ),
        progress=asked.progress,
        stopped=asked.stopped,
        remarks=tuple(remarks(planned, asked, model, design, alike=alike)),
    )


def rows(
    planned: Plan,
    answers: Mapping[str, Answer],
    scorer: Scorer,
    *,
    price: Price | None = None,
    repeats: bool,
) -> Iterator[Observation]:
    """The rows of all groups of cells that are answered in every wording.

    `repeats`: what was asked before is a repeat, and no sample.
    """
    scored: dict[tuple[str, str, str], Score] = {}
    for group in planned.cells:
        if any(cell.key not in answers for cell in group):
            continue
        for cell in group:
            answer = answers[cell.key]
            place = (cell.task.id, cell.wording.name, cell.key)
            if place not in scored:
                scored[place] = scorer(cell.task, cell.wording, answer)
            score = scored[place]
            yield Observation(
                wording=cell.wording.name,
                task=cell.task.id,
                cluster=planned.clusters[cell.task.id],
                order=cell.order,
                sample=cell.sample,
                is_repeat=repeats and cell.asked_before,
                selected=score.selected,
                filled=score.filled,
                failure=answer.failure,
                expected=score.expected,
                chosen=score.chosen,
                flaws=score.flaws,
                usage=answer.usage,
                cost_usd=cost_usd(answer.usage, price),
                answered=for_people(answer),
            )


def for_people(answer: Answer) -> str:
    """An answer in a line: its calls with their arguments, else why it failed, else its text."""
    if answer.calls:
        said = " + ".join(f"{call.name}({call.arguments})" for call in answer.calls)
    else:
        said = answer.failure_says or answer.text
    line = " ".join(said.split())
    return line if len(line) <= ANSWERED_CHARS_MAX else line[: ANSWERED_CHARS_MAX - 3] + "..."
