"""`faultloop record` as it is typed: what it writes, what it says, and its exit codes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from faultloop.bench.serving.reading import read_text
from faultloop.fakes.faults.rate_limited import RateLimited
from faultloop.fakes.hosting import HostedScript, Hosting, HostThread
from faultloop.fakes.script import ScriptedCall, Step

from .leaks import left

FAULTLOOP = [sys.executable, "-c", "from faultloop.bench.entry import main; main()"]
SECRETS = {
    "OPENAI_API_KEY": "very-private-0815",
    "MY_PASSWORD": "t0p-secret",
}
ENVIRONMENT = {**os.environ, **SECRETS, "PYTHONPATH": os.pathsep.join(sys.path)}

SCRIPT = HostedScript(
    name="story",
    steps=(
        Step(say="I look.", calls=(ScriptedCall.of("read_file", {"path": "a.txt"}),)),
        Step(say="Mail jane@example.org that t0p-secret is in it."),
    ),
    faults=(RateLimited(at="step 1", retry_after_s=0.01),),
)

AGENT = """
import sys, openai
client = openai.OpenAI()
tools = [{"type": "function", "function": {"name": "read_file", "parameters": {"type": "object"}}}]
messages = [{"role": "user", "content": "Go."}]
while True:
    with client.chat.completions.stream(model="m", messages=messages, tools=tools) as stream:
        said = stream.get_final_completion().choices[0].message
    if not said.tool_calls:
        print(said.content)
        sys.exit(7)
    call = said.tool_calls[0]
    function = {"name": call.function.name, "arguments": call.function.arguments}
    again = [{"id": call.id, "type": "function", "function": function}]
    messages.append({"role": "assistant", "content": said.content, "tool_calls": again})
    result = "t0p-secret of joe@example.org " + client.api_key
    messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
"""

FAULTS = """
faults:
  - {at: step 1, kind: server_error}
"""

ONE_REQUEST = """
import json, os, signal, sys, urllib.request
body = {"model": "m", "messages": [{"role": "user", "content": "Go."}]}
url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
headers = {"content-type": "application/json"}
asked = urllib.request.Request(url, json.dumps(body).encode(), headers)
print(json.load(urllib.request.urlopen(asked))["choices"][0]["message"]["content"], flush=True)
"""


@pytest.fixture(scope="module")
def plain() -> Iterator[str]:
    """The base URL of an upstream that says hello."""
    with HostThread(Hosting(HostedScript(name="hello", steps=(Step(say="Hello."),)))) as host:
        yield host.base_urls().openai


def record(*argv: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*FAULTLOOP, "record", *map(str, argv)],
        capture_output=True,
        text=True,
        check=False,
        env=ENVIRONMENT,
        timeout=240,
    )


def test_an_agent_on_the_official_sdk_is_recorded_without_its_secrets(tmp_path: Path) -> None:
    pytest.importorskip("openai")
    out = tmp_path / "talk.yaml"
    with HostThread(Hosting(SCRIPT)) as host:
        urls = host.base_urls()
        done = record("--upstream", urls.openai, "--out", out, "--", sys.executable, "-c", AGENT)
        (key,) = host.ask(lambda hosting: [len(hosting.seen("default").requests())])
    assert done.returncode == 7, done.stderr
    assert done.stdout == "Mail jane@example.org that t0p-secret is in it.\n"
    assert done.stderr == (f"faultloop: recorded {out}: 2 steps, 1 failure, 4 secrets replaced\n")
    assert key == 3
    text = out.read_text()
    for secret in (*SECRETS.values(), "jane@example.org", "joe@example.org"):
        assert not left(secret, text)
    script = read_text(text, out)
    assert script.steps[1].say == "Mail <redacted:email:1> that <redacted:variable:1> is in it."
    assert [step.recorded and step.recorded.redacted for step in script.steps] == [False, True]
    assert yaml.safe_load(text)["world"]["canned"]["read_file"]["answers"] == [
        {
            "args": {"path": "a.txt"},
            "answer": "<redacted:variable:1> of <redacted:email:2> <redacted:variable:2>",
        }
    ]
    assert list(tmp_path.iterdir()) == [out]


def test_the_file_is_a_scenario_that_can_be_played(tmp_path: Path) -> None:
    pytest.importorskip("openai")
    out = tmp_path / "talk.yaml"
    with HostThread(Hosting(SCRIPT)) as host:
        urls = host.base_urls()
        record("--upstream", urls.openai, "--out", out, "--", sys.executable, "-c", AGENT)
    out.write_text(out.read_text() + FAULTS)
    play = ["run", "--subject", "reference", "--scenario", str(out), "--stream", "--report-dir"]
    done = subprocess.run(
        [*FAULTLOOP, *play, str(tmp_path / "report")],
        capture_output=True,
        text=True,
        check=False,
        env=ENVIRONMENT,
        timeout=240,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_ctrl_c_ends_the_command_and_keeps_what_was_recorded(plain: str, tmp_path: Path) -> None:
    out = tmp_path / "talk.yaml"
    waits = ONE_REQUEST + "signal.pause()"
    argv = ["record", "--upstream", plain, "--out", str(out), "--", sys.executable, "-c", waits]
    with subprocess.Popen(
        [*FAULTLOOP, *argv],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "Hello.\n"
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
    assert process.returncode == 130
    assert f"recorded {out}: 1 step" in said
    assert read_text(out.read_text(), out).steps[0].say == "Hello."


def refused(*argv: str | Path) -> str:
    done = record(*argv)
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    return line


def test_what_cannot_be_had_is_one_sentence_and_exit_code_2(plain: str, tmp_path: Path) -> None:
    out = tmp_path / "talk.yaml"
    to, command = ("--upstream", plain, "--out", out, "--"), (sys.executable, "-c", ONE_REQUEST)
    gone = "http://127.0.0.1:1"
    missing = tmp_path / "no" / "talk.yaml"

    assert refused("--upstream", gone, *to[2:], *command).startswith(
        f"faultloop: the upstream {gone} does not answer ("
    )
    assert refused("--upstream", "api.example.org", *to[2:], *command).endswith(
        "is no base URL; write one as in https://api.openai.com/v1"
    )
    assert refused(*to, "no-such-command") == (
        "faultloop: the command 'no-such-command' cannot be run: No such file or directory"
    )
    assert refused("--upstream", plain, "--out", missing, "--", *command) == (
        f"faultloop: --out {missing} cannot be written: No such file or directory"
    )
    assert refused("--upstream", plain, "--out", tmp_path, "--", *command) == (
        f"faultloop: --out {tmp_path} is a folder; name a file in it"
    )
    assert refused(*to, sys.executable, "-c", "") == (
        f"faultloop: nothing was recorded in {out}: the command got no reply of a model"
    )
    assert list(tmp_path.iterdir()) == []
