"""Pull requests: a forge on which creating twice makes two, unless it honours idempotency keys."""

from __future__ import annotations

from dataclasses import dataclass, replace

from faultloop.fakes.world.part import Args, Change, Made, Part, ToolFailed, declared
from faultloop.fakes.world.spec import WorldSpec
from faultloop.fakes.world.tool import WorldTool, changes, parameters, reads, text


@dataclass(frozen=True, slots=True, kw_only=True)
class Forge:
    """All open pull requests; number N is titles[N - 1]."""

    honours_key: bool
    titles: tuple[str, ...]
    made: tuple[tuple[str, Made], ...] = ()
    """Idempotency keys seen, and what they made."""


def part(spec: WorldSpec) -> Part[Forge] | None:
    """The forge of a world, if it has one."""
    if spec.pull_requests is None:
        return None
    forge = Forge(
        honours_key=spec.pull_requests.honours_key, titles=tuple(spec.pull_requests.existing)
    )
    create = _CREATE.annotated(honoursKey=forge.honours_key)
    return Part(forge, declared((create, _create), (_FIND, _find)))


def _create(forge: Forge, args: Args, key: str | None) -> Change[Forge]:
    made = dict(forge.made)
    if forge.honours_key and key is not None and key in made:
        earlier = made[key]
        if earlier.arguments != args:
            raise ToolFailed(
                f"The idempotency key {key!r} already made pull request #{earlier.number} from "
                "other arguments; a new request needs a new key."
            )
        return Change(
            forge, f"Pull request #{earlier.number} was already created by this very call."
        )
    number = len(forge.titles) + 1
    if key is not None:
        made[key] = Made(number, args)
    after = replace(forge, titles=(*forge.titles, args["title"]), made=tuple(made.items()))
    return Change(
        after,
        f"Created pull request #{number}: {args['title']}",
        f"created pull request #{number}: {args['title']}",
    )


def _find(forge: Forge, args: Args, key: str | None) -> Change[Forge]:
    wanted = args.get("title")
    found = [
        f"#{number}: {title}"
        for number, title in enumerate(forge.titles, start=1)
        if wanted is None or title == wanted
    ]
    nothing = "No open pull request" + (f" has the title {wanted!r}." if wanted else ".")
    return Change(forge, "\n".join(found) or nothing)


_CREATE = WorldTool(
    name="create_pull_request",
    description="Open a pull request for the current branch. Use it once the work is done and "
    "tested; to see whether there is one already use find_pull_requests. Each call opens another "
    "one. Returns its number.",
    parameters=parameters(
        ("title",),
        title=text("One line that says what changes.", minLength=1),
        body=text("Explanation for the reviewers."),
    ),
    annotations=changes(risk="medium", open_world=True),
).annotated(verifyWith="find_pull_requests", dependsOn=["run_command"])

_FIND = WorldTool(
    name="find_pull_requests",
    description="List open pull requests. Use it to check whether one was created. Returns one a "
    "line with its number, oldest first.",
    parameters=parameters(
        title=text("Only those with exactly this title; left out, all are listed.")
    ),
    annotations=reads() | {"openWorldHint": True},
)
