"""Wording files: what variants change, what they leave alone, and how wrong ones are told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from faultloop.scenarios.wordings.reading import shipped
from faultloop.scenarios.wordings.reading.wordings import CHAIN_MAX, BadWording, load_wording

BASE = """\
schema: 1
name: base
tools:
  - name: read_file
    purpose: Read a file, given `path` and perhaps start_line.
    when: you know its path.
    when_not: you search for words; that is grep, or rather `grep`. Or use find_files.
    example: {path: a.py, start_line: 3}
    mistake: giving a folder.
    parameters:
      type: object
      required: [path]
      dependentRequired: {start_line: [path]}
      properties:
        path: {type: string, description: The path of the file.}
        start_line: {type: integer, default: 1, description: Only together with path or `path`.}
        also: {$ref: '#/properties/path'}
    parameter_aliases: {file_path: path}
  - name: grep
    purpose: Search files as read_file reads them; not pre_read_file, not read_file-s.
    parameters: {type: object, properties: {words: {type: string}}}
    depends_on: [read_file]
  - name: find_files
    purpose: Find files by name.
    parameters: {type: object}
"""
VARIANT = """\
schema: 1
name: variant
extends: base.yaml
tools:
  read_file:
    rename: open_document
    purpose: Opens the path.
    drop: [when, mistake]
    parameters:
      path: {rename: file, description: null}
      start_line: {rename: from, examples: [1, 20]}
  grep: {rename: look}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "base.yaml").write_text(BASE)
    (tmp_path / "variant.yaml").write_text(VARIANT)
    return tmp_path


def test_a_base_is_its_contracts_under_their_own_names(folder: Path) -> None:
    base = load_wording(folder / "base.yaml")
    assert (base.name, list(base.contracts)) == ("base", ["read_file", "grep", "find_files"])
    assert base.tool_called("grep") == "grep"
    assert base.parameters == {}


def test_a_variant_changes_what_it_says_and_keeps_the_bases_names(folder: Path) -> None:
    wording = load_wording(str(folder / "variant.yaml"))
    read = wording.contracts["read_file"]
    assert (read.name, read.purpose) == ("open_document", "Opens the path.")
    assert (read.when, read.mistake) == ("", "")
    assert list(read.properties) == ["file", "from", "also"]
    assert read.properties["file"] == {"type": "string"}
    assert read.properties["from"]["examples"] == [1, 20]
    assert read.required == ("file",)
    assert read.example == {"file": "a.py", "from": 3}
    assert read.parameters["dependentRequired"] == {"from": ["file"]}
    assert read.properties["also"] == {"$ref": "#/properties/file"}
    assert read.parameter_aliases == {"file_path": "file"}
    assert wording.tool_called("open_document") == "read_file"
    assert wording.tool_called("read_file") is None
    assert wording.parameter_called("read_file", "from") == "start_line"
    assert wording.parameter_shown("read_file", "path") == "file"
    assert wording.parameter_shown("read_file", "also") == "also"


def test_what_is_inherited_speaks_of_tools_and_parameters_by_their_new_names(folder: Path) -> None:
    wording = load_wording(folder / "variant.yaml")
    read, grep = wording.contracts["read_file"], wording.contracts["grep"]
    # `grep` and `path` are ordinary words, and change in backticks only.
    assert (
        read.when_not == "you search for words; that is grep, or rather `look`. Or use find_files."
    )
    assert read.properties["from"]["description"] == "Only together with path or `file`."
    assert grep.purpose == (
        "Search files as open_document reads them; not pre_read_file, not read_file-s."
    )
    assert grep.depends_on == ("open_document",)


def test_variants_of_variants_go_by_the_bases_names(folder: Path) -> None:
    (folder / "third.yaml").write_text(
        "schema: 1\nname: third\nextends: variant.yaml\ntools:\n  read_file:\n"
        "    rename: view\n    parameters:\n"
        "      path: {rename: doc}\n      start_line: {rename: start_line}\n"
    )
    wording = load_wording(folder / "third.yaml")
    read = wording.contracts["read_file"]
    assert (read.name, read.purpose) == ("view", "Opens the path.")
    assert list(read.properties) == ["doc", "start_line", "also"]
    assert wording.parameters == {"read_file": {"doc": "path"}}
    assert wording.contracts["grep"].name == "look"
    assert "as view reads" in wording.contracts["grep"].purpose


