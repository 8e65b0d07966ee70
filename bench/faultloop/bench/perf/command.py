"""The main job as a user runs it: its wall time, and the memory of its largest process.

The baseline collects the same items and plays nothing: what Python, pytest and the imports cost.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from faultloop.bench import promises
from faultloop.bench.perf.measurement import Bound, Figure, Figures, Measurement, Sides

PROMISES = Path(str(promises.__file__)).parent
GOOD = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
"""A broken promise takes as long as one that was kept."""

MAXRSS_PER_KB = 1024 if sys.platform == "darwin" else 1
"""`ru_maxrss` counts bytes there, and kB elsewhere."""


def cost_of(*options: str) -> Figures:
    """Seconds, and MB of the largest process among those that it started and waited for."""
    command = [sys.executable, "-m", "pytest", str(PROMISES), "-q", *options]
    began_s = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall_s = time.perf_counter() - began_s
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in GOOD:
        raise RuntimeError(f"{' '.join(command)} ended with exit code {process.returncode}")
    return wall_s, usage.ru_maxrss / MAXRSS_PER_KB / 1024


@contextmanager
def _bench(*options: str) -> Iterator[Sides]:
    with tempfile.TemporaryDirectory(prefix="faultloop-perf-") as folder:
        yield Sides(
            measured=lambda: cost_of("--report-dir", folder, *options),
            baseline=lambda: cost_of("--report-dir", folder, "--collect-only", *options),
        )


COMMAND = (
    Measurement(
        name="quick",
        says="`pytest bench --quick`",
        against="the same with --collect-only",
        figures=(
            Figure(name="wall time", unit="s", bound=Bound("under", 8)),
            Figure(name="peak memory", unit="MB"),
        ),
        open=lambda: _bench("--quick"),
        rounds=3,
        budget_s=22,
        warms_up=False,
    ),
    Measurement(
        name="bench",
        says="`pytest bench`",
        against="the same with --collect-only",
        figures=(
            Figure(name="wall time", unit="s", bound=Bound("under", 40)),
            Figure(name="peak memory", unit="MB", bound=Bound("under", 400)),
        ),
        open=_bench,
        rounds=3,
        budget_s=50,
        warms_up=False,
    ),
)
