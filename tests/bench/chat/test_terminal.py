"""Stories of the terminal itself: what is typed and drawn, and how it is left."""

from __future__ import annotations

import signal
from pathlib import Path

import psutil
import pytest

from .company import model, says
from .conftest import Sit
from .waiting import begun, holds

IDLE = "Enter sends"


def test_ctrl_c_stops_first_and_leaves_when_it_comes_twice(tmp_path: Path, sit: Sit) -> None:
    with (
        model(says("I wait.", holds(tmp_path)), says("Never said.")) as served,
        sit(served, "--yes") as terminal,
    ):
        terminal.wait_for(IDLE)
        terminal.line("Wait for it")
        process = begun(terminal, tmp_path)
        terminal.type("\x03")
        terminal.wait_for("— turn 1 cancelled", IDLE)
        terminal.type("\x03")
        assert terminal.ended() == 0
        assert not psutil.pid_exists(process)
        assert terminal.modes == terminal.modes_before


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_ends_it_leaves_the_terminal_as_it_was(
    number: signal.Signals, tmp_path: Path, sit: Sit
) -> None:
    with model(says("I wait.", holds(tmp_path))) as served, sit(served, "--yes") as terminal:
        terminal.wait_for(IDLE)
        terminal.line("Wait for it")
        process = begun(terminal, tmp_path)
        assert terminal.modes != terminal.modes_before
        terminal.process.send_signal(number)
        assert terminal.ended() == 0
        assert terminal.modes == terminal.modes_before
        assert not psutil.pid_exists(process)


def test_ctrl_z_gives_the_terminal_back_for_a_while(sit: Sit) -> None:
    with model(says("Here again.")) as served, sit(served) as terminal:
        terminal.wait_for(IDLE)
        terminal.type("\x1a")
        process = psutil.Process(terminal.process.pid)
        terminal.wait_until(lambda: process.status() == psutil.STATUS_STOPPED)
        assert terminal.modes == terminal.modes_before
        terminal.process.send_signal(signal.SIGCONT)
        terminal.wait_until(lambda: terminal.modes != terminal.modes_before)
        terminal.line("Are you there?")
        terminal.wait_for("Here again.")


def test_what_is_typed_before_it_is_ready_is_kept(sit: Sit) -> None:
    with model(says("So quick.")) as served, sit(served) as terminal:
        terminal.line("Are you there?")
        terminal.wait_for("› Are you there?", "So quick.")


def test_a_reply_higher_than_the_screen_leaves_no_gap(sit: Sit) -> None:
    lines = "\n".join(f"line {number}." for number in range(60))
    with model(says(lines)) as served, sit(served) as terminal:
        terminal.wait_for(IDLE)
        terminal.line("Say much")
        seen = terminal.wait_for("— turn 1 done", IDLE)
        assert lines in seen
        after = seen[seen.index("— turn 1 done") :].rstrip().split("\n")
        assert len(after) <= 5


def test_a_paste_of_several_lines_is_one_prompt(sit: Sit) -> None:
    with model(says("Two lines.")) as served, sit(served) as terminal:
        terminal.wait_for(IDLE)
        terminal.type("\x1b[200~first\nsecond\x1b[201~")
        terminal.wait_for("› first⏎second")
        terminal.type("\r")
        terminal.wait_for("Two lines.")
        assert "first\nsecond" in served.asked[0]


def test_a_reply_cannot_move_the_cursor(sit: Sit) -> None:
    with model(says("\x1b[2J\x1b[Hgone? \x07\u202e")) as served, sit(served) as terminal:
        terminal.wait_for(IDLE)
        terminal.line("Clear my screen")
        seen = terminal.wait_for("␛[2J␛[Hgone? ␇�")
        assert "› Clear my screen" in seen
