"""Installing the peers, and what is said where one is not here; node and npm are stand-ins."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from typer.testing import CliRunner

from faultloop.bench.perf import __main__ as perf
from faultloop.bench.perf.measurement import Figure, Measured
from faultloop.bench.perf.peers.__main__ import typed
from faultloop.bench.perf.peers.peer import (
    AIMOCK,
    FOLDER_VARIABLE,
    LLMOCK,
    NOT_INSTALLED,
    CannotInstall,
    NotInstalled,
    cache_folder,
    install,
)
from faultloop.bench.perf.peers.servers import process
from faultloop.bench.perf.peers.speed import PEERS_SPEED, peer


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs are looked for."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "peers"))
    return folder


def program(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_without_node_one_sentence_says_so(programs: Path) -> None:
    done = CliRunner().invoke(typed, ["install"])
    assert done.exit_code == 2
    assert "faultloop: aimock 1.43.0 runs on Node.js 20 or newer, which is not here" in done.output
    assert not AIMOCK.is_installed(cache_folder())


def test_a_node_that_is_too_old_is_told(programs: Path) -> None:
    program(programs, "node", "echo v18.20.4")
    program(programs, "npm", "exit 0")
    with pytest.raises(CannotInstall, match=r"20 or newer; here is 18\.20\.4"):
        install(AIMOCK, cache_folder())


def test_what_a_package_tool_says_of_its_failure_is_passed_on(programs: Path) -> None:
    program(programs, "node", "echo v20.20.2")
    lines = ["npm error code ENOTFOUND", "npm error request to registry failed, reason: no network"]
    program(programs, "npm", "\n".join(f"echo '{line}' >&2" for line in lines) + "\nexit 1")
    done = CliRunner().invoke(typed, ["install"])
    assert done.exit_code == 2
    assert "cannot be installed: request to registry failed, reason: no network" in done.output
    assert "Traceback" not in done.output
    assert not AIMOCK.is_installed(cache_folder())


def test_what_was_left_half_done_is_begun_anew(programs: Path) -> None:
    program(programs, "node", "echo v20.20.2")
    program(programs, "npm", 'echo "$@" > "$3/asked"')
    (AIMOCK.folder(cache_folder()) / "node_modules").mkdir(parents=True)
    assert not AIMOCK.is_installed(cache_folder())
    install(AIMOCK, cache_folder())
    assert AIMOCK.is_installed(cache_folder())
    folder = AIMOCK.folder(cache_folder())
    assert sorted(path.name for path in folder.iterdir()) == [".whole", "asked"]
    assert (folder / "asked").read_text().split()[-1] == "@copilotkit/aimock@1.43.0"


def test_what_is_installed_is_not_installed_again(programs: Path) -> None:
    program(programs, "node", "echo v20.20.2")
    for one in (AIMOCK, LLMOCK):
        one.folder(cache_folder()).mkdir(parents=True)
        one.mark(cache_folder()).touch()
    done = CliRunner().invoke(typed, ["install"])
    assert (done.exit_code, done.output.count(" is in ")) == (0, 2)


def test_peers_are_below_the_cache_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert cache_folder() == Path("/caches/faultloop/peers")


def test_without_its_peers_the_page_is_not_written(programs: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(typed, ["show", "--write"])
    assert done.exit_code == 2
    assert f"faultloop: {NOT_INSTALLED}" in done.output


def test_a_row_is_made_again_without_the_peers_as_well(programs: Path) -> None:
    done = CliRunner().invoke(typed, ["repeat", "orphan-call/openai_chat"])
    assert done.exit_code == 0
    assert "HTTP/1.1 400" in done.output
    assert done.output.count(NOT_INSTALLED) == 2


def test_a_row_that_is_none_is_told(programs: Path) -> None:
    done = CliRunner().invoke(typed, ["repeat", "orphan"])
    assert done.exit_code == 2
    assert "there is no row 'orphan'" in done.output


def test_a_peer_that_is_not_installed_has_no_figure(programs: Path) -> None:
    with peer("aimock") as port:
        assert port is None
    with pytest.raises(NotInstalled), process(LLMOCK, cache_folder()):
        pass


def test_a_peer_whose_runtime_is_gone_is_not_installed(programs: Path) -> None:
    AIMOCK.folder(cache_folder()).mkdir(parents=True)
    AIMOCK.mark(cache_folder()).touch()
    assert not AIMOCK.is_installed(cache_folder())
    program(programs, "node", "echo v20.20.2")
    assert AIMOCK.is_installed(cache_folder())


def test_in_place_of_a_figure_stands_what_to_run() -> None:
    figure = Figure(name="coalesced : aimock", unit="streams/s", without=NOT_INSTALLED)
    measured = Measured(figure=figure, value=5.0, baseline=math.nan, ratio=math.nan)
    row = perf._row(PEERS_SPEED[0], measured)
    assert row == ("peers", "coalesced : aimock", NOT_INSTALLED, "", "", "")


def test_a_peer_that_does_not_come_up_is_told_with_what_it_said(programs: Path) -> None:
    entry = LLMOCK.folder(cache_folder()) / "bin"
    entry.mkdir(parents=True)
    program(entry, "llmock", "echo 'no such option' >&2; exit 3")
    LLMOCK.mark(cache_folder()).touch()
    with (
        pytest.raises(RuntimeError, match=r"llmock 0\.2\.2 ended with code 3: no such option"),
        process(LLMOCK, cache_folder()),
    ):
        pass
