"""Results are committed in the model's order (SPEC S2)."""

from faultloop.bench.promise import Promise


def test_results_come_back_in_the_models_order(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("results_in_order")
