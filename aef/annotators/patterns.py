"""Numbers, codes, addresses and the like by patterns that are data: TOML files a user extends.

A file of patterns::

    language = "ro"                      # whose word lists %{...} takes (default: en)

    [pieces]                             # parts of expressions, written %{piece}
    dosar = 'dos(?:ar(?:ul(?:ui)?)?)?'

    [[pattern]]
    name = "ro-dosar"                    # unique; stands in a mention's provenance
    class = "CASE"                       # what exactly it finds
    type = "CODE"                        # the entity type, as gold corpora have it
    find = '%{dosar}\\s+nr\\.\\s*(?P<hide>\\d+)/\\d+/\\d{4}'
    match = ["Dosar nr. <4321>/5/2007"]  # must be found: what is hidden stands between < and >
    miss = ["Legea nr. 51/1995"]         # nothing may be found in these

Further keys: ``check`` names a check digit or the like (see `aef.annotators.checks`); what fails it is no match, or
one of the probability ``unchecked`` where that is given. ``probability`` (default 0.95). ``ignore_case`` (default
false). Only the groups called ``hide`` are hidden, each time they match, else the whole match. White space between the
parts of an expression is ignored, ``#`` begins a comment; write a blank as ``\\s`` or ``[ ]``.

``%{name}`` stands for a piece of the file, else for any word of the word list of that name, the longest first. The
expressions are those of the `regex` library (``\\p{Lu}`` is a capital); it was chosen over `re` for these, for the
repeated groups and for its limit on time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

import regex

from aef.annotators.checks import Check, check
from aef.annotators.expressions import SETS, Expander, compiled, expander, kept
from aef.annotators.settings import Settings
from aef.collector import collector_paused
from aef.corpus_tools.document import Document, Mention
from aef.errors import InputError

CODE = "CODE"
SECONDS = 10.0
"""What one expression may take on one ruling; they take milliseconds, unless a user's own one explodes."""

MARKS = str.maketrans("", "", "<>")
"""Takes the marks off an example."""
_KEYS = "name, class, type, find, check, probability, unchecked, ignore_case, match, miss"


class Found(NamedTuple):
    """Characters ``start`` to ``end``, and how probably they are what the pattern looks for."""

    start: int
    end: int
    probability: float


@dataclass(frozen=True)
class Pattern:
    """One pattern of a file; see the module's help."""

    name: str
    kind: str
    entity_type: str
    make: Callable[[], regex.Pattern[str]]
    make_check: Callable[[], Check | None]
    probability: float
    unchecked: float
    match: tuple[str, ...]
    miss: tuple[str, ...]
    path: Path

    @cached_property
    def expression(self) -> regex.Pattern[str]:
        """The expression, compiled when it is first asked for."""
        return self.make()

    @cached_property
    def valid(self) -> Check | None:
        """The check that what it finds must pass; the library that makes it is imported when it is first asked for."""
        return self.make_check()

    def find(self, text: str) -> Iterator[Found]:
        """What it finds in a text. Raises `InputError` for an expression that takes too long."""
        hide = "hide" if "hide" in self.expression.groupindex else 0
        try:
            for match in self.expression.finditer(text, timeout=SECONDS):
                for start, end in match.spans(hide):
                    if start < end and (found := self._checked(text, start, end)):
                        yield found
        except TimeoutError as error:
            remedy = "Rewrite it so that it cannot match one text in many ways"
            raise InputError.at(self.path, f"pattern '{self.name}' takes too long", remedy=remedy) from error

    def _checked(self, text: str, start: int, end: int) -> Found | None:
        """The match, or as much of it as passes the check: a number may have taken the next word for its last group."""
        shorter = end
        while shorter > start:
            if self.valid is None or self.valid(text[start:shorter]):
                return Found(start, shorter, self.probability)
            shorter = next((at for at in range(shorter - 1, start, -1) if text[at].isspace()), start)
        return Found(start, end, self.unchecked) if self.unchecked else None

    def failures(self) -> Iterator[str]:
        """Its examples that come out otherwise than they say, each with what was found."""
        for example in self.match:
            if (found := self._marked(example.translate(MARKS))) != example:
                yield f"{self.path}: pattern '{self.name}': wanted {example!r}, found {found!r}"
        for example in self.miss:
            if (found := self._marked(example)) != example:
                yield f"{self.path}: pattern '{self.name}': wanted nothing, found {found!r}"

    def _marked(self, text: str) -> str:
        for found in sorted(self.find(text), reverse=True):
            text = f"{text[: found.start]}<{text[found.start : found.end]}>{text[found.end :]}"
        return text


