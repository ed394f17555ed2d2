"""Damaged and hostile DOCX files by the thousand: each must be anonymized, or refused with one clear message.

``python -m aef.benchmarks.fuzz_docx [--count N] [--seed N] [--file FILE ...] [--names FILE] [--keep FOLDER]`` mutates
files (default: one made here) as bytes, as archives and as XML, has each anonymized, and prints how they ended, the
longest time and the peak memory. Exit code 1 where one ended otherwise: an exception that is no `InputError`, a name
left in an output, an output left after a refusal, more than 10 seconds, a crash. ``--keep`` saves those files.
"""

from __future__ import annotations

import argparse
import io
import json
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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aef.anonymization import anonymize
from aef.errors import InputError

SECONDS = 10
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


def fuzz(
    files: Sequence[bytes], names: Sequence[str], seeds: Sequence[int], folder: Path, keep: Path | None = None
) -> Outcome:
    """Anonymize a mutation for each seed in this process; what is written goes into ``folder`` and out of it."""
    outcome = Outcome()
    signal.signal(signal.SIGALRM, _ring)
    for seed in seeds:
        data = mutate(files[seed % len(files)], random.Random(seed))
        began = time.perf_counter()
        ended = _one(data, names, folder)
        outcome.longest = max(outcome.longest, time.perf_counter() - began)
        outcome.counts[ended if ended in _DUE else "failed"] += 1
        if ended not in _DUE:
            outcome.failed[seed] = ended
            if keep is not None:
                keep.mkdir(parents=True, exist_ok=True)
                (keep / f"{seed}.docx").write_bytes(data)
    outcome.megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return outcome


def _one(data: bytes, names: Sequence[str], folder: Path) -> str:
    source, target = folder / "in.docx", folder / "out.docx"
    source.write_bytes(data)
    signal.alarm(SECONDS)
    try:
        result = anonymize(source, target, mentions=[], include=names)
        ended = (_left(target.read_bytes(), names) or ANONYMIZED) if result.written else UNSURE
    except InputError as error:
        ended = REFUSED if _clear(str(error), source) else f"an unclear message: {error}"
    except Hang:
        ended = f"took more than {SECONDS} s"
    except Exception as error:  # what is looked for
        ended = f"{type(error).__name__}: {error}"[:200]
    finally:
        signal.alarm(0)
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
            text = re.sub(r"<[^>]*>", "", archive.read(entry).decode("utf-8", "replace"))
            if sought.search(text):
                return f"a name left in {entry}"
    return ""


# --- mutations ------------------------------------------------------------------------------------------------------


def mutate(data: bytes, chance: random.Random) -> bytes:
    """The file changed in one of many ways, or in several."""
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        data = chance.choice(_MUTATIONS)(data, chance)
    return data


