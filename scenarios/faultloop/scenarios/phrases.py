"""Phrases: how the words in which a loop tells the model of a call are understood.

A table, because a judgement about wording must be open to inspection: each phrase has the place
where it was met. What the table does not know is quoted in the report and judged `unknown`; nothing
is guessed. Order of reading: cautions and admissions are taken out of the text first, so that "it
may not have been executed" is doubt and not denial; a denial in what is left outweighs any doubt
beside it, because a model acts on the plainest sentence.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple


class Tone(StrEnum):
    """What a text says of whether a call took effect."""

    DENIES = "denies"
    """It says that the call had no effect."""
    ADMITS = "admits"
    """It says that this is not known."""
    CONFIRMS = "confirms"
    """It says that the call took effect."""
    INVITES = "invites"
    """It neither denies nor doubts, but asks for the call again: safe only without an effect."""
    SILENT = "silent"
    """No phrase of the table occurs."""


class Phrase(NamedTuple):
    """One way of saying it."""

    pattern: str
    """Regular expression, matched without regard to case."""
    tone: Tone
    source: str
    """Where it was met, or which rule demands it."""


class Understood(NamedTuple):
    """How a text was understood, and by which of its words."""

    tone: Tone
    words: str


_BEEN = r"(?:been |be |have |has |had |ever |actually )*"

CAUTIONS = (
    r"\b(?:do not|don'?t|never|must not|should not|before(?: you)?|instead of|rather than|without)"
    r"\s+(?:\w+ly )?(?:retry|repeat|try|run|call|creat|charg|send|do|issu)\w*"
    r"(?: (?:it|this|that|the (?:call|tool|command)))?(?: again)?(?: blindly)?"
)
"""Warnings against a repeat; they say nothing of the effect and are taken out of a text."""

PHRASES: tuple[Phrase, ...] = (
    # --- doubt
    Phrase(r"\bunknown\b(?! tool)", Tone.ADMITS, "dsh 0.2.1: 'Its outcome is unknown'; SPEC D2"),
    Phrase(
        r"\bwhether (?:or not )?(?:it|this|that|the \w+)\b[^.;\n]*",
        Tone.ADMITS,
        "claude-code 2.1.332: 'Check whether it took effect'",
    ),
    Phrase(
        rf"\b(?:may|might|could)(?: or (?:may|might|could) not)?(?: not)?(?: already)? {_BEEN}"
        r"(?:took|taken|take|happen\w*|run|ran|execut\w+|appl\w+|complet\w+|succeed\w*|creat\w+"
        r"|charg\w+|effect|written|sent|finish\w*)\b",
        Tone.ADMITS,
        "SPEC D2: started without result",
    ),
    Phrase(
        r"\b(?:could not|cannot|can't|unable to) (?:be )?"
        r"(?:confirm|determin|verif|establish|tell|know)\w*",
        Tone.ADMITS,
        "SPEC D4: an error after a possible effect",
    ),
    Phrase(
        r"\b(?:is|was|has|have) not (?:been )?(?:known|certain|clear|confirmed|verified"
        r"|recorded)\b",
        Tone.ADMITS,
        "SPEC D2",
    ),
    Phrase(r"\b(?:uncertain|unconfirmed|indeterminate|unclear)\b", Tone.ADMITS, "SPEC D4"),
    Phrase(
        r"\bno result was (?:durably )?recorded\b",
        Tone.ADMITS,
        "dsh 0.2.1: 'no result was durably recorded'",
    ),
    Phrase(r"\bstill (?:be )?running\b", Tone.ADMITS, "SPEC X5: reported as still running"),
    Phrase(
        r"\btimed out\b[^.\n]*[.;:,] *(?:please )?(?:check|verify|look)\b",
        Tone.ADMITS,
        "SPEC D2: check, then act",
    ),
    # --- denial
    Phrase(
        r"\b(?:was|were|is|are|has|have|had)(?: not|n't|n’t) " + _BEEN + r"(?:run|start|execut|appl"
        r"|taken|creat|charg|writ|sent|perform|made|call|invok|dispatch|chang|append|modif)\w*",
        Tone.DENIES,
        "grok 0.2.111: '(tool `run_terminal_command` was not executed)'; false after a kill",
    ),
    Phrase(
        r"\bdid(?: not|n't|n’t) (?:actually )?(?:run|start|execute|happen|apply"
        r"|take (?:effect|place)|create|charge|write|append|change)\b",
        Tone.DENIES,
        "SPEC D2: never that it did not happen",
    ),
    Phrase(
        r"\bno (?:[\w\"'#-]+ ){1,6}?(?:(?:was|were|is|are) )?(?:found|exists?|created|charged)\b",
        Tone.DENIES,
        "SPEC D2: the world was asked, and has none",
    ),
    Phrase(
        r"(?<!\w)not (?:executed|run|started|dispatched|written|applied|performed|sent|created"
        r"|charged)\b",
        Tone.DENIES,
        "claude-code 2.1.197: '(... NOT written)' of a command that had half run; SPEC X2's own "
        "words, true only of calls that never started",
    ),
    Phrase(r"\bnever (?:ran|run|started|executed|happened|applied)\b", Tone.DENIES, "SPEC D2"),
    Phrase(
        r"\b(?:no|without (?:any )?)(?: side)? ?(?:effects?|changes?)\b(?: (?:was|were) made)?",
        Tone.DENIES,
        "SPEC X9: cancelling undoes nothing",
    ),
    Phrase(
        r"\bno (?:\w+ ){0,3}(?:pull requests?|charges?|files?|entry|entries)\b",
        Tone.DENIES,
        "find_pull_requests: 'No open pull request has the title ...'",
    ),
    Phrase(r"\brolled back\b|\bundone\b", Tone.DENIES, "SPEC X9"),
    # --- confirmation
    Phrase(
        r"\b(?:already|did|does|has|have|was|were) " + _BEEN + r"(?:exist|took|take|happen|run"
        r"|execut|appl|complet|succeed|success|creat|charg|append|writ|wrote|found)\w*",
        Tone.CONFIRMS,
        "SPEC D2: the world was asked (check, then act)",
    ),
    Phrase(r'"ok": ?true', Tone.CONFIRMS, "subject contract v1: a tool's success"),
    # --- invitation
    Phrase(
        r"\b(?:try|call|run|issue|send) (?:\w+ ){0,3}again\b",
        Tone.INVITES,
        "openai-agents 0.24.0: 'An error occurred while running the tool. Please try again.'",
    ),
    Phrase(
        r"\b(?:please|let'?s|now|you (?:can|may|should)|safe to) (?:now )?(?:retry|repeat)\b",
        Tone.INVITES,
        'smolagents 1.26.0: "Now let\'s retry" after an ambiguous 504',
    ),
)

CUT_WORDS = (
    r"\b(?:interrupt\w*|cancel\w*|abort\w*|stopped|cut (?:off|short|here)|was cut|ended early"
    r"|not executed|turn_aborted|rejected)\b"
)
"""How a turn's cut is spoken of (codex `<turn_aborted>`, claude-code 'Tool call interrupted',
pi 'Command aborted'; SPEC X3)."""

SHORTENED_WORDS = (
    r"\b(?:truncat\w*|cut|omitted|shortened|elided|spilled|saved to|first \d|last \d|continu\w*"
    r"|too (?:large|long)|exceed\w*|remaining|read on|bytes? (?:of|more|left))\b|…|(?<!\.)\.{3}\s*$"
)
"""How a cut of an output is spoken of (SPEC C7)."""

REST_NOT_RUN_WORDS = (
    r"\b(?:not (?:run|executed)|ignored|dropped|only the first|first (?:object|one|call)|discarded"
    r"|rest|remaining|second)\b"
)
"""How it is said that of several glued objects only one was run (SPEC P4)."""


def understand(text: str) -> Understood:
    """How a text speaks of the effect of the call that it is about."""
    rest = re.sub(CAUTIONS, " ", text, flags=re.IGNORECASE)
    doubt = ""
    for phrase in PHRASES:
        if phrase.tone is Tone.ADMITS:
            found = re.search(phrase.pattern, rest, re.IGNORECASE)
            doubt = doubt or (found.group() if found else "")
            rest = re.sub(phrase.pattern, " ", rest, flags=re.IGNORECASE)
    denial = _first(rest, Tone.DENIES)
    if denial:
        return Understood(Tone.DENIES, denial)
    if doubt:
        return Understood(Tone.ADMITS, doubt)
    for tone in (Tone.CONFIRMS, Tone.INVITES):
        words = _first(rest, tone)
        if words:
            return Understood(tone, words)
    return Understood(Tone.SILENT, "")


def _first(text: str, tone: Tone) -> str:
    found = (
        re.search(phrase.pattern, text, re.IGNORECASE) for phrase in PHRASES if phrase.tone is tone
    )
    return next((match.group() for match in found if match), "")


def mentions(words: str, text: str) -> bool:
    """Whether one of the word lists above occurs in a text."""
    return re.search(words, text, re.IGNORECASE) is not None
