"""A call that was not made is told as not made (SPEC X2)."""

from faultloop.bench.promise import Promise


def test_what_was_not_run_is_told(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("not_run_told")
