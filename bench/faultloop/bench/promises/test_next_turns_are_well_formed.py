"""After an abnormal end the next turn's request is one that a provider accepts (SPEC D6, D7)."""

from faultloop.bench.promise import Promise


def test_the_session_is_usable_after_an_abnormal_end(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("next_turn_well_formed")
