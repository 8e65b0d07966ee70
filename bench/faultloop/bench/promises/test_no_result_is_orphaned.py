"""No result goes back without the call that it answers (SPEC D6)."""

from faultloop.bench.promise import Promise


def test_every_result_has_its_call(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("no_orphans")
