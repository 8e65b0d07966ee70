"""Wording: how the result of a call speaks of it, as far as its words leave one reading.

Two tables, words of refusal and words of success, and what they are found beside. A loop words its
results as it likes, so that only what is plainly one and not the other counts as it; the rest is
left open. Doubt and denial are understood by the table in `phrases`, which is asked first.
"""

from __future__ import annotations

import re
from enum import StrEnum

from faultloop.scenarios.phrases import Tone, understand


class Wording(StrEnum):
    """How a result speaks."""

    EMPTY = "empty"
    """It says nothing."""
    NOT_DONE = "not done"
    """It refuses, fails, doubts or was interrupted."""
    DONE = "done"
    """It says that the call was made, and nothing to the contrary."""
    OPEN = "open"
    """Neither is plain, or both are said."""


FAILING = (
    r"skip(?:s|ped|ping)?|cancel\w*|abort\w*|interrupt\w*|stopped|terminat\w*|killed|errors?"
    r"|exception|fail\w*|invalid\w*|incorrect\w*|malformed|denied|refus\w*|reject\w*|declin\w*"
    r"|block\w*|truncat\w*|incomplete|timed out|timeout|unfinished|unterminated|unable|cannot"
    r"|un(?:known|available|expected|supported|recogni[sz]ed|declared|registered|defined)"
    r"|non-?existent|duplicated?|superseded|discarded|ignored|dropped|pending|postponed|deferred"
    r"|suppressed|withheld|disallowed|forbidden|prohibited|not found|did you mean"
)
"""Words that no account of a success has in its first clause."""
REFUSAL = (
    rf"\b(?:{FAILING}|no|not|non|never|none|nothing|neither|without|\w+n['’]t|missing|wrong|bad"
    r"|required|expected|cut|exceed\w*|limit\w*|must|should|instead|retry|again)\b"
)
"""Words of which a truthful result of a call that was not made has one."""

_DID = (
    r"(?:appended|written|wrote|saved|created|deleted|removed|edited|updated|replaced|charged|paid"
    r"|applied|executed|completed|finished|performed|processed|succeeded)"
)
_WHAT = (
    r"(?:tool|function|command|call|file|lines?|entry|edit|changes?|payment|charge|pull|request"
    r"|operation|append|write)"
)
SUCCESS = (
    r"^(?:ok(?:ay)?|done|success(?:ful(?:ly)?)?|completed?|finished|all (?:good|done)|true)$"
    rf"|^(?:(?:the|your|a|one|\d+) )?(?:{_WHAT} ){{0,2}}(?:successfully )?{_DID}\b"
    r"|\bsuccessfully\b|\bwent (?:well|through|fine)\b|\bsucceeded\b"
)
"""Opening clauses that say of a call that it was made."""

_PLAIN_FAILURE = (
    r"\b(?:an?|the|this|your|its|it|tool|function|call|command|request|operation|execution"
    r"|invocation|error|errors?|exception|fail(?:ed|ure|s)?|unsuccessful|occurred|happened|raised"
    r"|returned|was|has|with|in|of|while|when|during|running|executing|calling|could|not|be"
    r"|executed|completed?|please|try|again|later|retry|something|went|wrong|sorry|unknown"
    r"|unexpected|internal|server|http|status|code|from|to|by|true|false|null|ok|message|result"
    r"|unable|reason|details?|no|is)\b|\d+"
)
"""Words that say that something failed, and not what."""


def wording(told: str) -> Wording:
    """How a result speaks of its call."""
    if not told.strip():
        return Wording.EMPTY
    tone = understand(told).tone
    if tone in (Tone.DENIES, Tone.ADMITS, Tone.CONTRADICTS):
        return Wording.NOT_DONE
    opening = _opening(told)
    if tone is Tone.CONFIRMS or _succeeds(opening):
        # "Saved. 3 errors were fixed" and "Done: 1 of 2; one was skipped" can be read in two ways.
        return Wording.OPEN if _found(rf"\b(?:{FAILING})\b", told) else Wording.DONE
    return Wording.NOT_DONE if _found(REFUSAL, told) else Wording.OPEN


def is_bare_failure(told: str, *names: str) -> bool:
    """Whether nothing is said but that something (of these names) failed."""
    rest = told
    for name in names:
        rest = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", rest)
    if not _found(r"\b(?:error|exception|fail|unsuccessful|wrong|unable|not)", rest):
        return False
    return not re.search(r"\w", re.sub(_PLAIN_FAILURE, " ", rest, flags=re.IGNORECASE))


def _opening(told: str) -> str:
    """The first clause, without what stands around it."""
    clauses = (part.strip(" \t\"'`*[]{}<>✓✔✅") for part in re.split(r"[.:;,!(\n]", told))
    return next((clause for clause in clauses if clause), "")


def _succeeds(opening: str) -> bool:
    return _found(SUCCESS, opening) and not _found(REFUSAL, opening)


def _found(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None
