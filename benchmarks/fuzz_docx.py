"""Damaged and hostile DOCX files by the thousand: each must be anonymized, or refused with one clear message.

``python -m aef.benchmarks.fuzz_docx [--count N] [--seed N] [--file FILE ...] [--names FILE] [--keep FOLDER]`` mutates
files (default: one made here) as `aef.benchmarks.docx_mutations` can, has each verified and anonymized, and prints how
they ended, the longest time and the peak memory. Exit code 1 where one ended otherwise: an exception that is no
`InputError`, a name left in an output, an output left after a refusal, more than 10 seconds, a crash. ``--keep`` saves
those files.

Mutations are numbered and the same each time: ``--seed 5000 --count 1000`` is the sixth thousand of ten.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aef.anonymization import anonymize
from aef.benchmarks.docx_mutations import mutate
from aef.errors import InputError
from aef.verification.search import Sought, Unreadable, verify

SECONDS = 10
"""Of processor time, so that a busy machine makes no failures."""
MEGABYTES = 1000
BATCH = 250
"""Mutations in one process, so that a crash is seen and memory is counted anew."""
NAMES = ("Anna Zwetkow", "Zwetkow")

ANONYMIZED, REFUSED, UNSURE = "anonymized", "refused", "not written: a name was still found"
_DUE = {ANONYMIZED, REFUSED, UNSURE}


@dataclass
class Outcome:
    """How the mutations ended: counts by kind, the failed ones with what happened, seconds and megabytes at most."""

    counts: Counter[str] = field(default_factory=Counter)
    failed: dict[int, str] = field(default_factory=dict)
    longest: float = 0.0
    megabytes: float = 0.0


class Hang(BaseException):
    """Raised by the clock, past every ``except Exception``."""


def _most_memory() -> float:
    """The peak of this program in MB; what ``getrusage`` tells has the peak of the program that began it in it."""
    status = Path("/proc/self/status")
    peak = re.search(r"VmHWM:\s+(\d+)", status.read_text()) if status.exists() else None
    return (int(peak[1]) if peak else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) / 1024


def fuzz(
    files: Sequence[bytes], names: Sequence[str], seeds: Sequence[int], folder: Path, keep: Path | None = None
) -> Outcome:
    """Anonymize a mutation for each seed in this process; what is written goes into ``folder`` and out of it."""
    outcome = Outcome()
    signal.signal(signal.SIGPROF, _ring)
    for seed in seeds:
        data = mutate(files[seed % len(files)], random.Random(seed))
        began = time.process_time()
        ended = _one(data, names, folder)
        seconds = time.process_time() - began
        outcome.longest = max(outcome.longest, seconds)
        if seconds > SECONDS:  # no signal gets through to what does not return to Python
            ended = f"took {seconds:.0f} s"
        outcome.counts[ended if ended in _DUE else "failed"] += 1
        if ended not in _DUE:
            outcome.failed[seed] = ended
            if keep is not None:
                keep.mkdir(parents=True, exist_ok=True)
                (keep / f"{seed}.docx").write_bytes(data)
    outcome.megabytes = _most_memory()
    return outcome


def _one(data: bytes, names: Sequence[str], folder: Path) -> str:
    source, target = folder / "in.docx", folder / "out.docx"
    source.write_bytes(data)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        with suppress(Unreadable):
            verify(data, Sought.of(names))
        result = anonymize(source, target, mentions=[], include=names)
        ended = (_left(target.read_bytes(), names) or ANONYMIZED) if result.written else UNSURE
    except InputError as error:
        ended = REFUSED if _clear(str(error), source) else f"an unclear message: {error}"
    except Hang:
        ended = f"took more than {SECONDS} s"
    except Exception as error:  # what is looked for
        ended = f"{type(error).__name__}: {error}"[:200]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    if target.exists():
        target.unlink()
        if ended in (REFUSED, UNSURE):
            ended = "an output left after a refusal"
    others = [path for path in folder.iterdir() if path != source and path.is_file()]
    for path in others:
        path.unlink()
    return "a file left beside the output" if others else ended


def _ring(*_: Any) -> None:
    raise Hang


def _clear(message: str, source: Path) -> bool:
    return str(source) in message and "\n" not in message and len(message) < 400


def _left(data: bytes, names: Sequence[str]) -> str:
    """The first entry in which a name is left as a whole word, tags aside."""
    sought = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)", re.IGNORECASE)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for entry in archive.namelist():
            text = re.sub(r"(?=</?w:p[ />])", "\n", archive.read(entry).decode("utf-8", "replace"))
            text = re.sub(r"<[^>]*>", "", text)
            if sought.search(text):
                return f"a name left in {entry}"
    return ""


def sample() -> bytes:
    """A small ruling with most of what Word writes: tables, notes in the margin, a header, a picture, a link."""
    import docx
    from docx.opc.constants import RELATIONSHIP_TYPE

    from aef.corpus_tools.metadata.pictures import blank

    document = docx.Document()
    document.core_properties.title = "Zwetkow v. Roe"
    paragraph = document.add_paragraph("[1] Ms. ")
    for text, bold in (("Anna ", True), ("Zwet", False), ("kow", True), (" left.", None)):
        paragraph.add_run(text).bold = bold
    document.add_comment(paragraph.runs, "Ask Ms. Zwetkow.", author="A. Clerk", initials="AC")
    table = document.add_table(2, 2)
    table.cell(0, 0).text = "Zwetkow"
    table.cell(1, 1).add_table(1, 1).cell(0, 0).text = "inner"
    document.add_picture(io.BytesIO(blank()))
    document.sections[0].header.paragraphs[0].text = "ZWETKOW v. Roe"
    document.sections[0].footer.paragraphs[0].text = "page"
    document.part.relate_to("mailto:zwetkow@example.org", RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    for number in range(6):
        document.add_paragraph(f"[{number + 2}] The parties met, and the Court heard them.", style="List Number")
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


# --- many, in processes of their own ---------------------------------------------------------------------------------


def _batches(given: argparse.Namespace) -> Iterator[Outcome]:
    """The outcomes of all batches, in order; ``given.jobs`` of them run at a time."""
    end = given.seed + given.count
    with ThreadPoolExecutor(given.jobs) as pool:
        yield from pool.map(lambda first: _batch(given, first, min(BATCH, end - first)), range(given.seed, end, BATCH))


def _batch(given: argparse.Namespace, first: int, count: int) -> Outcome:
    command = [sys.executable, "-m", "aef.benchmarks.fuzz_docx", "--child"]
    command += ["--seed", str(first), "--count", str(count)]
    for option, values in (("--file", given.file), ("--names", [given.names]), ("--keep", [given.keep])):
        command += [word for value in values if value for word in (option, str(value))]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        return Outcome(Counter(failed=1), {first: f"the process ended with {done.returncode}"})
    record = json.loads(done.stdout)
    failed = {int(seed): why for seed, why in record["failed"].items()}
    return Outcome(Counter(record["counts"]), failed, record["longest"], record["megabytes"])


def _idle() -> int:
    """How many processors have nothing to do just now; 1 where none has."""
    return max(1, int((os.cpu_count() or 1) - os.getloadavg()[0] + 0.5))


def _run(given: argparse.Namespace) -> Outcome:
    files = [Path(path).read_bytes() for path in given.file] or [sample()]
    names = Path(given.names).read_text("utf-8").splitlines() if given.names else NAMES
    with tempfile.TemporaryDirectory() as folder:
        keep = Path(given.keep) if given.keep else None
        return fuzz(files, names, range(given.seed, given.seed + given.count), Path(folder), keep)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m aef.benchmarks.fuzz_docx", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--count", type=int, default=10_000, metavar="N", help="mutations (default: 10000)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="number of the first one")
    parser.add_argument("--jobs", type=int, metavar="N", help="at a time (default: as processors have nothing to do)")
    parser.add_argument("--file", action="append", default=[], metavar="FILE", help="a DOCX to mutate")
    parser.add_argument("--names", metavar="FILE", help="the names in it, one a line")
    parser.add_argument("--keep", metavar="FOLDER", help="save the mutations that fail")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.child:
        o = _run(given)
        print(json.dumps({"counts": o.counts, "failed": o.failed, "longest": o.longest, "megabytes": o.megabytes}))
        return 0
    given.jobs = given.jobs or _idle()
    total = Outcome()
    for outcome in _batches(given):
        total.counts += outcome.counts
        total.failed |= outcome.failed
        total.longest = max(total.longest, outcome.longest)
        total.megabytes = max(total.megabytes, outcome.megabytes)
    for ended, times in total.counts.most_common():
        print(f"{times:7,}  {ended}")
    print(f"longest {total.longest:.1f} s, most memory {total.megabytes:.0f} MB")
    for seed, why in total.failed.items():
        print(f"  mutation {seed}: {why}")
    return int(bool(total.failed) or total.megabytes > MEGABYTES)


if __name__ == "__main__":
    sys.exit(main())
