"""What a report says of a check beside its verdict: the promise, why it matters, how loops fix it.

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
    promise: str = ""
    """What is promised, in one sentence."""


def advice(check: str) -> Advice:
    """The advice of a check, empty for one that is not known here."""
    if check == both_forms.NAME:
        return Advice(both_forms.WHY, both_forms.CURE, _law(both_forms.__doc__))
    known = CHECKS.get(check)
    return Advice(known.WHY, known.CURE, _law(known.__doc__)) if known else Advice("", "")


def _law(text: str | None) -> str:
    """The sentence that a check opens with."""
    return " ".join((text or "").split("\n\n")[0].split())
