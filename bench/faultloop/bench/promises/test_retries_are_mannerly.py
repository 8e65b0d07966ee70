"""Retries honour Retry-After and never repeat what cannot help (SPEC D8)."""

from faultloop.bench.promise import Promise


def test_retries_wait_and_are_bounded(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("retry_manners")
