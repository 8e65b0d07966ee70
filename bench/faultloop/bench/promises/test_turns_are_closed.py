"""Every turn that starts ends exactly once (SPEC L5)."""

from faultloop.bench.promise import Promise


def test_every_turn_ends_once(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("turns_closed")
