"""An unknown tool is answered with the nearest name first (SPEC P6)."""

from faultloop.bench.promise import Promise


def test_the_tool_that_was_meant_is_named_first(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("nearest_name_first")
