"""Autosave: what was told, in a file beside the ruling, for its owner alone. It holds places and no word of the ruling.

``.RULING.docx.aefedit`` is JSON: the format's version, the SHA-256 of the ruling's text, what was told and taken back.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from aef.corpus_tools.files import write_atomic
from aef.editing.facts import Fact, fact_of
from aef.editing.session import Session
from aef.errors import InputError

FORMAT = 2
SUFFIX = ".aefedit"


def save_path(ruling: str | Path) -> Path:
    """Where the answers on a ruling are kept."""
    path = Path(ruling)
    return path.with_name(f".{path.name}{SUFFIX}")


def save(session: Session, path: Path) -> None:
    """Write what was told. Raises `InputError` where that cannot be."""
    content = {
        "format": FORMAT,
        "text": _hash(session),
        "facts": [fact.as_dict() for fact in session.facts],
        "undone": [fact.as_dict() for fact in session.undone],
    }
    write_atomic(path, json.dumps(content) + "\n", force=True, private=True)


def resume(session: Session, path: Path) -> bool:
    """Go on from what was saved, if something was. Raises `InputError` for what is no such file, of a newer version,
    or of another text."""
    if not path.exists():
        return False
    try:
        content = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputError.at(path, f"cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise _damaged(path) from error
    if not isinstance(content, dict) or not isinstance(content.get("format"), int):
        raise _damaged(path)
    if content["format"] > FORMAT:
        raise InputError.at(path, "was written by a newer version of aef", remedy="Use that version, or move it away")
    if content.get("text") != _hash(session):
        remedy = "Move it away to begin anew, or bring the ruling back as it was"
        raise InputError.at(path, "holds answers on another text than the ruling has now", remedy=remedy)
    length = len(session.read.text)
    session.replay(_facts(content, "facts", length, path), _facts(content, "undone", length, path))
    return True


def _facts(content: dict[str, Any], key: str, length: int, path: Path) -> list[Fact]:
    values = content.get(key)
    if not isinstance(values, list):
        raise _damaged(path)
    try:
        return [fact_of(value, length) for value in values]
    except InputError as error:
        raise _damaged(path) from error


def _damaged(path: Path) -> InputError:
    return InputError.at(path, "is no file of an editor's answers", remedy="Move it away to begin anew")


def _hash(session: Session) -> str:
    return hashlib.sha256(session.read.text.encode("utf-8", "surrogatepass")).hexdigest()
