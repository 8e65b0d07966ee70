"""The one error of this command: what was named cannot be read as tools."""

from __future__ import annotations


class BadTarget(Exception):
    """The text is a sentence with the target, the place in it, and what is expected there."""
