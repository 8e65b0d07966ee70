"""A play that proves nothing is not green: its faults fired, its checks had something to judge."""

from faultloop.bench.promise import Promise


def test_every_play_puts_its_promise_to_the_test(promise: Promise) -> None:
    """No play of this column is `unknown`."""
    promise.must_be_known()
