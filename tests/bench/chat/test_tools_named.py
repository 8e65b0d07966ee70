"""Tools named on the command line: what a name may lead to, and what is said where it fails."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from faultloop.bench.chat.options import BadChat
from faultloop.bench.chat.tools_named import tools_named

MODULE = """
from faultloop.loop.contract import NO_PARAMETERS, Contract
from faultloop.loop.registry import Registry


class Look:
    contract = Contract(name="look", purpose="look", parameters=NO_PARAMETERS)

    async def run(self, args, context):
        raise NotImplementedError


class Both(Look):
    def __call__(self):
        raise NotImplementedError


registry = Registry([Look()])
both = Both()
tools = [Look()]
one = Look()
twice = [Look(), Look()]
none = []
number = 3


def made():
    return [Look()]


def broken():
    raise RuntimeError("no database")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "named_here.py").write_text(MODULE)
    (tmp_path / "breaks_here.py").write_text("raise RuntimeError('no luck')\n")
    (tmp_path / "exits_here.py").write_text("raise SystemExit\n")
    (tmp_path / "wants_more.py").write_text("import surely_not_installed\n")
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


@pytest.mark.parametrize("name", ["registry", "tools", "one", "both", "made"])
def test_what_holds_tools_is_a_registry(name: str, folder: Path) -> None:
    path = list(sys.path)
    assert tools_named(f"named_here:{name}", folder=folder).names == ("look",)
    assert sys.path == path


REFUSED = {
    "named_here": "give a module and a name in it",
    ":registry": "give a module and a name in it",
    "nowhere:registry": "there is no module nowhere in",
    "named_here.sub:registry": "there is no module named_here.sub in",
    "wants_more:registry": "wants_more cannot be imported: ModuleNotFoundError: No module named",
    "breaks_here:registry": "breaks_here cannot be imported: RuntimeError: no luck",
    "exits_here:registry": "exits_here cannot be imported: SystemExit",
    "named_here:register": "named_here has no register; it has registry",
    "named_here:twice": "two tools are called look",
    "named_here:none": "is no registry and no list of tools, but a list",
    "named_here:number": "is no registry and no list of tools, but a int",
    "named_here:broken": "broken() failed: RuntimeError: no database",
}


@pytest.mark.parametrize(("name", "told"), REFUSED.items())
def test_what_does_not_is_refused_with_a_sentence(name: str, told: str, folder: Path) -> None:
    path = list(sys.path)
    with pytest.raises(BadChat) as refused:
        tools_named(name, folder=folder)
    assert told in str(refused.value)
    assert sys.path == path
