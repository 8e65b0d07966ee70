"""Events and items of Responses that are never said here, and why."""

from __future__ import annotations

from collections.abc import Mapping

_BUILT_IN = "of a tool that the provider runs itself: such tools are declared here and never called"
_AUDIO = "only of a reply in audio, and the fake model does not speak"
_REQUEST = "an item that clients send; the API lists it when a stored response is read back"

EVENTS: Mapping[str, str] = {
    "response.audio*": _AUDIO,
    "response.code_interpreter_call*": _BUILT_IN,
    "response.file_search_call*": _BUILT_IN,
    "response.image_generation_call*": _BUILT_IN,
    "response.mcp_*": _BUILT_IN,
    "response.shell_call_*": _BUILT_IN,
    "response.web_search_call*": _BUILT_IN,
    "response.compaction.*": "nothing is ever compacted: the context is the whole conversation",
    "response.output_text.annotation.added": "annotations are of search and files, which are "
    "never used",
    "response.queued": "only of a response in the background",
    "response.reasoning_text.*": "only of open models: OpenAI's own tell a summary",
}
"""Types of events, by glob."""

ITEMS: Mapping[str, str] = {
    "*_output": _REQUEST,
    "additional_tools": _REQUEST,
    "mcp_approval_response": _REQUEST,
    "apply_patch_call": _BUILT_IN,
    "code_interpreter_call": _BUILT_IN,
    "computer_call": _BUILT_IN,
    "file_search_call": _BUILT_IN,
    "image_generation_call": _BUILT_IN,
    "local_shell_call": _BUILT_IN,
    "mcp_*": _BUILT_IN,
    "program": _BUILT_IN,
    "shell_call": _BUILT_IN,
    "tool_search_call": _BUILT_IN,
    "web_search_call": _BUILT_IN,
    "compaction": "nothing is ever compacted: the context is the whole conversation",
}
"""Types of items, by glob."""
