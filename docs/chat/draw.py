"""Draws the pictures of this folder: `python docs/chat/draw.py`, in a checkout with `.[dev]`.

Each is a story that the tests tell as well: the real program at a pseudo-terminal, against the fake
server on loopback. What then stands on the screen is exported by rich, so only the port and the
seconds that were needed can differ from one run to the next.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Callable
from itertools import groupby
from pathlib import Path

from pyte.screens import Char
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.style import Style
from rich.terminal_theme import TerminalTheme
from rich.text import Text

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SOURCE_ROOTS = ("loop", "fakes", "scenarios", "reports", "bench")
sys.path[:0] = [str(ROOT / root) for root in SOURCE_ROOTS] + [str(ROOT / "tests" / "bench")]

from chat.company import Model, model, says  # noqa: E402
from chat.terminal import COLUMNS, Terminal  # noqa: E402

THEME = TerminalTheme(
    (250, 250, 248),
    (40, 42, 46),
    [
        (40, 42, 46), (190, 50, 50), (40, 130, 60), (165, 110, 0),
        (40, 90, 180), (140, 60, 150), (0, 125, 135), (120, 122, 126),
    ],
)  # fmt: skip
"""Dark on light, each colour dark enough to be read."""
COLOURS = {"brown": "yellow", "default": "default"}
"""Colours that the terminal emulator calls by another name."""
FORMAT = re.sub(r"@font-face {{.*?}}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
"""rich's own, but without fonts that would be fetched from elsewhere."""
IDLE = "Enter sends"


def styled(char: Char) -> Style:
    """How a character looks."""
    return Style(
        color=COLOURS.get(char.fg, char.fg),
        bold=char.bold,
        italic=char.italics,
        reverse=char.reverse,
        strike=char.strikethrough,
    )


def picture(terminal: Terminal, title: str, path: Path) -> None:
    """What was printed and what stands on the screen, as an SVG."""
    rows = [*terminal.screen.history.top]
    rows += [terminal.screen.buffer[number] for number in range(terminal.screen.lines)]
    lines = []
    for row in rows:
        line = Text()
        chars = [row[column] for column in range(COLUMNS)]
        for style, same in groupby(chars, key=styled):
            line.append("".join(char.data for char in same), style)
        line.rstrip()
        lines.append(line)
    while lines and not lines[-1].plain.strip():
        lines.pop()
    with Path(os.devnull).open("w") as nowhere:
        console = Console(record=True, width=COLUMNS, file=nowhere, force_terminal=True)
        for line in lines:
            console.print(line, soft_wrap=True)
        drawn = console.export_svg(
            title=title, theme=THEME, code_format=FORMAT, unique_id=path.stem
        )
        path.write_text(drawn)


def sit(served: Model, folder: Path, *options: str) -> Terminal:
    """A chat at a terminal."""
    path = os.pathsep.join(str(ROOT / root) for root in SOURCE_ROOTS)
    arguments = ("--base-url", served.url, "--journal", "chat.sqlite", *options)
    return Terminal(arguments, cwd=folder, env={**os.environ, "PYTHONPATH": path}, lines=24)


def holds(folder: Path) -> tuple[str, dict[str, str]]:
    """A command that runs until somebody stops it, and says that it began."""
    os.mkfifo(folder / "gate")
    return "run_command", {"command": "touch began; cat gate"}


def run(folder: Path) -> None:
    """A question about a file, a change that asks for permission, and the end."""
    (folder / "greeting.py").write_text('print("Hello wrold")\n')
    right = {"path": "greeting.py", "content": 'print("Hello world")\n'}
    steps = (
        says("I look where the greeting is.", ("search", {"text": "Hello"})),
        says("There is a typo. I correct it.", ("write_file", right)),
        says("And I run it.", ("run_command", {"command": "python3 greeting.py"})),
        says("The greeting is right now: the program prints Hello world."),
    )
    with model(*steps) as served, sit(served, folder, "--price", "2.5,10") as terminal:
        terminal.wait_for(IDLE)
        terminal.line("The greeting has a typo. Please correct it.")
        terminal.wait_for("May write_file run with")
        terminal.line("y")
        terminal.wait_for("May run_command run with")
        picture(terminal, "faultloop chat: a run that asks", HERE / "run.svg")
        terminal.line("a")
        terminal.wait_for("turn 1 done", IDLE)


def cancelled(folder: Path) -> None:
    """Esc while a command runs, and the next prompt."""
    steps = (
        says("I start the watcher.", holds(folder)),
        says("It is stopped, and nothing of it runs any more. What else?"),
    )
    with model(*steps) as served, sit(served, folder, "--yes") as terminal:
        terminal.wait_for(IDLE)
        terminal.line("Watch the folder")
        terminal.wait_until((folder / "began").exists)
        terminal.line("and tell me about new files")
        terminal.wait_for("waits: and tell me")
        terminal.type("\x1b")
        terminal.wait_for("turn 1 cancelled", IDLE)
        terminal.line("What became of it?")
        terminal.wait_for("turn 2 done", IDLE)
        picture(terminal, "faultloop chat: cancelled with Esc", HERE / "cancelled.svg")


def resumed(folder: Path) -> None:
    """kill -9 while a command runs, and --resume."""
    steps = (
        says("I deploy it now.", holds(folder)),
        says("I cannot know whether it took place, so I look first.", ("list_files", {})),
        says("It had begun. Shall I look at the server before we try again?"),
    )
    with model(*steps) as served:
        with sit(served, folder, "--yes") as terminal:
            terminal.wait_for(IDLE)
            terminal.line("Deploy it")
            terminal.wait_until((folder / "began").exists)
            terminal.kill()
        (folder / "gate").write_text("")  # the command that was left behind
        with sit(served, folder, "--yes", "--resume") as terminal:
            terminal.wait_for("turn 2 done", IDLE)
            picture(terminal, "faultloop chat: resumed after kill -9", HERE / "resumed.svg")


STORIES: tuple[Callable[[Path], None], ...] = (run, cancelled, resumed)


if __name__ == "__main__":
    for story in STORIES:
        with tempfile.TemporaryDirectory() as place:
            story(Path(place))