def _bytes(data: bytes, chance: random.Random) -> bytes:
    """A few bytes changed, taken out or put in."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(changed) + 1)
        kind = chance.randrange(3)
        changed[at : at + kind] = bytes(chance.randrange(256) for _ in range(chance.randrange(3)))
    return bytes(changed)


def _cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _in_a_part(change: Callable[[bytes, random.Random], bytes]) -> Callable[[bytes, random.Random], bytes]:
    """A change to the content of one entry, packed anew."""

    def mutation(data: bytes, chance: random.Random) -> bytes:
        parts = _parts(data)
        if parts:
            i = chance.randrange(len(parts))
            parts[i] = (parts[i][0], change(parts[i][1], chance))
        return _packed(parts) if parts else data

    return mutation


def _structure(data: bytes, chance: random.Random) -> bytes:
    """Entries taken out, doubled, renamed, exchanged or added."""
    parts = _parts(data)
    if not parts:
        return data
    i, j = chance.randrange(len(parts)), chance.randrange(len(parts))
    kind = chance.randrange(5)
    if kind == 0:
        del parts[i]
    elif kind == 1:
        parts.append(parts[i])
    elif kind == 2:
        parts[i] = (chance.choice(["../x.xml", "/a", "word/x.xml", "", "C:\\x", "word//document.xml"]), parts[i][1])
    elif kind == 3:
        parts[i], parts[j] = (parts[i][0], parts[j][1]), (parts[j][0], parts[i][1])
    else:
        parts.append(
            (f"word/{chance.randrange(9)}.xml", chance.choice([b"", b"<a/>", b"\0" * 9, b"PK\3\4", bytes(10**6)]))
        )
    return _packed(parts)


def _tags(content: bytes, chance: random.Random) -> bytes:
    """Tags taken out, doubled, moved or exchanged: mostly no XML any more, sometimes other XML."""
    pieces = re.split(rb"(<[^>]*>)", content)
    for _ in range(chance.randint(1, 4)):
        i, j = chance.randrange(len(pieces)), chance.randrange(len(pieces))
        kind = chance.randrange(4)
        if kind == 0:
            pieces[i] = b""
        elif kind == 1:
            pieces[i] *= 2
        else:
            pieces[i], pieces[j] = pieces[j], pieces[i]
    return b"".join(pieces)


def _elements(content: bytes, chance: random.Random) -> bytes:
    """Whole elements taken out, doubled, moved, renamed or nested: still XML, but of no schema."""
    from lxml import etree

    try:
        root = etree.fromstring(content)
    except (etree.XMLSyntaxError, ValueError):
        return content
    elements = list(root.iter(etree.Element))
    for _ in range(chance.randint(1, 5)):
        one, other = chance.choice(elements), chance.choice(elements)
        parent = one.getparent()
        kind = chance.randrange(6)
        if parent is None:
            continue
        if kind == 0:
            parent.remove(one)
        elif kind == 1:
            other.append(etree.fromstring(etree.tostring(one)))
        elif kind == 2 and other not in list(one.iter()):
            other.insert(0, one)
        elif kind == 3:
            one.tag = other.tag
        elif kind == 4:
            one.attrib.update(other.attrib)
        else:
            for key in one.attrib:
                one.set(
                    key, chance.choice(["", "-1", "x", "rId1", "99999999999999999999", "Zwetkow", *one.attrib.values()])
                )
    return bytes(etree.tostring(root))


def _nested(content: bytes, chance: random.Random) -> bytes:
    """A part in which elements stand deep inside one another, or that is long, or declares something."""
    tag = chance.choice([b"w:p", b"w:r", b"w:tbl", b"w:sdt", b"x"])
    depth = chance.choice([10, 200, 300, 5000])
    declared = chance.choice([b"", b"", b"<!DOCTYPE a [<!ENTITY b 'c'>]>"])
    inside = b"<" + tag + b">" * 1 + b""
    body = inside * depth + b"&b;" * bool(declared) + (b"</" + tag + b">") * depth
    return declared + re.sub(rb"(<w:body>)", rb"\1" + body, content, count=1)


def _parts(data: bytes) -> list[tuple[str, bytes]]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return [(entry.filename, archive.read(entry)) for entry in archive.infolist() if entry.file_size < 10**7]
    except Exception:  # a mutation before may have left no archive
        return []


def _packed(parts: Sequence[tuple[str, bytes]]) -> bytes:
    import warnings

    stream = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        warnings.simplefilter("ignore")  # of doubled names
        for name, content in parts:
            archive.writestr(zipfile.ZipInfo(name or "x"), content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


_MUTATIONS: list[Callable[[bytes, random.Random], bytes]] = [
    _bytes,
    _cut,
    _structure,
    _in_a_part(_bytes),
    _in_a_part(_tags),
    *[_in_a_part(_elements)] * 6,  # what gets past the door
    _in_a_part(_nested),
]


def sample() -> bytes:
    """A small ruling with most of what Word writes: tables, notes in the margin, a header, a picture, a link."""
    import docx
    from docx.opc.constants import RELATIONSHIP_TYPE

    from aef.corpus_tools.pictures import blank

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
    for first in range(given.seed, given.seed + given.count, BATCH):
        count = min(BATCH, given.seed + given.count - first)
        command = [
            sys.executable,
            "-m",
            "aef.benchmarks.fuzz_docx",
            "--child",
            "--seed",
            str(first),
            "--count",
            str(count),
        ]
        for option, values in (("--file", given.file), ("--names", [given.names]), ("--keep", [given.keep])):
            command += [word for value in values if value for word in (option, str(value))]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            yield Outcome(Counter(failed=1), {first: f"the process ended with {done.returncode}"})
        else:
            record = json.loads(done.stdout)
            failed = {int(seed): why for seed, why in record["failed"].items()}
            yield Outcome(Counter(record["counts"]), failed, record["longest"], record["megabytes"])


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
    parser.add_argument("--file", action="append", default=[], metavar="FILE", help="a DOCX to mutate")
    parser.add_argument("--names", metavar="FILE", help="the names in it, one a line")
    parser.add_argument("--keep", metavar="FOLDER", help="save the mutations that fail")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.child:
        o = _run(given)
        print(json.dumps({"counts": o.counts, "failed": o.failed, "longest": o.longest, "megabytes": o.megabytes}))
        return 0
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
