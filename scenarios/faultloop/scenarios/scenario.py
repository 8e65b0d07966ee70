"""The scenario: what is staged and which ends are acceptable, as a validated value.

This is the format of the YAML files, version 1 (`schema: 1`). Here is only the shape of one file;
what must agree across fields is `rules`, places in error messages are `reading`'s business, and
turning a scenario into a stage's plan is `plan`'s. The docstrings below are published in the JSON
Schema, so an editor shows them to whoever writes a file.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from faultloop.fakes.faults import AnyFault
from faultloop.fakes.landmarks import Trigger
from faultloop.fakes.recorded import Aside, Recorded
from faultloop.fakes.script import Finish
from faultloop.fakes.strictness.levels import Strictness
from faultloop.fakes.world.spec import WorldSpec
from faultloop.scenarios.ends import EndReason

AcceptedEnd = Literal[EndReason, "killed"]
"""`killed`: the bench killed that start and no later start played its turn to an end."""

Requirement = Literal[
    "streaming",
    "whole",
    "restart",  # it can be started again after a kill: rerun, session or continue
    "memory",  # session or continue
    "cancel",
    "control",  # input while it runs
    "own_commands",
    "journal",
    "goals",
    "keys",  # it sends idempotency keys
    "malformed_calls",  # the dialect has calls that it cannot say
]

Preset = Literal["reference", "dsh", "pi", "codex", "grok", "mx_claw"]
"""The policy columns of SPEC."""

Extent = int | tuple[int, int]
"""A number, or the least and the most."""


class Model(BaseModel):
    """What all parts of a scenario have in common: unknown fields are errors, values are fixed."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class CallLine(Model):
    """A tool call of the scripted model."""

    tool: str
    """A tool of this scenario's world."""
    args: dict[str, Any] = Field(default_factory=dict)
    """The arguments, as the model means and writes them."""
    raw: str | None = None
    """Argument text in place of `args`, where the model does not write proper JSON."""
    repeat: Annotated[int, Field(ge=1, le=500)] = 1
    """This many calls, one after the other; `{n}` in a text of `args` is the number of each, from
    1."""
    id: str | None = None
    """The call's id as it was recorded; left out, the play gives it one."""


class StepLine(Model):
    """One reply of the scripted model."""

    say: str = ""
    """The reply's text."""
    think: str = ""
    """What the model thinks first, which comes with the reply where its dialect tells that."""
    calls: tuple[CallLine, ...] = ()
    """The reply's tool calls, in the model's order."""
    finish: Finish | None = None
    """The finish reason; left out, it is what the content says."""
    repeat: Annotated[int, Field(ge=1, le=500)] = 1
    """This many steps of the script say the same."""
    recorded: Recorded | None = None
    """The reply as it was on the wire, from `faultloop record`. It is sent as it is to a request of
    its dialect and shape that no fault strikes; else the step is spelt anew from what it says."""
    failures: tuple[Recorded, ...] = ()
    """Failures that were recorded before it; its first tries are answered with them."""


class RecordingLines(Model):
    """What `faultloop record` saw beside the conversation."""

    pace: Annotated[float, Field(ge=0, le=100)] = 0.0
    """How much of the recorded time passes between the pieces of a body: 0 none, 1 all of it."""
    beside: tuple[StepLine, ...] = ()
    """Replies to requests that were none of the conversation's, titles say, in their order."""
    asides: tuple[Aside, ...] = ()
    """Answers to other requests: lists of models, counts of tokens."""


class TurnLines(Model):
    """A further message of the user and what the model then says."""

    input: Annotated[str, Field(min_length=1)] = (
        "Carry on, please: say what is done and what is not."
    )
    """The user's message."""
    script: Annotated[tuple[StepLine, ...], Field(min_length=1)] = (
        StepLine(say="This is where things stand."),
    )
    """What the model says to it."""
    when: Literal["abnormal", "always"] = "abnormal"
    """`abnormal`: only if the turn before it did not complete."""


