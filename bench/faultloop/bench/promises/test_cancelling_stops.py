"""After a cancel no request, no call and no effect follows (SPEC X1, X5)."""

from faultloop.bench.promise import Promise


def test_nothing_happens_after_the_cancel(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("nothing_after_cancel")
