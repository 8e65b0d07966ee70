"""Parquet tables of a report: the same rows always give the same bytes.

Column types, row order, row group size and compression are fixed here; no time of writing, host
or path enters. Read them with anything that knows Parquet, for instance pandas.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from faultloop.reports.rows import PlayKey, Row

_PLAY_FIELDS: list[pa.Field[Any]] = [
    pa.field("subject", pa.string()),
    pa.field("version", pa.string()),
    pa.field("scenario", pa.string()),
    pa.field("claims", pa.list_(pa.string())),
    pa.field("tier", pa.string()),
    pa.field("dialect", pa.string()),
    pa.field("streaming", pa.bool_()),
    pa.field("policy", pa.string()),
    pa.field("seed", pa.int64()),
    pa.field("repeat", pa.int32()),
    pa.field("verdict", pa.string()),
    pa.field("reason", pa.string()),
    pa.field("end_reason", pa.string()),
    pa.field("faults_fired", pa.list_(pa.string())),
    pa.field("requests", pa.int32()),
    pa.field("effects", pa.int32()),
    pa.field("check", pa.string()),
    pa.field("claim", pa.string()),
    pa.field("check_verdict", pa.string()),
    pa.field("positions", pa.list_(pa.int32())),
    pa.field("sentence", pa.string()),
]
PLAYS = pa.schema(_PLAY_FIELDS)

_TIMING_FIELDS: list[pa.Field[Any]] = [
    pa.field("scenario", pa.string()),
    pa.field("subject", pa.string()),
    pa.field("dialect", pa.string()),
    pa.field("streaming", pa.bool_()),
    pa.field("tier", pa.string()),
    pa.field("policy", pa.string()),
    pa.field("seed", pa.int64()),
    pa.field("repeat", pa.int32()),
    pa.field("wall_s", pa.float64()),
    pa.field("times_s", pa.list_(pa.float64())),
]
TIMINGS = pa.schema(_TIMING_FIELDS)

_ROW_GROUP_ROWS = 64_000


class Timing(NamedTuple):
    """How long a play took, and when each entry of its history was written."""

    key: PlayKey
    wall_s: float
    times_s: Sequence[float]


def plays_parquet(rows: Iterable[Row]) -> bytes:
    """plays.parquet; the rows may come in any order."""
    ordered = sorted(rows, key=_place)
    columns = list(zip(*ordered, strict=True)) or [()] * len(PLAYS)
    return parquet(columns, PLAYS)


def timings_parquet(timings: Iterable[Timing]) -> bytes:
    """timings.parquet: all that depends on the clock."""
    ordered = sorted(timings, key=lambda timing: timing.key)
    flat = [(*timing.key, timing.wall_s, list(timing.times_s)) for timing in ordered]
    columns = list(zip(*flat, strict=True)) or [()] * len(TIMINGS)
    return parquet(columns, TIMINGS)


def _place(row: Row) -> tuple[PlayKey, str, str]:
    key = PlayKey(
        scenario=row.scenario,
        subject=row.subject,
        dialect=row.dialect,
        streaming=row.streaming,
        tier=row.tier,
        policy=row.policy,
        seed=row.seed,
        repeat=row.repeat,
    )
    return key, row.check or "", row.claim or ""


def parquet(columns: Sequence[Sequence[object]], schema: pa.Schema) -> bytes:
    """A table in columns: types, row groups and compression as everywhere in our reports."""
    arrays = [
        pa.array(list(column), type=field.type)
        for column, field in zip(columns, schema, strict=True)
    ]
    stream = io.BytesIO()
    pq.write_table(
        pa.Table.from_arrays(arrays, schema=schema),
        stream,
        compression="zstd",
        row_group_size=_ROW_GROUP_ROWS,
    )
    return stream.getvalue()
