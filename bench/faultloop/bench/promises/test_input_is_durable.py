"""What the user said survives an abnormal end (SPEC L15)."""

from faultloop.bench.promise import Promise


def test_what_the_user_said_is_not_lost(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("input_kept")
