"""A model request that is tried again runs no tool again (SPEC D8)."""

from faultloop.bench.promise import Promise


def test_a_failed_request_runs_no_tool_again(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("request_recovery")
