"""subject.toml: what is right is read, what is wrong is told with path, field and sentence."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.naming import MetaTool, Naming, OwnTool
from faultloop.fakes.stage import Stage
from faultloop.scenarios.subject import BadSubject, Brief, Column, SubjectUnusable, Venue
from faultloop.scenarios.subjects.declaration import (
    Declaration,
    command_line,
    places,
    read_declaration,
    schema,
)
from faultloop.scenarios.subjects.environment import GIVEN, environment_of
from faultloop.scenarios.subjects.places import Places

LEAST = 'name = "toy"\nversion = "1"\ncommand = ["{python}", "driver.py"]\n'


def words_of(declaration: Declaration, here: Path) -> tuple[str, ...]:
    return command_line(declaration, places(declaration, here, asked="toy"))


def written(folder: Path, text: str) -> Path:
    path = folder / "subject.toml"
    path.write_text(text)
    return path


def test_the_least_declaration_is_a_cold_subject_without_memory(tmp_path: Path) -> None:
    written(tmp_path, LEAST)
    declaration = read_declaration(tmp_path)
    able = declaration.capabilities()
    assert (declaration.mode, able.tier, able.resume, able.cancel) == (
        ("cold", "real", "none", "sigint")
    )
    assert (able.dialects, able.streaming) == (("openai_chat",), (False, True))


def test_names_of_its_own_are_declared_in_a_table(tmp_path: Path) -> None:
    table = """commands = "own"
