"""The turn ends for a reason that is true, and the world is in a state that fits it (SPEC L11)."""

from faultloop.bench.promise import Promise


def test_the_loop_ends_for_a_reason_that_is_true(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("end_acceptable")
