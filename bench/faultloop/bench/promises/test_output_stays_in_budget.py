"""What enters the history stays in its budget and says that it was cut (SPEC C7)."""

from faultloop.bench.promise import Promise


def test_large_output_is_cut_and_says_so(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("output_in_budget")
