"""Strangers in many styles and dialects, played in one real house, several at once, and judged.

One driver (`styles/driver.py`); its style and its dialect are told to it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import faultloop.bench.subjects
from faultloop.scenarios import reading
from faultloop.scenarios.house import open_house
from faultloop.scenarios.judge import Judgement, judge
from faultloop.scenarios.play import Done, Order
from faultloop.scenarios.subject import Column
from faultloop.scenarios.subjects.declaration import Declaration
from faultloop.scenarios.subjects.process import ProcessSubject
from faultloop.scenarios.verdict import Verdict

HERE = Path(__file__).parent / "styles"
HELPER = Path(faultloop.bench.subjects.__file__).parent
PARALLEL = 6
CATALOGUE = {scenario.name: scenario for scenario in reading.catalogue()}


class Role(NamedTuple):
    """A style of the driver in one dialect."""

    style: str
    dialect: str = "openai_chat"


class Played(NamedTuple):
    """A play of a role."""

    role: Role
    scenario: str
    streaming: bool = True


Table = dict[Played, tuple[Judgement, Done]]


def subject(role: Role) -> ProcessSubject:
    """The driver in one role."""
    return ProcessSubject(
        Declaration(
            name=f"{role.style}-{role.dialect}".replace("_", "-"),
            version="1",
            command=("{python}", "driver.py"),
            mode="zygote",
            dialect=(role.dialect,),
            resume="session",
            commands="own",
            pairing="text" if role.style == "flat" else "native",
            environment={"PYTHONPATH": f"{HERE}:{HELPER}", "STYLE": role.style},
        ),
        HERE,
    )


class Troupe(ProcessSubject):
    """All roles under one roof: the house closes one subject, and this one closes the others."""

    def __init__(self, roles: Iterable[Role]) -> None:
        self.members = {role: subject(role) for role in roles}
        super().__init__(next(iter(self.members.values())).declaration, HERE)

    async def close(self) -> None:
        """End every zygote."""
        await asyncio.gather(*(member.close() for member in self.members.values()))


def judged(plays: Iterable[Played]) -> Table:
    """What is judged of each play."""
    wanted = tuple(dict.fromkeys(plays))
    troupe = Troupe(play.role for play in wanted)
    roles = {member.name: role for role, member in troupe.members.items()}
    orders = [
        Order(
            scenario=CATALOGUE[play.scenario],
            subject=troupe.members[play.role],
            column=Column(dialect=play.role.dialect, streaming=play.streaming),
            seed=1,
        )
        for play in wanted
    ]
    found: Table = {}
    with open_house(troupe, parallel=PARALLEL) as house:
        for done in house.play(orders):
            order = done.order
            key = Played(roles[order.subject.name], order.scenario.name, order.column.streaming)
            found[key] = judge(done.evidence, crash=done.crash), done
    return found


def broken_checks(judgement: Judgement) -> set[str]:
    """The checks that found it broken."""
    return {one.check for one in judgement.findings if one.verdict is Verdict.BROKEN}
