"""Matchers: when an argument is right. One kind a file; `KINDS` is the table of all of them.

In a task a matcher is a mapping with the key of its kind (`path: src/app.py`), or a plain value,
which is `exact`. It is a frozen pydantic model with the method `matches(value)`, a pure function.
How they are written in task files is read in `matchers.reading`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from faultloop.scenarios.wordings.matchers.anything import Anything
from faultloop.scenarios.wordings.matchers.exact import Exact
from faultloop.scenarios.wordings.matchers.fields import Fields
from faultloop.scenarios.wordings.matchers.in_order import InOrder
from faultloop.scenarios.wordings.matchers.json_schema import JsonSchema
from faultloop.scenarios.wordings.matchers.kind import Matcher
from faultloop.scenarios.wordings.matchers.moment import Moment
from faultloop.scenarios.wordings.matchers.number import Number
from faultloop.scenarios.wordings.matchers.one_of import OneOf
from faultloop.scenarios.wordings.matchers.path import Path
from faultloop.scenarios.wordings.matchers.regex import Regex
from faultloop.scenarios.wordings.matchers.unordered import Unordered
from faultloop.scenarios.wordings.matchers.words import Words

__all__ = [
    "KINDS",
    "Anything",
    "Exact",
    "Fields",
    "InOrder",
    "JsonSchema",
    "Matcher",
    "Moment",
    "Number",
    "OneOf",
    "Path",
    "Regex",
    "Unordered",
    "Words",
]

KINDS: Mapping[str, type[Matcher]] = MappingProxyType(
    {
        "exact": Exact,
        "one_of": OneOf,
        "words": Words,
        "number": Number,
        "unordered": Unordered,
        "in_order": InOrder,
        "fields": Fields,
        "moment": Moment,
        "path": Path,
        "regex": Regex,
        "schema": JsonSchema,
        "anything": Anything,
    }
)
"""The key that tells the kind, which is also the field that holds what is wanted."""
