"""A picture of the editor's page on an invented ruling: ``python -m aef.experiments.editing_picture FILE.png``.

Needs Chromium and ``pip install '.[browser,service]'``. ``--ruling N`` takes another one of the demo, ``--narrow``
a window of 400 pixels, ``--dark`` the dark colours.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue

from aef.corpus_tools.files import must_be_new, write_atomic
from aef.corpus_tools.samples import built_in
from aef.editing import Session
from aef.errors import InputError
from aef.experiments.data import run_study

_WIDE, _NARROW = (1180, 760), (400, 800)
_IDLE = 20.0
"""Seconds after which the page ends by itself."""


def browser() -> str:
    """The path of Chromium. Raises `InputError` where it is not installed."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        raise InputError("no Chromium is installed. On Debian: apt-get install chromium")
    return found


@contextmanager
def served(ruling: Path) -> Iterator[str]:
    """The address of the page on a ruling."""
    from aef.editing.web.desk import GOLD, Desk, Ruling
    from aef.editing.web.server import serve

    target, corrections, key = (ruling.with_name(f"ruling{end}") for end in ("-safe.docx", GOLD, "-safe.key.json"))
    desk, told = Desk([Ruling(Session(ruling), target, corrections, key)]), Queue[str]()
    thread = threading.Thread(target=serve, args=(desk, 0, _IDLE, told.put), daemon=True)
    thread.start()
    yield told.get(timeout=60)
    thread.join()


def picture(address: str, size: tuple[int, int], dark: bool) -> bytes:
    """The page as PNG, after one answer."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        made = started.chromium.launch(executable_path=browser(), args=["--no-sandbox"])
        page = made.new_page(viewport={"width": size[0], "height": size[1]})
        page.emulate_media(color_scheme="dark" if dark else "light")
        page.goto(address)
        page.wait_for_selector("#question h3")
        page.keyboard.press("y" if page.query_selector(".listed") else "s")
        page.wait_for_selector("#undo:enabled")
        return bytes(page.screenshot())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path, metavar="FILE.png")
    parser.add_argument("--ruling", type=int, default=3, metavar="N", help="of the demo's, from 1 (default: 3)")
    parser.add_argument("--narrow", action="store_true", help="a window of 400 pixels")
    parser.add_argument("--dark", action="store_true", help="in dark colours")
    parser.add_argument("--force", action="store_true", help="overwrite")
    chosen = parser.parse_args()
    must_be_new([chosen.output], chosen.force)
    rulings = built_in()
    if not 1 <= chosen.ruling <= len(rulings):
        raise InputError(f"there is no ruling {chosen.ruling}: take one from 1 to {len(rulings)}")
    browser()
    with tempfile.TemporaryDirectory() as folder:
        ruling = Path(folder, "ruling.docx")
        ruling.write_bytes(rulings[chosen.ruling - 1].original_docx())
        with served(ruling) as address:
            content = picture(address, _NARROW if chosen.narrow else _WIDE, chosen.dark)
    write_atomic(chosen.output, content, chosen.force)


if __name__ == "__main__":
    run_study(main)
