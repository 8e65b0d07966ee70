"""Naming: the names by which a subject's model knows the tools of the world.

A scenario's script says `append_file` and `run_command`. A real agent offers its model these as
`mcp__world__append_file`, or through one tool that calls all others, and insists on a shell of its
own, `Bash {command}`. What it declares of that is a value here, and both ways are pure: a reply is
said in its names (`said`), and what its requests and replies hold is written down in the world's
(`heard`), so that whoever reads a history knows one set of names. Between the two, on the wire and
for faults of the model, everything is as the subject has it.

    world's name          wire
    append_file           mcp__world__append_file        the pattern; or the bare name, if offered
    append_file {...}     use_tool {tool_name, tool_input}                        `through`
    run_command {...}     exec_command {cmd}                                      `own`
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, cast

from msgspec.structs import replace

from faultloop.fakes.conversation import Conversation, Message
from faultloop.fakes.faults.base import ModelFault
from faultloop.fakes.faults.glued_objects import GluedObjects
from faultloop.fakes.faults.hallucinated_name import HallucinatedName
from faultloop.fakes.faults.homoglyph_name import HomoglyphName
from faultloop.fakes.faults.last_call import compact
from faultloop.fakes.faults.missing_field import MissingField
from faultloop.fakes.faults.no_arguments import NoArguments
from faultloop.fakes.faults.recased_name import RecasedName
from faultloop.fakes.faults.wrong_type import WrongType
from faultloop.fakes.reply import Reply, ReplyCall

TOOL = "{tool}"

BY_MEANING = (
    *(HallucinatedName, HomoglyphName, RecasedName),
    *(GluedObjects, MissingField, NoArguments, WrongType),
)
"""Faults that say names of the world's tools and parameters. They strike what is meant, and the
outcome is said in the subject's names; all others strike the text that is on the wire."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTool:
    """A tool of the subject's own that does what one of the world does."""

    name: str
    arguments: Mapping[str, str] = field(default_factory=dict)
    """The world's parameters to its own; those that are not named are the same."""
    also: Mapping[str, object] = field(default_factory=dict)
    """What is given beside them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetaTool:
    """One tool that calls all others."""

    name: str
    tool: str
    """Its parameter that names the other tool."""
    arguments: str
    """Its parameter that holds the other's arguments, an object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """What a subject declares of the names."""

    world: str = TOOL
    """How its model sees a tool of the world."""
    own: Mapping[str, OwnTool] = field(default_factory=dict)
    """By the world's name: what it has a tool of its own for."""
    through: MetaTool | None = None
    """The tool by which it calls those of the world."""


class Call(NamedTuple):
    """A call, in whichever names."""

    tool: str
    arguments: str


