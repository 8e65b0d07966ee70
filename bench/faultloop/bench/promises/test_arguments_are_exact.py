"""Arguments reach the tool exactly as the model wrote and the schema allows (SPEC C3, P4)."""

from faultloop.bench.promise import Promise


def test_tools_get_what_the_model_wrote(promise: Promise) -> None:
    """Held in every play of this column that puts it to the test."""
    promise.must_hold("arguments_exact")
