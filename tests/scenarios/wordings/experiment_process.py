"""A process that plays an experiment against an endpoint and writes its rows: `URL CACHE OUT N`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import msgspec
from tests.scenarios.wordings.toy_tasks import FULL, TASKS, VAGUE, scored

from faultloop.scenarios.wordings.experiment import experiment
from faultloop.scenarios.wordings.models.asking import Manner
from faultloop.scenarios.wordings.models.cache import Cache
from faultloop.scenarios.wordings.models.choosing import model_of
from faultloop.scenarios.wordings.planning import Design


def main(url: str, cache: Path, out: Path, concurrency: int) -> None:
    found = asyncio.run(
        experiment(
            TASKS,
            (FULL, VAGUE),
            model_of(f"openai_chat:m@{url}", environment={}),
            scorer=scored,
            design=Design(orders=2, samples=2),
            manner=Manner(cache=Cache(cache, says=print), concurrency=concurrency),
        )
    )
    out.write_bytes(msgspec.json.encode(found.observations))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]))
