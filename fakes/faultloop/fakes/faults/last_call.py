"""Rewriting the last call of a reply: what most model faults have in common.

The last one, because a model that is cut or goes wrong does so at the end of what it says, and
because the calls before it then show whether a subject treats a batch as a whole.
"""

from __future__ import annotations

import json

from msgspec.structs import replace

from faultloop.fakes.reply import Reply, ReplyCall


def last_call(reply: Reply) -> ReplyCall | None:
    """The call that faults strike; None in a reply without calls."""
    return reply.calls[-1] if reply.calls else None


def with_arguments(reply: Reply, arguments: str) -> Reply:
    """The reply with other argument text in its last call."""
    return replace(reply, calls=(*reply.calls[:-1], replace(reply.calls[-1], arguments=arguments)))


def with_name(reply: Reply, tool: str) -> Reply:
    """The reply with its last call going to another tool."""
    return replace(reply, calls=(*reply.calls[:-1], replace(reply.calls[-1], tool=tool)))


def with_field(reply: Reply, field: str, value: object) -> Reply:
    """The reply with one argument of its last call replaced; unchanged if it has no such field."""
    args = args_of(reply)
    return reply if field not in args else with_arguments(reply, compact({**args, field: value}))


def without_field(reply: Reply, field: str) -> Reply:
    """The reply without one argument of its last call; unchanged if it has no such field."""
    args = args_of(reply)
    if field not in args:
        return reply
    return with_arguments(reply, compact({name: args[name] for name in args if name != field}))


def compact(args: object) -> str:
    """JSON as models write it."""
    return json.dumps(args, ensure_ascii=False, separators=(",", ":"))


def args_of(reply: Reply) -> dict[str, object]:
    """The arguments of its last call; none where they are no object."""
    call = last_call(reply)
    try:
        args = json.loads(call.arguments) if call else None
    except ValueError:
        return {}
    return args if isinstance(args, dict) else {}
