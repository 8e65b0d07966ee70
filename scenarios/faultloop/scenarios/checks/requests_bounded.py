"""The loop asks the model at most as often as the scenario allows, retries and restarts included.

Side requests (without tools) are not counted: they are no steps; nor are the further parts of a
step whose calls were asked for one by one. The provider's own cap is the last stop; a loop that
meets it had no bound of its own.
"""

from __future__ import annotations

from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise

NAME = "requests_bounded"
CLAIM = "L2"
CLAIMS = (CLAIM, "D8")
WHY = (
    "A model that repeats itself costs money for as long as the loop lets it. Public report: "
    "endless tool calls (haystack #10001)."
)
CURE = (
    "Bound steps, time, tokens and cost by default, and end the turn with the bound's own reason."
)

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether the number of requests stayed within the scenario's bound."""
    exchanges = evidence.views.exchanges
    if not exchanges:
        return promise.not_applicable("the model was never asked")
    most = evidence.scenario.max_requests
    capped = next(
        (one for one in exchanges if one.refused and one.refused.rule == "request_cap"), None
    )
    if capped is not None:
        return promise.broken(
            f"{len(exchanges)} requests: the provider had to refuse request {capped.number}",
            capped.position,
        )
    counted = [one for one in exchanges if one.replied is None or one.replied.part == 1]
    if len(counted) > most:
        return promise.broken(
            f"{len(counted)} requests where {most} are enough", counted[most].position
        )
    return promise.held(f"{len(counted)} of at most {most} requests", exchanges[-1].position)
