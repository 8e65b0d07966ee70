"""Unusable arguments are quoted within a bound (SPEC P7)."""

from faultloop.bench.promise import Promise


def test_only_an_excerpt_comes_back(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("excerpt_bounded")
