"""Speaking: how the result of a call speaks of it, as far as its words leave one reading.

Two tables, words of refusal and words of success, and what they are found beside. A loop words its
results as it likes, so that only what is plainly one and not the other counts as it; the rest is
left open. What opens with words of success is never a refusal, whatever it goes on to say. Doubt
and denial are understood by the table in `phrases`.
"""

from __future__ import annotations

import re
from enum import StrEnum

from faultloop.scenarios.phrases import Tone, understand


class Speaking(StrEnum):
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
    r"skip(?:s|ped|ping)?|cancel\w*|abort\w*|interrupt\w*|stopped|terminat\w*|killed|err(?:ors?)?"
    r"|exception|fail\w*|invalid\w*|incorrect\w*|malformed|denied|refus\w*|reject\w*|declin\w*"
    r"|block\w*|truncat\w*|incomplete|timed out|timeout|unfinished|unterminated|unable|cannot"
    r"|un(?:known|available|expected|supported|recogni[sz]ed|declared|registered|defined)"
    r"|non-?existent|duplicated?|superseded|discarded|ignored|dropped|pending|postponed|deferred"
    r"|suppressed|withheld|disallowed|forbidden|prohibited|not found|did you mean|loop detected"
)
"""Words that no account of a success has in its first clause."""
_NEGATION = r"not|never|none|nothing|neither|\w+n['’]t"
"""Words that deny what they stand beside."""
REFUSAL = (
    rf"\b(?:{FAILING}|{_NEGATION}|no|non|without|missing|wrong|bad|required|expected|cut"
    r"|exceed\w*|limit\w*|must|should|instead|retry|(?:try|call|run|issue|send)(?: \w+){0,3} again"
    r")\b"
)
"""Words of which a truthful result of a call that was not made has one."""
_CONSOLATION = (
    r"\b(?:no|nothing|without)(?: any)? (?:further|more|other|else|additional|errors?|failures?"
    r"|problems?|issues?|trouble)\b(?: (?:action|steps?|work)\b[^.;\n]*)?"
    r"|\bno (?:need|action)\b[^.;\n]*"
    r"|\b(?:must|should) (?:now |soon )?(?:see|receive|find|appear|arrive|show)\b"
)
"""Words of refusal that refuse nothing: "no further action is required", "you should see it"."""

_DID = (
    r"(?:appended|written|wrote|saved|created|deleted|removed|edited|updated|replaced|charged|paid"
    r"|applied|executed|completed|finished|performed|processed|succeeded|added|inserted|changed"
    r"|modified|made|sent|opened|posted|submitted|issued|booked|billed|debited|credited|recorded"
    r"|registered|placed|transferred|stored|moved|copied|renamed|committed|merged|published)"
)
_DENIAL = (
    rf"(?:\bnot|\bnever|n['’]t) (?:be |been )?(?:{_DID}|run|done|called|repeated|invoked|allowed"
    r"|permitted|started)\b"
)
_FALSE_FLAG = r"[\"'](?:ok|success|done|completed)[\"']: ?false\b"
"""How a success is denied, in words and in data."""
DONE_BEFORE = rf"\balready (?:been |be )?(?:{_DID}|done|run|ran|called|invoked|tried)\b"
"""How it is said that an earlier call did it."""
_WHAT = (
    r"(?:tool|function|command|call|file|lines?|entry|edit|changes?|payment|charge|pull|request"
    r"|operation|append|write)"
)
SUCCESS = (
    r"^(?:ok(?:ay)?|done|success(?:ful(?:ly)?)?|completed?|finished|all (?:good|done)|true)$"
    rf"|^(?:(?:i|we)(?: have|['’]ve)? |(?:the|your|a|an|one|another|\d+) )?(?:{_WHAT} ){{0,2}}"
    rf"(?:successfully )?{_DID}\b(?! (?:arguments?|parameters?|json|input|calls?|tools?)\b)"
    r"|\bsuccessfully\b|\bwent (?:well|through|fine|out)\b|\bsucceeded\b"
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

_DENIES_OR_DOUBTS = (Tone.DENIES, Tone.ADMITS, Tone.CONTRADICTS)


def speaking(told: str) -> Speaking:
    """How a result speaks of its call."""
    if not told.strip():
        return Speaking.EMPTY
    done = opens_with_success(told)
    tone = understand(told).tone
    if tone in _DENIES_OR_DOUBTS:
        return Speaking.OPEN if done else Speaking.NOT_DONE
    rest = re.sub(_CONSOLATION, " ", told, flags=re.IGNORECASE)
    if done or (tone is Tone.CONFIRMS and not _opens_with_failing(told)):
        # "Saved. 3 errors were fixed" and "Done: 1 of 2; one was skipped" can be read in two ways.
        return Speaking.OPEN if _found(rf"\b(?:{FAILING})\b", rest) else Speaking.DONE
    refused = _found(REFUSAL, rest) or _found(_FALSE_FLAG, told)
    return Speaking.NOT_DONE if refused else Speaking.OPEN


def opens_with_success(told: str) -> bool:
    """Whether the first clause says that the call was made."""
    opening = _opening(told)
    denied = _found(rf"\b(?:{_NEGATION})\b", opening) or _found(_FALSE_FLAG, told)
    return _found(SUCCESS, opening) and not denied


def _opens_with_failing(told: str) -> bool:
    """So does "Refused: the same call was made before"; not so "A duplicate payment was made"."""
    opening = _opening(told)
    confirms = understand(opening).tone is Tone.CONFIRMS
    return _found(rf"\b(?:{FAILING})\b", opening) and not confirms


def refuses(told: str) -> bool:
    """Whether it is plain that the call was refused: by a denial or a word of failing."""
    if speaking(told) is not Speaking.NOT_DONE:
        return False
    denied = understand(told).tone in (Tone.DENIES, Tone.CONTRADICTS)
    return denied or _found(rf"\b(?:{FAILING})\b|{_DENIAL}|{_FALSE_FLAG}", told)


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


def _found(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None
