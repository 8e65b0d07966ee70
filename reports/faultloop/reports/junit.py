"""junit.xml for CI systems: broken is a failure, unknown an error, not applicable a skip."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from faultloop.reports.headline import column, cut_short
from faultloop.reports.rows import PlayRecord, Summary
from faultloop.scenarios.verdict import Verdict

_TAGS = {
    Verdict.BROKEN: "failure",
    Verdict.UNKNOWN: "error",
    Verdict.NOT_APPLICABLE: "skipped",
}
# XML 1.0 has no way to write these, not even escaped.
_UNWRITABLE = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(summary: Summary) -> bytes:
    """One test suite for each column, one test case for each play; and an error of its own where
    the run was cut short, so that no CI takes the beginning for the whole."""
    root = ET.Element("testsuites", name="faultloop")
    if cut := cut_short(summary):
        suite = ET.SubElement(root, "testsuite", name="the run", tests="1", errors="1")
        case = ET.SubElement(suite, "testcase", classname="faultloop.run", name="is complete")
        ET.SubElement(case, "error", message=cut)
    suites: dict[str, list[PlayRecord]] = {}
    for record in summary.plays:
        name = f"{record.subject} {column(record)} ({record.tier})"
        suites.setdefault(name, []).append(record)
    for name, records in sorted(suites.items()):
        suite = ET.SubElement(root, "testsuite", name=_text(name), tests=str(len(records)))
        for attribute, verdict in (
            ("failures", Verdict.BROKEN),
            ("errors", Verdict.UNKNOWN),
            ("skipped", Verdict.NOT_APPLICABLE),
        ):
            suite.set(attribute, str(sum(record.verdict is verdict for record in records)))
        for record in records:
            suite.append(_case(record, name))
    ET.indent(root)
    text: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _case(record: PlayRecord, suite: str) -> ET.Element:
    name = f"{record.scenario} [seed {record.seed}, repeat {record.repeat}]"
    case = ET.Element("testcase", classname=_text(f"faultloop.{suite}"), name=_text(name))
    if tag := _TAGS.get(record.verdict):
        child = ET.SubElement(case, tag, message=_text(record.reason))
        proofs = [
            f"{check.check} ({check.claim}): {check.proof.sentence}"
            for check in record.checks
            if check.verdict is record.verdict
        ]
        child.text = _text("\n".join([*proofs, record.replay]))
    if record.stderr:
        ET.SubElement(case, "system-err").text = _text(record.stderr)
    return case


def _text(text: str) -> str:
    return _UNWRITABLE.sub("�", text)
