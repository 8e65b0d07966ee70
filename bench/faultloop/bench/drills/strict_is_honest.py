"""Strict decoding is off, preferred or required; what cannot be had is said; we validate anyway."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play
from faultloop.bench.drills.kit.toys import Toy
from faultloop.loop.contract import Strict
from faultloop.loop.contract.rendering import StrictImpossible

PLAIN: dict[str, Any] = {
    "type": "object",
    "properties": {"path": {"type": "string", "maxLength": 3}, "note": {"type": "string"}},
    "required": ["path"],
}
"""A schema with a strict form, in which `note` may be null and nobody counts letters."""

FREE: dict[str, Any] = {
    "type": "object",
    "properties": {"anything": {}},
}
"""A schema without one."""


class Case(NamedTuple):
    """A tool, what it and its provider wish, and what must come of it."""

    parameters: dict[str, Any]
    tool: Strict | None
    provider: Strict | None
    strict: bool | None
    """Whether it is decoded under constraint; None: an error that says why not."""
    told: bool
    """Whether something is said about it."""


CASES = (
    Case(PLAIN, "off", None, False, False),
    Case(PLAIN, "preferred", None, True, True),
    Case(PLAIN, "required", None, True, True),
    Case(PLAIN, "off", "preferred", False, False),
    Case(PLAIN, "preferred", "off", False, True),
    Case(PLAIN, "required", "off", None, True),
    Case(FREE, "preferred", None, False, True),
    Case(FREE, "required", None, None, True),
)

VALIDATED: dict[str, dict[str, Any] | None] = {
    '{"path":"abc","note":null}': {"path": "abc"},
    '{"path":"abcd","note":null}': None,
    '{"path":"abc","note":3}': None,
}
"""What a decoder may write, and what the tool is given of it: a null is left out, what the decoder
does not check is checked here."""


def run(kit: Kit) -> Iterator[str]:
    """Each case in the dialect that has strict tools; then calls of a strict tool."""
    for case in CASES:
        yield from _rendered(kit, case)
    for text, given in VALIDATED.items():
        contract = kit.contract(name="note", purpose="a toy", parameters=PLAIN, strict="required")
        session = Session(kit, call(Ask("note", text)), say("ok"), tools=[Toy(contract)])
        play(partial(session.agent().prompt, "go"))
        runs = session.tools[0].runs
        if runs != ([] if given is None else [given]):
            yield f"a strict tool was called with {text}, and given {runs}, not {given}"


def _rendered(kit: Kit, case: Case) -> Iterator[str]:
    contract = kit.contract(
        name="note", purpose="a toy", parameters=case.parameters, strict=case.tool
    )
    what = f"strict {case.tool} by the tool and {case.provider} by the provider"
    try:
        rendered = kit.dialects["openai_chat"](contract.face(), case.provider)
    except StrictImpossible as error:
        if case.strict is not None:
            yield f"{what} is refused: {error}"
        elif len(str(error)) < len("note requires strict decoding, but"):
            yield f"{what} is refused without a reason: {error}"
        return
    if case.strict is None:
        yield f"{what} cannot be had, and nobody says so: strict={rendered.strict}"
    elif rendered.strict is not case.strict:
        yield f"{what} is decoded with strict={rendered.strict}"
    elif bool(rendered.notes) is not case.told:
        yield f"{what} says {rendered.notes} about what is not as wished"


DRILL = Drill(
    name="strict-is-honest",
    claim="strict decoding falls back aloud or fails with the reason, and validation stays",
    claims=("C11",),
    evidence="static",
    run=run,
)
