"""A subject is an agent loop under test; this is all that the bench wants of it.

A `Subject` opens a `Session` for one play; a session is started once or several times, each start
being handed a `Brief` and watched as a `Run`. Verbs: open, start, wait, kill, cancel, say. Sessions
of the sim tier live in this process under virtual time, those of the real tier are processes; the
play does not know the difference.

A subject must never write history or ledger: it is the suspect, not the witness.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from faultloop.fakes.history import Account
from faultloop.fakes.stage import Stage

Tier = Literal["sim", "real"]
Resume = Literal["none", "rerun", "session", "continue"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a subject declares of itself (subject.toml); scenarios' `requires` is matched with it."""

    tier: Tier = "real"
    dialects: tuple[str, ...] = ("openai_chat",)
    streaming: tuple[bool, ...] = (False, True)
    resume: Resume = "none"
    tools: Literal["http", "mcp_http", "mcp_stdio", "own"] = "http"
    commands: Literal["world", "own"] = "world"
    """Who runs `run_command`: the world behind HTTP, or the subject as a child of its own."""
    pairing: Literal["native", "text"] = "native"
    terminal_tool: str | None = None
    cancel: Literal["sigint", "sigint_group", "control", "none"] = "sigint"
    control: Literal["none", "stdin"] = "none"
    journal: bool = False
    """Whether `Session.journal` gives the loop's own journal as evidence (the reference only)."""
    timeout_s: float = 30.0
    policy: str = ""
    """Name of the policy preset that the subject plays, where it has such a thing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """What one start is told."""

    start: int
    input: str
    """The user's message; empty on a `continue` that only goes on with pending work."""
    resume: bool
    max_steps: int
    deadline_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a start ended, as seen from outside, beside the subject's own account."""

    how: Literal["exited", "killed", "did_not_end"]
    exit_code: int | None
    account: Account
    grace_exceeded: bool = False
    """It was cancelled, did not end within the grace, and was killed."""


class Run(Protocol):
    """One start of the subject that is under way."""

    async def wait(self) -> Outcome:
        """Wait until the start is over and nothing of its process session is left."""
        ...

    async def kill(self) -> None:
        """SIGKILL for the whole process session, at once; in sim its simulated equal."""
        ...

    async def cancel(self) -> None:
        """The user's cancel, once, in the declared way."""
        ...

    async def say(self, kind: Literal["message", "steer", "follow_up"], text: str) -> None:
        """Input while it runs. Only called where `control` is declared or the tier is sim."""
        ...


class Session(Protocol):
    """The subject within one play, across its starts."""

    async def start(self, brief: Brief) -> Run:
        """Start it. Raises SubjectUnusable when it cannot be started at all."""
        ...

    def journal(self) -> Sequence[dict[str, Any]] | None:
        """The loop's journal after the play, decoded; None where it keeps none."""
        ...

    def stderr(self) -> str:
        """What it wrote to standard error so far, at most 64 KiB from the end."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a report: which way of running the subject."""

    dialect: str = "openai_chat"
    streaming: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Venue:
    """Where a play takes place; given to a subject when a session is opened."""

    stage: Stage
    column: Column
    seed: int
    url: str | None = None
    """`http://127.0.0.1:PORT/r/PLAY` in the real tier; a start appends `/START/...`."""
    state_dir: Path | None = None
    """Private to the play, survives restarts; real tier only."""
    environment: dict[str, str] = field(default_factory=dict)
    """Additions to the cleaned environment (PATH with the world's own commands)."""


class Subject(Protocol):
    """An agent loop that can be played."""

    @property
    def name(self) -> str:
        """As chosen by `--subject`."""
        ...

    @property
    def version(self) -> str:
        """Pinned version, shown in reports."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """What it can do; decides which scenarios apply."""
        ...

    def open(self, venue: Venue) -> AbstractAsyncContextManager[Session]:
        """A session for one play."""
        ...


class SubjectUnusable(Exception):
    """The subject cannot be started; the subject's owner is at fault. The text says what to do."""
