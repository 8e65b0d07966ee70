"""The port to a model: one question in, one answer out.

A question is all that may decide an answer, and nothing else: it knows neither its task, nor its
wording, nor which rotation of the tools it is. Its digest, together with the model's identity, is
where an answer is kept. A model makes one attempt and decides nothing about the next one: what may
be tried again it raises as `NoAnswer`, what is as it is it answers, failures included.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from faultloop.loop.contract import Contract, Strict
from faultloop.loop.message import Message
from faultloop.scenarios.wordings.answer import Answer, Failure, Usage
from faultloop.scenarios.wordings.task import Said


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question to a model."""

    messages: tuple[Said, ...]
    """What was said before, and the prompt as the last of them."""
    after: tuple[Message, ...] = ()
    """What came of the prompt so far: calls that were made, and what the loop said of them."""
    contracts: tuple[Contract, ...]
    """The tools, in the order in which they are offered; only their faces are read by models."""
    system: str = ""
    strict: Strict | None = None
    """Constrained decoding of arguments (SPEC C11); None leaves it to each tool."""
    sample: int = 0
    """Which asking of the same question, from 0; always 0 for a deterministic model."""

    @property
    def prompt(self) -> str:
        """The user's last message."""
        return self.messages[-1].text


class Model(Protocol):
    """A model. Opened before the first question and closed after the last (`async with`)."""

    @property
    def name(self) -> str:
        """As the user wrote it, and reads it on the page."""
        ...

    @property
    def about(self) -> str:
        """What a reader of its figures must know of it; empty for a model like any other."""
        ...

    @property
    def identity(self) -> str:
        """All that decides its answers, in one text: version, address, options; never a key."""
        ...

    @property
    def deterministic(self) -> bool:
        """Whether the same question always has the same answer; it is asked once then."""
        ...

    @property
    def sees_order(self) -> bool:
        """Whether the order of the tools can matter; if not, it is asked in one order only."""
        ...

    @property
    def gives_arguments(self) -> bool:
        """Whether it fills what it chooses; if not, arguments are not scored."""
        ...

    @property
    def worth_keeping(self) -> bool:
        """Whether an answer costs more than its place in the cache (BM25 does not)."""
        ...

    async def answer(self, question: Question) -> Answer:
        """One attempt. Raises NoAnswer where another may go better, and ModelUnusable."""
        ...

    async def __aenter__(self) -> Model:
        """Make it ready: connect, or load. Raises ModelUnusable."""
        ...

    async def __aexit__(self, *_: object) -> None:
        """Let go of connections and memory."""
        ...


class ModelUnusable(Exception):
    """No question can be answered, and the user can change that; the text says what to do."""


class NoAnswer(Exception):
    """One attempt failed, and the next may go better."""

    def __init__(
        self,
        failure: Failure,
        says: str,
        *,
        retry_after_s: float | None = None,
        usage: Usage | None = None,
        waited_s: float = 0.0,
    ) -> None:
        """`retry_after_s`: the wait that was asked for. `usage`: paid for although it failed.
        `waited_s`: of a timeout, for how long."""
        super().__init__(says)
        self.failure: Failure = failure
        self.retry_after_s = retry_after_s
        self.usage = usage
        self.waited_s = waited_s


class Digests:
    """Digests of questions; the face of each contract is read once.

    By identity of the contracts, which it holds: they are not hashable, and comparing them costs
    more than the digest.
    """

    def __init__(self) -> None:
        self._faces: dict[int, tuple[Contract, str]] = {}

    def of(self, question: Question) -> str:
        """The SHA-256 of all that a model sees of it, as 64 hexadecimal digits; which sample it is
        no model sees."""
        said: list[Any] = [
            question.system,
            [(message.role, message.text) for message in question.messages],
            [self._face(contract) for contract in question.contracts],
            question.strict,
        ]
        if question.after:
            said.append(question.after)
        return hashlib.sha256(msgspec.json.encode(said)).hexdigest()

    def _face(self, contract: Contract) -> str:
        known = self._faces.get(id(contract))
        if known is None:
            # In the order of its keys: models read that order.
            digest = hashlib.sha256(msgspec.json.encode(contract.face())).hexdigest()
            known = self._faces[id(contract)] = (contract, digest)
        return known[1]
