"""Commands: what the fake shell knows, each with output, exit code and, perhaps, an effect.

Only what happens at a command's end is here. That it takes time, and who runs it (the world, or
the subject as a child of its own), is the business of the stage and of `yard`.
"""

from __future__ import annotations

from faultloop.fakes.world.part import Args, Change, Part, ToolFailed, declared
from faultloop.fakes.world.spec import CommandSpec, WorldSpec
from faultloop.fakes.world.tool import WorldTool, changes, parameters, text

Commands = dict[str, CommandSpec]

NOT_FOUND = 127
"""What a shell exits with when it does not know a command."""


def part(spec: WorldSpec) -> Part[Commands] | None:
    """The commands of a world, if it has any. Raises ValueError where a scenario is at fault."""
    if spec.commands is None:
        return None
    for line, command in spec.commands.items():
        if line != " ".join(line.split()) or not line:
            raise ValueError(f"the command line {line!r} must be words with one space between them")
        if command.effect is not None and command.exit_code != 0:
            raise ValueError(
                f"the command {line!r} fails with exit code {command.exit_code} and yet has an "
                "effect: a failed command changes nothing in this world"
            )
    return Part(dict(spec.commands), _TOOLS)


def find(commands: Commands, line: str) -> CommandSpec | None:
    """The command that a shell would run for this line, whatever the spaces between its words."""
    return commands.get(" ".join(line.split()))


def _run(commands: Commands, args: Args, key: str | None) -> Change[Commands]:
    line = args["command"]
    command = find(commands, line)
    if command is None:
        raise ToolFailed(f"exit code {NOT_FOUND}\nsh: 1: {line.split(' ')[0]}: not found")
    if command.exit_code != 0:
        raise ToolFailed(f"exit code {command.exit_code}\n{command.output}".rstrip("\n"))
    return Change(commands, command.output or "(no output)", command.effect)


_TOOLS = declared(
    (
        WorldTool(
            name="run_command",
            description="Run one command line in the workspace's root and wait for its end. Use "
            "it for tests and builds; use the file tools to read and change files. Returns the "
            "output; an exit code other than 0 is a failure and is named.",
            parameters=parameters(
                ("command",), command=text("The command line, such as npm test.", minLength=1)
            ),
            annotations=changes(risk="high", destructive=True, open_world=True),
        ),
        _run,
    )
)
