"""The contract of a tool: declared once, with two faces (SPEC C1).

The model's face says what a tool is for and how to fill it; the runtime's face says what the loop
may do with it. Every rendering derives from the one declaration, and no runtime field ever enters
the model's context. What is not declared takes the careful side (SPEC C2), and what is declared
only counts when it is exactly true. The schema is compiled once, here; a schema that cannot be
compiled is the author's fault and is refused at declaration, not at the first call.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, cast, get_args

import jsonschema_rs
import msgspec

Risk = Literal["low", "medium", "high"]
Strict = Literal["off", "preferred", "required"]

NO_PARAMETERS: dict[str, Any] = {"type": "object", "properties": {}}
"""The parameters of a tool that declares none."""

NAMES = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""What OpenAI takes as the name of a function, also in a request's history."""

COMPOSING = frozenset(
    {"$ref", "allOf", "anyOf", "oneOf", "if", "patternProperties", "unevaluatedProperties"}
)
"""Keywords through which a schema may admit parameters that `properties` does not list."""


class ContractError(ValueError):
    """A tool's declaration is wrong: the fault of whoever declared it, never of the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """One tool's declaration."""

    name: str
    purpose: str
    parameters: dict[str, Any]
    """JSON Schema of the arguments, an object."""
    when: str = ""
    when_not: str = ""
    paths: str = ""
    """What paths are relative to."""
    returns: str = ""
    """What comes back."""
    continuation: str = ""
    """Whether what comes back may be cut, and how to read on."""
    example: dict[str, Any] | None = None
    """One right set of arguments."""
    mistake: str = ""
    """One common mistake and its cure."""

    read_only: bool = False
    concurrency_safe: bool | Callable[[dict[str, Any]], object] = False
    """True, or a function of the arguments; anything not exactly True is exclusive (SPEC C5)."""
    idempotent: bool = False
    honours_key: bool = False
    """The receiver de-duplicates by idempotency key, so that the same call may be tried again under
    the same key (SPEC D3). A new call by the model has a new key, so this is not `idempotent`."""
    cancellable: bool = False
    destructive: bool = True
    """May destroy what was there, rather than only add; says nothing of a tool that only reads."""
    open_world: bool = True
    """Reaches beyond this workspace."""
    risk: Risk = "high"
    output_budget_bytes: int = 16_384
    depends_on: tuple[str, ...] = ()
    """Tools whose call earlier in the same batch must have succeeded (SPEC S3)."""
    resource: Callable[[dict[str, Any]], str | None] | None = None
    """Names the real resource that a call changes (SPEC S5)."""
    concludes: bool = False
    verify_with: str | None = None
    """Name of a read-only tool that can tell whether a call of this one took effect (SPEC D2)."""
    verify_arguments: Callable[[dict[str, Any]], dict[str, Any]] = field(default=lambda args: args)
    """Arguments for `verify_with`, from this call's own."""
    strict: Strict | None = None
    """Constrained decoding of its arguments; None: as the provider is set (SPEC C11)."""
    aliases: tuple[str, ...] = ()
    """Other names under which models ask for it (SPEC P4)."""
    parameter_aliases: dict[str, str] = field(default_factory=dict)
    """Misspelt parameter name to the right one (SPEC P4)."""

    validator: jsonschema_rs.Validator = field(init=False, repr=False, compare=False)
    """The compiled schema. A parameter that is not declared is an error, not silence: a misspelt
    optional one would otherwise widen what the tool does (SPEC C3)."""

    def __post_init__(self) -> None:
        """Compile the schema once."""
        if not NAMES.fullmatch(self.name):
            raise ContractError(
                f"a tool cannot be called {_short(self.name)}: providers take only letters, digits,"
                " _ and -, and at most 64 of them"
            )
        object.__setattr__(self, "validator", _compile(self.name, self.parameters))

    @property
    def properties(self) -> dict[str, Any]:
        """The declared parameters, name to schema."""
        declared = self.parameters.get("properties", {})
        return cast(dict[str, Any], declared) if isinstance(declared, dict) else {}

    @property
    def required(self) -> tuple[str, ...]:
        """The parameters that every call must give."""
        return tuple(self.parameters.get("required", ()))

    def description(self) -> str:
        """What the model reads about the tool, one paragraph a part; no runtime field (SPEC C1)."""
        example = json.dumps(self.example, ensure_ascii=False) if self.example else ""
        parts = (
            ("", self.purpose),
            ("Use it when: ", self.when),
            ("Do not use it when: ", self.when_not),
            ("Paths: ", self.paths),
            ("Returns: ", self.returns),
            ("Long output: ", self.continuation),
            ("Example: ", example),
            ("Common mistake: ", self.mistake),
        )
        return "\n".join(label + text for label, text in parts if text)

    def face(self) -> dict[str, Any]:
        """The model's face before any dialect: name, description, parameters, strict."""
        return {
            "name": self.name,
            "description": self.description(),
            "parameters": self.parameters,
            "strict": self.strict,
        }

    def annotations(self) -> dict[str, Any]:
        """The runtime's face under MCP's annotation names, for other runtimes, not for models."""
        noted: dict[str, Any] = {
            "readOnlyHint": self.read_only,
            "destructiveHint": not self.read_only and self.destructive,
            "idempotentHint": self.idempotent,
            "openWorldHint": self.open_world,
            "faultloop/concurrencySafe": self.concurrency_safe is True,
            "faultloop/honoursKey": self.honours_key,
            "faultloop/cancellable": self.cancellable,
            "faultloop/risk": self.risk,
        }
        if self.verify_with is not None:
            noted["faultloop/verifyWith"] = self.verify_with
        if self.depends_on:
            noted["faultloop/dependsOn"] = list(self.depends_on)
        return noted

    def manifest(self) -> dict[str, Any]:
        """One entry of the tool list of subject contract v1; `from_manifest` reads it back."""
        face = self.face()
        del face["strict"]
        return {**face, "annotations": self.annotations()}

    @classmethod
    def from_manifest(cls, entry: Mapping[str, Any]) -> Contract:
        """Read one entry of the tool list of subject contract v1.

        A hint counts only where it is exactly what makes the loop less careful; every other value
        is as good as undeclared.
        """
        name = entry.get("name")
        if not isinstance(name, str) or not name:
            raise ContractError(f"a tool of the manifest has no name: {_short(entry)}")
        hints = entry.get("annotations") or {}
        if not isinstance(hints, Mapping):
            raise ContractError(f"the annotations of {name} are not an object: {_short(hints)}")
        verify_with = hints.get("faultloop/verifyWith")
        depends_on = hints.get("faultloop/dependsOn") or ()
        return cls(
            name=name,
            purpose=str(entry.get("description") or ""),
            parameters=entry.get("parameters") or NO_PARAMETERS,
            read_only=hints.get("readOnlyHint") is True,
            idempotent=hints.get("idempotentHint") is True,
            honours_key=hints.get("faultloop/honoursKey") is True,
            concurrency_safe=hints.get("faultloop/concurrencySafe") is True,
            cancellable=hints.get("faultloop/cancellable") is True,
            destructive=hints.get("destructiveHint") is not False,
            open_world=hints.get("openWorldHint") is not False,
            risk=_risk(hints),
            depends_on=tuple(str(other) for other in depends_on),
            verify_with=verify_with if isinstance(verify_with, str) and verify_with else None,
        )


