"""A few tasks and two wordings of three tools, for experiments that play in no time."""

from __future__ import annotations

from faultloop.loop.contract import Contract
from faultloop.scenarios.wordings.answer import Answer
from faultloop.scenarios.wordings.score import Score
from faultloop.scenarios.wordings.task import Task
from faultloop.scenarios.wordings.wording import Wording

TOOLS = ("read", "find", "list")


def wording(name: str, *, says: str = "{tool}s files, {name}.", **renamed: str) -> Wording:
    return Wording(
        name=name,
        contracts={
            tool: Contract(
                name=renamed.get(tool, tool),
                purpose=says.format(tool=tool, name=name),
                parameters={"type": "object", "properties": {"path": {"type": "string"}}},
            )
            for tool in TOOLS
        },
        parameters={},
    )


FULL = wording("full")
VAGUE = wording("vague", read="open")


def task(number: int, *tools: str, cluster: str = "", prompt: str = "") -> Task:
    return Task(id=f"task-{number}", prompt=prompt or f"Do {number}.", tools=tools, cluster=cluster)


TASKS = [task(number) for number in range(8)]


def scored(task: Task, wording: Wording, answer: Answer) -> Score:
    """Right is who calls `read`, whatever it is called."""
    called = wording.tool_called(answer.calls[0].name) if answer.calls else None
    selected = called == "read"
    return Score(
        selected=selected,
        filled=None,
        expected="read",
        chosen="read" if selected else called or "(no call)",
    )
