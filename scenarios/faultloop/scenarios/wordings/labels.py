"""Names that people give to wordings and tasks: text of one line.

They stand in sentences, in tables and on terminals, so nothing in them may steer one: no control
characters, no line breaks, none that turn the direction of writing.
"""

from __future__ import annotations

import unicodedata
from typing import Annotated

from pydantic import AfterValidator, Field

STEERING = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode's categories: control, format, half a character, line and paragraph separator."""
JOINERS = "\u200c\u200d"
"""Of format, but how some scripts are spelt."""


def _plain(text: str) -> str:
    for one in text:
        if unicodedata.category(one) in STEERING and one not in JOINERS:
            raise ValueError(f"it holds {one!r}, which is no text: take it out")
    return text


Label = Annotated[str, AfterValidator(_plain)]
"""It may be empty."""
Name = Annotated[str, Field(min_length=1), AfterValidator(_plain)]
