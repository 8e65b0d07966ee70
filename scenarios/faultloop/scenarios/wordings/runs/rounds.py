"""Whole runs of all tasks in all wordings: played, asked what they need, played on.

In each round every run goes as far as its answers are known, and what they need is asked together,
with the limits, retries and cache of every other comparison. The rows are the same as there:
`selected` says that the run was done, and nothing is said of arguments (`filled` is None).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from faultloop.scenarios.wordings.answer import Answer, Usage
from faultloop.scenarios.wordings.experiment import Experiment, for_people
from faultloop.scenarios.wordings.models.asking import Manner, Progress, ask
from faultloop.scenarios.wordings.models.budget import Took, cost_usd
from faultloop.scenarios.wordings.models.cache import key_of
from faultloop.scenarios.wordings.models.failures import is_sign_of_life
from faultloop.scenarios.wordings.models.port import Digests, Model, Question
from faultloop.scenarios.wordings.observation import Observation
from faultloop.scenarios.wordings.planning import Design, clusters_of, rotations
from faultloop.scenarios.wordings.runs.playing import Played, play
from faultloop.scenarios.wordings.runs.reading import offered
from faultloop.scenarios.wordings.runs.task import RunTask
from faultloop.scenarios.wordings.score import Flaw, Mistake
from faultloop.scenarios.wordings.wording import Wording

DONE = "done"
NOT_DONE = "not done"
BATCH = 2
"""Groups that are played side by side, for each request that may be under way: whoever is stopped
has then played some to the end, and not all of them in part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run that is to be played."""

    task: RunTask
    wording: Wording
    tools: tuple[str, ...]
    order: int
    sample: int


Group = tuple[Run, ...]
"""One run in every wording, all else being equal."""


def play_all(
    tasks: Sequence[RunTask],
    wordings: Sequence[Wording],
    model: Model,
    *,
    design: Design,
    manner: Manner,
) -> Experiment:
    """Play every task under each wording. Raises NoSuchTool and ModelUnusable.

    Runs an event loop of its own, for the asking; the plays have simulated ones.
    """
    groups = [*_groups(tasks, wordings, model, design)]
    order = list(range(len(groups)))
    Random(f"{design.seed}/asking").shuffle(order)
    asking = _Asking(model, manner)
    over: dict[int, tuple[Played, ...]] = {}
    at_once = BATCH * manner.concurrency
    for first in range(0, len(order), at_once):
        batch = {number: groups[number] for number in order[first : first + at_once]}
        over |= _to_the_end(batch, asking, design)
        if asking.stopped:
            break
    clusters = clusters_of([task.as_task() for task in tasks])
    return Experiment(
        observations=tuple(
            _row(run, played, clusters, manner)
            for number, group in enumerate(groups)
            for run, played in zip(group, over.get(number, ()), strict=False)
        ),
        progress=asking.progress(),
        stopped=asking.stopped,
        remarks=tuple(_remarks(asking, model, design)),
    )


def _to_the_end(
    batch: Mapping[int, Group], asking: _Asking, design: Design
) -> dict[int, tuple[Played, ...]]:
    """Play these groups round by round; those that are over in every wording."""
    over: dict[int, tuple[Played, ...]] = {}
    while True:
        needs: list[Question] = []
        for number, group in batch.items():
            if number not in over:
                played = tuple(_play(run, asking, design) for run in group)
                needed = [one.needs for one in played if one.needs is not None]
                needs += needed
                if not needed:
                    over[number] = played
        if not needs or asking.stopped:
            return over
        asking.ask(needs)


def _play(run: Run, asking: _Asking, design: Design) -> Played:
    return play(
        run.task,
        run.wording,
        run.tools,
        asking.known,
        strict=design.strict,
        sample=run.sample,
        seed=design.seed,
    )


def _groups(
    tasks: Sequence[RunTask], wordings: Sequence[Wording], model: Model, design: Design
) -> Iterator[Group]:
    """By task, order and sample."""
    orders = design.orders if model.sees_order else 1
    samples = 1 if model.deterministic else design.samples
    for task in tasks:
        lots = Random(f"{design.seed}/{task.id}")
        for order, tools in enumerate(rotations(offered(task), orders, lots)):
            for sample in range(samples):
                yield tuple(
                    Run(task=task, wording=wording, tools=tools, order=order, sample=sample)
                    for wording in wordings
                )


class _Asking:
    """What is known of a model's answers, and the asking for more within the limits."""

    def __init__(self, model: Model, manner: Manner) -> None:
        self._model = model
        self._manner = manner
        self._digests = Digests()
        self._answers: dict[str, Answer] = {}
        self._took: list[Took] = []
        self._cached = 0
        self.stopped = ""

    def known(self, question: Question) -> Answer | None:
        """The answer; None: it was not asked yet."""
        return self._answers.get(self._key(question))

    def ask(self, needs: Sequence[Question]) -> None:
        """Ask these as well; `stopped` says what keeps from asking more."""
        fresh = {self._key(question): question for question in needs}
        found = asyncio.run(ask(self._model, fresh, self._within()))
        self._answers.update(found.answers)
        self._took.append(found.progress.took)
        self._cached += found.progress.cached
        self.stopped = found.stopped

    @property
    def answers(self) -> Mapping[str, Answer]:
        """By the question's key."""
        return self._answers

    def progress(self) -> Progress:
        """How far it came; how many questions there would have been nobody knows."""
        answers = self._answers.values()
        return Progress(
            done=len(answers),
            total=len(answers),
            cached=self._cached,
            failed=sum(answer.failed for answer in answers),
            took=self.took(),
            seconds_left=None,
        )

    def took(self) -> Took:
        """All of it, so far."""
        usages = [one.usage for one in self._took]
        costs = [one.cost_usd for one in self._took if one.cost_usd is not None]
        return Took(
            requests=sum(one.requests for one in self._took),
            usage=total(usages),
            cost_usd=sum(costs) if costs else None,
        )

    def _within(self) -> Manner:
        """The manner, with what earlier rounds took and brought."""
        return replace(
            self._manner,
            limits=replace(self._manner.limits, spent=self.took()),
            has_answered=any(map(is_sign_of_life, self._answers.values())),
        )

    def _key(self, question: Question) -> str:
        number = 0 if self._model.deterministic else question.sample
        return key_of(self._model.identity, self._digests.of(question), number)


