"""The shape of a file: pydantic's errors as complaints with their places, first things first.

Files are validated by way of JSON, strictly: a list may stand for a tuple, but no "3" for a 3.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from faultloop.scenarios.places import Json, Place
from faultloop.scenarios.sentences import Complaint, complaint, nearest, written_at
from faultloop.scenarios.wordings.matchers.reading import BadMatcher

Model = TypeVar("Model", bound=BaseModel)


class Misshapen(Exception):
    """The data is not of the shape that is wanted: all that is wrong with it."""

    def __init__(self, found: list[Complaint]) -> None:
        super().__init__(found[0].sentence)
        self.found = found


Instead = Callable[[Place], str | None]
"""Of a field that there is not, but that people expect at this place, what to say."""


def shaped(model: type[Model], data: Json, instead: Instead = lambda place: None) -> Model:
    """The data as a value of the model. Raises Misshapen."""
    try:
        return model.model_validate_json(json.dumps(data), strict=True)
    except ValidationError as error:
        found = [_told(one, data, model, instead) for one in error.errors(include_url=False)]
        raise Misshapen(found) from None


def _told(error: ErrorDetails, data: Json, model: type[BaseModel], instead: Instead) -> Complaint:
    if error["type"] == "extra_forbidden":
        place = written_at(error["loc"], data)
        name = str(error["loc"][-1])
        if (says := instead(place)) is not None:
            return Complaint(place, says)
        known = _fields_at(model.model_json_schema(by_alias=True), error["loc"][:-1])
        return Complaint(place, f"there is no such field; {nearest(name, known, noun='fields')}")
    if error["type"] == "value_error":
        place = written_at(error["loc"], data)
        cause = error.get("ctx", {}).get("error")
        below = cause.complaint.place if isinstance(cause, BadMatcher) else ()
        return Complaint((*place, *below), str(cause))
    return complaint(error, data)


def _fields_at(root: dict[str, Any], place: tuple[str | int, ...]) -> tuple[str, ...]:
    """The names of the fields that may stand there."""
    node = root
    for part in place:
        node = _resolved(node, root)
        inner = node.get("items", {}) if isinstance(part, int) else None
        if inner is None:
            inner = node.get("properties", {}).get(part) or node.get("additionalProperties")
        node = inner if isinstance(inner, dict) else {}
    return tuple(_resolved(node, root).get("properties", ()))


def _resolved(node: dict[str, Any], root: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in node:
        node = root["$defs"][node["$ref"].rsplit("/", 1)[-1]]
    return node


def below(root: Place, found: list[Complaint]) -> list[Complaint]:
    """The same complaints of something that stands at `root`."""
    return [Complaint((*root, *one.place), one.sentence) for one in found]
