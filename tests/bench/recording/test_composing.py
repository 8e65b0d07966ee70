"""A recording as a script: steps, turns, what is beside them, and tools that answer."""

from __future__ import annotations

import asyncio
import functools
import json
from typing import Any

import httpx
import pytest

from faultloop.bench.recording.command import redactor_for
from faultloop.bench.recording.composing import NothingRecorded, slug
from faultloop.bench.recording.seen import Exchange
from faultloop.bench.recording.sorting import sort
from faultloop.bench.serving.reading import read_text
from faultloop.fakes import clock
from faultloop.fakes.app import App
from faultloop.fakes.hosting.hosted import HostedStage
from faultloop.fakes.transport import StageTransport
from faultloop.scenarios.plan import plan
from faultloop.scenarios.reading import loads

from .leaks import asked, event, exchange, said
from .studio import OUT, replaying, sent, written

USER = {"role": "user", "content": "Go."}
TOOL = {"type": "function", "function": {"name": "read_file", "parameters": {"type": "object"}}}


def request(*messages: Any, tools: bool = True, **more: Any) -> bytes:
    offered = {"tools": [TOOL]} if tools else {}
    return json.dumps({"model": "m", "messages": messages, **offered, **more}).encode()


def calling(id_: str, **args: str) -> bytes:
    function = {"name": "read_file", "arguments": json.dumps(args, separators=(",", ":"))}
    call = {"id": id_, "type": "function", "function": function}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
    return json.dumps({"id": "chatcmpl-9", "choices": [choice]}).encode()


def back(id_: str, result: str, **args: str) -> list[dict[str, Any]]:
    function = {"name": "read_file", "arguments": json.dumps(args)}
    call = {"id": id_, "type": "function", "function": function}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": id_, "content": result},
    ]


def aside(body: bytes, path: str = "/v1/models", method: str = "GET") -> Exchange:
    return exchange(body, path=path, method=method)


WORK = [
    exchange(calling("call_7", path="a.txt"), body=request(USER)),
    exchange(said("A title"), body=request(USER, tools=False)),
    exchange(said("It says hello."), body=request(USER, *back("call_7", "hello", path="a.txt"))),
    aside(b'{"data": [{"id": "m-1"}]}'),
    exchange(
        said("Bye."),
        body=request(
            USER,
            *back("call_7", "hello", path="a.txt"),
            {"role": "assistant", "content": "It says hello."},
            {"role": "user", "content": "Thanks."},
        ),
    ),
]


def test_steps_are_sorted_into_turns_and_tools_answer_what_they_answered() -> None:
    scenario = loads(written(WORK), OUT)
    assert scenario.input == "Go."
    assert [line.say for line in scenario.script] == ["", "It says hello."]
    assert scenario.script[0].calls[0].id == "call_7"
    (turn,) = scenario.next_turns
    assert (turn.input, turn.when, turn.script[0].say) == ("Thanks.", "always", "Bye.")
    assert scenario.world.canned is not None
    (answer,) = scenario.world.canned["read_file"].answers
    assert (answer.args, answer.answer) == ({"path": "a.txt"}, "hello")


def test_what_is_beside_the_conversation_is_no_step_and_is_answered_as_it_was() -> None:
    text = written(WORK)
    scenario = loads(text, OUT)
    assert [line.say for line in scenario.recording.beside] == ["A title"]
    assert [(one.method, one.path) for one in scenario.recording.asides] == [("GET", "/v1/models")]
    with replaying(text) as ask:
        assert [ask(one) for one in WORK] == [sent(one) for one in WORK]
        assert [ask(one) for one in reversed(WORK)] == [sent(one) for one in reversed(WORK)]


def test_asides_of_one_path_come_in_their_order_and_the_last_one_stays() -> None:
    counts = [aside(b'{"n": %d}' % n, "/v1/messages/count_tokens", "POST") for n in (1, 1, 2)]
    with replaying(written([WORK[0], *counts])) as ask:
        bodies = [ask(counts[0]).body for _ in range(3)]
    assert bodies == [b'{"n": 1}', b'{"n": 2}', b'{"n": 2}']


def test_requests_without_tools_are_the_conversation_where_there_are_no_others() -> None:
    scenario = loads(written([exchange(said("Hi."), body=request(USER, tools=False))]), OUT)
    assert [line.say for line in scenario.script] == ["Hi."]
    assert scenario.recording.beside == ()


def test_a_failure_at_the_end_stays_the_end() -> None:
    broken = exchange(b'{"error": {"message": "No."}}', status=400, body=request(USER))
    text = written([broken])
    assert loads(text, OUT).accept[0].end_reason == ("error",)
    with replaying(text) as ask:
        assert [ask(broken), ask(broken)] == [sent(broken)] * 2


def test_arguments_that_no_tool_takes_are_kept_as_they_were_written() -> None:
    body = said(arguments='{"path": "a.txt", ')
    line = loads(written([exchange(body, body=request(USER))]), OUT).script[0].calls[0]
    assert (line.raw, line.args) == ('{"path": "a.txt", ', {})


def test_bytes_that_are_no_text_are_kept_as_well() -> None:
    odd = exchange(b"\xff\x00", "ü".encode()[:1], "ü".encode()[1:], path="/v1/files", method="GET")
    text = written([WORK[0], odd])
    with replaying(text) as ask:
        assert ask(odd) == sent(odd)
    assert read_text(text, OUT).recording.asides[0].recorded.data == sent(odd).body


