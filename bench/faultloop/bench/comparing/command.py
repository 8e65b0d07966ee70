"""`faultloop compare` at work: read, plan, ask, conclude, write, and say it in a sentence.

    0 better, or no worse within the margin   1 worse   2 bad input   3 cannot tell   130 Ctrl-C

A comparison that was stopped by a limit concludes from what it has, and can tell nothing: the same
command goes on where it was. What costs nothing is done first, so that a misspelt task is told
before a model is asked.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from pathlib import Path
from types import MappingProxyType

from faultloop.bench.comparing import lock as locks
from faultloop.bench.comparing.keeping import Measured, keep, refuse_unchanged
from faultloop.bench.comparing.revisions import BadRevision, is_revision, settled, taken_out
from faultloop.reports.accuracy.concluding import (
    CannotConclude,
    conclude,
    refuse,
    refuse_halves,
)
from faultloop.reports.accuracy.conclusion import Conclusions, Metric, Verdict
from faultloop.reports.accuracy.planning import prospect_says
from faultloop.reports.accuracy.results import Results
from faultloop.reports.accuracy.writing import check_folder, write_report
from faultloop.reports.writing import ReportUnwritable
from faultloop.scenarios.files import BadFile
from faultloop.scenarios.wordings.experiment import Experiment, Scorer, experiment
from faultloop.scenarios.wordings.models.asking import CONCURRENCY, Manner, Progress
from faultloop.scenarios.wordings.models.budget import Limits
from faultloop.scenarios.wordings.models.cache import Cache
from faultloop.scenarios.wordings.models.choosing import model_of
from faultloop.scenarios.wordings.models.endpoint import AS_IT_IS, Settings
from faultloop.scenarios.wordings.models.port import Model, ModelUnusable
from faultloop.scenarios.wordings.planning import Asks, Design, clusters_of, plainly
from faultloop.scenarios.wordings.reading.tasks import BadTask, Tasks, load_tasks
from faultloop.scenarios.wordings.reading.wordings import load_wording
from faultloop.scenarios.wordings.scoring import score
from faultloop.scenarios.wordings.task import Task
from faultloop.scenarios.wordings.wording import NoSuchTool, Wording

EXITS: Mapping[Verdict, int] = MappingProxyType(
    {Verdict.BETTER: 0, Verdict.NO_WORSE: 0, Verdict.WORSE: 1, Verdict.CANNOT_TELL: 3}
)
TASKS = "coding_agent"
"""The set of tasks that is shipped."""


BAD = (
    *(BadFile, BadRevision, ModelUnusable, NoSuchTool, ReportUnwritable),
    *(CannotConclude, locks.BadLock),
)
"""What is wrong with what was asked, in a sentence for the user."""


NOT_NAMED = "; these are the shipped tasks: name those of your own tools with --tasks"


class BadComparison(Exception):
    """The comparison cannot be made: one sentence for whoever asked for it."""


class NothingAnswered(BadComparison):
    """It was stopped before anything could be compared; nothing is wrong with what was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be compared, and how."""

    base: str
    """A file, `REV:PATH`, or the name of a wording that is shipped."""
    candidates: tuple[str, ...]
    tasks: str = TASKS
    """A file, a folder, or the name of a set that is shipped."""
    model: str
    settings: Settings = AS_IT_IS
    design: Design = field(default_factory=Design)
    limits: Limits = field(default_factory=Limits)
    concurrency: int = CONCURRENCY
    metric: Metric = "right"
    margin: float = 0.0
    """By so much worse is still no worse, from 0 to 1; 0: none is declared."""
    cache: Path
    fresh: bool = False
    report_dir: Path
    lock: Path | None = None
    command: str = ""
    """As it was typed, for the report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What was read before anything is asked."""

    wordings: tuple[Wording, ...]
    """Base first; each under a name of its own."""
    tasks: tuple[Task, ...]
    model: Model
    about_model: str
    asks: Asks = plainly
    """What a task's question is."""
    scorer: Scorer | None = None
    """What is right, where that is not as usual."""
    plays: Callable[[Design, Manner], Experiment] | None = None
    """Whole runs, in the place of single questions."""
    design: str = ""
    """How it is asked, where that is not as usual."""
    remarks: tuple[str, ...] = ()
    """What the reader of the report should know of what was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What came of it."""

    conclusions: Conclusions
    experiment: Experiment
    page: Path

    @property
    def exit_code(self) -> int:
        """As the law of this file has it."""
        return EXITS[self.conclusions.verdict]


