"""The judge: what makes a play unknown, which verdict wins, and that checks may fail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from faultloop.fakes.history import (
    Account,
    Acted,
    Ended,
    FaultFired,
    Refused,
    Replied,
    Requested,
    Started,
)
from faultloop.scenarios.checks import CHECKS
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.judge import idle, judge, unfired
from faultloop.scenarios.rules import CLAIMS_MAX
from faultloop.scenarios.scenario import Scenario
from faultloop.scenarios.subject import Capabilities, Column
from faultloop.scenarios.verdict import Finding, Promise, Verdict, worst

STARTED = Started(position=0, start=1, turn=0, input="Go.", resume=False)
ASKED = Requested(
    position=1, start=1, request=1, dialect="openai_chat", streaming=True, tools=(), messages=()
)
FIRED = FaultFired(position=2, start=1, fault=0, kind="server_error", request=1)
ACTED = Acted(position=3, start=1, trigger=0, do="cancel", landmark="request_arrived")
ENDED = Ended(position=4, start=1, how="exited", exit_code=0)


@dataclass
class Fixed:
    """A check that always says the same."""

    NAME: str
    says: Verdict
    CLAIM: str = "L1"
    CLAIMS: tuple[str, ...] = ("L1",)
    WHY: str = ""
    CURE: str = ""

    def judge(self, evidence: Evidence) -> Finding:
        return Finding(
            check=self.NAME, claim=self.CLAIM, verdict=self.says, sentence=f"so says {self.NAME}"
        )


class Crashing(Fixed):
    """A check with a bug."""

    def judge(self, evidence: Evidence) -> Finding:
        raise ZeroDivisionError("one by nothing")


def evidence(*history: Any, checks: tuple[str, ...] = ("first",), **changes: Any) -> Evidence:
    scenario = {
        "schema": 1,
        "name": "a-story",
        "claim": "A loop does as it is told.",
        "claims": ["L1"],
        "checks": checks,
        "world": {"files": {}},
        "input": "Go.",
        "script": [{"say": "Done."}],
        "accept": [{"end_reason": ["completed"]}],
        "max_requests": 4,
    }
    return Evidence(
        scenario=Scenario.model_validate(scenario | changes),
        subject="a-subject",
        capabilities=Capabilities(),
        column=Column(),
        history=history,
        times_s=(0.0,) * len(history),
        ledger=(),
    )


def judged(*says: str, **also: Any) -> Any:
    names = ("first", "second", "third")
    checks = {name: Fixed(name, Verdict(said)) for name, said in zip(names, says, strict=False)}
    return judge(evidence(STARTED, ASKED, ENDED), checks=checks, **also)


@pytest.mark.parametrize(
    ("says", "verdict", "reason"),
    [
        (["held", "not_applicable"], "held", "1 promises held"),
        (["held", "unknown"], "unknown", "second: so says second"),
        (["unknown", "broken"], "broken", "second: so says second"),
        (["broken", "held", "broken"], "broken", "first: so says first"),
    ],
)
def test_the_worst_finding_wins(says: list[str], verdict: str, reason: str) -> None:
    judgement = judged(*says)
    assert (judgement.verdict, judgement.reason) == (verdict, reason)


def test_the_worst_of_nothing_is_unknown() -> None:
    assert worst([]) is Verdict.UNKNOWN


def test_a_check_that_fails_is_unknown_and_the_others_go_on() -> None:
    checks = {
        "first": Crashing("first", Verdict.HELD),
        "second": Fixed("second", Verdict.HELD),
    }
    judgement = judge(evidence(STARTED, ASKED, ENDED), checks=checks)
    assert judgement.verdict is Verdict.UNKNOWN
    assert "ZeroDivisionError: one by nothing" in judgement.reason
    assert [finding.verdict for finding in judgement.findings] == ["unknown", "held"]


def test_an_empty_history_is_unknown() -> None:
    judgement = judge(evidence(), checks={"first": Fixed("first", Verdict.HELD)})
    assert judgement.verdict is Verdict.UNKNOWN
    assert [finding.verdict for finding in judgement.findings] == ["unknown"]


def test_a_check_that_the_scenario_demands_must_have_had_something_to_judge() -> None:
    judgement = judged("not_applicable", "held")
    assert judgement.verdict is Verdict.UNKNOWN
    assert judgement.reason == "first was not put to the test: so says first"


def test_a_check_that_no_play_of_the_subject_can_put_to_the_test_is_no_doubt() -> None:
    class Unable(Fixed):
        def judge(self, evidence: Evidence) -> Finding:
            return Promise(name=self.NAME, claim="L1").cannot_be_judged("it shows no journal")

    checks = {
        "first": Unable("first", Verdict.NOT_APPLICABLE),
        "second": Fixed("second", Verdict.HELD),
    }
    assert judge(evidence(STARTED, ASKED, ENDED), checks=checks).verdict is Verdict.HELD


def test_a_check_that_does_not_exist_is_unknown() -> None:
    checks = {"second": Fixed("second", Verdict.HELD)}
    assert judge(evidence(STARTED, ASKED, ENDED), checks=checks).reason == (
        "there is no check first"
    )


def test_a_fault_that_never_fired_is_unknown() -> None:
    faults = [{"kind": "server_error", "at": "step 1"}]
    checks = {"first": Fixed("first", Verdict.HELD)}
    seen = judge(evidence(STARTED, ASKED, FIRED, ENDED, faults=faults), checks=checks)
    missed = judge(evidence(STARTED, ASKED, ENDED, faults=faults), checks=checks)
    assert seen.verdict is Verdict.HELD
    assert missed.verdict is Verdict.UNKNOWN
    assert missed.reason == "fault 1 (server_error at step 1) never fired"


@pytest.mark.parametrize(
    ("ended", "how"),
    [
        (ENDED, "it ended with exit code 0"),
        (Ended(position=4, start=1, how="killed"), "it was killed"),
        (Ended(position=4, start=1, how="did_not_end"), "it did not end in time"),
    ],
)
def test_a_subject_that_asked_nothing_is_told_before_what_could_not_happen(
    ended: Ended, how: str
) -> None:
    checks = {"first": Fixed("first", Verdict.HELD)}
    faults = [{"kind": "server_error", "at": "step 1"}]
    mute = judge(evidence(STARTED, ended, faults=faults), checks=checks)
    assert mute.reason == (
        f"{how} and made no request; fault 1 (server_error at step 1) never fired"
    )


def test_an_event_that_never_happened_is_unknown() -> None:
    events = [{"at": "request_arrived", "do": "cancel"}]
    checks = {"first": Fixed("first", Verdict.HELD)}
    seen = judge(evidence(STARTED, ASKED, ACTED, ENDED, events=events), checks=checks)
    missed = judge(evidence(STARTED, ASKED, ENDED, events=events), checks=checks)
    assert seen.verdict is Verdict.HELD
    assert missed.reason == "event 1 (cancel at request_arrived) never happened"


def test_what_the_stage_says_goes_before_what_the_history_shows() -> None:
    story = evidence(STARTED, ASKED, ENDED, faults=[{"kind": "server_error", "at": "step 1"}])
    checks = {"first": Fixed("first", Verdict.HELD)}
    assert unfired(story) == (0,)
    assert idle(story) == ()
    assert judge(story, unfired_faults=(), checks=checks).verdict is Verdict.HELD


def test_a_doubt_does_not_hide_what_is_broken() -> None:
    assert judged("broken", idle_triggers=()).verdict is Verdict.BROKEN
    story = evidence(STARTED, ASKED, ENDED, faults=[{"kind": "server_error", "at": "step 1"}])
    checks = {"first": Fixed("first", Verdict.BROKEN)}
    assert judge(story, checks=checks).verdict is Verdict.BROKEN


def test_a_failure_of_the_bench_hides_everything() -> None:
    judgement = judged("broken", crash="Traceback:\n  ...\nOSError: disk full\n")
    assert judgement.verdict is Verdict.UNKNOWN
    assert judgement.reason == "the bench itself failed: OSError: disk full"


def test_a_subject_may_decline_before_its_first_request() -> None:
    declining = Ended(
        position=1, start=1, how="exited", account=Account(not_applicable="no network")
    )
    judgement = judge(evidence(STARTED, declining), checks=CHECKS)
    assert (judgement.verdict, judgement.reason) == ("not_applicable", "no network")


def test_a_subject_may_not_decline_after_it() -> None:
    declining = Ended(position=2, start=1, how="exited", account=Account(not_applicable="no"))
    checks = {"first": Fixed("first", Verdict.HELD)}
    assert judge(evidence(STARTED, ASKED, declining), checks=checks).verdict is Verdict.HELD


# --- sums -------------------------------------------------------------------------------------

PROMISE = Promise(name="first", claim="L1")


def test_the_sum_of_nothing_is_not_applicable() -> None:
    finding = PROMISE.total([], untested="no call was made")
    assert (finding.verdict, finding.sentence) == ("not_applicable", "no call was made")


def test_a_sum_keeps_what_decides_and_its_proof() -> None:
    findings = [
        PROMISE.held("fine", 1),
        PROMISE.broken("twice", 9, 4),
        PROMISE.broken("again", 7),
        PROMISE.broken("twice", 12),
    ]
    finding = PROMISE.total(findings, untested="")
    assert (finding.sentence, finding.positions) == ("twice; again", (4, 7, 9, 12))


def test_a_sum_is_beyond_judging_only_if_all_of_it_is() -> None:
    cannot, untested = PROMISE.cannot_be_judged("plain text"), PROMISE.not_applicable("no call")
    assert PROMISE.total([cannot], untested="").subject_cannot
    assert not PROMISE.total([cannot, untested], untested="").subject_cannot
    assert PROMISE.total([cannot, PROMISE.held("fine", 1)], untested="").verdict is Verdict.HELD


def test_a_long_sum_counts_what_it_does_not_quote() -> None:
    findings = [PROMISE.broken(f"request {number}", number) for number in range(60)]
    finding = PROMISE.total(findings, untested="")
    assert finding.sentence == "request 0; request 1; request 2; and 57 more"
    assert len(finding.positions) == 50


# --- the table --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CHECKS)
def test_a_check_says_what_it_is_for(name: str) -> None:
    check = CHECKS[name]
    assert name == check.NAME
    assert check.CLAIMS[0] == check.CLAIM
    assert len({*check.CLAIMS}) == len(check.CLAIMS)
    assert all(int(claim[1:]) <= CLAIMS_MAX[claim[0]] for claim in check.CLAIMS)
    assert len(check.WHY) > 80
    assert len(check.CURE) > 40
    assert check.__doc__


@pytest.mark.parametrize("name", CHECKS)
def test_a_check_has_nothing_to_say_of_an_empty_history(name: str) -> None:
    finding = CHECKS[name].judge(evidence())
    assert (finding.check, finding.claim) == (name, CHECKS[name].CLAIM)
    assert finding.verdict in ("not_applicable", "unknown")


REFUSED = Refused(
    position=2,
    start=1,
    request=1,
    status=400,
    rule="unanswered_call",
    sentence="call_A has no result",
)
REPLIED = Replied(
    position=3,
    start=1,
    request=2,
    turn=0,
    step=1,
    cursor="mark",
    text="Done.",
    calls=(),
    finish_reason="stop",
    served=1,
)


def reason(*history: Any, says: str = "broken") -> str:
    check = Fixed("first", Verdict(says))
    return judge(evidence(STARTED, ASKED, *history, ENDED), checks={"first": check}).reason


def test_what_the_provider_had_against_a_request_is_part_of_the_reason() -> None:
    assert reason(REFUSED) == (
        "first: so says first; the provider had refused request 1 with 400 (unanswered_call): "
        "call_A has no result"
    )


@pytest.mark.parametrize(
    ("history", "says"),
    [
        ((REFUSED, REPLIED), "broken"),  # it mended its request
        ((), "broken"),
        ((REFUSED,), "held"),
    ],
)
def test_a_refusal_that_explains_nothing_is_not_told(history: tuple[Any, ...], says: str) -> None:
    assert "refused" not in reason(*history, says=says)
