"""One call's failure stays its own (SPEC S3)."""

from faultloop.bench.promise import Promise


def test_good_calls_run_beside_bad_ones(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("failure_stays_own")
