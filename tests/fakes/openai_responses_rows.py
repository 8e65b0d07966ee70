"""What Responses rejects: rows of what is wrong, where it points, its code and its words."""

from .openai_responses_replies import APPLY_PATCH, FUNCTION, LEDGER, USER

GONE = object()
"""Stands for a field that is left out."""


def call(**more: object) -> dict:
    return {
        "type": "function_call",
        "call_id": "call_1",
        "name": "read_file",
        "arguments": "{}",
        **more,
    }


def result(**more: object) -> dict:
    return {"type": "function_call_output", "call_id": "call_1", "output": "ok", **more}


def user(content: object, **more: object) -> dict:
    return {"role": "user", "content": content, **more}


def without(item: dict, name: str) -> dict:
    return {key: value for key, value in item.items() if key != name}


MISSING, TYPE, VALUE = "missing_required_parameter", "invalid_type", "invalid_value"
UNKNOWN = "unknown_parameter"
ROLES = "Supported values are: 'assistant', 'system', 'developer', and 'user'."
NO_INPUT = (
    "One of \"input\" or \"previous_response_id\" or 'prompt' or 'conversation' must be provided."
)

FIELDS = [
    ({"model": GONE}, "model", MISSING, "Missing required parameter: 'model'."),
    (
        {"model": None},
        "model",
        TYPE,
        "Invalid type for 'model': expected a string, but got an object instead.",
    ),
    ({"model": 7}, "model", TYPE, "expected a string, but got an integer instead."),
    ({"model": ""}, "model", "model_not_found", "The requested model '' does not exist."),
    ({"zzz": 1}, "zzz", UNKNOWN, "Unknown parameter: 'zzz'."),
    ({"max_tokens": 16}, "max_tokens", UNKNOWN, "Unknown parameter: 'max_tokens'."),
    ({"stop": ["x"]}, "stop", UNKNOWN, "Unknown parameter: 'stop'. Did you mean 'store'?"),
    ({"strem": 1}, "strem", UNKNOWN, "Did you mean 'stream' or 'store'?"),
    ({"modell": 1}, "modell", UNKNOWN, "Unknown parameter: 'modell'."),
    (
        {"messages": [USER], "input": GONE},
        None,
        "unsupported_parameter",
        "Unsupported parameter: 'messages'. In the Responses API, this parameter has moved to "
        "'input'. Try again with the new parameter.",
    ),
    ({"response_format": {}}, None, "unsupported_parameter", "has moved to 'text.format'."),
    ({"input": GONE}, "input", MISSING, "Missing required parameter: 'input'."),
    ({"input": []}, None, MISSING, NO_INPUT),
    ({"input": ""}, None, MISSING, NO_INPUT),
    (
        {"input": None},
        "input",
        TYPE,
        "Invalid type for 'input': expected a string, but got an object instead.",
    ),
    (
        {"input": {}},
        "input",
        TYPE,
        "expected one of a string or array of input items, but got an object instead.",
    ),
    ({"previous_response_id": {}}, "previous_response_id", TYPE, "expected a string"),
    ({"prompt": "x"}, "prompt", TYPE, "expected an object, but got a string instead."),
    (
        {"include": "x"},
        "include",
        TYPE,
        "expected an array of one of 'fil...lts', 'web...lts', 'web...ces', 'mes...url', "
        "'com...url', 'cod...uts', 'rea...ent', or 'mes...obs', but got a string instead.",
    ),
    ({"include": ["x"]}, "include[0]", VALUE, "'file_search_call.results', 'web_search_call"),
    ({"tools": "x"}, "tools", TYPE, "expected an array of tools, but got a string instead."),
    (
        {"tool_choice": 7},
        "tool_choice",
        TYPE,
        "expected one of an object or 'none', 'auto', or 'required', but got an integer instead.",
    ),
    (
        {"tool_choice": "x"},
        "tool_choice",
        VALUE,
        "Invalid value: 'x'. Supported values are: 'none', 'auto', and 'required'.",
    ),
    ({"tool_choice": {"type": "function"}}, "tool_choice.name", MISSING, "'tool_choice.name'."),
    (
        {"tool_choice": {"type": "web_search"}},
        "tool_choice",
        None,
        "Tool choice 'web_search' not found in 'tools' parameter.",
    ),
    (
        {"tool_choice": {"type": "function", "name": "x"}},
        "tool_choice",
        None,
        "Tool choice 'x' not found in 'tools' parameter.",
    ),
    (
        {"tool_choice": {"type": "allowed_tools", "tools": [7]}},
        "tool_choice.tools[0]",
        TYPE,
        "expected an object",
    ),
    (
        {"tool_choice": {"type": "allowed_tools", "tools": [{"type": "custom", "name": "x"}]}},
        "tool_choice",
        None,
        "Tool choice 'x' not found",
    ),
    (
        {"metadata": "x"},
        "metadata",
        TYPE,
        "expected a metadata object, but got a string instead.",
    ),
    (
        {"metadata": {str(n): "v" for n in range(17)}},
        "metadata",
        "object_above_max_properties",
        "Invalid 'metadata': too many properties. Expected an object with at most 16 properties, "
        "but got an object with 17 properties instead.",
    ),
    ({"text": "x"}, "text", TYPE, "expected an object"),
    ({"text": {"zzz": 1}}, "text.zzz", UNKNOWN, "Unknown parameter: 'text.zzz'."),
    ({"text": {"format": 7}}, "text.format", TYPE, "expected an object"),
    (
        {"text": {"format": {"type": "x"}}},
        "text.format.type",
        VALUE,
        "Supported values are: 'json_object', 'text', and 'json_schema'.",
    ),
    ({"text": {"format": {"type": "json_schema"}}}, "text.format.name", MISSING, "format.name'."),
    ({"temperature": "hot"}, "temperature", TYPE, "expected a decimal, but got a string"),
    ({"stream": "yes"}, "stream", TYPE, "expected a boolean, but got a string instead."),
    (
        {"stream_options": {"include_usage": True}},
        "stream_options.include_usage",
        UNKNOWN,
        "Unknown parameter: 'stream_options.include_usage'.",
    ),
    (
        {"max_output_tokens": 15},
        "max_output_tokens",
        "integer_below_min_value",
        "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but "
        "got 15 instead.",
    ),
    ({"max_output_tokens": True}, "max_output_tokens", TYPE, "but got a boolean instead."),
    ({"max_tool_calls": 0}, "max_tool_calls", "integer_below_min_value", "value >= 1, but got 0"),
    ({"reasoning": {"zzz": 1}}, "reasoning.zzz", UNKNOWN, "Unknown parameter: 'reasoning.zzz'."),
    (
        {"reasoning": {"effort": 5}},
        "reasoning.effort",
        TYPE,
        "expected one of 'minimal', 'low', 'medium', or 'high', but got an integer instead.",
    ),
    (
        {"reasoning": {"effort": []}},
        "reasoning.effort",
        TYPE,
        "expected one of one of 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', or 'max' or "
        "integer, but got an array instead.",
    ),
    ({"reasoning": {"effort": "x"}}, "reasoning.effort", VALUE, "'xhigh', and 'max'."),
    (
        {"truncation": "x"},
        "truncation",
        VALUE,
        "Invalid value: 'x'. Supported values are: 'auto' and 'disabled'.",
    ),
    ({"truncation": {}}, "truncation", TYPE, "expected one of 'auto' or 'disabled', but got an"),
    ({"conversation": 7}, "conversation", TYPE, "expected one of an object or string"),
    (
        {"conversation": "conv_x", "previous_response_id": "resp_x"},
        None,
        "mutually_exclusive_parameters",
        "Mutually exclusive parameters: ''. Ensure you are only providing one of: 'pre..._id' or "
        "'conversation'.",
    ),
]

