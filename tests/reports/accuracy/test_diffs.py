"""What two wordings say of a tool, word by word."""

from __future__ import annotations

import pytest
from tests.reports.accuracy.results import wording

from faultloop.loop.contract import Contract
from faultloop.reports.accuracy import diffs
from faultloop.reports.accuracy.diffs import changes, pieces
from faultloop.scenarios.wordings.wording import Wording


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("Read a file.", "Read one file.", "Read [-a-]{+one+} file."),
        ("Read a file.", "Read a file.", "Read a file."),
        ("", "All.", "{+All.+}"),
        ("All.", "", "[-All.-]"),
        ("one two three six", "four five three six", "[-one two-]{+four five+} three six"),
        ("End a long job.", "Open a branch now.", "[-End a long job.-]{+Open a branch now.+}"),
        ("a b", "a c", "a [-b-]{+c+}"),
        ("读取文件", "读取目录", "读取[-文件-]{+目录+}"),
        ("the path_name", "the path", "the [-path_name-]{+path+}"),
    ],
)
def test_words_that_are_gone_and_words_that_are_new(old: str, new: str, told: str) -> None:
    signs = {"same": "{}", "gone": "[-{}-]", "new": "{{+{}+}}"}
    assert "".join(signs[one.kind].format(one.text) for one in pieces(old, new)) == told


@pytest.mark.parametrize(
    ("old", "new"),
    [("a b c d", "a x c y"), ("a b", "b a "), (" ", "  "), ("x", " x "), ("a b c", "d")],
)
def test_either_text_can_be_read_out_of_the_diff(old: str, new: str) -> None:
    found = pieces(old, new)
    assert "".join(one.text for one in found if one.kind != "new") == old
    assert "".join(one.text for one in found if one.kind != "gone") == new


def test_very_long_texts_are_shown_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diffs, "WORDS_MAX", 4)
    assert [one.kind for one in pieces("a b c d", "a b c e")] == ["gone", "new"]


def test_parameters_are_compared_under_the_names_of_the_base() -> None:
    def of(name: str, parameter: str, schema: dict[str, object], **names: str) -> Wording:
        parameters = {"type": "object", "properties": {parameter: schema}}
        contract = Contract(name="read", purpose="Read.", parameters=parameters)
        return Wording(name=name, contracts={"read": contract}, parameters={"read": names})

    base = of("a", "path", {"type": "string", "description": "The file."})
    renamed = of("b", "file", {"type": "string", "description": "The file."}, file="path")
    limited = of("c", "path", {"type": "string", "maxLength": 9, "description": "A file."})
    assert [one.part for one in changes(base, renamed, "read")] == ["parameter path: name"]
    assert [one.part for one in changes(base, limited, "read")] == [
        "parameter path",
        "parameter path: schema",
    ]
    assert changes(base, base, "read") == ()


def test_parts_come_in_the_order_in_which_models_read_them() -> None:
    base = wording("a", purpose="Read.", when="a", when_not="b", example={"path": "x"})
    other = wording("b", purpose="Get.", when_not="c", returns="text")
    parts = [one.part for one in changes(base, other, "read")]
    assert parts == ["purpose", "when", "when not", "example", "returns"]


def test_a_tool_that_a_wording_does_not_have_has_no_diff() -> None:
    assert changes(wording("a"), wording("b"), "(no call)") == ()
