"""How long a ruling takes, and how much memory: ``python -m aef.benchmarks.docx_speed [--pages N,N] [--model MODEL]``.

Rulings of so many pages are generated (500 words a page; as DOCX and HTML with mixed formatting, a table and a footer)
and each goes through ``aef anonymize`` in a process of its own: wall-clock time with start-up and the model's loading,
processor time, and the most memory. Without ``--model`` the ready-made one tags.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random

from aef.benchmarks.measure import ONE_THREAD
from aef.commands.common import table

WORDS_A_PAGE = 500
COMMAND = "import sys; from aef.commands import main; sys.exit(main(sys.argv[1:]))"
_PEOPLE = ("Anna Zwetkow", "William Millar", "Joanne Green", "Tariq Osei", "Mika Larkin", "Pia Dubois")
_SENTENCES = (
    "Ms. {} and Mr. {} were married in Nelson on 3 May 1994, and separated nine years later.",
    "The evidence of {} is that the child lived with {} until the spring of that year.",
    "The Court prefers the evidence of Ms. {} to that of the other witnesses, for the reasons that follow.",
    "Counsel for Mr. {} submits that the order should be varied, and that costs should follow the event.",
    "There is no dispute about the income of the parties, nor about the value of the house.",
)


Run = tuple[str, bool, bool]
"""A stretch of text, whether it is bold, whether it is italic."""


def ruling(pages: int, path: Path) -> None:
    """A generated ruling of about so many pages, in the format of the path's suffix."""
    _WRITERS[path.suffix](list(_paragraphs(pages)), path)


def _paragraphs(pages: int) -> Iterator[list[Run]]:
    chance, words, number = Random(pages), 0, 0
    while words < pages * WORDS_A_PAGE:
        number += 1
        runs = [(f"[{number}] ", False, False)]
        for _ in range(4):
            sentence = chance.choice(_SENTENCES).format(*(chance.choice(_PEOPLE) for _ in range(2)))
            cut = chance.randrange(len(sentence))
            runs.append((sentence[:cut], chance.random() < 0.2, False))
            runs.append((sentence[cut:] + " ", False, chance.random() < 0.2))
            words += len(sentence.split())
        yield runs


def write_docx(paragraphs: Sequence[Sequence[Run]], path: Path) -> None:
    import docx

    document = docx.Document()
    document.sections[0].footer.paragraphs[0].text = _FOOTER
    document.add_table(2, 2).cell(0, 0).text = _CELL
    for runs in paragraphs:
        paragraph = document.add_paragraph()
        for text, bold, italic in runs:
            run = paragraph.add_run(text)
            run.bold, run.italic = bold, italic
    document.save(str(path))


def _html(paragraphs: Sequence[Sequence[Run]], path: Path) -> None:
    body = "\n".join(f"<p>{''.join(map(_marked_up, runs))}</p>" for runs in paragraphs)
    page = f"<!DOCTYPE html><html><head><meta charset='utf-8'><title>{_FOOTER}</title></head><body>"
    path.write_text(f"{page}<table><tr><td>{_CELL}</td></tr></table>{body}<footer>{_FOOTER}</footer></body></html>")


def _marked_up(run: Run) -> str:
    text, bold, italic = run
    text = f"<b>{text}</b>" if bold else text
    return f"<i>{text}</i>" if italic else text


def _txt(paragraphs: Sequence[Sequence[Run]], path: Path) -> None:
    lines = ("".join(text for text, _, _ in runs) for runs in paragraphs)
    path.write_text("\n\n".join([_CELL, *lines, _FOOTER]))


_FOOTER, _CELL = "Zwetkow v. Millar", "Anna Zwetkow"
_WRITERS = {".docx": write_docx, ".html": _html, ".txt": _txt}


def measured(command: Sequence[str], **environment: str) -> tuple[float, float, float]:
    """Wall-clock seconds, seconds of processor time and megabytes of a process, which prints to nobody."""
    began = time.perf_counter()
    silent = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    pid = os.posix_spawn(command[0], list(command), os.environ | ONE_THREAD | environment, file_actions=silent)
    _, status, usage = os.wait4(pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)}: ended with status {status}")
    return time.perf_counter() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m aef.benchmarks.docx_speed", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--pages", default="2,30,300", metavar="N,N", help="default: 2,30,300")
    parser.add_argument("--formats", default="docx,html,txt", metavar="F,F", help="default: docx,html,txt")
    parser.add_argument("--model", metavar="MODEL", help="default: the ready-made one")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="the quickest of so many (default: 3)")
    given = parser.parse_args(arguments)
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for pages, kind in product(map(int, given.pages.split(",")), given.formats.split(",")):
            source, target = folder / f"in.{kind}", folder / f"out.{kind}"
            ruling(pages, source)
            command = [sys.executable, "-c", COMMAND, "anonymize", str(source), "-o", str(target), "--quiet"]
            command += ["--force", *(["--model", given.model] if given.model else [])]
            wall, processor, memory = min(measured(command) for _ in range(given.runs))
            rows.append([f"{pages} pages, {kind.upper()}", wall, processor, memory])
    print(table(rows, ["ruling", "seconds", "of processor", "megabytes"]))
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    return 0


if __name__ == "__main__":
    sys.exit(main())
