"""accuracy.parquet: an observation a row, so that anybody can compute all of it again.

Flaws are four lists of one length. Read it with anything that knows Parquet, for instance pandas.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from faultloop.reports.tables import parquet
from faultloop.scenarios.wordings.observation import Observation

_FIELDS: list[pa.Field[Any]] = [
    pa.field("wording", pa.string()),
    pa.field("task", pa.string()),
    pa.field("cluster", pa.string()),
    pa.field("order", pa.int32()),
    pa.field("sample", pa.int32()),
    pa.field("is_repeat", pa.bool_()),
    pa.field("selected", pa.bool_()),
    pa.field("filled", pa.bool_()),
    pa.field("right", pa.bool_()),
    pa.field("failure", pa.string()),
    pa.field("expected", pa.string()),
    pa.field("chosen", pa.string()),
    pa.field("mistakes", pa.list_(pa.string())),
    pa.field("mistake_calls", pa.list_(pa.int32())),
    pa.field("mistake_parameters", pa.list_(pa.string())),
    pa.field("mistake_sentences", pa.list_(pa.string())),
    pa.field("input_tokens", pa.int64()),
    pa.field("output_tokens", pa.int64()),
    pa.field("cached_tokens", pa.int64()),
    pa.field("cost_usd", pa.float64()),
    pa.field("answered", pa.string()),
]
OBSERVATIONS = pa.schema(_FIELDS)


def observations_parquet(observations: Iterable[Observation]) -> bytes:
    """accuracy.parquet; in the order of the observations, which is the comparison's."""
    columns = list(zip(*map(_row, observations), strict=True)) or [()] * len(OBSERVATIONS)
    return parquet(columns, OBSERVATIONS)


def _row(one: Observation) -> tuple[object, ...]:
    return (
        _whole(one.wording),
        _whole(one.task),
        _whole(one.cluster),
        one.order,
        one.sample,
        one.is_repeat,
        one.selected,
        one.filled,
        one.right,
        one.failure,
        _whole(one.expected),
        _whole(one.chosen),
        [flaw.mistake.value for flaw in one.flaws],
        [flaw.call for flaw in one.flaws],
        [_whole(flaw.parameter) for flaw in one.flaws],
        [_whole(flaw.says) for flaw in one.flaws],
        one.usage.input_tokens,
        one.usage.output_tokens,
        one.usage.cached_tokens,
        one.cost_usd,
        _whole(one.answered),
    )


def _whole(text: str) -> str:
    """Half a character, which only hostile answers have, becomes `?`: Parquet takes UTF-8 alone."""
    return text.encode(errors="replace").decode()
