"""Whether chances can be had again: the same request so many times, in a server started anew.

Every request has an even chance to fail. What is compared is which of them failed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from faultloop.bench.perf.peers.raw import Request, ask
from faultloop.bench.perf.peers.servers import OURS, Server, say
from faultloop.bench.perf.peers.streams import BODY, PLAIN, SAID

REQUESTS = 40
SEEDS = (1, 1, 2)
"""Of three starts; peers, who have no seed, are just started again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """How a server is told to fail every other time."""

    says: str
    told: object
    options: tuple[str, ...] = ()


CHANCES: Mapping[str, Chance] = {
    OURS: Chance(
        says="--seed N, kind: server_error, chance: 0.5",
        told=[
            {
                "say": SAID,
                "fault": {"kind": "server_error", "chance": 0.5, "times": REQUESTS},
            }
        ],
    ),
    "aimock": Chance(
        says="--chaos-drop 0.5", told=PLAIN["aimock"], options=("--chaos-drop", "0.5")
    ),
    "llmock": Chance(
        says="--error-rate 500=0.5", told=PLAIN["llmock"], options=("--error-rate", "500=0.5")
    ),
}


def failures(server: Server, below: Path, headers: Mapping[str, str], seed: int) -> str:
    """Which of so many requests failed, as in `X..X`. Raises NotInstalled."""
    chance = CHANCES[server.name]
    path = server.path("openai_chat", stream=True)
    request = Request(path=path, body=BODY, headers=headers).encode()
    with server.run(below, *chance.options, seed=seed) as port:
        say(server, port, chance.told)
        statuses = [ask(port, request).status for _ in range(REQUESTS)]
    return "".join("." if status == 200 else "X" for status in statuses)


def how_they_compare(patterns: list[str]) -> str:
    """In words; the first two should be the same."""
    first, again, other = patterns
    if first != again:
        return "another choice at each start"
    return "the same choice" + ("" if first == other else "; another seed, another choice")
