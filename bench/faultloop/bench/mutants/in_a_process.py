"""`python -m faultloop.bench.mutants.in_a_process NAME`: a mutant as `reference-process` is played.

It is that subject's own driver with another assembly; its folder and the helper file are found
through PYTHONPATH and `driver` as everywhere in contract v1.
"""

from __future__ import annotations

import runpy
import sys
from functools import partial

from faultloop.bench.mutants import MUTANTS
from faultloop.bench.mutants.mutant import IN_A_PROCESS

if __name__ == "__main__":
    driver = runpy.run_path(str(IN_A_PROCESS / "driver.py"))
    driver["bench"].run(partial(driver["main"], MUTANTS[sys.argv[1]].assemble))
