"""A subject's own names: what is said to it, what its requests say, and what the history says."""

import json

import pytest

from faultloop.fakes.conversation import Conversation, Message, SaidCall
from faultloop.fakes.faults import KINDS
from faultloop.fakes.history import CallArrived, FaultFired, Replied, Requested
from faultloop.fakes.naming import MetaTool, Names, Naming, OwnTool
from faultloop.fakes.reply import Reply, ReplyCall
from faultloop.fakes.script import Script, ScriptedCall, Step

APPEND = ("append_file", '{"path":"a","line":"x"}')
RUN = ("run_command", '{"command":"npm test"}')
TOOLS = ("append_file", "read_file", "run_command")
SHELL = OwnTool(name="Bash", arguments={"command": "cmd"}, also={"description": "as asked"})
PREFIXED = Naming(world="mcp__world__{tool}", own={"run_command": SHELL})
THROUGH = Naming(
    world="world__{tool}",
    through=MetaTool(name="use_tool", tool="tool_name", arguments="tool_input"),
)
ON_THE_WIRE = '{"tool_name":"world__append_file","tool_input":{"path":"a","line":"x"}}'


def reply(*calls: tuple[str, str]) -> Reply:
    made = [ReplyCall(id=f"call_{i}", tool=t, arguments=a) for i, (t, a) in enumerate(calls)]
    return Reply(id="r", turn=0, step=1, text="", calls=tuple(made), finish="tool_calls")


def spelt(reply: Reply) -> list[tuple[str, str]]:
    return [(call.tool, call.arguments) for call in reply.calls]


@pytest.mark.parametrize(
    ("naming", "offered", "call", "wire"),
    [
        (PREFIXED, "mcp__world__append_file", APPEND, ("mcp__world__append_file", APPEND[1])),
        (PREFIXED, "append_file", APPEND, APPEND),
        (PREFIXED, "nothing_of_it", APPEND, ("mcp__world__append_file", APPEND[1])),
        (PREFIXED, "Bash", RUN, ("Bash", '{"cmd":"npm test","description":"as asked"}')),
        (THROUGH, "use_tool", APPEND, ("use_tool", ON_THE_WIRE)),
        (THROUGH, "world__append_file", APPEND, ("world__append_file", APPEND[1])),
        (Naming(), "append_file", APPEND, APPEND),
    ],
)
def test_what_is_said_is_heard_as_it_was_meant(
    naming: Naming, offered: str, call: tuple[str, str], wire: tuple[str, str]
) -> None:
    names = Names(naming, TOOLS)
    said = names.said(reply(call), (offered,))
    assert spelt(said) == [wire]
    assert names.heard(*wire) == call


@pytest.mark.parametrize(
    ("naming", "call", "fault", "fields", "wire", "heard"),
    [
        *(
            (PREFIXED, APPEND, kind, fields, (f"mcp__world__{name}", APPEND[1]), (name, APPEND[1]))
            for kind, fields, name in (
                ("hallucinated_name", {"name": "add_line"}, "add_line"),
                ("homoglyph_name", {}, "\u0430ppend_file"),
                ("recased_name", {}, "appendFile"),
            )
        ),
        (
            *(PREFIXED, APPEND, "prefixed_name", {"prefix": "functions."}),
            ("functions.mcp__world__append_file", APPEND[1]),
            ("functions.append_file", APPEND[1]),
        ),
        (
            *(PREFIXED, RUN, "wrong_type", {"field": "command", "value": 3}),
            ("Bash", '{"cmd":3,"description":"as asked"}'),
            ("run_command", '{"command":3}'),
        ),
        (
            *(PREFIXED, RUN, "truncated_arguments", {"keep_chars": 15}),
            ("Bash", '{"cmd":"npm tes'),
            ("run_command", '{"command":"npm tes'),
        ),
        (
            *(PREFIXED, RUN, "double_encoded", {}),
            ("Bash", json.dumps('{"cmd":"npm test","description":"as asked"}')),
            ("run_command", json.dumps('{"command":"npm test"}')),
        ),
        (
            *(PREFIXED, RUN, "python_literal", {}),
            ("Bash", "{'cmd': 'npm test', 'description': 'as asked'}"),
            ("run_command", "{'command': 'npm test', 'description': 'as asked'}"),
        ),
        (
            *(THROUGH, APPEND, "hallucinated_name", {"name": "add_line"}),
            ("use_tool", ON_THE_WIRE.replace("append_file", "add_line")),
            ("add_line", APPEND[1]),
        ),
        (
            *(THROUGH, APPEND, "missing_field", {"field": "line"}),
            ("use_tool", '{"tool_name":"world__append_file","tool_input":{"path":"a"}}'),
            ("append_file", '{"path":"a"}'),
        ),
        (
            *(THROUGH, APPEND, "no_arguments", {}),
            ("use_tool", '{"tool_name":"world__append_file","tool_input":{}}'),
            ("append_file", "{}"),
        ),
        (
            *(THROUGH, APPEND, "glued_objects", {"second": {"path": "b"}}),
            (
                "use_tool",
                ON_THE_WIRE + '{"tool_name":"world__append_file","tool_input":{"path":"b"}}',
            ),
            ("append_file", APPEND[1] + '{"path":"b"}'),
        ),
        (
            *(THROUGH, APPEND, "truncated_arguments", {"keep_chars": 58}),
            ("use_tool", ON_THE_WIRE[:58]),
            ("append_file", '{"path":"a"'),
        ),
        (
            *(THROUGH, APPEND, "double_encoded", {}),
            ("use_tool", json.dumps(ON_THE_WIRE)),
            ("append_file", json.dumps(APPEND[1])),
        ),
        (
            *(THROUGH, APPEND, "empty_arguments", {}),
            ("use_tool", ""),
            ("use_tool", ""),
        ),
    ],
)
def test_a_fault_strikes_what_is_said_on_the_wire(
    naming: Naming,
    call: tuple[str, str],
    fault: str,
    fields: dict[str, object],
    wire: tuple[str, str],
    heard: tuple[str, str],
) -> None:
    offered = ("mcp__world__append_file", "Bash", "use_tool")
    names = Names(naming, TOOLS)
    said = names.said(reply(call, call), offered)
    struck = names.struck(KINDS[fault](at="step 1", **fields), said, offered)
    assert spelt(struck) == [*spelt(said)[:1], wire]
    assert names.heard(*wire) == heard


