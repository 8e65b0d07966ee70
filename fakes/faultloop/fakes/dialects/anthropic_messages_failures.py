"""What the Messages API says when it fails by itself.

There is no `code`; `type` follows from the status, and so do `x-should-retry` and the headers of
the limits (`anthropic_messages`).
"""

from __future__ import annotations

from faultloop.fakes.dialects.anthropic_messages_complaints import COMPLAINTS
from faultloop.fakes.dialects.failing import Failures, Words

ORGANIZATION = "00000000-0000-4000-8000-000000000000"

LIMITS = {
    "requests": 4000,
    "input-tokens": 2000000,
    "output-tokens": 400000,
    "tokens": 2400000,
}
"""What is allowed in a minute. Nothing counts it: an injected 429 says that it is used up."""

_TOO_LARGE = COMPLAINTS["too_large"]

FAILURES: Failures = {
    "rate_limited": Words(
        429,
        f"This request would exceed your organization's rate limit of {LIMITS['requests']:,} "
        f"requests per minute (org: {ORGANIZATION}, model: {{model}}). For details, refer to: "
        "https://docs.claude.com/en/api/rate-limits. You can see the response headers for current "
        "usage. Please reduce the prompt length or the maximum tokens requested, or try again "
        "later. You may also contact sales at https://claude.com/contact-sales to discuss your "
        "options for a rate limit increase.",
        "anthropics/claude-code #55132 (2026), of input tokens",
    ),
    "server_error": Words(
        500, "Internal server error", "anthropics/claude-code #91800 (2026), with the whole body"
    ),
    "overloaded": Words(
        529,
        "Overloaded",
        "anthropics/anthropic-sdk-typescript #616 (2024, with all headers), anthropics/claude-code "
        "#3628",
    ),
    "rejected_request 400": Words(
        400, "Output blocked by content filtering policy", "anthropics/claude-code #58367 (2026)"
    ),
    "rejected_request 401": Words(
        401, "invalid x-api-key", "ITSpecialist111/ai_automation_suggester #153 (2026)"
    ),
    "rejected_request 403": Words(
        403,
        "Request not allowed",
        "enricoros/big-AGI #176 (2023), where its type is forbidden; the documentation has "
        "permission_error",
    ),
    "rejected_request 404": Words(
        404, "model: {model}", "langgenius/dify-official-plugins #1201 (2025)"
    ),
    "rejected_request 413": Words(413, _TOO_LARGE.sentence, _TOO_LARGE.source),
}
