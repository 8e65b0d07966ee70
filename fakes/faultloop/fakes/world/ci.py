"""CI: a status that is told differently each time one asks, as the scenario wrote it down."""

from __future__ import annotations

from faultloop.fakes.world.part import Args, Change, Part, declared
from faultloop.fakes.world.spec import WorldSpec
from faultloop.fakes.world.tool import WorldTool, parameters, reads

Statuses = tuple[str, ...]
"""What is still to be told; the last one is told for ever."""

_TOLD = {
    "pending": "CI is pending: some checks have not finished. Ask again later.",
    "passed": "CI has passed: all checks are green.",
    "failed": "CI has failed: at least one check is red.",
}


def part(spec: WorldSpec) -> Part[Statuses] | None:
    """The CI of a world, if it has one. Raises ValueError where a scenario is at fault."""
    if spec.ci is None:
        return None
    if not spec.ci:
        raise ValueError("a world with CI needs at least one status to tell, such as [passed]")
    return Part(tuple(spec.ci), _TOOLS)


def _ask(statuses: Statuses, args: Args, key: str | None) -> Change[Statuses]:
    # Asking is no effect: it changes what the next one is told, not the world.
    return Change(statuses[1:] or statuses, _TOLD[statuses[0]])


_TOOLS = declared(
    (
        WorldTool(
            name="get_ci_status",
            description="Ask for the CI status of the current branch. Use it after opening a pull "
            "request and before saying that the work is done. Returns pending, passed or failed, "
            "in a sentence.",
            parameters=parameters(),
            annotations=reads() | {"openWorldHint": True},
        ),
        _ask,
    )
)
