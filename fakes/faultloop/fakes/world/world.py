"""The world of one play: its parts, its tools, and the one place where effects come to be.

An effect and its entry in the ledger are one synchronous step, `World.apply`: whatever the stage
does next, kill the subject, lose the answer, both are there or neither is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from faultloop.fakes.ledger import Effect, Ledger
from faultloop.fakes.world import canned, ci, commands, files, payments, pull_requests
from faultloop.fakes.world.form import Form, canonical
from faultloop.fakes.world.part import Part, ToolFailed
from faultloop.fakes.world.spec import WorldSpec
from faultloop.fakes.world.tool import WorldTool

__all__ = ["Applied", "ToolFailed", "World", "canonical", "tool_names"]

_PARTS = (files.part, commands.part, pull_requests.part, ci.part, payments.part, canned.part)


class Applied(NamedTuple):
    """What came of an invocation."""

    data: str
    """The result, as text that a model can read."""
    effect: Effect | None
    """The ledger's entry; None where nothing changed."""


class World:
    """Everything that a subject's tools can see and change in one play.

    Raises ValueError, with a sentence, where the scenario's `world` makes no sense.
    """

    def __init__(
        self, spec: WorldSpec, ledger: Ledger, *, commands: Literal["world", "own"] = "world"
    ) -> None:
        """`commands`: who runs `run_command`; `own` is the subject, as a child process."""
        self._spec = spec
        self._ledger = ledger
        self._homes = _homes(spec)
        if commands == "own" and (home := self._homes.get("run_command")) is not None:
            self._homes["run_command"] = home[0], home[1].annotated(runs="subject")
        self._forms: dict[str, Form] = {}
        """Of the tools that were called."""

    def tools(self) -> tuple[WorldTool, ...]:
        """The tools that are offered, always in the same order."""
        return tuple([tool for _, tool in self._homes.values()])

    def tool(self, name: str) -> WorldTool | None:
        """The tool of this name, if it is offered."""
        home = self._homes.get(name)
        return None if home is None else home[1]

    @property
    def files(self) -> Mapping[str, str]:
        """Paths and contents as they are now; none in a world without files."""
        homes = (part for name, (part, _) in self._homes.items() if name in files.NAMES)
        part = next(homes, None)
        return (self._spec.files or {}) if part is None else part.state

    def validate(self, tool: str, args: object) -> str | None:
        """What is wrong with the arguments, in a sentence with the place of each fault."""
        form = self._forms.get(tool)
        if form is None:
            form = self._forms[tool] = Form(self._homes[tool][1].parameters)
        return form.problem(args)

    def duration_s(self, tool: str, args: dict[str, Any]) -> float:
        """How long the work takes before its effect: for commands as the scenario says, else 0."""
        if tool != "run_command" or self._spec.commands is None:
            return 0.0
        command = commands.find(self._spec.commands, str(args.get("command", "")))
        return 0.0 if command is None else command.takes_s

    def apply(
        self,
        tool: str,
        args: dict[str, Any],
        *,
        start: int,
        invocation: int,
        call_id: str | None,
        key: str | None,
        position: int,
    ) -> Applied:
        """Do it: change the world and the ledger, or raise ToolFailed and change neither.

        The arguments must be valid. `position` is where the history will say so.
        """
        part, _ = self._homes[tool]
        change = part.apply(tool, args, key)
        if change.what is None:
            return Applied(change.data, None)
        effect = Effect(
            number=len(self._ledger.effects) + 1,
            position=position,
            start=start,
            invocation=invocation,
            tool=tool,
            arguments=canonical(args),
            what=change.what,
            call_id=call_id,
            key=key,
        )
        self._ledger.effects.append(effect)
        return Applied(change.data, effect)

    def read_before(self, tool: str, args: dict[str, Any]) -> str:
        """What a tool that only reads would have said before the last effect of its part of the
        world. Raises ToolFailed."""
        return self._homes[tool][0].read_before(tool, args)


def tool_names(spec: WorldSpec) -> tuple[str, ...]:
    """Names of the tools that a world with this spec offers. Raises ValueError like World."""
    return tuple(_homes(spec))


def _homes(spec: WorldSpec) -> dict[str, tuple[Part[Any], WorldTool]]:
    """Each offered tool by name, with the part that it belongs to."""
    parts = [part for make in _PARTS if (part := make(spec)) is not None]
    there = {name: (part, tool) for part in parts for name, (tool, _) in part.tools.items()}
    if spec.tools is None:
        return there
    missing = [name for name in spec.tools if name not in there]
    if missing:
        raise ValueError(
            f"the world offers no tool {missing[0]!r}; with these parts it could offer: "
            f"{', '.join(there) or 'none'}"
        )
    return {name: home for name, home in there.items() if name in spec.tools}
