"""A correctable failure tells the model what is wrong, where, and how to fix it (SPEC P5 to P7)."""

from faultloop.bench.promise import Promise


def test_a_failure_says_what_where_and_how(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("failure_explained")
