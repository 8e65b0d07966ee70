"""The sign-flip test: were the arms only names, each cluster's difference had either sign alike.

The statistic is the absolute sum. Fisher, The Design of Experiments (1935), section 21; flipping
whole clusters keeps tasks of one cluster together. Differences of rates over samples are multiples
of one small fraction, so the sums of all 2^G flips lie on a lattice and their distribution is had
exactly: its characteristic function is a product of cosines, one for each cluster (Pagano and
Tritchler, J. Am. Stat. Assoc. 78 (1983) 435). With one sample a task this is McNemar's exact test.
Where there is no lattice, or too fine a one, flips are drawn, and p is (hits + 1) / (draws + 1)
(Phipson and Smyth, Stat. Appl. Genet. Mol. Biol. 9 (2010) 39).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from faultloop.reports.accuracy.statistics.arrays import Floats, Ints

UNITS = (*range(1, 61), 64, 72, 80, 84, 90, 96, 100, 120, 180, 240, 360, 420, 720, 840, 1260, 2520)
"""Denominators that are tried: what the means of up to ten samples in a few orders come to."""
LATTICE_MAX = 1 << 22
"""Points of the lattice: 32 MB an array."""
P_SMALLEST = 1e-12
"""Below this the lattice's rounding is no longer small beside p."""
CHUNK = 1 << 20
"""Signs drawn at a time."""


class SignFlip(NamedTuple):
    """What the test came to."""

    p: float
    """Two-sided."""
    draws: int | None
    """None: exact."""


def sign_flip(sums: Floats, *, seed: int, draws: int = 20_000) -> SignFlip:
    """The test on the sums of clusters. Never below 2^(1 - k) for k sums other than 0."""
    moved = sums[np.abs(sums) > 1e-9]
    if not moved.size:
        return SignFlip(1.0, None)
    steps = _on_lattice(moved)
    if steps is None:
        return SignFlip(_drawn(moved, seed, draws), draws)
    seen = abs(int(steps.sum()))
    tail = float(_tails(steps)[seen]) if seen else 1.0
    floor = max(P_SMALLEST, 2.0 ** (1 - steps.size))
    return SignFlip(min(1.0, max(floor, tail)), None)


def size(sums: Floats, *, level: float = 0.05) -> float:
    """How often the exact test gives p < level of nothing, over all flips of these sums: below the
    level, since few values of p are possible. Raises ValueError where the sums are on no lattice.
    """
    moved = sums[np.abs(sums) > 1e-9]
    if not moved.size:
        return 0.0
    steps = _on_lattice(moved)
    if steps is None:
        raise ValueError("these sums are on no lattice, so their test is not exact")
    tails = _tails(steps)
    return float(tails[tails < level].max(initial=0.0))


def _on_lattice(sums: Floats) -> Ints | None:
    """The sums as whole multiples of one fraction; None: there is none, or it is too small."""
    for unit in UNITS:
        steps = np.rint(sums * unit).astype(np.int64)
        if np.abs(sums * unit - steps).max() < 1e-6:
            return steps if 2 * int(np.abs(steps).sum()) < LATTICE_MAX else None
    return None


def _tails(steps: Ints) -> Floats:
    """The chance of an absolute sum at least as large as each whole number, over all flips."""
    sizes, counts = np.unique(np.abs(steps), return_counts=True)
    total = int(sizes @ counts)
    points = 1 << (2 * total + 1).bit_length()
    angles = np.arange(points // 2 + 1) * (2 * np.pi / points)
    product = np.ones(angles.size)
    for one, count in zip(sizes, counts, strict=True):
        product *= np.cos(angles * one) ** count
    chances = np.fft.irfft(product, points)[: total + 1]  # of the sum s at s, from 0
    tails: Floats = 2 * np.cumsum(np.clip(chances[::-1], 0, None))[::-1]
    return tails


def _drawn(sums: Floats, seed: int, draws: int) -> float:
    """Two-sided p over flips that are drawn, a bounded number of signs at a time."""
    generator = np.random.default_rng(seed)
    seen = abs(float(sums.sum())) - 1e-9
    rows = max(1, CHUNK // sums.size)
    hits = 0
    for start in range(0, draws, rows):
        shape = (min(rows, draws - start), sums.size)
        signs = generator.integers(0, 2, size=shape, dtype=np.int8)
        hits += int((np.abs(2 * (signs @ sums) - sums.sum()) >= seen).sum())
    return (hits + 1) / (draws + 1)
