"""Promises that no outsider can see, on the loop's own account of itself."""

import pytest

from faultloop.bench.drilling import must_hold
from faultloop.reports.rows import PlayRecord


@pytest.mark.timeout(0)
def test_drill(drilled: PlayRecord) -> None:
    """Held where the subject is a loop whose parts and journal can be had."""
    must_hold(drilled)
