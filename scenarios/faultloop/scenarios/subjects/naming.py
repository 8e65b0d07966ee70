"""The table `[naming]` of subject.toml: how the subject's model knows the tools of the world.

Only its shape is judged here; what the names do is `fakes.naming`'s.
"""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from faultloop.fakes.naming import TOOL, MetaTool, Naming, OwnTool
from faultloop.fakes.tooling.tooling import OWN_COMMAND

Name = Annotated[str, Field(min_length=1)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class OwnToolTable(_Table):
    """A tool of the subject's own that does what one of the world does."""

    name: Name
    arguments: dict[str, Name] = Field(default_factory=dict)
    """The world's parameters to its own; those that are left out have the same names."""
    also: dict[str, Any] = Field(default_factory=dict)
    """What is given beside them."""

    @model_validator(mode="after")
    def _gives_each_once(self) -> Self:
        given = [*self.arguments.values(), *self.also]
        if len({*given}) < len(given):
            raise ValueError("two of what it is given have one name, and only one could arrive")
        return self


class MetaToolTable(_Table):
    """One tool that calls all others."""

    name: Name
    tool: Name
    """Its parameter that names the other tool."""
    arguments: Name
    """Its parameter that holds the other's arguments."""

    @model_validator(mode="after")
    def _has_two_parameters(self) -> Self:
        if self.tool == self.arguments:
            raise ValueError("the name of a tool and its arguments go into two parameters")
        return self


class NamingTable(_Table):
    """The keys of the table."""

    world: str = TOOL
    """How the model sees a tool of the world: `mcp__world__{tool}`. Where a request offers the bare
    name and not this one, the bare name is used."""
    through: MetaToolTable | None = None
    """The tool by which it calls those of the world, where requests offer neither name."""
    run_command: OwnToolTable | None = None
    """Its own shell, with `commands = "own"`."""

    @field_validator("world", mode="after")
    @classmethod
    def _is_a_pattern(cls, pattern: str) -> str:
        if pattern.count(TOOL) != 1:
            raise ValueError(f"{pattern!r} holds the place of a tool's name, {TOOL}, not once")
        return pattern

    def naming(self) -> Naming:
        """What the fakes are told."""
        shell, through = self.run_command, self.through
        return Naming(
            world=self.world,
            own={OWN_COMMAND: OwnTool(**shell.model_dump())} if shell else {},
            through=MetaTool(**through.model_dump()) if through else None,
        )
