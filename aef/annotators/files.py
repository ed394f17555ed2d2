"""The files behind an annotator's name: for its fingerprint, and for a process that works in another folder."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def resolved(name: str | None) -> str | None:
    return str(Path(name).resolve()) if name is not None and Path(name).exists() else name


def resolved_annotator(name: str | None) -> str | None:
    """The annotator's name with absolute paths: ``FILE.toml``, ``FILE.toml:STEP``, ``gazetteer:FILE,FILE``."""
    if name is None or Path(name).is_file():
        return resolved(name)
    first, colon, rest = name.partition(":")
    parts = ",".join(str(resolved(part)) for part in rest.split(","))
    return f"{resolved(first) if first.endswith('.toml') else first}{colon}{parts if colon else ''}"


def annotator_files(name: str) -> Iterator[Path]:
    """The files behind an annotator's name: the pipeline's and those that it names, and what it may take unnamed."""
    from aef.annotators.pipeline import ready
    from aef.tagging.ready_models import models

    first, _, rest = name.partition(":")
    for part in [name, first, *rest.split(",")]:
        path = ready().get(part) or Path(part)
        if path.is_file():
            yield path
            yield from _named_in(path) if path.suffix == ".toml" else ()
    yield from models().values()


def _named_in(path: Path) -> Iterator[Path]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        return  # loading it says what is wrong
    yield from (file for text in _texts(content) if (file := path.parent / text).is_file())


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)
