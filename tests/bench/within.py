"""`pytest bench` within this process: as a person types it, but what it imports is paid for once.

pytester forgets what was first imported within, and numpy and pandas (which pyarrow imports where
it can) may be imported only once in a process: so all of it is imported here, before.
"""

from __future__ import annotations

import importlib

import pytest

IMPORTED = (
    "faultloop.bench.playing",
    "faultloop.bench.comparing.under_pytest",
    "hypothesis",
    "pandas",
    "pyarrow.parquet",
)
for name in IMPORTED:
    importlib.import_module(name)

LIGHT = ("-p", "no:hypothesispytest")
"""For a process of its own: that plugin is imported only to say nothing at the end."""
QUIET = ("-p", "no:cacheprovider", "--color=no")
NESTED = ("-o", "timeout=0", "-W", "ignore::pytest.PytestAssertRewriteWarning")
"""The alarm is that of the outer run, and what is imported already cannot be rewritten."""


def run(pytester: pytest.Pytester, *argv: str) -> pytest.RunResult:
    """What pytest comes to with these words, typed in the working folder."""
    return pytester.runpytest_inprocess(*argv, *QUIET, *NESTED)
