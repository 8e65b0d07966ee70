"""Starting a subject's process: what the system says of it is told in our own words."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from faultloop.scenarios.subject import BadSubject
from faultloop.scenarios.subjects.launch import spawn


def refused(program: Path) -> str:
    async def start() -> None:
        await spawn(
            (str(program),),
            environment={},
            folder=program.parent,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )

    with pytest.raises(BadSubject) as caught:
        asyncio.run(start())
    return str(caught.value)


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ("#!/no/such/shell -e\n", "its first line asks for /no/such/shell, which is not there"),
        ("#!\n", "cannot be started: "),
        ("neither script nor program\n", "Exec format error"),
    ],
)
def test_a_script_that_cannot_be_run_is_told_from_one_that_is_not_there(
    tmp_path: Path, first: str, said: str
) -> None:
    script = tmp_path / "loop.sh"
    script.write_text(first)
    script.chmod(0o755)
    assert said in refused(script)


def test_a_program_that_is_not_there_is_told_so(tmp_path: Path) -> None:
    assert "No such file or directory" in refused(tmp_path / "nowhere")
