"""A call that cannot run as written is answered with what is wrong, where, and what would be right.

Three kinds (SPEC P5 to P7): an unknown tool (the answer names tools that there are), a text that is
no JSON object (it names the place, or shows what was received, or the expected shape), and
arguments that the schema refuses (it names the field). Whether the answer is well put is for
people; that it holds the facts is judged here. A call that was repaired and run needs none. One
that is gone when the model is asked again, without a word from anybody, was not explained; what is
said of it in another place than its result is not judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from faultloop.scenarios.argument_text import Malformed, parse, quoted
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.tool_facts import Complaint
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import DeliveredCall

NAME = "failure_explained"
CLAIM = "P7"
CLAIMS = (CLAIM, "P5", "P6", "P8")
WHY = (
    "'Tool failed' makes a model guess; 'line 1 column 24: missing quote' makes it right at the "
    "next try. Each guess is a request that somebody pays for. Public report: a run that ends at a "
    "misspelt tool name instead (openai-agents-python #3459)."
)
CURE = (
    "Answer each correctable failure with what is wrong and where (line and column, or field "
    "path), an excerpt of what was received, and how to fix it; for an unknown tool with the "
    "nearest names."
)

PLACE = (
    r"\b(?:line|ln|row|column|col|char(?:acter)?|position|offset|index|byte)\b[ :=]*\d+"
    r"|unexpected end|unterminated"
)
SHAPE = r"(?<!\[)(?<!\[object )\bobjects?\b|\bkey[- ]value\b"
"""An object is asked for; naming a parameter that the tool declares does as well."""
_ARGUMENTS = r"(?:arguments?|args|inputs?|param(?:eter)?s?|fields?|propert(?:y|ies)|json|body)"
EMPTY = (
    rf"\b(?:empty|blank|missing|no|without|received nothing)\b(?:\W+\w+){{0,4}}?\W+{_ARGUMENTS}\b"
    rf"|\b{_ARGUMENTS}\b(?:\W+\w+){{0,4}}?\W+(?:empty|blank|missing)\b"
)
"""Emptiness of the arguments, not of anything else."""
EXCERPT_CHARS = 8
"""As much of the received text in a row is an excerpt."""

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether each call that could not run was explained."""
    if plain := promise.needs_pairing(evidence.paired):
        return plain
    found = [
        finding
        for call in evidence.views.calls
        if call.complete and not call.cut
        for finding in [_judge_call(evidence, call)]
        if finding is not None
    ]
    return promise.total(
        found, untested="no call was wrong as written, or no request followed that answered it"
    )


def _judge_call(evidence: Evidence, call: DeliveredCall) -> Finding | None:
    if evidence.views.has_run(call):
        return None
    told = evidence.views.told_of(call)
    if told is None:
        return _judge_silence(evidence, call)
    if told.request.start != call.start:
        return None
    proof = (call.position, told.request.position)
    wrong, missing = _missing(evidence, call, told.text)
    if not wrong:
        return None
    if missing:
        return promise.broken(
            f"{wrong}; the model was told {quoted(told.text)!r}, without {missing}", *proof
        )
    return promise.held(f"{wrong} was explained to the model", *proof)


def _judge_silence(evidence: Evidence, call: DeliveredCall) -> Finding | None:
    """Of a call without a result: whether the model was asked again as if it had made none."""
    again = evidence.views.request_after(call.position if call.closed is None else call.closed)
    wrong, _ = _missing(evidence, call, "")
    if not wrong or again is None or again.start != call.start or again.may_show(call.id):
        return None
    asked = next(one for one in evidence.views.exchanges if one.number == call.request)
    said = {message.text for message in asked.messages}
    new = [one for one in again.messages if one.text and one.text not in said]
    if any(one.role in ("system", "user") for one in new):
        return None
    if any(one.role == "tool" and call.tool in one.text for one in new):
        return None
    return promise.broken(
        f"{wrong}; request {again.number} holds neither the call nor a word about it",
        call.position,
        again.position,
    )


def _missing(evidence: Evidence, call: DeliveredCall, told: str) -> tuple[str, str]:
    """What is wrong with the call, and what the answer lacks to explain it; empty where nothing."""
    if not call.offered:
        known = _named(evidence.tools, told)
        return f"there is no tool {call.tool}", "" if known else "any tool that there is"
    value = parse(call.arguments)
    if not call.arguments.strip():
        said = re.search(EMPTY, told, re.IGNORECASE)
        return f"the arguments of {call.tool} are empty", "" if said else "that they are empty"
    if isinstance(value, Malformed):
        explained = re.search(PLACE, told, re.IGNORECASE) or _excerpt(call.arguments, told)
        return f"the arguments of {call.tool} are no JSON", "" if explained else (
            "the place or what was received"
        )
    if not isinstance(value, dict):
        declared = evidence.facts(call.tool).properties
        shaped = re.search(SHAPE, told, re.IGNORECASE) or _named(declared, told)
        return f"the arguments of {call.tool} are no object", "" if shaped else "the expected shape"
    facts = evidence.tools.get(call.tool)
    complaints = (facts.complaints(value) or facts.later_complaints(value)) if facts else ()
    if not complaints:
        return "", ""
    fields = {field for complaint in complaints for field in _fields(complaint)}
    named = _named(fields, told)
    wrong = f"the arguments of {call.tool} do not fit ({complaints[0].message})"
    return wrong, "" if named else "the field"


def _named(names: Iterable[str], told: str) -> bool:
    """Whether one of them is named, as a word of its own; what is told as JSON has its line breaks
    as letters."""
    begins = r"(?:(?<!\w)|(?<=\\[nrt]))"
    return any(re.search(rf"{begins}{re.escape(name)}(?!\w)", told) for name in names)


def _fields(complaint: Complaint) -> list[str]:
    """The names by which an answer may point at it."""
    inside = re.findall(r"['\"](\w+)['\"]", complaint.message)
    return [part for part in complaint.path.split("/") if part and not part.isdigit()] or inside


def _excerpt(text: str, told: str) -> bool:
    spoken = told.replace("\\", "")
    if len(text) < EXCERPT_CHARS:
        return bool(text) and text in spoken
    return any(
        text[i : i + EXCERPT_CHARS].replace("\\", "") in spoken
        for i in range(len(text) - EXCERPT_CHARS + 1)
    )
