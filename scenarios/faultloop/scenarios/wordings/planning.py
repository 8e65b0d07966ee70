"""Which questions a comparison asks: task x order x sample x wording, and the key of each.

The wordings differ in nothing but what they say. A task's tools are offered in seeded
permutations, the same ones in each wording; questions of all wordings take turns, so that drift of
a model hits all alike; and questions that are the same, word for word, are one question with one
answer, be it in two wordings or in two rotations.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from faultloop.loop.contract import Strict
from faultloop.scenarios.wordings.models.cache import key_of
from faultloop.scenarios.wordings.models.port import Digests, Model, Question
from faultloop.scenarios.wordings.task import Said, Task
from faultloop.scenarios.wordings.wording import Wording


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """How often and in which orders each task is asked. Raises ValueError for less than once."""

    orders: int = 1
    """Rotations of a task's tools."""
    samples: int = 1
    """Askings of the same question in each order."""
    tools_max: int | None = None
    """How many tools are offered at most, for models that cannot read more; None: all."""
    seed: int = 0
    strict: Strict | None = None
    """Constrained decoding; None leaves it to each tool."""

    def __post_init__(self) -> None:
        """What is not asked cannot be compared."""
        if self.orders < 1 or self.samples < 1:
            raise ValueError("--orders and --samples must be 1 or more")
        if self.tools_max is not None and self.tools_max < 1:
            raise ValueError("--tools must be 1 or more")
        if self.seed < 0:
            raise ValueError("--seed must be 0 or more")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One row to be, and the question that it is the answer to."""

    task: Task
    wording: Wording
    order: int
    sample: int
    question: Question
    digest: str
    """Of the question; the same for all samples of it."""
    key: str
    """Of the answer."""
    asked_before: bool
    """An earlier cell of this task and wording has the same question, as another sample."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is asked, and what of."""

    cells: tuple[tuple[Cell, ...], ...]
    """By task, order and sample, as they were given; each group has one cell a wording."""
    questions: Mapping[str, Question]
    """By key, in the order in which they are to be asked."""
    clusters: Mapping[str, str]
    """Task to its cluster."""
    deterministic: bool
    """Whether the model is: what was asked before was not asked again."""


Asks = Callable[[Task, Wording, Sequence[str], Strict | None], Question]
"""From a task, a wording, its tools in the order in which they are offered, and what is wanted of
constrained decoding, to the question. Raises NoSuchTool."""


def plainly(
    task: Task, wording: Wording, offered: Sequence[str], strict: Strict | None
) -> Question:
    """The task as it stands. Raises NoSuchTool."""
    return Question(
        messages=(*task.before, Said(role="user", text=task.prompt)),
        contracts=wording.offered(offered),
        system=task.system,
        strict=strict,
    )


def plan(
    tasks: Sequence[Task],
    wordings: Sequence[Wording],
    model: Model,
    design: Design,
    *,
    asks: Asks = plainly,
) -> Plan:
    """What a model is asked, to compare these wordings. Raises NoSuchTool.

    A model that sees no order is asked in one only. A deterministic one is asked each question
    once, any other as often as there are rows for it.
    """
    planner = _Planner(wordings, model, design, asks)
    by_task = [list(planner.cells(task)) for task in tasks]
    # In no order of the tasks: a run that is stopped has then asked a fair part of them.
    shuffled = list(range(len(tasks)))
    Random(f"{design.seed}/asking").shuffle(shuffled)
    questions: dict[str, Question] = {}
    for place, number in enumerate(shuffled):
        for row, group in enumerate(by_task[number]):
            turn = (place + row) % len(group)
            for cell in (*group[turn:], *group[:turn]):
                questions.setdefault(cell.key, cell.question)
    return Plan(
        cells=tuple(group for groups in by_task for group in groups),
        questions=questions,
        clusters=clusters_of(tasks),
        deterministic=model.deterministic,
    )


