from __future__ import annotations

import io
import random

import pandas as pd

from faultloop.reports.rows import Played, Row, rows
from faultloop.reports.tables import PLAYS, Timing, plays_parquet, timings_parquet


def all_rows(plays: list[Played]) -> list[Row]:
    return [
        row
        for played in plays
        for row in rows(played.record, requests=played.requests, effects=played.effects)
    ]


def test_equal_rows_make_equal_bytes_whatever_order_they_came_in(plays: list[Played]) -> None:
    table = all_rows(plays)
    shuffled = random.Random(3).sample(table, len(table))
    assert shuffled != table
    assert plays_parquet(shuffled) == plays_parquet(table)


def test_the_columns_are_those_that_are_published(plays: list[Played]) -> None:
    found = pd.read_parquet(io.BytesIO(plays_parquet(all_rows(plays))))
    assert tuple(found.columns) == Row._fields == tuple(PLAYS.names)
    broken = found[found.verdict == "broken"]
    assert sorted(broken.scenario) == ["cancel-in-tool", "pull-request-504-after"]
    assert list(broken.positions.iloc[1]) == [4, 5, 9]


def test_no_play_makes_a_table_that_can_be_read() -> None:
    assert pd.read_parquet(io.BytesIO(plays_parquet([]))).empty
    assert pd.read_parquet(io.BytesIO(timings_parquet([]))).empty


def test_only_the_timings_know_the_clock(plays: list[Played]) -> None:
    timings = [Timing(one.record.key, one.wall_s, one.times_s) for one in plays]
    found = pd.read_parquet(io.BytesIO(timings_parquet(reversed(timings))))
    assert set(found.wall_s) == {0.25}
    assert "wall_s" not in PLAYS.names
