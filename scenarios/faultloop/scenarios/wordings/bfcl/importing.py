"""A category of BFCL as one wording and its tasks.

The wording holds every distinct function of the category; a task names those that it offers. Tasks
that are offered the same functions share a cluster: `live_multiple` has 1,053 rows, and far fewer
sets of functions. A row that cannot be scored is left out with the reason: its answer contradicts
its own schema, and no model could be right.
"""

from __future__ import annotations

import hashlib
import re
from typing import NamedTuple

from faultloop.loop.contract import ContractError
from faultloop.scenarios.wordings.bfcl.answers import choice_of
from faultloop.scenarios.wordings.bfcl.source import CATEGORIES, BadSource, Row, Source
from faultloop.scenarios.wordings.bfcl.tools import Tools, tools_of
from faultloop.scenarios.wordings.matchers import Anything
from faultloop.scenarios.wordings.task import Choice, Expected, Said, Task
from faultloop.scenarios.wordings.validating import complaints
from faultloop.scenarios.wordings.wording import Wording

HAN = re.compile(r"[一-鿿]")


class LeftOut(NamedTuple):
    """A row that is no task."""

    id: str
    says: str


class Imported(NamedTuple):
    """A category."""

    category: str
    wording: Wording
    tasks: tuple[Task, ...]
    rows: dict[str, Row]
    """By id; also those that are left out."""
    tools: Tools
    left_out: tuple[LeftOut, ...]

    @property
    def clusters(self) -> int:
        """How many distinct sets of functions the tasks offer."""
        return len({task.cluster for task in self.tasks})


def imported(source: Source, category: str) -> Imported:
    """Read and convert a category. Raises BadSource."""
    rows = source.rows(category)
    try:
        tools = tools_of(rows)
    except (ContractError, KeyError, TypeError) as error:
        sentence = f"a function of {category} in {source.data} cannot be read: {error}"
        raise BadSource(sentence) from error
    wording = Wording(name=category, contracts=tools.contracts)
    tasks: list[Task] = []
    left_out: list[LeftOut] = []
    for row in rows:
        task = _task(row, tools)
        says = task if isinstance(task, str) else _unscorable(task, wording)
        if isinstance(task, Task) and not says:
            tasks.append(task)
        else:
            left_out.append(LeftOut(row.id, says))
    return Imported(
        category=category,
        wording=wording,
        tasks=tuple(tasks),
        rows={row.id: row for row in rows},
        tools=tools,
        left_out=tuple(left_out),
    )


def _unscorable(task: Task, wording: Wording) -> str:
    return next((wrong.complaint.sentence for wrong in complaints([task], wording)), "")


def _task(row: Row, tools: Tools) -> Task | str:
    """The task, or why there is none."""
    systems = [said["content"] for said in row.messages if said["role"] == "system"]
    spoken = [said for said in row.messages if said["role"] != "system"]
    if not spoken or spoken[-1]["role"] != "user" or not spoken[-1]["content"].strip():
        return "the user's last message is missing or empty"
    if any(said["role"] not in ("user", "assistant") for said in spoken):
        return "there is a message that is neither the user's nor the assistant's"
    offered = tuple(tools.of(function).contract.name for function in row.functions)
    calls = _calls(row, tools)
    if isinstance(calls, str):
        return calls
    prompt = spoken[-1]["content"]
    return Task(
        id=row.id,
        prompt=prompt,
        before=tuple(Said.model_validate(_said(said)) for said in spoken[:-1]),
        system="\n".join(systems),
        language="zh" if HAN.search(prompt) else "en",
        tools=offered,
        cluster=_cluster(row.category, offered),
        tags=(row.category,),
        expect="calls" if calls else "no call",
        calls=calls,
    )


def _said(said: dict[str, str] | object) -> dict[str, object]:
    assert isinstance(said, dict), "a message is an object"
    return {"role": said["role"], "text": said["content"]}


def _cluster(category: str, offered: tuple[str, ...]) -> str:
    said = "\n".join(sorted(offered))
    return f"{category}-{hashlib.sha256(said.encode()).hexdigest()[:8]}"


def _calls(row: Row, tools: Tools) -> tuple[Expected, ...] | str:
    match CATEGORIES[row.category]:
        case "no call":
            return ()
        case "any call":
            choices = tuple(_whatever(tools.of(one).contract.name, one) for one in row.functions)
            return (Expected(any_of=choices),)
        case _:
            return _written_calls(row, tools)


def _whatever(tool: str, function: dict[str, object]) -> Choice:
    parameters = function["parameters"]
    assert isinstance(parameters, dict), "the contract was made of it"
    required = set(parameters.get("required") or ())
    names = list(parameters.get("properties") or ())
    return Choice(
        tool=tool,
        args={name: Anything() for name in names if name in required},
        may_have={name: Anything() for name in names if name not in required},
    )


def _written_calls(row: Row, tools: Tools) -> tuple[Expected, ...] | str:
    functions = {str(function["name"]): function for function in row.functions}
    if not row.answers:
        return "no answer to it is written down"
    found: list[Expected] = []
    for answer in row.answers:
        ((name, values),) = answer.items()
        if name not in functions:
            return f"its answer calls {name}, which is not offered"
        choice = choice_of(tools.of(functions[name]).contract, functions[name], values)
        found.append(Expected(any_of=(choice,)))
    return tuple(found)
