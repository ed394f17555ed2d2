"""Lines that name an office and then who holds it: "Clerk: A. Roe", "Panel      A. Roe", and the lines below them.

A label opens a line, or a column of it; what follows the colon or the gap is named by it, and so are the lines below
that stand in the same column. Behind the label of a party stands the party, but in the list of appearances whoever
represents it: where the ruling has named the parties before, and a heading or the letters and firms of counsel tell
that this is that list.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_WIDEST, _LINES = 100, 5
"""The characters before a name in its line, and the lines that are looked at above and below."""
_INDENT = 8
_NAMES = re.compile(
    r"[\s\d().,;&/–-]*+(?:(?:[^\W_a-z][\w.’'-]*+|and|et|with|e|y|und|mr|dr|ms|mrs|avv|dott|lic|iur)[\s\d().,;&/–-]*+)*+"
)
"""Names only, numbered or not: what may stand between a label and a name."""
_GAP = re.compile(r"\S[ \t]{3,}\S")
_HEADING = re.compile(
    r"[ \t]*(?:the\s+)?(?:appearances?|representation|(?:legal\s+)?representatives?|represented\s+by)\b[^\n\w]*$",
    re.IGNORECASE,
)
_FIRST = re.compile(r"[\s\d().*•–-]*(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof|Hon|Adv|Shri|Sri|Smt|Me)\b\.?[ \t]*)*")
"""What may stand before the first name of a line: a number, a mark, titles."""


@dataclass(frozen=True)
class Label:
    """A label and where it stands; ``below``: the name stands in a line under that of the label."""

    found: re.Match[str]
    line: int
    below: bool

    @property
    def start(self) -> int:
        return self.line + self.found.start("cue")


def label_of(text: str, low: int, pattern: re.Pattern[str]) -> Label | None:
    """The label of the cell in which a name stands that begins at a place, if it has one."""
    line = text.rfind("\n", 0, low) + 1
    if low - line > _WIDEST:
        return None
    before = text[line:low]
    if ":" in before or "  " in before.strip("\n"):
        if found := _last_label(before, pattern):
            return Label(found, line, below=False) if _only_names(before[found.end() :]) else None
        return _above(text, line, before, pattern)
    return None


def _last_label(before: str, pattern: re.Pattern[str]) -> re.Match[str] | None:
    found = None
    for found in pattern.finditer(before):  # noqa: B007  # the last of them
        pass
    return found


def _only_names(between: str) -> bool:
    return not _GAP.search(between) and _NAMES.fullmatch(between) is not None


def _above(text: str, line: int, before: str, pattern: re.Pattern[str]) -> Label | None:
    """The label of a line above whose names begin in the same column."""
    column = len(before) - len(before.lstrip())
    if column < _INDENT or not _only_names(before.strip()):
        return None
    for _ in range(_LINES):
        line, last = text.rfind("\n", 0, max(0, line - 1)) + 1, line
        above = text[line : last - 1]
        if last == 0 or not above.strip():
            return None
        found = next((m for m in pattern.finditer(above) if _heads(m, above, column)), None)
        if found:
            return Label(found, line, below=True)
        if len(above) - len(above.lstrip()) < column - 1:
            return None
    return None


def _heads(found: re.Match[str], line: str, column: int) -> bool:
    """Whether what a label names begins in a column: behind it, or under a label that is all there is in the column."""
    alone = not line[found.end() :].strip() and found.start("cue") == column
    return alone or abs(found.end() - column) <= 1


def heading_of(text: str, low: int, pattern: re.Pattern[str]) -> tuple[Label, int] | None:
    """The label that is all of a line over the lines of names in which a name comes first; and how far above."""
    line = text.rfind("\n", 0, low) + 1
    if not _FIRST.fullmatch(text, line, low):
        return None
    for above in range(1, _LINES + 1):
        if line == 0:
            return None
        start = text.rfind("\n", 0, line - 1) + 1
        over = text[start : line - 1].rstrip()
        if not over:
            start = text.rfind("\n", 0, max(0, start - 1)) + 1
            over = text[start:line].strip()
            over = over if over.endswith(":") else ""
        if found := _all_label(over, pattern):
            return Label(found, start, below=True), above
        if not over or ":" in over or len(over) > _WIDEST:
            return None
        line = start
    return None


def _all_label(line: str, pattern: re.Pattern[str]) -> re.Match[str] | None:
    """The label that a line is; without a colon only where it is in capitals and says whom counsel is for."""
    if not line.endswith(":") and not (line.isupper() and " FOR " in line):
        return None
    found = pattern.match(line if line.endswith(":") else f"{line}:")
    return found if found and not found.string[found.end() :].strip() else None


def of_appearances(text: str, label: Label, pattern: re.Pattern[str], counsel: re.Pattern[str]) -> bool:
    """Whether the label of a party is one of the list of appearances, and a lawyer is named behind it."""
    noun = label.found["cue"].split()[-1].lower().rstrip("s")
    end = text.find("\n", label.line) % (len(text) + 1)
    if label.below or noun not in text[: label.line].lower():
        return False
    first, last = label.line, end
    for _ in range(_LINES):
        start = text.rfind("\n", 0, max(0, first - 1)) + 1
        above = text[start : max(0, first - 1)]
        if _HEADING.fullmatch(above):
            return True
        if first == 0 or not _of_party(pattern.match(above)):
            break
        first = start
    for _ in range(_LINES):
        if not _of_party(pattern.match(text, last + 1)):
            break
        last = text.find("\n", last + 1) % (len(text) + 1)
    return counsel.search(text, first, last) is not None


def _of_party(found: re.Match[str] | None) -> bool:
    return found is not None and found["party"] is not None
