"""A loop that keeps what the user said in a turn that crashed, and nothing that it did."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.message import AssistantMessage, Message, ResultMessage


class ForgetsTheTurnThatCrashed(Agent):
    """Begins the work anew."""

    crashed: frozenset[str] | None = None

    def messages(self) -> tuple[Message, ...]:
        """Without the calls and results that were there when the process started again."""
        seen = super().messages()
        if self.crashed is None:
            held = self.state.turn.number > 1 and self.state.turn.step == 1
            kept = (m.call_id for m in seen if isinstance(m, ResultMessage))
            self.crashed = frozenset(kept) if held else frozenset()
        gone = self.crashed
        return tuple(
            message
            for message in seen
            if not (isinstance(message, ResultMessage) and message.call_id in gone)
            and not (
                isinstance(message, AssistantMessage)
                and any(call.id in gone for call in message.calls)
            )
        )


MUTANT = Mutant(
    name="forgets-the-turn-that-crashed",
    does="drops what an interrupted turn has done, so that the model asks for it again",
    claims=("D7", "D2"),
    breaks=("effects_once",),
    agent=ForgetsTheTurnThatCrashed,
    scenarios=("killed-*", "replay-append"),
)
