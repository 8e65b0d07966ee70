"""The conformance suite for drivers: does a declared subject keep contract v1 as it says?

Not whether its loop is good: only whether the bench sees it as it is. Five tiny plays are made, and
every rule of RULES looks at them. A rule whose play the declaration rules out is not applicable;
one whose play never came to what the rule is about (the driver made no request, say, or ended
before it could be killed) is unknown.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from faultloop.fakes.history import Requested
from faultloop.scenarios.house import real_place
from faultloop.scenarios.play import Done, Order, perform
from faultloop.scenarios.scenario import Scenario
from faultloop.scenarios.subject import BadSubject, Column, Subject, SubjectUnusable
from faultloop.scenarios.subjects.conformance_plays import PLAYS, SCENARIO, TOOL, Played
from faultloop.scenarios.verdict import Verdict

SEED = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """What one rule concluded."""

    name: str
    sentence: str
    """The rule, and what was seen where it is not simply kept."""
    verdict: Verdict


# --- the rules ------------------------------------------------------------------------------


class Seen(NamedTuple):
    """What a rule makes of the plays."""

    verdict: Verdict
    what: str = ""


KEPT = Seen(Verdict.HELD)
UNTESTED = Seen(Verdict.NOT_APPLICABLE)


class Rule(NamedTuple):
    """One rule of contract v1 for drivers."""

    name: str
    sentence: str
    judge: Callable[[Played], Seen]


def _broken(what: str) -> Seen:
    return Seen(Verdict.BROKEN, what)


def _unknown(what: str) -> Seen:
    return Seen(Verdict.UNKNOWN, what)


def _asked_nothing(play: str) -> Seen:
    return _unknown(f"in the play {play!r} the driver asked the provider nothing")


def _asks_below_its_url(played: Played) -> Seen:
    for play in played.plays:
        if not played.requests(play, 1):
            return _broken(f"no request arrived below /r/PLAY/1 in the play {play!r}")
    return KEPT


def _calls_below_its_url(played: Played) -> Seen:
    if silent := played.silent():
        return _asked_nothing(silent)
    for play in played.plays:
        if not any(played.arrived(play)):
            return _broken(f"the model called {TOOL} and no call arrived in the play {play!r}")
    return KEPT


def _calls_by_their_ids(played: Played) -> Seen:
    """An id is optional; one that is wrong makes a repeated call of a new one, or hides it."""
    seen = UNTESTED
    for play in played.plays:
        made = played.made(play)
        for call in played.arrived(play):
            if call.call_id is None or call.own:
                continue
            seen, arguments = KEPT, _read(call.arguments)
            if call.call_id not in made:
                return _broken(
                    f"the model never gave the id {call.call_id!r}, in the play {play!r}"
                )
            if arguments != _read(made[call.call_id].arguments) and any(
                arguments == _read(other.arguments) for other in made.values()
            ):
                return _broken(f"in the play {play!r} a call came with the id of another one")
    return seen


def _read(arguments: str) -> object:
    try:
        return json.loads(arguments)
    except ValueError:
        return arguments


def _starts_afresh(played: Played) -> Seen:
    asked: list[str] = []
    for play in played.plays:
        first = played.messages(play, 1)
        is_old = any(old in message.text for message in first for old in asked)
        if is_old or any(message.calls or message.role == "tool" for message in first):
            what = "words" if is_old else "calls"
            return _broken(
                f"the first start of the play {play!r} began with {what} of another play: what it"
                " keeps belongs below FAULTLOOP_STATE_DIR"
            )
        asked += played.inputs(play)
    silent = played.silent()
    return _asked_nothing(silent) if silent else KEPT


def _offers_the_manifest(played: Played) -> Seen:
    for play in played.plays:
        for request in played.requests(play, 1):
            if TOOL not in request.tools:
                offers = ", ".join(request.tools) or "nothing"
                return _broken(f"request {request.request} offers {offers}")
    silent = played.silent()
    return _asked_nothing(silent) if silent else KEPT


def _streams_as_told(played: Played) -> Seen:
    for play, streaming in (("whole", False), ("streamed", True)):
        for request in played.requests(play):
            if request.streaming is not streaming:
                form = "streamed" if request.streaming else "whole"
                return _broken(
                    f"FAULTLOOP_STREAM was {int(streaming)} and request {request.request} asked "
                    f"for a {form} reply; a loop that knows {form} replies only says "
                    f"streaming = [{str(request.streaming).lower()}] in its subject.toml"
                )
    silent = played.silent("whole", "streamed")
    return _asked_nothing(silent) if silent else KEPT


def _says_how_it_ended(played: Played) -> Seen:
    for play, done in played.plays.items():
        for outcome in done.outcomes:
            if outcome.complaints:
                return _broken(f"in the play {play!r}: {outcome.complaints[0]}")
    return KEPT


def _exits_as_it_says(played: Played) -> Seen:
    for play, done in played.plays.items():
        for outcome in done.outcomes:
            if outcome.exit_complaint:
                return _broken(f"in the play {play!r} {outcome.exit_complaint}")
    return KEPT


def _completes(played: Played) -> Seen:
    for play in ("whole", "streamed"):
        done = played.plays.get(play)
        if done is not None and done.outcomes[0].account.end_reason != "completed":
            first = done.outcomes[0].account
            return _broken(f"the play {play!r} ended {first.end_reason}: {first.error}")
    silent = played.silent("whole", "streamed")
    return _asked_nothing(silent) if silent else KEPT


def _aborts_when_cancelled(played: Played) -> Seen:
    made = {name: done for name, done in played.plays.items() if name.startswith("cancelled")}
    idle = [name for name, done in made.items() if done.idle_triggers]
    for name, done in made.items():
        first = done.outcomes[0]
        if name in idle:
            continue
        if first.how != "exited":
            return _broken(f"in the play {name!r} it went on after the cancel until it was killed")
        if (said := first.account.end_reason) != "aborted":
            return _broken(f"in the play {name!r} it was cancelled in a tool call and said {said}")
    if idle:
        return _unknown(f"no call arrived in which it could have been cancelled in {idle[0]!r}")
    return KEPT if made else UNTESTED


def _dies_whole(played: Played) -> Seen:
    if played.plays["killed"].idle_triggers:
        return _unknown("no call arrived after which it could have been killed")
    left = played.plays["killed"].outcomes[0].left
    return _broken(f"{left} processes outlived the SIGKILL of its session") if left else KEPT


def _resumes_as_declared(played: Played) -> Seen:
    match played.able.resume:
        case "none":
            return UNTESTED
        case "rerun":
            if not played.requests("killed", 2):
                return _unknown("there was no second start that asked anything")
            said = [message.role for message in played.messages("killed", 2)]
            if "assistant" in said:
                return _broken("it declares no memory, and its second start repeats the first")
        case "session":
            plain = next(play for play in ("whole", "streamed") if play in played.plays)
            return _remembers(played, plain)
        case "continue":
            return _remembers(played, "killed")
    return KEPT


def _remembers(played: Played, play: str) -> Seen:
    first = played.messages(play, 1)
    if not first:
        return _asked_nothing(play)
    asked = next((message.text for message in first if message.role == "user"), None)
    again = played.messages(play, 2)
    if not again:
        return _broken(f"its second start in the play {play!r} asked the provider nothing")
    if asked is None or not any(asked in message.text for message in again):
        return _broken(f"its second start in the play {play!r} has lost the first message")
    return KEPT


def _declines_in_time(played: Played) -> Seen:
    for play, done in played.plays.items():
        declined = any(outcome.account.not_applicable for outcome in done.outcomes)
        if declined and played.requests(play):
            return _broken(f"in the play {play!r} it declined after its first request")
    silent = played.silent()
    return _asked_nothing(silent) if silent else KEPT


RULES: tuple[Rule, ...] = (
    Rule(
        "asks-below-its-url",
        "Provider requests go below the base URL it is given, path included.",
        _asks_below_its_url,
    ),
    Rule(
        "offers-the-manifest",
        "The model is offered the tools that the manifest lists, under their names.",
        _offers_the_manifest,
    ),
    Rule(
        "calls-below-its-url",
        "Tool calls go below FAULTLOOP_TOOLS_URL, path included.",
        _calls_below_its_url,
    ),
    Rule(
        "calls-by-their-ids",
        "A tool call that comes with an id comes with that of the model's own call.",
        _calls_by_their_ids,
    ),
    Rule(
        "starts-afresh",
        "Before its first start it knows nothing: no play remembers another.",
        _starts_afresh,
    ),
    Rule(
        "streams-as-told",
        "It streams where FAULTLOOP_STREAM is 1, and only there.",
        _streams_as_told,
    ),
    Rule("completes", "A play without any fault ends completed.", _completes),
    Rule(
        "says-how-it-ended",
        "Every start that is not killed writes a well-formed result line.",
        _says_how_it_ended,
    ),
    Rule(
        "exits-as-it-says",
        "The exit code is 0 for completed and for nothing else.",
        _exits_as_it_says,
    ),
    Rule(
        "aborts-when-cancelled",
        "The declared cancel ends a start within the grace, as aborted.",
        _aborts_when_cancelled,
    ),
    Rule("dies-whole", "SIGKILL of its process session leaves nothing of it alive.", _dies_whole),
    Rule(
        "resumes-as-declared",
        "After a restart it remembers what its resume kind says, and no more.",
        _resumes_as_declared,
    ),
    Rule(
        "declines-in-time",
        "It says not_applicable before its first request or never.",
        _declines_in_time,
    ),
)


# --- running it -----------------------------------------------------------------------------


async def conform(
    subject: Subject, *, told: Callable[[str], object] = lambda doing: None
) -> tuple[Conclusion, ...]:
    """Play PLAYS and judge every rule. `told` hears which play is being made.

    Raises BadSubject where the declaration is wrong or the subject is no process, SubjectUnusable
    where a requirement is missing.
    """
    if subject.capabilities.tier != "real":
        raise BadSubject(
            f"{subject.name} lives inside the bench: the suite is for subjects with a subject.toml"
        )
    played = await _play(subject, told)
    return tuple(_conclude(rule, played) for rule in RULES)


async def _play(subject: Subject, told: Callable[[str], object]) -> Played:
    able = subject.capabilities
    plays: dict[str, Done] = {}
    async with real_place(subject) as place:
        to_make = {name: play for name, play in PLAYS.items() if play.applies(able)}
        for number, (name, play) in enumerate(to_make.items(), 1):
            told(f"play {number} of {len(to_make)}, {name}")
            order = Order(
                scenario=Scenario.model_validate(
                    {**SCENARIO, **play.parts, "name": f"conformance-{name}"}
                ),
                subject=subject,
                column=Column(dialect=able.dialects[0], streaming=play.form(able)),
                seed=SEED,
            )
            done = await perform(order, place)
            asked = any(isinstance(entry, Requested) for entry in done.evidence.history)
            if done.not_applicable and not asked:
                raise SubjectUnusable(done.not_applicable)
            plays[name] = done
    return Played(able=able, plays=plays)


_LEADS = {Verdict.BROKEN: "But", Verdict.UNKNOWN: "It cannot be told:"}


def _conclude(rule: Rule, played: Played) -> Conclusion:
    seen = rule.judge(played)
    sentence = (
        f"{rule.sentence} {_LEADS[seen.verdict]} {seen.what}." if seen.what else rule.sentence
    )
    return Conclusion(name=rule.name, sentence=sentence, verdict=seen.verdict)