ITEMS = [
    (7, "input[0]", TYPE, "expected an input item, but got an integer instead."),
    (None, "input[0]", TYPE, "expected an input item, but got null instead."),
    ({}, "input[0]", VALUE, f"Invalid value: ''. {ROLES}"),
    ({"role": "tool", "content": "x"}, "input[0]", VALUE, f"Invalid value: 'tool'. {ROLES}"),
    ({"type": 7}, "input[0]", VALUE, "Invalid value: ''. Supported values are: 'additional_tools'"),
    ({"type": "x"}, "input[0]", VALUE, "'tool_search_output', and 'web_search_call'."),
    ({"role": "user"}, "input[0].content", MISSING, "'input[0].content'."),
    (user("x", bogus=1), "input[0].bogus", UNKNOWN, "Unknown parameter: 'input[0].bogus'."),
    (user("x", phase="commentary"), "input[0].phase", UNKNOWN, "'input[0].phase'."),
    (
        user(None),
        "input[0].content",
        TYPE,
        "expected one of an array of objects or string, but got null instead.",
    ),
    (user([7]), "input[0].content[0]", TYPE, "expected an object, but got an integer instead."),
    (
        user([{"type": "text", "text": "x"}]),
        "input[0].content[0].type",
        VALUE,
        "Invalid value: 'text'. Supported values are: 'input_text', 'input_image', 'input_audio', "
        "'output_text', 'refusal', 'input_file', 'computer_screenshot', 'summary_text', and "
        "'encrypted_content'.",
    ),
    (
        user([{"type": "output_text", "text": "x"}]),
        "input[0].content[0]",
        VALUE,
        "Supported values are: 'input_text', 'input_image', 'input_file', 'scoped_content', and "
        "'input_audio'.",
    ),
    (
        {"role": "assistant", "content": [{"type": "input_text", "text": "x"}]},
        "input[0].content[0]",
        VALUE,
        "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.",
    ),
    (user([{"type": "input_text"}]), "input[0].content[0].text", MISSING, "content[0].text'."),
    (
        user("x", id="item_1"),
        "input[0].id",
        VALUE,
        "Invalid 'input[0].id': 'item_1'. Expected an ID that begins with 'msg'.",
    ),
    (call(id="call_1"), "input[0].id", VALUE, "Expected an ID that begins with 'fc'."),
    ({"type": "reasoning", "id": "x"}, "input[0].id", VALUE, "an ID that begins with 'rs'."),
    (
        call(id="fc_" + "x" * 62),
        "input[0].id",
        "string_above_max_length",
        "Invalid 'input[0].id': string too long. Expected a string with maximum length 64, but "
        "got a string with length 65 instead.",
    ),
    (call(id=7), "input[0].id", TYPE, "expected a string, but got an integer instead."),
    (without(call(), "arguments"), "input[0].arguments", MISSING, "'input[0].arguments'."),
    (
        call(arguments={"path": "a"}),
        "input[0].arguments",
        TYPE,
        "expected a string, but got an object instead.",
    ),
    (without(call(), "call_id"), "input[0].call_id", MISSING, "'input[0].call_id'."),
    (
        call(call_id=""),
        "input[0].call_id",
        "empty_string",
        "Invalid 'input[0].call_id': empty string. Expected a string with minimum length 1, but "
        "got an empty string instead.",
    ),
    (call(call_id="x" * 65), "input[0].call_id", "string_above_max_length", "maximum length 64"),
    (without(call(), "name"), "input[0].name", MISSING, "'input[0].name'."),
    (
        call(name="a b"),
        "input[0].name",
        VALUE,
        "Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    ),
    (call(name=""), "input[0].name", "empty_string", "minimum length 1"),
    (without(result(), "output"), "input[0].output", MISSING, "'input[0].output'."),
    (result(output={}), "input[0].output", TYPE, "but got an object instead."),
    (
        result(output=[{"type": "output_text", "text": "x"}]),
        "input[0].output[0]",
        VALUE,
        "Invalid value: 'output_text'. Supported values are: 'input_text', 'input_image', and "
        "'input_file'.",
    ),
    (without(result(), "call_id"), "input[0].call_id", MISSING, "'input[0].call_id'."),
    (
        {"type": "additional_tools", "tools": [{"type": "function"}]},
        "input[0].tools[0].name",
        MISSING,
        "Missing required parameter: 'input[0].tools[0].name'.",
    ),
]

TOOLS = [
    ([{}], "tools[0].type", MISSING, "Missing required parameter: 'tools[0].type'."),
    ([7], "tools[0]", TYPE, "expected an object"),
    ([{"type": "function"}], "tools[0].name", MISSING, "'tools[0].name'."),
    (
        [{"type": "function", "function": {"name": "f"}}],
        "tools[0].name",
        MISSING,
        "Missing required parameter: 'tools[0].name'.",
    ),
    (
        [{**FUNCTION, "name": "a.b"}],
        "tools[0].name",
        VALUE,
        "Invalid 'tools[0].name': string does not match pattern.",
    ),
    (
        [{**FUNCTION, "name": "n" * 129}],
        "tools[0].name",
        "string_above_max_length",
        "Expected a string with maximum length 128, but got a string with length 129 instead.",
    ),
    ([{**FUNCTION, "parameters": "x"}], "tools[0].parameters", TYPE, "expected an object"),
    (
        [{**FUNCTION, "name": f"f{n}"} for n in range(129)],
        "tools",
        "array_above_max_length",
        "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an "
        "array with length 129 instead.",
    ),
    ([FUNCTION, APPLY_PATCH, FUNCTION], "tools", None, "Tool names must be unique."),
    ([{**LEDGER, "tools": [{"type": "function"}]}], "tools[0].tools[0].name", MISSING, "name'."),
    ([{**LEDGER, "tools": [7]}], "tools[0].tools[0]", TYPE, "expected an object"),
]


REFERENCE = {"type": "item_reference", "id": "rs_1"}

STATE = [
    ({"conversation": "conv_x"}, 404, None, "Conversation with id 'conv_x' not found."),
    ({"conversation": {"id": "conv_x"}}, 404, None, "Conversation with id 'conv_x' not found."),
    ({"prompt": {"id": "pmpt_x"}}, 404, None, "Prompt with id 'pmpt_x' not found."),
    ({"input": [REFERENCE]}, 404, "input", "Item with id 'rs_1' not found."),
    (
        {"input": [REFERENCE], "store": False},
        404,
        "input",
        "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false. Try "
        "again with `store` set to true, or remove this item from your input.",
    ),
    (
        {"input": [call(id="fc_1"), call(id="fc_1")]},
        400,
        "input",
        "Duplicate item found with id fc_1. Remove duplicate items from your input and try again.",
    ),
    (
        {"input": [USER, call(name="ledger_add")], "tools": [LEDGER]},
        400,
        "input[1].namespace",
        "Missing namespace for function_call 'ledger_add'. It does not exist in the default "
        "namespace. Round-trip the model's function_call item with its namespace field included.",
    ),
]


ORDER = [
    ({"model": GONE, "zzz": 1}, "model"),
    ({"input": GONE, "zzz": 1, "truncation": "x"}, "input"),
    ({"zzz": 1, "input": [user("x", bogus=1)]}, "zzz"),
    ({"input": 7, "truncation": "x"}, "input"),
    ({"input": [{}], "previous_response_id": 7}, "input[0]"),
    ({"include": ["x"], "tools": "x"}, "include[0]"),
    ({"moderation": "x", "include": ["x"]}, "moderation"),
    ({"prompt": {"id": "x"}, "include": ["x"]}, "include[0]"),
    ({"tools": "x", "metadata": "x"}, "tools"),
    ({"tool_choice": 7, "metadata": "x"}, "tool_choice"),
    ({"metadata": "x", "text": "x"}, "metadata"),
    ({"text": "x", "temperature": "x"}, "text"),
    ({"parallel_tool_calls": "x", "stream": "x"}, "parallel_tool_calls"),
    ({"stream_options": "x", "background": "x"}, "stream_options"),
    ({"max_output_tokens": "x", "max_tool_calls": "x"}, "max_output_tokens"),
    ({"reasoning": "x", "user": 7}, "reasoning"),
    ({"truncation": "x", "instructions": 7}, "truncation"),
    ({"store": "x", "service_tier": "x"}, "store"),
    ({"top_logprobs": "x", "context_management": "x"}, "top_logprobs"),
    ({"conversation": "x", "prompt": {"id": "x"}, "truncation": "x"}, "truncation"),
]
