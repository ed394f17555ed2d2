"""Rich Text Format cut into what it shows and what it says beside that, each with its place in the source.

Source: Microsoft, Rich Text Format Specification, version 1.9.1. A file is read as Latin-1, so that a place in the text
is one in the bytes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from aef.corpus_tools.rtf.words import (
    BESIDE,
    BREAKS,
    CHARSETS,
    ESCAPED,
    FIRST,
    INLINE,
    MAX_GROUPS,
    NUMBERS,
    PAGES,
    PARTS,
    PICTURE,
    SIGNS,
    TABLES,
    TOKEN,
    Atom,
    Cut,
    Shown,
    known,
)
from aef.errors import InputError


@dataclass
class _State:
    """What holds in a group."""

    kind: str = ""
    line: Shown | None = None
    skip: int = 1
    font: int = -1
    deleted: bool = False
    table: bool = False
    begun: bool = False


class Reader:
    """Goes through a source once."""

    def __init__(self, source: str, name: str) -> None:
        self._source, self._name = source, name
        self._cut = Cut()
        self._pages: dict[int, int] = {}
        self._page, self._declared = 1252, -1
        self._states = [_State()]
        self._starts: list[int] = []
        self._drop: tuple[int, int, str] | None = None  # where it began, how deep, what
        self._wait, self._star = 0, False
        self._pending: tuple[int, bytes] | None = None
        self._high: Atom | None = None

    def read(self) -> Cut:
        """Raises `InputError` for what ends inside a group or is nested too deep."""
        at = 0
        while (token := TOKEN.match(self._source, at)) is not None:
            at = token.end()
            kind = token.lastgroup
            if token["word"] is not None:
                at = self._on_word(token, at)
            elif kind == "open":
                self._open(token.start())
            elif kind == "close":
                self._close(at)
                if not self._starts:
                    break
            elif kind != "end":
                self._on_text(token)
        if self._starts or not self._source.startswith("{\\rtf"):
            raise InputError.at(self._name, "is damaged or cut off", remedy="Get the file again, or save it again")
        self._cut.end = at
        return self._cut

    # -- groups ------------------------------------------------------------------------------------------------------

    @property
    def _state(self) -> _State:
        return self._states[-1]

    def _open(self, place: int) -> None:
        if len(self._starts) >= MAX_GROUPS:
            raise InputError.at(self._name, "holds groups in groups, deeper than any ruling does: refused")
        self._starts.append(place)
        own = Shown(kind=self._state.kind) if self._state.kind in TABLES else self._state.line
        self._states.append(replace(self._state, begun=False, line=own))
        self._wait, self._star = 0, False

    def _close(self, end: int) -> None:
        if not self._starts:
            return
        start, state = self._starts.pop(), self._states.pop()
        if self._drop and self._drop[1] == len(self._starts):
            self._cut.dropped.append((start, end, self._drop[2]))
            self._drop = None
        if state.kind == PICTURE != self._state.kind and self._drop is None:
            self._cut.pictures.append((start, end))
        if state.line is not self._state.line and state.line is not None:
            self._end(state)
        self._wait = 0

    def _enter(self, kind: str) -> None:
        """The first word of a group says what it is for."""
        state = self._state
        if kind in INLINE:
            return
        state.kind = "" if kind in PARTS else kind
        if kind in PARTS:
            part = PARTS[kind] or (state.line.part if state.line else "")
            state.line, state.deleted = Shown(part), False
        elif kind in BESIDE:
            if kind in NUMBERS:
                self._text_line(self._states[:-1]).numbered = True
            state.line = Shown(kind=kind)
        elif kind == PICTURE:
            state.line = None
        else:
            self._drop = self._drop or (self._starts[-1], len(self._starts) - 1, kind)

    # -- words -------------------------------------------------------------------------------------------------------

    def _on_word(self, token: re.Match[str], at: int) -> int:
        word, number = token["word"], token["number"]
        value = int(number) if number else 0
        state, first = self._state, not self._state.begun
        state.begun = True
        if word == "bin":
            return min(len(self._source), at + max(0, value))
        if word == "u" and number:
            self._on_number(token, value)
        elif first and len(self._states) > 1 and (self._star or word in FIRST):
            self._enter(word)
        elif word in BREAKS:
            self._break(word)
        elif word in SIGNS:
            self._show(token.start(), token.end(), SIGNS[word])
        else:
            self._set(word, value, bool(number))
        self._star = False
        return at

    def _set(self, word: str, value: int, given: bool) -> None:
        state = self._state
        if word == "uc":
            state.skip = max(0, min(value, 8)) if given else 1
        elif word == "f" and self._in("fonttbl"):
            self._declared = value
        elif word == "fcharset":
            self._pages[self._declared] = CHARSETS.get(value, self._page)
        elif word == "f":
            state.font = value
        elif word == "plain":
            state.font, state.deleted = -1, False
        elif word == "ansicpg":
            self._page = value if known(value) else 1252
        elif word in ("mac", "pc", "pca"):
            self._page = {"mac": 10000, "pc": 437, "pca": 850}[word]
        elif word == "deleted":
            state.deleted = value != 0 or not given
        elif word == "intbl":
            state.table = True
        elif word == "pard":
            state.table = False

    def _in(self, kind: str) -> bool:
        return any(state.kind == kind for state in self._states)

    def _break(self, word: str) -> None:
        state = self._state
        if state.kind or self._drop:
            return
        self._end(state, word in ("cell", "nestcell"))

    def _end(self, state: _State, cell: bool = False) -> None:
        """The line is done; the next one begins in the same part."""
        line, self._pending = state.line, None
        if line is not None and line.kind:
            if line.text.strip() and not self._drop:
                self._cut.beside.append(line)
            return
        if line is not None and line.text.strip():
            line.table = line.table or state.table or cell
            self._cut.lines.append(line)
        fresh = Shown(line.part if line else "")
        for other in self._states:
            if other.line is line and not other.kind:
                other.line = fresh

    # -- text --------------------------------------------------------------------------------------------------------

    def _on_text(self, token: re.Match[str]) -> None:
        low, high = token.span()
        sign = token["sign"]
        if sign == "*":
            self._star = True
            return
        self._state.begun = True
        if sign in ("\r", "\n"):
            self._break("par")
        elif sign is not None:
            if sign in ESCAPED:
                self._skipped(low, high, ESCAPED[sign])
        elif token["byte"] is not None or token["other"] is not None:
            self._on_byte(low, high, bytes([int(token["byte"], 16) if token["byte"] else ord(token["other"]) & 255]))
        else:
            self._skipped(low, high, token["run"])

    def _skipped(self, low: int, high: int, text: str) -> None:
        """Shown without the characters that stand for one that is written by its number."""
        if self._wait:
            gone = min(self._wait, len(text))
            self._wait -= gone
            self._longer(low + gone if high - low == len(text) else high)
            if gone == len(text):
                return
            low, text = low + gone, text[gone:]
        self._show(low, high, text, plain=high - low == len(text))

    def _longer(self, high: int) -> None:
        """The last atom takes in what stands for it."""
        line, deleted = self._state.line, self._cut.deleted
        if self._high is not None:
            self._high = self._high._replace(high=high)
        elif self._state.deleted and not self._state.kind:
            deleted[-1:] = [(low, high) for low, _ in deleted[-1:]]
        elif line is not None and line.atoms:
            line.atoms[-1] = line.atoms[-1]._replace(high=high)

    def _on_number(self, token: re.Match[str], value: int) -> None:
        code = value % 0x10000
        if 0xDC00 <= code < 0xE000 and self._high is not None:
            pair = 0x10000 + ((ord(self._high.text) - 0xD800) << 10) + code - 0xDC00
            low, self._high = self._high.low, None
            self._show(low, token.end(), chr(pair))
        elif 0xD800 <= code < 0xDC00:
            self._high = Atom(token.start(), token.end(), chr(code), False, self._state.skip)
        else:
            self._show(
                token.start(), token.end(), chr(code) if not 0xD800 <= code < 0xE000 else "\N{REPLACEMENT CHARACTER}"
            )
        self._wait = self._state.skip

    def _on_byte(self, low: int, high: int, byte: bytes) -> None:
        if self._wait:
            self._wait -= 1
            self._longer(high)
            return
        begun, held = self._pending or (low, b"")
        page = self._pages.get(self._state.font, self._page)
        try:
            text = (held + byte).decode(PAGES.get(page, f"cp{page}"))
        except UnicodeDecodeError as error:
            if "incomplete" in error.reason or "end of data" in error.reason:
                self._pending = begun, held + byte
                return
            text = (held + byte).decode("cp1252", "replace")
        self._pending = None
        self._show(begun, high, text)

    def _show(self, low: int, high: int, text: str, plain: bool = False) -> None:
        state = self._state
        if self._drop or state.kind == PICTURE:
            return
        if state.deleted and not state.kind:
            self._cut.deleted.append((low, high))
            return
        self._text_line(self._states).atoms.append(Atom(low, high, text, plain, state.skip))

    @staticmethod
    def _text_line(states: list[_State]) -> Shown:
        """The line that the innermost of the states is in, begun where there is none yet."""
        if states[-1].line is None:
            fresh = Shown(kind=states[-1].kind)
            for other in states:
                if other.line is None and other.kind == fresh.kind:
                    other.line = fresh
        line = states[-1].line
        assert line is not None
        return line
