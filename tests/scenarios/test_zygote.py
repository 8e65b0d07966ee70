"""The zygote: one import, many forks, and clear words where it cannot be had."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import psutil
import pytest

import faultloop.bench.subjects
from faultloop.scenarios.subject import BadSubject
from faultloop.scenarios.subjects.launch import Launched, Start, Streams
from faultloop.scenarios.subjects.zygote import Zygote

HELPER_FOLDER = Path(faultloop.bench.subjects.__file__).parent
RUN = "import os, sys, time\nimport faultloop_driver as bench\n"


class Nursery:
    """A zygote of a driver text, and the files of its starts."""

    def __init__(self, folder: Path, driver: str) -> None:
        self.folder = folder
        (folder / "driver.py").write_text(driver)
        command = (sys.executable, str(folder / "driver.py"))
        self.zygote = Zygote(command, {"PYTHONPATH": str(HELPER_FOLDER)})
        self.streams: dict[int, Streams] = {}

    async def launch(self, number: int, text: str = "", *, folder: Path | None = None) -> Launched:
        self.streams[number] = Streams(self.folder / "streams", number, control=False)
        environment = {
            "FAULTLOOP_SESSION": "session",
            "FAULTLOOP_START": str(number),
            "FAULTLOOP_INPUT": text,
        }
        return await self.zygote.launch(
            Start(
                environment=environment,
                folder=folder or self.folder,
                streams=self.streams[number],
            )
        )


def test_the_driver_is_imported_once_and_every_start_is_a_process_of_its_own(
    tmp_path: Path,
) -> None:
    driver = RUN + (
        "print('imported', os.getpid())\n"
        "bench.run(lambda: f'{os.getpid()} {os.getppid()} {os.getsid(0)}')\n"
    )
    nursery = Nursery(tmp_path, driver)

    async def play() -> None:
        parents = set()
        for number in (1, 2, 3):
            launched = await nursery.launch(number)
            assert await launched.exit_code == 0
            said = nursery.streams[number].output()
            own, parent, session = said.split('"final_text": "')[1].split('"')[0].split()
            assert own == session == str(launched.pid)
            assert "imported" not in said
            parents.add(parent)
        assert len(parents) == 1
        await nursery.zygote.close()
        assert not psutil.pid_exists(int(parents.pop()))

    asyncio.run(play())


def test_starts_overlap_and_each_has_its_own_environment_and_exit_code(tmp_path: Path) -> None:
    driver = RUN + (
        "def main():\n"
        "    while bench.setting('START') == '1' and not os.path.exists('go'):\n"
        "        time.sleep(0.005)\n"
        "    open('go', 'w').close()\n"
        "    sys.exit(int(bench.setting('INPUT')))\n"
        "bench.run(main)\n"
    )
    nursery = Nursery(tmp_path, driver)

    async def play() -> list[int]:
        first = await nursery.launch(1, "7")
        second = await nursery.launch(2, "8")
        codes = list(await asyncio.gather(first.exit_code, second.exit_code))
        await nursery.zygote.close()
        return codes

    assert asyncio.run(play()) == [7, 8]


def test_death_by_a_signal_is_told_as_such(tmp_path: Path) -> None:
    nursery = Nursery(tmp_path, RUN + "bench.run(lambda: time.sleep(1000))\n")

    async def play() -> int:
        launched = await nursery.launch(1)
        os.kill(launched.pid, signal.SIGKILL)
        code = await launched.exit_code
        await nursery.zygote.close()
        return code

    assert asyncio.run(play()) == -signal.SIGKILL


def test_a_fork_that_dies_before_its_first_word_is_a_start_that_said_nothing(
    tmp_path: Path,
) -> None:
    nursery = Nursery(tmp_path, RUN + "bench.run(lambda: 'Done.')\n")

    async def play() -> list[int]:
        one, none, other = await asyncio.gather(
            nursery.launch(1), nursery.launch(2, folder=tmp_path / "nowhere"), nursery.launch(3)
        )
        codes = await asyncio.gather(one.exit_code, none.exit_code, other.exit_code)
        assert nursery.streams[2].output() == ""
        assert len({one.pid, none.pid, other.pid}) == 3
        await nursery.zygote.close()
        return codes

    assert asyncio.run(play()) == [0, 1, 0]


def test_a_driver_that_cannot_be_imported_is_its_author_s_fault(tmp_path: Path) -> None:
    nursery = Nursery(tmp_path, "import no_such_sdk\n")

    async def play() -> None:
        with pytest.raises(BadSubject, match=r"exit code 1 \(ModuleNotFoundError.*no_such_sdk"):
            await nursery.launch(1)
        await nursery.zygote.close()

    asyncio.run(play())


def test_a_driver_that_does_not_serve_as_a_zygote_is_told(tmp_path: Path) -> None:
    nursery = Nursery(tmp_path, "print('hello')\n")

    async def play() -> None:
        with pytest.raises(BadSubject, match="it wrote nothing to stderr"):
            await nursery.launch(1)
        await nursery.zygote.close()

    asyncio.run(play())


def test_a_zygote_that_dies_leaves_nobody_waiting(tmp_path: Path) -> None:
    nursery = Nursery(tmp_path, RUN + "bench.run(lambda: time.sleep(1000))\n")

    async def play() -> None:
        launched = await nursery.launch(1)
        os.kill(psutil.Process(launched.pid).ppid(), signal.SIGKILL)
        with pytest.raises(BadSubject, match="zygote ended with exit code -9"):
            await launched.exit_code
        with pytest.raises(BadSubject, match="zygote ended"):
            await nursery.launch(2)
        await nursery.zygote.close()
        assert psutil.Process(launched.pid).status() == psutil.STATUS_ZOMBIE

    asyncio.run(play())


def test_closing_ends_what_was_forked(tmp_path: Path) -> None:
    nursery = Nursery(tmp_path, RUN + "bench.run(lambda: time.sleep(1000))\n")

    async def play() -> int:
        launched = await nursery.launch(1)
        await nursery.zygote.close()
        return launched.pid

    pid = asyncio.run(play())
    assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


LIAR = """
import json, os, subprocess, sys
say = lambda **line: print("@faultloop", json.dumps(line), flush=True)
say(zygote=1)
for line in sys.stdin:
    told = json.loads(line)
    key = {"session": told["FAULTLOOP_SESSION"], "start": told["FAULTLOOP_START"]}
    stranger = int(told["FAULTLOOP_INPUT"])
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    say(**key, **{sys.argv[1]: stranger or child.pid})
"""


@pytest.mark.parametrize("key", ["pid", "forked"])
@pytest.mark.parametrize("pid", [-1, 1, 2**31, "a stranger's"])
def test_a_pid_that_is_none_of_its_forks_is_never_signalled(
    tmp_path: Path, key: str, pid: int | str
) -> None:
    assert lied(tmp_path, key, pid).endswith("is none that it has forked")


def test_a_fork_that_leads_no_session_of_its_own_is_not_signalled_either(tmp_path: Path) -> None:
    assert "leads no session, so it has not called setsid" in lied(tmp_path, "pid", 0)


def lied(folder: Path, key: str, pid: int | str) -> str:
    """What is said of a zygote that names this process; 0: a child that shares its session."""
    nursery = Nursery(folder, LIAR.replace("sys.argv[1]", repr(key)))

    async def play() -> str:
        stranger = await asyncio.create_subprocess_exec(
            sys.executable, "-c", "input()", stdin=asyncio.subprocess.PIPE, start_new_session=True
        )
        try:
            with pytest.raises(BadSubject) as told:
                await nursery.launch(1, str(pid if isinstance(pid, int) else stranger.pid))
            await nursery.zygote.close()
            assert stranger.returncode is None
        finally:
            stranger.kill()
            await stranger.wait()
        return str(told.value)

    return asyncio.run(play())


def test_a_line_that_is_none_of_the_protocol_ends_the_zygote_and_is_told(tmp_path: Path) -> None:
    nursery = Nursery(tmp_path, "print('@faultloop [1]', flush=True)\ninput()\n")

    async def play() -> None:
        with pytest.raises(BadSubject, match="was ended: a marked line of it is none of the proto"):
            await nursery.launch(1)
        await nursery.zygote.close()

    asyncio.run(play())
