"""How strict the provider is: a level, and single rules that are left out.

`real` is what the providers themselves do. `strict` adds what others reject who speak the same
dialect: a loop that keeps it can be pointed anywhere. `lenient` is what servers on one's own
machine do (vLLM, llama.cpp, Ollama), which answer what the providers reject: the same four damaged
conversations got a 400 from one and a 200 from the other (gpustack/gpustack #6210). Only rules that
such servers keep as well are left there. Bodies that cannot be read are rejected at any level.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Level = Literal["real", "strict", "lenient"]

RuleName = Literal[
    "object_arguments",
    "duplicate_calls",
    "unpaired_calls",
    "orphan_results",
    "duplicate_results",
    "reused_calls",
    "misplaced_results",
    "call_turns",
    "thought_signatures",
    "thinking_signatures",
    "thinking_kept",
    "thinking_first",
    "reasoning_kept",
    "reasoning_followed",
    "last_message",
    "trailing_space",
    "tool_count",
    "strict_schemas",
    "context_overflow",
    "output_overflow",
]
"""In the order in which they are asked: the first that objects answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strictness:
    """What the provider of a play rejects beside what it cannot read."""

    level: Level = "real"
    """`real`: as the providers; `strict`: and as the strictest who speak their dialect; `lenient`:
    as local servers such as vLLM, llama.cpp and Ollama."""
    off: tuple[RuleName, ...] = ()
    """Rules that are left out."""
    context_tokens: int | None = None
    """The model's context window, in tokens; left out, that of the model by the request's name, and
    no limit for a model of another name."""

    def __str__(self) -> str:
        """As `read` takes it."""
        window = () if self.context_tokens is None else (f"context={self.context_tokens}",)
        return ",".join((self.level, *(f"-{rule}" for rule in self.off), *window))


REAL = Strictness()


def read(text: str) -> Strictness:
    """Read what a command line says: `lenient`, `real,-unpaired_calls`, `context=8000`.

    Raises ValueError with a sentence for anything else.
    """
    level: Level = "real"
    off: list[RuleName] = []
    window: int | None = None
    levels: dict[str, Level] = {level: level for level in get_args(Level)}
    for word in filter(None, (word.strip() for word in text.split(","))):
        if word in levels:
            level = levels[word]
        elif word.startswith("context="):
            window = _tokens(word.removeprefix("context="))
        else:
            off.append(_rule(word))
    return Strictness(level=level, off=tuple(off), context_tokens=window)


def _tokens(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise ValueError(f"{text!r} is no number of tokens; write for instance context=8000")
    return int(text)


def _rule(word: str) -> RuleName:
    for known in get_args(RuleName):
        if word == f"-{known}":
            name: RuleName = known
            return name
    raise ValueError(
        f"{word!r} says nothing about strictness: write {' or '.join(get_args(Level))}, -RULE to "
        f"leave one out, or context=TOKENS; the rules are {', '.join(get_args(RuleName))}"
    )
