"""An unknown outcome is looked up where it can be (SPEC D2)."""

from faultloop.bench.promise import Promise


def test_unknown_outcomes_are_looked_up(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("world_asked")
