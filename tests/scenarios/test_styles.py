"""Strangers in many styles: a right loop is not faulted for its style, and a wrong one is caught.

The mutants are the reference loop with one thing wrong; here the loop is somebody else's, and what
must not be mistaken for a fault is as important as what must.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from faultloop.scenarios.verdict import Verdict

from .troupe import Played, Role, Table, broken_checks, judged

TELLING = (
    "broken-json-is-explained",
    "cut-arguments-are-not-run",
    "exclusive-call-is-a-barrier",
    "killed-in-the-middle-of-a-batch",
    "next-turn-after-an-outage",
    "output-without-end",
    "pull-request-created",
    "rate-limited-after-an-effect",
    "reads-come-back-in-order",
    "reset-in-arguments",
)
"""A scenario for each thing that loops do in their own way."""
MORE = (
    "cancel-in-a-silent-stream",
    "failed-edit-beside-an-append",
    "gapped-indexes",
    "interleaved-calls",
    "long-broken-arguments",
    "many-reads-at-once",
    "orders-in-a-file-are-data",
    "reads-around-a-write",
    "refund-is-not-a-charge",
    "repeated-names",
    "torn-text-is-gone",
    "two-payments-are-two",
    "unknown-tool-is-explained",
)
"""What a plain style is played with besides."""
TOLD = ("failed-edit-beside-an-append", "reads-around-a-write", "two-payments-are-two")
"""A batch with a failure, one with an order, and two calls that are alike."""
CANCELLED = (
    "cancel-while-a-tool-runs",
    "cancel-with-calls-waiting",
    "cut-text-is-not-the-answer",
)

RIGHT: dict[str, tuple[str, ...]] = {
    "base": (*TELLING, *MORE, *CANCELLED),
    "noids": (*TELLING, *TOLD),
    "ownids": (*TELLING, *TOLD),
    "parts": (*TELLING, *TOLD),
    "parallel": (*TELLING, *TOLD),
    "flat": (*TELLING, *TOLD),
    "finishtool": CANCELLED,
}
"""Style to what it is played with; none of it may be broken."""

WRONG: dict[tuple[str, str], str] = {
    ("lc", "cut-text-is-not-the-answer"): "end_acceptable",
    ("lc", "cut-then-completed"): "end_acceptable",
    ("title", "cut-text-is-not-the-answer"): "end_acceptable",
    ("title", "cut-then-completed"): "end_acceptable",
    ("swallow", "rate-limited"): "end_acceptable",
    ("swallow", "rate-limited-after-an-effect"): "end_acceptable",
    ("swallow", "gateway-timeout-once"): "end_acceptable",
    ("swallow", "server-error-after-an-effect"): "end_acceptable",
    ("swallow", "reset-in-text"): "end_acceptable",
    ("swallow", "ends-within-text"): "end_acceptable",
    ("silentcut", "output-without-end"): "output_in_budget",
    ("mumble", "broken-json-is-explained"): "failure_explained",
    ("mumble", "unknown-tool-is-explained"): "failure_explained",
    ("gatherall", "exclusive-call-is-a-barrier"): "exclusive_not_overlapping",
    ("parallel", "many-reads-at-once"): "pool_bounded",
    ("ph3", "pull-request-504-created"): "unknown_outcome_told",
    ("ph3", "charge-504-charged"): "unknown_outcome_told",
    ("leak", "cancel-while-a-tool-runs"): "nothing_after_cancel",
    # A command of its own is cancellable, and waiting for it is no cancel (SPEC C6).
    ("finishtool", "cancel-own-command"): "end_acceptable",
}
"""Style and scenario to the check that must find it broken."""


def wanted() -> Iterator[Played]:
    """Every play that a test below looks at."""
    for style, names in RIGHT.items():
        for name in names:
            yield Played(Role(style), name)
    for style, name in WRONG:
        yield Played(Role(style), name)


@pytest.fixture(scope="module")
def table() -> Table:
    """What was judged of each play."""
    return judged(wanted())


def reasons(table: Table, style: str, *verdicts: Verdict) -> dict[str, str]:
    """Scenario to reason, where the style's play came out so."""
    return {
        played.scenario: judgement.reason
        for played, (judgement, _) in table.items()
        if played.role == Role(style)
        and judgement.verdict in verdicts
        and (style, played.scenario) not in WRONG
    }


@pytest.mark.parametrize("style", RIGHT)
def test_a_right_loop_is_not_faulted_for_its_style(table: Table, style: str) -> None:
    assert reasons(table, style, Verdict.BROKEN) == {}


def test_of_the_plain_style_everything_can_be_told(table: Table) -> None:
    assert reasons(table, "base", Verdict.BROKEN, Verdict.UNKNOWN) == {}


@pytest.mark.parametrize(("style", "name"), WRONG)
def test_a_wrong_loop_is_caught(table: Table, style: str, name: str) -> None:
    judgement, _ = table[Played(Role(style), name)]
    assert WRONG[style, name] in broken_checks(judgement), judgement.reason
