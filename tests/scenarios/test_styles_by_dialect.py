"""The careful loop in the dialects besides Chat Completions: held where it is right, in each form.

One driver, a spelling for each dialect; its session and its tools are the same in all. A finding
here that Chat Completions has not is a mistake of a view that takes one dialect for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from faultloop.fakes.history import Refused
from faultloop.scenarios.applicable import why_not
from faultloop.scenarios.subject import Column
from faultloop.scenarios.verdict import Verdict

from .troupe import CATALOGUE, Played, Role, Table, broken_checks, judged, subject

TELLING = (
    "blocks-never-end",
    "broken-json-is-explained",
    "cancel-with-calls-waiting",
    "cut-arguments-are-not-run",
    "cut-in-the-last-call-of-a-batch",
    "killed-in-the-middle-of-a-batch",
    "malformed-call-is-no-answer",
    "next-turn-after-an-outage",
    "overloaded-after-an-effect",
    "pull-request-504-created",
    "rate-limited-after-an-effect",
    "reads-around-a-write",
    "reset-in-arguments",
    "second-message",
    "two-payments-are-two",
    "unknown-tool-is-explained",
)
"""A scenario for each thing that a dialect has its own form for."""

RIGHT = (
    Role("base", "openai_chat"),
    Role("base", "openai_responses"),
    Role("kept", "openai_responses"),
    Role("ownids", "openai_responses"),
    Role("base", "anthropic_messages"),
    Role("ownids", "anthropic_messages"),
    Role("base", "gemini"),
    Role("bare", "gemini"),
)
"""None of what these play may be broken, nor left open."""
STREAMED_ONLY = ("kept", "ownids", "bare")

WRONG: dict[tuple[str, str], str] = {
    ("lc", "cut-text-is-not-the-answer"): "end_acceptable",
    ("swallow", "overloaded-after-an-effect"): "end_acceptable",
    ("hasty", "rate-limited-after-an-effect"): "retry_manners",
    ("mumble", "unknown-tool-is-explained"): "failure_explained",
    ("ph3", "pull-request-504-created"): "unknown_outcome_told",
    ("runcut", "complete-arguments-of-a-cut-reply"): "truncated_not_executed",
}
"""Style and scenario to the check that must find it broken, in every dialect and form."""
DIALECTS = ("openai_responses", "anthropic_messages", "gemini")


def wanted() -> Iterator[Played]:
    """Every play that a test below looks at."""
    for role in RIGHT:
        able = subject(role).capabilities
        for streaming in (True,) if role.style in STREAMED_ONLY else (True, False):
            column = Column(dialect=role.dialect, streaming=streaming)
            for name in TELLING:
                if why_not(CATALOGUE[name], able, column) is None:
                    yield Played(role, name, streaming)
    for style, name in WRONG:
        for dialect in DIALECTS:
            for streaming in (True, False):
                yield Played(Role(style, dialect), name, streaming)


@pytest.fixture(scope="module")
def table() -> Table:
    """What was judged of each play."""
    return judged(wanted())


@pytest.mark.parametrize("role", RIGHT, ids="-".join)
def test_a_right_loop_is_held_in_every_dialect_and_form(table: Table, role: Role) -> None:
    reasons = {
        (played.scenario, played.streaming): judgement.reason
        for played, (judgement, _) in table.items()
        if played.role == role and judgement.verdict is not Verdict.HELD
    }
    assert reasons == {}


@pytest.mark.parametrize("role", RIGHT, ids="-".join)
def test_a_right_loop_trips_no_rule_of_the_strict_provider(table: Table, role: Role) -> None:
    refused = [
        (played.scenario, entry.rule, entry.sentence)
        for played, (_, done) in table.items()
        if played.role == role
        for entry in done.evidence.history
        if isinstance(entry, Refused)
    ]
    assert refused == []


@pytest.mark.parametrize("streaming", [True, False], ids=["streamed", "whole"])
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(("style", "name"), WRONG)
def test_one_known_mistake_is_found(
    table: Table, style: str, name: str, dialect: str, streaming: bool
) -> None:
    judgement, _ = table[Played(Role(style, dialect), name, streaming)]
    assert WRONG[style, name] in broken_checks(judgement), judgement.reason
