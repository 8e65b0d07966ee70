"""A provider that is asked by short conversations."""

import json

from faultloop.fakes.closing import TerminalTool
from faultloop.fakes.conversation import Conversation, Message, SaidCall
from faultloop.fakes.faults.armed import Armed
from faultloop.fakes.faults.base import Fault
from faultloop.fakes.marks import Marks
from faultloop.fakes.provider import Provider
from faultloop.fakes.reply import Reply
from faultloop.fakes.script import Script, ScriptedCall, Step
from faultloop.fakes.speech import Failure, Refusal, Speech

READ = Step(say="I look.", calls=(ScriptedCall.of("read_file", {"path": "a"}),))
APPEND = Step(calls=(ScriptedCall.of("append_file", {"path": "a", "line": "x"}),))
DONE = Step(say="Done.")
AGAIN = Step(say="Here is where things stand.")
SCRIPT = Script(turns=((READ, APPEND, DONE), (AGAIN,)))
MARKS = Marks(7, "play")
TOOLS = ("read_file", "append_file")


class Bench:
    """A provider, asked with conversations; counts the requests as a stage does."""

    def __init__(
        self,
        *faults: Fault,
        script: Script = SCRIPT,
        requests_max: int = 20,
        tools_offered: bool = True,
        terminal_tool: TerminalTool | None = None,
        tools: tuple[str, ...] = (),
    ) -> None:
        self.provider = Provider(
            script,
            Armed(faults),
            MARKS,
            requests_max=requests_max,
            tools_offered=tools_offered,
            terminal_tool=terminal_tool,
            tools=tools,
        )
        self.requests = 0

    def ask(self, *messages: Message, **fields: object) -> Speech | Failure | Refusal:
        self.requests += 1
        return self.provider.answer(self.requests, conversation(*messages, **fields))

    def step(self, *messages: Message, **fields: object) -> tuple[int, str]:
        speech = self.said(*messages, **fields)
        return speech.place.number, speech.place.cursor

    def said(self, *messages: Message, **fields: object) -> Speech:
        speech = self.ask(*messages, **fields)
        assert isinstance(speech, Speech)
        return speech


def conversation(*messages: Message, **fields: object) -> Conversation:
    raw = json.dumps([[m.role, m.text, [c.id for c in m.calls], m.result_of] for m in messages])
    return Conversation(messages=messages, raw=raw, **{"tools": TOOLS, **fields})


def user(turn: int = 0, text: str = "Go.") -> Message:
    return Message(role="user", text=MARKS.marked_input(turn, text))


def turn_of(reply: Reply) -> tuple[Message, ...]:
    """The reply and the results of its calls, as an honest loop appends them."""
    calls = tuple(SaidCall(id=c.id, name=c.tool, arguments=c.arguments) for c in reply.calls)
    results = (Message(role="tool", text="ok", result_of=call.id) for call in calls)
    return (Message(role="assistant", text=reply.text, calls=calls), *results)
