"""Raw text to tags in a fresh process on one core, against spaCy's blank tokenizer alone and Presidio's patterns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from aef.benchmarks.measure import Row, Setting, in_child, say
from aef.tagging.finder import Finder
from aef.tagging.model_file import VERSION

OTHERS = {
    "spacy": ("spaCy, blank tokenizer alone", 1),
    "presidio": ("Presidio, pattern recognizers", 20),
}
"""What is run beside, and that it is given one text out of so many."""

WANTED = {"thesis": "0.7 million", "rich": "0.1 million", "wide": "0.1 million"}
"""The feature sets tagged with, and the tokens a second wanted of each."""


def model(setting: Setting, features: str = "thesis") -> Path:
    """A model file, trained on the first English judgments of the corpus (made once a format of model files)."""
    path = setting.folder / f"{features}-{VERSION}.aef"
    if not path.exists():
        say(f"tagging: a model, features {features}")
        Finder(features, "all").fit(setting.documents[: 10 if setting.short else 113]).save(path)
    return path


def tagging(setting: Setting) -> Iterator[Row]:
    """Tokens a second (ours counted for all) from strings to mentions; imports and loading of models aside."""
    theirs = {}
    for task, (_, every) in OTHERS.items():
        say(f"tagging: {task}")
        theirs[task] = in_child(task, setting.gold, 1 if setting.short else every)
    for features, wanted in WANTED.items():
        runs = [in_child("tag", setting.gold, model(setting, features)) for _ in range(1 if setting.short else 3)]
        ours = sorted(runs, key=lambda run: float(run["seconds"]))[len(runs) // 2]
        for task, measured in theirs.items():
            yield _row(setting, features, wanted, ours, OTHERS[task][0], measured)


def _row(setting: Setting, features: str, wanted: str, ours: dict[str, Any], name: str, theirs: dict[str, Any]) -> Row:
    rate = setting.tokens / ours["seconds"]
    what = f"text to tags, {features}"
    note = f"importing and loading the model took {ours['ready']:.1f} s before; {ours['mentions']:,} mentions"
    if "missing" in theirs:
        return Row("tagging", what, rate, "tokens/s", f"{name}: not installed", None, wanted, note)
    share = theirs["characters"] / ours["characters"]
    note += f"; theirs on {100 * share:.0f}% of the text" if share < 1 else ""
    return Row("tagging", what, rate, "tokens/s", name, setting.tokens * share / theirs["seconds"], wanted, note)
