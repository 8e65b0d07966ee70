"""The arms of a comparison of errors, and the tasks of it: one spoilt call each.

A task of the set becomes as many as there are mistakes to be made of it, each its own task in the
cluster of the one that it comes from. An arm is a style of error under a setting of constrained
decoding, and stands in the place of a wording: it has the same contracts as the others, and what
differs is what the loop said (`playing`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from faultloop.loop.contract import Strict
from faultloop.loop.message import ResultMessage
from faultloop.loop.registry import Registry
from faultloop.scenarios.wordings.models.port import Question
from faultloop.scenarios.wordings.planning import clusters_of, plainly
from faultloop.scenarios.wordings.recovering.mistakes import MISTAKES, Right, Spelt
from faultloop.scenarios.wordings.recovering.playing import After, after_mistake, registry
from faultloop.scenarios.wordings.recovering.styles import STYLES, where_what_how
from faultloop.scenarios.wordings.task import Task
from faultloop.scenarios.wordings.validating import own_answers
from faultloop.scenarios.wordings.wording import Wording

STRICT: Mapping[str, Strict] = MappingProxyType({"strict": "preferred", "free": "off"})
"""What may stand behind a style: `vague+strict`."""


class BadArm(ValueError):
    """There is no such style; the text says which there are."""


class Arm(NamedTuple):
    """One way of telling a failed call."""

    name: str
    style: str
    strict: Strict | None = None
    """None: as the whole comparison has it."""


def arm(text: str) -> Arm:
    """`STYLE`, `STYLE+strict` or `STYLE+free`. Raises BadArm."""
    style, plus, suffix = text.partition("+")
    if style not in STYLES:
        near = get_close_matches(style, STYLES, n=1, cutoff=0)[0]
        known = ", ".join(STYLES)
        raise BadArm(
            f"there is no style of errors {style!r}: did you mean {near}? There are {known}"
        )
    if plus and suffix not in STRICT:
        raise BadArm(f"{text}: after the + stands {' or '.join(STRICT)}")
    return Arm(text, style, STRICT.get(suffix))


class Mistaken(NamedTuple):
    """A task in which a mistake was made."""

    task: Task
    spelt: Spelt


@dataclass(frozen=True, slots=True, kw_only=True)
class Errors:
    """All that is compared."""

    tasks: tuple[Task, ...]
    wordings: tuple[Wording, ...]
    """One an arm, in their order."""
    left_out: int
    """Tasks of the set without a mistake that could be made of them."""
    strict: Mapping[str, Strict | None] = field(default_factory=dict)
    after: Mapping[tuple[str, str], After] = field(default_factory=dict)
    """By task and arm."""

    def asks(
        self, task: Task, wording: Wording, offered: Sequence[str], strict: Strict | None
    ) -> Question:
        """The task with the mistake in it. Raises NoSuchTool."""
        wished = self.strict[wording.name] or strict
        plain = plainly(task, wording, offered, wished)
        return replace(plain, after=self.after[task.id, wording.name])

    def sample_of(self, wording: str) -> str:
        """What one failed call is told in an arm."""
        first = self.after[self.tasks[0].id, wording]
        return next((one.content for one in first if isinstance(one, ResultMessage)), "")


async def errors(
    tasks: Sequence[Task], wording: Wording, arms: Sequence[Arm], *, seed: int, each: bool
) -> Errors:
    """Play all mistakes through the loop. `each`: all that can be made of a task; else one of them,
    of the kind that was made least so far. Raises NoSuchTool."""
    registries: dict[tuple[str, ...], Registry] = {}
    clusters = clusters_of(tasks)
    made: list[Mistaken] = []
    after: dict[tuple[str, str], After] = {}
    left_out = 0
    counts = Counter(dict.fromkeys(MISTAKES, 0))
    for task in tasks:
        offered = task.tools or tuple(wording.contracts)
        if offered not in registries:
            registries[offered] = registry(wording.offered(offered))
        tools = registries[offered]
        found = False
        rarest = sorted(counts, key=counts.__getitem__)
        for one in _mistaken(task, wording, clusters[task.id], seed, rarest):
            if await after_mistake(task.prompt, one.spelt, tools, where_what_how) is None:
                continue
            for way in arms:
                told = await after_mistake(task.prompt, one.spelt, tools, STYLES[way.style])
                assert told is not None, "a style does not decide what is refused"
                after[one.task.id, way.name] = told
            made.append(one)
            counts.update(one.task.tags)
            found = True
            if not each:
                break
        left_out += not found
    return Errors(
        tasks=tuple(one.task for one in made),
        wordings=tuple(
            Wording(name=way.name, contracts=wording.contracts, parameters=wording.parameters)
            for way in arms
        ),
        left_out=left_out,
        strict={way.name: way.strict for way in arms},
        after=after,
    )


def _mistaken(
    task: Task, wording: Wording, cluster: str, seed: int, kinds: Iterable[str]
) -> Iterator[Mistaken]:
    """The mistakes that can be made of a task's right call; none where it is not one call."""
    right = _right(task, wording)
    if right is None:
        return
    for kind in kinds:
        spelt = MISTAKES[kind](right, Random(f"{seed}/{task.id}/{kind}"))
        if spelt is not None:
            named = {"id": f"{task.id}: {kind}", "cluster": cluster, "tags": (kind,)}
            yield Mistaken(task.model_copy(update=named), spelt)


def _right(task: Task, wording: Wording) -> Right | None:
    own = next(own_answers(task, wording), None) if len(task.calls) == 1 else None
    if own is None:
        return None
    (call,) = own.calls
    tool = wording.tool_called(call.name)
    assert tool is not None, "a task's own answer is of the wording"
    return Right(contract=wording.contracts[tool], args=json.loads(call.arguments))
