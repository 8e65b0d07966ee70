"""A subject is an agent loop under test; this is all that the bench wants of it.

A `Subject` opens a `Session` for one play; a session is started once or several times, each start
being handed a `Brief` and watched as a `Run`. Verbs: open, start, wait, kill, clear, cancel, say.
Sessions of the sim tier live in this process under virtual time, those of the real tier are
processes; the play does not know the difference.

A subject must never write history or ledger: it is the suspect, not the witness.

Whose fault it is when a play cannot begin:

    SubjectUnusable   a requirement is missing on this machine: not applicable, with what to install
    BadSubject        its declaration is wrong: bad input, with path, field and sentence
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from faultloop.fakes.closing import TerminalTool
from faultloop.fakes.history import Account
from faultloop.fakes.naming import Naming
from faultloop.fakes.stage import Stage

if TYPE_CHECKING:
    from faultloop.fakes.app import App

Tier = Literal["sim", "real"]
Resume = Literal["none", "rerun", "session", "continue"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a subject declares of itself; scenarios' `requires` is compared with it."""

    tier: Tier = "real"
    dialects: tuple[str, ...] = ("openai_chat",)
    streaming: tuple[bool, ...] = (False, True)
    resume: Resume = "none"
    commands: Literal["world", "own"] = "world"
    """Who runs `run_command`: the world behind HTTP, or the subject as a child of its own."""
    pairing: Literal["native", "text"] = "native"
    naming: Naming | None = None
    """How its model knows the tools of the world; None: by their own names."""
    terminal_tool: TerminalTool | None = None
    """The tool of its own by which alone its turns end."""
    cancel: Literal["sigint", "sigint_group", "control", "none"] = "sigint"
    control: Literal["none", "stdin"] = "none"
    goals: bool = False
    """Whether it pursues a goal by itself, round after round."""
    keys: bool = False
    """Whether it sends an idempotency key with each call of a tool."""
    journal: bool = False
    """Whether `Session.journal` gives the loop's own journal as evidence (the reference only)."""
    timeout_s: float | None = None
    """How long one start may take; replaces the scenario's deadline in the real tier."""
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
    goal_rounds: int | None = None
    """The message is a goal, to be pursued for up to so many rounds; None: it is a message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a start ended, as seen from outside, beside the subject's own account."""

    how: Literal["exited", "killed", "did_not_end"]
    exit_code: int | None
    account: Account
    grace_exceeded: bool = False
    """It was cancelled, did not end within the grace, and was killed."""
    queued_s: float | None = None
    """Of one that was killed: how long its processes, those that were still there, were ready to
    run and waited for a processor; None: that is not known."""
    complaints: tuple[str, ...] = ()
    """What was wrong with its result lines, in sentences."""
    left: int = 0
    """Processes that outlived it and were ended by the bench."""

    @property
    def exit_complaint(self) -> str:
        """How its exit code contradicts its account, as a sentence; empty where it does not."""
        said = self.account.end_reason
        if self.how != "exited" or self.account.not_applicable is not None:
            return ""
        if (said == "completed") == (self.exit_code == 0):
            return ""
        return f"it said {said or 'nothing'} and exited with {self.exit_code}"


class Run(Protocol):
    """One start of the subject that is under way."""

    async def wait(self) -> Outcome:
        """Wait until the start's leader is over. Children may outlive it: see `clear`."""
        ...

    async def kill(self) -> None:
        """SIGKILL for the whole process session, at once; in sim its simulated equal.

        Returns when nothing of it is left alive. Does nothing once the start was cleared.
        """
        ...

    async def clear(self) -> int:
        """End whatever outlived the leader, and say how many processes that were.

        Called once, after `wait` and after late work was given its chance to show.
        """
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
    url: str
    """`http://HOST/r/PLAY`; a start appends `/START/...`."""
    app: App | None = None
    """Where the url leads without a network; sim tier only."""
    state_dir: Path | None = None
    """Private to the play, survives restarts; real tier only."""
    environment: Callable[[int], dict[str, str]] = field(default=lambda _start: {})
    """Additions to a start's cleaned environment (PATH with the world's own commands)."""


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
    def about(self) -> str:
        """One line for lists."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """What it can do; decides which scenarios apply."""
        ...

    def open(self, venue: Venue) -> AbstractAsyncContextManager[Session]:
        """A session for one play."""
        ...

    async def close(self) -> None:
        """Let go of what its plays share (a zygote). It may be opened again afterwards."""
        ...


class SubjectUnusable(Exception):
    """The subject cannot be started on this machine. The text says what is missing and the cure."""


class BadSubject(Exception):
    """The subject's declaration is wrong; its author is at fault. `path: field: sentence`."""
