"""Scheduling under pytest-xdist: all items of a lot go to one worker, which plays it once.

The marks of `--dist loadgroup` would do, but xdist 3.8 passes them on through a private attribute
that pytest 9.2 no longer has. A scheduler of one's own needs neither marks nor the attribute.
"""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling


class LotScheduling(LoadScopeScheduling):
    """Takes the lot, which is the parameter of every promise, as the scope."""

    def _split_scope(self, nodeid: str) -> str:
        test, bracket, lot = nodeid.partition("[")
        return lot if bracket and "/promises/" in test else nodeid
