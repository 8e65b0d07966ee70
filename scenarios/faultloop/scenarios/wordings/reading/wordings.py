"""Wording files: a base that lists contracts, or a variant that extends another file.

Any error is one BadWording, whose text is one sentence: `path:line: field: what is wrong and what
to write`, with the path of the file in the chain that is wrong. Tools and parameters keep the names
of the base through all variants.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from faultloop.loop.contract import Contract
from faultloop.loop.contract.lint import Specimen
from faultloop.loop.contract.references import escaped
from faultloop.scenarios.files import BadFile, document_of, field_name, text_of, topmost
from faultloop.scenarios.places import Document, Place
from faultloop.scenarios.sentences import Complaint, nearest
from faultloop.scenarios.wordings.reading import shipped
from faultloop.scenarios.wordings.reading.edits import Base, ToolEdit, Variant, not_here
from faultloop.scenarios.wordings.reading.forms import BadContract, read_entry
from faultloop.scenarios.wordings.reading.revising import NotRevised, Step, revised
from faultloop.scenarios.wordings.reading.shapes import Misshapen, shaped
from faultloop.scenarios.wordings.wording import Wording

BYTES_MAX = 5_000_000
"""A wording of a thousand tools is smaller."""
CHAIN_MAX = 50
"""Variants of variants, from a file to its base."""


class BadWording(BadFile):
    """A wording file is wrong. The text is for its author and complete."""


class Read(NamedTuple):
    """A wording with what its own file says of each part, for findings that point there."""

    wording: Wording
    path: Path
    document: Document
    edits: Mapping[str, ToolEdit] | None
    """Of a variant; None: a base."""
    pointers: Mapping[str, Mapping[str, str]]
    """Of a base: tool to where its parts stand."""


def load_wording(reference: str | Path) -> Wording:
    """A wording from a file, or by the name of one that is shipped. Raises BadWording."""
    return read(_path(reference)).wording


def specimens(path: Path) -> list[Specimen]:
    """The tools of a wording file for the linter. Raises BadWording.

    Findings point to what the file itself says; what it inherits has the place of the tool there,
    or of `extends`.
    """
    found = read(path)
    lines = {_pointer(place): line for place, line in found.document.lines.items()}
    return [_specimen(found, tool, lines) for tool in found.wording.contracts]


def extended_by(path: Path) -> str | None:
    """What a variant extends, for whoever is where `path` counts from; None: it is a base. Raises
    BadWording where the file cannot be read."""
    data = read(path).document.data
    if not isinstance(data, dict) or "extends" not in data:
        return None
    name = str(data["extends"])
    return str(path.parent / name) if shipped.is_file(name) else name


def _path(reference: str | Path) -> Path:
    if isinstance(reference, str) and not shipped.is_file(reference):
        try:
            return shipped.wording(reference)
        except shipped.NotShipped as error:
            raise BadWording(Path(reference), 1, "", str(error)) from None
    return Path(reference)


def read(path: Path, chain: tuple[Path, ...] = ()) -> Read:
    """Read a file and all that it extends. Raises BadWording."""
    text = text_of(path, BadWording, noun="file of wordings", bytes_max=BYTES_MAX)
    document = document_of(text, path, BadWording)
    data = document.data
    if isinstance(data, list):  # a plain list of tools is a base without a head
        data = {"schema": 1, "name": path.stem, "tools": data}
        return _base(path, document, data, below=())
    if not isinstance(data, dict):
        raise BadWording(path, 1, "", "a wording is a mapping; begin with 'schema: 1'")
    if "extends" in data:
        return _variant(path, document, chain)
    if isinstance(data.get("tools"), dict):
        sentence = (
            "a base lists its tools, one '- name: ...' each; if this is a variant, write"
            " 'extends: ...' above it"
        )
        raise _bad(path, document, Complaint(("tools",), sentence))
    return _base(path, document, data, below=("tools",))


def _bad(path: Path, document: Document, *found: Complaint) -> BadWording:
    first = topmost(document, list(found))
    return BadWording(path, document.line(first.place), field_name(first.place), first.sentence)


def _base(path: Path, document: Document, data: object, below: Place) -> Read:
    try:
        base = shaped(Base, data)  # type: ignore[arg-type]
    except Misshapen as error:
        raise _bad(path, document, *error.found) from None
    contracts: dict[str, Contract] = {}
    pointers: dict[str, Mapping[str, str]] = {}
    for at, entry in enumerate(base.tools):
        place = (*below, at)
        pointer = _pointer(place)
        try:
            written = read_entry(entry, pointer)
        except BadContract as error:
            raise _bad(path, document, Complaint(place, str(error))) from None
        name = written.contract.name
        if name in contracts:
            raise _bad(path, document, Complaint(place, f"there are two tools called {name!r}"))
        contracts[name] = written.contract
        pointers[name] = {"": pointer, **written.pointers}
    return Read(Wording(name=base.name, contracts=contracts), path, document, None, pointers)


def _variant(path: Path, document: Document, chain: tuple[Path, ...]) -> Read:
    data = document.data
    assert isinstance(data, dict), "it was looked at before"
    if isinstance(data.get("tools"), list):
        sentence = "a variant's tools are a mapping, one 'tool: {...}' each with what differs"
        raise _bad(path, document, Complaint(("tools",), sentence))
    try:
        variant = shaped(Variant, data, not_here)
    except Misshapen as error:
        raise _bad(path, document, *error.found) from None
    parent = _parent(path, document, variant.extends, (*chain, path.resolve()))
    try:
        wording = revised(parent, Step(variant.name, variant.tools))
    except NotRevised as error:
        raise _bad(path, document, error.complaint) from None
    return Read(wording, path, document, variant.tools, {})


def _parent(path: Path, document: Document, extends: str, chain: tuple[Path, ...]) -> Wording:
    def bad(sentence: str) -> BadWording:
        return _bad(path, document, Complaint(("extends",), sentence))

    try:
        found = path.parent / extends if shipped.is_file(extends) else shipped.wording(extends)
    except shipped.NotShipped as error:
        raise bad(str(error)) from None
    if found.resolve() in chain:
        around = " -> ".join(one.name for one in (*chain, found))
        raise bad(f"it extends itself ({around}); the first of a chain is a base, with all tools")
    if len(chain) > CHAIN_MAX:
        raise bad(
            f"it is one of more than {CHAIN_MAX} variants of variants; extend one of the first"
        )
    if not found.exists():
        beside = [one.name for one in path.parent.glob("*.yaml") if one != path]
        raise bad(
            f"there is no file {found}; {nearest(found.name, beside, noun='files beside it')}"
        )
    return read(found, chain).wording


def _pointer(place: Place) -> str:
    return "".join(f"/{escaped(str(part))}" for part in place)


def _specimen(found: Read, tool: str, lines: Mapping[str, int]) -> Specimen:
    contract = found.wording.contracts[tool]
    source = str(found.path)
    if found.edits is None:
        pointers = found.pointers[tool]
        line = lines.get(pointers[""])
        return Specimen(contract=contract, pointers=pointers, source=source, line=line, lines=lines)
    edit = found.edits.get(tool)
    root = "/extends" if edit is None else f"/tools/{escaped(tool)}"
    pointers = {"": root, "parameters": f"{root}/parameters"}
    if edit is not None:
        pointers |= {part: f"{root}/{part}" for part in edit.model_fields_set - {"drop"}}
        if edit.rename:
            pointers["name"] = f"{root}/rename"
    shown = dict(lines)
    for parameter in contract.properties:
        written = f"{root}/parameters/{escaped(found.wording.parameter_called(tool, parameter))}"
        shown[f"{root}/parameters/properties/{escaped(parameter)}"] = lines.get(
            written, lines.get(root, 1)
        )
    return Specimen(
        contract=contract, pointers=pointers, source=source, line=lines.get(root), lines=shown
    )
