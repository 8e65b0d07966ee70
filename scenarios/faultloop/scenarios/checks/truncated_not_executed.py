"""No call of a reply that was judged truncated is executed, even where its JSON happens to parse.

Truncated means: finished with `length`, connection reset, or ended without a finish reason.
Starting each item as it completes (SPEC L4) is a known policy: a complete call that arrived at the
world before its reply was over was started in good faith and is not counted, and where the preset
`codex` is played neither is one that arrived just after. A half call never is in good faith.
"""

from __future__ import annotations

from collections.abc import Iterator

from faultloop.scenarios.argument_text import quoted
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import DeliveredCall, Invocation

NAME = "truncated_not_executed"
CLAIM = "P1"
CLAIMS = (CLAIM, "P2", "P11", "L4")
WHY = (
    "A cut reply is not what the model meant: `rm -rf /data/old` cut after `/data` still parses. "
    "Public reports: arguments of a cut reply were repaired and run (pi #6284, mended since; "
    "langchain #39275)."
)
CURE = (
    "Judge the reply before its calls: with `length`, or without any finish reason, answer each "
    "call with an error that says so, or end the turn as `max_tokens`. Never repair a cut call."
)

PER_ITEM_POLICIES = frozenset({"codex"})
"""Presets that start each item as it completes."""

_REASONS = {
    "length": "of a reply that finished with length",
    "reset": "of a reply whose connection was reset",
    "cut": "of a reply that ended without a finish reason",
    "hole": "of which a piece is missing",
    "client_gone": "of a reply that the subject did not read to the end",
}

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether nothing ran that a truncated reply asked for."""
    cut = [call for call in evidence.views.calls if call.cut]
    found = [finding for call in cut for finding in _judge_call(evidence, call)]
    return promise.total(found, untested="no reply with calls was truncated")


def _judge_call(evidence: Evidence, call: DeliveredCall) -> Iterator[Finding]:
    ran = [one for one in evidence.views.invocations_of(call) if one.ran]
    for one in ran:
        yield _judge_invocation(evidence, call, one)
    if not ran:
        yield promise.held(f"{call.tool} {_REASONS[call.cut]} was not executed", call.position)


def _judge_invocation(evidence: Evidence, call: DeliveredCall, one: Invocation) -> Finding:
    proof = (call.position, *one.proof)
    what = f"{call.tool} {_REASONS[call.cut]} was executed with {quoted(one.arrived.arguments)!r}"
    if not one.sure:
        return promise.unknown(f"{what}, or an equal call of another reply was", *proof)
    if not call.complete:
        return promise.broken(f"{what}, half of what the model was saying", *proof)
    early = call.closed is not None and one.position < call.closed
    if early or evidence.capabilities.policy in PER_ITEM_POLICIES:
        return promise.held(
            f"{call.tool} was started as a complete item before its reply turned out cut (SPEC L4)",
            *proof,
        )
    return promise.broken(f"{what}, though the reply was over and known to be cut", *proof)
