"""A BFCL of a few rows of our own making, in its form; and a checker in its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from faultloop.scenarios.wordings.bfcl.source import CATEGORIES, Source, find

CHECKER = '''
def ast_checker(functions, calls, answers, language, category, model):
    """Right: the first acceptable values, or any text in place of a text, call by call."""
    def alike(value, acceptable):
        return value in acceptable or isinstance(value, str) and isinstance(acceptable[0], str)
    if len(calls) != len(answers):
        return {"valid": False, "error_type": "count"}
    for call, answer in zip(calls, answers):
        ((name, args),), ((wanted, values),) = call.items(), answer.items()
        if name != wanted or args.keys() - values.keys():
            return {"valid": False, "error_type": "name"}
        for key, acceptable in values.items():
            if key not in args and "" not in acceptable:
                return {"valid": False, "error_type": "missing"}
            if key in args and not alike(args[key], acceptable):
                return {"valid": False, "error_type": "value"}
    return {"valid": True}
'''
ENUMS = "from enum import Enum\nLanguage = Enum('Language', ['PYTHON', 'JAVA', 'JAVASCRIPT'])\n"

PLAY = {
    "name": "music.play",
    "description": "Play songs.",
    "parameters": {
        "type": "dict",
        "required": ["artist"],
        "properties": {
            "artist": {"type": "string", "description": "Whose."},
            "minutes": {"type": "float", "default": 30.0},
            "shuffle": {"type": "boolean", "optional": True},
            "where": {"type": "string", "enum": ["home", "away"], "default": None},
        },
    },
}
STOP = {"name": "music_play", "parameters": {"type": "dict", "properties": {}, "required": []}}
OTHER_PLAY = {**PLAY, "description": "Play films."}


def row(identity: str, functions: list[Any], answers: list[Any] | None, prompt: str) -> Any:
    said = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": prompt}]
    return {
        "id": identity,
        "question": [said],
        "function": functions,
        "answer": answers,
    }


ANSWER = {"artist": ["Maroon 5", "Maroon Five"], "minutes": ["", 20.0], "where": ["", "abroad"]}
ROWS: dict[str, list[Any]] = {
    "multiple": [
        row("multiple_0", [PLAY, STOP], [{"music.play": ANSWER}], "Play Maroon 5."),
        row("multiple_1", [STOP, PLAY], [{"music.play": {"artist": ["Abba"]}}], "播放 Abba。"),
        row("multiple_2", [OTHER_PLAY], [{"music.play": {"artist": ["Bo"]}}], "Play Bo."),
        row("multiple_3", [PLAY], [{"music.play": {"minutes": [1.0]}}], "Play something."),
    ],
    "irrelevance": [row("irrelevance_0", [PLAY], None, "What is the time?")],
    "live_relevance": [row("live_relevance_0", [PLAY, STOP], None, "Some music.")],
    "simple_java": [
        row(
            "simple_java_0",
            [
                {
                    "name": "sum",
                    "parameters": {
                        "type": "dict",
                        "required": ["n"],
                        "properties": {
                            "n": {"type": "long"},
                            "names": {"type": "ArrayList", "items": {"type": "String"}},
                        },
                    },
                }
            ],
            [{"sum": {"n": [3], "names": ["", ["a"]]}}],
            "Add.",
        )
    ],
}


def laid_out(folder: Path) -> Source:
    """The package with its data, as pip would lay it out."""
    package = folder / "bfcl_eval"
    for inner, text in (
        ("eval_checker/ast_eval/ast_checker.py", CHECKER),
        ("constants/enums.py", ENUMS),
    ):
        path = package / inner
        path.parent.mkdir(parents=True)
        path.write_text(text)
    (package / "data" / "possible_answer").mkdir(parents=True)
    for category in CATEGORIES:
        rows = ROWS.get(category, [])
        name = f"BFCL_v4_{category}.json"
        asked = [{key: one[key] for key in ("id", "question", "function")} for one in rows]
        (package / "data" / name).write_text("".join(json.dumps(one) + "\n" for one in asked))
        answers = [
            {"id": one["id"], "ground_truth": one["answer"]} for one in rows if one["answer"]
        ]
        (package / "data" / "possible_answer" / name).write_text(
            "".join(json.dumps(one) + "\n" for one in answers)
        )
    return find(folder)
