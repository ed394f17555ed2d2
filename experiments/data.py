"""Where the studies find their corpora, and how they end where these are missing: one line, exit code 2."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from aef.corpus_tools.document import Document
from aef.corpus_tools.gold.corpora import read_gold
from aef.errors import InputError

DATA = Path(os.environ.get("AEF_DATA", "../shared/data"))
"""The folder of corpora."""


def add_data(parser: argparse.ArgumentParser, *corpora: str) -> None:
    parser.add_argument("--data", type=Path, default=DATA, help=f"the folder that holds {', '.join(corpora)}")


def there(path: Path) -> Path:
    """The path of a corpus. Raises `InputError` where nothing is there."""
    if not path.exists():
        remedy = "Name the folder that holds the corpora in the environment variable AEF_DATA or with --data"
        raise InputError.at(path.resolve(), "no such corpus", remedy=remedy)
    return path


def judgments(folder: Path) -> list[Document]:
    """The judgments of the Text Anonymization Benchmark in a folder: train, then dev."""
    return [d for part in ("train", "dev") for d in read_gold(there(folder / f"{part}.jsonl"))]


def run_study(main: Callable[[], object]) -> NoReturn:
    """Run a study and exit, with the code that it returns if it does; a user's mistake becomes one line and code 2."""
    try:
        code = main()
    except InputError as error:
        print(f"{Path(sys.argv[0]).stem}: {error}", file=sys.stderr)
        code = 2
    sys.exit(code if isinstance(code, int) else 0)
