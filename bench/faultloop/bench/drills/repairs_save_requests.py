"""What each repair rule saves is counted: the same slip of a model, with the rule and without it.

Without a rule the arguments are refused with an explanation, and a model that understands it makes
the call again; that costs a request, with all of the conversation in it. Tokens are the loop's own
estimate from the length of what is sent and received, for a model that is played counts nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, Line, Scripted, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play
from faultloop.bench.drills.kit.toys import Toy
from faultloop.loop.checking import Ready, Refused
from faultloop.loop.events import AttemptEnded, CallEnded
from faultloop.loop.executing import Executing
from faultloop.loop.message import ResultMessage
from faultloop.loop.providers.port import ModelRequest, UsageDelta
from faultloop.loop.repairs import REPAIRS
from faultloop.loop.signals import CallRefused
from faultloop.loop.state import CallRecord
from faultloop.loop.stop import StopSignal

PARAMETERS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
}

RIGHT: dict[str, Any] = {"path": "a"}

SLIPS: Mapping[str, tuple[Ask, dict[str, Any]]] = MappingProxyType(
    {
        "empty_object": (Ask("look", ""), {}),
        "unwrap_string": (Ask("look", '"{\\"path\\":\\"a\\"}"'), RIGHT),
        "keep_last": (Ask("look", '{"path":"b","path":"a"}'), RIGHT),
        "split_glued": (Ask("look", '{"path":"a"}{"path":"b"}'), RIGHT),
        "rename_parameters": (Ask("look", '{"file":"a"}'), RIGHT),
        "strict_nulls": (Ask("look", '{"path":"a","tags":null}'), RIGHT),
        "list_parameters": (Ask("look", '{"tags":"x"}'), {"tags": ["x"]}),
        "tool_alias": (Ask("read", '{"path":"a"}'), RIGHT),
    }
)
"""By rule: what a model writes, and the arguments that it means."""


class Cost(NamedTuple):
    """What a turn took."""

    requests: int
    tokens: int


class Saving(NamedTuple):
    """What a rule saves, and whether the tool got what the model meant."""

    rule: str
    saved: Cost
    given: list[dict[str, Any]]
    applied: bool


def savings(kit: Kit) -> Iterator[Saving]:
    """For each rule: the turn without it, less the turn with it."""
    for rule in SLIPS:
        with_it, session = _turn(kit, rule, kit.agent.executing)
        without, _ = _turn(kit, rule, refusing(kit.agent.executing, rule))
        steps = [step for event in session.of(CallEnded) for step in event.repairs]
        yield Saving(
            rule=rule,
            saved=Cost(without.requests - with_it.requests, without.tokens - with_it.tokens),
            given=session.tools[0].runs,
            applied=any(step.partition(":")[0] == rule for step in steps),
        )


def refusing(executing: type[Executing], rule: str) -> type[Executing]:
    """The same, but what this rule would mend is refused, as validation would without it."""

    class Without(executing):  # type: ignore[misc, valid-type]
        async def check(self, record: CallRecord, signal: StopSignal) -> Ready | Refused | None:
            checked: Ready | Refused | None = await super().check(record, signal)
            if not isinstance(checked, Ready) or not any(
                step.partition(":")[0] == rule for step in checked.repairs
            ):
                return checked
            refusal = CallRefused(record=record, code="INVALID_ARGS", content=EXPLAINED)
            return Refused(signal=refusal, contract=checked.contract)

    return Without


EXPLAINED = (
    "The arguments were refused: they do not fit the tool's schema. Write the arguments again, "
    "whole, as one JSON object, each value under its parameter's name."
)
"""What the model is told without the rule; about as long as the loop's own explanations."""


class Corrected(Scripted):
    """A model that makes a slip, and the right call as soon as it is told of it."""

    def __init__(self, slip: Ask, meant: dict[str, Any]) -> None:
        super().__init__()
        self._slip = slip
        self._right = Ask("look", json.dumps(meant))

    def line(self, request: ModelRequest) -> Line:
        """The slip, then the right call for as long as results are bad, then a word."""
        results = [one for one in request.messages if isinstance(one, ResultMessage)]
        if results and results[-1].ok:
            spoken = say("ok")
        else:
            spoken = call(self._right if results else self._slip)
        return [piece for piece in spoken if not isinstance(piece, UsageDelta)]


def _turn(kit: Kit, rule: str, executing: type[Executing]) -> tuple[Cost, Session]:
    look = Toy(
        kit.contract(
            name="look",
            purpose="a toy that looks at a file",
            parameters=PARAMETERS,
            read_only=True,
            aliases=("read",),
            parameter_aliases={"file": "path"},
            strict="preferred",
        )
    )
    agent = type("Played", (kit.agent,), {"executing": executing})
    session = Session(replace(kit, agent=agent), tools=[look])
    session.model = Corrected(*SLIPS[rule])
    play(partial(session.agent().prompt, "Look at the file."))
    tokens = sum(event.input_tokens + event.output_tokens for event in session.of(AttemptEnded))
    return Cost(len(session.model.requests), tokens), session


def run(kit: Kit) -> Iterator[str]:
    """Each rule applies to its slip, gives the tool what was meant, and saves a request."""
    for saving in savings(kit):
        meant = SLIPS[saving.rule][1]
        if not saving.applied:
            yield f"the rule {saving.rule} did not mend its slip, or the journal does not say so"
        if saving.given != [meant]:
            yield f"by {saving.rule} the tool was given {saving.given}, but {meant} was meant"
        if saving.saved.requests < 1 or saving.saved.tokens < 1:
            yield f"the rule {saving.rule} saves {saving.saved.requests} requests"
    for rule in (*REPAIRS, "tool_alias"):
        if rule not in SLIPS:
            yield f"nobody counts what the rule {rule} saves"


def measured(kit: Kit) -> str:
    """The savings in words."""
    return "; ".join(
        f"{one.rule} saves {one.saved.requests} request and {one.saved.tokens} tokens"
        for one in savings(kit)
    )


DRILL = Drill(
    name="repairs-save-requests",
    claim="each repair rule saves requests and tokens, and how many is counted",
    claims=("O5", "P4"),
    evidence="journal",
    run=run,
    measures=measured,
    differs={
        "dsh": "it mends no arguments; the model is told the code and the field path.",
        "pi": "it mends no arguments; the model is told what failed validation.",
        "codex": "it mends no arguments; the model is told the line and column of what is no JSON.",
        "mx_claw": "it mends no arguments; the model is told `Tool failed:` and the reason.",
    },
)
