"""The hosting app: conversations below `/c/NAME/`, the JSON API below `/_faultloop`, a page at `/`.

Conversations are served exactly as plays are (`fakes.app`); only the way to a stage is another. A
path is taken apart before its escapes are read, so that a name may have slashes: tests' names do.
"""

from __future__ import annotations

from urllib.parse import unquote

from faultloop.fakes.app import App
from faultloop.fakes.asgi import Headers, Message, Receive, Scope, Send
from faultloop.fakes.connection import Connection
from faultloop.fakes.hosting.admin import Admin
from faultloop.fakes.hosting.conversations import Hosting, NoScript
from faultloop.fakes.routing import NoSuchRoute
from faultloop.fakes.stage import Stage

BELOW = "/c/"
START = 1
"""A conversation is one start: nobody here sees a client's process come and go."""


PREFLIGHT: Headers = (
    ("access-control-allow-origin", "*"),
    ("access-control-allow-methods", "GET, POST, OPTIONS"),
    ("access-control-allow-headers", "*, authorization"),
    ("access-control-max-age", "600"),
)
"""What a browser wants to hear before a page's SDK may ask, as from the providers (Fetch standard,
CORS protocol)."""


class HostApp(App):
    """ASGI app of a `Hosting`."""

    def __init__(self, hosting: Hosting, *, coalesce: bool = False) -> None:
        super().__init__(coalesce=coalesce)
        self.hosting = hosting
        self._admin = Admin(hosting, self.failures)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        path = scope["raw_path"].decode("latin-1")
        if path.startswith(BELOW) and _is_a_pages(scope):
            if scope["method"] == "OPTIONS":
                await Connection(scope, receive, send).whole(200, PREFLIGHT, b"")
                return
            send = _readable(send)
        if self._admin.serves(path):
            await self._admin.answer(Connection(scope, receive, send), path)
        else:
            await super().__call__({**scope, "path": path}, receive, send)

    def locate(self, url_path: str) -> tuple[str, Stage, int, str]:
        """Conversation, stage, start and the path below it. Raises NoSuchRoute. `url_path` still
        has its escapes."""
        spelt, _, path = url_path.removeprefix(BELOW).partition("/")
        if not (url_path.startswith(BELOW) and spelt and path):
            raise NoSuchRoute(
                f"no such path: {url_path}; a conversation is at /c/NAME/v1/..., where NAME is any "
                "word of yours, the page at / and the API at /_faultloop"
            )
        try:
            name = unquote(spelt)
            return name, self.hosting.touch(name).stage, START, f"/{unquote(path)}"
        except NoScript as error:
            raise NoSuchRoute(str(error)) from None


def _is_a_pages(scope: Scope) -> bool:
    """Whether a page in a browser asks."""
    return any(name == b"origin" for name, _ in scope["headers"])


def _readable(send: Send) -> Send:
    """The same, and any page may read what is sent: what is said here is made up."""

    async def allowing(message: Message) -> None:
        if message["type"] == "http.response.start":
            allowed = (b"access-control-allow-origin", b"*")
            message = {**message, "headers": [*message["headers"], allowed]}
        await send(message)

    return allowing
