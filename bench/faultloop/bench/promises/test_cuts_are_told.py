"""The next turn's model is told where the last one was cut (SPEC X3)."""

from faultloop.bench.promise import Promise


def test_the_next_turn_knows_where_it_was_cut(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("cut_told")
