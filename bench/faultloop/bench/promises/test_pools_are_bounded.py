"""The pool of parallel calls is bounded (SPEC S1)."""

from faultloop.bench.promise import Promise


def test_not_everything_runs_at_once(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("pool_bounded")
