"""What every story here needs: a folder to work in, and a program to start in it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from .company import Model
from .terminal import Terminal

ROOT = Path(__file__).parents[3]
SOURCE_ROOTS = ("loop", "fakes", "scenarios", "reports", "bench")


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment of the program: ours, without what leads elsewhere."""
    path = os.pathsep.join(str(ROOT / root) for root in SOURCE_ROOTS)
    unwanted = ("OPENAI_API_KEY", "http_proxy", "https_proxy", "all_proxy")
    ours = {name: value for name, value in os.environ.items() if name.lower() not in unwanted}
    return {**ours, "PYTHONPATH": path}


Sit = Callable[..., Terminal]


@pytest.fixture
def sit(tmp_path: Path, environment: dict[str, str]) -> Sit:
    """`sit(model, *options)`: a chat at a terminal, in `tmp_path`."""

    def started(model: Model, *options: str) -> Terminal:
        arguments = ("--base-url", model.url, "--journal", "chat.sqlite", *options)
        return Terminal(arguments, cwd=tmp_path, env=environment)

    return started
