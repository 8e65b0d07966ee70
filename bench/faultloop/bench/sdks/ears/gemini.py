"""generateContent as `google-genai` hears it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from google import genai
from google.genai import errors, types

from faultloop.bench.sdks import typed
from faultloop.bench.sdks.ears.ear import GO, MODEL, NAME, RESULT, SCHEMA
from faultloop.bench.sdks.heard import Asked, Heard, HeardCall, Seen, Trouble, Wire, canonical
from faultloop.bench.sdks.kinds import Family
from faultloop.fakes.hosting import BaseUrls
from faultloop.fakes.script import Finish

UNDOCUMENTED = ("serviceTier",)
"""Fields that recordings of the API have, and the types of the SDK have not."""

_MEDIA = "of media, which the fake model neither sees nor makes"
_BUILT_IN = "of a tool that the provider runs itself: such tools are declared here and never called"
_OTHER_END = "an end that no script can ask for"

PARTS: Mapping[str, str] = {
    "*_metadata": _MEDIA,
    "media_*": _MEDIA,
    "file_data": _MEDIA,
    "inline_data": _MEDIA,
    "audio_transcription": _MEDIA,
    "executable_code": _BUILT_IN,
    "code_execution_result": _BUILT_IN,
    "tool_call": _BUILT_IN,
    "tool_response": _BUILT_IN,
    "function_response": "what clients send",
}
FINISHES: Mapping[str, str] = {
    "FINISH_REASON_UNSPECIFIED": "never sent by the API",
    "IMAGE_*": _MEDIA,
    "NO_IMAGE": _MEDIA,
    **dict.fromkeys(
        (
            "RECITATION",
            "LANGUAGE",
            "OTHER",
            "BLOCKLIST",
            "PROHIBITED_CONTENT",
            "SPII",
            "UNEXPECTED_TOOL_CALL",
            "TOO_MANY_TOOL_CALLS",
            "MISSING_THOUGHT_SIGNATURE",
            "MALFORMED_RESPONSE",
            "ESCALATION",
            "PUP_LIMITED_DISABLED",
            "CONTINUATION",
            "MODEL_ARMOR",
        ),
        _OTHER_END,
    ),
}
RESPONSES: Mapping[str, str] = {
    "sdk_http_response": "filled in by the SDK",
    "automatic_function_calling_history": "filled in by the SDK",
    "parsed": "filled in by the SDK",
    "create_time": "Vertex AI alone sends it",
    "prompt_feedback": "only of a prompt that is blocked before it is answered",
    "model_status": "only of models that are being retired",
}

_CODES: Mapping[int, str] = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}


class GeminiEar:
    """The ear."""

    dialect = "gemini"
    package = "google-genai"
    id_prefix = ""
    finishes: Mapping[Finish, str] = {
        "stop": "STOP",
        "tool_calls": "STOP",
        "length": "MAX_TOKENS",
        "content_filter": "SAFETY",
    }

    def __init__(self) -> None:
        self.seen = Seen()
        options = types.HttpOptions(client_args={"trust_env": False})
        self._client = genai.Client(api_key="none", http_options=options)

    @property
    def families(self) -> Sequence[Family]:
        """Fields of a response and of a part, and finish reasons: chunks have no types."""
        return (
            Family(
                name="fields of responses",
                defined=frozenset(types.GenerateContentResponse.model_fields),
                reasons=RESPONSES,
            ),
            Family(
                name="kinds of parts", defined=frozenset(types.Part.model_fields), reasons=PARTS
            ),
            Family(
                name="finish reasons",
                defined=frozenset(each.value for each in types.FinishReason),
                reasons=FINISHES,
            ),
        )

    def ask(self, urls: BaseUrls, asked: Asked, *, streamed: bool) -> Heard:
        """One reply."""
        if streamed:
            return _heard(self._stream(urls, asked), ())
        models: Any = self._client.models
        response = models.generate_content(**_ask(urls, asked))
        return _heard([response], self._judge(response))

    def _stream(self, urls: BaseUrls, asked: Asked) -> list[types.GenerateContentResponse]:
        models: Any = self._client.models
        return list(models.generate_content_stream(**_ask(urls, asked)))

    def wire(self, urls: BaseUrls, asked: Asked) -> Wire:
        """One streamed reply, chunk by chunk."""
        chunks = self._stream(urls, asked)
        complaints = [sentence for chunk in chunks for sentence in self._judge(chunk)]
        parts = [part for chunk in chunks for part in _parts(chunk)]
        calls = [part for part in parts if part.function_call]
        return Wire(
            pieces=tuple(part.text for part in parts if part.text and not part.thought),
            thoughts=tuple(part.text for part in parts if part.text and part.thought),
            indexes=tuple(range(len(calls))),
            complaints=tuple(complaints),
        )

    def _judge(self, response: types.GenerateContentResponse) -> list[str]:
        """Take down what kinds of things it holds; the SDK itself has validated it."""
        self.seen.add(
            "fields of responses",
            response.model_dump(exclude={"sdk_http_response"}, exclude_none=True),
        )
        for candidate in response.candidates or ():
            reason = candidate.finish_reason
            self.seen.add("finish reasons", [reason.value if reason else None])
        for part in _parts(response):
            self.seen.add("kinds of parts", part.model_dump(exclude_none=True))
        value = response.model_dump(mode="json", exclude={"sdk_http_response"}, exclude_none=True)
        return typed.refused(types.GenerateContentResponse, value, known=UNDOCUMENTED)

    def breaks_off(self, urls: BaseUrls) -> str:
        """The error that the stream raises."""
        try:
            self._stream(urls, Asked())
        except errors.APIError as error:
            return error.message or ""
        return ""

    def trouble(self, error: Exception) -> Trouble | None:
        """A failure of the API."""
        if not isinstance(error, errors.APIError):
            return None
        failure = error.details.get("error", {}) if isinstance(error.details, dict) else {}
        delays = [each["retryDelay"] for each in failure.get("details", ()) if "retryDelay" in each]
        return Trouble(
            kind=type(error).__name__,
            status=error.code,
            message=error.message or "",
            code=error.status,
            request_id=None,
            waits_s=float(delays[0].removesuffix("s")) if delays else None,
        )

    def kind_of(self, status: int) -> str:
        """Name of the exception's class."""
        return "ServerError" if status >= 500 else "ClientError"

    def code_of(self, status: int) -> str | None:
        """`status` of the error, in Google's words."""
        return _CODES[status]

    def answered(self, items: Sequence[Any], heard: Heard) -> list[Any]:
        """The conversation so far, the reply, and the results."""
        results = [
            types.Part(
                function_response=types.FunctionResponse(
                    id=call.id, name=call.name, response={"output": RESULT}
                )
            )
            for call in heard.calls
        ]
        begun = items or (types.Content(role="user", parts=[types.Part(text=GO)]),)
        said = [*begun, types.Content(role="model", parts=list(heard.echo))]
        return [*said, types.Content(role="user", parts=results)] if results else said

    def models(self, urls: BaseUrls) -> Iterable[str]:
        """Ids of the models that are listed."""
        models: Any = self._client.models
        listed = models.list(config={"http_options": _options(urls)})
        return [model.name.removeprefix("models/") for model in listed]

    def model(self, urls: BaseUrls, name: str) -> str:
        """One model."""
        models: Any = self._client.models
        found: str = models.get(model=name, config={"http_options": _options(urls)}).name
        return found.removeprefix("models/")

    def count(self, urls: BaseUrls) -> int:
        """How many tokens a request has."""
        models: Any = self._client.models
        config = {"http_options": _options(urls)}
        counted = models.count_tokens(model=MODEL, contents=GO * 100, config=config)
        found: int = counted.total_tokens
        return found

    def close(self) -> None:
        """Let go of its connections."""
        self._client.close()


