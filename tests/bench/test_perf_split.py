"""Shares of a play's time: each function belongs to one part, and all shares make the whole."""

from __future__ import annotations

from itertools import count

import pytest

from faultloop.bench.perf.split import NAMES, part_of, part_of_built_in, playing, shares
from faultloop.scenarios.subject import Column


@pytest.mark.parametrize(
    ("file", "part"),
    [
        ("/x/faultloop/loop/journal/memory.py", "journal"),
        ("/x/faultloop/loop/arguments.py", "validation"),
        ("/x/faultloop/loop/providers/openai_chat_reply.py", "decoding"),
        ("/x/faultloop/loop/driving.py", "loop"),
        ("/x/faultloop/fakes/clock.py", "event loop"),
        ("/x/faultloop/fakes/stage.py", "fakes"),
        ("/x/faultloop/scenarios/checks/results_closed.py", "judging"),
        ("/x/faultloop/scenarios/play.py", "playing"),
        ("/x/site-packages/httpx/_models.py", "httpx"),
        ("/x/python3.11/json/decoder.py", "all else"),
    ],
)
def test_a_function_belongs_to_the_first_part_that_knows_it(file: str, part: str) -> None:
    assert part_of(file) == part


def test_what_a_built_in_takes_is_its_callers_unless_the_table_knows_better() -> None:
    assert part_of_built_in("<method 'is_valid' of 'jsonschema_rs.Validator' objects>") == (
        "validation"
    )
    assert part_of_built_in("<built-in method builtins.len>") is None


def test_the_shares_of_a_play_make_the_whole() -> None:
    with playing("direct", Column(streaming=True), count()) as play:
        found = shares(play)
    assert tuple(found) == NAMES
    assert sum(found.values()) == pytest.approx(100)
    assert found["loop"] > found["httpx"] == 0
