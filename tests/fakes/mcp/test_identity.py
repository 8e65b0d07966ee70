"""Which call of the model a `tools/call` is: keys that agents use, and ids under any key."""

from __future__ import annotations

import pytest

from faultloop.fakes.mcp import identity

GIVEN = "call_abc"
"""An id that the fake model gave."""


@pytest.mark.parametrize(
    ("meta", "found"),
    [
        ({}, None),
        ({"faultloop/callId": "c1"}, "c1"),
        ({"claudecode/toolUseId": "toolu_1", "progressToken": 2}, "toolu_1"),
        ({"callId": "call_1"}, "call_1"),
        ({"faultloop/callId": "ours", "callId": GIVEN}, "ours"),
        ({"faultloop/callId": "", "callId": GIVEN}, GIVEN),
        ({"callId": 7}, None),
        ({"progressToken": GIVEN}, GIVEN),
        ({"progressToken": "1"}, None),
        ({"vendor/turn": {"session": "s", "call": {"id": GIVEN}}}, GIVEN),
        ({"a": {"b": {"c": {"d": {"e": GIVEN}}}}}, None),
    ],
)
def test_the_call_is_known_by_a_known_key_or_by_an_id_that_was_given(
    meta: dict[str, object], found: str | None
) -> None:
    assert identity.call_id(meta, GIVEN.__eq__) == found


@pytest.mark.parametrize(
    ("meta", "found"),
    [({}, None), ({"faultloop/idempotencyKey": "k"}, "k"), ({"idempotencyKey": "k"}, "k")],
)
def test_the_idempotency_key_has_a_key_of_its_own(
    meta: dict[str, object], found: str | None
) -> None:
    assert identity.key(meta) == found
