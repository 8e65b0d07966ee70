"""Observations for tests, from tables of ones and zeros."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from faultloop.scenarios.wordings.observation import Observation


def asked(
    wording: str,
    task: str,
    selected: object,
    *,
    filled: bool | None = None,
    cluster: str = "",
    order: int = 0,
    sample: int = 0,
    expected: str = "read",
    chosen: str | None = None,
) -> Observation:
    """One asking."""
    return Observation(
        wording=wording,
        task=task,
        cluster=cluster or task,
        order=order,
        sample=sample,
        selected=bool(selected),
        filled=filled,
        expected=expected,
        chosen=chosen or (expected if selected else "write"),
    )


def table(
    rows: Mapping[str, Sequence[Sequence[int]]], *, cluster_size: int = 1
) -> list[Observation]:
    """By wording a row for each task, with a 1 or 0 for each sample."""
    return [
        asked(wording, f"t{task:04}", hit, cluster=_cluster(task, cluster_size), sample=sample)
        for wording, tasks in rows.items()
        for task, hits in enumerate(tasks)
        for sample, hit in enumerate(hits)
    ]


def once(gained: int, lost: int, both: int, neither: int = 0) -> list[Observation]:
    """Wordings `a` and `b`, each task asked once."""
    hits = [(0, 1)] * gained + [(1, 0)] * lost + [(1, 1)] * both + [(0, 0)] * neither
    return table({"a": [[a] for a, _ in hits], "b": [[b] for _, b in hits]})


def _cluster(task: int, size: int) -> str:
    return f"c{task // size:03}"
