"""`faultloop lint`: what it reads, how it tells, how it ends (SPEC C8)."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from faultloop.bench.cli import app
from faultloop.bench.linting.bad_target import BadTarget
from faultloop.bench.linting.files import read_file
from faultloop.bench.linting.finding import find
from faultloop.bench.linting.modules import read_module
from faultloop.loop.contract.rendering import DIALECTS, mcp
from faultloop.loop.tools.command import RUN_COMMAND

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "docs" / "example-tools.yaml"
MCP_SERVER = ROOT / "tests" / "loop" / "mcp_server.py"

BAD_YAML = """\
tools:
  - name: look
    purpose: Look at the thing that was named.
    when: you need to see it.
    when_not: it is dark.
    returns: what was seen.
    parameters:
      type: object
      properties:
        since:
          type: string
          description: From when on.
"""


def lint(*argv: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["lint", *argv])
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.yaml"
    path.write_text(BAD_YAML)
    return path


# --- what it reads ------------------------------------------------------------------------------


def test_the_shipped_example_is_clean() -> None:
    assert lint(str(EXAMPLE)) == (0, "2 tools, nothing found\n", "")


def written(tmp_path: Path, document: object, name: str = "tools.json") -> Path:
    path = tmp_path / name
    path.write_text(json.dumps(document, indent=2))
    return path


@pytest.mark.parametrize("dialect", DIALECTS)
def test_tools_in_a_providers_form_are_read(dialect: str, tmp_path: Path) -> None:
    spelt = DIALECTS[dialect](RUN_COMMAND.face(), None).tool
    (tool,) = read_file(written(tmp_path, [spelt]))
    assert tool.contract.name == "run_command"
    assert tool.contract.purpose == RUN_COMMAND.description()
    assert tool.contract.properties == RUN_COMMAND.properties


FOREIGN_LISTS: list[Any] = [
    [mcp.render(RUN_COMMAND)],
    {"tools": [mcp.render(RUN_COMMAND)]},
    {"jsonrpc": "2.0", "id": 1, "result": {"tools": [mcp.render(RUN_COMMAND)]}},
    [{"functionDeclarations": [DIALECTS["gemini"](RUN_COMMAND.face(), None).tool]}],
    mcp.render(RUN_COMMAND),
]


@pytest.mark.parametrize("document", FOREIGN_LISTS)
def test_a_list_is_found_where_others_keep_it(document: Any, tmp_path: Path) -> None:
    (tool,) = read_file(written(tmp_path, document))
    assert tool.contract.name == "run_command"
    assert tool.pointer("purpose").endswith("/description")


def test_every_place_of_a_file_has_its_line(bad: Path) -> None:
    (tool,) = read_file(bad)
    assert tool.line == 2
    assert tool.line_of(tool.pointer("when")) == 4
    assert tool.line_of(tool.pointer("parameters", "/properties/since")) == 10
    assert tool.line_of(tool.pointer("continuation")) == 2
    assert tool.line_of("/tools/0/parameters/properties/since/default") == 10


def test_json_that_yaml_cannot_read_is_read_without_lines(tmp_path: Path) -> None:
    path = tmp_path / "tools.json"
    path.write_text('[\n\t{"name": "look",\n\t"description": "Look."}\n]\n')
    (tool,) = read_file(path)
    assert tool.name == "look"
    assert find([str(path)])[1]


def test_a_module_gives_its_tools_with_the_functions_file_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_tools_here.py").write_text(
        "from faultloop.loop.registry import Registry\n"
        "from faultloop.loop.tools.function import tool\n"
        "\n"
        "@tool\n"
        "def look(path: str) -> str:\n"
        '    """Look at a thing."""\n'
        "    return path\n"
        "\n"
        "registry = Registry([look], shut=['look'])\n"
        "def made():\n"
        "    return [look]\n"
        "by_name = {'look': look}\n"
        "contract = look.contract\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    for name in ("registry", "made", "by_name", "look"):
        (tool,) = read_module(f"my_tools_here:{name}")
        assert (tool.name, tool.source, tool.line) == ("look", "my_tools_here.py", 4)
    (tool,) = read_module("my_tools_here:contract")
    assert (tool.name, tool.source, tool.line) == ("look", "my_tools_here:contract", None)
    monkeypatch.delitem(sys.modules, "my_tools_here")


def test_the_tools_of_an_mcp_server_are_judged_under_its_own_names() -> None:
    code, out, _ = lint("--mcp", shlex.join((sys.executable, str(MCP_SERVER))), "--format", "json")
    told = json.loads(out)
    assert code == 1
    assert told["tools"][:2] == ["look", "add"]
    assert {"rule": "no-path-base", "tool": "look"}.items() <= told["findings"][2].items()


def test_a_server_that_lists_what_is_no_tool_is_bad_input() -> None:
    old = MCP_SERVER.with_name("old_mcp_server.py")
    code, _, err = lint("--mcp", shlex.join((sys.executable, str(old))))
    assert code == 2
    assert "the parameters of broken are no JSON Schema" in err


def test_without_the_extra_a_server_is_refused_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in [name for name in sys.modules if name.startswith("faultloop.loop.tools.mcp")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.setitem(sys.modules, "mcp_types", None)
    code, _, err = lint("--mcp", "some-server")
    assert code == 2
    assert "need the extra `mcp`: pip install 'faultloop[mcp]'" in err


def test_lists_of_a_contract_are_read_as_such(tmp_path: Path) -> None:
    entry = {"name": "t", "purpose": "p", "aliases": ["u"], "depends_on": ["v"], "risk": "low"}
    (tool,) = read_file(written(tmp_path, [entry]))
    assert (tool.contract.aliases, tool.contract.depends_on) == (("u",), ("v",))


def test_a_foreign_tool_without_a_description_is_told_at_its_own_place(tmp_path: Path) -> None:
    path = written(tmp_path, [{"name": "t"}])
    code, out, _ = lint(str(path), "--format", "github")
    assert code == 1
    assert out.startswith(f"::error file={path},line=2,title=vague::t: it says no purpose")


def test_github_is_told_of_a_module_without_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    out = lint("faultloop.loop.contract:Contract", "--format", "github")
    assert out[0] == 2
    vague = "tests.bench.linting.test_linting_target"
    module = type(sys)(vague)
    module.made = replace(RUN_COMMAND, purpose="Run.")  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, vague, module)
    assert lint(f"{vague}:made", "--format", "github")[1].startswith("::error title=vague::")
    assert lint(f"{vague}:made")[1].startswith(f"{vague}:made: /purpose: vague: run_command: all")


def test_all_targets_of_a_run_are_judged_together(bad: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(BAD_YAML.replace("name: look", "name: Look"))
    _, findings = find([str(bad), str(other)])
    assert {"near-duplicate", "similar-names"} <= {finding.rule.id for finding in findings}


# --- how it tells -------------------------------------------------------------------------------


def test_a_person_is_told_place_reason_and_cure(bad: Path) -> None:
    code, out, _ = lint(str(bad))
    assert code == 1
    first, *_, last = out.splitlines()
    assert first == (
        f"{bad}:10: /tools/0/parameters/properties/since: time-example: look:"
        " since is a time, and there is no full example of it"
    )
    assert "    why: without the offset a model writes its own idea of local time" in out
    assert "    do:  show one full RFC 3339 time" in out
    assert last == "1 finding in 1 tool"


def test_a_program_is_told_the_same(bad: Path) -> None:
    told = json.loads(lint(str(bad), "--format", "json")[1])
    (finding,) = told["findings"]
    assert told["tools"] == ["look"]
    assert {key: finding[key] for key in ("rule", "tool", "source", "line", "pointer")} == {
        "rule": "time-example",
        "tool": "look",
        "source": str(bad),
        "line": 10,
        "pointer": "/tools/0/parameters/properties/since",
    }


def test_github_is_told_in_its_own_commands(bad: Path) -> None:
    code, out, _ = lint(str(bad), "--format", "github")
    assert code == 1
    assert out.startswith(f"::error file={bad},line=10,title=time-example::look: since is a time")
    assert out.count("\n") == 1
    assert lint(str(EXAMPLE), "--format", "github") == (0, "", "")


def test_what_a_workflow_command_must_not_hold_is_escaped(tmp_path: Path) -> None:
    path = written(tmp_path, [{"name": "t", "description": "100%\nsure", "parameters": {}}])
    out = lint(str(path), "--format", "github")[1]
    assert out.count("\n") == len(out.splitlines())
    assert all(line.startswith("::error ") for line in out.splitlines())


def test_a_rule_can_be_ignored(bad: Path) -> None:
    assert lint(str(bad), "--ignore", "time-example:look")[0] == 0
    assert lint(str(bad), "--ignore", "time-example")[0] == 0
    assert lint(str(bad), "--ignore", "time-example:other")[0] == 1


# --- bad input ----------------------------------------------------------------------------------

WRONG: list[tuple[tuple[str, ...], str]] = [
    ((), "name a file of tools, a module:registry, or a server with --mcp"),
    (("no-such-thing",), "no-such-thing is neither a file nor module:registry"),
    (("no-such-file.yaml",), "there is no file no-such-file.yaml"),
    ((str(ROOT),), f"{ROOT} is a folder; name the file of tools in it"),
    (("no_such_module:registry",), "no_such_module:registry cannot be read: ModuleNotFoundError"),
    (("json:no_such",), "json:no_such cannot be read: AttributeError"),
    (("math:pi",), "math:pi is of type float; a registry, tools or contracts are expected"),
    (("--mcp", "/no/such/server"), "/no/such/server: the MCP server linted cannot be used"),
    (("--mcp", " "), "--mcp needs the command line of a server"),
    (("--mcp", "python 'x"), """--mcp "python 'x" is no command line: No closing quotation"""),
    (("--mcp", "ftp://x"), "--mcp ftp://x: a server is reached by http or https, not by ftp"),
    (("--format", "sarif", "x.yaml"), "there is no format 'sarif'; there are: text, json, github"),
    (("--ignore", "no-such-rule", "x.yaml"), "there is no rule 'no-such-rule'; there are: action"),
]


@pytest.mark.parametrize(("argv", "sentence"), WRONG)
def test_bad_input_is_told_in_a_sentence(argv: tuple[str, ...], sentence: str) -> None:
    code, out, err = lint(*argv)
    assert (code, out) == (2, "")
    assert f"faultloop: {sentence}" in err


BAD_FILES: list[tuple[str, str]] = [
    ("- a: [", "is no YAML"),
    ("- {name: x, name: y}", ":1: the key 'name' stands here twice; keep one of them"),
    ("[" * 5_000, "is nested too deeply for a file of tools"),
    ("- {name: " + "9" * 5_000 + "}", ": a number in it has too many digits to be read"),
    ("&a [*a]", ":1: /0: a tool is an object, and this is list"),
    ("just words", "holds no list of tools, but str"),
    ("- 5", ":1: /0: a tool is an object, and this is int"),
    ("- {nome: x}", ":1: /0: this is no tool: it has neither a name nor a function"),
    ("- {function: 5}", ":1: /0: `function` is not an object"),
    ("- {name: x, purpose: p, wen: w}", ":1: /0: a contract has no field 'wen'; it has: aliases"),
    ("- {name: x, purpose: 5}", ":1: /0: this is no contract: Expected `str`, got `int`"),
    ("- {purpose: p}", ":1: /0: this is no contract: "),
    ("- {name: a b, purpose: p}", ":1: /0: a tool cannot be called 'a b'"),
    ("- {name: ok, description: d}\n- {name: x, parameters: {type: array}}",
     ":2: /1: the parameters of x must be the JSON Schema of an object"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "sentence"), BAD_FILES)
def test_a_file_that_holds_no_tools_is_told_by_line(
    text: str, sentence: str, tmp_path: Path
) -> None:
    path = tmp_path / "tools.yaml"
    path.write_text(text)
    with pytest.raises(BadTarget) as refused:
        read_file(path)
    assert str(refused.value).startswith(str(path))
    assert sentence in str(refused.value)


def test_json_that_is_none_is_told(tmp_path: Path) -> None:
    path = tmp_path / "tools.json"
    path.write_text("{")
    with pytest.raises(BadTarget, match="is no JSON"):
        read_file(path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[" * 100_000, "is nested too deeply for a file of tools"),
        ('[{"name": "a", "name": "b"}]', "an object has the key 'name' twice"),
        ("[]", "holds no tools, so there is nothing to judge"),
        ('{"tools": []}', "holds no tools, so there is nothing to judge"),
    ],
    ids=["deep", "twin", "empty", "empty list"],
)
def test_json_that_misleads_is_refused(text: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "tools.json"
    path.write_text(text)
    code, _, err = lint(str(path))
    assert code == 2
    assert sentence in err


ODD_MODULE = """
class Odd:
    def __getattr__(self, name):
        raise ValueError("no " + name)
    def __iter__(self):
        raise ValueError("no items")
