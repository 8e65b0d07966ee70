"""A tool that does not exist is answered with the one that was surely meant before all others.

Surely meant is judged only where there is no doubt: the name that the model used and a tool's name
have the same letters, whatever their case and separators. Whether names are listed at all is
`failure_explained`'s; here it is their order. A call that was repaired and run needs no list.
"""

from __future__ import annotations

import re

from faultloop.scenarios.argument_text import quoted
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

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether the tool that was meant is named first."""
    if evidence.capabilities.pairing == "text":
        return promise.cannot_be_judged("this subject writes calls and results as plain text")
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
    after = call.closed if call.closed is not None else call.position
    following = next(evidence.views.requests_after(after), None)
    told = following.told_of(call.id) if following else None
    if meant is None or following is None or told is None:
        return None
    proof = (call.position, following.position)
    if any(one.ran for one in evidence.views.invocations_of(call)):
        return promise.held(f"{call.tool} was run as {meant}", *proof)
    places = {
        tool: match.start()
        for tool in evidence.tools
        if (match := re.search(rf"(?<!\w){re.escape(tool)}(?!\w)", told))
    }
    if not places:
        return None
    first = min(places, key=places.__getitem__)
    if first == meant:
        return promise.held("the tool that was meant is named first", *proof)
    where = f"after {first}" if meant in places else "not at all"
    return promise.broken(
        f"{call.tool} is {meant}, which is named {where}: {quoted(told, 160)!r}", *proof
    )


def _letters(name: str) -> str:
    return re.sub(r"[\W_]", "", name).casefold()
