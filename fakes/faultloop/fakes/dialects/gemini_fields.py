"""The messages of a Gemini request, as far as they are looked into.

Fields are those of the API's v1beta reference and of what the official SDK (google-genai 3.6)
sends. `any` stands where nothing is judged: what a fake has no use for may grow new fields without
a request being rejected for them.
"""

from __future__ import annotations

from faultloop.fakes.dialects.gemini_proto import Field, Schema

STRING, BOOL, BYTES = "TYPE_STRING", "TYPE_BOOL", "TYPE_BYTES"
INT32, INT64, FLOAT, DOUBLE = "TYPE_INT32", "TYPE_INT64", "TYPE_FLOAT", "TYPE_DOUBLE"
ANY, STRUCT = "any", "Struct"

_MESSAGES: dict[str, dict[str, str]] = {
    "GenerateContentRequest": {
        "model": STRING,
        "contents": "[Content]",
        "system_instruction": "Content",
        "tools": "[Tool]",
        "tool_config": "ToolConfig",
        "safety_settings": ANY,
        "generation_config": "GenerationConfig",
        "cached_content": STRING,
        "labels": ANY,
        "service_tier": ANY,
        "store": ANY,
        "continuation_token": ANY,
    },
    "CountTokensRequest": {
        "model": STRING,
        "contents": "[Content]",
        "generate_content_request": "GenerateContentRequest",
    },
    "Content": {"parts": "[Part]", "role": STRING},
    "Part": {
        "text": STRING,
        "thought": BOOL,
        "thought_signature": BYTES,
        "inline_data": "Blob",
        "file_data": "FileData",
        "function_call": "FunctionCall",
        "function_response": "FunctionResponse",
        "executable_code": ANY,
        "code_execution_result": ANY,
        "tool_call": ANY,
        "tool_response": ANY,
        "audio_transcription": ANY,
        "video_metadata": ANY,
        "media_resolution": ANY,
        "media_processing": ANY,
        "part_metadata": STRUCT,
        "speech_metadata": ANY,
        "document_metadata": ANY,
        "spreadsheet_metadata": ANY,
        "audio_metadata": ANY,
    },
    "Blob": {"mime_type": STRING, "data": BYTES, "display_name": STRING},
    "FileData": {"mime_type": STRING, "file_uri": STRING, "display_name": STRING},
    "FunctionCall": {"id": STRING, "name": STRING, "args": STRUCT},
    "FunctionResponse": {
        "id": STRING,
        "name": STRING,
        "response": STRUCT,
        "parts": ANY,
        "will_continue": BOOL,
        "scheduling": ANY,
    },
    "Tool": {
        "function_declarations": "[FunctionDeclaration]",
        "google_search": ANY,
        "google_search_retrieval": ANY,
        "google_maps": ANY,
        "code_execution": ANY,
        "computer_use": ANY,
        "url_context": ANY,
        "file_search": ANY,
        "mcp_servers": ANY,
    },
    "FunctionDeclaration": {
        "name": STRING,
        "description": STRING,
        "behavior": ANY,
        "parameters": "Schema",
        "parameters_json_schema": ANY,
        "response": "Schema",
        "response_json_schema": ANY,
    },
    "Schema": {
        "type": "Type",
        "format": STRING,
        "title": STRING,
        "description": STRING,
        "nullable": BOOL,
        "enum": f"[{STRING}]",
        "items": "Schema",
        "max_items": INT64,
        "min_items": INT64,
        "properties": "{Schema}",
        "required": f"[{STRING}]",
        "min_properties": INT64,
        "max_properties": INT64,
        "minimum": DOUBLE,
        "maximum": DOUBLE,
        "min_length": INT64,
        "max_length": INT64,
        "pattern": STRING,
        "example": ANY,
        "any_of": "[Schema]",
        # virattt/dexter #258 complains of what is inside of it, not of itself; of the next, nobody.
        "one_of": "[Schema]",
        "all_of": "[Schema]",
        "property_ordering": f"[{STRING}]",
        "default": ANY,
        "ref": STRING,
        "defs": "{Schema}",
    },
    "ToolConfig": {
        "function_calling_config": "FunctionCallingConfig",
        "retrieval_config": ANY,
        "include_server_side_tool_invocations": BOOL,
    },
    "FunctionCallingConfig": {
        "mode": "FunctionCallingConfig.Mode",
        "allowed_function_names": f"[{STRING}]",
    },
    "GenerationConfig": {
        "candidate_count": INT32,
        "stop_sequences": f"[{STRING}]",
        "max_output_tokens": INT32,
        "temperature": FLOAT,
        "top_p": FLOAT,
        "top_k": FLOAT,
        "seed": INT32,
        "response_mime_type": STRING,
        "response_schema": "Schema",
        "response_json_schema": ANY,
        "_response_json_schema": ANY,
        "presence_penalty": FLOAT,
        "frequency_penalty": FLOAT,
        "response_logprobs": BOOL,
        "logprobs": INT32,
        "enable_enhanced_civic_answers": BOOL,
        "response_modalities": ANY,
        "response_format": ANY,
        "speech_config": ANY,
        "thinking_config": "ThinkingConfig",
        "image_config": ANY,
        "media_resolution": ANY,
        "audio_timestamp": ANY,
        "audio_transcription_config": ANY,
        "translation_config": ANY,
        "enable_affective_dialog": ANY,
        "model_selection_config": ANY,
        "routing_config": ANY,
    },
    "ThinkingConfig": {"include_thoughts": BOOL, "thinking_budget": INT32, "thinking_level": ANY},
}
"""Kind of each field by message; `[X]` is a list of X, `{X}` a map to X.

A schema has no `additional_properties`: the SDK's type does, but the API rejects it
(glowingjade/obsidian-smart-composer #455 and many since)."""

_PART_DATA = (
    "text",
    "inline_data",
    "file_data",
    "function_call",
    "function_response",
    "executable_code",
    "code_execution_result",
    "tool_call",
    "tool_response",
)

PART_DATA = frozenset(_PART_DATA)
"""What a part can be; it is one of them."""

_SHAPES = {"[": "list", "{": "map"}


def _field(name: str, kind: str) -> Field:
    shape = _SHAPES.get(kind[0], "")
    return Field(name, kind[1:-1] if shape else kind, shape)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


SCHEMA = Schema(
    messages={
        message: {
            alias: _field(name, kind)
            for name, kind in fields.items()
            for alias in (name, _camel(name))
        }
        for message, fields in _MESSAGES.items()
    },
    enums={
        "Type": frozenset(
            {
                "TYPE_UNSPECIFIED",
                "STRING",
                "NUMBER",
                "INTEGER",
                "BOOLEAN",
                "ARRAY",
                "OBJECT",
                "NULL",
            }
        ),
        "FunctionCallingConfig.Mode": frozenset(
            {"MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED"}
        ),
    },
    oneofs={"Part": ("data", PART_DATA)},
)