class _Planner:
    """Makes the cells of one task after the other."""

    def __init__(
        self, wordings: Sequence[Wording], model: Model, design: Design, asks: Asks
    ) -> None:
        self._wordings = wordings
        self._model = model
        self._identity = model.identity
        self._design = design
        self._asks = asks
        self._digests = Digests()

    def cells(self, task: Task) -> Iterator[tuple[Cell, ...]]:
        """A task's cells, by order and sample."""
        asked: list[Counter[str]] = [Counter() for _ in self._wordings]
        for order, offered in enumerate(self._orders(task)):
            questions = [
                self._asks(task, wording, offered, self._design.strict)
                for wording in self._wordings
            ]
            digests = [self._digests.of(question) for question in questions]
            for sample in range(self._design.samples):
                group: list[Cell] = []
                for place, wording in enumerate(self._wordings):
                    digest = digests[place]
                    times = asked[place][digest]
                    asked[place][digest] += 1
                    number = 0 if self._model.deterministic else times
                    group.append(
                        Cell(
                            task=task,
                            wording=wording,
                            order=order,
                            sample=sample,
                            question=replace(questions[place], sample=number),
                            digest=digest,
                            key=key_of(self._identity, digest, number),
                            asked_before=times > 0,
                        )
                    )
                yield tuple(group)

    def _orders(self, task: Task) -> list[tuple[str, ...]]:
        tools = self._offered(task)
        if not self._model.sees_order:
            return [tools]
        return rotations(tools, self._design.orders, Random(f"{self._design.seed}/{task.id}"))

    def _offered(self, task: Task) -> tuple[str, ...]:
        """A task's tools; where fewer may be offered, all that serve and a draw of the others."""
        tools = task.tools or tuple(self._wordings[0].contracts)
        most = self._design.tools_max
        if most is None or len(tools) <= most:
            return tools
        needed = serving(task)
        others = [tool for tool in tools if tool not in needed]
        random = Random(f"{self._design.seed}/{task.id}/offered")
        drawn = random.sample(others, max(0, min(most - len(needed), len(others))))
        return tuple(tool for tool in tools if tool in needed or tool in drawn)


def serving(task: Task) -> frozenset[str]:
    """The tools that a right answer may call."""
    return frozenset(choice.tool for call in task.calls for choice in call.any_of)


def rotations(tools: Sequence[str], count: int, lots: Random) -> list[tuple[str, ...]]:
    """So many orders of the tools: rotations of a permutation, as a Latin square has them.

    In as many orders as there are tools, each tool stands once in each place; in fewer, the places
    are spread evenly; in more, another permutation begins.
    """
    found: list[tuple[str, ...]] = []
    while len(found) < count:
        base = list(tools)
        lots.shuffle(base)
        width = max(1, min(count - len(found), len(base)))
        for number in range(width):
            shift = number * len(base) // width
            found.append((*base[shift:], *base[:shift]))
    return found


def clusters_of(tasks: Sequence[Task]) -> dict[str, str]:
    """Task to its cluster: the one that it names, else that of all tasks with its set of tools.

    Where all tasks have the same set, it is what they are asked with and no choice of some among
    many: each is a cluster of its own then. So is a task that shares its set with nobody. Tasks
    that ask the same, whatever they expect, are of one cluster in any case.
    """
    unnamed = [task for task in tasks if not task.cluster]
    sharing = Counter(frozenset(task.tools) for task in unnamed)
    clusters: dict[str, str] = {}
    for task in tasks:
        tools = frozenset(task.tools)
        if task.cluster:
            clusters[task.id] = task.cluster
        elif len(sharing) > 1 and sharing[tools] > 1 and tools:
            spelt = " ".join(sorted(tools))
            clusters[task.id] = f"tools {hashlib.sha256(spelt.encode()).hexdigest()[:12]}"
        else:
            clusters[task.id] = task.id
    return _joined(tasks, clusters)


def _joined(tasks: Sequence[Task], clusters: Mapping[str, str]) -> dict[str, str]:
    """The same, but that tasks which ask the same of the same tools are never of two clusters: they
    may share an answer, and the clusters that they are of become one."""
    into: dict[str, str] = {}

    def joined(cluster: str) -> str:
        while cluster in into:
            cluster = into[cluster]
        return cluster

    first: dict[tuple[object, ...], str] = {}
    for task in tasks:
        asks = (task.system, task.before, task.prompt, frozenset(task.tools))
        twin = first.setdefault(asks, task.id)
        mine, other = joined(clusters[task.id]), joined(clusters[twin])
        if mine != other:
            into[mine] = other
    return {task: joined(cluster) for task, cluster in clusters.items()}
