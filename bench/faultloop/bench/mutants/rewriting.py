"""What mutants that change arguments between model and tool have in common."""

from typing import Any

import msgspec

from faultloop.loop.checking import Ready, Refused
from faultloop.loop.contract import Contract
from faultloop.loop.executing import Executing
from faultloop.loop.state import CallRecord
from faultloop.loop.stop import StopSignal


class Rewriting(Executing):
    """Hands on other arguments than were validated."""

    def rewritten(self, args: dict[str, Any], contract: Contract) -> dict[str, Any]:
        """What the tool is given instead."""
        return args

    async def check(self, record: CallRecord, signal: StopSignal) -> Ready | Refused | None:
        """What the reference says, with rewritten arguments."""
        checked = await super().check(record, signal)
        if not isinstance(checked, Ready):
            return checked
        args = self.rewritten(checked.args, checked.contract)
        return msgspec.structs.replace(checked, args=args)
