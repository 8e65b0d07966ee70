"""Numbers that no reader of JSON here can hold: where the first of them stands in a text.

JSON itself knows no limits, readers do. This one says which number it was, so that each API can
complain of it in its own words; it is asked only when a body could not be read.
"""

from __future__ import annotations

import math
import re

INTEGER_DIGITS_MAX = 4300
"""Of an integer: what Python converts from text by default."""

_TOKEN = re.compile(
    r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\Z)|(?P<number>-?\d++(?P<rest>\.\d++)?+(?P<power>[eE][+-]?\d++)?+)',
    re.DOTALL,
)


def out_of_range(text: str) -> int | None:
    """Where the first number out of range begins; None where there is none."""
    for token in _TOKEN.finditer(text):
        number = token["number"]
        if number is None:
            continue
        if token["rest"] or token["power"]:
            is_out = math.isinf(float(number))
        else:
            is_out = len(number.removeprefix("-")) > INTEGER_DIGITS_MAX
        if is_out:
            return token.start()
    return None
