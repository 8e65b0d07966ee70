"""A chat without a terminal: what is printed where, and the exit code."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from faultloop.bench.chat.typed import chat
from faultloop.fakes.faults.base import Fault
from faultloop.fakes.faults.rate_limited import RateLimited
from faultloop.fakes.faults.reset_mid_stream import ResetMidStream
from faultloop.fakes.script import Step

from .company import Model, model, says

PROGRAM = typer.Typer(pretty_exceptions_enable=False)
PROGRAM.command()(chat)
CHAT = "import typer; from faultloop.bench.chat.typed import chat; typer.run(chat)"
WRITES = ("write_file", {"path": "b.txt", "content": "two\n"})


@pytest.fixture(autouse=True)
def _in_its_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def piped(served: Model, prompt: str, *options: str) -> Result:
    return CliRunner().invoke(PROGRAM, ["--base-url", served.url, *options], input=prompt)


def test_the_models_words_go_out_and_everything_else_to_errors() -> None:
    with model(says("I write.", WRITES), says("Done.")) as served:
        done = piped(served, "Write b.txt", "--yes")
    assert done.exit_code == 0
    words = [line.partition(" [ref")[0] for line in done.stdout.splitlines()]
    assert words == ["I write.", "Done."]
    assert '[write_file ok] content="two\\n" path="b.txt"' in done.stderr
    assert "[turn 1 done]" in done.stderr
    assert Path("b.txt").read_text() == "two\n"


def test_a_journal_is_kept_out_of_the_way() -> None:
    with model(says("Hello.")) as served:
        piped(served, "Hi")
    (journal,) = Path(".faultloop").glob("chat-*.sqlite")
    assert Path(".faultloop/.gitignore").read_text() == "*\n"
    assert journal.stat().st_size > 0


def test_what_asks_is_denied_where_nobody_is_and_the_model_is_told_why() -> None:
    with model(says("", WRITES), says("I would have written it.")) as served:
        done = piped(served, "Write b.txt")
        assert "nobody is at a terminal" in served.asked[-1]
    assert done.exit_code == 0
    assert "[write_file not executed (DENIED)]" in done.stderr
    assert not Path("b.txt").exists()


ENDS: dict[str, tuple[list[Step], list[Fault], list[str], int, str]] = {
    "a limit": (
        [says("", ("list_files", {})), says("Never said.")],
        [],
        ["--max-steps", "1"],
        3,
        "stopped: the steps are used up",
    ),
    "a provider that fails for good": (
        [says("Never said.")],
        [RateLimited(at="step 1", retry_after_s=600)],
        [],
        1,
        "failed: the model request failed after one attempt",
    ),
    "a whole reply": ([says("Hello.")], [], ["--no-stream"], 0, "done"),
    "an attempt that failed in between": (
        [says("This is long enough for several pieces.")],
        [ResetMidStream(at="step 1", after_deltas=2)],
        [],
        0,
        "[interrupted: ",
    ),
}


@pytest.mark.parametrize(("steps", "faults", "options", "code", "told"), ENDS.values(), ids=ENDS)
def test_the_exit_code_is_the_end_reasons(
    steps: list[Step], faults: list[Fault], options: list[str], code: int, told: str
) -> None:
    with model(*steps, faults=faults) as served:
        done = piped(served, "Go", *options)
    assert done.exit_code == code, done.output
    assert told in done.stderr
    assert "Never said." not in done.stdout
    assert done.stdout.count("This is long enough for") <= 1


@pytest.mark.parametrize("name", ["j.sqlite", "j.jsonl"])
def test_a_conversation_goes_on_only_where_that_is_asked_for(name: str) -> None:
    with model(says("First."), says("Second.")) as served:
        assert piped(served, "One", "--journal", name).exit_code == 0
        refused = piped(served, "Two", "--journal", name)
        assert refused.exit_code == 2
        assert f"{name} holds a conversation already: add --resume" in refused.stderr
        assert piped(served, "Two", "--journal", name, "--resume").stdout.startswith("Second")
        assert "First." in served.asked[-1]


def test_resume_without_a_journal_takes_the_newest() -> None:
    with model(says("First."), says("Second.")) as served:
        piped(served, "One")
        done = piped(served, "Two", "--resume")
    assert done.stdout.startswith("Second.")


def test_nothing_pending_is_nothing_to_do() -> None:
    with model(says("First.")) as served:
        piped(served, "One")
        done = piped(served, "", "--resume")
    assert done.exit_code == 0
    assert "resumed after 1 turn; none was open" in done.stderr


BAD: dict[str, tuple[list[str], str]] = {
    "no url": (["--base-url", "nowhere"], "--base-url 'nowhere': give the address of an endpoint"),
    "another scheme": (["--base-url", "ftp://x/v1"], "give the address of an endpoint"),
    "a port that is none": (["--base-url", "http://x:99999/v1"], "is no URL"),
    "nobody listens": (["--base-url", "http://127.0.0.1:9/v1"], "no connection"),
    "no such module": (["--tools", "nothing_here:registry"], "there is no module nothing_here"),
    "no name": (["--tools", "json"], "give a module and a name in it"),
    "no such name": (["--tools", "json:registry"], "json has no registry"),
    "no registry": (["--tools", "json:JSONDecodeError"], "JSONDecodeError() failed"),
    "no tools": (["--tools", "json:__name__"], "is no registry and no list of tools, but a str"),
    "no key": (["--api-key-env", "NO_SUCH_KEY"], "the environment has no NO_SUCH_KEY"),
    "no file": (["--system", "@nowhere.txt"], "the file cannot be read: No such file"),
    "no price": (["--price", "cheap"], "give INPUT,OUTPUT"),
    "no steps": (["--max-steps", "0"], "--max-steps"),
    "no folder": (["--journal", "no/j.sqlite"], "cannot be used"),
    "nothing to resume": (["--resume"], "there is no journal in .faultloop"),
    "that journal is not there": (["--resume", "--journal", "j"], "there is no journal j"),
}


@pytest.mark.parametrize(("options", "told"), BAD.values(), ids=BAD)
def test_bad_input_is_a_sentence_and_2(options: list[str], told: str) -> None:
    with model(says("Never said.")) as served:
        done = piped(served, "Hi", *options)
        assert not served.asked
    assert done.exit_code == 2, done.output
    assert told in done.stderr
    assert "Traceback" not in done.output


def test_nothing_said_is_bad_input() -> None:
    with model(says("Never said.")) as served:
        done = piped(served, " \n")
    assert done.exit_code == 2
    assert "nothing was said" in done.stderr


def test_a_journal_that_is_none_is_bad_input(tmp_path: Path) -> None:
    Path("j.sqlite").write_text("no journal at all" * 100)
    with model(says("Never said.")) as served:
        done = piped(served, "Hi", "--journal", "j.sqlite", "--resume")
    assert done.exit_code == 2
    assert "j.sqlite" in done.stderr


def is_told(pipe: int) -> bool:
    """Whether somebody writes to it in time."""
    told, _, _ = select.select([pipe], [], [], 200)
    os.close(pipe)
    return bool(told)


def test_one_sigint_cancels_and_says_so(tmp_path: Path, environment: dict[str, str]) -> None:
    os.mkfifo("ready")
    os.mkfifo("gate")
    ready = os.open("ready", os.O_RDONLY | os.O_NONBLOCK)
    waits = ("run_command", {"command": "echo $$ > ready; cat gate"})
    with model(says("I wait.", waits), says("Never said.")) as served:
        process = subprocess.Popen(
            [sys.executable, "-c", CHAT, "--base-url", served.url, "--yes"],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdin is not None
        process.stdin.write("Wait for it")
        process.stdin.close()
        process.stdin = None
        assert is_told(ready), "the command never ran"
        process.send_signal(signal.SIGINT)
        words, errors = process.communicate(timeout=200)
    assert process.returncode == 130
    assert words.startswith("I wait.")
    assert "[run_command outcome unknown (CANCELLED)]" in errors
    assert "[turn 1 cancelled]" in errors


def test_a_reader_that_leaves_does_not_leave_a_turn_running(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    steps = [says(f"Words {number}.", ("list_files", {})) for number in range(40)]
    with model(*steps, says("The end.")) as served:
        read_end, write_end = os.pipe()
        process = subprocess.Popen(
            [sys.executable, "-c", CHAT, "--base-url", served.url],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=write_end,
            stderr=subprocess.PIPE,
            text=True,
        )
        os.close(write_end)
        os.close(read_end)
        _, errors = process.communicate("Go", timeout=200)
        assert len(served.asked) < len(steps)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert "Exception ignored" not in errors


def test_it_is_a_command_of_faultloop(environment: dict[str, str]) -> None:
    faultloop = "from faultloop.bench.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", faultloop, "chat", "--base-url", "nowhere"],
        env=environment,
        input="Hi",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("faultloop: --base-url 'nowhere'")
