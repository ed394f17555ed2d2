"""Raw text to tags in a fresh process on one core, against spaCy's blank tokenizer alone and Presidio's patterns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from aef.benchmarks.measure import Row, Setting, in_child, say
from aef.finder import Finder

OTHERS = {
    "spacy": ("spaCy, blank tokenizer alone", 1),
    "presidio": ("Presidio, pattern recognizers", 20),
}
"""What is run beside, and that it is given one text out of so many."""


def model(setting: Setting, name: str = "model.aef") -> Path:
    """A model file, trained on the first English judgments of the corpus (made once)."""
    path = setting.folder / name
    if not path.exists():
        say("tagging: a model")
        Finder("thesis", "all").fit(setting.documents[: 10 if setting.short else 113]).save(path)
    return path


def tagging(setting: Setting) -> Iterator[Row]:
    """Tokens a second (ours counted for all) from strings to mentions; imports and loading of models aside."""
    runs = [in_child("tag", setting.gold, model(setting)) for _ in range(1 if setting.short else 3)]
    ours = sorted(runs, key=lambda run: float(run["seconds"]))[len(runs) // 2]
    rate = setting.tokens / ours["seconds"]
    note = f"importing and loading the model took {ours['ready']:.1f} s before; {ours['mentions']:,} mentions"
    for task, (name, every) in OTHERS.items():
        say(f"tagging: {name}")
        theirs = in_child(task, setting.gold, 1 if setting.short else every)
        if "missing" in theirs:
            yield Row("tagging", "text to tags", rate, "tokens/s", f"{name}: not installed", None, "0.7 million", note)
            continue
        share = theirs["characters"] / ours["characters"]
        note_ = note + (f"; theirs on {100 * share:.0f}% of the text" if share < 1 else "")
        theirs_rate = setting.tokens * share / theirs["seconds"]
        yield Row("tagging", "text to tags", rate, "tokens/s", name, theirs_rate, "0.7 million", note_)
