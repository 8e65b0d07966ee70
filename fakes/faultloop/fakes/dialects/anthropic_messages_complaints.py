"""What the Messages API says to a request of the wrong shape: its own sentences, in one table.

Paths are its own too: names and indexes joined by dots, and the tag of a union beside the name
(`messages.1.content.0.tool_use.id`). `source` says where a sentence is from: an issue in which a
client quotes the API, a note of someone who measured it, or, where nobody was found who did, the
words of pydantic, of which the API's own validation is visibly made.
"""

from __future__ import annotations

from typing import NamedTuple

from faultloop.fakes.dialects.dialect import BadRequest

PYDANTIC = "pydantic's own words"


class Complaint(NamedTuple):
    """A complaint, with words to be filled in."""

    sentence: str
    source: str
    """Where it is from: `owner/repo#number (year)` of who quotes the API, else said in words."""
    status: int = 400


COMPLAINTS: dict[str, Complaint] = {
    "no_key": Complaint("x-api-key header is required", "n8n-io/n8n#37930 (2026)", 401),
    "no_version": Complaint(
        "anthropic-version: header is required", "Pasta-Devs/Marinara-Engine#120 (2026)"
    ),
    "version": Complaint(
        'anthropic-version: "{got}" is not a valid version', "decolua/9router#2357 (2026)"
    ),
    "too_large": Complaint(
        "Request exceeds the maximum size", "anthropics/anthropic-sdk-python#938 (2025)", 413
    ),
    "not_json": Complaint(
        "The request body is not valid JSON: {why}: line {line} column {column} (char {char})",
        "anthropics/claude-code#60394 (2026); the reason and the place are our reader's",
    ),
    "missing": Complaint("{path}: Field required", "immersive-translate/immersive-translate#3993"),
    "extra": Complaint(
        "{path}: Extra inputs are not permitted",
        "microsoft/autogen#3034, anthropics/claude-code#4378; of temperature since version "
        "2026-10-21: ttlequals0/MinusPod 2.101.10",
    ),
    "list": Complaint("{path}: Input should be a valid list", "iowarp/clio-kit#157 (2025)"),
    "string": Complaint("{path}: Input should be a valid string", PYDANTIC),
    "boolean": Complaint("{path}: Input should be a valid boolean", PYDANTIC),
    "integer": Complaint("{path}: Input should be a valid integer", PYDANTIC),
    "dictionary": Complaint(
        "{path}: Input should be a valid dictionary", "anthropics/claude-code#6696 (2025)"
    ),
    "object": Complaint(
        "{path}: Input should be a valid dictionary or object to extract fields from", PYDANTIC
    ),
    "literal": Complaint("{path}: Input should be {wanted}", PYDANTIC),
    "at_least": Complaint("{path}: Input should be greater than or equal to {least}", PYDANTIC),
    "pattern": Complaint(
        "{path}: String should match pattern '{pattern}'",
        "home-assistant/core#147760, BlockRunAI/ClawRouter#17 (2026)",
    ),
    "too_long": Complaint(
        "{path}: String should have at most {most} characters",
        "anthropics/claude-code#96152 (2026)",
    ),
    "too_short": Complaint(
        "{path}: String should have at least {least} character", "TanStack/ai#532"
    ),
    "tag": Complaint(
        "{path}: Input tag '{got}' found using 'type' does not match any of the expected tags: "
        "{known}",
        "dirac-run/dirac#57 (2026), anthropics/anthropic-sdk-go#235",
    ),
    "no_messages": Complaint(
        "messages: at least one message is required", "langchain-ai/langchain#31696 (2025)"
    ),
    "role_tool": Complaint(
        'messages: Unexpected role "{got}". Allowed roles are "user" or "assistant". For '
        "instructions on how to use tools, see "
        "https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview.",
        "NyarchLinux/NyarchAssistant#157 (2026)",
    ),
    "role": Complaint(
        'messages: Unexpected role "{got}". Allowed roles are "user" or "assistant".',
        "higress-group/higress#3517 (2026), of the role tool",
    ),
    "empty_user": Complaint(
        "{path}: user messages must have non-empty content",
        "the changelog of anthropics/claude-code 2.1.258 (2026)",
    ),
    "empty": Complaint(
        "{path}: all messages must have non-empty content except for the optional final assistant "
        "message",
        "danny-avila/LibreChat#3372, anthropics/claude-code#6458 (2025)",
    ),
    "empty_text": Complaint(
        "{path}: text content blocks must be non-empty", "anthropics/claude-code#59812 (2026)"
    ),
    "blank_text": Complaint(
        "{path}: text content blocks must contain non-whitespace text",
        "anthropics/claude-code#23352 (2026)",
    ),
    "cached_empty_text": Complaint(
        "{path}: cache_control cannot be set for empty text blocks",
        "anthropics/claude-code#62379 (2026)",
    ),
    "cached": Complaint(
        "A maximum of {most} blocks with cache_control may be provided. Found {got}.",
        "tghamm/Anthropic.SDK#50, continuedev/continue#6937",
    ),
    "not_of_users": Complaint(
        "{path}: `{block}` blocks can only be in `assistant` messages",
        "comments in the code of two clients, of tool_use",
    ),
    "not_of_assistants": Complaint(
        "{path}: `{block}` blocks can only be in `user` messages", "tghamm/Anthropic.SDK#128"
    ),
    "document_of_assistants": Complaint(
        "{path}: `document` blocks can only be in `user` messages",
        "documented with version 2026-10-21; the words are those of its like",
    ),
    "cited_by_users": Complaint(
        "{path}: Extra inputs are not permitted",
        "documented with version 2026-10-21; the words are those of its like",
    ),
    "empty_error": Complaint(
        "{path}: content cannot be empty if `is_error` is true", "bytedance/trae-agent#230 (2025)"
    ),
    "same_name": Complaint(
        "tools: Tool names must be unique.", "XSpoonAi/spoon-core#16, tailcallhq/forgecode#892"
    ),
    "combined_schema": Complaint(
        "{path}: input_schema does not support oneOf, allOf, or anyOf at the top level",
        "anthropics/claude-code#40075 (2026)",
    ),
    "schema": Complaint(
        "{path}: JSON schema is invalid. It must match JSON Schema draft 2020-12 "
        "(https://json-schema.org/draft/2020-12). Learn more about tool use at "
        "https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview.",
        "anthropics/claude-code#86664 (2026)",
    ),
    "needs_tools": Complaint(
        "tool_choice.any may only be specified while providing tools",
        "measured by a client's authors (2026); auto and none pass without tools",
    ),
    "no_such_tool": Complaint(
        "Tool '{got}' not found in provided tools", "measured by a client's authors (2026)"
    ),
}


def bad(kind: str, path: str = "", **words: object) -> BadRequest:
    """The complaint of this kind about the field at `path`, ready to be raised."""
    complaint = COMPLAINTS[kind]
    return BadRequest(complaint.sentence.format(path=path, **words), status=complaint.status)


def listed(known: frozenset[str]) -> str:
    """Tags as the API lists them: quoted, in their alphabetical order."""
    return ", ".join(f"'{tag}'" for tag in sorted(known))
