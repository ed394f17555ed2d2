"""The editor's page on a judgment of 300 pages: ``python -m aef.benchmarks.editing [--pages N] [--answers N]``.

The judgment is the demo's twelve rulings, one after another and over again, as DOCX, of 433 words a page. ``aef edit``
has it open in a process of its own, and headless Chromium shows it; needs ``pip install '.[browser,service]'``. Printed
are seconds of wall-clock time from the command's start until the page shows the ruling, and the first question; from a
key until the page shows what it answers and asks what is next, and until all else is decided by it; from one picture to
the next while the text is scrolled; the server's memory. Beside them is processor time, of the server or of the page's
main thread, which other work on the machine disturbs less.

Each answer is given when the one before is decided, to what is asked first, and as it is proposed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np

from aef.benchmarks.docx_speed import COMMAND, write_docx
from aef.benchmarks.measure import ONE_THREAD
from aef.commands.common import table
from aef.corpus_tools.samples import built_in
from aef.errors import InputError
from aef.experiments.data import run_study
from aef.experiments.editing_picture import browser

WORDS_A_PAGE = 433
_DRAWN = "() => new Promise(done => requestAnimationFrame(() => setTimeout(() => done(performance.now()))))"
_PICTURES = 120
_SCROLLED = f"""async () => {{
  const frames = [];
  for (let i = 0, last = performance.now(); i < {_PICTURES}; i++) {{
    scrollBy(0, 400);
    await new Promise(done => requestAnimationFrame(done));
    frames.push(performance.now() - last);
    last = performance.now();
  }}
  return frames;
}}"""


def judgment(pages: int, path: Path) -> int:
    """Write it; returns its words."""
    lines, words = [], 0
    for ruling in cycle(built_in()):
        for line in filter(str.strip, ruling.text.split("\n")):
            lines.append([(line, False, False)])
            words += len(line.split())
        if words >= pages * WORDS_A_PAGE:
            break
    write_docx(lines, path)
    return words


@contextmanager
def served(path: Path) -> Iterator[tuple[int, str]]:
    """The process of ``aef edit``, and the address of the page."""
    command = [sys.executable, "-c", COMMAND, "edit", "--no-browser", "--quiet", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | ONE_THREAD) as process:
        assert process.stdout is not None
        try:
            yield process.pid, process.stdout.readline().strip()
        finally:
            process.kill()


class Clock:
    """Seconds, and those of processor time of the page's main thread, since it was made."""

    def __init__(self, page: Any) -> None:
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.enable", {"timeDomain": "threadTicks"})
        self._busy, self._began = self._used(), time.perf_counter()

    def _used(self) -> float:
        found = self._session.send("Performance.getMetrics")["metrics"]
        return float(next(metric["value"] for metric in found if metric["name"] == "TaskDuration"))

    def passed(self) -> tuple[float, float]:
        seconds = time.perf_counter() - self._began
        return seconds, self._used() - self._busy


def answered(page: Any) -> tuple[float, float, float]:
    """Seconds until an answer is shown, of them processor time, and until all else is decided by it."""
    asked, undone = page.inner_text("#question"), page.get_attribute("#text", "data-version")
    key = "y" if page.query_selector(".listed") else page.inner_text("#question kbd")
    clock = Clock(page)
    page.keyboard.press(key)
    page.evaluate(_DRAWN)
    shown = clock.passed()
    if page.inner_text("#question") == asked:
        raise InputError("the page shows nothing new after an answer")
    page.wait_for_function("v => document.getElementById('text').dataset.version !== v", arg=undone)
    page.evaluate(_DRAWN)
    return *shown, clock.passed()[0]


def used(process: int) -> tuple[float, float]:
    """Its seconds of processor time, and the most megabytes that it had."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    most = next(line for line in Path(f"/proc/{process}/status").read_text().splitlines() if line.startswith("VmHWM"))
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK"), int(most.split()[1]) / 1024


def measured(path: Path, answers: int) -> Iterator[list[Any]]:
    """The rows of the table."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        page = started.chromium.launch(executable_path=browser(), args=["--no-sandbox"]).new_page()
        page.set_default_timeout(600_000)
        began = time.perf_counter()
        with served(path) as (process, address):
            page.goto(address)
            page.wait_for_selector("#text p")
            page.evaluate(_DRAWN)
            yield ["the ruling is on the page", time.perf_counter() - began, used(process)[0], "s", "at most 3"]
            page.wait_for_selector("#question h3")
            yield ["the first question is asked", time.perf_counter() - began, used(process)[0], "s", ""]
            times = np.array([answered(page) for _ in range(answers)])
            for share, name in ((0.5, "the middle one"), (0.95, "95 of 100")):
                shown, busy, decided = np.quantile(times, share, axis=0)
                yield [f"an answer is shown, {name}", 1000 * shown, 1000 * busy, "ms", "95 of 100: 200"]
                yield [f"all is decided by it, {name}", decided, "", "s", ""]
            clock = Clock(page)
            late = np.quantile(page.evaluate(_SCROLLED), 0.95)
            busy = 1000 * clock.passed()[1] / _PICTURES
            yield ["from picture to picture in scrolling, 95 of 100 (of processor time, mean)", late, busy, "ms", ""]
            yield ["memory of the server", used(process)[1], "", "MB", ""]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=300, metavar="N", help="(default: 300)")
    parser.add_argument("--answers", type=int, default=40, metavar="N", help="(default: 40)")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "judgment.docx")
        words = judgment(chosen.pages, path)
        rows = list(measured(path, chosen.answers))
    print(f"{words:,} words; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(table(rows, ["until", "measured", "of processor time", "unit", "asked"]))


if __name__ == "__main__":
    run_study(main)
