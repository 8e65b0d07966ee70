"""Nothing runs from a reply that was cut, not even where its JSON happens to parse (SPEC P1)."""

from faultloop.bench.promise import Promise


def test_nothing_runs_from_a_cut_reply(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("truncated_not_executed")
