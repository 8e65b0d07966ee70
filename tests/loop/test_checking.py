"""A call is checked before it may run, and its refusal fits into the history (SPEC C7, P10)."""

from __future__ import annotations

import json

import pytest

from faultloop.loop.checking import Permission, Ready, Refused, denied, read
from faultloop.loop.registry import Registry
from faultloop.loop.state import CallRecord

from .story import toy


def checked(arguments: str, *, budget: int = 16_384) -> Ready | Refused:
    record = CallRecord(call="1/1/0", id="c", name="act", arguments=arguments)
    return read(record, Registry([toy("act", output_budget_bytes=budget)]))


@pytest.mark.parametrize("budget", [300, 1_000, 16_384])
def test_a_rejection_is_within_the_tools_budget_and_still_says_what_to_do(budget: int) -> None:
    refused = checked(json.dumps({"x": 1, "y": "q" * 5_000}), budget=budget)
    assert isinstance(refused, Refused)
    told = refused.signal.content
    assert len(told.encode()) <= budget
    assert budget == 300 or "What to do: Correct what is named" in told


def test_the_reason_of_a_denial_is_clean_and_within_the_budget() -> None:
    ready = checked("{}", budget=300)
    assert isinstance(ready, Ready)
    refused = denied(ready, Permission(granted=False, reason="\udcff" * 1_000))
    assert refused.signal.content.startswith("not executed: permission was denied: \ufffd")
    assert len(refused.signal.content.encode()) <= 300