def test_parameters_can_change_names_with_each_other(folder: Path) -> None:
    (folder / "turned.yaml").write_text(
        "schema: 1\nname: turned\nextends: base.yaml\ntools:\n  read_file:\n"
        "    parameters: {path: {rename: also}, also: {rename: path}}\n"
        "  grep: {rename: find_files}\n  find_files: {rename: grep}\n"
    )
    wording = load_wording(folder / "turned.yaml")
    assert wording.parameter_called("read_file", "path") == "also"
    assert wording.parameter_shown("read_file", "path") == "also"
    assert wording.contracts["read_file"].required == ("also",)
    assert wording.tool_called("grep") == "find_files"


def test_all_documentation_of_parameters_can_be_dropped(folder: Path) -> None:
    (folder / "bare.yaml").write_text(
        "schema: 1\nname: bare\nextends: base.yaml\ntools:\n"
        "  read_file: {drop: [parameter_docs, example], purpose: null}\n"
    )
    read = load_wording(folder / "bare.yaml").contracts["read_file"]
    assert "description" not in json.dumps(read.parameters)
    assert (read.example, read.purpose) == (None, "")
    assert read.properties["start_line"] == {"type": "integer", "default": 1}


def test_a_variant_that_changes_nothing_is_the_same_to_models(folder: Path) -> None:
    (folder / "same.yaml").write_text("schema: 1\nname: same\nextends: base.yaml\n")
    same, base = load_wording(folder / "same.yaml"), load_wording(folder / "base.yaml")
    assert same.fingerprint == base.fingerprint
    assert load_wording(folder / "variant.yaml").fingerprint != base.fingerprint


def test_a_plain_list_of_tools_is_a_base_named_by_its_file(tmp_path: Path) -> None:
    listed = [{"name": "look", "description": "Look.", "inputSchema": {"type": "object"}}]
    (tmp_path / "listed.json").write_text(json.dumps(listed))
    found = load_wording(tmp_path / "listed.json")
    assert (found.name, list(found.contracts)) == ("listed", ["look"])


HEAD = "schema: 1\nname: x\nextends: base.yaml\ntools:\n"

WRONG = (
    ("", "x.yaml:1: the file is empty; begin with 'schema: 1'"),
    ("5", "x.yaml:1: a wording is a mapping; begin with 'schema: 1'"),
    ("schema: 1\ntools: [{name: a}]", "x.yaml:1: name: it is missing; write 'name: ...'"),
    (
        "schema: 1\nname: x\ntools: {read_file: {}}",
        "x.yaml:3: tools: a base lists its tools, one '- name: ...' each; if this is a variant,"
        " write 'extends: ...' above it",
    ),
    (
        "schema: 1\nname: x\nextends: base.yaml\ntools: [{name: a}]",
        "x.yaml:4: tools: a variant's tools are a mapping, one 'tool: {...}' each with what"
        " differs",
    ),
    (
        "schema: 1\nname: x\ntols: []\ntools: [{name: a}]",
        "x.yaml:3: tols: there is no such field; did you mean 'tools'?",
    ),
    (
        'schema: 1\nname: "\\e[31mx"\ntools: [{name: a}]',
        "x.yaml:2: name: it holds '\\x1b', which is no text: take it out",
    ),
    (
        "schema: 1\nname: x\ntools:\n- {name: a b}",
        "x.yaml:4: tools[0]: a tool cannot be called 'a b': providers take only letters, digits, _"
        " and -, and at most 64 of them",
    ),
    (
        "schema: 1\nname: x\ntools:\n- name: a\n- name: a",
        "x.yaml:5: tools[1]: there are two tools called 'a'",
    ),
    (
        "schema: 1\nname: x\nextends: bse.yaml",
        "x.yaml:3: extends: there is no file {folder}/bse.yaml; did you mean 'base.yaml'?",
    ),
    (
        "schema: 1\nname: x\nextends: nobody/full",
        "x.yaml:3: extends: no wording called 'nobody/full' is shipped, and a file's name ends in"
        " .yaml, .yml, .json, .jsonl; ",
    ),
    (
        "schema: 1\nname: x\nextends: x.yaml",
        "x.yaml:3: extends: it extends itself (x.yaml -> x.yaml); the first of a chain is a base,"
        " with all tools",
    ),
    (
        f"{HEAD}  read_fil: {{}}",
        "x.yaml:5: tools.read_fil: 'base' has no tool 'read_fil', and a variant adds none (that is"
        " another interface); did you mean 'read_file'?",
    ),
    (
        f"{HEAD}  read_file:\n    purpos: x",
        "x.yaml:6: tools.read_file.purpos: there is no such field; did you mean 'purpose'?",
    ),
    (
        f"{HEAD}  read_file:\n    read_only: true",
        "x.yaml:6: tools.read_file.read_only: a variant changes what models read; 'read_only' says"
        " what the tool does, and changing that is another interface and no variant: write a base"
        " file of its own for it",
    ),
    (
        f"{HEAD}  read_file:\n    name: x",
        "x.yaml:6: tools.read_file.name: a variant's tool goes by the base's name; write"
        " 'rename: ...' for another one",
    ),
    (
        f"{HEAD}  read_file:\n    parameters:\n      path: {{type: integer}}",
        "x.yaml:7: tools.read_file.parameters.path.type: a variant changes what models read; 'type'"
        " says what the tool takes, and changing that is another interface and no variant: write a"
        " base file of its own for it",
    ),
    (
        f"{HEAD}  read_file:\n    parameters:\n      pth: {{rename: x}}",
        "x.yaml:7: tools.read_file.parameters.pth: read_file has no parameter 'pth', and a variant"
        " adds none (that is another interface); did you mean 'path'?",
    ),
    (
        f"{HEAD}  read_file:\n    parameters:\n      path: {{rename: also}}",
        "x.yaml:7: tools.read_file.parameters.path.rename: the parameter 'also' is called 'also' as"
        " well; give it another name",
    ),
    (
        f"{HEAD}  read_file: {{rename: grep}}",
        "x.yaml:5: tools.read_file.rename: the tool 'grep' is called 'grep' as well; give it"
        " another name",
    ),
    (
        f"{HEAD}  read_file: {{rename: read file}}",
        "x.yaml:5: tools.read_file.rename: a tool cannot be called 'read file': providers take only"
        " letters, digits, _ and -, and at most 64 of them",
    ),
    (
        f"{HEAD}  read_file:\n    when: x\n    drop: [when]",
        "x.yaml:7: tools.read_file.drop: 'when' is both written and dropped; keep one",
    ),
    (
        f"{HEAD}  read_file:\n    drop: [whenn]",
        "x.yaml:6: tools.read_file.drop[0]: the text 'whenn' is none of purpose, when, when_not,"
        " paths, returns, continuation, mistake, example, parameter_docs",
    ),
    (
        f"{HEAD}  read_file:\n    when: no",
        "x.yaml:6: tools.read_file.when: it must be text, not false (YAML reads yes, no, on and off"
        " so: quote such a word)",
    ),
)


