"""A contract from a typed Python function and its docstring (SPEC C1, C2).

Types become the JSON Schema of the parameters (through msgspec, which also turns the arguments back
into values of those types), the docstring becomes the model's face, and what the runtime may do is
declared beside it or takes the careful side. A function that cannot be described is refused at
once, in a sentence that says which function, where it stands, and what to change.

NotDescribable (a ContractError)    the function's author is at fault
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import reduce
from operator import or_
from types import UnionType
from typing import (
    Annotated,
    Any,
    NamedTuple,
    TypedDict,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec

from faultloop.loop.contract import docstring
from faultloop.loop.contract.declaration import Contract, ContractError, Risk, Strict
from faultloop.loop.tools.port import ToolContext


class NotDescribable(ContractError):
    """No contract can be derived from the function."""


class Origin(NamedTuple):
    """Where a function stands."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


TIME_EXAMPLE = "2026-01-31T09:30:00+01:00"
"""Of a point in time: date, time and offset, so that nothing is left to guess."""


class Declared(TypedDict, total=False):
    """What a decorator may say of a tool; anything else comes from the function or is careful."""

    name: str
    purpose: str
    when: str
    when_not: str
    paths: str
    returns: str
    continuation: str
    example: dict[str, Any]
    mistake: str
    read_only: bool
    concurrency_safe: bool | Callable[[dict[str, Any]], object]
    idempotent: bool
    honours_key: bool
    cancellable: bool
    destructive: bool
    open_world: bool
    risk: Risk
    output_budget_bytes: int
    depends_on: tuple[str, ...]
    resource: Callable[[dict[str, Any]], str | None]
    concludes: bool
    verify_with: str
    verify_arguments: Callable[[dict[str, Any]], dict[str, Any]]
    strict: Strict
    aliases: tuple[str, ...]
    parameter_aliases: dict[str, str]


class Derived(NamedTuple):
    """What was learnt of a function."""

    contract: Contract
    model: type[msgspec.Struct]
    """Its parameters as fields: what arguments are converted to."""
    context: str | None
    """The parameter that takes the `ToolContext`, if it has one."""
    origin: Origin


def derive(function: Callable[..., object], declared: Mapping[str, Any]) -> Derived:
    """Derive the contract of a function. Raises NotDescribable, ContractError."""
    origin = _origin(function)
    called = getattr(function, "__name__", "(without a name)")
    try:
        return _derived(function, declared, origin)
    except NotDescribable as error:
        raise NotDescribable(f"{called} ({origin}) cannot be a tool: {error}") from None
    except docstring.BadDocstring as error:
        raise NotDescribable(f"{called} ({origin}) cannot be a tool: {error}") from None
    except ContractError as error:
        raise ContractError(f"{called} ({origin}): {error}") from None


def _derived(
    function: Callable[..., object], declared: Mapping[str, Any], origin: Origin
) -> Derived:
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise NotDescribable("it yields, and a call has one result; return all of it at once")
    told = _told(function, declared)
    hints = _hints(function)
    parameters = list(_parameters(function, hints))
    names = {parameter.name for parameter in parameters}
    contexts = [name for name in names if hints[name] is ToolContext]
    strangers = told.parameters.keys() - names
    if strangers:
        raise NotDescribable(
            f"its docstring describes {', '.join(sorted(strangers))}, which it does not take"
        )
    taken = [parameter for parameter in parameters if parameter.name not in contexts]
    model = _model(taken, hints, told)
    parts = {
        "name": function.__name__,
        **{part: getattr(told, part) for part in FACE_PARTS},
        "parameters": _schema(model, taken),
        **declared,
    }
    contract = Contract(**parts)
    if contract.example is not None and not contract.validator.is_valid(contract.example):
        wrong = next(iter(contract.validator.iter_errors(contract.example))).message
        raise NotDescribable(f"its example does not fit its own parameters: {wrong}")
    return Derived(contract, model, contexts[0] if contexts else None, origin)


FACE_PARTS = (
    "purpose", "when", "when_not", "paths", "returns", "continuation", "example", "mistake",
)  # fmt: skip
"""What a docstring can say; a decorator's word on the same part is the one that counts."""


def _origin(function: Callable[..., object]) -> Origin:
    code = getattr(inspect.unwrap(function), "__code__", None)
    return Origin("?", 0) if code is None else Origin(code.co_filename, code.co_firstlineno)


def _told(function: Callable[..., object], declared: Mapping[str, Any]) -> docstring.Told:
    text = inspect.getdoc(function) or ""
    told = docstring.read(text)
    if not told.purpose and not declared.get("purpose"):
        raise NotDescribable(
            "it has no docstring that says what it is for, and a model chooses tools by nothing"
            " else; begin it with one sentence"
        )
    return told


def _hints(function: Callable[..., object]) -> dict[str, Any]:
    try:
        return get_type_hints(function, include_extras=True)
    except (NameError, TypeError) as error:
        raise NotDescribable(f"its type hints cannot be read: {error}") from error


VARIADIC = {
    inspect.Parameter.VAR_POSITIONAL: "*{}",
    inspect.Parameter.VAR_KEYWORD: "**{}",
}


