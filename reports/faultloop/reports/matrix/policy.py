"""Documented policy: what a subject's authors say that it does, where a promise says otherwise.

A finding that such a line covers is shown as policy with its source, beside the count of what is
broken and never in it: whoever chooses a subject wants to know of both, and which is which.
"""

from __future__ import annotations

import fnmatch
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import pydantic
from pydantic import Field

from faultloop.reports.rows import PlayRecord, Record


class Policy(Record):
    """One line of policies.toml."""

    subject: str
    """Its name, without a version."""
    check: str
    """The promise that it is about."""
    scenario: str | tuple[str, ...] = "*"
    """Glob, or globs, on the scenarios in which it shows."""
    end: str = ""
    """How the run ended, where only that is documented; empty: whatever the finding rests on."""
    says: Annotated[str, Field(min_length=1)]
    """What its authors say, as a sentence of ours."""
    source: Annotated[str, Field(pattern=r"^https://")]
    """Where they say it."""

    @property
    def globs(self) -> tuple[str, ...]:
        """The scenarios in which it shows, as globs."""
        return (self.scenario,) if isinstance(self.scenario, str) else self.scenario


class BadPolicies(Exception):
    """The table of policies is wrong; the text says where."""


class _File(Record):
    policy: tuple[Policy, ...] = ()


def read_policies(path: Path) -> tuple[Policy, ...]:
    """Read policies.toml. Raises BadPolicies with `path: field: sentence`."""
    try:
        return _File.model_validate(tomllib.loads(path.read_text(encoding="utf-8"))).policy
    except OSError as error:
        raise BadPolicies(f"{path}: cannot be read: {error.strerror}") from error
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadPolicies(f"{path}: {where}: {first['msg']}") from error
    except (ValueError, RecursionError) as error:  # the decoder's own errors are ValueErrors
        raise BadPolicies(f"{path}: not TOML: {error}") from error


def policy_of(policies: Iterable[Policy], record: PlayRecord, check: str) -> Policy | None:
    """The line that covers this finding, if one does."""
    return next(
        (
            policy
            for policy in policies_of(policies, record.subject)
            if policy.check == check
            and policy.end in ("", record.end_reason)
            and any(fnmatch.fnmatchcase(record.scenario, glob) for glob in policy.globs)
        ),
        None,
    )


def policies_of(policies: Iterable[Policy], subject: str) -> tuple[Policy, ...]:
    """The lines of a subject, whatever version of it was asked for."""
    return tuple(one for one in policies if one.subject == subject.partition("@")[0])