def read(wanted: Wanted) -> Read:
    """Read wordings and tasks and choose the model. Raises BadComparison."""
    try:
        wordings = tuple(map(wording_of, (wanted.base, *wanted.candidates)))
        tasks = _tasks(wanted.tasks, wordings)
        model = model_of(wanted.model, wanted.settings)
        wordings = _told_apart(wordings, (wanted.base, *wanted.candidates))
    except BAD as error:
        raise BadComparison(str(error)) from error
    return checked(
        wanted,
        Read(wordings=wordings, tasks=tasks.tasks, model=model, about_model=model.about),
    )


def checked(wanted: Wanted, found: Read) -> Read:
    """The same, where something can be concluded of it and written. Raises BadComparison."""
    base, *candidates = (wording.name for wording in found.wordings)
    clusters = len(set(clusters_of(found.tasks).values()))
    try:
        refuse(base, candidates, metrics(wanted.metric, found.model), wanted.margin)
        refuse_halves(candidates, clusters)
        check_folder(wanted.report_dir)
        if wanted.lock:
            locks.read(wanted.lock)
            refuse_unchanged((wanted.base, *wanted.candidates), found.wordings)
    except BAD as error:
        raise BadComparison(str(error)) from error
    return found


def foreseen(wanted: Wanted, found: Read) -> str:
    """What these tasks can show, as far as that can be said before anything is asked."""
    clusters = clusters_of(found.tasks)
    samples = 1 if found.model.deterministic else wanted.design.samples
    return prospect_says([clusters[task.id] for task in found.tasks], samples=samples)


def compare(
    wanted: Wanted,
    found: Read,
    *,
    today: date,
    tell: Callable[[Progress], None],
    says: Callable[[str], None],
) -> Compared:
    """Ask, conclude and write. `tell` hears how far it is, `says` what the user should know.

    Raises BadComparison; what was answered until then is kept.
    """
    manner = Manner(
        limits=wanted.limits,
        concurrency=wanted.concurrency,
        cache=Cache(
            wanted.cache, says=says, fresh=wanted.fresh, patience_s=wanted.settings.timeout_s
        ),
        tell=tell,
    )
    try:
        made = _made(wanted, found, manner)
        if not made.observations:
            if not made.stopped:
                raise BadComparison("the set of tasks is empty: there is nothing to ask")
            raise NothingAnswered(
                f"no task was answered under all wordings: {made.stopped}{_goes_on(found)}"
            )
        conclusions = _concluded(wanted, found, made)
        page = write_report(
            wanted.report_dir,
            Results(
                conclusions=conclusions,
                observations=made.observations,
                tasks={task.id: task for task in found.tasks},
                wordings=found.wordings,
                model=wanted.model,
                about_model=found.about_model,
                tasks_name=wanted.tasks,
                design=found.design or _design(wanted.design, found),
                remarks=(*found.remarks, *made.remarks),
                command=wanted.command,
            ),
        )
        if wanted.lock and not made.stopped:
            for remark in _keep(wanted.lock, wanted, found, conclusions, today):
                says(remark)
    except BAD as error:
        raise BadComparison(str(error)) from error
    return Compared(conclusions=conclusions, experiment=made, page=page)


def _made(wanted: Wanted, found: Read, manner: Manner) -> Experiment:
    """Ask. Raises NoSuchTool and ModelUnusable."""
    if found.plays is not None:
        return found.plays(wanted.design, manner)
    asking = experiment(
        found.tasks,
        found.wordings,
        found.model,
        scorer=found.scorer or partial(score, strict=wanted.design.strict),
        design=wanted.design,
        manner=manner,
        asks=found.asks,
    )
    return asyncio.run(asking)


