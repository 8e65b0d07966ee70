"""What Responses says to a request of the wrong shape: its own sentences, in one table.

Each answers with `type` invalid_request_error and, where the row does not say otherwise, HTTP 400.
The letter beside a row is where its sentence comes from:

M  measured against the live API in August 2026 and kept as a table of tests by
   kangminlee-maker/local-OAuth-CLI-API-adapter (test/openai-responses-validation-parity.test.mjs,
   docs/conformance-matrix.md 5.5.6)
R  a recorded answer of the API, kept as a fixture by vercel/ai (packages/openai/src/responses)
Q  as clients quote it, in the issue that is named; its code is then that of its kind elsewhere
C  said by Chat Completions, and taken to be the same here
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from faultloop.fakes.dialects.dialect import BadRequest


class Complaint(NamedTuple):
    """A complaint, with words to be filled in."""

    sentence: str
    code: str | None
    param: str | None = "{path}"
    """Where it points; `{path}` is the field that is complained of."""
    status: int = 400


COMPLAINTS: dict[str, Complaint] = {
    # Q as codex reports it: `unexpected status 401 Unauthorized: ..., url: .../v1/responses`
    "no_key": Complaint("Missing bearer or basic authentication in header", None, None, 401),
    # C
    "not_json": Complaint(
        "We could not parse the JSON body of your request. (HINT: This likely means you aren't "
        "using your HTTP library correctly. The OpenAI API expects a JSON payload, but what "
        "was sent was not valid JSON. If you have trouble figuring out how to fix this, please "
        "contact us through our help center at help.openai.com.)",
        None,
        None,
    ),
    # M
    "missing": Complaint("Missing required parameter: '{path}'.", "missing_required_parameter"),
    # M
    "type": Complaint(
        "Invalid type for '{path}': expected {wanted}, but got {got} instead.", "invalid_type"
    ),
    # M
    "value": Complaint("Invalid value: '{got}'. Supported values are: {known}.", "invalid_value"),
    # M
    "unknown": Complaint("Unknown parameter: '{path}'.{help}", "unknown_parameter"),
    # M for `messages`; of the other fields clients quote the first two sentences
    "moved": Complaint(
        "Unsupported parameter: '{path}'. In the Responses API, this parameter has moved to "
        "'{to}'. Try again with the new parameter. See the API documentation for more "
        "information: https://platform.openai.com/docs/api-reference/responses/create.",
        "unsupported_parameter",
        None,
    ),
    # M
    "no_model": Complaint("The requested model '{got}' does not exist.", "model_not_found"),
    # M
    "no_input": Complaint(
        "One of \"input\" or \"previous_response_id\" or 'prompt' or 'conversation' must be "
        "provided.",
        "missing_required_parameter",
        None,
    ),
    # M
    "too_small": Complaint(
        "Invalid '{path}': integer below minimum value. Expected a value >= {least}, but got {got} "
        "instead.",
        "integer_below_min_value",
    ),
    # M
    "many_properties": Complaint(
        "Invalid '{path}': too many properties. Expected an object with at most {most} properties, "
        "but got an object with {got} properties instead.",
        "object_above_max_properties",
    ),
    # Q vishalmysore/Tools4AI #16 (Chat), anomalyco/opencode #4909 (through Copilot)
    "many_elements": Complaint(
        "Invalid '{path}': array too long. Expected an array with maximum length {most}, but got "
        "an array with length {got} instead.",
        "array_above_max_length",
    ),
    # Q AnswerDotAI/fastllm #45 (call_id), can1357/oh-my-pi #284 (id)
    "too_long": Complaint(
        "Invalid '{path}': string too long. Expected a string with maximum length {most}, but got "
        "a string with length {got} instead.",
        "string_above_max_length",
    ),
    # Q BigPizzaV3/CodexPlusPlus #315
    "empty": Complaint(
        "Invalid '{path}': empty string. Expected a string with minimum length 1, but got an empty "
        "string instead.",
        "empty_string",
    ),
    # Q NousResearch/hermes-agent #31666
    "pattern": Complaint(
        "Invalid '{path}': string does not match pattern. Expected a string that matches the "
        "pattern '{pattern}'.",
        "invalid_value",
    ),
    # Q jlcodes99/cockpit-tools #2090
    "id_prefix": Complaint(
        "Invalid '{path}': '{got}'. Expected an ID that begins with '{prefix}'.", "invalid_value"
    ),
    # R openai-tool-search-duplicate-item-error, Q continuedev/continue #10723
    "same_item": Complaint(
        "Duplicate item found with id {got}. Remove duplicate items from your input and try again.",
        None,
        "input",
    ),
    # Q can1357/oh-my-pi #41, anomalyco/opencode #7724; where it points is not known
    "not_kept": Complaint(
        "Item with id '{got}' not found. Items are not persisted when `store` is set to false. Try "
        "again with `store` set to true, or remove this item from your input.",
        None,
        "input",
        404,
    ),
    # M, but for where it points
    "no_item": Complaint("Item with id '{got}' not found.", None, "input", 404),
    # R openai-missing-function-call-namespace-error
    "no_namespace": Complaint(
        "Missing namespace for function_call '{got}'. It does not exist in the default namespace. "
        "Round-trip the model's function_call item with its namespace field included.",
        None,
    ),
    # R openai-allowed-tools-web-search-error
    "no_choice": Complaint("Tool choice '{got}' not found in 'tools' parameter.", None),
    # Anthropic's, which gateways to it pass on (tailcallhq/forgecode #892); what OpenAI itself
    # answers is not known.
    "same_name": Complaint("tools: Tool names must be unique.", None),
    # M
    "no_conversation": Complaint("Conversation with id '{got}' not found.", None, None, 404),
    # M
    "no_prompt": Complaint("Prompt with id '{got}' not found.", None, None, 404),
    # M
    "exclusive": Complaint(
        "Mutually exclusive parameters: ''. Ensure you are only providing one of: 'pre..._id' or "
        "'conversation'.",
        "mutually_exclusive_parameters",
        None,
    ),
}

_TYPES: dict[type, str] = {
    dict: "an object",
    list: "an array",
    str: "a string",
    bool: "a boolean",
    int: "an integer",
    float: "a decimal",
    type(None): "null",
}


_decode = msgspec.json.Decoder().decode

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding raises where the text is no JSON, or more deeply nested than JSON may be."""


