"""Pydantic's errors in our words: what is wrong with a field and what to write there.

`SENTENCES` is the table; an error type that is not in it keeps pydantic's own message, so nothing
is ever hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import NamedTuple

from pydantic_core import ErrorDetails

from faultloop.fakes.faults import KINDS
from faultloop.scenarios.places import Json, Place
from faultloop.scenarios.schema import fields_at


class Complaint(NamedTuple):
    """Something that is wrong, and where."""

    place: Place
    sentence: str


def complaint(error: ErrorDetails, data: Json) -> Complaint:
    """One error of pydantic as a complaint about a place in the file."""
    location = error["loc"]
    if extent := [at for at, part in enumerate(location) if part in _MEMBERS_OF_EXTENT]:
        place = written_at(location[: extent[0]], data)
        return Complaint(place, f"it must be a whole number or a list [least, most], {_got(error)}")
    place = written_at(location, data)
    if error["type"] == "missing":
        place = (*place, location[-1])
    elif error["type"] == "union_tag_invalid":
        place = (*place, "kind")
    say = SENTENCES.get(error["type"])
    return Complaint(place, say(error) if say else f"{error['msg']}, {_got(error)}")


_MEMBERS_OF_EXTENT = ("int", "tuple[int, int]")
"""What pydantic calls the two forms of `scenario.Extent`."""


def written_at(location: tuple[str | int, ...], data: Json) -> Place:
    """The location without the names of union members that pydantic puts in between."""
    place: list[str | int] = []
    for part in location:
        if isinstance(data, dict) and part in data:
            data = data[str(part)]
        elif isinstance(data, list) and isinstance(part, int) and part < len(data):
            data = data[part]
        else:
            continue
        place.append(part)
    return tuple(place)


def nearest(word: str, known: Iterable[str], *, noun: str) -> str:
    """The end of a sentence about an unknown word: its neighbour, or all the words there are."""
    words = sorted(known)
    begun = [known for known in words if word and known.startswith(word)]
    if close := get_close_matches(word, words, n=1, cutoff=0.6) or begun:
        return f"did you mean {close[0]!r}?"
    return f"the {noun} are {', '.join(words)}" if words else f"there are no {noun} here"


def describe(value: object) -> str:
    """A value as a file's author sees it, at most 60 characters of it."""
    match value:
        case None:
            return "nothing"
        case bool():
            return f"{str(value).lower()} (YAML reads yes, no, on and off so: quote such a word)"
        case str():
            shown = value if len(value) <= 60 else value[:57] + "..."
            return f"the text {shown!r}"
        case int() | float():
            return f"the number {value}"
        case list() | tuple():
            return f"a list of {len(value)}"
        case _:
            return "a mapping"


def _got(error: ErrorDetails) -> str:
    return f"not {describe(error['input'])}"


def _context(error: ErrorDetails, key: str) -> str:
    return str(error.get("ctx", {}).get(key))


def _must(what: str) -> Callable[[ErrorDetails], str]:
    return lambda error: f"it must be {what}, {_got(error)}"


def _unknown_field(error: ErrorDetails) -> str:
    # The place of the object that holds the field, with the members of unions that lead there.
    known = fields_at(tuple(error["loc"][:-1]))
    name = str(error["loc"][-1])
    return f"there is no such field; {nearest(name, known, noun='fields')}"


def _missing(error: ErrorDetails) -> str:
    return f"it is missing; write '{error['loc'][-1]}: ...'"


def _not_one_of(error: ErrorDetails) -> str:
    expected = _context(error, "expected")
    choices = [choice.strip(" '") for choice in expected.replace(" or ", ", ").split(",")]
    if len(choices) == 1:
        return f"it must be {choices[0]}, {_got(error)}"
    return f"{describe(error['input'])} is none of {', '.join(choices)}"


def _unknown_kind(error: ErrorDetails) -> str:
    tag = _context(error, "tag")
    return f"there is no fault of the kind {tag!r}; {nearest(tag, KINDS, noun='kinds')}"


def _no_kind(error: ErrorDetails) -> str:
    return f"it has no kind; write 'kind: ...', one of {', '.join(sorted(KINDS))}"


def _bound(sign: str, key: str) -> Callable[[ErrorDetails], str]:
    return lambda error: f"it must be {sign} {_context(error, key)}, {_got(error)}"


SENTENCES: dict[str, Callable[[ErrorDetails], str]] = {
    "missing": _missing,
    "extra_forbidden": _unknown_field,
    "unexpected_keyword_argument": _unknown_field,
    "literal_error": _not_one_of,
    "union_tag_invalid": _unknown_kind,
    "union_tag_not_found": _no_kind,
    "string_type": _must("text"),
    "int_type": _must("a whole number"),
    "int_from_float": _must("a whole number"),
    "float_type": _must("a number"),
    "bool_type": _must("true or false"),
    "tuple_type": _must("a list, in [brackets] or with one '- ' a line"),
    "dict_type": _must("a mapping of names to values"),
    "model_type": _must("a mapping with fields"),
    "model_attributes_type": _must("a mapping with fields"),
    "dataclass_type": _must("a mapping with fields"),
    "dataclass_exact_type": _must("a mapping with fields"),
    "string_pattern_mismatch": _must("lower-case words joined by hyphens"),
    "string_too_short": lambda error: "it must not be empty",
    "too_short": lambda error: "it must not be empty",
    "greater_than": _bound("more than", "gt"),
    "greater_than_equal": _bound("at least", "ge"),
    "less_than_equal": _bound("at most", "le"),
}
"""Pydantic's error type to the sentence's maker."""
