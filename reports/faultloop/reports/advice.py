"""What a report says about a check beside its verdict: why it matters and how loops fix it.

The words belong to the checks themselves. A report of an older faultloop may name a check that no
longer exists; it is then shown without advice.
"""

from __future__ import annotations

from typing import NamedTuple

from faultloop.scenarios import both_forms
from faultloop.scenarios.checks import CHECKS


class Advice(NamedTuple):
    """A check's own words."""

    why: str
    cure: str


def advice(check: str) -> Advice:
    """The advice of a check, empty for one that is not known here."""
    if check == both_forms.NAME:
        return Advice(both_forms.WHY, both_forms.CURE)
    known = CHECKS.get(check)
    return Advice(known.WHY, known.CURE) if known else Advice("", "")
