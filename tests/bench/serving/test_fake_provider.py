"""The fixture `fake_provider`, as a project's own tests use it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from faultloop.fakes.history import Replied
from faultloop.fakes.hosting import BadScript, NoScript
from faultloop.fakes.script import Step
from faultloop.scenarios.reading import catalogue

if TYPE_CHECKING:
    from faultloop.bench.serving.fixture import FakeProvider

USER = {"role": "user", "content": "Go."}
BODY = {"model": "m", "messages": [USER]}


def ask(url: str, body: Any = BODY) -> httpx.Response:
    return httpx.post(f"{url}/chat/completions", json=body, timeout=60)


def text(answer: httpx.Response) -> str:
    return str(answer.json()["choices"][0]["message"]["content"])


def test_a_sync_test_points_its_client_there(fake_provider: FakeProvider) -> None:
    openai = pytest.importorskip("openai")
    fake_provider.load([{"say": "Hello."}, {"say": "Bye."}])
    with openai.OpenAI(base_url=fake_provider.base_urls.openai, api_key="k") as client:
        reply = client.chat.completions.create(model="m", messages=[USER], temperature=0)
    assert reply.choices[0].message.content == "Hello."
    (request,) = fake_provider.requests
    assert request.body["temperature"] == 0
    assert request.messages[-1].text == "Go."
    assert [entry.step for entry in fake_provider.history() if isinstance(entry, Replied)] == [1]
    assert (fake_provider.summary.said, fake_provider.summary.steps) == (1, 2)


def test_an_async_test_does_too(fake_provider: FakeProvider) -> None:
    anthropic = pytest.importorskip("anthropic")

    async def main() -> str:
        fake_provider.load("- say: Hello.\n")
        async with (
            anthropic.AsyncAnthropic(
                base_url=fake_provider.base_urls.anthropic, api_key="k"
            ) as client,
            client.messages.stream(model="m", max_tokens=9, messages=[USER]) as stream,
        ):
            return str((await stream.get_final_message()).content[0].text)

    assert asyncio.run(main()) == "Hello."
    assert [one.streaming for one in fake_provider.requests] == [True]


def test_another_program_finds_it_by_its_environment(fake_provider: FakeProvider) -> None:
    fake_provider.load([{"say": "Hello."}])
    code = (
        "import os, httpx\n"
        "url = os.environ['OPENAI_BASE_URL'] + '/chat/completions'\n"
        f"print(httpx.post(url, json={BODY!r}).json()['choices'][0]['message']['content'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **fake_provider.environment},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "Hello.\n"


def test_conversations_are_apart(fake_provider: FakeProvider) -> None:
    fake_provider.load([{"say": "All."}])
    one, other = (fake_provider.conversation(name) for name in ("one", "other"))
    one.load([{"say": "One."}])
    assert [text(ask(talk.base_urls.openai)) for talk in (one, other)] == ["One.", "All."]
    assert (len(one.requests), len(other.requests), len(fake_provider.requests)) == (1, 1, 0)
    one.reset()
    assert one.requests == []
    assert one.history() == []


def test_nothing_was_seen_where_nobody_asked(fake_provider: FakeProvider) -> None:
    assert fake_provider.requests == []
    assert fake_provider.history() == []
    with pytest.raises(NoScript, match="there is no conversation 'default'"):
        _ = fake_provider.summary
    answer = ask(fake_provider.base_urls.openai)
    assert answer.status_code == 404
    assert "has no script: load one" in answer.json()["error"]["message"]


def test_whatever_is_a_script_can_be_loaded(fake_provider: FakeProvider, tmp_path: Path) -> None:
    file = tmp_path / "talk.yaml"
    file.write_text("- say: Hello.")
    scenario = next(one for one in catalogue() if one.name == "one-call")
    for script in (file, str(file), "one-call", scenario, [Step(say="Hello.")], "- say: Hello."):
        fake_provider.load(script)
        assert ask(fake_provider.base_urls.openai).status_code == 200


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ([], "it has no steps"),
        ([{"sya": "x"}], r"^\[0\]\.sya: there is no such field; did you mean 'say'\?$"),
        ([{"say": object()}], "steps hold what YAML can hold"),
        ("- sya: x\n", r"^script:1: \[0\]\.sya: there is no such field"),
        ("no-such-scenario", "there is no file and no scenario"),
        (Path("nowhere.yaml"), r"nowhere\.yaml:1: it cannot be read"),
        ("longer than any file's name " * 10, "there is no file and no scenario"),
        (None, "a script is text, a file's name or a list of steps, not None"),
        ({"say": "x"}, r"a list of steps, not \{'say': 'x'\}"),
        (b"- say: x", "a list of steps, not b'- say: x'"),
    ],
)
def test_a_bad_script_is_the_tests_own_error(
    script: Any, sentence: str, fake_provider: FakeProvider
) -> None:
    with pytest.raises(BadScript, match=sentence):
        fake_provider.load(script)


def test_a_bad_script_that_is_sent_is_the_senders_error(fake_provider: FakeProvider) -> None:
    answer = httpx.put(f"{fake_provider.url}/_faultloop/script", content="- sya: x\n")
    assert answer.status_code == 400
    assert answer.json()["error"]["message"].startswith("script:1: [0].sya: there is no such field")


def test_a_conversation_can_have_the_name_of_a_test(
    fake_provider: FakeProvider, request: pytest.FixtureRequest
) -> None:
    fake_provider.load("- say: Hello.")
    talk = fake_provider.conversation(f"{request.node.nodeid}[50% a/b é]")
    assert text(ask(talk.base_urls.openai)) == "Hello."
    assert len(talk.requests) == 1
    with pytest.raises(NoScript, match=r"clients take '\.\.' out of a path"):
        fake_provider.conversation("..").load("- say: Hello.")


def test_a_plugin_that_nobody_asks_imports_nothing_that_serves(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text(
        "import sys\n"
        "def test_it():\n"
        "    assert not [name for name in sys.modules if name.startswith('faultloop.fakes')]\n"
        "    assert 'faultloop.bench.serving.fixture' not in sys.modules\n"
        "def test_then(fake_provider):\n"
        "    assert 'faultloop.fakes.hosting' in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "faultloop.bench.plugin", "-W", "error"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
