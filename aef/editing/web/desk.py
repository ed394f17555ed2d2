"""The rulings that are open: who may change them when, where answers are saved, what is written in the end."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

from aef.anonymization import Result
from aef.corpus_tools.files import must_be_new, write_atomic
from aef.corpus_tools.gold.corpora import to_jsonl
from aef.editing.facts import fact_of
from aef.editing.saving import save, save_path
from aef.editing.session import Session
from aef.editing.web.view import paragraphs, view
from aef.errors import InputError

GOLD = "-safe.gold.jsonl"
"""How the names of the gold lines end."""


class Stale(Exception):
    """The page showed an older state: another window changed the ruling meanwhile."""


ACTIONS: Mapping[str, Callable[..., object]] = {
    "tell": lambda session, facts: session.tell(*(fact_of(fact, len(session.read.text)) for fact in facts)),
    "settle": Session.settle,
    "undo": Session.undo,
    "redo": Session.redo,
}
"""What a page may ask of a session, with plain values."""


class Shown(Protocol):
    """A ruling as the page's addresses ask for it, wherever it is open."""

    @property
    def name(self) -> str:
        """Of its file, perhaps without its names."""

    @property
    def finished(self) -> bool:
        """Whether the safe file can be had."""

    def text(self) -> dict[str, Any]:
        """The ruling as it reads, for the time until it is decided."""

    def shown(self) -> dict[str, Any]:
        """All that the page shows."""

    def change(self, version: int, action: str, **values: Any) -> dict[str, Any]:
        """What the page shows after one of `ACTIONS`; of paragraphs those that changed. Raises `Stale`,
        `InputError`."""

    def finish(self, version: int, force: bool, review: bool) -> dict[str, Any]:
        """Bring it to its end; ``left``: the places where a hidden name is left, and nothing is ended then. Raises
        `Stale`, `InputError`."""

    def safe(self) -> tuple[str, bytes]:
        """The safe file of one that is finished, with its name."""


@dataclass
class Opened:
    """An open ruling. version : counts what was told; a window that knows an older one is shown the ruling anew before
    it may change anything."""

    session: Session
    version: int = field(default=0, kw_only=True)
    unsaved: str = field(default="", kw_only=True)
    finished: bool = field(default=False, kw_only=True)
    _paragraphs: list[dict[str, Any]] = field(default_factory=list, kw_only=True)
    _lock: Lock = field(default_factory=Lock, kw_only=True)

    @property
    def name(self) -> str:
        return self.session.path.name if self.session.path else "ruling"

    def text(self) -> dict[str, Any]:
        """As `Shown.text`; nobody waits for anybody here."""
        return {"paragraphs": list(paragraphs(self.session.read, self.session.looks)), "name": self.name}

    def shown(self) -> dict[str, Any]:
        """As `Shown.shown`."""
        with self._lock:
            return self._shown()

    def change(self, version: int, action: str, **values: Any) -> dict[str, Any]:
        """As `Shown.change`."""
        with self._lock:
            self._must_be(version)
            before = self._paragraphs
            ACTIONS[action](self.session, **values)
            self.version += 1
            self._save()
            found = self._shown()
            changed = {i: p for i, p in enumerate(found.pop("paragraphs")) if i >= len(before) or before[i] != p}
            return {**found, "changed": changed}

    def _must_be(self, version: int) -> None:
        if version != self.version:
            raise Stale

    def _shown(self) -> dict[str, Any]:
        found = view(self.session)
        self._paragraphs = found["paragraphs"]
        return {**found, "version": self.version, "name": self.name, "unsaved": self.unsaved}

    def _save(self) -> None:
        """Keep what was told, where it is kept here."""


@dataclass
class Ruling(Opened):
    """An open ruling beside which files are written.

    target, corrections, protocol : where the safe file, the gold line, and who is who go.
    """

    target: Path
    corrections: Path
    protocol: Path

    def finish(self, version: int, force: bool, review: bool) -> dict[str, Any]:
        """As `Shown.finish`; writes the safe file and the gold line."""
        with self._lock:
            self._must_be(version)
            must_be_new([self.corrections, self.protocol], force)
            beside = self.target.with_suffix(".docx") if review else None
            result = self.session.finish(self.target, review=beside, force=force)
            if result.written:
                self._keep()
            names = [p.name for p in (self.target, result.review, self.corrections, self.protocol) if p is not None]
            return {**done(result, result.written), "files": names}

    def safe(self) -> tuple[str, bytes]:
        """As `Shown.safe`. Raises `InputError` where the file is gone."""
        try:
            return self.target.name, self.target.read_bytes()
        except OSError as error:
            raise InputError.at(self.target.name, "cannot be read", remedy="Finish the ruling again") from error

    def _keep(self) -> None:
        """Write the gold line, and who is who: for their owner alone."""
        key = [{"ruling": str(self.target), **self.session.protocol()}]
        write_atomic(self.protocol, json.dumps(key, ensure_ascii=False, indent=2) + "\n", force=True, private=True)
        write_atomic(self.corrections, to_jsonl([self.session.corrections()]), force=True, private=True)
        self.finished = True

    def _save(self) -> None:
        """Save what was told; where that cannot be the page says so, and the answers stay in memory."""
        try:
            if self.session.path is not None:
                save(self.session, save_path(self.session.path))
            self.unsaved = ""
        except (InputError, OSError) as error:
            self.unsaved = str(error)


class Desk:
    """The open rulings by random ids: no name of a file stands in an address.

    takes : whether the page may bring further ones; copies : whether it can have a review copy.
    """

    takes, copies = False, True

    def __init__(self, rulings: Sequence[Shown]) -> None:
        self.rulings: Mapping[str, Shown] = {secrets.token_hex(8): ruling for ruling in rulings}

    def ruling(self, key: str) -> Shown | None:
        return self.rulings.get(key)


def done(result: Result, written: bool) -> dict[str, Any]:
    """What the page tells of a ruling that was to be finished."""
    return {"written": written, "left": result.remaining, "look": to_look_at(result)}


def to_look_at(result: Result) -> list[tuple[str, str, int]]:
    """The words of a written ruling to look at: each with whom it may mean, and its paragraph."""
    stands = [(s.name, " or ".join(s.candidates), s.places.paragraphs[0]) for s in result.in_clear]
    return stands + [(d.text, " or ".join(d.candidates or d.members), d.places.paragraphs[0]) for d in result.unsure]
