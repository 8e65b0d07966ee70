"""Policy: every knob of the loop in one frozen value, and what the knobs compute.

SPEC's claims fix what a loop must never do; where several good ways remain, a knob chooses. A
number ends in its unit and in `_max` where it is a limit. `REFERENCE` is the careful choice that
the documentation describes; how other known loops choose is in `presets`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from random import Random
from types import UnionType
from typing import Literal, Union, get_args, get_origin, get_type_hints

from faultloop.loop.budget import Budget
from faultloop.loop.contract import Strict
from faultloop.loop.inbox import Claims
from faultloop.loop.providers.port import RETRYABLE, ProviderFailure
from faultloop.loop.repairs import FULL, Rules
from faultloop.loop.schedule import POOL, WholeBatch

ResultOrder = Literal["model", "completion"]
"""Of the results of a batch: as the model asked, or as they ended (SPEC S2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """How long to wait before the next try: doubling, bounded, with jitter (SPEC D8)."""

    retries_max: int
    base_s: float
    cap_s: float

    def wait_s(self, failures: int, random: Random) -> float:
        """Seconds before the try that follows the nth failure: between half and all of the step.

        Half stays fixed so that the wait really grows; half is jitter so that many clients which
        failed together do not come back together.
        """
        step_s = min(self.cap_s, self.base_s * 2.0 ** min(failures - 1, 32))
        return step_s * random.uniform(0.5, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The knobs of one agent. Two agents with equal policies decide equally."""

    budget: Budget = field(default_factory=Budget)
    """Steps, wall time, tokens and cost of one turn: 50 steps and an hour (SPEC L2)."""

    stream: bool = True
    """Ask for a streamed reply."""
    output_tokens_max: int | None = None
    """Asked of the provider for each reply."""
    strict: Strict | None = "preferred"
    """Constrained decoding of arguments (SPEC C11): what is asked of the provider for every tool,
    in the light of each one's own wish; None leaves it to each tool alone. A `request` hook that
    sends a request elsewhere may ask for something else there."""
    stall_s: float = 600.0
    """A provider that says nothing for so long has failed. The last line of defence: a client of a
    wire can tell a silent stream from a reply that is whole and takes its time, and is stricter."""
    request_backoff: Backoff = field(default=Backoff(retries_max=4, base_s=0.5, cap_s=30.0))
    """Tries of one model request beyond the first (SPEC D8)."""
    retry_after_s_max: float = 120.0
    """A provider that asks for a longer wait than this gets no retry: the turn ends in `error`."""

    truncation: Literal["answer", "end", "drop", "fail"] = "answer"
    """A reply cut by its length (SPEC P1). None of its calls ever runs; then `answer`: each call
    gets an error result and the model is asked again; `end`: the turn ends as `max_tokens`; `drop`:
    the same, and the calls never enter the history; `fail`: the turn ends in `error`."""
    truncation_answers_max: int = 1
    """How often in one turn `answer` goes on before the turn ends as `max_tokens`."""
    starts: Literal["whole_message", "each_item"] = "whole_message"
    """When execution starts (SPEC L4): once the reply is whole, or while it still comes, with each
    call of it that is whole. Whether a call is whole is only known once the next one has begun, so
    that the last call of a reply always waits for its end. If the reply then turns out cut or
    breaks off, nothing further starts, and what has started stays (SPEC P1)."""

    arguments: Rules = FULL
    """What is mended in arguments, and how a rejection is worded (SPEC P4, P7)."""
    repeat_guard: bool = False
    """The same tool with the same arguments again in one turn is refused, with a pointer to the
    earlier result (SPEC S7)."""

    parallel_max: int = POOL
    """Calls of one batch that run at the same time (SPEC S1)."""
    whole_batch: WholeBatch = "per_call"
    """Rule for a whole batch (SPEC S6)."""
    result_order: ResultOrder = "model"
    """In which order the results of a batch enter the history (SPEC S2)."""
    tool_timeout_s: float = 120.0
    """A call that has not ended by then is given up as of unknown outcome (SPEC D4)."""
    stop_grace_s: float = 10.0
    """A call that was told to stop and goes on for longer is reported as still running (X5)."""
    tool_backoff: Backoff = field(default=Backoff(retries_max=2, base_s=0.5, cap_s=10.0))
    """Tries of one call beyond the first, where it may be tried again at all (SPEC D4)."""
    query_unknown: bool = True
    """Ask the world, where the contract names a query, before the model is told "unknown" (D2)."""
    denied: Literal["tell", "block"] = "tell"
    """A denied permission: let the model try another way, or end the turn as `blocked` (P8)."""

    hook_timeout_s: float = 30.0
    """A hook that has not answered by then has failed (SPEC L13)."""
    continuation: Literal["queue", "callback"] = "queue"
    """How a hook keeps a turn from ending (SPEC L7). `queue`: by queuing a message for the next
    step, never by what it answers. `callback`: it is asked, and its answer counts."""
    conclude: Literal["any", "all"] = "all"
    """When results make the model's revisit needless (SPEC L8): one that concludes, or all."""

    queue_on_cancel: Literal["discard", "keep"] = "discard"
    """What a cancel does to input that was queued before it (SPEC X4)."""
    steering_claims: Claims = "all"
    follow_up_claims: Claims = "one_at_a_time"
    """How much of each queue enters at once (SPEC X7, I3): steering before a request, prompts and
    follow-ups at a turn's beginning."""
    second_prompt: Literal["refuse", "queue"] = "refuse"
    """A prompt that comes while the loop is running (SPEC L14)."""

    prompt_and_tools: Literal["assembled", "run", "frozen"] = "assembled"
    """Whether system prompt and tools may change between two requests (SPEC L15). `frozen`: the
    prompt stays what it was in the session's first turn, and a run (from one idle to the next)
    keeps the tools that it started with. `run`: only the latter. `assembled`: both may change.
    Every change is journalled."""
    steps_used_up: Literal["max_steps", "error"] = "max_steps"
    """How a turn ends whose steps are used up: under its own name, or as an explicit error (L2)."""

    def __post_init__(self) -> None:
        """Raises ValueError for a word that is no choice of its knob."""
        for knob, choices in _choices().items():
            chosen = getattr(self, knob)
            if chosen not in choices:
                named = ", ".join(repr(choice) for choice in choices)
                raise ValueError(f"Policy({knob}={chosen!r}): choose one of {named}")

    @property
    def starts_items(self) -> bool:
        """Whether a call may start before its message; a rule for whole batches needs the batch."""
        return self.starts == "each_item" and self.whole_batch == "per_call"

    def retry_wait_s(self, failure: ProviderFailure, failures: int, random: Random) -> float | None:
        """Seconds before a model request is tried again after its nth failure; None: give up.

        Retry-After is a floor: the provider said that nothing earlier can succeed. The jitter
        comes on top of it.
        """
        backoff = self.request_backoff
        if failure.kind not in RETRYABLE or failures > backoff.retries_max:
            return None
        asked_s = failure.retry_after_s or 0.0
        if asked_s > self.retry_after_s_max:
            return None
        wait_s = backoff.wait_s(failures, random)
        return max(wait_s, asked_s + min(wait_s, backoff.base_s)) if asked_s else wait_s


@cache
def _choices() -> Mapping[str, tuple[object, ...]]:
    """Knobs that are words, each with the words that there are."""
    return {
        knob: tuple(_words(hint))
        for knob, hint in get_type_hints(Policy).items()
        if any(isinstance(word, str) for word in _words(hint))
    }


def _words(hint: object) -> Iterator[object]:
    """The values of a Literal, or of a union of one with None."""
    if get_origin(hint) is Literal:
        yield from get_args(hint)
    elif isinstance(hint, UnionType) or get_origin(hint) is Union:
        for part in get_args(hint):
            yield from _words(part)
    elif hint is type(None):
        yield None


REFERENCE = Policy()
