"""Each call's answer is told as that call's (SPEC L1, X9, P9)."""

from faultloop.bench.promise import Promise


def test_answers_are_told_as_they_were_given(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("answers_told")
