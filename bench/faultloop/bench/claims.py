"""The claims: each promise by its id, what puts it to the test, what proves that the test works.

`CLAIMS` says each promise in a sentence. Which scenarios, drills and mutants belong to it is never
listed here: they name their claims themselves and are collected. `MISSING` is the list of what has
no scenario or drill, or no mutant, and why; a test holds it to be exact, so it can only shrink when
something is done. `python -m faultloop.bench.claims` prints the table and writes docs/claims.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from faultloop.bench.drills import DRILLS
from faultloop.bench.drills.kit.drill import Evidence
from faultloop.bench.mutants import MUTANTS
from faultloop.scenarios.reading import catalogue

FAMILIES: Mapping[str, str] = MappingProxyType(
    {
        "C": "Tool contracts",
        "L": "Loop, layers of done, end reasons",
        "P": "From tokens to a valid call",
        "S": "Scheduling",
        "X": "Cancelling and steering",
        "D": "Durability, retries, effects",
        "I": "Inbox",
        "G": "Goals",
        "E": "Events",
        "O": "The bench itself",
    }
)
"""The first letter of an id."""

CLAIMS: Mapping[str, str] = MappingProxyType(
    {
        "C1": "A tool is declared once; each dialect and MCP is rendered from that, and nothing of "
        "the runtime's face reaches the model.",
        "C2": "What a tool does not declare takes the careful side.",
        "C3": "Arguments reach the tool as validated, and a mended call says what really ran.",
        "C4": "Results are uniform: data, truncation and continuation, or code, message and "
        "whether a retry may help.",
        "C5": "Whether calls may overlap can depend on their arguments; all but True is exclusive.",
        "C6": "A tool that is declared cancellable really stops, its child processes included.",
        "C7": "Output stays in its budget, says that it was cut and how to read on.",
        "C8": "Bad contracts are found by a linter, with rule, place and advice.",
        "C9": "Wording, examples and schema are interface: a change of them is noticed.",
        "C10": "Tools live in a registry that may change at run time, never in branches of code.",
        "C11": "Strict decoding is off, preferred or required, and never replaces validation.",
        "L1": "Every result goes back under the id of its call.",
        "L2": "Steps, time, tokens and cost are limited, and a limit ends as what it is.",
        "L3": "Nothing that a model emits raises out of the loop; a fault closes the turn.",
        "L4": "Calls start after the whole message or after each whole item, never on a part.",
        "L5": "A turn is journalled before its input is claimed, and has exactly one end.",
        "L6": "A step owes another request, goes on because input waits, or is done.",
        "L7": "A continuation records its cause, and a stopping checkpoint runs before the end.",
        "L8": "A result may propose to conclude, where its tool's contract allows it.",
        "L9": "Waiting for idle waits for work that began meanwhile and for who hears the end.",
        "L10": "Stream, batch, turn, activity and goal each end observably, none by inference.",
        "L11": "End reasons are distinct and durable.",
        "L12": "Running into the length limit sticks to the turn; the provider's reason is kept.",
        "L13": "Hooks run at every interception point, and one that throws leaves nothing open.",
        "L14": "One turn at a time in a session, within a process and across processes.",
        "L15": "Input is durable before the model is asked; prompt and tools change by policy.",
        "L16": "What stands above a request is journalled when it changes.",
        "P1": "A cut reply executes none of its calls, not even complete ones.",
        "P2": "Arguments are parsed only when complete.",
        "P3": "The stream assembler survives what adapters do to a stream.",
        "P4": "Repair runs in a fixed order, says what it did, and guesses nothing.",
        "P5": "Arguments that are no object are answered with the shape that is expected.",
        "P6": "An unknown tool is answered with the tools there are, nearest first.",
        "P7": "A failure says what is wrong where, what was received and how to mend it.",
        "P8": "Failures are classed by declaration: told to the model, or ending the turn.",
        "P9": "A tool that raises becomes an error result with a bounded summary.",
        "P10": "Validation precedes permission; a pending approval can be cancelled, and ends.",
        "P11": "Complete call items decide whether tools were called, not the finish reason.",
        "S1": "Calls run in parallel only where each is safe; others are barriers; the pool "
        "is bounded.",
        "S2": "Results are committed in the model's order, whatever finished first.",
        "S3": "A call's failure stays its own; what depends on it is not executed.",
        "S4": "Each call's state is journalled.",
        "S5": "Changes of one real resource queue behind each other, through links too.",
        "S6": "Policies for the whole batch can make it sequential.",
        "S7": "The same call again in a turn can be refused with a pointer to its result.",
        "X1": "The signal is checked before each turn, request and call, and reaches what runs.",
        "X2": "Calls that did not start get a result that says so, paired and durable.",
        "X3": "A cancelled turn closes as aborted, and the next model is told where it was cut.",
        "X4": "The first cause wins and is recorded; the queue is dropped with notice, or kept.",
        "X5": "After a cancel nothing cancellable goes on; the rest is told as still running.",
        "X6": "Input that comes while a run winds down belongs to the next turn.",
        "X7": "Steering enters before the next request, a follow-up where the loop would stop.",
        "X8": "A consumer that stops listening leaves no turn running and no lease held.",
        "X9": "Cancelling undoes nothing: finished effects stay recorded as completed.",
        "D1": "The journal is ahead: message before calls, start before work, result after.",
        "D2": "After a crash nothing that was started runs again: the world is asked, or the model "
        "is told that the outcome is unknown.",
        "D3": "Effects carry an idempotency key that is stable across tries and restarts.",
        "D4": "Only harmless calls are retried; a possible effect is unknown, not failed.",
        "D5": "Each try has an id and a state of its own, and a failed one's text enters nothing.",
        "D6": "The request's view of the history is repaired, and the journal never rewritten.",
        "D7": "Recovery closes open turns as interrupted, and their calls with them.",
        "D8": "Request retries back off, honour Retry-After, are bounded and run no tool again.",
        "D9": "A torn tail of the journal loses at most the record that was being written.",
        "D10": "Replaying a journal rebuilds the same history, byte for byte.",
        "I1": "Input goes to an inbox with lanes; an interrupt fires the signal at once.",
        "I2": "Input is journalled before it is acknowledged, in order, and each id once.",
        "I3": "A claim takes all steering and one prompt where a turn begins, with notice.",
        "I4": "Steering and follow-ups wake an idle loop, injections do not; no wake is lost.",
        "I5": "Text never changes authority, whatever its wording.",
        "G1": "A goal's durable phase is separate from its being armed; a restart disarms it.",
        "G2": "A round of a goal begins only when the loop is idle, the goal active and armed.",
        "G3": "Completing a goal is durable first and does not cut the turn.",
        "E1": "A run is one typed stream of events, and a tool starts after its permission.",
        "E2": "State is updated before subscribers hear, in order, and nothing follows the end.",
        "O1": "The minimal loop is shipped and breaks on each classic failure.",
        "O2": "The story of the pull request is played in all its branches.",
        "O3": "Edit, overwrite and append are replayed, and only the append doubles.",
        "O5": "What each repair rule saves is counted in requests and tokens.",
    }
)
"""Every promise, in the order in which they are shown."""

POLICIES: Mapping[str, str] = MappingProxyType(
    {
        "C11": "reference and pi; off in the others",
        "L4": "whole message; each whole item in codex",
        "L7": "queue; callback in pi",
        "L8": "all; any in dsh",
        "L11": "reference; a part of the reasons elsewhere",
        "L14": "refused; queued in dsh",
        "L15": "assembled; fixed for a run in pi, frozen in mx_claw",
        "P1": "each preset in its own way",
        "P4": "reference and grok; none in dsh, codex and mx_claw",
        "S1": "per call; whole batch in pi and mx_claw",
        "S6": "pi and mx_claw",
        "S7": "mx_claw",
        "X4": "dropped, or kept on request",
        "X7": "all or one at a time",
    }
)
"""Where policies differ: under which a claim applies, or how each keeps it. Elsewhere: all."""

EVIDENCE: tuple[Evidence, ...] = ("outside", "journal", "static")
"""What a promise can be judged by, in the order in which it is shown."""

MISSING: Mapping[str, str] = MappingProxyType({})
"""Claims without a scenario or drill, or without a mutant, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A promise with all that was collected for it."""

    id: str
    sentence: str
    policies: str
    scenarios: tuple[str, ...]
    drills: tuple[str, ...]
    mutants: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    """What its scenarios and drills are judged by."""

    @property
    def is_proven(self) -> bool:
        """Something puts it to the test, and something proves that the test can fail."""
        return bool((self.scenarios or self.drills) and self.mutants)


def collected() -> tuple[Claim, ...]:
    """The table, in the order of `CLAIMS`."""
    scenarios = {scenario.name: scenario.claims for scenario in catalogue()}
    drills = {drill.name: drill.claims for drill in DRILLS.values()}
    mutants = {mutant.name: mutant.claims for mutant in MUTANTS.values()}
    return tuple(
        Claim(
            id=claim,
            sentence=sentence,
            policies=POLICIES.get(claim, "all"),
            scenarios=_about(claim, scenarios),
            drills=_about(claim, drills),
            mutants=_about(claim, mutants),
            evidence=_evidence(claim, scenarios),
        )
        for claim, sentence in CLAIMS.items()
    )


def _about(claim: str, named: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(name for name, claims in named.items() if claim in claims)


def _evidence(claim: str, scenarios: Mapping[str, tuple[str, ...]]) -> tuple[Evidence, ...]:
    found: set[Evidence] = {drill.evidence for drill in DRILLS.values() if claim in drill.claims}
    if _about(claim, scenarios):
        found.add("outside")
    return tuple(one for one in EVIDENCE if one in found)


def unknown_claims() -> tuple[str, ...]:
    """What scenarios, drills and mutants name without it being a claim: `who: id`."""
    named = [
        *((f"scenario {one.name}", one.claims) for one in catalogue()),
        *((f"drill {one.name}", one.claims) for one in DRILLS.values()),
        *((f"mutant {one.name}", one.claims) for one in MUTANTS.values()),
    ]
    return tuple(f"{who}: {claim}" for who, ids in named for claim in ids if claim not in CLAIMS)


# --- as a page and as a table ---------------------------------------------------------------

PAGE = "claims.md"

LAW = """\
# The claims

