"""`faultloop serve` as it is typed: exports on one side, words on the other, and its exit codes."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

FAULTLOOP = [sys.executable, "-c", "from faultloop.bench.entry import main; main()"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


@contextmanager
def serving(*argv: str, **env: str) -> Iterator[tuple[dict[str, str], subprocess.Popen[str]]]:
    """The exported variables, once it serves, and the process."""
    with subprocess.Popen(
        [*FAULTLOOP, "serve", *argv],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**ENVIRONMENT, **env},
    ) as process:
        try:
            assert process.stdout is not None
            lines = [process.stdout.readline() for _ in range(6)]
            exports = [shlex.split(line) for line in lines]
            assert all(words[0] == "export" for words in exports), lines
            yield dict(words[1].split("=", 1) for words in exports), process
        finally:
            if process.poll() is None:
                process.kill()


def stopped(process: subprocess.Popen[str], by: int = signal.SIGINT) -> tuple[int, str]:
    """Its exit code and what it said beside the exports."""
    assert process.stderr is not None
    process.send_signal(by)
    said = process.stderr.read()
    return process.wait(), said


def refused(*argv: str, last: bool = False) -> str:
    done = subprocess.run(
        [*FAULTLOOP, "serve", *argv],
        capture_output=True,
        text=True,
        check=False,
        env=ENVIRONMENT,
        timeout=120,
    )
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert last or len(lines) == 1
    return lines[-1]


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "talk.yaml"
    path.write_text("- say: Hello.\n- {say: Bye., fault: {kind: rate_limited}}\n")
    return path


def ask(exports: dict[str, str]) -> str:
    body = {"model": "m", "messages": [{"role": "user", "content": "Go."}]}
    answer = httpx.post(f"{exports['OPENAI_BASE_URL']}/chat/completions", json=body, timeout=60)
    return str(answer.json()["choices"][0]["message"]["content"])


def test_it_serves_what_it_prints_until_ctrl_c(script: Path) -> None:
    with serving(str(script), "--conversation", "mine") as (exports, process):
        assert set(exports) == {
            "OPENAI_BASE_URL",
            "OPENAI_API_KEY",
            "ANTHROPIC_BASE_URL",
            "ANTHROPIC_API_KEY",
            "GOOGLE_GEMINI_BASE_URL",
            "GEMINI_API_KEY",
        }
        assert exports["ANTHROPIC_BASE_URL"].endswith("/c/mine")
        assert ask(exports) == "Hello."
        url = exports["ANTHROPIC_BASE_URL"].removesuffix("/c/mine")
        assert "<title>faultloop serve</title>" in httpx.get(url, timeout=60).text
        code, said = stopped(process)
    assert code == 0
    assert said == (
        "faultloop: serving talk.yaml, 2 steps, 1 fault\n"
        f"faultloop: the page is {url}/ and Ctrl-C ends it\n"
        "faultloop: no longer serving\n"
    )


def test_it_serves_a_command_for_as_long_as_that_takes(script: Path) -> None:
    agent = (
        "import os, urllib.request as web; print(os.environ['OPENAI_API_KEY']); "
        "print(web.urlopen(os.environ['OPENAI_BASE_URL'] + '/models').status); raise SystemExit(7)"
    )
    done = subprocess.run(
        [*FAULTLOOP, "serve", str(script), "--", sys.executable, "-c", agent],
        capture_output=True,
        text=True,
        check=False,
        env={**ENVIRONMENT, "OPENAI_API_KEY": "a real one"},
        timeout=120,
    )
    assert (done.returncode, done.stdout) == (7, "faultloop\n200\n")
    assert "'no-such' cannot be run" in refused(str(script), "--", "no-such", last=True)


def test_without_a_script_it_waits_for_one(script: Path) -> None:
    with serving() as (exports, process):
        url = exports["ANTHROPIC_BASE_URL"].removesuffix("/c/default")
        bad = httpx.put(f"{url}/_faultloop/script", content="- sya: x", timeout=60)
        assert bad.json()["error"]["message"].startswith("script:1: [0].sya: there is no such")
        assert httpx.put(f"{url}/_faultloop/script", content=script.read_bytes()).is_success
        assert ask(exports) == "Hello."
        code, said = stopped(process, signal.SIGTERM)
    assert code == 0
    assert "serving no script yet: PUT one to /_faultloop/script" in said


def test_what_is_not_played_of_a_scenario_is_said() -> None:
    with serving("killed-after-the-effect") as (_, process):
        _, said = stopped(process)
    assert "its events (kill) are not played: nobody here was started by faultloop" in said


def test_a_port_in_use_is_said_in_a_sentence(script: Path) -> None:
    with serving(str(script)) as (exports, _):
        port = exports["OPENAI_BASE_URL"].split(":")[2].partition("/")[0]
        line = refused(str(script), "--port", port)
    assert line.startswith(f"faultloop: port {port} on 127.0.0.1 is in use by another program")


def test_bad_scripts_are_said_in_a_sentence(tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text("- say: a\n- say: b\n  fault: {kind: nonsense}\n")
    assert refused(str(bad)).startswith(f"faultloop: {bad}:3: [1].fault.kind: there is no fault of")
    assert "there is no file and no scenario 'nothing-at-all'" in refused("nothing-at-all")
    line = refused("one-call", "--conversation", "")
    assert "--conversation: the name of a conversation has 1 to 300 characters" in line
    assert "clients take '..' out of a path" in refused("one-call", "--conversation", "..")
    assert refused("one-call", "--host", "192.0.2.1").startswith("faultloop: cannot listen on port")


def test_a_rule_that_there_is_not_is_a_sentence() -> None:
    assert "--strictness" in refused("one-call", "--strictness", "real,-no_such_rule")