[naming]
world = "world__{tool}"
through = {name = "use_tool", tool = "tool_name", arguments = "tool_input"}
[naming.run_command]
name = "exec"
arguments = {command = "cmd"}
also = {description = "as asked"}
"""
    naming = read_declaration(written(tmp_path, LEAST + table)).capabilities().naming
    assert naming == Naming(
        world="world__{tool}",
        through=MetaTool(name="use_tool", tool="tool_name", arguments="tool_input"),
        own={
            "run_command": OwnTool(
                name="exec", arguments={"command": "cmd"}, also={"description": "as asked"}
            )
        },
    )
    assert read_declaration(written(tmp_path, LEAST)).capabilities().naming is None


def test_relative_words_of_the_command_lead_to_the_folder_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, LEAST)
    (tmp_path / "driver.py").touch()
    words = words_of(read_declaration(path), tmp_path)
    assert words == (sys.executable, str(tmp_path / "driver.py"))


def test_a_program_in_the_command_is_no_file_however_long_it_is(tmp_path: Path) -> None:
    program = "pass #" + "x" * 300
    declaration = Declaration(name="toy", version="1", command=("{python}", "-c", program))
    assert words_of(declaration, tmp_path) == (sys.executable, "-c", program)


def test_the_bench_s_own_roots_can_be_handed_on(tmp_path: Path) -> None:
    roots = Places(here=tmp_path).filled("{faultloop}").split(":")
    assert any((Path(root) / "faultloop" / "scenarios").is_dir() for root in roots)


@pytest.mark.parametrize(
    ("text", "field", "sentence"),
    [
        ('name = "toy"\nversion = "1"\n', "command", "this key is missing"),
        (LEAST + 'resume = "always"\n', "resume", "'always' will not do"),
        (LEAST + "resumes = true\n", "resumes", "there is no such key; known are name, version"),
        (LEAST + '[naming]\nworld = "mcp__"\n', "naming.world", "holds the place of a tool's name"),
        (
            LEAST + '[naming.edit_file]\nname = "Edit"\n',
            "naming.edit_file",
            "there is no such key; known are world, through, run_command",
        ),
        (
            LEAST + '[naming.through]\nname = "use"\ntool = "x"\narguments = "x"\n',
            "naming.through",
            "go into two parameters",
        ),
        (
            LEAST
            + 'commands = "own"\n[naming.run_command]\nname = "Bash"\n'
            + 'arguments = {command = "x", takes_s = "x"}\n',
            "naming.run_command",
            "only one could arrive",
        ),
        (
            LEAST + '[naming.run_command]\nname = "Bash"\n',
            "the whole",
            'a shell of its own ([naming.run_command]) needs commands = "own"',
        ),
        (LEAST.replace("toy", "My Toy"), "name", "'My Toy' will not do"),
        (LEAST + "timeout_s = 0\n", "timeout_s", "0 will not do"),
        (LEAST + 'goals = "yes"\n', "goals", "'yes' will not do"),
        (LEAST + "keys = 1\n", "keys", "1 will not do"),
        (LEAST + 'cancel = "control"\n', "the whole", 'needs control = "stdin"'),
        (LEAST + 'tools = "own"\n', "tools", "'own' will not do"),
        (LEAST + 'dialect = ["cohere"]\n', "dialect", "'cohere' is no dialect; there are openai_"),
        (LEAST + 'dialect = ["gemini", "gemini"]\n', "dialect", "each dialect is named once"),
        (
            LEAST + 'terminal_tool = "done"\n',
            "terminal_tool",
            "'done' is not written as NAME(ARGUMENT)",
        ),
        (LEAST + "[[needs]]\nhint = 'x'\n", "needs.0", "name either a command or a module"),
        (LEAST + "[environment]\n'A=B' = 'c'\n", "environment", "'A=B' is no name of a variable"),
        (LEAST + "[environment]\n'' = 'c'\n", "environment", "'' is no name of a variable"),
        (LEAST + '[environment]\nA = "b\\u0000"\n', "environment", "'b\\x00' holds a NUL"),
        (LEAST + '[environment]\n"A\\u0000" = "b"\n', "environment", "'A\\x00' holds a NUL"),
        (LEAST + '[environment]\nHOME = "/root"\n', "environment", "HOME is given by the bench"),
        (LEAST + '[environment]\nFAULTLOOP_X = ""\n', "environment", "FAULTLOOP_X is given by"),
        (LEAST + '[environment]\nOPENAI_API_KEY = "k"\n', "environment", "leave it out"),
        (LEAST + '[environment]\nPATH = ""\n', "environment", "an empty PATH finds no program"),
        (
            LEAST + 'commands = "own"\n[environment]\nPATH = "/bin"\n',
            "the whole",
            'with commands = "own" the bench gives the PATH',
        ),
        (LEAST.replace('python}"', 'python}", "-\\u0000"'), "command", "'-\\x00' holds a NUL"),
        (LEAST.replace("{python}", ""), "command", "its first word is the program"),
        (LEAST + '[[needs]]\nhint = "x"\ncommand = "\\u0000"\n', "needs.0", "holds a NUL"),
    ],
)
def test_a_wrong_declaration_is_told_with_path_field_and_sentence(
    tmp_path: Path, text: str, field: str, sentence: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(BadSubject) as caught:
        read_declaration(path)
    assert f"{path}: {field}: " in str(caught.value)
    assert sentence in str(caught.value)


def test_broken_toml_is_told_with_its_place(tmp_path: Path) -> None:
    path = written(tmp_path, 'name = "toy\n')
    with pytest.raises(BadSubject, match=r"subject\.toml: not TOML: .*line 1"):
        read_declaration(path)


def test_a_number_that_python_does_not_read_is_told(tmp_path: Path) -> None:
    path = written(tmp_path, LEAST + f"timeout_s = {'9' * 5000}\n")
    with pytest.raises(BadSubject, match=r"subject\.toml: a number in it has too many digits"):
        read_declaration(path)


@pytest.mark.parametrize("nested", ["x = " + "[" * 5000, "x = " + "{y = " * 3000])
def test_a_file_of_brackets_is_told(tmp_path: Path, nested: str) -> None:
    path = written(tmp_path, nested)
    with pytest.raises(BadSubject, match=rf"^{path}: it is nested too deeply"):
        read_declaration(path)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadSubject, match="cannot be read: No such file"):
        read_declaration(tmp_path / "nowhere.toml")


def test_a_wrong_command_is_the_author_s_fault(tmp_path: Path) -> None:
    declaration = Declaration(name="toy", version="1", command=("nodee", "driver.mjs"))
    with pytest.raises(BadSubject, match="command: 'nodee' is neither on PATH nor"):
        words_of(declaration, tmp_path)


@pytest.mark.parametrize("need", [{"command": "no-such-program"}, {"module": "no_such_module"}])
def test_a_missing_requirement_is_nobody_s_fault(tmp_path: Path, need: dict[str, str]) -> None:
    declaration = Declaration.model_validate(
        {
            "name": "toy",
            "version": "1",
            "command": ["no-such-program"],
            "needs": [{**need, "hint": "install it from somewhere"}],
        }
    )
    with pytest.raises(SubjectUnusable, match=r"toy needs 'no.such.*': install it from somewhere"):
        words_of(declaration, tmp_path)


def test_the_schema_for_editors_knows_every_key() -> None:
    assert set(schema()["properties"]) == set(Declaration.model_fields)


def told(folder: Path, dialect: str = "openai_chat") -> dict[str, str]:
    """What the first start is told in this dialect."""
    venue = Venue(
        stage=cast(Stage, SimpleNamespace(plan=SimpleNamespace(play="play"))),
        column=Column(dialect=dialect, streaming=True),
        seed=1,
        url="http://127.0.0.1:1/r/play",
    )
    brief = Brief(start=1, input="", resume=False, max_steps=1, deadline_s=1)
    return environment_of(venue, brief, folder)


def test_a_subject_may_speak_every_dialect_and_is_told_which_is_played(tmp_path: Path) -> None:
    written(tmp_path, LEAST + f"dialect = {json.dumps(list(DIALECTS))}\n")
    assert read_declaration(tmp_path).capabilities().dialects == tuple(DIALECTS)
    assert [told(tmp_path, name)["FAULTLOOP_DIALECT"] for name in DIALECTS] == list(DIALECTS)


def test_each_sdk_finds_the_start_below_the_base_that_it_wants(tmp_path: Path) -> None:
    root = "http://127.0.0.1:1/r/play/1"
    found = {name: url for name, url in told(tmp_path).items() if name.endswith("_BASE_URL")}
    assert found == {
        "OPENAI_BASE_URL": f"{root}/v1",
        "ANTHROPIC_BASE_URL": root,
        "GOOGLE_GEMINI_BASE_URL": root,
    }


def test_nothing_that_the_bench_gives_is_left_to_a_declaration(tmp_path: Path) -> None:
    given = {name for name in told(tmp_path) if "FAULTLOOP_" not in name}
    assert given - {"PATH", "LANG"} | {"HOME", "PWD"} == GIVEN
