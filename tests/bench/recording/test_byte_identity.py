"""What was recorded is replayed byte for byte: each dialect, whole and streamed, by its own SDK."""

from __future__ import annotations

import httpx
import pytest
from tests.fakes.sdk_loops import LOOPS, PACKAGE

from faultloop.bench.serving.reading import read_text
from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.faults.rate_limited import RateLimited
from faultloop.fakes.faults.reset_mid_stream import ResetMidStream
from faultloop.fakes.hosting import BaseUrls, HostedScript
from faultloop.fakes.script import ScriptedCall, Step

from .studio import OUT, recorded, replaying, sent, served, written

A, B = ({"path": path} for path in ("a.txt", "ü b.txt"))
SCRIPT = HostedScript(
    name="story",
    steps=(
        Step(say="Hello."),
        Step(say="I look.", calls=(ScriptedCall.of("read_file", A),)),
        Step(calls=(ScriptedCall.of("read_file", A), ScriptedCall.of("read_file", B))),
        Step(say="Hello."),
        Step(say="Grüße, 世界: \U0001f600 and \\u0041\r\n\ttabs."),
    ),
)

both_ways = pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
every_dialect = pytest.mark.parametrize("dialect", DIALECTS)


@both_ways
@every_dialect
def test_the_official_sdk_is_recorded_and_replayed(dialect: str, streamed: bool) -> None:
    pytest.importorskip(PACKAGE[dialect])
    heard = []
    with served(SCRIPT) as url:
        seen = recorded(url, lambda urls: heard.append(LOOPS[dialect](urls, streamed)))
    text = written(seen)

    assert "redacted" not in text
    with replaying(text) as ask:
        assert [ask(exchange) for exchange in seen] == [sent(exchange) for exchange in seen]
        assert ask(seen[0]) == sent(seen[0]), "a request that is made again is answered the same"
    script = read_text(text, OUT)
    assert [(step.say, [call.arguments for call in step.calls]) for step in script.steps[:5]] == [
        (step.say, [call.arguments for call in step.calls]) for step in SCRIPT.steps
    ]
    with served(script) as url:  # the SDK finds its way through the recording as well
        assert LOOPS[dialect](at(url), streamed) == heard[0]


def at(url: str) -> BaseUrls:
    return BaseUrls(openai=f"{url}/v1", anthropic=url, gemini=url, tools="")


@both_ways
@every_dialect
def test_failures_come_again_before_what_came_after_them(dialect: str, streamed: bool) -> None:
    pytest.importorskip(PACKAGE[dialect])
    faults = (RateLimited(at="step 2", retry_after_s=0.01),)
    script = HostedScript(name="story", steps=SCRIPT.steps, faults=faults)
    with served(script) as url:
        seen = recorded(url, lambda urls: LOOPS[dialect](urls, streamed))
    assert [sent(one).status for one in seen][1] == 429

    with replaying(written(seen)) as ask:
        assert [ask(exchange) for exchange in seen] == [sent(exchange) for exchange in seen]


@every_dialect
def test_a_stream_that_broke_off_breaks_off_there_again(dialect: str) -> None:
    script = HostedScript(
        name="story", steps=SCRIPT.steps, faults=(ResetMidStream(at="step 1", after_deltas=2),)
    )
    pytest.importorskip(PACKAGE[dialect])

    def ask_twice(urls: BaseUrls) -> None:
        with pytest.raises(Exception, match=r"."):
            LOOPS[dialect](urls, True)
        LOOPS[dialect](urls, True)

    with served(script) as url:
        seen = recorded(url, ask_twice)
    with replaying(written(seen)) as ask:
        with pytest.raises(httpx.TransportError):
            ask(seen[0])
        assert [ask(exchange) for exchange in seen[1:]] == [sent(one) for one in seen[1:]]


@both_ways
def test_what_is_asked_in_another_form_is_spelt_anew_from_what_it_means(streamed: bool) -> None:
    for package in PACKAGE.values():
        pytest.importorskip(package)
    with served(SCRIPT) as url:
        seen = recorded(url, lambda urls: LOOPS["anthropic_messages"](urls, streamed))
    script = read_text(written(seen), OUT)
    for dialect in ("openai_chat", "openai_responses", "gemini"):
        with served(SCRIPT) as url, served(script) as again:
            assert (
                LOOPS[dialect](at(again), streamed)[:-1] == LOOPS[dialect](at(url), streamed)[:-1]
            )
    with served(SCRIPT) as url, served(script) as again:
        other = LOOPS["anthropic_messages"](at(again), not streamed)
        assert other[:-1] == LOOPS["anthropic_messages"](at(url), not streamed)[:-1]


@every_dialect
def test_a_fault_that_is_added_strikes_and_the_next_try_gets_the_recorded_bytes(
    dialect: str,
) -> None:
    pytest.importorskip(PACKAGE[dialect])
    with served(SCRIPT) as url:
        seen = recorded(url, lambda urls: LOOPS[dialect](urls, False))
    text = written(seen) + "faults: [{at: step 2, kind: server_error}]\n"
    with replaying(text) as ask:
        answers = [ask(seen[0]), ask(seen[1]), ask(seen[1]), *map(ask, seen[2:])]
    assert answers[1].status == 500
    assert answers[:1] + answers[2:] == [sent(exchange) for exchange in seen]
