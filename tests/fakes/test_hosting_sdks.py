"""A hosted script as the official SDKs hear it, each as a loop from its beginning to its end."""

from __future__ import annotations

import pytest

from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.faults.end_mark_missing import EndMarkMissing
from faultloop.fakes.faults.server_error import ServerError
from faultloop.fakes.hosting import HostedScript, Hosting, HostThread
from faultloop.fakes.script import ScriptedCall, Step

from .sdk_loops import LOOPS, PACKAGE, Heard, call

A, B = ({"path": path} for path in ("a.txt", "ü b.txt"))
SCRIPT = HostedScript(
    name="story",
    steps=(
        Step(say="Hello."),
        Step(say="I look.", calls=(ScriptedCall.of("read_file", A),)),
        Step(calls=(ScriptedCall.of("read_file", A), ScriptedCall.of("read_file", B))),
        Step(say="Hello."),
        Step(say="Grüße, 世界."),
    ),
)
OVER = "The script is over: this request comes after the last of its 5 steps."
TOLD: Heard = [
    ("say", "Hello."),
    ("say", "I look."),
    call("read_file", A),
    call("read_file", A),
    call("read_file", B),
    ("say", "Hello."),
    ("say", "Grüße, 世界."),
]

both_ways = pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
every_dialect = pytest.mark.parametrize("dialect", DIALECTS)


@pytest.fixture(scope="module")
def host():
    with HostThread(Hosting(SCRIPT)) as host:
        yield host
    assert host.failures == []


@both_ways
@every_dialect
def test_the_words_arrive_as_they_stand_in_the_script_and_then_it_is_over(
    dialect: str, streamed: bool, host: HostThread
) -> None:
    pytest.importorskip(PACKAGE[dialect])
    name = f"{dialect} {streamed}"
    *heard, (no, status, message) = LOOPS[dialect](host.base_urls(name), streamed)

    assert heard == TOLD
    assert (no, status) == ("no", "400")
    assert message.startswith(OVER)
    received = host.ask(lambda hosting: hosting.seen(name).requests())
    assert [(one.dialect, one.streaming) for one in received] == [(dialect, streamed)] * 6
    assert received[0].body["model" if dialect != "gemini" else "contents"]


@both_ways
@every_dialect
def test_a_try_that_failed_is_made_again_by_the_sdk_and_heard_once(
    dialect: str, streamed: bool
) -> None:
    pytest.importorskip(PACKAGE[dialect])
    faults = (ServerError(at="step 2"),)
    script = HostedScript(name="story", steps=SCRIPT.steps, faults=faults)
    with HostThread(Hosting(script)) as host:
        heard = LOOPS[dialect](host.base_urls(), streamed)
        (fault,) = host.ask(lambda hosting: hosting.seen("default").summary().faults)
    assert fault.fired == 1
    # google-genai does not try again by itself.
    assert heard[:-1] == TOLD or dialect == "gemini"


def test_dialects_can_take_turns_in_one_conversation(host: HostThread) -> None:
    openai = pytest.importorskip("openai")
    anthropic = pytest.importorskip("anthropic")
    urls = host.base_urls("both")
    user = {"role": "user", "content": "Go."}
    with (
        openai.OpenAI(base_url=urls.openai, api_key="k") as first,
        anthropic.Anthropic(base_url=urls.anthropic, api_key="k") as second,
    ):
        said = first.chat.completions.create(model="m", messages=[user]).choices[0].message.content
        told = second.messages.create(
            model="m",
            max_tokens=9,
            messages=[user, {"role": "assistant", "content": said}, user],
            tools=[{"name": "read_file", "input_schema": {"type": "object"}}],
        )
    assert [block.type for block in told.content] == ["text", "tool_use"]


def test_faults_of_the_stream_reach_the_sdk() -> None:
    openai = pytest.importorskip("openai")
    script = HostedScript(
        name="cut", steps=(Step(say="Hello."),), faults=(EndMarkMissing(at="step 1"),)
    )
    with (
        HostThread(Hosting(script)) as host,
        openai.OpenAI(base_url=host.base_urls().openai, api_key="k") as client,
    ):
        stream = client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "Go."}], stream=True
        )
        text = "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)
        summary = host.ask(lambda hosting: hosting.seen("default").summary())
    assert text == "Hello."
    assert summary.faults[0].fired == 1
