"""`embedded:lexical`: BM25 over what models read of the tools. A lexical proxy, and no LLM.

It finds the tool whose words are the user's words. That is enough to tell a description that says
what a tool is for from one that does not, and nothing more: it gives no arguments, knows no
synonyms, reads one language at a time, and does not understand negation: "do not use it for X"
makes a tool more likely for X. It calls nothing only where no tool has a word in common with what
the user says; a higher threshold would have to be guessed anew for every set of tools, because a
score of BM25 means nothing outside its set (measured: docs/models.md).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from faultloop.loop.contract import Contract
from faultloop.scenarios.wordings.answer import Answer
from faultloop.scenarios.wordings.models.embedded.bm25 import Index
from faultloop.scenarios.wordings.models.embedded.choosing import best, chosen, declined
from faultloop.scenarios.wordings.models.embedded.terms import face_texts, terms
from faultloop.scenarios.wordings.models.port import Question

INDEXES_MAX = 4096
"""Sets of tools that are kept ready; a set of ten tools takes about 50 KiB."""


class Lexical:
    """The default model: offline, no dependency, the same answer always."""

    name = "embedded:lexical"
    about = (
        "A lexical proxy, and no LLM: it looks for the words of the request in what is said of each"
        ' tool. It gives no arguments, makes one call at most, and takes "do not use it for X" for'
        " a word about X."
    )
    identity = "embedded:lexical, first revision of its terms and weights"
    deterministic = True
    sees_order = False
    gives_arguments = False
    worth_keeping = False

    def __init__(self) -> None:
        self._indexes: OrderedDict[frozenset[int], tuple[Sequence[Contract], Index]] = OrderedDict()
        self._faces: dict[int, tuple[Contract, list[str]]] = {}

    async def answer(self, question: Question) -> Answer:
        """The tool that has most in common with the user's last message."""
        if not question.contracts:
            return declined("there is no tool")
        index = self._index(question.contracts)
        tool, score = best(index.names, index.scores(terms(question.prompt)))
        if score == 0:
            return declined("no tool has a word in common with what the user says")
        return chosen(tool)

    async def __aenter__(self) -> Lexical:
        """There is nothing to load."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Forget the tools."""
        self._indexes.clear()
        self._faces.clear()

    def _index(self, contracts: Sequence[Contract]) -> Index:
        # By identity, for a contract cannot be hashed and its text is long; what is kept beside
        # the index keeps the identities from being given to others.
        key = frozenset(map(id, contracts))
        if (kept := self._indexes.get(key)) is None:
            documents = {one.name: self._face(one) for one in contracts}
            kept = self._indexes[key] = (contracts, Index(documents))
            if len(self._indexes) > INDEXES_MAX:
                self._indexes.popitem(last=False)
        return kept[1]

    def _face(self, contract: Contract) -> list[str]:
        kept = self._faces.get(id(contract))
        if kept is None:
            found = [term for text in face_texts(contract) for term in terms(text)]
            kept = self._faces[id(contract)] = (contract, found)
        return kept[1]
