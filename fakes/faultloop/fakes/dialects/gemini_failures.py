"""What the Gemini API says when it fails by itself.

`status` in the body follows from the HTTP status (`gemini_errors`), and so does the rest of it;
there is no gateway before it that would answer a 504 as a page.
"""

from __future__ import annotations

from faultloop.fakes.dialects.failing import Failures, Words
from faultloop.fakes.dialects.gemini_complaints import COMPLAINTS
from faultloop.fakes.dialects.gemini_errors import QUOTA

_NO_MODEL = COMPLAINTS["no_model"]

FAILURES: Failures = {
    "rate_limited": Words(
        429,
        "You exceeded your current quota, please check your plan and billing details. For more "
        "information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits. To "
        "monitor your current usage, head to: https://ai.dev/rate-limit. \n* Quota exceeded for "
        f"metric: {QUOTA['quotaMetric']}, limit: {QUOTA['quotaValue']}, model: {{model}}\nPlease "
        "retry in {wait}.",
        "gke-labs/gemini-for-kubernetes-development #1215 (2026); the two last lines from memory "
        "of what clients quote",
    ),
    "server_error": Words(
        500,
        "An internal error has occurred. Please retry or report in "
        "https://developers.generativeai.google/guide/troubleshooting",
        "google-gemini/gemini-cli #3656 (2025), googleapis/python-genai #818",
    ),
    "overloaded": Words(
        503,
        "This model is currently experiencing high demand. Spikes in demand are usually temporary. "
        "Please try again later.",
        "continuedev/continue #12800 (2026); until 2025 it was 'The model is overloaded. Please "
        "try again later.', google-gemini/gemini-cli #15745",
    ),
    "gateway_timeout": Words(
        504,
        "Deadline expired before operation could complete.",
        "googleapis/python-genai #1808 (2025), of a 503; letta-ai/letta #2861 for the status",
    ),
    "rejected_request 400": Words(
        400, "Request contains an invalid argument.", "google-gemini/gemini-cli #15762 (2025)"
    ),
    "rejected_request 401": Words(
        401,
        "Request had invalid authentication credentials. Expected OAuth 2 access token, login "
        "cookie or other valid authentication credential. See "
        "https://developers.google.com/identity/sign-in/web/devconsole-project.",
        "from memory of Google's other APIs",
    ),
    "rejected_request 403": Words(
        403,
        "Your API key was reported as leaked. Please use another API key.",
        "continuedev/continue #10513 (2026)",
    ),
    "rejected_request 404": Words(
        404,
        _NO_MODEL.sentence.format(
            model="models/{model}", version="v1beta", method="generateContent"
        ),
        _NO_MODEL.source,
    ),
}