class Names:
    """A naming, in a world with these tools."""

    def __init__(self, naming: Naming, tools: Collection[str]) -> None:
        self.naming = naming
        self._tools = tuple(tool for tool in tools if tool not in naming.own)
        self._before, _, self._after = naming.world.partition(TOOL)
        self._own = {own.name: tool for tool, own in naming.own.items()}

    # --- said: from the world's names to the subject's ------------------------------------------

    def said(self, reply: Reply, offered: Collection[str]) -> Reply:
        """A reply in the subject's names; `offered` is what the request offers."""
        return _each(reply, lambda call: self._said(Call(call.tool, call.arguments), offered))

    def struck(self, fault: ModelFault, reply: Reply, offered: Collection[str]) -> Reply:
        """What a fault makes of a reply that is in the subject's names."""
        if not isinstance(fault, BY_MEANING):
            return fault.say(reply)
        meant = _each(reply, lambda call: self.heard(call.tool, call.arguments))
        changed = fault.say(meant)
        said = self.said(changed, offered)
        calls = [
            spoken if after != before else call
            for call, before, after, spoken in zip(
                reply.calls, meant.calls, changed.calls, said.calls, strict=True
            )
        ]
        return replace(said, calls=tuple(calls))

    def _said(self, call: Call, offered: Collection[str]) -> Call:
        own, through = self.naming.own.get(call.tool), self.naming.through
        if own is not None:
            return Call(own.name, _Parameters(own.arguments, own.also).changed(call.arguments))
        name = f"{self._before}{call.tool}{self._after}"
        if name not in offered:
            if call.tool in offered:
                return call
            if through is not None and through.name in offered:
                return _wrapped(Call(name, call.arguments), through)
        return Call(name, call.arguments)

    # --- heard: from the subject's names to the world's -----------------------------------------

    def heard(self, tool: str, arguments: str) -> Call:
        """A call of the model's in the world's names."""
        through = self.naming.through
        if tool in self._own:
            own = self.naming.own[self._own[tool]]
            back = {its: name for name, its in own.arguments.items()}
            return Call(self._own[tool], _Parameters(back, dropped=own.also).changed(arguments))
        if through is not None and tool == through.name:
            return self._unwrapped(arguments, through)
        return Call(self.heard_name(tool), arguments)

    def heard_name(self, name: str) -> str:
        """The world's name of a tool, or the same name where it is none of the world's."""
        if name in self._own:
            return self._own[name]
        if not self._before and not self._after:
            return name
        bare = name.replace(self._before, "", 1) if self._before in name else ""
        return bare.removesuffix(self._after) if bare.endswith(self._after) and bare else name

    def heard_in(self, conversation: Conversation) -> tuple[tuple[Message, ...], tuple[str, ...]]:
        """The messages of a request and the tools that it offers, in the world's names."""
        tools = dict.fromkeys(self.heard_name(name) for name in conversation.tools)
        through = self.naming.through
        if through is not None and through.name in tools:
            tools |= dict.fromkeys(self._tools)
        return tuple(map(self._heard_message, conversation.messages)), tuple(tools)

    def _heard_message(self, message: Message) -> Message:
        if message.calls:
            calls = []
            for call in message.calls:
                name, arguments = self.heard(call.name, call.arguments)
                calls.append(replace(call, name=name, arguments=arguments))
            return replace(message, calls=tuple(calls))
        if message.role == "tool":  # an answer may name the tools that there are
            return replace(message, text=self._heard_text(message.text))
        return message

    def _heard_text(self, text: str) -> str:
        for tool in self._tools:
            if (name := f"{self._before}{tool}{self._after}") != tool:
                text = text.replace(name, tool)
        return text

    def _unwrapped(self, text: str, through: MetaTool) -> Call:
        objects, rest = _objects(text)
        if objects:
            name = str(objects[0].get(through.tool, ""))
            said = [compact(one.get(through.arguments, one)) for one in objects]
            return Call(self.heard_name(name) or through.name, "".join((*said, rest)))
        if isinstance(inner := _string(text), str):  # an object that was encoded twice
            call = self._unwrapped(inner, through)
            return call._replace(arguments=compact(call.arguments))
        named = re.search(rf"""["']{re.escape(through.tool)}["']:\s*["']([^"'\\]+)""", text)
        head = re.match(rf'\s*{{.*?"{re.escape(through.arguments)}":\s*', text, re.DOTALL)
        cut = text[head.end() :] if head else text
        return Call(self.heard_name(named[1]) if named else through.name, cut)


def _each(reply: Reply, change: Callable[[ReplyCall], Call]) -> Reply:
    calls = []
    for call in reply.calls:
        tool, arguments = change(call)
        calls.append(replace(call, tool=tool, arguments=arguments))
    return replace(reply, calls=tuple(calls))


def _wrapped(call: Call, through: MetaTool) -> Call:
    """A call by the tool that calls all others; what is no object stands where one was meant."""
    objects, rest = _objects(call.arguments)
    if objects:
        said = [compact({through.tool: call.tool, through.arguments: one}) for one in objects]
        return Call(through.name, "".join((*said, rest)))
    head = f'{{"{through.tool}":{compact(call.tool)},"{through.arguments}":'
    return Call(through.name, f"{head}{rest}}}" if rest.strip() else "")


@dataclass(frozen=True, slots=True)
class _Parameters:
    """How the parameters of one tool become those of another."""

    names: Mapping[str, str]
    also: Mapping[str, object] = field(default_factory=dict)
    dropped: Mapping[str, object] = field(default_factory=dict)

    def changed(self, text: str) -> str:
        """Argument text with each of its objects changed; of what is no whole object, only how the
        parameters are written."""
        objects, rest = _objects(text)
        whole = [compact(self._object(args)) for args in objects]
        return "".join((*whole, self._rest(rest) if rest.strip() else rest))

    def _object(self, args: Mapping[str, object]) -> dict[str, object]:
        kept = {name: args[name] for name in args if (name, args[name]) not in self.dropped.items()}
        return {self.names.get(name, name): kept[name] for name in kept} | dict(self.also)

    def _rest(self, text: str) -> str:
        for quote in ('"', '\\"', "'"):
            for name, other in self.names.items():
                written = rf"{re.escape(quote + name + quote)}(?=\s*:)"
                text = re.sub(written, f"{quote}{other}{quote}".replace("\\", r"\\"), text)
        for name, value in self.dropped.items():
            said = f",{compact(name)}:{compact(value)}"
            text = text.replace(said, "").replace(compact(said)[1:-1], "")
        return text


def _string(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _objects(text: str) -> tuple[list[dict[str, object]], str]:
    """The whole objects that a text begins with, and the rest of it."""
    objects: list[dict[str, object]] = []
    while text.lstrip().startswith("{"):
        text = text.lstrip()
        try:
            value, end = json.JSONDecoder().raw_decode(text)
        except (ValueError, RecursionError):
            break
        objects.append(cast("dict[str, object]", value))
        text = text[end:]
    return objects, text
