"""Canned tools: they answer what was recorded and do nothing.

What the real ones did is not known, so they are declared as tools that may change things, although
none of them leaves anything in the ledger. A call that was never recorded fails and says so.
"""

from __future__ import annotations

from collections.abc import Mapping

import jsonschema_rs
import msgspec

from faultloop.fakes.world.part import Act, Args, Change, Part, ToolFailed
from faultloop.fakes.world.spec import CannedTool, WorldSpec
from faultloop.fakes.world.tool import WorldTool, changes

Asked = Mapping[str, int]
"""How often each call was made, by tool and arguments."""


def part(spec: WorldSpec) -> Part[Asked] | None:
    """The canned tools of a world, if it has any. Raises ValueError for a schema that is none."""
    if spec.canned is None:
        return None
    for name, tool in spec.canned.items():
        try:
            jsonschema_rs.Draft202012Validator(tool.parameters)
        except ValueError as error:
            said = str(error).splitlines()[0]
            raise ValueError(f"the parameters of {name!r} are no JSON Schema: {said}") from None
    return Part(
        {}, {name: (_tool(name, tool), _act(name, tool)) for name, tool in spec.canned.items()}
    )


def _tool(name: str, tool: CannedTool) -> WorldTool:
    return WorldTool(
        name=name,
        description=tool.description,
        parameters=tool.parameters,
        annotations=changes(risk="medium", open_world=True),
    )


def _act(name: str, tool: CannedTool) -> Act[Asked]:
    answers: dict[str, list[str]] = {}
    for one in tool.answers:
        answers.setdefault(_called(name, one.args), []).append(one.answer)

    def act(asked: Asked, args: Args, key: str | None) -> Change[Asked]:
        call = _called(name, args)
        there = answers.get(call)
        if there is None:
            raise ToolFailed(
                f"no answer of {name} to these arguments was recorded", code="NOT_RECORDED"
            )
        count = asked.get(call, 0)
        return Change({**asked, call: count + 1}, there[min(count, len(there) - 1)])

    return act


def _called(name: str, args: Args) -> str:
    return f"{name} {msgspec.json.encode(args, order='deterministic').decode()}"
