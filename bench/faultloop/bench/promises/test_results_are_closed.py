"""Every call that a reply made is answered by exactly one result under its id (SPEC L1)."""

from faultloop.bench.promise import Promise


def test_every_call_is_closed_by_one_result(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("results_closed")
