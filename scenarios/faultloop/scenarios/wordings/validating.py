"""Whether tasks can be scored in a wording: their tools and parameters are there, and each task's
own right answer is right.

The own answer is made of the matchers themselves (an exact value, each of several, a number, a
moment, a path, a list in either direction), so a task that contradicts itself or its tool's schema
is found before any model is asked. A matcher that no value follows from (`regex`, `schema`,
`anything`) may say `such_as`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from faultloop.loop.contract import COMPOSING, Contract
from faultloop.loop.message import Call
from faultloop.loop.strict_json import JSONValue
from faultloop.scenarios.places import Place
from faultloop.scenarios.sentences import Complaint, nearest
from faultloop.scenarios.wordings.answer import Answer
from faultloop.scenarios.wordings.filling import arguments_of, flaws_of, slips_of
from faultloop.scenarios.wordings.matchers import Matcher
from faultloop.scenarios.wordings.matchers.unordered import variations
from faultloop.scenarios.wordings.scoring import score
from faultloop.scenarios.wordings.task import Choice, Expected, Task
from faultloop.scenarios.wordings.wording import Wording

Arguments = dict[str, JSONValue]
"""By the base's names."""


class Wrong(NamedTuple):
    """A task that cannot be scored."""

    at: int
    """Which of the tasks, from 0."""
    complaint: Complaint
    """What is wrong, and where in the task."""


def complaints(tasks: Sequence[Task], wording: Wording) -> Iterator[Wrong]:
    """What is wrong with tasks in this wording; nothing: all of them can be scored."""
    for at, task in enumerate(tasks):
        for found in _of_task(task, wording):
            yield Wrong(at, found)


def _of_task(task: Task, wording: Wording) -> Iterator[Complaint]:
    found = [*_unknown_tools(task, wording)]
    if not found:
        for place, choice in _choices(task):
            found.extend(_of_choice(choice, wording, place))
    if not found:
        for answer in own_answers(task, wording):
            judged = score(task, wording, answer)
            if not judged.right:
                says = "; ".join(flaw.says for flaw in judged.flaws)
                sentence = f"the task's own answer would be called wrong: {says}"
                found.append(Complaint(("calls" if task.calls else "expect",), sentence))
    yield from found


def _choices(task: Task) -> Iterator[tuple[Place, Choice]]:
    for at, call in enumerate(task.calls):
        for number, choice in enumerate(call.any_of):
            yield ("calls", at, "any_of", number), choice


def _unknown_tools(task: Task, wording: Wording) -> Iterator[Complaint]:
    named: list[tuple[Place, str]] = [(("tools", at), tool) for at, tool in enumerate(task.tools)]
    named += [((*place, "tool"), choice.tool) for place, choice in _choices(task)]
    for place, tool in named:
        if tool not in wording.contracts:
            hint = nearest(tool, wording.contracts, noun="tools")
            yield Complaint(place, f"the wording {wording.name!r} has no tool {tool!r}; {hint}")


def _of_choice(choice: Choice, wording: Wording, place: Place) -> Iterator[Complaint]:
    contract = wording.contracts[choice.tool]
    known = {wording.parameter_called(choice.tool, name): name for name in contract.properties}
    if _is_closed(contract):
        for part, named in (("args", choice.args), ("may_have", choice.may_have)):
            for name in named:
                if name not in known:
                    hint = nearest(name, known, noun="parameters")
                    sentence = f"{choice.tool} has no parameter {name!r}; {hint}"
                    yield Complaint((*place, part, name), sentence)
    for name, shown in known.items():
        if shown in contract.required and name not in choice.args:
            sentence = f"{choice.tool} requires {name!r}; say here what it must be"
            yield Complaint((*place, "args"), sentence)
            return
    for args in own_arguments(choice):
        written = arguments_of(_text(args, choice, wording), contract)
        slips = slips_of(choice, wording, written)
        for flaw in flaws_of(slips, choice.tool, wording, written, 0):
            part = "may_have" if flaw.parameter in choice.may_have else "args"
            below = (part, flaw.parameter) if flaw.parameter else (part,)
            sentence = f"the task's own answer would be called wrong: {flaw.says}"
            yield Complaint((*place, *below), sentence)
            return


def _is_closed(contract: Contract) -> bool:
    """Whether there are no parameters but those that are declared."""
    schema = contract.parameters
    return not schema.get("additionalProperties") and not COMPOSING & schema.keys()


