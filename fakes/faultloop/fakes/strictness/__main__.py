"""`python -m faultloop.fakes.strictness [DOCS]` prints the rules, and writes the page into the
folder `docs` (or DOCS), if there."""

from __future__ import annotations

import sys
from pathlib import Path

from faultloop.fakes.strictness import RULES
from faultloop.fakes.strictness.page import PAGE, document


def main() -> None:
    """Print each rule with the APIs that keep it, and write the page."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs")
    width = max(map(len, RULES))
    for name, rule in RULES.items():
        print(f"{name:{width}}  {', '.join(rule.rows)}")
    rows = sum(len(rule.rows) for rule in RULES.values())
    print(f"{len(RULES)} rules, {rows} sentences")
    if folder.is_dir():
        (folder / PAGE).write_text(document(), encoding="utf-8")


if __name__ == "__main__":
    main()
