"""A tool of the fake world: what a subject is told about it, in one value.

Annotations are honest: they say what the tool does in this world, faults aside. Their names are
MCP's, and `faultloop/...` where MCP has none:

| annotation | means |
| --- | --- |
| `readOnlyHint` | changes nothing |
| `destructiveHint` | may destroy what was there, rather than only add |
| `idempotentHint` | the same arguments again change nothing more |
| `openWorldHint` | reaches beyond this workspace |
| `faultloop/concurrencySafe` | may run beside other calls |
| `faultloop/cancellable` | letting go of a call stops its work before it takes effect |
| `faultloop/risk` | `low`, `medium` or `high` |
| `faultloop/honoursKey` | a second call with the same idempotency key changes nothing more |
| `faultloop/verifyWith` | ask this tool, with the arguments that both declare, if it took effect |
| `faultloop/dependsOn` | tools that must have succeeded if they are called in the same batch |
| `faultloop/runs` | `subject`: the subject runs this one itself, as a child process |
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldTool:
    """One tool, as the manifest of contract v1 lists it."""

    name: str
    description: str
    """What it does, when to use it, what its paths are relative to, what comes back."""
    parameters: dict[str, Any]
    """JSON Schema of an object."""
    annotations: dict[str, Any]

    def manifest(self) -> dict[str, Any]:
        """The tool as the HTTP and MCP listings give it."""
        return {
            "name": self.name,
            "description": self.description,
            "parameters": self.parameters,
            "annotations": self.annotations,
        }

    def annotated(self, **more: object) -> WorldTool:
        """The same tool with further `faultloop/...` annotations."""
        added = {f"faultloop/{name}": value for name, value in more.items()}
        return replace(self, annotations=self.annotations | added)


def parameters(required: tuple[str, ...] = (), **properties: dict[str, Any]) -> dict[str, Any]:
    """The schema of an object with these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def text(description: str, **more: object) -> dict[str, Any]:
    """The schema of a string."""
    return {"type": "string", "description": description, **more}


def reads() -> dict[str, Any]:
    """Annotations of a tool that only looks."""
    return {
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
        "faultloop/concurrencySafe": True,
        "faultloop/cancellable": True,
        "faultloop/risk": "low",
    }


def changes(
    *,
    risk: Literal["low", "medium", "high"],
    destructive: bool = False,
    idempotent: bool = False,
    open_world: bool = False,
) -> dict[str, Any]:
    """Annotations of a tool that changes the world."""
    return {
        "readOnlyHint": False,
        "destructiveHint": destructive,
        "idempotentHint": idempotent,
        "openWorldHint": open_world,
        "faultloop/concurrencySafe": False,
        "faultloop/cancellable": True,
        "faultloop/risk": risk,
    }
