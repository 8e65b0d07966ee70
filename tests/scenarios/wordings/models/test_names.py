"""Names of tools as an API takes them: legal, apart from each other, and the way back."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultloop.loop.contract.rendering.gemini import NAMES
from faultloop.scenarios.wordings.models.names import ALLOWED, api_names


def test_what_is_allowed_stays_and_dots_become_underscores() -> None:
    assert api_names(["read_file", "math.hypot"]) == {
        "read_file": "read_file",
        "math.hypot": "math_hypot",
    }


def test_a_name_that_is_taken_gets_a_digest() -> None:
    names = api_names(["a_b", "a.b", "a/b"])
    assert names["a_b"] == "a_b"
    assert re.fullmatch(r"a_b_[0-9a-f]{8}", names["a.b"])
    assert len(set(names.values())) == 3


def test_gemini_wants_a_letter_or_an_underscore_in_front() -> None:
    assert api_names(["3d_view", "-x", "ok"], NAMES) == {
        "3d_view": "_3d_view",
        "-x": "_-x",
        "ok": "ok",
    }


@pytest.mark.parametrize("allowed", [ALLOWED, NAMES])
@given(names=st.lists(st.text("ab.-_/1é", max_size=70), max_size=12))
def test_all_names_are_legal_and_lead_back_in_whatever_order(
    allowed: re.Pattern[str], names: list[str]
) -> None:
    given_names = api_names(names, allowed)
    assert set(given_names) == set(names)
    assert all(allowed.fullmatch(name) for name in given_names.values())
    assert len(set(given_names.values())) == len(set(names))
    assert api_names(reversed(names), allowed) == given_names
