"""Stories of a person at a terminal: the real program, a real pseudo-terminal, the fake server."""

from __future__ import annotations

import os
from pathlib import Path

import psutil

from faultloop.fakes.faults.reset_mid_stream import ResetMidStream
from faultloop.fakes.faults.stall import Stalled

from .company import model, says
from .conftest import Sit
from .terminal import Terminal
from .waiting import begun, holds, let_go

IDLE = "Enter sends"
RUNNING = "◐ run_command  running"


def test_a_run_shows_what_is_said_each_call_and_how_it_ended(tmp_path: Path, sit: Sit) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    with (
        model(
            says("I look first.", ("read_file", {"path": "a.txt"}), ("read_file", {"path": "no"})),
            says("Now I write.", ("write_file", {"path": "b.txt", "content": "two\n"})),
            says("All is written."),
        ) as served,
        sit(served) as terminal,
    ):
        terminal.wait_for(IDLE)
        terminal.line("Write b.txt")
        terminal.wait_for("May write_file run with", "path: b.txt", "content: two")
        assert not (tmp_path / "b.txt").exists()
        terminal.line("y")
        seen = terminal.wait_for("— turn 1 done", IDLE)
        assert (tmp_path / "b.txt").read_text() == "two\n"
        for line in (
            "› Write b.txt",
            "I look first.",
            '● read_file  ok  path="a.txt"',
            '● read_file  failed (TOOL_FAILED)  path="no"',
            "● write_file  ok",
            "All is written.",
            "step 3/50",
            "chat.sqlite",
        ):
            assert line in seen
        terminal.line("/quit")
        assert terminal.ended() == 0
        assert terminal.modes == terminal.modes_before


def test_a_no_is_told_to_the_model_with_its_reason(tmp_path: Path, sit: Sit) -> None:
    with (
        model(
            says("", ("write_file", {"path": "b.txt", "content": ""})), says("As you like.")
        ) as served,
        sit(served) as terminal,
    ):
        terminal.wait_for(IDLE)
        terminal.line("Write b.txt")
        terminal.wait_for("May write_file run with")
        terminal.line("n not in this folder")
        terminal.wait_for("○ write_file  not executed (DENIED)", "As you like.")
        assert "not in this folder" in served.asked[-1]
        assert not (tmp_path / "b.txt").exists()


def test_always_grants_that_tool_and_no_other(tmp_path: Path, sit: Sit) -> None:
    def writes(name: str) -> tuple[str, dict[str, str]]:
        return "write_file", {"path": name, "content": "x"}

    with (
        model(
            says("", writes("a"), writes("b"), ("run_command", {"command": "touch c"})),
            says("So be it."),
        ) as served,
        sit(served) as terminal,
    ):
        terminal.wait_for(IDLE)
        terminal.line("Write")
        terminal.wait_for("May write_file run with")
        terminal.line("always")
        terminal.wait_for("May run_command run with")
        terminal.line("n")
        terminal.wait_for("So be it.")
    assert {path.name for path in tmp_path.iterdir()} >= {"a", "b"}
    assert not (tmp_path / "c").exists()


def test_invalid_arguments_raise_no_question(sit: Sit) -> None:
    with (
        model(says("", ("write_file", {"path": "b.txt"})), says("I see.")) as served,
        sit(served) as terminal,
    ):
        terminal.wait_for(IDLE)
        terminal.line("Write")
        seen = terminal.wait_for("○ write_file  not executed (INVALID_ARGS)", "I see.")
        assert "May write_file" not in seen


def test_esc_stops_a_running_command_and_the_next_prompt_works(tmp_path: Path, sit: Sit) -> None:
    with (
        model(says("I wait.", holds(tmp_path)), says("Hello again.")) as served,
        sit(served, "--yes") as terminal,
    ):
        terminal.wait_for(IDLE)
        terminal.line("Wait for it")
        process = begun(terminal, tmp_path)
        terminal.type("\x1b")
        terminal.wait_for("● run_command  outcome unknown (CANCELLED)", "— turn 1 cancelled", IDLE)
        assert not psutil.pid_exists(process)
        terminal.line("Are you there?")
        terminal.wait_for("› Are you there?", "Hello again.", "— turn 2 done")
        assert "interrupted by the user" in served.asked[-1]


def test_esc_stops_a_reply_and_its_text_stays_struck(sit: Sit) -> None:
    with (
        model(
            says("This is long enough for several pieces, and then it stalls."),
            faults=[Stalled(at="step 1", after_deltas=2)],
        ) as served,
        sit(served) as terminal,
    ):
        terminal.wait_for(IDLE)
        terminal.line("Talk")
        terminal.wait_for("This is long enough for")
        terminal.type("\x1b")
        terminal.wait_for("✗ interrupted", "— turn 1 cancelled", IDLE)
        assert is_struck(terminal, "This is long enough")


def test_an_attempt_that_failed_is_struck_and_never_appended_to(sit: Sit) -> None:
    with (
        model(
            says("This is long enough for several pieces."),
            faults=[ResetMidStream(at="step 1", after_deltas=2)],
        ) as served,
        sit(served) as terminal,
    ):
        terminal.wait_for(IDLE)
        terminal.line("Talk")
        seen = terminal.wait_for("✗ interrupted", "several pieces.", "— turn 1 done")
        assert seen.count("This is long enough for") == 2
        assert is_struck(terminal, "This is long enough for")
        assert seen.index("✗ interrupted") < seen.index("several pieces.")


def is_struck(terminal: Terminal, text: str) -> bool:
    """Whether the first line with this text is struck through."""
    for number, line in enumerate(terminal.screen.display):
        if text in line:
            return terminal.screen.buffer[number][line.index(text)].strikethrough
    return False


