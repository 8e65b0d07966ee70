"""A failed attempt leaves nothing in the conversation (SPEC D5)."""

from faultloop.bench.promise import Promise


def test_torn_text_is_not_repeated(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("failed_attempts_forgotten")
