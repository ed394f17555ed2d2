"""What a ruling takes grows as its text does, whatever stands in it over and over: no small file stalls a worker."""

from __future__ import annotations

import json
import resource
import subprocess
import sys

import pytest

HEAD = "The applicant, Robert Hale, left. "
LENGTHS = (10_000, 40_000)
MOST = 1.2
"""So many times as the text does the time may grow; were it quadratic, it would grow four times so."""
TURNS = 5
"""Of a text that is doubted; slow is what is too slow in each of them."""
NOISE = 0.5
"""Seconds of processor time below which nothing is told by it."""
LIMIT = 100
"""Seconds of processor time for all of them; they take a quarter. One of them took more before."""

# (what stands there over and over, in which place; reason)
TEXTS = [
    ("{}", "HALE", "a surname in capitals, grown together: 99 s for 32,000 letters"),
    ("{}", "Hale ", "a surname, as a name without end is fitted into another: billions of ways"),
    ("{}", "Robert ", "a given name"),
    ("{}", "A.B. ", "initials"),
    ("{}", "R. v. ", "a case without parties"),
    ("{}", "Hale\n", "a name a line"),
    ("{}", "\n", "empty lines behind a sentence"),
    ("{}", "\r\n", "the same from Windows"),
    ("Robert Hale{}Ann Roe", " ", "blanks between two names, where one may be the other's: 100 s for 16,000"),
    ("Robert Hale{}Ann Roe", " \n", "lines of blanks there"),
    ("Hale{}Jr.", "\t", "tabs before what may be Jr."),
    ("passport No.{}A2214907", " ", "blanks between what says a number and the number"),
    ("born on{}3 May 1971", "\n", "lines before a date"),
    ("Hale v.{}Roe [2009] 1 A.C. 1", " ", "blanks in the name of a case"),
    ('(hereinafter{}"Hale")', " ", "blanks before a name for short"),
]

WRAPPED = ["Hale\n", "Hale ", "R. v. ", "\n"]
"""What stands over and over in HTML and DOCX, each line a paragraph; lines of blanks pack too well there."""

FILES = """
import html, io, pathlib, tempfile
import docx
from aef.batch.recipe import Recipe
anonymize, folder = Recipe().load(), pathlib.Path(tempfile.mkdtemp())
def written(text, suffix):
    content = text.encode()
    if suffix == ".html":
        content = "".join(f"<p>{html.escape(line)}</p>" for line in text.splitlines()).encode()
    if suffix == ".docx":
        document, into = docx.Document(), io.BytesIO()
        for line in text.splitlines():
            document.add_paragraph(line)
        document.save(into)
        content = into.getvalue()
    path = folder / f"ruling{suffix}"
    path.write_bytes(content)
    return path
"""

CHILD = f"""{FILES}
import json, sys, time
def taken(text):
    path = written(text, suffix)
    began = time.process_time()
    anonymize(path)
    return time.process_time() - began
texts, suffix, turns = json.load(sys.stdin)
taken(texts[0][0][:50])
print(json.dumps([[[taken(text) for text in pair] for _ in range(turns)] for pair in texts]))
"""


def measured(texts: list[list[str]], suffix: str, turns: int = 1) -> list[list[list[float]]]:
    """The processor time that each of a pair takes, in a process with a limit, for each turn of each pair."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))

    done = subprocess.run(
        [sys.executable, "-c", CHILD],
        input=json.dumps([texts, suffix, turns]),
        capture_output=True,
        text=True,
        preexec_fn=limit,
    )
    assert done.returncode == 0, f"over {LIMIT} seconds or 4 GB: {done.stderr[-300:]}"
    found: list[list[list[float]]] = json.loads(done.stdout)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".txt", ".html", ".docx"])
def test_time_grows_as_the_text_does(suffix: str) -> None:
    chosen = [row for row in TEXTS if suffix == ".txt" or (row[0] == "{}" and row[1] in WRAPPED)]
    pairs = [[HEAD + place.format(unit * (n // len(unit))) for n in LENGTHS] for place, unit, _ in chosen]
    bound = MOST * LENGTHS[1] / LENGTHS[0]
    doubted = [i for i, [(short, long)] in enumerate(measured(pairs, suffix)) if long > max(NOISE, bound * short)]
    again = measured([pairs[i] for i in doubted], suffix, TURNS) if doubted else []
    slow = {
        chosen[i][2]: turns
        for i, turns in zip(doubted, again, strict=True)
        if all(long > bound * short for short, long in turns)
    }
    assert not slow, slow


MEMORY = 400
"""Bytes that a ruling may take for each byte of its text, as `aef.service` says."""

TAKES = f"""{FILES}
import resource, sys
for text in (sys.argv[2][:1000], sys.argv[2]):
    anonymize(written(text, sys.argv[1]))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


@pytest.mark.parametrize("suffix", [".txt", ".html", ".docx"])
def test_memory_is_in_proportion_to_the_text(suffix: str) -> None:
    text = "".join(
        f"{n}. Mr. Hale of Kelowna paid Ms. Ann Roe $ {n} on {1 + n % 28} May 2001, she says.\n" for n in range(1400)
    )
    done = subprocess.run([sys.executable, "-c", TAKES, suffix, text], capture_output=True, text=True, check=True)
    before, after = map(int, done.stdout.split())
    assert after - before < MEMORY * len(text)
