"""One declaration, many spellings: all of the model's face, and nothing of the runtime's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

import msgspec

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play
from faultloop.bench.drills.kit.toys import Toy
from faultloop.loop.contract import Contract

FACE: dict[str, Any] = {
    "purpose": "Read a part of a file.",
    "when": "the file is long.",
    "when_not": "the file is short.",
    "paths": "relative to the workspace.",
    "returns": "the lines that were asked for.",
    "continuation": "it is cut at the limit.",
    "example": {"path": "docs/a.txt"},
    "mistake": "a limit of naught.",
}
"""What the model reads, each value one that stands nowhere else."""

RUNTIME: dict[str, Any] = {
    "risk": "medium",
    "output_budget_bytes": 77_777,
    "depends_on": ("prepare_the_ground",),
    "verify_with": "look_whether_it_happened",
    "aliases": ("peruse_part",),
    "parameter_aliases": {"filename_": "path"},
    "read_only": True,
    "idempotent": True,
    "cancellable": True,
    "concurrency_safe": True,
}
"""What only the loop reads."""

PARAMETERS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "description": "Where it is."},
        "limit": {"type": "integer", "minimum": 1, "description": "Lines at most."},
    },
    "required": ["path"],
}

NEVER = ("77777", "prepare_the_ground", "look_whether", "peruse_part", "filename_", "medium")
"""Texts that would tell a model of the runtime's face."""

HINTS = {"readOnlyHint": True, "idempotentHint": True}


def run(kit: Kit) -> Iterator[str]:
    """Spell one tool in each dialect, for MCP, and in a request of the loop."""
    contract = kit.contract(name="read_part", parameters=PARAMETERS, **FACE, **RUNTIME)
    for dialect, render in kit.dialects.items():
        yield from _spelt(dialect, render(contract.face(), None).tool)
    yield from _hosted(kit, contract)
    session = Session(kit, say("ok"), tools=[Toy(contract)])
    play(partial(session.agent().prompt, "go"))
    yield from _spelt("a request", session.model.requests[0].tools)


def _spelt(where: str, tool: object) -> Iterator[str]:
    text = json.dumps(msgspec.to_builtins(tool), ensure_ascii=False)
    for part, value in FACE.items():
        told = json.dumps(value)[1:-1] if isinstance(value, dict) else value
        if told not in text and json.dumps(told)[1:-1] not in text:
            yield f"{where} leaves out the part {part!r} of a tool's face"
    for name, schema in PARAMETERS["properties"].items():
        if f'"{name}"' not in text or schema["description"] not in text:
            yield f"{where} leaves out the parameter {name!r} or what it is for"
    for secret in NEVER:
        if secret in text:
            yield f"{where} tells the model {secret!r}, which is the runtime's"


def _hosted(kit: Kit, contract: Contract) -> Iterator[str]:
    """A host is a runtime: it is told what the loop is told."""
    entry = kit.mcp(contract)
    annotations = entry.get("annotations", {})
    for hint, value in HINTS.items():
        if annotations.get(hint) is not value:
            yield f"MCP's {hint} is {annotations.get(hint)!r}, the declaration says {value}"
    if "77777" in json.dumps(entry.get("description", "")):
        yield "the description for MCP tells the output budget"
    if entry.get("inputSchema", {}).get("required") != ["path"]:
        yield f"MCP's schema requires {entry.get('inputSchema', {}).get('required')}"


DRILL = Drill(
    name="renderings-derive",
    claim="each dialect and MCP is rendered from one declaration, without the runtime's face",
    claims=("C1",),
    evidence="static",
    run=run,
)