@pytest.mark.parametrize(
    ("let_go", "finish", "broken"),
    [
        (True, "stop", False),
        (True, None, True),
        (False, "stop", True),
    ],
)
def test_whoever_leaves_with_the_last_event_has_heard_all(
    let_go: bool, finish: str | None, broken: bool
) -> None:
    delta = {"index": 0, "delta": {"content": "Hi."}, "finish_reason": finish}
    stream = exchange(
        event({"choices": [delta]}), body=request(USER, stream=True), kind="text/event-stream"
    )
    assert stream.answered is not None
    stream.answered.broken, stream.answered.let_go = True, let_go
    recorded = loads(written([stream]), OUT).script[0].recorded
    assert recorded is not None
    assert recorded.broken == broken


def test_a_request_that_knows_nothing_of_the_calls_before_it_is_noticed() -> None:
    redactor = redactor_for(WORK, {})
    assert sort(WORK, redactor).astray is None
    other = exchange(said("Hi."), body=request({"role": "user", "content": "Else."}))
    assert sort([WORK[0], other], redactor).astray == 2


def test_what_nobody_said_is_no_script() -> None:
    with pytest.raises(NothingRecorded):
        written([aside(b"{}")])


def test_any_file_name_makes_a_scenario_name() -> None:
    assert [slug(name) for name in ("My Talk_2", "ü", "a" * 99)] == [
        "my-talk-2",
        "recorded",
        "a" * 80,
    ]


def test_the_time_between_pieces_passes_where_a_pace_says_so() -> None:
    stream = exchange(
        event({"choices": [{"index": 0, "delta": {"content": "Hi."}, "finish_reason": None}]}),
        event({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}),
        body=request(USER, stream=True),
        kind="text/event-stream",
    )
    assert stream.answered is not None
    stream.answered.after_ms[:] = [20, 40]
    text = written([stream])
    waited = {}
    for pace in (0.0, 1.0):
        scenario = loads(text + f"recording: {{pace: {pace}}}\n", OUT)
        waited[pace] = clock.run(functools.partial(_asked_of, scenario, stream), seed=0)
    assert waited == {0.0: 0.0, 1.0: pytest.approx(0.06)}


async def _asked_of(scenario: Any, exchange_: Exchange) -> float:
    """Seconds that a play takes to answer."""
    time = asyncio.get_running_loop().time
    stage = HostedStage(plan(scenario, seed=0, play="p"), clock=time)
    app = App({"p": stage})
    async with httpx.AsyncClient(transport=StageTransport(app)) as client:
        began_s = time()
        await client.post("http://stage.invalid/r/p/1" + exchange_.path, content=exchange_.body)
        return time() - began_s


def test_a_play_of_the_scenario_says_the_recorded_bytes_too() -> None:
    assert asyncio.run(_played()) == [sent(one).body for one in WORK]


async def _played() -> list[bytes]:
    scenario = loads(written(WORK), OUT)
    stage = HostedStage(plan(scenario, seed=0, play="p"), clock=lambda: 0.0)
    app = App({"p": stage})
    told = []
    async with httpx.AsyncClient(transport=StageTransport(app)) as client:
        inputs = [stage.begin(1, 0, False), stage.begin(2, 1, True)]
        stage.begin(1, 0, False)
        for one in WORK:
            body = one.body.replace(b'"Go."', json.dumps(inputs[0]).encode())
            body = body.replace(b'"Thanks."', json.dumps(inputs[1]).encode())
            url = "http://stage.invalid/r/p/1" + one.path
            told.append((await client.request(one.method, url, content=body)).content)
    return told


def test_a_call_that_was_never_recorded_fails_and_says_so() -> None:
    assert asked()  # the scene's own request is one of the recording
    scenario = loads(written(WORK), OUT)

    async def invoke() -> tuple[int, Any, Any]:
        stage = HostedStage(plan(scenario, seed=0, play="p"), clock=lambda: 0.0)
        async with httpx.AsyncClient(transport=StageTransport(App({"p": stage}))) as client:
            url = "http://stage.invalid/r/p/1/tools/read_file"
            there = await client.post(url, json={"path": "a.txt"})
            other = await client.post(url, json={"path": "b.txt"})
        return other.status_code, other.json()["code"], there.json()["data"]

    assert asyncio.run(invoke()) == (500, "NOT_RECORDED", "hello")


def test_a_stream_that_told_of_an_error_and_was_asked_for_again_is_a_failure_of_its_step() -> None:
    asked_ = request(USER, stream=True)
    overloaded = exchange(
        event({"error": {"message": "Overloaded"}}), body=asked_, kind="text/event-stream"
    )
    good = exchange(
        event({"choices": [{"index": 0, "delta": {"content": "Hi."}, "finish_reason": "stop"}]}),
        body=asked_,
        kind="text/event-stream",
    )
    text = written([overloaded, good])
    (line,) = loads(text, OUT).script
    assert (line.say, len(line.failures)) == ("Hi.", 1)
    with replaying(text) as ask:
        assert [ask(overloaded), ask(good)] == [sent(overloaded), sent(good)]
