"""What was done in one turn is known in the next (SPEC D6)."""

from faultloop.bench.promise import Promise


def test_what_was_done_is_told_in_the_next_turn(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("results_kept")
