"""What the types of an SDK say: whether they allow a JSON value, which names and fields they have.

SDKs build their objects without validation, so that a reply which is wrong in half of its fields is
parsed all the same. Here the same JSON is put to the types in earnest.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, get_args

import pydantic

from faultloop.bench.sdks.heard import Json

ERRORS_MAX = 3


@lru_cache(maxsize=64)
def _adapter(kind: Any) -> pydantic.TypeAdapter[Any]:
    return pydantic.TypeAdapter(kind)


def refused(kind: Any, value: Json, *, known: tuple[str, ...] = ()) -> list[str]:
    """Why a type of the SDK does not allow a value, a sentence each; also fields that it does not
    have, but for those that are `known` to stand in recordings of the API: ends of their paths."""
    try:
        read = _adapter(kind).validate_python(value)
    except pydantic.ValidationError as error:
        wrong = {".".join(map(str, each["loc"])): each["msg"] for each in error.errors()}
    else:
        wrong = dict.fromkeys(map(".".join, _extra(read)), "the SDK has no such field")
    told = [f"{path}: {why}" for path, why in wrong.items() if not path.endswith(known)]
    return told[:ERRORS_MAX]


def _extra(thing: Any) -> Iterator[tuple[str, ...]]:
    """Paths of fields that a type does not have."""
    if isinstance(thing, list | tuple):
        for inner in thing:
            yield from _extra(inner)
    elif isinstance(thing, pydantic.BaseModel):
        yield from ((name,) for name in thing.model_extra or {})
        for name in type(thing).model_fields:
            yield from ((name, *path) for path in _extra(getattr(thing, name, None)))


def members(kind: Any) -> Iterator[type[pydantic.BaseModel]]:
    """The models of a type: itself, or those of a union or a list, however deep it is nested."""
    if isinstance(kind, type) and issubclass(kind, pydantic.BaseModel):
        yield kind
    for each in get_args(kind):
        yield from members(each)


def tags(union: Any, *, field: str = "type") -> frozenset[str]:
    """The names by which the members of a union are told apart."""
    return frozenset(
        name for model in members(union) for name in get_args(model.model_fields[field].annotation)
    )


def fields(model: type[pydantic.BaseModel], before: str = "") -> Iterator[str]:
    """All fields that a value of this type can have: `choices.delta.content`."""
    for name, field in model.model_fields.items():
        inner = list(members(field.annotation))
        if not inner:
            yield before + name
        for each in inner:
            yield from fields(each, f"{before}{name}.")


def said(value: Any, before: str = "") -> Iterator[str]:
    """The fields that a JSON value says something in: null says nothing."""
    if isinstance(value, list):
        for inner in value:
            yield from said(inner, before)
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from said(inner, f"{before}.{name}" if before else name)
    elif value is not None:
        yield before
