"""`schema: {...}`: whatever a JSON Schema admits. Nothing that it refers to is ever fetched."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import jsonschema_rs
from pydantic import ConfigDict, Field, model_validator

from faultloop.loop.strict_json import JSONValue
from faultloop.scenarios.wordings.matchers.kind import Matcher, shown


class JsonSchema(Matcher):
    """Valid by the schema; formats (`date-time`, `uri`, ...) are asserted."""

    model_config = ConfigDict(populate_by_name=True)
    schema_: dict[str, Any] | bool = Field(alias="schema")
    such_as: Any = None
    """A right value: the validator makes the task's own answer of it."""

    @model_validator(mode="after")
    def _sound(self) -> JsonSchema:
        try:
            _ = self._validator
        except (TypeError, ValueError) as error:
            reason = str(error).partition("\n")[0]
            raise ValueError(f"this is no JSON Schema: {reason}") from None
        if "such_as" in self.model_fields_set and not self.matches(self.such_as):
            raise ValueError(f"it refuses what stands under such_as, {shown(self.such_as)}")
        return self

    @cached_property
    def _validator(self) -> jsonschema_rs.Validator:
        return jsonschema_rs.validator_for(self.schema_, validate_formats=True, offline=True)

    def matches(self, value: JSONValue) -> bool:
        """Whether it is valid."""
        return self._validator.is_valid(value)

    @property
    def says(self) -> str:
        """The schema, shortened."""
        return f"what the schema {shown(self.schema_)} admits"

    def own(self) -> Iterator[JSONValue]:
        """What it says it is like."""
        if "such_as" in self.model_fields_set:
            yield self.such_as
