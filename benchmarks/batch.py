"""What `aef batch` promises, measured: ``python -m aef.benchmarks.batch [--number N] [--jobs N] [--keep FOLDER]``.

A thousand generated rulings (DOCX, HTML and TXT, one in a hundred broken in one of several ways) go through

whole    ``aef batch`` on two processes: rulings and tokens a second, and whether all broken ones are reported;
killed   the same, killed (SIGKILL) when half is done, and run again: whether a finished file was repeated or lost;
cluster  the same on a local Dask cluster of two workers, of which one is killed when half is done.

A sound ruling may be refused where the verification still finds a hidden name; that is listed. The outputs of all three
must be the same: byte for byte, and of a DOCX the parts (the archive itself says when it was made). The exit code is 1
where anything is otherwise.
"""

from __future__ import annotations

import argparse
import hashlib
import html
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aef.batch.state import FOLDER, STATE
from aef.commands.common import say, table
from aef.corpus_tools.invented import rulings
from aef.corpus_tools.samples import generate
from aef.errors import InputError

_COMMAND = "import sys; from aef.commands import main; sys.exit(main(sys.argv[1:]))"
_FOLDER = 50
"""Rulings in each subfolder."""
_BROKEN: tuple[Callable[[bytes], tuple[str, bytes]], ...] = (
    lambda docx: (".docx", docx[: len(docx) // 2]),
    lambda docx: (".docx", b"PK\3\4" + docx[40:]),
    lambda docx: (".docx", b""),
    lambda docx: (".txt", b" \n "),
    lambda docx: (".txt", docx),
    lambda docx: (".html", b"<html><body></body></html>"),
    lambda docx: (".pdf", b"%PDF-1.4"),
    lambda docx: (".doc", b"\xd0\xcf\x11\xe0" + docx),
    lambda docx: (".txt", bytes(range(256)) * 40),
    lambda docx: (".html", docx),
)
"""Ways in which a file is broken, made of a sound DOCX."""


def corpus(folder: Path, number: int) -> set[str]:
    """Write so many rulings; returns the broken ones."""
    documents = [r.original_docx() for r in generate(number // 3 + 1, pages=(3, 4))]
    texts = [d.text for d in rulings(number)]
    broken = set()
    for i in range(number):
        if i % 100 == 50:
            suffix, content = _BROKEN[i // 100 % len(_BROKEN)](documents[i // 3])
        else:
            suffix, content = (".docx", documents[i // 3]) if i % 3 == 0 else _text(texts[i], i % 3)
        path = folder / f"part-{i // _FOLDER:02}" / f"ruling-{i:04}{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        broken |= {path.relative_to(folder).as_posix()} if i % 100 == 50 else set()
    return broken


def _text(text: str, kind: int) -> tuple[str, bytes]:
    if kind == 1:
        return ".txt", text.encode()
    paragraphs = "".join(f"<p>{html.escape(line)}</p>\n" for line in text.split("\n") if line.strip())
    return ".html", f"<!DOCTYPE html><html><head><title>Ruling</title></head><body>{paragraphs}</body></html>".encode()


@dataclass(frozen=True)
class Found:
    """What a run left: the report, the seconds it took, a hash of all outputs, and rulings recorded twice."""

    report: dict[str, Any]
    seconds: float
    outputs: str
    twice: int


def whole(source: Path, output: Path, options: Sequence[str]) -> Found:
    started = time.perf_counter()
    done = subprocess.run(_arguments(source, output, options), capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise InputError(f"aef batch ended with {done.returncode}: {done.stderr[-2000:]}")
    return _found(json.loads(done.stdout), time.perf_counter() - started, output)


def killed(source: Path, output: Path, options: Sequence[str], half: int) -> tuple[Found, int]:
    """The run that goes on after a kill, and how many rulings were recorded before it."""
    with subprocess.Popen(
        _arguments(source, output, options), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as run:
        _wait(output, half, lambda: run.poll() is not None)
        os.kill(run.pid, signal.SIGKILL)
    before = len(_recorded(output))
    return whole(source, output, options), before


def on_cluster(source: Path, output: Path, half: int) -> Found:
    """The run on a cluster of two workers, one of which is killed when half is done."""
    with _cluster() as (address, workers):
        started = time.perf_counter()
        with subprocess.Popen(
            _arguments(source, output, ["--dask", address]), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as run:
            _wait(output, half, lambda: run.poll() is not None)
            os.kill(workers[0], signal.SIGKILL)
            printed, errors = run.communicate()
        if run.returncode not in (0, 1):
            raise InputError(f"aef batch --dask ended with {run.returncode}: {errors[-2000:]}")
        return _found(json.loads(printed), time.perf_counter() - started, output)


@contextmanager
def _cluster() -> Iterator[tuple[str, list[int]]]:
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise InputError("the cluster needs the package distributed: install aef-anonymizer[dask]") from error
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster.scheduler_address) as client,
    ):
        yield cluster.scheduler_address, list(client.run(os.getpid).values())


def _arguments(source: Path, output: Path, options: Sequence[str]) -> list[str]:
    return [sys.executable, "-c", _COMMAND, "batch", str(source), "-o", str(output), "--json", "--quiet", *options]


def _wait(output: Path, number: int, ended: Callable[[], bool]) -> None:
    while len(_recorded(output)) < number and not ended():
        time.sleep(0.05)


def _recorded(output: Path) -> list[str]:
    path = output / FOLDER / STATE
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    return [json.loads(line)["outcome"]["ruling"] for line in lines if line.startswith(b'{"outcome"')]


def _found(report: dict[str, Any], seconds: float, output: Path) -> Found:
    total = hashlib.sha256()
    for path in sorted(p for p in output.rglob("*") if p.is_file() and FOLDER not in p.relative_to(output).parts):
        total.update(str(path.relative_to(output)).encode() + b"\0" + _content(path))
    recorded = _recorded(output)
    return Found(report, seconds, total.hexdigest()[:16], len(recorded) - len(set(recorded)))


def _content(path: Path) -> bytes:
    """A hash of a file; of a DOCX, of its parts by name."""
    if path.suffix != ".docx":
        return hashlib.sha256(path.read_bytes()).digest()
    with zipfile.ZipFile(path) as archive:
        parts = ((part.filename.encode(), archive.read(part)) for part in archive.infolist())
        return hashlib.sha256(b"".join(n + b"\0" + hashlib.sha256(d).digest() for n, d in parts)).digest()


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        try:
            return _run(Path(given.keep or folder), given.number, ["--jobs", str(given.jobs)])
        except InputError as error:
            print(f"aef.benchmarks.batch: {error}", file=sys.stderr)
            return 2


def _run(folder: Path, number: int, options: Sequence[str]) -> int:
    say("writing the rulings")
    broken = corpus(folder / "rulings", number)
    say("whole")
    one = whole(folder / "rulings", folder / "whole", options)
    say("killed")
    two, before = killed(folder / "rulings", folder / "killed", options, number // 2)
    say("cluster")
    three = on_cluster(folder / "rulings", folder / "cluster", number // 2)
    runs = {"whole": one, "killed, resumed": two, "cluster, one worker killed": three}
    print(table([_row(name, found, broken) for name, found in runs.items()], HEADER))
    tokens = one.report["tokens"]
    print(f"\n{number / one.seconds:.2f} rulings and {tokens / one.seconds:.0f} tokens a second ({' '.join(options)})")
    for row in one.report["rulings"]:
        if row["status"] == "refused" and row["ruling"] not in broken:
            print(f"sound, refused: {row['ruling']}: {row['why']}")
    print(f"killed with {before} recorded; the run after it found {two.report['by_an_earlier_run']} done")
    return int(not all(_right(found, one, broken, number) for found in runs.values()))


HEADER = ["run", "done", "refused", "broken, unreported", "sound, refused", "recorded twice", "seconds", "outputs"]


def _row(name: str, found: Found, broken: set[str]) -> list[Any]:
    refused = _refused(found)
    wrong = len(broken - refused), len(refused - broken)
    return [name, found.report["done"], found.report["refused"], *wrong, found.twice, found.seconds, found.outputs]


def _refused(found: Found) -> set[str]:
    return {row["ruling"] for row in found.report["rulings"] if row["status"] == "refused"}


def _right(found: Found, one: Found, broken: set[str], number: int) -> bool:
    all_there = found.report["done"] + found.report["refused"] == number
    same = found.outputs == one.outputs and _refused(found) == _refused(one)
    return all_there and broken <= _refused(found) and same and not found.twice


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="aef.benchmarks.batch", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--number", type=int, default=1000, metavar="N", help="rulings (default: 1000)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (default: 2)")
    parser.add_argument("--keep", metavar="FOLDER", help="keep rulings and outputs in this folder")
    return parser


if __name__ == "__main__":
    sys.exit(main())
