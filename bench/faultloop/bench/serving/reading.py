"""What `faultloop serve` and `fake_provider` take for a script, from a name or a text.

A scenario file, the name of one in the catalogue, or the short form. Whatever is wrong is one
BadScenario or BadScript, whose text is a sentence with the place.
"""

from __future__ import annotations

from pathlib import Path

from faultloop.bench.serving import short_form
from faultloop.fakes.hosting import BadScript, HostedScript
from faultloop.scenarios.files import field_name
from faultloop.scenarios.places import Misplaced, parse
from faultloop.scenarios.plan import recording, script
from faultloop.scenarios.reading import BadScenario, catalogue, loads, text_of
from faultloop.scenarios.scenario import Scenario
from faultloop.scenarios.sentences import nearest

SENT = Path("script")
"""What a text without a file is called in errors."""


def read(source: str | Path) -> HostedScript:
    """A script from a file or, where there is no such file, the catalogue."""
    path = Path(source)
    if isinstance(source, Path) or _is_there(path) or path.suffix or len(path.parts) > 1:
        return read_text(text_of(path), path)
    names = {scenario.name: scenario for scenario in catalogue()}
    if source in names:
        return of_scenario(names[source])
    hint = nearest(source, names, noun="scenarios")
    if len(hint) > HINT_CHARS_MAX:
        hint = "name a file, or a scenario of the catalogue"
    raise BadScript(f"there is no file and no scenario {source!r}; {hint}")


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # no file's name is so long
        return False


HINT_CHARS_MAX = 200
"""Nobody reads a hundred names in a sentence."""


def read_text(text: str, path: Path = SENT) -> HostedScript:
    """A script from a text; `path` is what it is called."""
    try:
        document = parse(text)
    except Misplaced as error:
        sentence = EMPTY if is_empty(text) else error.sentence
        raise BadScenario(path, error.line, field_name(error.place), sentence) from None
    if isinstance(document.data, list):
        return short_form.hosted(document, path)
    if not isinstance(document.data, dict):
        raise BadScenario(path, 1, "", NEITHER)
    return of_scenario(loads(text, path), name=path.name)


EMPTY = "it is empty; write a step, as in '- say: Hello.'"
NEITHER = "it is neither a list of steps ('- say: ...') nor a scenario ('schema: 1')"


def is_empty(text: str) -> bool:
    """Whether nothing but comments is there."""
    return all(not line.strip() or line.lstrip().startswith("#") for line in text.splitlines())


def sent(text: str) -> HostedScript:
    """A script that came over the wire. Raises BadScript."""
    try:
        return read_text(text)
    except BadScenario as error:
        raise BadScript(str(error)) from None


def of_scenario(scenario: Scenario, name: str = "") -> HostedScript:
    """All that the model says in a scenario, its further turns included, with world and faults."""
    notes = []
    if scenario.events:
        deeds = ", ".join(dict.fromkeys(event.do for event in scenario.events))
        notes.append(f"its events ({deeds}) are not played: nobody here was started by faultloop")
    return HostedScript(
        name=name or scenario.name,
        steps=tuple(step for turn in script(scenario).turns for step in turn),
        faults=scenario.faults,
        strictness=scenario.strictness,
        world=scenario.world,
        recording=recording(scenario.recording),
        notes=tuple(notes),
    )
