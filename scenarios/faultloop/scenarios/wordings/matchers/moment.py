"""`moment: '2026-01-31T09:30:00Z', zone: Europe/Berlin`: the same date or time, however written.

Three kinds of value are told apart, and never equal one another: a point in time, a date, and a
time of day. A point in time is RFC 3339 (with `T`, `t` or a space; seconds may be left out): equal
are those that are the same instant, whatever their offsets. A value without an offset is read in
`zone`; where there is no zone either, it equals only what has none, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pydantic import Field, field_validator, model_validator

from faultloop.loop.strict_json import JSONValue
from faultloop.scenarios.wordings.matchers.kind import Matcher, shown


class Reading(NamedTuple):
    """A date or time as it is meant."""

    kind: str
    """`instant`, `local` (a point in time that no zone places), `date` or `time`."""
    seconds: Fraction
    """Since 1970, or since midnight."""


class Moment(Matcher):
    """Equal in meaning."""

    moment: str
    zone: str | None = None
    """For values without an offset: a name (`Europe/Berlin`), `Z`, or an offset (`+01:00`)."""
    within_s: int | float = Field(default=0, ge=0)
    """The most that it may be away, in seconds; not for dates."""

    @field_validator("zone")
    @classmethod
    def _known(cls, zone: str | None) -> str | None:
        if zone is not None and zone_of(zone) is None:
            raise ValueError(
                f"no zone is called {zone!r}; write a name such as 'Europe/Berlin', 'Z', or an"
                " offset such as '+01:00'"
            )
        return zone

    @model_validator(mode="after")
    def _sound(self) -> Moment:
        if self._reading is None:
            raise ValueError(
                f"{self.moment!r} is no date or time; write '2026-01-31', '09:30:00' or"
                " '2026-01-31T09:30:00Z'"
            )
        if self.within_s and self._reading.kind == "date":
            raise ValueError("a date is a whole day; leave within_s out")
        return self

    def matches(self, value: JSONValue) -> bool:
        """Whether it means the same."""
        if type(value) is not str:
            return False
        wanted, came = self._reading, read(value, self.zone)
        if came is None or wanted is None or came.kind != wanted.kind:
            return False
        distance = abs(came.seconds - wanted.seconds)
        return distance == 0 or distance <= self.within_s

    @cached_property
    def _reading(self) -> Reading | None:
        return read(self.moment, self.zone)

    @property
    def says(self) -> str:
        """The date or time."""
        zone = f" ({self.zone} where it names no offset)" if self.zone else ""
        near = f", at most {self.within_s:g} s away" if self.within_s else ""
        return f"the moment {shown(self.moment)}{zone}{near}"

    @property
    def types(self) -> frozenset[str]:
        """A text."""
        return frozenset({"string"})

    def own(self) -> Iterator[JSONValue]:
        """As it is written here; an instant also in UTC."""
        yield self.moment
        reading = self._reading
        if reading is not None and reading.kind == "instant" and reading.seconds.denominator == 1:
            with suppress(OverflowError):  # at the ends of the calendar UTC has no such year
                moved = EPOCH + timedelta(seconds=int(reading.seconds))
                yield f"{moved.replace(tzinfo=None).isoformat()}Z"


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

WRITTEN = re.compile(
    r"(?P<date>\d{4}-\d\d-\d\d)?"
    r"(?(date)(?:[Tt ](?=\d))?)"
    r"(?:(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.(?P<fraction>\d{1,30}))?)?"
    r"(?P<offset>[Zz]|[+-]\d\d:\d\d)?)?",
    re.ASCII,
)


@lru_cache(maxsize=1024)
def read(text: str, zone: str | None = None) -> Reading | None:
    """What a text means as a date or time; None: it is none."""
    found = WRITTEN.fullmatch(text)
    if found is None or not text:
        return None
    date, hour, offset = found["date"], found["hour"], found["offset"]
    try:
        day = datetime.fromisoformat(date) if date else datetime(1970, 1, 1)
        if hour is None:
            return Reading("date", _since(day.replace(tzinfo=UTC)))
        if date and text[10] not in "Tt ":
            return None
        second = int(found["second"] or 0)  # 60 is a leap second, which is the next one's name
        point = day.replace(hour=int(hour), minute=int(found["minute"]), second=min(second, 59))
        more = Fraction(int(second == 60)) + Fraction(f"0.{found['fraction'] or 0}")
        if second > 60 or (not date and offset):
            return None
        place = zone_of(offset or zone) if date and (offset or zone) else None
        kind = ("local" if place is None else "instant") if date else "time"
        return Reading(kind, _since(point.replace(tzinfo=place or UTC)) + more)
    except (ValueError, OverflowError):  # the 30th of February, 25 o'clock, the year 0
        return None


def _since(point: datetime) -> Fraction:
    return Fraction((point - EPOCH) // timedelta(seconds=1))


@lru_cache(maxsize=256)
def zone_of(name: str) -> tzinfo | None:
    """A zone by name or offset; None: there is none of that name."""
    if name in ("Z", "z"):
        return UTC
    if found := re.fullmatch(r"([+-])(\d\d):([0-5]\d)", name, re.ASCII):
        away = timedelta(hours=int(found[2]), minutes=int(found[3]))
        try:
            return timezone(-away if found[1] == "-" else away)
        except ValueError:  # a day or more
            return None
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError):  # a path, a folder, an unknown name
        return None
