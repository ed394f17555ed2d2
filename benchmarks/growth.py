"""Indexing, training, tagging and selection on 1, 4 and 16 times the corpus, with peak memory, in fresh processes."""

from __future__ import annotations

from collections.abc import Iterator

from aef.benchmarks.measure import Row, Setting, in_child, say
from aef.benchmarks.tagging import model

STAGES = {
    "index": "index: documents to events",
    "train": "training: events to model",
    "tag": "tagging: text to mentions",
    "fit": "`Finder.fit`: index, threshold, models",
}


def growth(setting: Setting) -> Iterator[Row]:
    """Seconds of processor time; ``times`` says how much more the largest takes a token than the smallest."""
    sizes = (1, 2) if setting.short else (1, 4, 16)
    path = model(setting)
    found = {}
    for size in sizes:
        say(f"growth: {size} times the corpus")
        found[size] = in_child("grow", setting.gold, path, size) | in_child("fit", setting.gold, size)
    largest = sizes[-1]
    for stage, what in STAGES.items():
        seconds = {size: run[stage] for size, run in found.items()}
        each = ", ".join(f"{size}x {value:.2f} s" for size, value in seconds.items())
        pace = seconds[largest] / largest / seconds[1]
        yield Row("growth", what, pace, f"x, a token, at {largest}x", "", None, "at most 1.2", each)
    for stage, what in (("memory", "peak memory, index to tags"), ("fit_memory", "peak memory, `Finder.fit`")):
        each = ", ".join(f"{size}x {run[stage]:.2f} GB" for size, run in found.items())
        yield Row("growth", what, found[largest][stage], f"GB, at {largest}x", "", None, "at most 5", each)
    yield _selection(setting, 2 if setting.short else 4)


def _selection(setting: Setting, size: int) -> Row:
    say(f"growth: selection on {size} times the corpus")
    run = in_child("select", setting.gold, size, setting.jobs, "nine" if setting.short else "thesis")
    note = (
        f"{run['evaluations']} evaluations, {run['jobs']} jobs; {run['processor']:.0f} s of processor time; "
        f"{run['memory']:.2f} GB; {run['ready']:.1f} s before, to make the corpus ready"
    )
    return Row("growth", f"selection on {size}x", run["seconds"], "s wall", "", None, "under 240", note)