def _options(urls: BaseUrls) -> types.HttpOptions:
    return types.HttpOptions(base_url=urls.gemini)


def _ask(urls: BaseUrls, asked: Asked) -> dict[str, Any]:
    declared = types.FunctionDeclaration(name=NAME, parameters_json_schema=SCHEMA)
    config = types.GenerateContentConfig(
        http_options=_options(urls),
        tools=[types.Tool(function_declarations=[declared])],
        max_output_tokens=asked.max_tokens,
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        thinking_config=types.ThinkingConfig(include_thoughts=True) if asked.thinks else None,
    )
    return {"model": MODEL, "contents": list(asked.items) or GO, "config": config}


def _parts(response: types.GenerateContentResponse) -> list[types.Part]:
    return [
        part
        for candidate in response.candidates or ()
        if candidate.content
        for part in candidate.content.parts or ()
    ]


def _heard(chunks: Sequence[types.GenerateContentResponse], complaints: Iterable[str]) -> Heard:
    parts = [part for chunk in chunks for part in _parts(chunk)]
    calls = [part.function_call for part in parts if part.function_call]
    last = chunks[-1]
    usage = last.usage_metadata
    (candidate,) = last.candidates or (None,)
    reason = candidate.finish_reason if candidate else None
    return Heard(
        text="".join(part.text or "" for part in parts if not part.thought),
        thought="".join(part.text or "" for part in parts if part.thought),
        calls=tuple(
            HeardCall(call.id or "", call.name or "", canonical(call.args)) for call in calls
        ),
        finish=reason.value if reason else "",
        id=last.response_id or "",
        model=last.model_version or "",
        prompt_tokens=usage.prompt_token_count if usage else None,
        completion_tokens=usage.candidates_token_count if usage else None,
        total_tokens=usage.total_token_count if usage else None,
        reasoning_tokens=usage.thoughts_token_count if usage else None,
        echo=tuple(parts),
        complaints=tuple(complaints),
    )
