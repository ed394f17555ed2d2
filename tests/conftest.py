"""What several tests share: the real corpora, where they are, and a small corpus of our own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from aef.commands import main
from aef.corpus_tools.document import Document, Mention

settings.register_profile("suite", deadline=None)  # speed lives in the benchmarks
settings.load_profile("suite")

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("AEF_DATA", ROOT.parent / "shared" / "data"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run the slow tests, too")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two processes; none for what is picked out, which is to start at once and to be looked into."""
    picked = config.option.keyword or config.option.capture == "no" or any(".py" in name for name in config.args)
    return 0 if picked or os.cpu_count() == 1 else 2


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the slow tests, unless all are asked for or one is named."""
    if config.getoption("--all") or any("::" in argument for argument in config.args):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=slow)
    items[:] = [item for item in items if item not in slow]


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real corpora; a test that needs it is skipped where it is absent."""
    if not DATA.is_dir():
        pytest.skip(f"no corpora in {DATA} (set AEF_DATA)")
    return DATA


SENTENCES = (
    "Ms. {a} and Mr. {b} were married in {place} on {date}.",
    "The plaintiff, {a}, asks for custody of the child {c}.",
    "Mr. {b} works as a carpenter. His sister {c} {b} lives with him.",
    "Counsel for the defendant says that {b} paid support until {date}.",
    "{a} denies this. The Court prefers her evidence to that of Mr. {b}.",
    "On {date} the parties agreed that {c} would live in {place}.",
)
NAMES = ("Millar", "Osei", "Petrov", "Tran", "Larkin", "Dubois", "Singh", "Marek", "Hollis", "Ferro", "Quist", "Abara")
CHILDREN = ("Mika", "Tilda", "Owen", "Ruth", "Ivo", "Lena", "Noor", "Pia", "Sven", "Tariq", "Uma", "Vera")
PLACES = ("Kelowna", "Nelson", "Trail", "Hope", "Comox", "Smithers")


def small_document(number: int) -> Document:
    """A made-up ruling of some twenty sentences; persons and places are masked, dates stay."""
    text, mentions = "", []
    values = {
        "a": NAMES[number % 12],
        "b": NAMES[(number * 5 + 3) % 12],
        "c": CHILDREN[number % 12],
        "place": PLACES[number % 6],
        "date": f"{1 + number % 28} March {1990 + number % 9}",
    }
    for i in range(18):
        pieces = SENTENCES[(i * 5 + number) % len(SENTENCES)].replace("}", "{").split("{")
        for k, piece in enumerate(pieces):
            start = len(text)
            text += values[piece] if k % 2 else piece
            if k % 2 and piece != "date":
                kind = "LOC" if piece == "place" else "PERSON"
                mentions.append(Mention(start, len(text), kind, "DIRECT", f"{number}-{values[piece]}"))
        text += "\n\n" if i % 4 == 3 else " "
    return Document.from_text(text, f"small-{number}", mentions)


@pytest.fixture(scope="session")
def corpus() -> list[Document]:
    """Twelve small gold documents."""
    return [small_document(i) for i in range(12)]


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What ``aef demo`` leaves, for those who take it to be there: to copy before anything is written."""
    folder = tmp_path_factory.mktemp("demo") / "aef-demo"
    assert main(["demo", "--quiet", "-o", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real browser without a window; a test that needs it is skipped where there is none."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        pytest.skip("no Chromium is installed")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as started:
        made = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield made
        made.close()
