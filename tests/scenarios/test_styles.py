"""Strangers in many styles: a right loop is not faulted for its style, and a wrong one is caught.

The mutants are the reference loop with one thing wrong; here the loop is somebody else's, and what
must not be mistaken for a fault is as important as what must. All plays are made in one real house,
several at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import faultloop.bench.subjects
from faultloop.scenarios import reading
from faultloop.scenarios.house import open_house
from faultloop.scenarios.judge import Judgement, judge
from faultloop.scenarios.play import Order
from faultloop.scenarios.subject import Column
from faultloop.scenarios.subjects.declaration import Declaration
from faultloop.scenarios.subjects.process import ProcessSubject
from faultloop.scenarios.verdict import Verdict

HERE = Path(__file__).parent / "styles"
HELPER = Path(faultloop.bench.subjects.__file__).parent
PARALLEL = 6
CATALOGUE = {scenario.name: scenario for scenario in reading.catalogue()}

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


class Played(NamedTuple):
    """A play of a style."""

    style: str
    scenario: str


Table = dict[Played, Judgement]


def subject(style: str) -> ProcessSubject:
    """The driver in one style."""
    return ProcessSubject(
        Declaration(
            name=style,
            version="1",
            command=("{python}", "driver.py"),
            mode="zygote",
            resume="session",
            streaming=(True,),
            commands="own",
            pairing="text" if style == "flat" else "native",
            environment={"PYTHONPATH": f"{HERE}:{HELPER}", "STYLE": style},
        ),
        HERE,
    )


class Troupe(ProcessSubject):
    """All styles under one roof: the house closes one subject, and this one closes the others."""

    def __init__(self, styles: Iterable[str]) -> None:
        self.members = {style: subject(style) for style in styles}
        super().__init__(self.members["base"].declaration, HERE)

    async def close(self) -> None:
        """End every zygote."""
        await asyncio.gather(*(member.close() for member in self.members.values()))


def wanted() -> Iterator[Played]:
    """Every play that a test below looks at, once."""
    right = [Played(style, name) for style, names in RIGHT.items() for name in names]
    yield from dict.fromkeys([*right, *(Played(*key) for key in WRONG)])


@pytest.fixture(scope="module")
def table() -> Table:
    """What was judged of each play."""
    plays = list(wanted())
    troupe = Troupe(dict.fromkeys(play.style for play in plays))
    orders = [
        Order(
            scenario=CATALOGUE[play.scenario],
            subject=troupe.members[play.style],
            column=Column(streaming=True),
            seed=1,
        )
        for play in plays
    ]
    with open_house(troupe, parallel=PARALLEL) as house:
        return {
            Played(done.order.subject.name, done.order.scenario.name): judge(
                done.evidence, crash=done.crash
            )
            for done in house.play(orders)
        }


def reasons(table: Table, style: str, *verdicts: Verdict) -> dict[str, str]:
    """Scenario to reason, where the style's play came out so."""
    return {
        played.scenario: judgement.reason
        for played, judgement in table.items()
        if played.style == style
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
    judgement = table[Played(style, name)]
    broken = {one.check for one in judgement.findings if one.verdict is Verdict.BROKEN}
    assert WRONG[style, name] in broken, judgement.reason
