"""Limits of a run: what they let begin, and which of them can mean nothing."""

from __future__ import annotations

from typing import Any

import pytest

from faultloop.loop.budget import Price
from faultloop.scenarios.wordings.answer import Usage
from faultloop.scenarios.wordings.models.budget import (
    BadLimits,
    Limits,
    Meter,
    Took,
    cost_usd,
    price_of,
)

MILLION = Usage(input_tokens=1_000_000, output_tokens=1_000_000, cached_tokens=400_000)
PRICE = Price(input_usd=1.0, cached_usd=0.5, output_usd=4.0)


def test_cached_tokens_are_counted_once_and_at_their_price() -> None:
    assert cost_usd(MILLION, PRICE) == pytest.approx(0.6 + 0.2 + 4.0)
    assert cost_usd(MILLION, None) is None
    assert price_of(1.0, 4.0) == Price(input_usd=1.0, cached_usd=1.0, output_usd=4.0)
    assert price_of(None, None) is None


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Limits(cost_usd_max=1.0), "needs the model's prices"),
        (lambda: Limits(cost_usd_max=1.0, price=Price()), "needs the model's prices"),
        (lambda: Limits(cost_usd_max=float("nan"), price=PRICE), "it must be 0 or more"),
        (lambda: Limits(requests_max=-1), "--max-requests -1"),
        (lambda: price_of(1.0, None), "give both"),
        (lambda: price_of(-1.0, 1.0), "--price-input -1"),
        (lambda: price_of(1.0, float("inf")), "--price-output inf"),
    ],
)
def test_a_limit_that_cannot_bite_is_refused(make: Any, sentence: str) -> None:
    with pytest.raises(BadLimits, match=sentence):
        make()


def test_requests_are_counted_when_they_begin() -> None:
    meter = Meter(Limits(requests_max=2))
    for _ in range(2):
        assert meter.verdict() == "go"
        meter.begin()
    assert meter.verdict() == "stop"
    meter.end(None)
    assert (meter.verdict(), meter.under_way) == ("stop", 1)
    assert meter.why() == "--max-requests 2 is used up"


def test_what_an_earlier_part_took_counts_and_the_limit_is_told_as_it_was_given() -> None:
    meter = Meter(Limits(requests_max=8, spent=Took(requests=7)))
    assert meter.verdict() == "go"
    meter.begin()
    assert (meter.verdict(), meter.why()) == ("stop", "--max-requests 8 is used up")
    assert meter.took.requests == 1

    dear = Meter(Limits(cost_usd_max=5.0, price=PRICE, spent=Took(cost_usd=5.0)))
    assert dear.verdict() == "stop"
    assert dear.why().startswith("--max-cost 5 leaves no room")


def test_the_first_request_goes_alone_and_the_others_as_far_as_the_dearest_reaches() -> None:
    meter = Meter(Limits(cost_usd_max=15.0, price=PRICE))
    assert meter.verdict() == "go"
    meter.begin()
    assert meter.verdict() == "wait", "nobody knows yet what one costs"
    meter.end(MILLION)  # 4.80
    meter.begin()
    assert meter.verdict() == "go"
    meter.begin()
    assert meter.verdict() == "wait", "4.80 spent, two under way, and a fourth is too much"
    meter.end(Usage(output_tokens=250_000))  # 1.00
    meter.end(MILLION)
    assert meter.verdict() == "stop", "10.60 spent"
    assert meter.took == Took(
        requests=3,
        usage=Usage(input_tokens=2_000_000, output_tokens=2_250_000, cached_tokens=800_000),
        cost_usd=pytest.approx(10.6),
    )
    assert "--max-cost 15 leaves no room for another request (10.6000" in meter.why()


def test_nothing_begins_where_nothing_may_be_spent() -> None:
    assert Meter(Limits(cost_usd_max=0.0, price=PRICE)).verdict() == "stop"
    assert Meter(Limits(requests_max=0)).verdict() == "stop"
    assert Meter(Limits()).took == Took()


@pytest.mark.parametrize("usage", [None, Usage()])
def test_a_failure_that_took_nothing_is_no_price(usage: Usage | None) -> None:
    meter = Meter(Limits(cost_usd_max=15.0, price=PRICE))
    meter.begin()
    meter.end(usage)
    meter.begin()
    assert meter.verdict() == "wait"