odd = Odd()
listed = [odd]
endless = iter(int, 1)
def raising():
    raise ValueError("called")
def leaving():
    raise SystemExit(0)
from faultloop.loop.tools.command import RUN_COMMAND
def same():
    while True:
        yield RUN_COMMAND
tools = same()
"""

FOREIGN = [
    ("import sys; sys.exit(0)", "x", "cannot be read: it ends the program (SystemExit: 0)"),
    ("raise KeyboardInterrupt", "x", "cannot be read: KeyboardInterrupt"),
    ("def (", "x", "cannot be read: SyntaxError"),
    (ODD_MODULE, "odd", "cannot be read: ValueError: no contract"),
    (ODD_MODULE, "listed", "cannot be read: ValueError: no contract"),
    (ODD_MODULE, "endless", "is of type callable_iterator; a registry, tools or contracts"),
    (ODD_MODULE, "raising", "cannot be read: ValueError: called"),
    (ODD_MODULE, "leaving", "cannot be read: it ends the program (SystemExit: 0)"),
    (ODD_MODULE, "tools", "gives more than 10000 tools; has it an end?"),
]


@pytest.mark.parametrize(("text", "name", "sentence"), FOREIGN)
def test_a_module_that_does_anything_but_give_tools_is_bad_input(
    text: str, name: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "odd_tools_here.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    code, out, err = lint(f"odd_tools_here:{name}")
    sys.modules.pop("odd_tools_here", None)
    assert (code, out) == (2, "")
    assert sentence in err


def test_what_a_module_prints_is_no_part_of_what_a_program_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loud = "print('hello')\nfrom faultloop.loop.tools.command import RUN_COMMAND\n"
    (tmp_path / "loud_tools_here.py").write_text(loud)
    monkeypatch.syspath_prepend(tmp_path)
    _, out, err = lint("loud_tools_here:RUN_COMMAND", "--format", "json")
    sys.modules.pop("loud_tools_here", None)
    assert json.loads(out)["tools"] == ["run_command"]
    assert "hello" in err


def test_a_server_that_babbles_is_told_at_once(caplog: pytest.LogCaptureFixture) -> None:
    code, _, err = lint("--mcp", "sh -c 'echo hello; exec cat'")
    assert code == 2
    assert "its standard output must hold JSON-RPC and nothing else, and it holds 'hello'" in err
    assert not caplog.records