@pytest.mark.parametrize(("text", "sentence"), WRONG)
def test_what_is_wrong_is_told_in_a_sentence_with_its_line(
    text: str, sentence: str, folder: Path
) -> None:
    (folder / "x.yaml").write_text(text)
    with pytest.raises(BadWording) as caught:
        load_wording(folder / "x.yaml")
    told = f"{folder}/{sentence.replace('{folder}', str(folder))}"
    assert str(caught.value) == told or (told.endswith("; ") and str(caught.value).startswith(told))


def test_an_error_names_the_file_of_the_chain_that_is_wrong(folder: Path) -> None:
    (folder / "base.yaml").write_text(BASE.replace("when:", "whn:"))
    with pytest.raises(BadWording) as caught:
        load_wording(folder / "variant.yaml")
    assert caught.value.path == folder / "base.yaml"
    assert "'whn'" in str(caught.value)


def test_a_cycle_of_files_is_refused(folder: Path) -> None:
    (folder / "base.yaml").write_text("schema: 1\nname: b\nextends: variant.yaml\n")
    with pytest.raises(BadWording, match=r"variant.yaml -> base.yaml -> variant.yaml"):
        load_wording(folder / "variant.yaml")


def test_a_chain_that_is_too_long_is_told_as_one(folder: Path) -> None:
    for number in range(CHAIN_MAX + 1):
        extended = f"x{number - 1}.yaml" if number else "base.yaml"
        (folder / f"x{number}.yaml").write_text(f"schema: 1\nname: x\nextends: {extended}\n")
    assert load_wording(folder / f"x{CHAIN_MAX - 1}.yaml").name == "x"
    with pytest.raises(BadWording, match=r"x0\.yaml:3: extends: it is one of more than 50"):
        load_wording(folder / f"x{CHAIN_MAX}.yaml")


@pytest.mark.parametrize("reference", ["nobody/full", "missing.yaml"])
def test_what_is_not_there_is_said(reference: str) -> None:
    with pytest.raises(BadWording, match=rf"{reference}:1: (no wording called|it cannot be read)"):
        load_wording(reference)


@pytest.mark.parametrize("name", shipped.wordings())
def test_what_is_shipped_reads(name: str) -> None:
    assert load_wording(name).contracts