def _row(run: Run, played: Played, clusters: Mapping[str, str], manner: Manner) -> Observation:
    failure = played.failure
    done = failure is None and not played.wrong
    usage = total(answer.usage for answer in played.answers)
    calls = tuple(call for answer in played.answers for call in answer.calls)
    last = played.answers[-1] if played.answers else Answer()
    flaws = [Flaw(mistake=Mistake.NOT_DONE, says=says) for says in played.wrong]
    if failure is not None:
        flaws.append(Flaw(mistake=Mistake.NO_ANSWER, says=last.failure_says))
    return Observation(
        wording=run.wording.name,
        task=run.task.id,
        cluster=clusters[run.task.id],
        order=run.order,
        sample=run.sample,
        selected=done,
        filled=None,
        failure=failure,
        expected=DONE,
        chosen=DONE if done else f"{NOT_DONE}: {played.end_reason}",
        flaws=tuple(flaws),
        usage=usage,
        cost_usd=cost_usd(usage, manner.limits.price),
        answered=for_people(Answer(calls=calls, text=last.text)),
    )


def total(usages: Iterable[Usage]) -> Usage:
    """The tokens of all."""
    found = tuple(usages)
    return Usage(
        input_tokens=sum(one.input_tokens for one in found),
        output_tokens=sum(one.output_tokens for one in found),
        cached_tokens=sum(one.cached_tokens for one in found),
        estimated=any(one.estimated for one in found),
    )


def _remarks(asking: _Asking, model: Model, design: Design) -> Iterator[str]:
    if asking.stopped:
        kept = " The same command goes on from there." if model.worth_keeping else ""
        yield f"Stopped after {len(asking.answers)} questions: {asking.stopped}.{kept}"
    if any(answer.usage.estimated for answer in asking.answers.values()):
        yield f"{model.name} does not count tokens: those that are told are guessed from lengths."
    if design.samples > 1 and model.deterministic:
        yield f"{model.name} answers a question the same each time: each run was played once."
