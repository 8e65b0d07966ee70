"""Models that come along: offline, deterministic, chosen by `--model embedded:...`.

`KINDS` is the table; a model's own module is imported only when it is asked for, so that whoever
takes the default needs none of the extras. What each one is, its licence, what it costs and what it
cannot do stands in docs/models.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from importlib.metadata import PackageNotFoundError, version

from faultloop.scenarios.wordings.models.port import Model, ModelUnusable


def _lexical(_: str) -> Model:
    from faultloop.scenarios.wordings.models.embedded.lexical import Lexical

    return Lexical()


def _minilm(_: str) -> Model:
    from faultloop.scenarios.wordings.models.embedded.minilm import MiniLM

    return MiniLM()


def _llm(path: str) -> Model:
    from faultloop.scenarios.wordings.models.embedded.llm import LLM

    return LLM(path)


KINDS: Mapping[str, Callable[[str], Model]] = {
    "embedded:lexical": _lexical,
    "embedded:minilm": _minilm,
    "embedded:llm": _llm,
}
"""Spelling to what makes the model of what stands after its `=`."""

TAKES_PATH = frozenset({"embedded:llm"})


def embedded_model(spelling: str) -> Model:
    """The model that is spelt so; nothing is loaded yet. Raises ModelUnusable."""
    kind, equals, path = spelling.partition("=")
    if kind not in KINDS:
        near = get_close_matches(kind, KINDS, n=1, cutoff=0)[0]
        raise ModelUnusable(
            f"there is no model {spelling!r}: did you mean {near}? There are {', '.join(KINDS)}"
            " (and embedded:llm=PATH.gguf)"
        )
    if equals and kind not in TAKES_PATH:
        raise ModelUnusable(f"{kind} takes nothing after it: write --model {kind}")
    if equals and not path:
        raise ModelUnusable(f"the path is missing after {spelling}: write --model {kind}=PATH.gguf")
    return KINDS[kind](path)


def version_of(wheel: str) -> str:
    """The version that computes here; part of a model's identity."""
    try:
        return f"{wheel} {version(wheel)}"
    except PackageNotFoundError:
        return f"no {wheel}"
