"""A tool that does not exist is answered with the one that was surely meant before all others.

Surely meant is judged only where there is no doubt: the name that the model used and a tool's name
have the same letters, whatever their case and separators. Whether names are listed at all is
`failure_explained`'s; here it is their order. What the model itself had sent is not the answer's,
and a name that is offered in so many words ("did you mean") needs no place in a list. A call that
was repaired and run needs none either.
"""

from __future__ import annotations

import re

from faultloop.scenarios.argument_text import Malformed, parse, quoted, same, values_in
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import DeliveredCall

NAME = "nearest_name_first"
CLAIM = "P6"
CLAIMS = (CLAIM,)
WHY = (
    "A list of sixty tools in the order of their registration answers `readFile` with everything "
    "but a hint; where the list is cut, the right name is not even in it."
)
CURE = "Sort the names by their likeness to the one that was used, and cut the list after that."

OFFERED = (
    r"\b(?:did you mean|(?:you )?(?:probably |perhaps |maybe )?meant?|closest|nearest|similar|use"
    r"|try|call|instead)\b(?: (?:the|is|to|tool|function|call|use|match|name|one))*\W{1,4}"
)
"""Words before the one name that is offered."""

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether the tool that was meant is named first."""
    if plain := promise.needs_pairing(evidence.paired):
        return plain
    found = [
        finding
        for call in evidence.views.calls
        if call.complete and not call.cut and not call.offered
        for finding in [_judge(evidence, call)]
        if finding is not None
    ]
    return promise.total(found, untested="no unknown tool was answered whose right name is plain")


def _judge(evidence: Evidence, call: DeliveredCall) -> Finding | None:
    meant = next((tool for tool in evidence.tools if _letters(tool) == _letters(call.tool)), None)
    told = evidence.views.told_of(call)
    if meant is None or told is None:
        return None
    proof = (call.position, told.request.position)
    if evidence.views.has_run(call):
        return promise.held(f"{call.tool} was run as {meant}", *proof)
    said = _without_received(told.text, call.arguments)
    if re.search(rf"{OFFERED}{re.escape(meant)}(?!\w)", said, re.IGNORECASE):
        return promise.held("the tool that was meant is offered", *proof)
    places = {
        tool: match.start()
        for tool in evidence.tools
        if (match := re.search(rf"(?<!\w){re.escape(tool)}(?!\w)", said))
    }
    if not places:
        return None
    first = min(places, key=places.__getitem__)
    if first == meant:
        return promise.held("the tool that was meant is named first", *proof)
    where = f"after {first}" if meant in places else "not at all"
    return promise.broken(
        f"{call.tool} is {meant}, which is named {where}: {quoted(told.text, 160)!r}", *proof
    )


def _without_received(told: str, arguments: str) -> str:
    """An answer without the arguments that it quotes, as they were sent or written anew."""
    told = told.replace(arguments, " ") if arguments.strip() else told
    sent = parse(arguments)
    if isinstance(sent, Malformed):
        return told
    for value, text in values_in(told):
        if same(value, sent):
            told = told.replace(text, " ")
    return told


def _letters(name: str) -> str:
    return re.sub(r"[\W_]", "", name).casefold()
