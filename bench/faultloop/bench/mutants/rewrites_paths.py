"""A loop that resolves paths against a folder of its own before the tool sees them."""

from pathlib import PurePosixPath
from typing import Any

from faultloop.bench.mutants.mutant import Mutant
from faultloop.bench.mutants.rewriting import Rewriting
from faultloop.loop.contract import Contract
from faultloop.loop.engine import Agent

WORKSPACE = PurePosixPath("/workspace")


class Resolving(Rewriting):
    """Makes every path absolute."""

    def rewritten(self, args: dict[str, Any], contract: Contract) -> dict[str, Any]:
        """The same with `path` below its workspace."""
        return args | {"path": str(WORKSPACE / args["path"])} if "path" in args else args


class RewritesPaths(Agent):
    """Knows better where things are."""

    executing = Resolving


MUTANT = Mutant(
    name="rewrites-paths",
    does="makes the model's relative paths absolute before the tool gets them",
    claims=("C3",),
    breaks=("arguments_exact",),
    agent=RewritesPaths,
    scenarios=("one-call", "arguments-in-any-script", "append-504-appended"),
)
