"""A command that runs until the story lets it go."""

from __future__ import annotations

import os
from pathlib import Path

from .terminal import Terminal

RUNNING = "◐ run_command  running"


def holds(folder: Path) -> tuple[str, dict[str, str]]:
    """A call of a command that tells its process id, and ends when somebody writes to `gate`."""
    os.mkfifo(folder / "gate")
    return "run_command", {"command": "echo $$ > pid.new; mv pid.new pid; cat gate"}


def begun(terminal: Terminal, folder: Path) -> int:
    """Wait until that command runs; its process id."""
    terminal.wait_for(RUNNING)
    terminal.wait_until((folder / "pid").exists)
    return int((folder / "pid").read_text())


def let_go(folder: Path) -> None:
    (folder / "gate").write_text("the gate is open\n")
