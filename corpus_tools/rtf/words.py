"""The words of Rich Text Format, and what a source is cut into; see `aef.corpus_tools.rtf.tokens`."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from aef.corpus_tools.document import FOOTNOTE
from aef.corpus_tools.metadata.format_words import words

TOKEN = re.compile(
    r"(?P<open>\{)|(?P<close>\})|\\'(?P<byte>[0-9A-Fa-f]{2})|\\(?P<word>[A-Za-z]{1,32})(?P<number>-?\d{1,10})? ?"
    r"|\\(?P<sign>.)|(?P<end>[\r\n]+)|(?P<run>[ -Z^-z|~\[\]\t]+)|(?P<other>.)",
    re.DOTALL,
)
MAX_GROUPS = 2000
"""Groups inside one another; word processors write a hundred at most."""

PARTS = {"footnote": FOOTNOTE, "annotation": "comment", "shptxt": ""} | {
    f"{kind}{side}": kind for kind in ("header", "footer") for side in ("", "l", "r", "f")
}
"""Destinations of text that is shown, and the part of the ruling each is."""
BESIDE = words(
    "fonttbl colortbl stylesheet listtable list listlevel leveltext levelnumbers listname listoverridetable "
    "listoverride lfolevel listtext pntext pn pnseclvl pntxta pntxtb shp shpinst shprslt sp sn sv shppict fldinst "
    "panose falt background defchp defpap"
)
"""Destinations without shown text that a ruling needs; all others are dropped, but for pictures."""
PICTURE = "pict"
OTHERS = words("info object nonshppict xe tc tcn rxe revtbl private bkmkstart bkmkend template comment upr")
INLINE = frozenset(("field", "fldrslt", "cs", "ds", "ts"))
"""What begins a group and is read on with what stands around it."""
TABLES = frozenset(("fonttbl", "stylesheet", "listtable", "list", "listoverridetable", "sp", "shpinst"))
"""In these each group says something of its own."""
NUMBERS = ("listtext", "pntext")
FIRST = BESIDE | OTHERS | INLINE | PARTS.keys() | {PICTURE}
BREAKS = frozenset(("par", "sect", "cell", "row", "nestcell", "nestrow", "page", "column"))
SIGNS = {
    "tab": "\t",
    "line": "\n",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
    "endash": "–",
    "emdash": "—",
    "bullet": "•",
    "enspace": " ",
    "emspace": " ",
    "qmspace": " ",
}
ESCAPED = {"\\": "\\", "{": "{", "}": "}", "~": "\N{NO-BREAK SPACE}", "_": "\N{NON-BREAKING HYPHEN}"}
CHARSETS = {0: 1252, 77: 10000, 128: 932, 129: 949, 130: 1361, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258,
             177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250, 254: 437}  # fmt: skip
PAGES = {10000: "mac_roman", 1361: "johab", 65001: "utf-8"}


class Atom(NamedTuple):
    """Characters ``low`` to ``high`` of the source show ``text``; ``plain``: they stand there as they are shown.

    ``skip``: how many characters follow one that is written by its number, for programs that do not know it.
    """

    low: int
    high: int
    text: str
    plain: bool
    skip: int = 1


@dataclass
class Shown:
    """A paragraph; one beside the text says by ``kind`` which destination it is in."""

    part: str = ""
    kind: str = ""
    numbered: bool = False
    table: bool = False
    atoms: list[Atom] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(atom.text for atom in self.atoms)


@dataclass
class Cut:
    """What was read: the lines that are shown, texts beside, groups to drop, deleted stretches, and pictures."""

    lines: list[Shown] = field(default_factory=list)
    beside: list[Shown] = field(default_factory=list)
    dropped: list[tuple[int, int, str]] = field(default_factory=list)
    deleted: list[tuple[int, int]] = field(default_factory=list)
    pictures: list[tuple[int, int]] = field(default_factory=list)
    end: int = 0


def known(page: int) -> bool:
    try:
        return bool(codecs.lookup(PAGES.get(page, f"cp{page}")))
    except LookupError:
        return False


def escaped(text: str, skip: int) -> str:
    """A text as a source says it; behind what is written by number stand ``skip`` question marks."""
    return "".join(_spelled(text, skip))


def _spelled(text: str, skip: int) -> Iterator[str]:
    for sign in text:
        if sign in "\\{}":
            yield f"\\{sign}"
        elif " " <= sign <= "~":
            yield sign
        elif sign in "\t\n":
            yield "\\tab " if sign == "\t" else "\\line "
        else:
            data = sign.encode("utf-16-le", "surrogatepass")
            codes = (int.from_bytes(data[i : i + 2], "little", signed=True) for i in range(0, len(data), 2))
            yield "".join(f"\\u{code}{' ' if not skip else '?' * skip}" for code in codes)
