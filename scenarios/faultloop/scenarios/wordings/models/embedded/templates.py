"""Which chat template a served model is asked through, so that it sees the tools it may call.

Many models' own templates know of no tools. llama.cpp then leaves the tools out of the prompt and
says nothing of it, and the model chooses among what it was never shown. `tools.jinja` goes in front
of such a template: it writes tools, calls and results into the messages, and the model's own marks
of who speaks stay. llama.cpp finds out by itself how calls are written, and reads them back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import httpx

from faultloop.scenarios.wordings.models.embedded.llama import opened
from faultloop.scenarios.wordings.models.port import ModelUnusable

OWN = "own"
TOOLS = "tools"
PROBE = "faultloop_probe"
"""A tool's name that no template holds."""
PROBE_CONTEXT_TOKENS = 512
"""Nothing is asked of a model whose template is looked at."""
PROBE_TIMEOUT_S = 60.0
NO_PARAMETERS = {"type": "object", "properties": {}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """The template that a model comes with."""

    source: str
    shows_tools: bool
    """A tool that is offered stands in the prompt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The template to serve with."""

    source: str
    """Empty: the model's own."""
    says: str
    """A sentence about it, for whoever serves."""


def chosen(asked: str, own: Callable[[], Own]) -> Choice:
    """The template for `own`, `tools`, a file's path, or nothing: the model's own if that will do.

    `own` is called only where it matters. Raises ModelUnusable.
    """
    if asked == OWN:
        return Choice(source="", says="chat template: the model's own")
    if asked not in ("", TOOLS):
        return Choice(source=_read(Path(asked)), says=f"chat template: {asked}")
    found = own()
    if not asked and found.shows_tools:
        return Choice(source="", says="chat template: the model's own, which shows tools")
    why = "as asked for" if asked else "which shows no tools by itself"
    return Choice(
        source=showing_tools(found.source),
        says=f"chat template: the model's own, {why}, with faultloop's tools.jinja in front",
    )


def showing_tools(source: str) -> str:
    """The same template, for models that are to see tools all the same."""
    package = files("faultloop.scenarios.wordings.models.embedded")
    return package.joinpath("tools.jinja").read_text("utf-8").rstrip() + source


def own_of(file: Path) -> Own:
    """What llama.cpp says of a GGUF file's template. Raises ModelUnusable."""
    server = opened(file, context_tokens=PROBE_CONTEXT_TOKENS)
    asked = {
        "messages": [{"role": "user", "content": "Hello"}],
        "tools": [{"type": "function", "function": {"name": PROBE, "parameters": NO_PARAMETERS}}],
    }
    with httpx.Client(base_url=server.listening_address, timeout=PROBE_TIMEOUT_S) as client:
        source = client.get("/props").json()["chat_template"]
        # A template that fails over tools shows none: the reply is an error then.
        prompt = client.post("/apply-template", json=asked).json().get("prompt", "")
    return Own(source=source, shows_tools=PROBE in prompt)


def _read(file: Path) -> str:
    try:
        return file.expanduser().read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise ModelUnusable(
            f"--template {file}: {why}; give a Jinja file's path, {OWN} or {TOOLS}"
        ) from error
