"""A `uv` that fetches nothing: it makes an environment with a Python that knows one package."""

from __future__ import annotations

from pathlib import Path

_PROGRAM = """#!/bin/sh
if [ "$1" = venv ]; then
  mkdir -p "$5/bin"
  printf '#!/bin/sh\\necho \\047{"toy": "1.0"}\\047\\n' > "$5/bin/python"
  chmod +x "$5/bin/python"
else
  echo "$@" >> ../asked
  %s
fi
"""


def stand_in_uv(programs: Path, twist: str = ":") -> None:
    """Put it into a folder; what it is asked to install lies in `asked` beside the installation.

    `twist` is a line of shell that it runs where the real one would install.
    """
    programs.mkdir(exist_ok=True)
    (programs / "uv").write_text(_PROGRAM % twist)
    (programs / "uv").chmod(0o755)