class Patterns:
    """Finds what the patterns of one or more files match.

    Parameters
    ----------
    files : names of built-in sets (see `sets`) or paths.
    classes : the classes to look for (default: all). without : classes to leave out.
    fine : whether the type of a code is the pattern's class (``CNP``) in place of ``CODE``.

    A mention's ``extra`` has the pattern's name and class. Where two patterns find the same stretch, the more probable
    one has it; otherwise mentions may overlap.
    """

    def __init__(
        self,
        files: Iterable[str | Path],
        *,
        classes: Iterable[str] = (),
        without: Iterable[str] = (),
        fine: bool = False,
    ) -> None:
        chosen, left_out = frozenset(classes), frozenset(without)
        loaded = [pattern for file in files for pattern in load(file)]
        _must_be_known(chosen | left_out, loaded)
        self.patterns = [p for p in loaded if (not chosen or p.kind in chosen) and p.kind not in left_out]
        self.fine = fine
        self._files = list(dict.fromkeys(pattern.path for pattern in loaded))

    @collector_paused()
    def tag(self, document: Document) -> Document:
        """The document with what the patterns find, in place of its own mentions."""
        best: dict[tuple[int, int], Mention] = {}
        for pattern in self.patterns:
            for found in pattern.find(document.text):
                other = best.get(found[:2])
                if other is None or (other.probability or 0) < found.probability:
                    best[found[:2]] = self._mention(pattern, found)
        for file in self._files:
            kept(file).keep()
        return document.with_mentions(best.values())

    def _mention(self, pattern: Pattern, found: Found) -> Mention:
        extra = {"class": pattern.kind, "pattern": pattern.name}
        kind = pattern.kind if self.fine and pattern.entity_type == CODE else pattern.entity_type
        return Mention(found.start, found.end, kind, probability=found.probability, extra=extra)


def sets() -> dict[str, Path]:
    """The built-in sets of patterns by name."""
    return {path.stem: path for path in sorted(SETS.glob("*.toml"))}


def load(file: str | Path) -> tuple[Pattern, ...]:
    """The patterns of a built-in set or of a file. Raises `InputError` naming what is wrong in it, and where."""
    path = sets().get(str(file), Path(file))
    if not path.exists():
        raise InputError(f"no set of patterns is called '{file}', and no file. There are: {', '.join(sets())}")
    return _load(path)


@cache
def _load(path: Path) -> tuple[Pattern, ...]:
    settings = Settings.read(path)
    language = settings.text("language", "en")
    expand = expander(settings.strings("pieces"), language)
    patterns = tuple(_pattern(table, expand) for table in settings.tables("pattern"))
    if path.parent != SETS:
        for pattern in patterns:
            pattern.expression, pattern.valid  # noqa: B018  # a user is told at once of what is none
    settings.done("language, [pieces], [[pattern]]")
    names = [pattern.name for pattern in patterns]
    if twice := {name for name in names if names.count(name) > 1}:
        raise settings.error(f"{', '.join(sorted(twice))} stands twice", "Give each pattern a name of its own")
    if not patterns:
        raise settings.error("holds no pattern", "Begin each with [[pattern]]")
    return patterns


def _pattern(table: Settings, expand: Expander) -> Pattern:
    name, checked, find, ignore_case = (
        table.text("name"),
        table.maybe("check"),
        table.text("find"),
        table.flag("ignore_case"),
    )
    pattern = Pattern(
        name,
        table.text("class"),
        table.text("type", CODE),
        lambda: compiled(expand(find, table), ignore_case, table, name),
        lambda: _check(checked, table),
        table.share("probability", 0.95),
        table.share("unchecked", 0.0),
        table.texts("match", None),
        table.texts("miss", None),
        table.path,
    )
    table.done(_KEYS)
    if not pattern.match or not pattern.miss:
        raise table.error("has no example", "Give one at least that must match and one that must not")
    return pattern


def _check(name: str | None, table: Settings) -> Check | None:
    try:
        return None if name is None else check(name)
    except InputError as error:
        raise table.error(str(error)) from error


def _must_be_known(asked: frozenset[str], patterns: list[Pattern]) -> None:
    known = {pattern.kind for pattern in patterns}
    if missing := asked - known:
        raise InputError(f"no pattern finds {', '.join(sorted(missing))}. Classes: {', '.join(sorted(known))}")
