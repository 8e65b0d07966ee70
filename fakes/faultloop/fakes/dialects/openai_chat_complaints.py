"""What Chat Completions says to a request of the wrong shape: its own sentences, in one table.

Each answers HTTP 400 with `type` invalid_request_error. Where a sentence is not OpenAI's own, it is
that of a server which speaks the same dialect, and the comment says whose.
"""

from __future__ import annotations

from typing import NamedTuple

from faultloop.fakes.dialects.dialect import BadRequest


class Complaint(NamedTuple):
    """A complaint, with words to be filled in."""

    sentence: str
    code: str | None
    param: str | None = "{path}"
    """Where it points; `{path}` is the field that is complained of."""


COMPLAINTS: dict[str, Complaint] = {
    "not_json": Complaint(
        "We could not parse the JSON body of your request. (HINT: This likely means you aren't "
        "using your HTTP library correctly. The OpenAI API expects a JSON payload, but what "
        "was sent was not valid JSON. If you have trouble figuring out how to fix this, please "
        "contact us through our help center at help.openai.com.)",
        None,
        None,
    ),
    "no_model": Complaint("you must provide a model parameter", None, None),
    "missing": Complaint("Missing required parameter: '{path}'.", "missing_required_parameter"),
    "type": Complaint(
        "Invalid type for '{path}': expected {wanted}, but got {got} instead.", "invalid_type"
    ),
    "value": Complaint("Invalid value: '{got}'. Supported values are: {known}.", "invalid_value"),
    "empty": Complaint(
        "Invalid '{path}': empty array. Expected an array with minimum length 1, but got an empty "
        "array instead.",
        "empty_array",
    ),
    "too_long": Complaint(
        "Invalid '{path}': string too long. Expected a string with maximum length {most}, but got "
        "a string with length {got} instead.",
        "string_above_max_length",
    ),
    "pattern": Complaint(
        "Invalid '{path}': string does not match pattern. Expected a string that matches the "
        "pattern '{pattern}'.",
        "invalid_value",
    ),
    "null_content": Complaint("Invalid value for 'content': expected a string, got null.", None),
    "no_call_id": Complaint(
        "Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'.",
        None,
    ),
    "needs_stream": Complaint(
        "The '{path}' parameter is only allowed when 'stream' is enabled.", None
    ),
    "needs_tools": Complaint(
        "Invalid value for '{path}': '{path}' is only allowed when 'tools' are specified.", None
    ),
    # Said by the models that give one choice only.
    "several_choices": Complaint(
        "Unsupported value: 'n' does not support {got} with this model. Only the default (1) value "
        "is supported.",
        "unsupported_value",
    ),
    # Anthropic's, which gateways to it pass on (tailcallhq/forgecode #892).
    "same_name": Complaint("tools: Tool names must be unique.", None),
}


def bad(kind: str, path: str = "", **words: object) -> BadRequest:
    """The complaint of this kind about the field at `path`, ready to be raised."""
    complaint = COMPLAINTS[kind]
    return BadRequest(
        complaint.sentence.format(path=path, **words),
        param=complaint.param.format(path=path) if complaint.param else None,
        code=complaint.code,
    )


def listed(*known: str) -> str:
    """Values as the API lists them: `'a', 'b', and 'c'`."""
    *most, last = (f"'{value}'" for value in known)
    return f"{', '.join(most)}{',' * (len(most) > 1)} and {last}"