def _concluded(wanted: Wanted, found: Read, made: Experiment) -> Conclusions:
    """What the rows say. Raises CannotConclude, and NothingAnswered where too few came."""
    base, *candidates = (wording.name for wording in found.wordings)
    try:
        return conclude(
            made.observations,
            base=base,
            candidates=candidates,
            metrics=metrics(wanted.metric, found.model),
            margin=wanted.margin,
            seed=wanted.design.seed,
            slices=slices(found.tasks),
            is_whole=not made.stopped,
        )
    except CannotConclude as error:
        if not made.stopped:
            raise
        raise NothingAnswered(
            f"too little was answered for a conclusion: {made.stopped}{_goes_on(found)}"
        ) from error


def _goes_on(found: Read) -> str:
    return "; the same command goes on" if found.model.worth_keeping else ""


def metrics(first: Metric, model: Model) -> tuple[Metric, ...]:
    """What is looked at, the headline's first; no arguments where the model gives none."""
    known: tuple[Metric, ...] = ("right", "selection", "arguments")
    if first == "done":
        return (first,)
    if not model.gives_arguments:
        return ("selection",)
    return (first, *(metric for metric in known if metric != first))


def slices(tasks: Iterable[Task]) -> dict[str, dict[str, tuple[str, ...]]]:
    """The parts that are looked at by themselves: by tag, and by language where there are two."""
    tags: defaultdict[str, list[str]] = defaultdict(list)
    languages: defaultdict[str, list[str]] = defaultdict(list)
    for task in tasks:
        languages[task.language].append(task.id)
        for tag in task.tags:
            tags[tag].append(task.id)
    found = {"tag": {name: tuple(ids) for name, ids in sorted(tags.items())}}
    if len(languages) > 1:
        found["language"] = {name: tuple(ids) for name, ids in sorted(languages.items())}
    return found


def wording_of(text: str) -> Wording:
    """The wording that was asked for. Raises BadFile and BadRevision."""
    if not is_revision(text):
        return load_wording(text)
    with taken_out(text, below=Path.cwd()) as file:
        return load_wording(file)


def _told_apart(wordings: tuple[Wording, ...], asked: tuple[str, ...]) -> tuple[Wording, ...]:
    """Two files may bear one name, above all one file in two commits: then each is called as it
    was asked for, and a wording beside itself has a number."""
    names = [wording.name for wording in wordings]
    if len(set(names)) == len(names):
        return wordings
    names = list(asked)
    for place, name in enumerate(names):
        if name in names[:place]:
            names[place] = f"{name} ({names[:place].count(name) + 1})"
    return tuple(
        Wording(name=name, contracts=wording.contracts, parameters=wording.parameters)
        for name, wording in zip(names, wordings, strict=True)
    )


def _tasks(name: str, wordings: Sequence[Wording]) -> Tasks:
    tasks = load_tasks(name)
    try:
        for wording in wordings:
            tasks.fit(wording)
    except BadTask as error:
        hint = NOT_NAMED if name == TASKS else ""
        raise BadComparison(f"{error}{hint}") from error
    return tasks


def _design(design: Design, found: Read) -> str:
    orders = design.orders if found.model.sees_order else 1
    samples = 1 if found.model.deterministic else design.samples
    offered = f", of {design.tools_max} tools at most" if design.tools_max else ""
    return (
        f"{len(found.tasks)} tasks{offered}, each asked {_times(samples)} in {orders}"
        f" {'order' if orders == 1 else 'orders'} of its tools under each wording; seed"
        f" {design.seed}."
    )


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _keep(
    path: Path, wanted: Wanted, found: Read, conclusions: Conclusions, today: date
) -> Iterable[str]:
    """Record the run in the lock; what is not recorded is told. Raises BadLock."""
    for rate in conclusions.rates:
        # Arguments are known of some askings only, and failures are of all.
        if rate.metric == conclusions.metrics[0] and rate.failures == rate.samples:
            return (f"nothing was answered under {rate.wording}, so no run is recorded",)
    base, *candidates = (
        Measured(
            text,
            wording,
            locks.run_of(
                conclusions,
                wording.name,
                day=today,
                model=wanted.model,
                tasks=locks.stored(path, wanted.tasks),
                asked=found.tasks,
                base=locks.stored(path, settled(wanted.base)) if place else "",
                margin=wanted.margin,
            ),
        )
        for place, (text, wording) in enumerate(
            zip((wanted.base, *wanted.candidates), found.wordings, strict=True)
        )
    )
    return keep(path, base, candidates)