def own_arguments(choice: Choice) -> Iterator[Arguments]:
    """Right arguments that follow from the matchers, so that each of their values is in one: once
    without what may be left out, and once with it. None where a matcher has no value of its own."""
    required = _variations(choice.args)
    yield from required
    optional = {name: one for name, one in choice.may_have.items() if any(True for _ in one.own())}
    if required and optional:
        for more in _variations(optional):
            yield {**required[0], **more}


def _variations(matchers: Mapping[str, Matcher]) -> list[Arguments]:
    found = variations([list(matcher.own()) for matcher in matchers.values()])
    return [dict(zip(matchers, values, strict=True)) for values in found]


def own_answers(task: Task, wording: Wording) -> Iterator[Answer]:
    """Right answers to the task, as a model would give them in this wording; none where a matcher
    has no value of its own."""
    if task.expect != "calls":
        yield Answer(text="Which one?" if task.expect == "ask back" else "Done.")
        return
    each = [_own_calls(call, wording) for call in task.calls]
    for number in range(max(map(len, each)) if all(each) else 0):
        calls = [own[min(number, len(own) - 1)] for own in each]
        yield Answer(calls=tuple(_numbered(calls)))
        if len(calls) > 1 and not task.ordered:
            yield Answer(calls=tuple(_numbered(calls[::-1])))


def _own_calls(expected: Expected, wording: Wording) -> list[Call]:
    return [
        Call(
            id="", name=wording.contracts[choice.tool].name, arguments=_text(args, choice, wording)
        )
        for choice in expected.any_of
        for args in own_arguments(choice)
    ]


def _numbered(calls: Sequence[Call]) -> Iterator[Call]:
    for at, call in enumerate(calls):
        yield Call(id=f"call_{at}", name=call.name, arguments=call.arguments)


def _text(args: Arguments, choice: Choice, wording: Wording) -> str:
    shown = {wording.parameter_shown(choice.tool, name): value for name, value in args.items()}
    return json.dumps(shown, ensure_ascii=False)


def wrong_answers(task: Task, wording: Wording) -> Iterator[tuple[str, Answer]]:
    """Answers that must not be called right, each with what is wrong with it: the first own answer
    with one thing changed. For tests of tasks, and of scores."""
    yield "failed", Answer(failure="timeout", failure_says="Nothing came in time.")
    offered = task.tools or tuple(wording.contracts)
    if task.expect != "calls":
        call = Call(id="call_0", name=wording.contracts[offered[0]].name, arguments="{}")
        yield "a call", Answer(calls=(call,))
        return
    yield "no call", Answer(text="Done.")
    own = next(own_answers(task, wording), None)
    if own is None:
        return
    yield "a call too many", Answer(calls=(*own.calls, own.calls[0]))
    for at, call in enumerate(own.calls):
        others = [
            tool for tool in offered if all(tool != one.tool for one in task.calls[at].any_of)
        ]
        changes = [("an unknown name", call.name + "_2", call.arguments)]
        changes += [("another tool", wording.contracts[one].name, "{}") for one in others[:1]]
        changes += [(what, call.name, text) for what, text in _refilled(call, task, wording)]
        for what, name, text in changes:
            changed = Call(id=call.id, name=name, arguments=text)
            yield what, Answer(calls=(*own.calls[:at], changed, *own.calls[at + 1 :]))


def _refilled(call: Call, task: Task, wording: Wording) -> Iterator[tuple[str, str]]:
    """The arguments with something wrong."""
    yield "cut", call.arguments[:-1]
    yield "a list", f"[{call.arguments}]"
    args: Arguments = json.loads(call.arguments)
    yield "an argument invented", json.dumps({**args, "not_a_parameter_of_any_tool": 1})
    tool = wording.tool_called(call.name) or ""
    choices = [choice for _, choice in _choices(task) if choice.tool == tool]
    for shown, value in args.items():
        name = wording.parameter_called(tool, shown)
        wanted = [choice.args.get(name) or choice.may_have.get(name) for choice in choices]
        other = _changed(value)
        if not any(matcher is not None and matcher.matches(other) for matcher in wanted):
            yield f"another {name}", json.dumps({**args, shown: other})
        schema = wording.contracts[tool].properties.get(shown)
        has_default = isinstance(schema, dict) and "default" in schema
        if all(name in choice.args for choice in choices) and not has_default:
            yield f"no {name}", json.dumps({key: args[key] for key in args if key != shown})


def _changed(value: JSONValue) -> JSONValue:
    """Another value of the same type, far enough away."""
    match value:
        case bool():
            return not value
        case str():
            return value + " and something else"
        case int() | float():
            return value * 3 + 1_000_003
        case list():
            return [*value, "and something else"]
        case dict():
            return {**value, "and": "something else"}
        case None:
            return "something else"
