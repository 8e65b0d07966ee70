"""The page of a gateway that answers in place of the service behind it.

An injected 502, 503 or 504 is HTML, as in life, whether it stands before the provider or before a
tool: a client that expects JSON on every failure breaks here.
"""

from __future__ import annotations

_REASONS = {502: "Bad Gateway", 503: "Service Temporarily Unavailable", 504: "Gateway Time-out"}
"""nginx's own names; `src/http/ngx_http_special_response.c`."""

PAGE_TYPE = "text/html"


def gateway_page(status: int) -> str:
    """The page that nginx sends with this status."""
    title = f"{status} {_REASONS[status]}"
    return (
        f"<html>\r\n<head><title>{title}</title></head>\r\n<body>\r\n"
        f"<center><h1>{title}</h1></center>\r\n<hr><center>nginx</center>\r\n"
        "</body>\r\n</html>\r\n"
    )
