"""What Gemini says to a request of the wrong shape: its own sentences, in one table.

What is no JSON, or not of the API's fields and types, is told by `gemini_proto`; here is what the
API finds in a body that it could read. Rows of the first kind are gathered and told together, each
as a bullet, as the API does. Each row names its source: a report by clients that quote the API, or
"from memory" where none was found.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from faultloop.fakes.dialects.dialect import BadRequest


class Complaint(NamedTuple):
    """A complaint, with words to be filled in."""

    sentence: str
    source: str
    """The report that quotes it, or what else it rests on."""
    kind: Literal["bullet", "alone"] = "alone"
    """A bullet (`* GenerateContentRequest.PATH: ...`) is told with all others of the body."""
    status: int = 400


COMPLAINTS: dict[str, Complaint] = {
    # --- who asks, and for what -------------------------------------------------------------
    "no_key": Complaint(
        "Method doesn't allow unregistered callers (callers without established identity). Please "
        "use API Key or other form of API consumer identity to call this API.",
        "PublicAffairs/openai-gemini #92",
        status=403,
    ),
    "no_model": Complaint(
        "{model} is not found for API version {version}, or is not supported for {method}. Call "
        "ListModels to see the list of available models and their supported methods.",
        "google/adk-python #200, babaohuang/GeminiProChat #184",
        status=404,
    ),
    # --- the body as JSON -------------------------------------------------------------------
    "not_json": Complaint(
        "Invalid JSON payload received. Unexpected token.\n{context}\n{marker}",
        "protobuf json_stream_parser.cc, ReportFailure; quoted for Gemini with its two lines of "
        "context",
    ),
    "cut_json": Complaint(
        "Invalid JSON payload received. Unexpected end of string. Expected a value.\n{context}\n"
        "{marker}",
        "protobuf json_stream_parser.cc, ReportUnknown; which of its words come after "
        "'Expected' depends on the place, and is not told apart here",
    ),
    "number_range": Complaint(
        "Invalid JSON payload received. Number exceeds the range of double.\n{context}\n{marker}",
        "protobuf json_stream_parser.cc",
    ),
    "not_utf8": Complaint(
        "Invalid JSON payload received. Encountered non UTF-8 code points.\n{context}\n{marker}",
        "protobuf json_stream_parser.cc",
    ),
    "too_deep": Complaint(
        "A FunctionDeclaration in the request exceeds the maximum allowed nesting depth.",
        "google-gemini/gemini-cli #6031",
    ),
    # --- contents ---------------------------------------------------------------------------
    "no_contents": Complaint(
        "contents: contents is not specified",
        "googleapis/js-genai #912, ikechan8370/chatgpt-plugin #733",
        "bullet",
    ),
    "no_parts": Complaint(
        "{path}.parts: contents.parts must not be empty.",
        "vercel/ai #3775, egoist/chatwise-releases #250",
        "bullet",
    ),
    "no_data": Complaint(
        "{path}.data: required oneof field 'data' must have one initialized field",
        "router-for-me/CLIProxyAPI #1292, boldsoftware/sketch #68; countTokens: "
        "google-gemini/gemini-cli #5575",
        "bullet",
    ),
    "no_result_name": Complaint(
        "{path}.function_response.name: Name cannot be empty.",
        "langflow-ai/langflow #9437",
        "bullet",
    ),
    "no_call_name": Complaint(
        "{path}.function_call.name: Name cannot be empty.",
        "in the words of no_result_name, from memory",
        "bullet",
    ),
    "role": Complaint(
        "Please use a valid role: user, model.",
        "the-open-agent/openagent #1666, thomwebb/gac #47",
    ),
    # --- tools ------------------------------------------------------------------------------
    "tool_name": Complaint(
        "{path}.name: Invalid function name. Must start with a letter or an underscore. Must be "
        "alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a "
        "maximum length of 128.",
        "google-gemini/gemini-cli #9535, Mintplex-Labs/anything-llm #4452 with 64; the v1beta "
        "discovery document says 128",
        "bullet",
    ),
    "many_tools": Complaint(
        "The GenerateContentRequest proto is invalid:\n  * {path}: [FIELD_INVALID] At most {most} "
        "function declarations can be specified.",
        "google-gemini/gemini-cli #19083, #25440",
    ),
    "same_name": Complaint(
        "Duplicate function declaration found: {name}",
        "smarter-sh/smarter #537, googleapis/dotnet-genai #189",
    ),
    "needs_tools": Complaint(
        "Function calling config is set without function_declarations.",
        "changelogs and tests of several public clients; no report was found",
    ),
    # --- settings ---------------------------------------------------------------------------
    "max_tokens": Complaint(
        "generation_config.max_output_tokens: max_output_tokens must be positive.",
        "an error body recorded in the tests of a public client; no report was found",
        "bullet",
    ),
    "several_candidates": Complaint(
        "Multiple candidates is not enabled for this model",
        "googleapis/js-genai #1609, googleapis/python-genai #1723",
    ),
}

CONTEXT_CHARS = 20
"""How much of a body that is no JSON is shown on either side of the place."""


def bad(kind: str, **words: object) -> BadRequest:
    """The complaint of this kind that is told alone, ready to be raised."""
    complaint = COMPLAINTS[kind]
    return BadRequest(complaint.sentence.format(**words), status=complaint.status)


def bullet(kind: str, message: str, **words: object) -> str:
    """A complaint about a field of `message` that is told with others."""
    return f"* {message}.{COMPLAINTS[kind].sentence.format(**words)}"


def bulleted(bullets: list[str]) -> BadRequest:
    """All bullets of a body, ready to be raised."""
    return BadRequest("".join(f"{line}\n" for line in bullets))


def malformed(kind: str, text: str, at: int) -> BadRequest:
    """The complaint about a body that is no JSON from the place `at` on."""
    begin = max(0, at - CONTEXT_CHARS)
    marker = " " * (at - begin) + "^"
    return bad(kind, context=text[begin : at + CONTEXT_CHARS], marker=marker)
