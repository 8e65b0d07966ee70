"""The loop stops asking within its own limit (SPEC L2)."""

from faultloop.bench.promise import Promise


def test_the_loop_stops_asking(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("requests_bounded")
