"""Text of others in our pages: prompts, answers and names are data, and never become markup.

HTML is escaped where it is made. Here is what escaping leaves: characters that nobody sees but that
change what is seen, and Markdown, in which a mention even calls a person.
"""

from __future__ import annotations

import re

from faultloop.reports.render import cell

_UNSEEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
"""Control characters but line break and tab; marks that hide, or turn the direction of a text."""


def visible(text: str) -> str:
    """The text with unseen characters as `[U+202E]`; half a character becomes `?`."""
    whole = text.replace("\r\n", "\n").encode(errors="replace").decode()
    return _UNSEEN.sub(lambda found: f"[U+{ord(found[0]):04X}]", whole)


def shortened(text: str, characters_max: int) -> str:
    """At most so many characters; what was cut is said."""
    if len(text) <= characters_max:
        return text
    return f"{text[:characters_max]} … ({len(text) - characters_max:,} more characters)"


def prose(text: str) -> str:
    """For Markdown: one line in which nothing is markup and nobody is called."""
    return cell(visible(text)).replace("~", r"\~").replace("@", "@\u2060")


def code(text: str) -> str:
    """For Markdown, outside tables: one line of code that nothing in the text can end."""
    line = " ".join(visible(text).split())
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if line.startswith("`") or line.endswith("`") or not line else ""
    return f"{fence}{pad}{line}{pad}{fence}"
