"""An MCP server of the handshake era, by hand, with the manners of a bad one. Run as a program.

It notifies of changes unasked, lists tools that cannot be offered, and answers out of protocol.
"""

from __future__ import annotations

import json
import sys
from typing import Any

PLAIN = {"type": "object", "properties": {}}
TOOLS: list[dict[str, Any]] = [
    {"name": "grow", "inputSchema": PLAIN},
    {"name": "twin", "inputSchema": PLAIN},
    {"name": "twin", "inputSchema": PLAIN},
    {"name": "broken", "inputSchema": {"type": "object", "properties": {"a": {"type": "wordd"}}}},
    {"name": "lie", "inputSchema": PLAIN, "outputSchema": {"type": "object", "required": ["x"]}},
    {"name": "nonsense", "inputSchema": PLAIN},
    {"name": "internal", "inputSchema": PLAIN},
    {"name": "unknown", "inputSchema": PLAIN},
    {"name": "spoil", "inputSchema": PLAIN},
]


def say(**message: Any) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def called(number: Any, name: str) -> None:
    match name:
        case "grow":
            TOOLS.append({"name": "late", "inputSchema": PLAIN})
            say(method="notifications/tools/list_changed")
            say(id=number, result={"content": []})
        case "spoil":
            TOOLS.append({"name": 5})
            say(method="notifications/tools/list_changed")
            say(id=number, result={"content": []})
        case "lie":
            say(id=number, result={"content": [], "structuredContent": {"y": 1}})
        case "nonsense":
            say(id=number, result={"content": "none"})
        case "internal":
            say(id=number, error={"code": -32603, "message": "out of\n order"})
        case _:
            say(id=number, error={"code": -32602, "message": f"no tool {name}"})


for line in sys.stdin:
    request = json.loads(line)
    number, method = request.get("id"), request["method"]
    if number is None:
        continue
    match method:
        case "initialize":
            about = {"name": "old", "version": "1"}
            capabilities = {"tools": {"listChanged": True}}
            say(id=number, result={"protocolVersion": request["params"]["protocolVersion"],
                                   "capabilities": capabilities, "serverInfo": about})  # fmt: skip
        case "tools/list":
            page = int(request.get("params", {}).get("cursor", 0))
            listed = {"tools": TOOLS[page : page + 5]}
            if page + 5 < len(TOOLS):
                listed["nextCursor"] = str(page + 5)
            say(id=number, result=listed)
        case "tools/call":
            called(number, request["params"]["name"])
        case _:
            say(id=number, error={"code": -32601, "message": f"no method {method}"})
