"""The scenario: what is staged and which ends are acceptable, as a validated value.

This is the format of the YAML files, version 1 (`schema: 1`). Reading files with places in errors
is `reading`'s business; turning a scenario into a stage's plan is `plan`'s.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from faultloop.fakes.landmarks import Trigger
from faultloop.fakes.script import Finish
from faultloop.fakes.world.spec import WorldSpec

EndReason = Literal[
    "completed",
    "blocked",
    "max_tokens",
    "max_steps",
    "timeout",
    "token_budget",
    "cost_budget",
    "aborted",
    "error",
    "interrupted",
]
"""SPEC L11."""

Requirement = Literal[
    "streaming",
    "whole",
    "restart",  # it can be started again after a kill: rerun, session or continue
    "memory",  # session or continue
    "cancel",
    "control",  # input while it runs
    "own_commands",
    "journal",
]


class Model(BaseModel):
    """What all parts of a scenario have in common: unknown fields are errors, values are fixed."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class CallLine(Model):
    """A tool call of the scripted model."""

    tool: str
    args: dict[str, Any] = Field(default_factory=dict)
    raw: str | None = None
    """Argument text in place of `args`, where the model does not write proper JSON."""


class StepLine(Model):
    """One reply of the scripted model."""

    say: str = ""
    calls: tuple[CallLine, ...] = ()
    finish: Finish | None = None
    repeat: Annotated[int, Field(ge=1, le=500)] = 1


class TurnLines(Model):
    """A further message of the user and what the model then says."""

    input: str = "Carry on, please: say what is done and what is not."
    script: tuple[StepLine, ...] = (StepLine(say="This is where things stand."),)
    when: Literal["abnormal", "always"] = "abnormal"
    """`abnormal`: only if the turn before it did not complete."""


class Accept(Model):
    """One acceptable way for the play to go; fields that are left out accept anything."""

    end_reason: tuple[EndReason, ...] = ()
    """Of the first turn, by the loop's own account or, where its process was killed, `killed`."""
    effects: int | tuple[int, int] | None = None
    """Entries in the ledger at the end of the play, or the least and the most."""
    told: Literal["unknown", "true"] | None = None
    """What the model was told of an uncertain effect (`true` includes `unknown`'s admission)."""
    next_turn: tuple[EndReason, ...] = ()
    """End reason of the last turn that was played after the first."""


class Scenario(Model):
    """One scenario file."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=False)

    schema_: Literal[1] = Field(alias="schema")
    name: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
    claim: str
    """One sentence that a good loop makes true."""
    claims: Annotated[tuple[str, ...], Field(min_length=1)]
    """SPEC ids."""
    checks: Annotated[tuple[str, ...], Field(min_length=1)]
    """The checks that this scenario puts to the test whatever the subject does: if one of them
    turns out not applicable, the play is `unknown`, not green."""
    requires: tuple[Requirement, ...] = ()
    tier: Literal["sim", "real", "both"] = "both"
    world: WorldSpec
    input: str
    script: Annotated[tuple[StepLine, ...], Field(min_length=1)]
    next_turns: tuple[TurnLines, ...] = (TurnLines(),)
    faults: tuple[Any, ...] = ()  # the union of fakes.faults.KINDS; see that table
    events: tuple[Trigger, ...] = ()
    accept: Annotated[tuple[Accept, ...], Field(min_length=1)]
    max_requests: int
    """For the whole play, retries and restarts included."""
    max_steps: int = 20
    """What the subject is told as its own limit."""
    deadline_s: float = 30.0
    policies: tuple[str, ...] = ()
    """Presets that must hold it; empty means all."""