def decoded(spelt: bytes) -> Any:
    """A value of the request, or the complaint that it is no JSON."""
    try:
        return _decode(spelt)
    except UNREADABLE:
        raise bad("not_json") from None


def bad(kind: str, path: str = "", **words: object) -> BadRequest:
    """The complaint of this kind about the field at `path`, ready to be raised."""
    complaint = COMPLAINTS[kind]
    return BadRequest(
        complaint.sentence.format(path=path, **words),
        param=complaint.param.format(path=path) if complaint.param else None,
        code=complaint.code,
        status=complaint.status,
    )


def wrong_type(path: str, wanted: str | type, value: object) -> BadRequest:
    """`value` is not what was wanted: a type, or what the API calls it."""
    name = wanted if isinstance(wanted, str) else _TYPES[wanted]
    return bad("type", path, wanted=name, got=_TYPES[type(value)])


def wrong_value(path: str, value: object, known: tuple[str, ...]) -> BadRequest:
    """`value` is none of those that are known; what is no text is shown as nothing."""
    shown = value if isinstance(value, str) else ""
    return bad("value", path, got=shown, known=listed("and", *known))


def listed(word: str, *known: str) -> str:
    """Values as the API lists them: `'a' and 'b'`, or `'a', 'b', and 'c'`."""
    *most, last = (f"'{value}'" for value in known)
    return f"{', '.join(most)}{',' * (len(most) > 1)} {word} {last}" if most else last


def required(holder: dict[str, Any], name: str, wanted: type, where: str = "") -> Any:
    """The value of a required field of one type, or the API's complaint."""
    path = f"{where}.{name}" if where else name
    if name not in holder:
        raise bad("missing", path)
    value = holder[name]
    if not isinstance(value, wanted):
        raise wrong_type(path, wanted, value)
    return value
