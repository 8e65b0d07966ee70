"""The tool is given exactly what the model wrote, or one of the few repairs that are allowed.

Exact: equal to the strict parse of the complete text, after the schema's defaults and dropped
nulls. Allowed for a malformed text (SPEC P4): unwrapping a double encoding; an empty text as `{}`
where the tool only reads or takes nothing; one of several glued objects that fits the schema,
where the tool only reads or the model is told that the rest was not run. Everything else that
differs is a guess: coerced types, best-effort parses of half a text, the raw text as an argument.
A text that was handed on unchanged and turned away by the tool harmed nobody, and a tool that only
reads may be asked by the loop itself (check, then act; SPEC D2).
"""

from __future__ import annotations

from faultloop.scenarios import phrases
from faultloop.scenarios.argument_text import (
    differences,
    parse,
    quoted,
    readings,
    same,
)
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.tool_facts import ToolFacts
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import DeliveredCall, Invocation

NAME = "arguments_exact"
CLAIM = "C3"
CLAIMS = (CLAIM, "P2", "P3", "P4", "P10")
WHY = (
    "A tool that runs with other arguments than the model wrote does something nobody asked for: "
    "`cleanup(path='/')` when an unknown parameter is dropped and the default fills in, a file "
    'named `{"path": "a.t` when the raw text is passed on, "42" where the model wrote 42.'
)
CURE = (
    "Parse strictly, validate against the schema, and hand over exactly the validated value. "
    "Answer what cannot be read with an error result that says where it is wrong."
)

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether everything that reached the world is what the model wrote."""
    found: list[Finding] = []
    for call in evidence.views.calls:
        came = evidence.views.invocations_of(call)
        found += [_judge_invocation(evidence, call, one) for one in came]
        if not came:
            found.append(promise.held(_KEPT, call.position))
    found += [
        promise.unknown(
            f"{one.tool} was given {quoted(one.arrived.arguments)!r}, which no call of the model "
            "asks for",
            one.position,
        )
        for one in evidence.views.invocations
        if one.call is None and not evidence.facts(one.tool).read_only
    ]
    return promise.total(found, untested="the model made no call")


_KEPT = "no tool was given anything but what the model wrote"


def _judge_invocation(evidence: Evidence, call: DeliveredCall, one: Invocation) -> Finding:
    facts = evidence.facts(one.tool)
    given = parse(one.arrived.arguments)
    asked = parse(call.arguments)
    proof = (call.position, one.position)
    if not call.complete and call.closed is not None:
        return promise.broken(
            f"{one.tool} was given {quoted(one.arrived.arguments)!r} though the arguments had not "
            "arrived to their end",
            *proof,
        )
    if isinstance(asked, dict) and isinstance(given, dict):
        # What `parse` has read once is the same value again: nothing to be compared.
        changes = given is not asked and list(differences(asked, given, facts.properties))
        if not changes:
            return promise.held(_KEPT, *proof)
        return promise.broken(f"arguments of {one.tool}: {', '.join(changes)}", *proof)
    if _handed_on(call, one, given) and not one.ran:
        return promise.held(f"{one.tool} itself turned away what the model wrote", *proof)
    return _judge_repair(evidence, call, one, facts)


def _handed_on(call: DeliveredCall, one: Invocation, given: object) -> bool:
    """Whether the malformed text went on as it is, or as the text value that it is."""
    text = call.arguments
    return one.arrived.arguments == text or given == text or same(given, parse(text))


def _judge_repair(
    evidence: Evidence, call: DeliveredCall, one: Invocation, facts: ToolFacts
) -> Finding:
    proof = (call.position, one.position)
    given = parse(one.arrived.arguments)
    as_read = next(
        (
            reading
            for reading in readings(call.arguments)
            if isinstance(given, dict)
            and not list(differences(reading.arguments, given, facts.properties))
        ),
        None,
    )
    what = f"{one.tool} was given {quoted(one.arrived.arguments)!r} for the text "
    what += repr(quoted(call.arguments))
    if as_read is None:
        return promise.broken(f"{what}: a guess, not a reading of it", *proof)
    reason = _forbidden(evidence, call, facts, as_read.repair)
    if reason:
        return promise.broken(f"{what} ({as_read.repair}): {reason}", *proof)
    return promise.held(f"{what}: repaired as {as_read.repair}, which is allowed", *proof)


def _forbidden(evidence: Evidence, call: DeliveredCall, facts: ToolFacts, repair: str) -> str:
    """Why a repair is not allowed here; empty if it is (SPEC P4)."""
    if call.cut:
        return "the reply was cut, so nothing may be read into it"
    if repair == "empty text" and not facts.read_only and facts.properties:
        return "the tool changes the world, so its defaults must be asked for"
    if repair == "glued objects" and not facts.read_only and not _rest_mentioned(evidence, call):
        return "the model was not told that the rest was not run"
    return ""


def _rest_mentioned(evidence: Evidence, call: DeliveredCall) -> bool:
    told = evidence.views.told_after(call.position, call)
    return told is not None and phrases.mentions(phrases.REST_NOT_RUN_WORDS, told.text)
