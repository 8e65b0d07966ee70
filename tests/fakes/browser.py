"""A real browser without a window, driven over its debugging socket; no library of browsers."""

from __future__ import annotations

import base64
import itertools
import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
WAIT_S = 60


class Page:
    """One page that is open."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self.thrown: list[str] = []

    def call(self, method: str, **params: Any) -> Any:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            told = json.loads(self._socket.recv(timeout=WAIT_S))
            if told.get("method") == "Runtime.exceptionThrown":
                self.thrown.append(json.dumps(told["params"]))
            if told.get("id") == number:
                assert "error" not in told, told
                return told["result"]

    def run(self, script: str) -> Any:
        """The value of an expression; a promise's, once it has one."""
        found = self.call(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def open(self, url: str) -> None:
        self.call("Runtime.enable")
        self.call("Page.enable")
        self.call("Page.navigate", url=url)

    def until(self, condition: str) -> None:
        """Wait until an expression is true, which is looked at whenever the page changes."""
        self.run(f"""new Promise(done => {{
            const look = () => ({condition}) && done(true);
            new MutationObserver(look).observe(document, {{
                subtree: true, childList: true, characterData: true, attributes: true }});
            look(); }})""")

    def until_it_says(self, text: str) -> None:
        self.until(f"document.body && document.body.innerText.includes({json.dumps(text)})")

    def text(self) -> str:
        return str(self.run("document.body.innerText"))

    def picture(self) -> bytes:
        return base64.b64decode(self.call("Page.captureScreenshot")["data"])


@contextmanager
def browser(folder: Path) -> Iterator[Page]:
    """A browser with one empty page; skips where there is none on this machine."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("there is no Chromium here")
    connect = pytest.importorskip("websockets.sync.client").connect
    options = (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--window-size=1100,800",
        "--remote-debugging-port=0",
        f"--user-data-dir={folder}",
    )
    with subprocess.Popen(
        [found, *options, "about:blank"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        try:
            address = ""
            for line in process.stderr:
                if "DevTools listening on " in line:
                    address = line.split("DevTools listening on ")[1].strip()
                    break
            if not address:
                pytest.skip("Chromium does not start here")
            with connect(address, max_size=None) as root:
                target = _first_page(Page(root))
            base = address.partition("/devtools/")[0]
            with connect(f"{base}/devtools/page/{target}", max_size=None) as socket:
                yield Page(socket)
        finally:
            process.kill()


def _first_page(root: Page) -> str:
    targets = root.call("Target.getTargets")["targetInfos"]
    return next(one["targetId"] for one in targets if one["type"] == "page")
