"""What an SDK defines against what was said: what does not add up is told, either way round."""

from __future__ import annotations

from typing import Literal

import pydantic
import pytest

from faultloop.bench.sdks import lines, typed
from faultloop.bench.sdks.heard import canonical
from faultloop.bench.sdks.kinds import Family

FAMILY = Family(
    name="event types",
    defined=frozenset({"start", "audio.delta", "audio.done", "stop"}),
    reasons={"audio.*": "nobody speaks"},
)


@pytest.mark.parametrize(
    ("seen", "wrong"),
    [
        ({"start", "stop"}, []),
        ({"start"}, ["the SDK defines stop, which was not said, and no reason why"]),
        ({"start", "stop", "odd"}, ["odd went over the wire, and the SDK does not know it"]),
        (
            {"start", "stop", "audio.done"},
            ["audio.done was said, and audio.* has a reason why it is not"],
        ),
    ],
)
def test_a_name_is_said_or_has_its_reason_and_never_both(seen: set[str], wrong: list[str]) -> None:
    assert list(FAMILY.wrong(seen)) == [f"event types: {sentence}" for sentence in wrong]


def test_a_reason_for_what_the_sdk_does_not_define_any_more_is_told() -> None:
    family = Family(name="f", defined=frozenset({"a"}), reasons={"b": "gone"})

    assert list(family.wrong({"a"})) == [
        "f: a reason is given for b, which the SDK does not define"
    ]


class Inner(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow")

    type: Literal["inner"]
    text: str | None = None


class Outer(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow")

    type: Literal["outer"]
    inner: list[Inner]


def test_a_value_that_the_types_do_not_allow_is_told_with_its_place() -> None:
    value = {"type": "outer", "inner": [{"type": "other"}, {"type": "inner", "odd": 1}]}

    assert typed.refused(Outer, value) == ["inner.0.type: Input should be 'inner'"]
    value["inner"] = value["inner"][1:]  # type: ignore[index]
    assert typed.refused(Outer, value) == ["inner.odd: the SDK has no such field"]
    assert typed.refused(Outer, value, known=("inner.odd",)) == []


def test_fields_and_names_are_read_from_the_types() -> None:
    assert typed.tags(Inner | Outer) == {"inner", "outer"}
    assert list(typed.fields(Outer)) == ["type", "inner.type", "inner.text"]
    assert list(typed.said({"a": None, "b": [{"c": 1}, {"d": {}}]})) == ["b.c"]


def test_a_line_ends_only_where_the_standard_says() -> None:
    stream = 'event: a\ndata: {"x":"\u2028"}\n\n: hm\r\n\r\ndata: {"y":1}\r\rdata: [DONE]\n\n'
    read = lines.read([stream[:20].encode(), stream[20:].encode()])

    assert [(line.name, line.data) for line in read.events] == [
        ("a", {"x": "\u2028"}),
        ("", {"y": 1}),
    ]
    assert (read.comments, read.ends) == (1, True)


def test_arguments_are_compared_by_what_they_mean() -> None:
    assert canonical('{"b": 1, "a": "ü"}') == canonical({"a": "ü", "b": 1})
    assert canonical("{") == "{"
