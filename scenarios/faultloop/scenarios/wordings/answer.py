"""What a model answered, and what counts as a call: decided here, and nowhere else.

A call is a complete call item of the provider's reply. A text that looks like a call is a text. A
reply that was cut at its length limit has no calls, not even complete ones (SPEC P1), and whatever
stopped the reply before its end is a failure: it counts as wrong, and is shown apart. What the
model wrote as arguments stays the text that it is until a score reads it. A reply with neither call
nor text is no answer at all, not even to what expects no call: whoever asked got nothing.

Asking back is decided here, too: a text without a call in which a question mark ends something, or
which asks for something in so many words (`REQUEST`). A mark in the middle of a word, a path or an
address (`list?page=2`, `user?.name`) asks nothing, and an offer of help neither (`OFFER`).
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from faultloop.loop.message import Call

Failure = Literal[
    "timeout",
    "refused",
    "unavailable",
    "broken",
    "unreadable",
    "cut",
    "blocked",
    "overflow",
    "empty",
]
"""Why there is no answer: nothing came in time; the provider refused the request, could not be
had, broke off; the model wrote a call that its own API could not read; the reply reached its length
limit or was stopped by a filter; the request was too long; the reply ended with nothing in it."""

QUESTION = re.compile(r"[？؟]|\?(?!\.?[A-Za-z0-9_=&/%#])")
"""A question mark that ends something, in any of the scripts that have one of their own."""

REQUEST = re.compile(
    r"\bplease (?:tell|specify|provide|give|share|confirm|clarify|name|choose|state)\b"
    r"|\b(?:tell me|let me know) (?:which|what|where|who|whom|when|how)\b"
    r"|请(?:您|你)?(?:先)?(?:告诉|告知|提供|说明|指定|确认|补充|明确)|告诉我",
    re.IGNORECASE,
)
"""Words that ask for something without a question mark."""

OFFER = re.compile(
    r"(?:^|[.!,;:\n]\s*|is there |with |do |for )(?:any|some)thing (?:else|more|further|other)\b"
    r"(?! than| specific)[^?？.!]*[?？]"
    r"|(?:what|how) else (?:can|could|may) i\b[^?？.!]*[?？]"
    r"|(?:how|what) (?:else )?(?:can|could|may) i (?:help|assist|do for) you(?: today)?\s*[?？]"
    r"|(?:can|could|may|shall|should) i (?:help|assist) (?:you )?(?:with )?(?:anything|something)?"
    r"(?: else| more| further)?(?: today)?\s*[?？]"
    r"|(?:would|do) you (?:like|want|need) (?:me to (?:do|help (?:you )?with) )?"
    r"(?:(?:any|some)thing (?:else|more)|(?:any )?(?:more|further|other) help)\b[^?？.!]*[?？]"
    r"|还有(?:什么|其他|其它|别的)[^?？。！]*[?？]?"
    r"|还(?:需要|要|想)(?:我(?:帮您|帮你|为您|为你|帮忙)?做?)?(?:什么|其他|其它|别的)[^?？。！]*[?？]?"
    r"|(?:需要|要)我?(?:帮忙|帮您|帮你|做)+(?:其他|其它|别的)[^?？。！]*[?？]?"
    r"|有什么我?(?:可以|能)(?:帮|为)[^?？。！]*[?？]?",
    re.IGNORECASE,
)
"""An offer of help: a question by its form alone. "Would you like me to delete it?" is none."""


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """What the answer took."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    """Of the input tokens, those that were read from the provider's own cache."""
    estimated: bool = False
    """The provider counted nothing; these are guessed from lengths."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """One answer of one model to one question."""

    calls: tuple[Call, ...] = ()
    """In the model's order; names and parameters as the model wrote them."""
    text: str = ""
    failure: Failure | None = None
    failure_says: str = ""
    """One sentence, where there is a failure."""
    waited_s: float = 0.0
    """Of a timeout: for how long. Who waits longer asks again."""
    gives_arguments: bool = True
    """False for models that only choose (BM25, embeddings): arguments are not scored at all."""
    usage: Usage = Usage()

    @property
    def failed(self) -> bool:
        """Whether there is no answer to speak of."""
        return self.failure is not None

    @property
    def asks_back(self) -> bool:
        """Whether it is a question to the user instead of a call."""
        if self.failed or self.calls:
            return False
        said = OFFER.sub("", self.text)
        return bool(QUESTION.search(said) or REQUEST.search(said))
