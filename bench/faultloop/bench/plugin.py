"""The pytest plugin, as far as every pytest run has it: the options, and nothing that is heavy.

pytest loads this in every project of whoever has faultloop installed. What plays (`playing`, with
the scenarios, the loop and the fakes behind it) is imported only where promises are collected, what
compares (`comparing.under_pytest`) only where wordings are given, and what serves (`serving`, with
the fakes behind it) only for a test that asks for `fake_provider`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from faultloop.bench import options

if TYPE_CHECKING:
    from faultloop.bench.serving.fixture import FakeProvider

PROMISES = Path(__file__).parent / "promises"
PLAYING = "faultloop.bench.playing"
COMPARING = "faultloop.bench.comparing.under_pytest"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of `pytest bench`; the same words as `faultloop run` uses, see `options`."""
    options.register(parser)


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(
    early_config: pytest.Config, parser: pytest.Parser, args: list[str]
) -> Generator[None]:
    """What the project's conftests do not take of the short names is ours."""
    return (yield from options.registering_short_names(early_config, parser, args))


def pytest_configure(config: pytest.Config) -> None:
    """Bring in what plays, where there is anything to play, or what compares in its place."""
    if config.option.faultloop_wordings:
        config.pluginmanager.import_plugin(COMPARING)
    elif _collects_promises(config):
        config.pluginmanager.import_plugin(PLAYING)


@pytest.fixture
def fake_provider() -> Iterator[FakeProvider]:
    """A scripted provider on loopback that speaks four dialects: `load` a script, point an SDK at
    one of `base_urls`, look at `requests` and `history()`."""
    from faultloop.bench.serving.fixture import FakeProvider

    with FakeProvider() as provider:
        yield provider


def _collects_promises(config: pytest.Config) -> bool:
    """Whether any argument names the promises, a folder above them or a file among them."""
    for arg in config.args:
        place = arg.partition("::")[0]
        if config.option.pyargs and place.split(".")[:2] == ["faultloop", "bench"]:
            return True
        path = (config.invocation_params.dir / place).resolve()
        if path == PROMISES or PROMISES in path.parents:
            return True
        if path in PROMISES.parents and not _is_passed_over(config, path):
            return True
    return False


def _is_passed_over(config: pytest.Config, above: Path) -> bool:
    """Whether pytest, collecting a folder above the promises, does not go down to them.

    So it is in a project that keeps its virtual environment, and faultloop in it, in its folder.
    """
    patterns: list[str] = config.getini("norecursedirs")
    folder = above
    for name in PROMISES.relative_to(above).parts:
        folder /= name
        if any(fnmatch(name, pattern) for pattern in patterns):
            return True
        if (folder / "pyvenv.cfg").exists() and not config.option.collect_in_virtualenv:
            return True
    return False
