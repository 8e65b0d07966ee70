"""What the model asked for once happens once, whatever was retried or restarted (SPEC D2, D4)."""

from faultloop.bench.promise import Promise


def test_one_call_has_one_effect(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("effects_once")
