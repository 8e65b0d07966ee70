"""Two requests of one session, compared: what the later one says that the earlier one did not."""

from __future__ import annotations

from collections.abc import Sequence

from faultloop.fakes.conversation import Message


def new_messages(earlier: Sequence[Message], later: Sequence[Message]) -> list[Message]:
    """The messages of the later request that the earlier one does not hold, in their order.

    Compared by role and text wherever they stand, so that a system prompt that was rewritten or a
    history that was shortened does not make everything new.
    """
    known = {(message.role, message.text, message.result_of) for message in earlier}
    return [one for one in later if (one.role, one.text, one.result_of) not in known]
