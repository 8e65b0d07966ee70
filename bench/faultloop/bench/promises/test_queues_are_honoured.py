"""Steering enters after the batch and before the next request (SPEC X7)."""

from faultloop.bench.promise import Promise


def test_steering_enters_before_the_next_request(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("queue_honoured")
