"""How long a DOCX takes, and how much memory: ``python -m aef.benchmarks.docx_speed [--pages N,N] [--model MODEL]``.

Rulings of so many pages are generated (500 words a page, mixed formatting, a table and a footer) and each goes through
``aef anonymize`` in a process of its own: wall-clock time with start-up and the model's loading, processor time, and
the most memory. Without ``--model`` one is learned from the sample rulings first.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

from aef.benchmarks.measure import ONE_THREAD
from aef.commands.common import table

WORDS_A_PAGE = 500
_COMMAND = "import sys; from aef.commands import main; sys.exit(main(sys.argv[1:]))"
_PEOPLE = ("Anna Zwetkow", "William Millar", "Joanne Green", "Tariq Osei", "Mika Larkin", "Pia Dubois")
_SENTENCES = (
    "Ms. {} and Mr. {} were married in Nelson on 3 May 1994, and separated nine years later.",
    "The evidence of {} is that the child lived with {} until the spring of that year.",
    "The Court prefers the evidence of Ms. {} to that of the other witnesses, for the reasons that follow.",
    "Counsel for Mr. {} submits that the order should be varied, and that costs should follow the event.",
    "There is no dispute about the income of the parties, nor about the value of the house.",
)


def ruling(pages: int, path: Path) -> None:
    """A generated ruling of about so many pages."""
    import docx

    chance, document, words = Random(pages), docx.Document(), 0
    document.sections[0].footer.paragraphs[0].text = "Zwetkow v. Millar"
    document.add_table(2, 2).cell(0, 0).text = "Anna Zwetkow"
    number = 0
    while words < pages * WORDS_A_PAGE:
        number += 1
        paragraph = document.add_paragraph(f"[{number}] ")
        for _ in range(4):
            sentence = chance.choice(_SENTENCES).format(*(chance.choice(_PEOPLE) for _ in range(2)))
            cut = chance.randrange(len(sentence))
            paragraph.add_run(sentence[:cut]).bold = chance.random() < 0.2
            paragraph.add_run(sentence[cut:] + " ").italic = chance.random() < 0.2
            words += len(sentence.split())
    document.save(str(path))


def measured(command: Sequence[str]) -> tuple[float, float, float]:
    """Wall-clock seconds, seconds of processor time and megabytes of a process."""
    began = time.perf_counter()
    pid = os.posix_spawn(command[0], list(command), os.environ | ONE_THREAD)
    _, status, usage = os.wait4(pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)}: ended with status {status}")
    return time.perf_counter() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m aef.benchmarks.docx_speed", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--pages", default="2,30,300", metavar="N,N", help="default: 2,30,300")
    parser.add_argument("--model", metavar="MODEL", help="default: one learned from the sample rulings")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="the quickest of so many (default: 3)")
    given = parser.parse_args(arguments)
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model = given.model or _model(folder)
        for pages in map(int, given.pages.split(",")):
            ruling(pages, folder / "in.docx")
            command = [sys.executable, "-c", _COMMAND, "anonymize", str(folder / "in.docx")]
            command += ["-o", str(folder / "out.docx"), "--model", str(model), "--quiet", "--force"]
            wall, processor, memory = min(measured(command) for _ in range(given.runs))
            rows.append([f"{pages} pages", wall, processor, memory])
    print(table(rows, ["ruling", "seconds", "of processor", "megabytes"]))
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    return 0


def _model(folder: Path) -> Path:
    from aef.corpus_tools.alignment import align
    from aef.corpus_tools.readers import read
    from aef.corpus_tools.samples import built_in, write_pairs
    from aef.finder import Finder

    pairs = write_pairs(folder / "samples", built_in())
    gold = [align(read(a), read(b), fix_missed=True).document for a, b in pairs]
    Finder().fit(gold).save(folder / "model.aef")
    return folder / "model.aef"


if __name__ == "__main__":
    sys.exit(main())