def test_a_line_that_is_typed_meanwhile_steers(tmp_path: Path, sit: Sit) -> None:
    with (
        model(says("I wait.", holds(tmp_path)), says("In French, then.")) as served,
        sit(served, "--yes") as terminal,
    ):
        terminal.wait_for(IDLE)
        terminal.line("Wait for it")
        begun(terminal, tmp_path)
        terminal.line("say it in French")
        terminal.wait_for("waits: say it in French")
        let_go(tmp_path)
        seen = terminal.wait_for("» say it in French  (steering)", "— turn 1 done")
        assert seen.index("● run_command  ok") < seen.index("» say it in French")
        assert seen.index("» say it in French") < seen.index("In French, then.")
        assert "say it in French" in served.asked[1]


def test_lines_in_one_breath_are_a_prompt_and_steering(sit: Sit) -> None:
    with model(says("Well."), says("Well, well.")) as served, sit(served) as terminal:
        terminal.wait_for(IDLE)
        terminal.type("first\rsecond\r")
        terminal.wait_for("› first", "» second  (steering)", "— turn 1 done", IDLE)


def test_esc_in_one_breath_with_a_prompt_stops_it(sit: Sit) -> None:
    with model(says("Never said.")) as served, sit(served) as terminal:
        terminal.wait_for(IDLE)
        terminal.type("first\r\x1b ")  # a letter behind it: nothing has to be waited for
        seen = terminal.wait_for("first", "cancelled", IDLE)
        assert "Never said." not in seen
        assert not served.asked


def test_a_follow_up_waits_for_the_end(tmp_path: Path, sit: Sit) -> None:
    with (
        model(says("I wait.", holds(tmp_path)), says("Done with it."), says("And that.")) as served,
        sit(served, "--yes") as terminal,
    ):
        terminal.wait_for(IDLE)
        terminal.line("Wait for it")
        begun(terminal, tmp_path)
        terminal.line("/follow and then that")
        terminal.wait_for("waits: and then that")
        let_go(tmp_path)
        seen = terminal.wait_for("› and then that", "And that.", "— turn 2 done")
        assert seen.index("— turn 1 done") < seen.index("› and then that")
        assert "and then that" not in served.asked[1]


def test_a_resumed_chat_tells_the_unknown_outcome_and_goes_on(tmp_path: Path, sit: Sit) -> None:
    with model(says("I wait.", holds(tmp_path)), says("I look what became of it.")) as served:
        with sit(served, "--yes") as terminal:
            terminal.wait_for(IDLE)
            terminal.line("Wait for it")
            begun(terminal, tmp_path)
            terminal.kill()
        let_go(tmp_path)
        with sit(served, "--resume", "--yes") as terminal:
            seen = terminal.wait_for("I look what became of it.", "— turn 2 done", IDLE)
            for text in (
                "› Wait for it",
                "● run_command  outcome unknown (VANISHED)",
                "— turn 1 interrupted: its process vanished",
                "Nobody saw the end of run_command: the outcome is unknown.",
            ):
                assert text in seen
            assert "unknown" in served.asked[-1]


def test_a_resumed_chat_asks_the_world_where_it_can(tmp_path: Path, sit: Sit) -> None:
    os.mkfifo(tmp_path / "gate")
    (tmp_path / "slow.py").write_text(SLOW)
    with model(says("I write.", ("write_note", {})), says("It is there.")) as served:
        with sit(served, "--yes", "--tools", "slow:registry") as terminal:
            terminal.wait_for(IDLE)
            terminal.line("Write it")
            terminal.wait_for("◐ write_note  running", "the note is written")
            terminal.kill()
        with sit(served, "--resume", "--yes", "--tools", "slow:registry") as terminal:
            terminal.wait_for(
                "read_note was asked just now, and says: a note",
                "The world was asked what became of write_note.",
                "It is there.",
            )


SLOW = """
import asyncio
from pathlib import Path

from faultloop.loop.contract import NO_PARAMETERS, Contract
from faultloop.loop.registry import Registry
from faultloop.loop.tools.port import ToolResult


class WriteNote:
    contract = Contract(
        name="write_note", purpose="write", parameters=NO_PARAMETERS, verify_with="read_note"
    )

    async def run(self, args, context):
        Path("note").write_text("a note")
        context.progress("the note is written")
        await asyncio.Event().wait()


class ReadNote:
    contract = Contract(
        name="read_note", purpose="read", parameters=NO_PARAMETERS, read_only=True
    )

    async def run(self, args, context):
        return ToolResult(outcome="ok", content=Path("note").read_text())


registry = Registry([WriteNote(), ReadNote()])
"""


def test_a_session_has_one_process_at_a_time(tmp_path: Path, sit: Sit) -> None:
    with (
        model(says("I wait.", holds(tmp_path)), says("Done with it.")) as served,
        sit(served, "--yes") as first,
    ):
        first.wait_for(IDLE)
        first.line("Wait for it")
        begun(first, tmp_path)
        with sit(served, "--resume") as second:
            second.wait_for(f"is held by process {first.process.pid}")
            assert second.ended() == 2
        let_go(tmp_path)
        first.wait_for("Done with it.", "— turn 1 done")


def test_esc_takes_a_question_back(tmp_path: Path, sit: Sit) -> None:
    writes = ("write_file", {"path": "b.txt", "content": "x"})
    with model(says("", writes), says("Fine.")) as served, sit(served) as terminal:
        terminal.wait_for(IDLE)
        terminal.line("Write")
        terminal.wait_for("May write_file run with")
        terminal.type("\x1b")
        terminal.wait_for("○ write_file  not executed (CANCELLED)", "— turn 1 cancelled", IDLE)
        terminal.line("y")
        terminal.wait_for("› y", "Fine.")
        assert not (tmp_path / "b.txt").exists()
