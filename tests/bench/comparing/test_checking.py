"""`faultloop wordings check`, as typed: what was measured, what it takes to count, what to run."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.bench.comparing.test_compare import TOOLS, compared, folder, run
from tests.scenarios.wordings.models.scripted import Said, says, serving

__all__ = ["folder"]

LOCK = ("--lock", "wordings.lock")
CHANGED = TOOLS.replace("Search the notes", "Look through the notes")
ANY = ("--verdict-min", "worse")


def git(*words: str) -> str:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(("git", *who, *words), check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_a_change_of_wording_is_noticed_until_it_was_measured(folder: Path) -> None:
    compared("full.yaml", "swapped.yaml", *LOCK)
    assert run("wordings", "check", *ANY).exit_code == 0

    Path("full.yaml").write_text(CHANGED)
    noticed = run("wordings", "check", *ANY)
    assert noticed.exit_code == 1
    assert "full.yaml: search_notes changed since its last accuracy run" in noticed.stdout
    assert (
        "run: faultloop compare REV:full.yaml full.yaml --tasks tasks.yaml"
        " --model embedded:lexical --lock wordings.lock   (REV: the commit before the change)"
    ) in noticed.stdout

    compared("swapped.yaml", "full.yaml", *LOCK)
    assert run("wordings", "check", *ANY).exit_code == 0


def test_a_wording_that_was_found_worse_does_not_pass_unless_that_is_said(folder: Path) -> None:
    compared("full.yaml", "swapped.yaml", *LOCK)
    done = run("wordings", "check")
    assert done.exit_code == 1
    assert "embedded:lexical, 12 tasks; a base, without a verdict\n" in done.stdout
    assert "embedded:lexical, 12 tasks; worse beside full.yaml: reword it, or" in done.stdout
    assert "run:" not in done.stdout, "asking again mends nothing"
    assert run("wordings", "check", "full.yaml").exit_code == 0
    assert "demands more" in run("wordings", "check", "full.yaml", "--verdict-min", "better").stdout


@pytest.mark.parametrize(
    ("demand", "told"),
    [
        (("--model", "embedded:minilm"), "a run by embedded:minilm is demanded"),
        (
            ("--tasks-min", "13"),
            "of 13 tasks or more is demanded, and tasks.yaml holds 12: add tasks",
        ),
    ],
)
def test_a_run_of_another_model_or_of_few_tasks_does_not_count(
    folder: Path, demand: tuple[str, ...], told: str
) -> None:
    compared("swapped.yaml", "full.yaml", *LOCK)
    assert (
        run("wordings", "check", "--tasks-min", "12", "--model", "embedded:lexical").exit_code == 0
    )
    done = run("wordings", "check", "full.yaml", *demand)
    assert done.exit_code == 1
    assert told in done.stdout
    model = demand[1] if demand[0] == "--model" else "embedded:lexical"
    again = "run: faultloop compare swapped.yaml full.yaml --tasks tasks.yaml --model"
    assert f"{again} {model} --lock wordings.lock" in done.stdout


def test_where_its_base_is_gone_the_told_command_says_so(folder: Path) -> None:
    """Beside itself it would be measured without a verdict, which takes the place of none."""
    compared("swapped.yaml", "full.yaml", *LOCK)
    Path("swapped.yaml").unlink()
    done = run("wordings", "check", "full.yaml", "--tasks-min", "13")
    assert done.exit_code == 1
    assert "run: faultloop compare REV:full.yaml full.yaml" in done.stdout
    assert "(REV: the commit before the change)" in done.stdout


def test_a_margin_is_kept_and_told_and_asked_for_again(folder: Path) -> None:
    compared("full.yaml", "swapped.yaml", "--margin", "99", *LOCK)
    lock = Path("wordings.lock")
    lock.write_text(lock.read_text().replace("worse", "no worse within the margin"))
    done = run("wordings", "check", "swapped.yaml", "--verdict-min", "no-worse")
    assert done.exit_code == 0
    assert "no worse within the margin beside full.yaml (a margin of 99 points)" in done.stdout
    done = run("wordings", "check", "swapped.yaml", "--tasks-min", "13")
    assert " --margin 99 --lock" in done.stdout


def test_a_variant_that_was_never_measured_is_compared_with_what_it_extends(folder: Path) -> None:
    compared("full.yaml", "full.yaml", *LOCK)
    done = run("wordings", "check", "swapped.yaml")
    assert "run: faultloop compare full.yaml swapped.yaml" in done.stdout


def test_a_run_in_which_nothing_was_answered_is_not_recorded(folder: Path) -> None:
    def silent_when_swapped(number: int, body: dict[str, Any]) -> Said:
        told = {one["function"]["name"]: one["function"]["description"] for one in body["tools"]}
        return says(text="" if "Remember" in told["search_notes"] else "Hm.")

    with serving(silent_when_swapped) as server:
        model = ("--model", f"openai_chat:m@{server.url}", "--cache", "kept")
        done = compared("full.yaml", "swapped.yaml", *model, *LOCK)
    assert done.exit_code == 3
    assert "nothing was answered under swapped, so no run is recorded" in done.output
    assert not Path("wordings.lock").exists()


def test_a_verdict_of_failures_alone_is_no_better_than_what_was_answered(folder: Path) -> None:
    def silent_half_of_the_time(number: int, body: dict[str, Any]) -> Said:
        told = {one["function"]["name"]: one["function"]["description"] for one in body["tools"]}
        wants = "remember" in body["messages"][-1]["content"]
        if wants and "Remember" not in told["append_to_note"]:
            return says(text="")
        name, argument = ("append_to_note", "text") if wants else ("search_notes", "words")
        return says((name, json.dumps({argument: "w"})))

    with serving(silent_half_of_the_time) as server:
        model = ("--model", f"openai_chat:m@{server.url}", "--cache", "kept")
        compared("swapped.yaml", "full.yaml", *model, *LOCK)
    done = run("wordings", "check", "full.yaml", "--verdict-min", "better")
    assert done.exit_code == 1
    assert "better beside swapped.yaml, by failures: of what was answered cannot" in done.stdout


def test_a_run_that_failed_as_often_as_it_filled_arguments_is_recorded(folder: Path) -> None:
    def silent_when_to_remember(number: int, body: dict[str, Any]) -> Said:
        if "remember" in str(body["messages"]):
            return says(text="")
        return says(("search_notes", '{"words": "w"}'))

    with serving(silent_when_to_remember) as server:
        model = ("--model", f"openai_chat:m@{server.url}", "--cache", "kept")
        done = compared("full.yaml", "swapped.yaml", *model, *LOCK)
    assert "nothing was answered" not in done.output
    assert "swapped.yaml:" in Path("wordings.lock").read_text()


def test_tasks_that_are_others_now_are_told_and_pass(folder: Path) -> None:
    compared("swapped.yaml", "full.yaml", *LOCK)
    tasks = Path("tasks.yaml").read_text()
    Path("tasks.yaml").write_text(tasks.replace("words for 0", "words for zero"))
    done = run("wordings", "check")
    assert done.exit_code == 0
    assert "better beside swapped.yaml; tasks.yaml changed since" in done.stdout
    Path("tasks.yaml").unlink()
    assert "tasks.yaml cannot be read any more" in run("wordings", "check").stdout


def test_what_is_told_of_a_committed_change_works_from_everywhere(folder: Path) -> None:
    """Measured, changed, committed: HEAD holds the change, so that HEAD is no base for it."""
    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "measured")
    measured = git("log", "--format=%h")
    compared("swapped.yaml", "full.yaml", *LOCK)
    Path("full.yaml").write_text(CHANGED)
    git("commit", "-q", "-a", "-m", "another wording")
    assert f"compare {measured}:full.yaml full.yaml" in run("wordings", "check").stdout
    told = run("wordings", "check", "full.yaml", "--lock", "none.lock").stdout
    assert f"compare {measured}:full.yaml full.yaml" in told, "beside what it said before"

    trapped = compared("HEAD:full.yaml", "full.yaml", *LOCK)
    assert trapped.exit_code == 2
    assert "compare it with REV:full.yaml, REV being the commit before the change" in trapped.stderr

    absolute = str(folder / "full.yaml")
    told = run("wordings", "check", absolute).stdout
    words = told.split("run: faultloop ")[1].split()
    assert words[1:3] == [f"{measured}:{absolute}", absolute]
    done = run(*words, "--cache", "kept")
    assert done.exit_code == 3, "nothing differs; and no bad input"
    assert run("wordings", "check").exit_code == 0


def test_a_base_keeps_its_verdict_and_a_change_of_it_is_not_measured(folder: Path) -> None:
    compared("full.yaml", "swapped.yaml", *LOCK)
    compared("swapped.yaml", "full.yaml", *LOCK)
    assert "swapped.yaml: " in (told := run("wordings", "check", *ANY).stdout)
    assert "worse beside full.yaml" in told
    Path("full.yaml").write_text(CHANGED)
    done = compared("full.yaml", "swapped.yaml", *LOCK)
    assert "full.yaml changed since its last run and was only the base here" in done.stderr
    assert "full.yaml: search_notes changed" in run("wordings", "check", *ANY).stdout


def test_what_never_said_anything_else_is_measured_beside_itself(folder: Path) -> None:
    command = run("wordings", "check", "full.yaml").stdout
    assert "compare full.yaml full.yaml --lock wordings.lock" in command
    assert compared("full.yaml", "full.yaml", *LOCK).exit_code == 3
    assert "full.yaml: " in (told := run("wordings", "check").stdout)
    assert "a base, without a verdict" in told


def test_a_lock_that_names_nothing_is_no_green_light(folder: Path) -> None:
    Path("wordings.lock").write_text("schema: 1\nwordings: {}\n")
    done = run("wordings", "check")
    assert done.exit_code == 2
    assert "names no wording, so there is nothing to check" in done.stderr


def test_what_was_never_measured_and_what_is_gone_are_told(folder: Path) -> None:
    assert run("wordings", "check").exit_code == 2  # there is no lock
    compared("full.yaml", "swapped.yaml", *LOCK)
    Path("new.yaml").write_text(TOOLS.replace("name: full", "name: new"))
    told = run("wordings", "check", "new.yaml").stdout
    assert "no accuracy run is recorded" in told
    assert "compare new.yaml new.yaml --tasks tasks.yaml --model embedded:lexical --lock" in told
    Path("swapped.yaml").unlink()
    gone = run("wordings", "check")
    assert gone.exit_code == 1
    assert "swapped.yaml stands in wordings.lock and is no more" in gone.stdout
