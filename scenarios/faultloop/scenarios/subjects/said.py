"""What pip, uv and npm say of their failure: the one line of it that tells why."""

from __future__ import annotations

import re

PIP = re.compile(r"ERROR: (?P<why>.+)")
UV = re.compile(r"(error: |[×╰]─▶ |╰─▶ |× )(?P<why>.+)")
NPM = re.compile(r"npm (error|ERR!) (?P<why>.+)")
NPM_ASIDE = re.compile(
    r"(code|syscall|errno|path|cwd|dest|signal|command|A complete log|\s*/.*-debug-\d+\.log)\b.*"
)
"""What npm says beside the reason."""
NPM_KIND = re.compile(r"(?P<kind>[a-z]+|\d{3}) (?=[A-Z'\"\d])")
"""The word for the kind of the failure, before the sentence about it."""


def why(said: str) -> str:
    """The line that tells why, out of all that a tool wrote; empty where it wrote nothing.

    pip and uv end with the reason. npm begins with it, between lines for machines.
    """
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    from_npm = [
        NPM_KIND.sub("", found["why"], count=1)
        for line in lines
        if (found := NPM.fullmatch(line)) and not NPM_ASIDE.fullmatch(found["why"])
    ]
    if from_npm:
        return from_npm[0]
    for form in (PIP, UV):
        told = [found["why"] for line in lines if (found := form.fullmatch(line))]
        if told:
            return told[-1]
    return lines[-1] if lines else ""
