"""What a lease says to whoever does not get it."""

from __future__ import annotations

import pytest

from faultloop.loop.lease.port import Holder, LeaseHeld

HOLDER = Holder(
    token=3, nonce="n", pid=7, host="here", place="p", began="b", since=0.0, expires=130.0
)


@pytest.mark.parametrize(
    ("holder", "now", "told"),
    [
        (HOLDER, 100.0, "process 7 on here, since 1970-01-01T00:00:00+00:00. Its lease expires in"
                        " 30 s, unless it is renewed. Wait for it"),
        (HOLDER, 200.0, "Its lease expires in 0 s"),
        (None, 100.0, "the session of j is held by another process, just now. Wait for it"),
    ],
)  # fmt: skip
def test_who_holds_a_session_is_told_as_far_as_it_is_known(
    holder: Holder | None, now: float, told: str
) -> None:
    held = LeaseHeld("j", holder, now=now)
    assert held.holder == holder
    assert told in str(held)
