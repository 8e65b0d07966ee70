"""The model is told that an outcome is unknown, never that nothing happened (SPEC D2, D4)."""

from faultloop.bench.promise import Promise


def test_the_model_is_told_what_is_not_known(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("unknown_outcome_told")
