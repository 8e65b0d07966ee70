"""What the tests of this folder share: a small wording, the same one renamed, and answers."""

from __future__ import annotations

import json
from typing import Any

from faultloop.loop.contract import Contract
from faultloop.loop.message import Call
from faultloop.scenarios.wordings.answer import Answer
from faultloop.scenarios.wordings.task import Choice, Expected, Task
from faultloop.scenarios.wordings.wording import Wording

READ = Contract(
    name="read_file",
    purpose="Read a file.",
    parameters={
        "type": "object",
        "required": ["path"],
        "properties": {
            "path": {"type": "string"},
            "start": {"type": "integer", "default": 1},
            "limit": {"type": "integer"},
        },
    },
)
TAG = Contract(
    name="tag",
    purpose="Tag something.",
    parameters={
        "type": "object",
        "required": ["names"],
        "properties": {"names": {"type": "array", "items": {"type": "string"}}},
    },
)
STATUS = Contract(name="status", purpose="Say how things are.", parameters={"type": "object"})

BASE = Wording(name="base", contracts={"read_file": READ, "tag": TAG, "status": STATUS})
RENAMED = Wording(
    name="renamed",
    contracts={
        "read_file": Contract(
            name="open_document",
            purpose="Read a file.",
            parameters={
                "type": "object",
                "required": ["file"],
                "properties": {
                    "file": {"type": "string"},
                    "start": {"type": "integer", "default": 1},
                    "limit": {"type": "integer"},
                },
            },
        ),
        "tag": TAG,
        "status": STATUS,
    },
    parameters={"read_file": {"file": "path"}},
)


def call(name: str, args: object = None, **named: Any) -> Call:
    """A call; arguments by name, or as a text."""
    text = args if isinstance(args, str) else json.dumps(named, ensure_ascii=False)
    return Call(id="", name=name, arguments=text)


def said(*calls: Call, text: str = "", gives_arguments: bool = True) -> Answer:
    """An answer of these calls."""
    return Answer(calls=calls, text=text, gives_arguments=gives_arguments)


def choice(tool: str, **args: Any) -> Choice:
    """One tool that serves; arguments as they stand in a task file."""
    return Choice(tool=tool, args=args)


def wants(*calls: Choice | tuple[Choice, ...], **fields: Any) -> Task:
    """A task that expects these calls; several choices of one in a tuple."""
    expected = tuple(Expected(any_of=one if isinstance(one, tuple) else (one,)) for one in calls)
    return Task(id="t", prompt="Do it.", calls=expected, **fields)
