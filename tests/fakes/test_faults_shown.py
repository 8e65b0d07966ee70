"""A fault that a dialect has no words for is not said to have struck in it."""

from __future__ import annotations

import pytest

from faultloop.fakes.answers import Said
from faultloop.fakes.conversation import Conversation
from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.faults.table import lines
from faultloop.fakes.history import FaultFired
from faultloop.fakes.script import Script, ScriptedCall, Step

from .fault_tables import MODEL, STREAMED, fault

SHOWN = {line.kind: line.dialects for line in lines()}
FIELDS = {kind: fields for kind, fields, _ in (*MODEL, *STREAMED)}
SCRIPT = Script(
    turns=(
        (
            Step(
                say="I look, and then I write.",
                calls=(
                    ScriptedCall.of("read_file", {"path": "a.txt"}),
                    ScriptedCall.of("append_file", {"path": "b.txt", "line": "x"}),
                ),
            ),
        ),
    )
)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("kind", FIELDS)
async def test_what_fires_in_a_dialect_is_what_it_can_show(open_play, dialect, kind):
    play = open_play(script=SCRIPT, faults=(fault(kind, **FIELDS[kind]),))
    streamed = kind not in {row[0] for row in MODEL}
    asked = Conversation(
        messages=tuple(play.messages),
        tools=("read_file", "append_file"),
        raw=repr(play.messages),
        streaming=streamed,
    )

    said = await play.stage.answer(1, dialect, asked)
    assert isinstance(said, Said)
    await play.stage.closed(said.request, said.ending(len(said.items)))

    fired = [entry.kind for entry in play.stage.history if isinstance(entry, FaultFired)]
    assert fired == ([kind] if dialect in SHOWN[kind] else [])