class Accept(Model):
    """One acceptable way for the play to go; fields that are left out accept anything."""

    end_reason: tuple[AcceptedEnd, ...] = ()
    """How the first turn may end: by the account of the last start that played it or, where that
    start was killed, `killed`."""
    effects: Extent | None = None
    """Entries in the ledger at the end of the play, or the least and the most."""
    replies: Extent | None = None
    """Replies of the model that began in the first turn, each serving of a step counted; side
    requests and replies past the end of the script are not. Tells a loop that asked again after a
    cut from one that took the cut reply for the answer."""
    refused: Annotated[int, Field(ge=0)] | None = None
    """Calls of the first turn that were whole, never reached the world and were told to the model
    as not made, or as those that had been made before (a repeat guard, SPEC S7): at least."""
    told: Literal["unknown", "true"] | None = None
    """What the model was told of an uncertain effect (`true` includes `unknown`'s admission);
    ignored where no later request could have told it."""
    next_turn: tuple[EndReason, ...] = ()
    """End reason of the last turn that was played after the first; ignored where none was."""


class Scenario(Model):
    """One scenario file."""

    schema_: Literal[1] = Field(alias="schema")
    """Version of this format."""
    name: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]
    """Lower-case words joined by hyphens; the file is called the same."""
    claim: Annotated[str, Field(min_length=1)]
    """One sentence that a good loop makes true."""
    claims: Annotated[tuple[str, ...], Field(min_length=1)]
    """SPEC ids."""
    checks: Annotated[tuple[str, ...], Field(min_length=1)]
    """The checks that this scenario puts to the test whatever the subject does: if one of them
    turns out not applicable, the play is `unknown`, not green."""
    requires: tuple[Requirement, ...] = ()
    """What a subject must be able to do for the scenario to mean anything."""
    tier: Literal["sim", "real", "both"] = "both"
    """`sim`: virtual time, in process; `real`: processes, HTTP, wall time."""
    world: WorldSpec
    """What exists before the play begins; only the tools of these parts are offered."""
    input: Annotated[str, Field(min_length=1)]
    """The user's first message."""
    script: Annotated[tuple[StepLine, ...], Field(min_length=1)]
    """What the model says in the first turn."""
    goal_rounds: Annotated[int, Field(ge=1, le=20)] | None = None
    """The first message is given as a goal, which the loop is to pursue by itself for up to this
    many rounds (SPEC G2). Its whole pursuit is the first turn of the script."""
    next_turns: tuple[TurnLines, ...] = (TurnLines(),)
    """What the user says afterwards; by default one message after an abnormal end."""
    faults: tuple[Annotated[AnyFault, Field(discriminator="kind")], ...] = ()
    """Injected trouble; each must strike in every play, whatever the subject does. Where one has a
    chance, give it enough occasions."""
    events: tuple[Trigger, ...] = ()
    """Kills, cancels and messages at landmarks; each must come to pass in every play."""
    recording: RecordingLines = RecordingLines()
    """What was recorded beside the script, and how fast all of it is said again."""
    strictness: Strictness = Strictness()
    """What the provider rejects; left out, what the real one does."""
    accept: Annotated[tuple[Accept, ...], Field(min_length=1)]
    """All acceptable ways to go; a refusal is a pass."""
    max_requests: Annotated[int, Field(ge=1, le=120)]
    """For the whole play, retries and restarts included."""
    max_steps: Annotated[int, Field(ge=1, le=100)] = 20
    """What the subject is told as its own limit."""
    deadline_s: Annotated[float, Field(gt=0, le=3600)] = 30.0
    """Seconds for one start; the subject is told."""
    differs: dict[Preset, Annotated[str, Field(min_length=1)]] = Field(default_factory=dict)
    """Presets that promise something else here, each with what it does instead; all the others
    must hold it."""
