"""Flips as stories: what was asked, what each wording led to, and what would have been right.

A flip is of a task, which may have been asked many times; the answer that is shown for a side is
the first that goes with the flip: a wrong one for the side that was right less often.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec
from pydantic import BaseModel

from faultloop.reports.accuracy.conclusion import Flip
from faultloop.reports.accuracy.escaping import shortened, visible
from faultloop.reports.accuracy.results import Results
from faultloop.scenarios.wordings.matchers import KINDS
from faultloop.scenarios.wordings.observation import Observation
from faultloop.scenarios.wordings.task import Choice, Task

TEXT_MAX = 1_200
"""Characters of a prompt or an answer that are shown."""
SAID_MAX = 3
"""Flaws of an answer that are told."""
NO_ARGUMENTS = "({})"
"""How a call ends in an answer whose model gives none: it would only repeat what was chosen."""


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """What one wording led to."""

    rate: float
    chosen: str
    answered: str
    says: tuple[str, ...]
    """What was wrong with it, a sentence each."""


class Story(msgspec.Struct, frozen=True, kw_only=True):
    """One flip, readable."""

    candidate: str
    task: str
    is_gain: bool
    expected: str
    """The label."""
    base: Side
    candidate_side: Side = msgspec.field(name="other")
    tools: tuple[str, ...]
    """Tools that have to do with it: expected, or chosen by either."""


class _Answers(NamedTuple):
    """The first observations of one wording and task."""

    right: Observation | None = None
    wrong: Observation | None = None


Answers = Mapping[tuple[str, str], _Answers]


def answers(observations: Iterable[Observation]) -> Answers:
    """By wording and task, the first answer that was right, and the first that was not."""
    found: dict[tuple[str, str], _Answers] = {}
    for one in observations:
        if one.is_repeat:
            continue
        key = (one.wording, one.task)
        known = found.get(key, _Answers())
        if one.right and known.right is None:
            found[key] = known._replace(right=one)
        elif not one.right and known.wrong is None:
            found[key] = known._replace(wrong=one)
    return found


def stories(results: Results, known: Answers, flips: Iterable[Flip]) -> Iterator[Story]:
    """These flips, told; `known` are the answers of all observations."""
    tools = set(results.wordings[0].contracts)
    filled = "arguments" in results.conclusions.metrics
    for flip in flips:
        base = _side(
            known,
            (results.conclusions.base, flip.task),
            flip.base_rate,
            flip.base_chosen,
            is_lower=flip.gained,
            filled=filled,
        )
        other = _side(
            known,
            (flip.candidate, flip.task),
            flip.candidate_rate,
            flip.candidate_chosen,
            is_lower=not flip.gained,
            filled=filled,
        )
        labels = (flip.expected, base.chosen, other.chosen)
        named = dict.fromkeys(tool for label in labels for tool in label.split(" + "))
        yield Story(
            candidate=flip.candidate,
            task=flip.task,
            is_gain=flip.gained,
            expected=flip.expected,
            base=base,
            candidate_side=other,
            tools=tuple(tool for tool in named if tool in tools),
        )


def _side(
    known: Answers,
    key: tuple[str, str],
    rate: float,
    chosen: str,
    *,
    is_lower: bool,
    filled: bool,
) -> Side:
    found = known.get(key, _Answers())
    shown = (found.wrong or found.right) if is_lower else (found.right or found.wrong)
    if shown is None:
        return Side(rate=rate, chosen=chosen, answered="", says=())
    said = tuple(
        shortened(visible(flaw.says or flaw.mistake.value), TEXT_MAX)
        for flaw in shown.flaws[:SAID_MAX]
    )
    answered = shown.answered if filled else shown.answered.removesuffix(NO_ARGUMENTS)
    return Side(
        rate=rate,
        chosen=shown.chosen,
        answered="" if answered == shown.chosen else shortened(visible(answered), TEXT_MAX),
        says=said,
    )


def expected_text(task: Task) -> str:
    """What would be right, for people: `read_file(path: "src/app.py")`."""
    if task.expect != "calls":
        return {"no call": "no call", "ask back": "a question to the user"}[task.expect]
    said = [" or ".join(map(_choice, one.any_of)) for one in task.calls]
    return shortened(visible((", then " if task.ordered else " and ").join(said)), TEXT_MAX)


def _choice(choice: Choice) -> str:
    told = [f"{name}: {_matcher(value)}" for name, value in choice.args.items()]
    told += [f"{name}?: {_matcher(value)}" for name, value in choice.may_have.items()]
    return f"{choice.tool}({', '.join(told)})"


def _matcher(value: object) -> str:
    """A matcher in few words; the commonest kinds say themselves by their value."""
    written = value
    if isinstance(value, BaseModel):
        written = value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if isinstance(written, list):
        return f"[{', '.join(map(_matcher, written))}]"
    if not isinstance(written, dict) or not written.keys() & KINDS:
        return _json(written)
    kind = next(key for key in written if key in KINDS)
    wanted = written[kind]
    if kind == "anything":
        return "anything"
    if kind in ("exact", "path"):
        return _json(wanted)
    if kind == "one_of" and isinstance(wanted, list):
        return " | ".join(map(_matcher, wanted))
    return f"{kind} {_matcher(wanted)}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
