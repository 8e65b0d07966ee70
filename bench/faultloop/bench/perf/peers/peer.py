"""Who the peers are, and where they are installed. `PEERS` is the table.

An installation is whole once its mark is there; without it the folder is nobody's and is begun
anew.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Tool = Literal["pip", "npm"]

NOT_INSTALLED = "not installed: run python -m faultloop.bench.perf.peers install"
FOLDER_VARIABLE = "FAULTLOOP_PEERS"
NODE_MIN = 20
"""Major version that aimock's package asks for."""


class NotInstalled(Exception):
    """A peer is not here. The text says what to run."""


class CannotInstall(Exception):
    """A peer cannot be had. The text is a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """A fake provider of somebody else."""

    name: str
    version: str
    package: str
    """As its registry knows it."""
    tool: Tool
    home: str
    """Where people read about it."""
    entry: str
    """What is run, below its installation."""
    options: tuple[str, ...]
    """How it is started: for its best speed, and on loopback. `{port}` is filled in."""

    @property
    def title(self) -> str:
        """Name and version."""
        return f"{self.name} {self.version}"

    @property
    def requirement(self) -> str:
        """What the package tool is asked for."""
        return f"{self.package}{'==' if self.tool == 'pip' else '@'}{self.version}"

    def folder(self, below: Path) -> Path:
        """Its installation."""
        return below / f"{self.name}-{self.version}"

    def mark(self, below: Path) -> Path:
        """The file that says that the installation is whole."""
        return self.folder(below) / ".whole"

    def is_installed(self, below: Path) -> bool:
        """Whether it can be started."""
        runs = not self.runtime or shutil.which(self.runtime) is not None
        return runs and self.mark(below).exists()

    @property
    def runtime(self) -> str:
        """The program that runs it, where that is not its own: aimock wants node."""
        return "node" if self.tool == "npm" else ""

    def command(self, below: Path, port: int, *more: str) -> list[str]:
        """What starts it. Raises NotInstalled."""
        if not self.is_installed(below):
            raise NotInstalled(NOT_INSTALLED)
        entry = str(self.folder(below) / self.entry)
        options = [option.format(port=port) for option in self.options]
        return [*filter(None, [self.runtime]), entry, *options, *more]


AIMOCK = Peer(
    name="aimock",
    version="1.43.0",
    package="@copilotkit/aimock",
    tool="npm",
    home="https://github.com/CopilotKit/aimock",
    entry="node_modules/@copilotkit/aimock/dist/cli.js",
    # Without a journal to speak of, and with a fixture file, without which it does not start.
    options=(
        *("--host", "127.0.0.1", "--port", "{port}", "--fixtures", "fixtures.json"),
        *("--latency", "0", "--log-level", "silent", "--journal-max", "1"),
    ),
)
LLMOCK = Peer(
    name="llmock",
    version="0.2.2",
    package="llmock",
    tool="pip",
    home="https://github.com/JulienRabault/LLMock",
    entry="bin/llmock",
    options=(
        *("serve", "--host", "127.0.0.1", "--port", "{port}"),
        *("--log-level", "critical", "--latency-ms", "0", "--tool-mode", "off"),
    ),
)

PEERS = (AIMOCK, LLMOCK)


def cache_folder() -> Path:
    """Where peers are installed: $FAULTLOOP_PEERS, or below the user's cache folder."""
    if chosen := os.environ.get(FOLDER_VARIABLE):
        return Path(chosen)
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(cache) / "faultloop" / "peers"


def node_version() -> str | None:
    """Of the Node.js that is here, as in `20.19.1`; None: there is none."""
    if shutil.which("node") is None:
        return None
    asked = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False)
    return asked.stdout.strip().removeprefix("v") or None


def install(peer: Peer, below: Path) -> None:
    """Install it, from whatever registry pip or npm of this user asks. Raises CannotInstall."""
    folder = peer.folder(below)
    try:
        shutil.rmtree(folder, ignore_errors=True)  # what was left half done
        folder.mkdir(parents=True)
    except OSError as error:
        raise CannotInstall(f"{folder} cannot be written: {error.strerror}") from None
    for command in (_with_npm if peer.tool == "npm" else _with_pip)(peer, folder):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise CannotInstall(f"{peer.title} cannot be installed: {_why(command, done.stderr)}")
    peer.mark(below).write_text(peer.requirement + "\n")


def _with_pip(peer: Peer, folder: Path) -> list[list[str]]:
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "-q"]
    return [
        [sys.executable, "-m", "venv", str(folder)],
        [*pip, "install", "--no-input", peer.requirement],
    ]


def _with_npm(peer: Peer, folder: Path) -> list[list[str]]:
    found = node_version()
    if found is None or shutil.which("npm") is None:
        raise CannotInstall(f"{peer.title} runs on Node.js {NODE_MIN} or newer, which is not here")
    if int(found.split(".")[0]) < NODE_MIN:
        raise CannotInstall(f"{peer.title} runs on Node.js {NODE_MIN} or newer; here is {found}")
    quiet = ("--no-audit", "--no-fund", "--loglevel", "error")
    return [["npm", "install", "--prefix", str(folder), *quiet, peer.requirement]]


def _why(command: list[str], said: str) -> str:
    """What a package tool said of its failure, on one line: the longest says most."""
    found = [
        line.strip().removeprefix(sign).strip()
        for line in said.splitlines()
        for sign in ERROR_SIGNS
        if line.strip().startswith(sign) and "complete log" not in line
    ]
    return max(found, key=len, default=f"{Path(command[0]).name} failed and did not say why")


ERROR_SIGNS = ("ERROR:", "npm error", "npm ERR!")
"""How pip and npm begin such a line."""
