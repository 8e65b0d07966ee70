"""A loop whose idempotency key is a hash of the call: the same again is the same."""

from hashlib import blake2b

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.calling import Calling
from faultloop.loop.engine import Agent
from faultloop.loop.state import CallRecord


class Hashing(Calling):
    """Makes one key of equal calls."""

    def key(self, record: CallRecord) -> str:
        """The session, the tool and its arguments."""
        what = f"{self.session}/{record.name}/{record.arguments}"
        return blake2b(what.encode(), digest_size=16).hexdigest()


class MakesKeysOfArguments(Agent):
    """Sells two tickets and is paid for one."""

    calling = Hashing


MUTANT = Mutant(
    name="makes-keys-of-arguments",
    does="gives two calls with equal arguments one idempotency key, so that one is lost",
    claims=("D3",),
    breaks=("end_acceptable",),
    agent=MakesKeysOfArguments,
    scenarios=("two-payments-are-two", "*-keys-honoured"),
)
