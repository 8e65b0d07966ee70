"""`faultloop lint`: tools from wherever they are declared, judged by the loop's linter (SPEC C8).

A target is a file of contracts or of tools in a provider's form, or `module:registry`; a command
can start an MCP server whose tools are listed. All targets of one run are judged together, as if a
model were offered them together: that is when names and descriptions clash.

BadTarget       the target cannot be read as tools; the user is at fault
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from faultloop.bench.linting.bad_target import BadTarget
from faultloop.bench.linting.files import read_file
from faultloop.bench.linting.modules import read_module
from faultloop.bench.linting.output import FORMATS
from faultloop.bench.linting.servers import read_server
from faultloop.loop.contract.lint import RULES, Finding, Specimen, lint

__all__ = ["FORMATS", "BadTarget", "find"]


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
    for target in targets:
        tools.extend(_read(target))
    for command in servers:
        tools.extend(read_server(command))
    return tuple(tools), lint(tools, ignored=ignored)


def _read(target: str) -> Sequence[Specimen]:
    path = Path(target)
    if path.suffix in (".yaml", ".yml", ".json") or path.exists():
        return read_file(path)
    if ":" in target:
        return read_module(target)
    raise BadTarget(f"{target} is neither a file nor module:registry")