def test_a_request_is_written_down_in_the_worlds_names() -> None:
    names = Names(PREFIXED, TOOLS)
    conversation = Conversation(
        messages=(
            Message(
                role="assistant",
                calls=(SaidCall(id="c", name="Bash", arguments='{"cmd":"ls","timeout":9}'),),
            ),
            Message(role="tool", text="no x; there is mcp__world__append_file", result_of="c"),
            Message(role="user", text="what is mcp__world__append_file?"),
        ),
        tools=("Bash", "Read", "mcp__world__append_file", "append_file", "mcp__other__tool"),
    )
    (made, answer, user), tools = names.heard_in(conversation)
    assert made.calls[0].name == "run_command"
    assert json.loads(made.calls[0].arguments) == {"command": "ls", "timeout": 9}
    assert answer.text == "no x; there is append_file"
    assert user.text == "what is mcp__world__append_file?"
    assert tools == ("run_command", "Read", "append_file", "mcp__other__tool")


def test_the_tool_that_calls_all_others_offers_them() -> None:
    names = Names(THROUGH, ("append_file",))
    _, tools = names.heard_in(Conversation(messages=(), tools=("use_tool", "shell")))
    assert tools == ("use_tool", "shell", "append_file")
    _, tools = names.heard_in(Conversation(messages=(), tools=("shell",)))
    assert tools == ("shell",)


async def test_the_whole_way_of_a_call_under_other_names(open_play) -> None:
    script = Script(
        turns=((Step(calls=(ScriptedCall.of("run_command", {"command": "ls"}),)),), (Step(),))
    )
    fault = KINDS["truncated_arguments"](at="step 1", keep_chars=9)
    play = open_play(script=script, commands="own", tier="real", naming=PREFIXED, faults=(fault,))
    said = await play.ask(tools=("Bash", "mcp__world__append_file"))
    number = await play.stage.own_began(1, "ls")

    assert spelt(said.reply) == [("Bash", '{"cmd":"l')]
    assert play.only(Requested).tools == ("run_command", "append_file")
    [made] = play.only(Replied).calls
    assert (made.tool, made.arguments) == ("run_command", '{"command":"l')
    assert made.intended == '{"command":"ls"}'
    assert play.only(FaultFired).kind == "truncated_arguments"
    assert play.stage._tooling.invocation(number).batch == (1, 1, 1)
    assert play.only(CallArrived).arguments == '{"command":"ls"}'


async def test_what_the_subject_has_a_tool_for_is_not_offered_to_it(open_play) -> None:
    play = open_play(commands="own", naming=PREFIXED)
    assert "run_command" not in [tool.name for tool in play.stage.listed(1)]
    assert "append_file" in [tool.name for tool in play.stage.listed(1)]
