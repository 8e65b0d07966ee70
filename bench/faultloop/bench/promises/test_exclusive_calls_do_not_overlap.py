"""A call that was not declared safe runs alone (SPEC S1, C2)."""

from faultloop.bench.promise import Promise


def test_an_exclusive_call_runs_alone(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("exclusive_not_overlapping")
