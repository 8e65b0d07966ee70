"""What all tests share: how they are spread over workers, and that they can be interrupted.

Under pytest-xdist a file of tests stays on one worker, so that what it shares is made once.
"""

from __future__ import annotations

import signal
from typing import Any

import pytest


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object | None:
    """File after file in their own order, unless another distribution was asked for.

    By itself xdist would begin with the files that have most tests: the few tests that take longest
    would come last, when the other workers have nothing to do any more.
    """
    if config.option.dist != "load":
        return None
    from xdist.scheduler import LoadFileScheduling  # xdist need not be installed

    config.option.loadscopereorder = False
    return LoadFileScheduling(config, log)


def pytest_configure(config: pytest.Config) -> None:
    """A run in the background inherits SIGINT ignored, and whom it starts would ignore it, too."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
