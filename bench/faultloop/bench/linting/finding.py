"""Finding what is wrong: the tools of all targets of one run, judged together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from faultloop.bench.linting.bad_target import BadTarget
from faultloop.bench.linting.files import read_file
from faultloop.bench.linting.modules import read_module
from faultloop.bench.linting.servers import read_server
from faultloop.loop.contract.lint import RULES, Finding, Specimen, lint


def find(
    targets: Sequence[str], *, servers: Sequence[str] = (), ignored: Sequence[str] = ()
) -> tuple[tuple[Specimen, ...], tuple[Finding, ...]]:
    """The tools of all targets, and what is wrong with them. Raises BadTarget."""
    if not targets and not servers:
        raise BadTarget("name a file of tools, a module:registry, or a server with --mcp")
    known = {rule.id for rule in RULES}
    for ignore in ignored:
        if ignore.partition(":")[0] not in known:
            raise BadTarget(f"there is no rule {ignore!r}; there are: {', '.join(sorted(known))}")
    tools: list[Specimen] = []
    sources = [*((target, _read) for target in targets), *((one, read_server) for one in servers)]
    for source, read in sources:
        found = read(source)
        if not found:
            raise BadTarget(f"{source} holds no tools, so there is nothing to judge")
        tools.extend(found)
    try:
        return tuple(tools), lint(tools, ignored=ignored)
    except RecursionError:
        raise BadTarget("the parameters of a tool are nested too deeply to be judged") from None


def _read(target: str) -> Sequence[Specimen]:
    path = Path(target)
    if path.suffix in (".yaml", ".yml", ".json") or path.exists():
        return read_file(path)
    if ":" in target:
        return read_module(target)
    raise BadTarget(f"{target} is neither a file nor module:registry")