def _risk(hints: Mapping[str, Any]) -> Risk:
    """The declared risk, else what the other hints promise, else high (SPEC C2)."""
    declared = hints.get("faultloop/risk")
    if declared in get_args(Risk):
        return cast(Risk, declared)
    if hints.get("readOnlyHint") is True:
        return "low"
    return "medium" if hints.get("destructiveHint") is False else "high"


def _compile(name: str, parameters: object) -> jsonschema_rs.Validator:
    if not isinstance(parameters, dict) or parameters.get("type", "object") != "object":
        raise ContractError(
            f"the parameters of {name} must be the JSON Schema of an object: {_short(parameters)}"
        )
    schema = cast(dict[str, Any], parameters)
    if "additionalProperties" not in schema and not COMPOSING & schema.keys():
        schema = {**schema, "additionalProperties": False}
    try:
        return _validator(msgspec.json.encode({"type": "object", **schema}))
    except (TypeError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise ContractError(f"the parameters of {name} are no JSON Schema: {reason}") from error


@lru_cache(maxsize=256)  # a manifest is read anew at every start, and compiling it costs most
def _validator(schema: bytes) -> jsonschema_rs.Validator:
    # A manifest is foreign text: its schema never makes the loop fetch anything.
    return jsonschema_rs.validator_for(msgspec.json.decode(schema), offline=True)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 200 else text[:200] + "..."