<!-- Made by `make claims`; a test holds it to the catalogue, the drills and the mutants. -->

What a good agent loop promises. A *scenario* puts a promise to the test from outside, on the wire
and in the world, and so judges any loop. A *drill* needs the loop's own journal and run events, or
looks at an artefact (*static*); it judges the reference loop and what is made of it. A *mutant* is
the reference loop with just that promise broken: it proves that scenario or drill can fail.
"""


def document(claims: tuple[Claim, ...]) -> str:
    """docs/claims.md."""
    lines = [LAW]
    for letter, family in FAMILIES.items():
        lines += [f"## {letter}. {family}", ""]
        for claim in (one for one in claims if one.id.startswith(letter)):
            lines += [f"### {claim.id}", "", claim.sentence, ""]
            lines += [f"- evidence: {', '.join(claim.evidence) or 'none yet'}"]
            if claim.policies != "all":
                lines += [f"- policies: {claim.policies}"]
            for kind in ("scenarios", "drills", "mutants"):
                names: tuple[str, ...] = getattr(claim, kind)
                if names:
                    lines += [f"- {kind}: {', '.join(names)}"]
            if claim.id in MISSING:
                lines += [f"- missing: {MISSING[claim.id]}"]
            lines += [""]
    return "\n".join(lines)


def table(claims: tuple[Claim, ...]) -> Table:
    """The same for a terminal: numbers in place of names."""
    shown = Table(box=None)
    for heading in ("id", "claim", "scenarios", "drills", "mutants", "evidence"):
        right = heading in ("scenarios", "drills", "mutants")
        shown.add_column(heading, justify="right" if right else "left")
    for claim in claims:
        counts = (len(claim.scenarios), len(claim.drills), len(claim.mutants))
        missing = f"[red]{MISSING[claim.id]}[/red]" if claim.id in MISSING else ""
        said = missing or ", ".join(claim.evidence)
        shown.add_row(claim.id, claim.sentence, *(str(n) if n else "·" for n in counts), said)
    return shown


def main(
    docs: Annotated[Path, typer.Option(help="Where the page is written, if there.")] = Path("docs"),
) -> None:
    """Print the table of claims, and write the page."""
    claims = collected()
    Console().print(table(claims))
    proven = sum(claim.is_proven for claim in claims)
    Console().print(f"{proven} of {len(claims)} claims have a scenario or drill, and a mutant")
    if docs.is_dir():
        (docs / PAGE).write_text(document(claims))


if __name__ == "__main__":
    typer.run(main)
