"""What the reader of an experiment's result should know and would not see in its rows.

What is noticed is said, a sentence each. One thing changes figures, too: samples that are all alike
are no samples (`samples_are_alike`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from faultloop.scenarios.wordings.answer import Answer
from faultloop.scenarios.wordings.models.asking import Asked
from faultloop.scenarios.wordings.models.port import Model, Question
from faultloop.scenarios.wordings.planning import Design, Plan

ALIKE_MIN = 5
"""So many questions must have been asked several times, and answered alike each time, before a
model's samples are taken for repeats."""
CHARS_PER_TOKEN_MAX = 8
"""No tokenizer takes as many characters of a contract at a time, in no language: about 4 is usual
for English."""


def remarks(
    planned: Plan, asked: Asked, model: Model, design: Design, *, alike: bool
) -> Iterator[str]:
    """A sentence for each thing that was noticed; `alike`: what `samples_are_alike` found."""
    if asked.stopped:
        done, total = asked.progress.done, asked.progress.total
        kept = " The same command goes on from there." if model.worth_keeping else ""
        yield f"Stopped after {done} of {total} questions: {asked.stopped}.{kept}"
    if any(answer.usage.estimated for answer in asked.answers.values()):
        yield f"{model.name} does not count tokens: those that are told are guessed from lengths."
    if design.orders > 1 and not model.sees_order:
        yield f"{model.name} does not see in which order tools are offered: it was asked in one."
    if design.samples > 1 and model.deterministic:
        yield f"{model.name} answers a question the same each time: it was asked once."
    if alike:
        yield (
            f"{model.name} answered every sample of a question with the same words: further samples"
            " are repeats and do not count."
        )
    if tools_are_hidden(planned.questions, asked.answers):
        yield (
            f"{model.name} counted fewer tokens than the tools alone have: its server may not show"
            " them to the model (look at its chat template)."
        )
    same = {group[0].task.id for group in planned.cells if len({one.key for one in group}) == 1}
    if same and len(planned.cells[0]) > 1:
        yield (
            f"In {len(same)} of {len(planned.clusters)} tasks the wordings say the same of all that"
            " is offered: these are asked once, and cannot differ."
        )


def samples_are_alike(planned: Plan, answers: Mapping[str, Answer]) -> bool:
    """Whether every question that was asked several times had one answer each time, word for word.

    Then the model does not draw, whatever it was thought to do. Ids of calls are no words of it.
    """
    said: dict[tuple[str, str, str], tuple[str, object]] = {}
    several: set[tuple[str, str, str]] = set()
    for cell in (cell for group in planned.cells for cell in group):
        answer = answers.get(cell.key)
        if answer is None or answer.failed:
            continue
        place = (cell.task.id, cell.wording.name, cell.digest)
        words = (answer.text, [(call.name, call.arguments) for call in answer.calls])
        first_key, first = said.setdefault(place, (cell.key, words))
        if first_key == cell.key:
            continue
        if first != words:
            return False
        several.add(place)
    return len(several) >= ALIKE_MIN


def tools_are_hidden(questions: Mapping[str, Question], answers: Mapping[str, Answer]) -> bool:
    """Whether no answer took as many tokens as its tools alone must have.

    Some servers take tools and leave them out of the prompt, where the model's chat template knows
    of none. Such a model chooses among tools that it was never shown.
    """
    sizes: dict[int, int] = {}
    """Of contracts, by identity; the questions hold them."""
    counted = 0
    for key, answer in answers.items():
        usage, contracts = answer.usage, questions[key].contracts
        if usage.estimated or not usage.input_tokens:
            continue
        counted += 1
        for one in contracts:
            if id(one) not in sizes:
                sizes[id(one)] = len(msgspec.json.encode(one.face()).decode())
        chars = sum(sizes[id(one)] for one in contracts)
        if chars <= CHARS_PER_TOKEN_MAX * usage.input_tokens:
            return False
    return counted > 0
