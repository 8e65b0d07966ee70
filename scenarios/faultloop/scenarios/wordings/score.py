"""What a score says: was the right tool chosen, was it filled rightly, and what was wrong.

`selected` and `filled` are the two figures of every table. `filled` is None where arguments were
not put to the test: the tool was wrong already, the model gives none, or nothing was to be called.
The unconditional figure is `right`; the conditional one looks at right choices only.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Mistake(StrEnum):
    """What was wrong with an answer; one may have several."""

    NO_ANSWER = "no answer"
    """Error, timeout, cut or blocked: counted as wrong and shown apart."""
    NO_CALL = "no call"
    """A call was expected, and a text came."""
    CALL_UNWANTED = "call unwanted"
    """No call was expected, and one came; or the user should have been asked."""
    DID_NOT_ASK = "did not ask back"
    """Nothing was called, but the user was not asked either."""
    UNKNOWN_TOOL = "unknown tool"
    WRONG_TOOL = "wrong tool"
    TOO_MANY = "several calls"
    """More calls than expected."""
    TOO_FEW = "call missing"
    """Fewer calls than expected, but some."""
    WRONG_ORDER = "wrong order"
    UNPARSABLE = "unparsable arguments"
    MISSING = "argument missing"
    INVENTED = "argument invented"
    WRONG_TYPE = "argument of wrong type"
    WRONG_VALUE = "argument of wrong value"
    NOT_DONE = "not done"
    """A whole run ended, and the world is not as it should be."""


class Flaw(msgspec.Struct, frozen=True, kw_only=True):
    """One mistake with its place."""

    mistake: Mistake
    call: int | None = None
    """Which of the answer's calls, from 0."""
    parameter: str = ""
    says: str = ""
    """One sentence for people: what was expected, what came."""


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """One answer, scored against its task."""

    selected: bool
    """The right tools, as many as expected, or rightly none."""
    filled: bool | None
    """Given `selected`: every argument right. None: not put to the test."""
    flaws: tuple[Flaw, ...] = ()
    expected: str
    """What was expected, as a label of the confusion matrix: a tool, `a + b`, `(no call)`,
    `(ask back)`; base names, the first of several that serve equally."""
    chosen: str
    """What came, as such a label; also `(unknown name)` and `(no answer)`. Equal to `expected`
    where `selected`."""

    @property
    def right(self) -> bool:
        """Unconditionally right: chosen rightly, and filled rightly where that was asked for."""
        return self.selected and self.filled is not False
