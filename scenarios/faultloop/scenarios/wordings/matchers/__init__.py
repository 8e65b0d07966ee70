"""Matchers: when an argument is right. One kind a file; `KINDS` is the table of all of them.

In a task a matcher is a mapping with the key of its kind (`path: src/app.py`), or a plain value,
which is `exact`. It is a frozen pydantic model with the method `matches(value)`, a pure function.
"""

from __future__ import annotations
