"""What a user waits for: whole commands, each in a process of its own, with its start."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

from aef.benchmarks.docx_speed import COMMAND, measured, ruling
from aef.benchmarks.measure import Row, Setting, say
from aef.corpus_tools.rulings.readers import read

PAGES = 140
"""Of a generated ruling of 70,000 words."""
LONG = "judgments/uk/test98.docx"
"""A British judgment of nearly as many, in the folder of corpora."""


def commands(setting: Setting) -> Iterator[Row]:
    """Seconds of `--help`, of a ruling of two pages and of the demo; tokens a second of long rulings, end to end."""
    yield _seconds(setting, "aef --help", ["--help"], "at most 0.15 s")
    short, long = setting.folder / "2-pages.docx", setting.folder / "long.docx"
    ruling(2, short)
    yield _seconds(setting, "aef anonymize, 2 pages of DOCX", _anonymize(setting, short), "at most 0.5 s")
    ruling(2 if setting.short else PAGES, long)
    yield _tokens_a_second(setting, "a generated ruling", long)
    if (judgment := setting.data / LONG).is_file() and not setting.short:
        yield _tokens_a_second(setting, "a British judgment", judgment)
    if not setting.short:
        demo = ["demo", "--force", "--quiet", "-o", str(setting.folder / "demo")]
        yield _seconds(setting, "aef demo", demo, "at most 15 s")


def _anonymize(setting: Setting, source: Path) -> list[str]:
    return ["anonymize", str(source), "-o", str(setting.folder / "safe.docx"), "--force", "--quiet"]


def _seconds(setting: Setting, what: str, arguments: list[str], wanted: str) -> Row:
    return Row("commands", what, _median(setting, what, arguments), "s", wanted=wanted)


def _tokens_a_second(setting: Setting, what: str, source: Path) -> Row:
    seconds, tokens = _median(setting, what, _anonymize(setting, source)), len(read(source).words)
    note = f"{tokens:,} tokens in {seconds:.2f} s, start and file with them"
    return Row("commands", f"aef anonymize, {what}", tokens / seconds, "tokens/s", wanted="100,000", note=note)


def _median(setting: Setting, what: str, arguments: list[str]) -> float:
    """Processor seconds of the middle one of three runs, after one that does not count: it writes bytecode, as pip does
    for an installed package."""
    say(f"commands: {what}")
    kept = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(setting.folder / "bytecode")}
    runs = [measured([sys.executable, "-c", COMMAND, *arguments], **kept) for _ in range(1 if setting.short else 4)]
    return statistics.median(seconds for _, seconds, _ in runs[1:] or runs)
