"""The initial state of a fake world, as data of a scenario.

Only the parts that a scenario names exist, and only their tools are offered.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandSpec:
    """A command line that the fake shell knows: words with one space between them."""

    output: str = ""
    exit_code: int = 0
    takes_s: float = 0.0
    """Virtual seconds in sim; in real the command waits at the gate if this is above zero."""
    effect: str | None = None
    """What it changes, if anything, in a few words (`deployed`, `wrote coverage/`): they enter the
    ledger at the command's end. A command with another exit code than 0 changes nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequestsSpec:
    """The forge."""

    honours_key: bool = True
    """Whether a second creation with the same idempotency key returns the first request."""
    existing: tuple[str, ...] = ()
    """Titles of pull requests that are already open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentsSpec:
    """The payment service."""

    honours_key: bool = True
    balance_cents: int = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CannedAnswer:
    """What a tool was once answered."""

    args: dict[str, Any]
    """To a call with these arguments."""
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CannedTool:
    """A tool that only answers what was recorded."""

    description: str = ""
    parameters: dict[str, Any] = field(default_factory=lambda: {"type": "object"})
    """JSON Schema of an object."""
    answers: tuple[CannedAnswer, ...] = ()
    """Of several to equal arguments each is given once, in this order, and the last one stays."""


@dataclass(frozen=True, slots=True, kw_only=True, weakref_slot=True)
class WorldSpec:
    """All that exists before the play begins."""

    files: dict[str, str] | None = None
    """Path to content. Tools: read_file, list_files, write_file, append_file, edit_file,
    delete_files."""
    commands: dict[str, CommandSpec] | None = None
    """Command line to what it does. Tool: run_command."""
    pull_requests: PullRequestsSpec | None = None
    """Tools: create_pull_request, find_pull_requests."""
    ci: tuple[Literal["pending", "passed", "failed"], ...] | None = None
    """What each further question about the CI status is answered; the last answer stays.
    Tool: get_ci_status."""
    payments: PaymentsSpec | None = None
    """Tools: charge_customer, list_charges."""
    canned: dict[str, CannedTool] | None = None
    """Tools by name, with the answers that they were seen to give: what was recorded."""
    tools: tuple[str, ...] | None = field(default=None)
    """Offer only these of the tools that exist; None offers all."""
