"""What models share that only choose: what they read of a question, and how they answer.

They compare texts. They read the user's last message, which is what the tool is wanted for; they
know no earlier message, no system prompt, no order of tools and no "not". They make at most one
call, without arguments, and never ask back.
"""

from __future__ import annotations

from collections.abc import Sequence

from faultloop.loop.message import Call
from faultloop.scenarios.wordings.answer import Answer


def best(names: Sequence[str], scores: Sequence[float]) -> tuple[str, float]:
    """The tool with the highest score; of equals the one whose name comes first, whatever the
    order that they were offered in."""
    top = max(scores)
    return min(name for name, score in zip(names, scores, strict=True) if score == top), top


def chosen(tool: str) -> Answer:
    """The answer that calls this tool."""
    return Answer(calls=(Call(id="call_1", name=tool, arguments="{}"),), gives_arguments=False)


def declined(why: str) -> Answer:
    """The answer that calls nothing."""
    return Answer(text=why, gives_arguments=False)
