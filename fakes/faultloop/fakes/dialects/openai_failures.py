"""What OpenAI says when it fails by itself: Chat Completions and Responses, which differ in some.

Both have one form of error and one set of headers; `type` follows from the status, in each dialect.
"""

from __future__ import annotations

from faultloop.fakes.asgi import Headers
from faultloop.fakes.dialects.failing import Failures, Words, spelt_wait

_LIMITS = {"requests": 500, "tokens": 2_000_000}
"""What is allowed in a minute. Nothing counts it: an injected 429 says that it is used up."""

_RATE_LIMITED = Words(
    429,
    f"Rate limit reached for {{model}} in organization org-faultloop on requests per min (RPM): "
    f"Limit {_LIMITS['requests']}, Used {_LIMITS['requests']}, Requested 1. Please try again in "
    "{wait}. Visit https://platform.openai.com/account/rate-limits to learn more.",
    "feder-cr/invisible_playwright_mcp #249 (2024, with its type and code), openai/codex #10060 "
    "(2026)",
    "rate_limit_exceeded",
)
_REJECTED = {
    "rejected_request 400": Words(
        400,
        "Invalid prompt: your prompt was flagged as potentially violating our usage policy. Please "
        "try again with a different prompt: https://platform.openai.com/docs/guides/reasoning"
        "#advice-on-prompting",
        "BeehiveInnovations/pal-mcp-server #178 (2025), openai/codex #44287 (2026)",
        "invalid_prompt",
    ),
    "rejected_request 401": Words(
        401,
        "Incorrect API key provided: sk-fault****cret. You can find your API key at "
        "https://platform.openai.com/account/api-keys.",
        "from memory of the documentation (Error codes)",
        "invalid_api_key",
    ),
    "rejected_request 403": Words(
        403,
        "Project `proj_faultloop` does not have access to model `{model}`",
        "from memory of what clients quote",
        "model_not_found",
    ),
    "rejected_request 404": Words(
        404,
        "The model `{model}` does not exist or you do not have access to it.",
        "from memory of what clients quote",
        "model_not_found",
    ),
}

CHAT: Failures = {
    "rate_limited": _RATE_LIMITED,
    "server_error": Words(
        500,
        "The server had an error while processing your request. Sorry about that!",
        "langbot-app/LangBot #126 (2023)",
    ),
    "overloaded": Words(
        503,
        "That model is currently overloaded with other requests. You can retry your request, or "
        "contact us through our help center at help.openai.com if the error persists. (Please "
        "include the request ID req_{request} in your message.)",
        "ikechan8370/chatgpt-plugin #125 (2023, with its type and code)",
    ),
    **_REJECTED,
}
"""Chat Completions."""

RESPONSES: Failures = {
    "rate_limited": _RATE_LIMITED,
    "server_error": Words(
        500,
        "An error occurred while processing your request. You can retry your request, or contact "
        "us through our help center at help.openai.com if the error persists. Please include the "
        "request ID req_{request} in your message.",
        "openai/openai-node #1730 (2026)",
        "server_error",
    ),
    "overloaded": Words(
        503,
        "Our servers are currently overloaded. Please try again later.",
        "Wei-Shaw/sub2api #6631 (2026), in a stream; as an answer its status is 503",
        "server_is_overloaded",
    ),
    **_REJECTED,
}
"""Responses."""


def limits(used_up_for_s: float) -> Headers:
    """What is left of the limits while the requests are used up. Names and forms are those of
    BeehiveInnovations/pal-mcp-server #178 (2025); left out of all other answers."""
    left = {**_LIMITS, "requests": 0}
    reset = {"requests": used_up_for_s, "tokens": 0.0}
    return (
        *((f"x-ratelimit-limit-{kind}", str(limit)) for kind, limit in _LIMITS.items()),
        *((f"x-ratelimit-remaining-{kind}", str(rest)) for kind, rest in left.items()),
        *((f"x-ratelimit-reset-{kind}", spelt_wait(time)) for kind, time in reset.items()),
    )
