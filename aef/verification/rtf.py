"""Rich Text Format cut for `aef.verification.search`, by other code than what reads and writes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from aef.corpus_tools.metadata.telling import Place
from aef.names.parts import word_set
from aef.verification.markup import Stretch

_CUT = re.compile(r"([{}])|\\([a-zA-Z]+)(-?[0-9]*) ?|\\'([0-9a-fA-F]{2})|\\(.)|([^\\{}]+)", re.DOTALL)
_SHOWN = word_set("rtf footnote annotation shptxt header headerf headerl headerr footer footerf footerl footerr")
_PLACES = {"fonttbl": Place.OWN, "falt": Place.OWN, "sn": Place.OWN, "fldinst": Place.CODE} | dict.fromkeys(
    ("stylesheet", "listtable", "list", "listname", "listoverridetable", "sv", "pntxta", "pntxtb"), Place.CHOSEN
)
_OTHERS = word_set("info object pict nonshppict xe tc rxe revtbl bkmkstart colortbl shp shpinst listtext pntext upr")
_INSIDE = word_set("field fldrslt cs ds ts")
_NAMED = _SHOWN | _OTHERS | _PLACES.keys()
_SILENT = word_set("leveltext levelnumbers colortbl panose pict objdata")
_ENDS = word_set("par cell row sect nestcell nestrow")
_SIGNS = {"tab": " ", "line": " ", "emdash": "-", "endash": "-", "lquote": "'", "rquote": "'"}
_FONT = re.compile(r"\\f(\d+)[^{};]*?\\fcharset(\d+)")
_SETS = {"128": "932", "129": "949", "134": "936", "136": "950", "161": "1253", "162": "1254", "177": "1255",
         "178": "1256", "186": "1257", "204": "1251", "238": "1250"}  # fmt: skip


@dataclass
class _Group:
    """What holds in a group: what it is for, how many characters stand for one by number, the font's code page."""

    kind: str
    page: str
    skip: int = 1
    text: list[str] = field(default_factory=list)


class _Reader:
    def __init__(self, source: str) -> None:
        self._source = source
        declared = re.search(r"\\ansicpg(\d+)", source)
        self._page = declared[1] if declared else "1252"
        self._pages = {font: _SETS[code] for font, code in _FONT.findall(source) if code in _SETS}
        self._groups = [_Group("rtf", self._page)]
        self._first, self._wait, self._number = False, 0, 1

    def stretches(self) -> Iterator[Stretch]:
        for brace, word, value, byte, sign, run in (match.groups() for match in _CUT.finditer(self._source)):
            first, self._first = self._first, False
            if brace == "{":
                self._groups.append(replace(self._groups[-1]))
                self._first, self._wait = True, 0
            elif brace and len(self._groups) > 1:
                ended = self._groups.pop()
                if ended.text is not self._groups[-1].text:
                    yield from self._said(ended)
            elif word and word in _ENDS and self._groups[-1].kind in _SHOWN:
                yield from self._said(self._groups[-1])
                self._groups[-1].text.clear()
                self._number += 1
            elif word:
                self._on_word(word, value, first)
            elif sign == "*":
                self._first, self._groups[-1].kind = True, "*"
            else:
                self._on_text(byte, sign, run or "")
        for group in self._groups:
            yield from self._said(group)

    def _on_word(self, word: str, value: str, first: bool) -> None:
        group = self._groups[-1]
        if first and word in _INSIDE:
            group.kind = self._groups[-2].kind if len(self._groups) > 1 else "rtf"
        elif first and (group.kind == "*" or word in _NAMED):
            group.kind, group.text = word, []
        elif word == "u" and value:
            group.text.append(chr(int(value) % 65536))
            self._wait = group.skip
        elif word == "uc":
            group.skip = int(value or 1)
        elif word == "f":
            group.page = self._pages.get(value, self._page)
        else:
            group.text.append(_SIGNS.get(word, ""))

    def _on_text(self, byte: str, sign: str, run: str) -> None:
        group = self._groups[-1]
        text = run.replace("\r", "").replace("\n", "")
        if byte:
            text = _letter(byte, group.page)
        elif sign:
            text = {"~": " ", "\\": "\\", "{": "{", "}": "}", "_": "-"}.get(sign, "")
        gone = min(self._wait, len(text))
        self._wait -= gone
        group.text.append(text[gone:])

    def _said(self, group: _Group) -> Iterator[Stretch]:
        text = "".join(group.text).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        if text.strip() and group.kind not in _SILENT:
            shown = group.kind in _SHOWN
            place = _PLACES.get(group.kind, Place.WRITTEN)
            yield Stretch((text,), shown, place, f"paragraph {self._number}" if shown else group.kind)


def rtf_stretches(source: str) -> Iterator[Stretch]:
    """The texts of a source, read as Latin-1: paragraphs that are shown, and what each other group says as a whole."""
    return _Reader(source).stretches()


def hexadecimal(source: str) -> Iterator[bytes]:
    """Pictures and objects, which are written in digits."""
    for digits in re.findall(r"(?:[0-9a-fA-F]{2}\s?){8,}", source):
        yield bytes.fromhex(digits)


def _letter(byte: str, page: str) -> str:
    try:
        return bytes.fromhex(byte).decode(f"cp{page}", "replace")
    except LookupError:
        return bytes.fromhex(byte).decode("cp1252", "replace")
