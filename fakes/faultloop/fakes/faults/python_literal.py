"""The model writes its arguments as Python would print them, not as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.faults.last_call import args_of, with_arguments
from faultloop.fakes.reply import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonLiteral(Fault):
    """Single quotes, `True` and `None`: an evaluator reads it, a JSON reader must not."""

    kind: Literal["python_literal"] = "python_literal"

    def say(self, reply: Reply) -> Reply:
        """The same reply with its last arguments as a Python dict; they must be an object."""
        args = args_of(reply)
        return with_arguments(reply, repr(args)) if args else reply
