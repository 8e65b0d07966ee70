"""The same as `strictness_cases` for what comes back of thinking and reasoning."""

from __future__ import annotations

from faultloop.fakes.item_ids import after_reasoning, reasoning_id
from faultloop.fakes.signing import signed
from faultloop.fakes.strictness.levels import RuleName

from .strictness_cases import USER, Body, Case
from .strictness_cases_by_turn import brings, messages, tool_result, uses

# --- Messages -------------------------------------------------------------------------------

FOREIGN = "messages.1.content.0: Invalid `signature` in `thinking` block"


def thinks(text: str, signature: str) -> Body:
    return {"type": "thinking", "thinking": text, "signature": signature}


def goes_on(*thoughts: Body, thinking: Body | None = None, more: tuple[Body, ...] = ()) -> Body:
    """The model thought, called and got its result; then follows `more`."""
    called = uses("a")["content"][1:]
    said = {"role": "assistant", "content": [*thoughts, *called]}
    return messages(
        USER, said, brings(tool_result("a")), *more, thinking=thinking or {"type": "adaptive"}
    )


OURS = thinks("Hm.", signed("Hm."))
CHANGED = thinks("Aha.", signed("Hm."))
LATER = ({"role": "assistant", "content": "Done."}, USER)

MESSAGES = [
    Case(rule, "anthropic_messages", broken, right, message)
    for rule, broken, right, message in (
        (
            "thinking_signatures",
            goes_on(thinks("Hm.", "Eq0=")),
            goes_on(OURS),
            FOREIGN,
        ),
        ("thinking_signatures", goes_on(thinks("Hm.", "")), goes_on(OURS), FOREIGN),
        (
            "thinking_signatures",
            goes_on(CHANGED, more=LATER),
            goes_on(OURS, more=LATER),
            FOREIGN,
        ),
        (
            "thinking_kept",
            goes_on(CHANGED),
            goes_on(OURS),
            "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest "
            "assistant message cannot be modified. These blocks must remain as they were in the "
            "original response.",
        ),
        (
            "thinking_first",
            goes_on(thinking={"type": "enabled", "budget_tokens": 1024}),
            goes_on(thinking={"type": "adaptive"}),
            "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found "
            "`tool_use`. When `thinking` is enabled, a final `assistant` message must start with a "
            "thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). "
            "We recommend you include thinking blocks from previous turns. To avoid this "
            "requirement, disable `thinking`. Please consult our documentation at "
            "https://docs.claude.com/en/docs/build-with-claude/extended-thinking",
        ),
    )
]

# --- Responses ------------------------------------------------------------------------------

REPLY = "a1B2c" * 5 + "d3E4"
ITEM = f"fc_{after_reasoning(REPLY, 'a')}"
REASONING: Body = {"type": "reasoning", "id": reasoning_id(REPLY), "summary": []}
CALL: Body = {"type": "function_call", "call_id": "call_a", "name": "f", "arguments": "{}"}
RESULT: Body = {"type": "function_call_output", "call_id": "call_a", "output": "ok"}


def inputs(*items: Body) -> Body:
    return {"model": "m", "input": [USER, *items]}


RULES_OF_ITEMS: tuple[tuple[RuleName, Body, Body, str], ...] = (
    (
        "reasoning_kept",
        inputs({**CALL, "id": ITEM}, RESULT),
        inputs(REASONING, {**CALL, "id": ITEM}, RESULT),
        f"Item '{ITEM}' of type 'function_call' was provided without its required 'reasoning' "
        f"item: '{REASONING['id']}'.",
    ),
    (
        "reasoning_kept",
        inputs({**CALL, "id": ITEM}, RESULT, REASONING, {"role": "assistant", "content": "Done."}),
        inputs(CALL, RESULT),
        f"Item '{ITEM}' of type 'function_call' was provided without its required 'reasoning' "
        f"item: '{REASONING['id']}'.",
    ),
    (
        "reasoning_followed",
        inputs(REASONING, USER),
        inputs(REASONING, {"role": "assistant", "content": "Done."}, USER),
        f"Item '{REASONING['id']}' of type 'reasoning' was provided without its required "
        "following item.",
    ),
    (
        "reasoning_followed",
        inputs(REASONING),
        inputs({"type": "reasoning", "summary": []}),
        f"Item '{REASONING['id']}' of type 'reasoning' was provided without its required "
        "following item.",
    ),
    (
        "reasoning_followed",
        inputs(REASONING),
        {"model": "m", "input": 'What is "rs_1"?'},
        f"Item '{REASONING['id']}' of type 'reasoning' was provided without its required "
        "following item.",
    ),
)
RESPONSES = [Case(rule, "openai_responses", *row, param="input") for rule, *row in RULES_OF_ITEMS]

OF_THOUGHTS = MESSAGES + RESPONSES
