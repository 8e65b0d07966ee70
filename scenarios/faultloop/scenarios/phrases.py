"""Phrases: how the words in which a loop tells the model of a call are understood.

A table, because a judgement about wording must be open to inspection: each phrase has the place
where it was met. What the table does not know is quoted in the report and judged `unknown`; nothing
is guessed. Order of reading: hedged clauses, cautions and admissions are taken out of the text
first, so that "it may not have been executed" is doubt and not denial. A denial that is left beside
them makes the text contradict itself: which of the two a model believes is not known.

An interruption that names no outcome ("aborted", "Tool was interrupted.") says where a turn was cut
(SPEC X3) and nothing of the effect (D2): it is neither. That no result came of a call that was
under way is how D2 itself says that the outcome is unknown, and is doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple


class Tone(StrEnum):
    """What a text says of whether a call took effect."""

    DENIES = "denies"
    """It says that the call had no effect."""
    ADMITS = "admits"
    """It says that this is not known."""
    CONTRADICTS = "contradicts"
    """It says that this is not known, and in another place that the call had no effect."""
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
_CLAUSE = r"[^.;\n]*"
"""The rest of a clause: whatever stands there hangs on the words before it."""
_DONE = (
    r"(?:took|taken|happened|run|ran|execut(?:ed|ion)|applied|completed|succeeded|successful"
    r"|success|created|charged|appended|written|wrote|made|gone through|went through"
    r"|processed|landed|committed|saved)\b"
)
"""What has been done; "was running" and "was executing" are no ends."""

HEDGES: tuple[tuple[str, str], ...] = (
    (
        r"\b(?:(?:do|does|did|is|are|was|were|could)(?: not|n['’]?t)|can(?: ?not|['’]?t))"
        r" (?:be |been )?(?:possible to )?"
        rf"(?:know|known|sure|certain|tell|clear|say|confirm|determin|verif|establish)\w*{_CLAUSE}",
        "SPEC D4: an error after a possible effect; 'do not know if it was executed or not'",
    ),
    (rf"\b(?:unable|no way|impossible) to (?:know|tell|say|confirm|determin|verif){_CLAUSE}", "D4"),
    (rf"\bno (?:\w+ )?(?:way|means) of (?:knowing|telling){_CLAUSE}", "SPEC D4"),
    (rf"\bno (?:\w+ ){{0,3}}(?:can|could) be (?:confirm|determin|verif|establish){_CLAUSE}", "D4"),
    (rf"\b(?:do not|don['’]?t|never|must not|should not) (?:assume|conclude|infer){_CLAUSE}", "D2"),
    (rf"\bassume{_CLAUSE} unless{_CLAUSE}", "SPEC D2: check, then act"),
    (
        rf"\b(?:(?:it is|it's|is) possible|possibly|perhaps|maybe)\b(?={_CLAUSE}{_DONE}){_CLAUSE}",
        "SPEC D2: started without result",
    ),
    (
        r"\b(?:check|verify|look)(?: (?:it|this|that|first|what is there|with \w+"
        r"|(?:its|the) (?:effect|outcome|state|result|ledger|world)))*,? before\b",
        "SPEC D2: check, then act",
    ),
)
"""Openings that make doubt of a whole clause, whatever it goes on to say, each with its source."""

CAUTIONS = (
    r"\b(?:do not|don'?t|never|must not|should not|before(?: you)?|instead of|rather than|without)"
    r"\s+(?:be )?(?:\w+ly )?(?:retry|repeat|try|run|call|creat|charg|send|do|issu)\w*"
    r"(?: (?:it|this|that|the (?:call|tool|command)))?(?: again)?(?: blindly)?"
)
"""Warnings against a repeat; they say nothing of the effect and are taken out of a text."""

NO_SUBJECT = r"\bno (?:\w+ ){1,4}?(?:was|were|has been|have been) \w+"
"""What was not done to what was not there ("no id was returned") neither denies nor confirms."""

PHRASES: tuple[Phrase, ...] = (
    # --- doubt
    Phrase(
        r"(?<!exit )\b(?:outcome|result|status|effect|state)s?\b(?:[^\w.;\n]+(?!exit\b)\w+){0,5}?"
        r"[^\w.;\n]+unknown\b(?! (?:error|reason|exception|host))",
        Tone.ADMITS,
        "dsh 0.2.1: 'Its outcome is unknown'; SPEC D2",
    ),
    Phrase(
        r"\bunknown (?:outcome|result|effect|state|whether|if|status(?! code))\b",
        Tone.ADMITS,
        "SPEC D2",
    ),
    Phrase(
        rf"\bwhether (?:or not )?(?:it|this|that|the \w+)\b{_CLAUSE}",
        Tone.ADMITS,
        "claude-code 2.1.332: 'Check whether it took effect'",
    ),
    Phrase(
        rf"\b(?:may|might|could)(?: or (?:may|might|could) not)?(?: not)?(?: already)? {_BEEN}"
        r"(?:took|taken|take|happen\w*|run|ran|execut\w+|appl\w+|complet\w+|succeed\w*|creat\w+"
        r"|charg\w+|effect|written|sent|finish\w*|made|gone through|go through|process\w*|land\w*"
        r"|posted|opened|committed|saved)\b",
        Tone.ADMITS,
        "SPEC D2: started without result",
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
    Phrase(
        r"\bbefore (?:a|any|its|the) result (?:was|had been|could be) "
        r"(?:produced|received|returned|recorded|delivered)\b",
        Tone.ADMITS,
        "pydantic-ai 2.68.0: 'The tool call was interrupted before a result was produced.'",
    ),
    Phrase(r"\bstill (?:be )?running\b", Tone.ADMITS, "SPEC X5: reported as still running"),
    Phrase(
        r"\btimed out\b[^.\n]*[.;:,] *(?:please )?(?:check|verify|look)\b",
        Tone.ADMITS,
        "SPEC D2: check, then act",
    ),
    # --- denial
    Phrase(
        r"\b(?:was|were|is|are|has|have|had)(?: not|n't|n’t) " + _BEEN + r"(?:run\b|start|execut"
        r"|appl|taken|creat|charg|writ|sent|perform|made|call|invok|dispatch|chang|append|modif"
        r"|gone through|process|land|posted|opened|committed|saved)\w*",
        Tone.DENIES,
        "grok 0.2.111: '(tool `run_terminal_command` was not executed)'; false after a kill",
    ),
    Phrase(
        r"\bdid(?: not|n't|n’t) (?:actually )?(?:run|start|execute|happen|apply"
        r"|take (?:effect|place)|create|charge|write|append|change|go through|land)\b",
        Tone.DENIES,
        "SPEC D2: never that it did not happen",
    ),
    Phrase(
        r"\bnothing (?:has |had |ever )?happened\b|\bdid nothing\b"
        r"|\bnothing (?:was|has been|had been|is) "
        r"(?!return|record|receiv|heard|logg|known|said|confirm|print|report|found wrong)\w+",
        Tone.DENIES,
        "SPEC D2: never that it did not happen",
    ),
    Phrase(
        r"\bfailed and (?:(?:was|were|has been|had been|is) )?(?:rolled back|reverted|undone"
        r"|discarded|changed nothing|nothing\b|left (?:\w+ ){1,3}(?:unchanged|untouched))",
        Tone.DENIES,
        "SPEC X9: cancelling undoes nothing",
    ),
    Phrase(
        r"\bno (?:\w+ ){0,2}?(?:pull requests?|charges?|payments?|files?|entry|entries|lines?)"
        r"(?: (?:to|for|of|with|by|in|called|named|titled) [^.;\n]{1,60}?)?"
        r" (?:(?:was|were|is|are|has been|have been) )?(?:found|exists?|created|charged|made"
        r"|written)\b",
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
        r"\bno open pull requests?(?: has the title|\.)|\bno charges(?: for [\w-]+)?\.",
        Tone.DENIES,
        "the world's own words: find_pull_requests, list_charges",
    ),
    Phrase(r"\brolled back\b|\bundone\b", Tone.DENIES, "SPEC X9"),
    # --- confirmation
    Phrase(
        rf"\b(?:already|has|have|was|were) {_BEEN}(?:{_DONE}|exist\w*|in place)",
        Tone.CONFIRMS,
        "SPEC D2: the world was asked (check, then act)",
    ),
    Phrase(
        r"\b(?:did|does) (?:already |indeed |in fact )?(?:exist|take|happen|run|execute|apply"
        r"|complete|succeed|create|charge|append|write|go through|land)\b",
        Tone.CONFIRMS,
        "SPEC D2: the world was asked (check, then act)",
    ),
    Phrase(
        r"\b(?:charge|payment|pull request|file|entry|line)s?\b[^.;\n]*"
        r" (?:was|were|has been|have been) (?:\w+ly )?found\b",
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
    r"|not executed|turn_aborted)\b"
    r"|\b(?:rejected by the user|user (?:has )?(?:rejected|declined)|tool use was rejected)\b"
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
    doubt, rest = _without(text, (pattern for pattern, _ in HEDGES))
    rest = re.sub(CAUTIONS, " ", rest, flags=re.IGNORECASE)
    admitted, rest = _without(
        rest, (phrase.pattern for phrase in PHRASES if phrase.tone is Tone.ADMITS)
    )
    doubt = doubt or admitted
    denial = _first(rest, Tone.DENIES)
    if denial:
        return Understood(Tone.CONTRADICTS if doubt else Tone.DENIES, denial)
    if doubt:
        return Understood(Tone.ADMITS, doubt)
    rest = re.sub(NO_SUBJECT, " ", rest, flags=re.IGNORECASE)
    for tone in (Tone.CONFIRMS, Tone.INVITES):
        words = _first(rest, tone)
        if words:
            return Understood(tone, words)
    return Understood(Tone.SILENT, "")


def _without(text: str, patterns: Iterable[str]) -> tuple[str, str]:
    """The first words that one of these matches, and the text without all of them."""
    first = ""
    for pattern in patterns:
        found = re.search(pattern, text, re.IGNORECASE)
        if found:
            first = first or found.group()
            text = re.sub(pattern, " ", text, flags=re.IGNORECASE)
    return first, text


def _first(text: str, tone: Tone) -> str:
    found = (
        re.search(phrase.pattern, text, re.IGNORECASE) for phrase in PHRASES if phrase.tone is tone
    )
    return next((match.group() for match in found if match), "")


def mentions(words: str, text: str) -> bool:
    """Whether one of the word lists above occurs in a text."""
    return re.search(words, text, re.IGNORECASE) is not None
