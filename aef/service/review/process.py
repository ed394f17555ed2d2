"""The process in which rulings are reviewed: it has the sessions in memory, knows no key, and sees no database.

``python -m aef.service.review.process`` is for `aef.service.review.reviewer` alone. What a request makes of it is plain
values; what is told is given back with each answer, to be sealed.
"""

from __future__ import annotations

import json
import os
import sys
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aef.batch.recipe import Recipe
from aef.corpus_tools.gold.corpora import to_jsonl
from aef.editing.facts import fact_of
from aef.editing.session import Session
from aef.editing.web.desk import Opened, Stale, done
from aef.errors import InputError
from aef.workers import frames
from aef.workers.worker import be_quiet, dump_no_core, limit_memory, policy_of, readable, recipe_of, tagger_of

OPEN = 4
"""Sessions that are kept in memory; the others are opened anew."""
UNKNOWN, STALE, WRONG = "unknown", "stale", "wrong"
"""What a request may come to: no such session here, another window was quicker, something that cannot be."""


@dataclass
class Sealed(Opened):
    """An open ruling of the service: what comes of it goes back to the service."""

    shown_name: str
    lasting: ExitStack = field(default_factory=ExitStack)

    @property
    def name(self) -> str:
        return self.shown_name

    def answers(self) -> dict[str, Any]:
        """What was told and taken back, as plain values without a word of the ruling."""
        told = [[fact.as_dict() for fact in facts] for facts in (self.session.facts, self.session.undone)]
        return {"version": self.version, "facts": told[0], "undone": told[1]}

    def end(self, version: int) -> tuple[dict[str, Any], bytes]:
        """What the page is told, and the safe file. Raises `Stale`, `InputError`."""
        with self._lock:
            self._must_be(version)
            result = self.session.finish(None)
            told = done(result, not result.remaining)
            if result.remaining:
                return {"told": told}, b""
            protocol = [{"ruling": self.name, **self.session.protocol()}]
            kept = {"gold": to_jsonl([self.session.corrections()]), "protocol": json.dumps(protocol)}
            return {"told": told, "figures": dict(result.counts), **kept}, result.content


class Room:
    """The sessions that are open."""

    def __init__(self, default: Recipe, folder: Path) -> None:
        self._default, self._folder = default, folder
        self._open: OrderedDict[str, Sealed] = OrderedDict()

    def answer(self, asked: Mapping[str, Any], content: bytes) -> tuple[dict[str, Any], bytes]:
        """What a request comes to."""
        try:
            if asked["what"] == "open" and asked["id"] not in self._open:  # the page asks for text and people at once
                self._begin(asked, content)
            ruling = self._open.get(asked["id"])
            if ruling is None:
                return {UNKNOWN: True}, b""
            self._open.move_to_end(asked["id"])
            return self._done(ruling, asked)
        except Stale:
            return {STALE: True}, b""
        except InputError as error:
            return {WRONG: str(error).replace(str(self._folder), "")}, b""
        except MemoryError:
            return {WRONG: "it takes more memory than a worker may have"}, b""

    def _done(self, ruling: Sealed, asked: Mapping[str, Any]) -> tuple[dict[str, Any], bytes]:
        if asked["what"] == "change":
            told = ruling.change(asked["version"], asked["action"], **asked["values"])
            return {"told": told, "answers": ruling.answers()}, b""
        if asked["what"] == "finish":
            answer, content = ruling.end(asked["version"])
            if answer["told"]["written"]:
                self._open.pop(asked["id"]).lasting.close()
            return answer, content
        return {"told": ruling.text() if asked["what"] == "text" else ruling.shown()}, b""

    def _begin(self, asked: Mapping[str, Any], content: bytes) -> None:
        """Open a ruling, with what was told of it before."""
        while len(self._open) >= OPEN:
            self._open.popitem(last=False)[1].lasting.close()
        recipe = recipe_of(self._default, asked["options"])
        with ExitStack() as lasting:
            path = lasting.enter_context(readable(content, self._folder / f"{asked['id']}.{asked['format']}"))
            kept: dict[str, Any] = {n: getattr(recipe, n) for n in ("scheme", "seed", "keep_initials")}
            session = Session(path, tagger_of(recipe), policy_of(recipe.policy), **kept)
            told = asked["answers"]
            length = len(session.read.text)
            facts, undone = ([fact_of(v, length) for v in told.get(kind, ())] for kind in ("facts", "undone"))
            session.replay(facts, undone)
            name = f"{asked['id'][:8]}.{asked['format']}"
            ruling = Sealed(session, name, version=told.get("version", 0))
            ruling.lasting = lasting.pop_all()
        self._open[asked["id"]] = ruling


def main() -> int:
    """Serve one service until it is gone."""
    incoming, outgoing = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    be_quiet()
    dump_no_core()
    settings, _ = frames.read(incoming)
    limit_memory(settings["memory"])
    room = Room(Recipe.from_dict(settings["recipe"]), Path(settings["folder"]))
    frames.write(outgoing, {"ready": True})
    with suppress(EOFError, BrokenPipeError):
        while True:
            asked, content = frames.read(incoming)
            try:
                answer, body = room.answer(asked, content)
            except Exception as error:  # one ruling's bad luck does not end the others' sessions
                answer, body = {WRONG: f"the program erred ({type(error).__name__}). Your answers are kept"}, b""
            frames.write(outgoing, {"number": asked["number"], **answer}, body)
    return 0


if __name__ == "__main__":
    sys.exit(main())
