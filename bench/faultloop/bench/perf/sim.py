"""Plays of the sim tier: how many a second, with and without judging, and what the HTTP costs.

The baseline of a play through httpx is the bare exchange: the same requests, byte for byte, through
httpx and the same in-process transport to the same fakes, but with no loop, no journal and no
judge. The baseline of the direct port is the streamed play through httpx.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager, contextmanager
from dataclasses import replace
from itertools import count
from typing import NamedTuple

import httpx

from faultloop.bench.perf.measurement import Bound, Figure, Figures, Measurement, Sides
from faultloop.bench.perf.workload import TROUBLED, WORKLOAD, per_cpu_second
from faultloop.bench.running import judged
from faultloop.fakes import clock
from faultloop.fakes.app import App
from faultloop.fakes.asgi import Message, Receive, Scope, Send
from faultloop.fakes.stage import Stage
from faultloop.fakes.transport import StageTransport
from faultloop.scenarios.house import open_house
from faultloop.scenarios.plan import plan
from faultloop.scenarios.play import Done, Hands, Order
from faultloop.scenarios.scenario import Scenario
from faultloop.scenarios.subject import Column, Session, Venue
from faultloop.scenarios.subjects.reference import Port, ReferenceSubject
from faultloop.scenarios.verdict import Verdict

Prepare = Callable[[], AbstractContextManager[Sides]]

PLAYS = 25
"""Plays in a round."""


class Heard(NamedTuple):
    """A request as the app got it."""

    method: str
    path: str
    headers: list[tuple[bytes, bytes]]
    body: bytes


class Listening(App):
    """The fake app, which also writes down what it is asked."""

    def __init__(self, stages: dict[str, Stage]) -> None:
        super().__init__(stages)
        self.heard: list[Heard] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        message = await receive()
        body = message.get("body", b"")
        self.heard.append(Heard(scope["method"], scope["path"], scope["headers"], body))

        async def again() -> Message:
            return message

        await super().__call__(scope, again, send)


class Overheard(ReferenceSubject):
    """The reference loop, and the requests that it makes."""

    def open(self, venue: Venue) -> AbstractAsyncContextManager[Session]:
        """A session for one play."""
        assert venue.app is not None, "the sim tier has an app"
        self.app = Listening(venue.app.stages)
        return super().open(replace(venue, app=self.app))


@contextmanager
def playing(
    port: Port, column: Column, repeats: Iterator[int], scenario: Scenario = WORKLOAD
) -> Iterator[Callable[[], Done]]:
    """Makes one play after the other, no two of them alike."""
    subject = ReferenceSubject(port=port)
    with open_house(subject) as house:

        def play() -> Done:
            order = Order(
                scenario=scenario, subject=subject, column=column, seed=1, repeat=next(repeats)
            )
            (done,) = house.play([order])
            return done

        yield play


def must_hold(done: Done) -> None:
    """Judge it; unless it is held, what was measured is not what it seems."""
    judgement = judged(done)
    if judgement.verdict is not Verdict.HELD:
        raise RuntimeError(f"a play that is measured is not held: {judgement.reason}")


def speeds(play: Callable[[], Done]) -> Figures:
    """Plays in a CPU second, as they are made, and with their judging."""
    began_s = time.process_time()
    made = [play() for _ in range(PLAYS)]
    played_s = time.process_time() - began_s
    for done in made:
        must_hold(done)
    judged_s = time.process_time() - began_s
    return PLAYS / played_s, PLAYS / judged_s


def exchange(column: Column) -> Callable[[], None]:
    """The requests of one play, ready to be made again without anybody who means them."""
    subject = Overheard()
    order = Order(scenario=WORKLOAD, subject=subject, column=column, seed=1)
    with open_house(subject) as house:
        list(house.play([order]))
    requests = subject.app.heard

    async def make_them() -> None:
        script = plan(order.scenario, seed=order.seed, play=order.play)
        stage = Stage(script, clock=clock.sim_loop().time, deeds=Hands())
        stage.begin(1, 0, resume=False)
        transport = StageTransport(App({order.play: stage}))
        async with httpx.AsyncClient(
            transport=transport, base_url="http://stage.invalid", trust_env=False
        ) as client:
            for method, path, headers, body in requests:
                answer = await client.request(method, path, headers=headers, content=body)
                answer.raise_for_status()

    return lambda: clock.run(make_them, seed=order.seed)


@contextmanager
def through_http(column: Column) -> Iterator[Sides]:
    """A whole play, against its bare exchange."""
    bare = exchange(column)
    with playing("http", column, count()) as play:
        yield Sides(
            measured=lambda: speeds(play), baseline=lambda: (per_cpu_second(PLAYS, bare),) * 2
        )


@contextmanager
def streamed(port: Port, scenario: Scenario, other: Port, others: Scenario) -> Iterator[Sides]:
    """Streamed plays through a port, against others."""
    column = Column(streaming=True)
    with (
        playing(port, column, count(), scenario) as play,
        playing(other, column, count(), others) as play_other,
    ):
        yield Sides(measured=lambda: speeds(play), baseline=lambda: speeds(play_other))


def _measured(name: str, says: str, against: str, at_least: float, prepare: Prepare) -> Measurement:
    return Measurement(
        name=name,
        says=says,
        against=against,
        figures=(
            Figure(name="played", unit="plays/CPU s", bound=Bound("at least", at_least)),
            Figure(name="played and judged", unit="plays/CPU s"),
        ),
        open=prepare,
        rounds=7,
        budget_s=6,
    )


_BARE = "their bare exchange, without loop, journal and judge"
_FAIR = "the same without trouble"

SIM = (
    _measured(
        "sim-streamed",
        "plays through httpx, streamed",
        _BARE,
        100,
        lambda: through_http(Column(streaming=True)),
    ),
    _measured(
        "sim-whole",
        "plays through httpx, whole replies",
        _BARE,
        100,
        lambda: through_http(Column(streaming=False)),
    ),
    _measured(
        "sim-direct",
        "plays through the direct port",
        "streamed plays through httpx",
        200,
        lambda: streamed("direct", WORKLOAD, "http", WORKLOAD),
    ),
    _measured(
        "sim-faults-http",
        "streamed plays through httpx, in which about a quarter of all that is asked fails once",
        _FAIR,
        150,
        lambda: streamed("http", TROUBLED, "http", WORKLOAD),
    ),
    _measured(
        "sim-faults-direct",
        "the same through the direct port",
        _FAIR,
        400,
        lambda: streamed("direct", TROUBLED, "direct", WORKLOAD),
    ),
)
