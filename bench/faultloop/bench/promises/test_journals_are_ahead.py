"""A call is journalled before it runs and its result after (SPEC D1)."""

from faultloop.bench.promise import Promise


def test_a_call_is_journalled_before_it_runs(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("journal_ahead")
