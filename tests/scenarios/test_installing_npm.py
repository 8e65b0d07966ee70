"""Installing npm packages, by the real npm, from a registry of two packages on loopback."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import shutil
import tarfile
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from faultloop.scenarios.subjects.installed import folder_of
from faultloop.scenarios.subjects.installing import CannotInstall, install
from faultloop.scenarios.subjects.recipe import Recipe

VERSION = "1.2.3"
MARKS_ITSELF = {"postinstall": "node -e \"require('fs').writeFileSync('ran', '')\""}
PACKAGES = {
    "toy-loop": {"dependencies": {"toy-leaf": VERSION}, "scripts": MARKS_ITSELF},
    "toy-leaf": {"scripts": MARKS_ITSELF},
}


def tarball(name: str) -> bytes:
    about = json.dumps({"name": name, "version": VERSION, **PACKAGES[name]}).encode()
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        entry = tarfile.TarInfo("package/package.json")
        entry.size = len(about)
        tar.addfile(entry, io.BytesIO(about))
    return packed.getvalue()


TARBALLS = {name: tarball(name) for name in PACKAGES}


class Registry(BaseHTTPRequestHandler):
    """Answers for a package's document and for its tarball."""

    def do_GET(self) -> None:
        name, _, wants_tarball = self.path.strip("/").partition("/")
        if name not in PACKAGES:
            self.send_error(404)
            return
        body = TARBALLS[name] if wants_tarball else json.dumps(self.document(name)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def document(self, name: str) -> dict[str, object]:
        digest = base64.b64encode(hashlib.sha512(TARBALLS[name]).digest()).decode()
        where = f"http://{self.headers['Host']}/{name}/-/{name}.tgz"
        release = {
            "name": name,
            "version": VERSION,
            **PACKAGES[name],
            "hasInstallScript": True,
            "dist": {"tarball": where, "integrity": f"sha512-{digest}"},
        }
        return {"name": name, "dist-tags": {"latest": VERSION}, "versions": {VERSION: release}}

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its own name for it
        """Nobody reads it."""


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Registry)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    monkeypatch.setenv("npm_config_registry", f"http://127.0.0.1:{server.server_port}/")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "npm"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("FAULTLOOP_CACHE", str(tmp_path / "cache"))
    yield
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not here")
@pytest.mark.usefixtures("registry")
def test_npm_installs_what_is_pinned_and_runs_only_the_scripts_of_what_is_named() -> None:
    recipe = Recipe(name="toy", version=VERSION, npm=(f"toy-loop@{VERSION}",))
    made = install(recipe)
    assert made.npm == {"toy-loop": VERSION, "toy-leaf": VERSION}
    modules = folder_of(recipe) / "node_modules"
    assert (modules / "toy-loop" / "ran").exists()
    assert not (modules / "toy-leaf" / "ran").exists()
    with pytest.raises(CannotInstall, match=r"No matching version found for toy-loop@9\.9\.9"):
        install(Recipe(name="toy", version="9.9.9", npm=("toy-loop@9.9.9",)))