def _parameters(
    function: Callable[..., object], hints: Mapping[str, Any]
) -> Iterator[inspect.Parameter]:
    """The parameters, if each of them can be given by name and has a type."""
    for parameter in inspect.signature(function).parameters.values():
        name = parameter.name
        if parameter.kind in VARIADIC:
            spelt = VARIADIC[parameter.kind].format(name)
            raise NotDescribable(f"{spelt} has no schema; name each parameter")
        if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
            raise NotDescribable(f"{name} can only be given by its place, and arguments have names")
        if name not in hints:
            more = (
                "; a method becomes a tool where it is bound: tool(thing.method)"
                if name in ("self", "cls")
                else ""
            )
            raise NotDescribable(f"the parameter {name} has no type{more}")
        yield parameter


def _model(
    taken: list[inspect.Parameter], hints: Mapping[str, Any], told: docstring.Told
) -> type[msgspec.Struct]:
    """A struct with a field for each parameter; those with a default may be left out."""
    fields: list[tuple[str, Any] | tuple[str, Any, Any]] = []
    for parameter in taken:
        kind = _described(hints[parameter.name], told.parameters.get(parameter.name, ""))
        if parameter.default is inspect.Parameter.empty:
            fields.append((parameter.name, kind))
        else:
            fields.append((parameter.name, Union[kind, msgspec.UnsetType], msgspec.UNSET))  # noqa: UP007
    return msgspec.defstruct("Arguments", fields, kw_only=True, forbid_unknown_fields=True)


def _described(hint: Any, said: str) -> Any:
    """The type with its description: from `Annotated`, else from the docstring."""
    kind, *metadata = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    kind = _full_times(kind)
    metas = [extra for extra in metadata if isinstance(extra, msgspec.Meta)]
    texts = [extra for extra in metadata if isinstance(extra, str)]
    if texts:
        said = texts[0]
    if said and not any(meta.description for meta in metas):
        metas.append(msgspec.Meta(description=said))
    return reduce(lambda inner, meta: Annotated[inner, meta], metas, kind)


def _full_times(kind: Any) -> Any:
    """The type with every point in time as RFC 3339 wants it: with its offset, and an example."""
    if kind is datetime:
        return Annotated[datetime, msgspec.Meta(tz=True, examples=[TIME_EXAMPLE])]
    if get_origin(kind) in (Union, UnionType):
        return reduce(or_, map(_full_times, get_args(kind)))
    return kind


def _schema(model: type[msgspec.Struct], taken: list[inspect.Parameter]) -> dict[str, Any]:
    try:
        _, components = msgspec.json.schema_components([model], ref_template="#/$defs/{name}")
    except TypeError as error:
        raise NotDescribable(f"a type of its parameters has no JSON Schema: {error}") from error
    schema = components.pop("Arguments")
    recursive = {name for name in components if _reaches(name, name, components, frozenset())}
    settled: dict[str, Any] = _settled(schema, components, recursive)
    for parameter in taken:
        if parameter.default is not inspect.Parameter.empty:
            settled["properties"][parameter.name]["default"] = _plain_default(parameter)
    if recursive:
        kept = {name: components[name] for name in sorted(recursive)}
        settled["$defs"] = {
            name: _settled(part, components, recursive) for name, part in kept.items()
        }
    return settled


def _plain_default(parameter: inspect.Parameter) -> Any:
    try:
        return msgspec.to_builtins(parameter.default)
    except TypeError as error:
        raise NotDescribable(
            f"the default of {parameter.name} cannot be written as JSON: {error}"
        ) from error


def _settled(node: Any, components: Mapping[str, Any], recursive: set[str]) -> Any:
    """The schema with its references put in place, and its objects closed.

    An open object would let a misspelt field pass that the conversion then drops (SPEC C3).
    """
    if isinstance(node, list):
        return [_settled(part, components, recursive) for part in node]
    if not isinstance(node, dict):
        return node
    name = _component(node)
    if name is not None and name not in recursive:
        beside = {key: part for key, part in node.items() if key != "$ref"}
        return {**_settled(components[name], components, recursive), **beside}
    out = {
        key: {field: _settled(part, components, recursive) for field, part in value.items()}
        if key == "properties"
        else value
        if key in ("default", "enum", "examples")
        else _settled(value, components, recursive)
        for key, value in node.items()
        if key != "title"  # the name of a Python class tells a model nothing
    }
    if isinstance(out.get("properties"), dict):
        out.setdefault("additionalProperties", False)
    return out


def _component(node: Mapping[str, Any]) -> str | None:
    reference = node.get("$ref")
    return reference.rpartition("/")[2] if isinstance(reference, str) else None


def _reaches(name: str, sought: str, components: Mapping[str, Any], seen: frozenset[str]) -> bool:
    if name in seen:
        return False
    for other in _named(components[name]):
        if other == sought or _reaches(other, sought, components, seen | {name}):
            return True
    return False


def _named(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        name = _component(node)
        if name is not None:
            yield name
        for part in node.values():
            yield from _named(part)
    elif isinstance(node, list):
        for part in node:
            yield from _named(part)
