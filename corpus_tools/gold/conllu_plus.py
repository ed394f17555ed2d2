"""CoNLL-U Plus: a token a line, columns named in the first line, annotations in columns of their own.

::

    # global.columns = ID FORM MISC AEF:NE AEF:ENTITY AEF:IDENTIFIER
    # newdoc id = 001-90973
    # sent_id = 1
    # text = Ms. Green left.
    1   Ms.     start_char=0|end_char=3                 O         _   _
    2   Green   start_char=4|end_char=9                 B-PERSON  e1  DIRECT

``AEF:NE`` holds the outermost mentions as BIO tags, the two columns behind it what entity they are and whether they
identify. Offsets and, as UDPipe has it, white space (``SpaceAfter``, ``SpacesAfter``) are in MISC, so that the text
comes back exactly. What columns cannot say stands in comments as in `aef.corpus_tools.gold.conll`. In files from
elsewhere the column is found by name (NE, NER, RELATE:NE ...), or the tags in MISC (``NER=B-PER``); IOBES is read, too.
Format: https://universaldependencies.org/ext-format.html
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.gold.conll import (
    Draft,
    an_object,
    entity_spans,
    header,
    nesting,
    read_id,
    sentence_borders,
    tags_of,
    tokens_and_marks,
)
from aef.corpus_tools.gold.records import IDENTIFIER_TYPES, Place, dumps, is_tag, loads

COLUMNS = ("ID", "FORM", "MISC", "AEF:NE", "AEF:ENTITY", "AEF:IDENTIFIER")
STANDARD = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
_TAGGED = ("NE", "NER", "NAMED_ENTITY", "ENTITIES")

# --- writing --------------------------------------------------------------------------------------------------------


def to_conllup(documents: Sequence[Document]) -> str:
    """Documents as one CoNLL-U Plus file."""
    return f"# global.columns = {' '.join(COLUMNS)}\n" + "".join(map(_document, documents))


def _document(document: Document) -> str:
    outer, _ = nesting(document.mentions)
    borders = sentence_borders(document, outer)
    units = tokens_and_marks(document, {*borders, *(x for m in outer for x in (m.start, m.end))})
    lines = header(document)
    if not units:
        return "\n".join([*lines, f"# white_space = {dumps(document.text)}", "", ""])
    starts = [start for start, _ in units]
    ends = {bisect_left(starts, border) - 1 for border in [*borders[1:], len(document.text)]}
    rows = _rows(document, units, outer, ends)
    for number, (start, end) in enumerate(pairwise([*borders, len(document.text)]), 1):
        low, high = bisect_left(starts, start), bisect_left(starts, end)
        lines += [f"# sent_id = {number}", f"# text = {' '.join(document.text[start:end].split())}"]
        lines += ["\t".join([str(i), *row]) for i, row in enumerate(rows[low:high], 1)]
        lines.append("")
    return "\n".join(lines) + "\n"


def _rows(
    document: Document, units: Sequence[tuple[int, int]], outer: Sequence[Mention], ends: set[int]
) -> list[list[str]]:
    """The columns of each token but its number; ``ends``: the last tokens of sentences."""
    rows = []
    owners = {m.start: m for m in outer}
    owner = None
    followers = [*(start for start, _ in units[1:]), len(document.text)]
    for i, ((start, end), after, tag) in enumerate(zip(units, followers, tags_of(units, outer), strict=True)):
        if tag[0] == "B":
            owner = owners.get(start) or next(m for m in outer if m.start <= start < m.end)
        told = (owner.entity_id, owner.identifier_type) if owner is not None and tag != "O" else (None, None)
        misc = _misc(document.text, start, end, after, not i, i in ends)
        rows.append([document.text[start:end], misc, tag, *map(_escaped, told)])
    return rows


def _misc(text: str, start: int, end: int, after: int, first: bool, last: bool) -> str:
    parts = [f"start_char={start}", f"end_char={end}"]
    if first and start:
        parts.append(f"SpacesBefore={_escaped(text[:start])}")
    gap = text[end:after]
    if not gap:
        parts.append("SpaceAfter=No")
    elif gap != " " or last:
        parts.append(f"SpacesAfter={_escaped(gap)}")
    return "|".join(parts)


_ESCAPES = {" ": r"\s", "\t": r"\t", "\r": r"\r", "\n": r"\n", "|": r"\p", "\\": r"\\"}
_ODD = re.compile(r"[\s|\\\x00-\x1f\x7f\x85]")


def _escaped(value: str | None) -> str:
    """A value for a column, escaped as UDPipe does; ``_`` for none."""
    if value is None:
        return "_"
    if value in ("", "_"):
        return r"\u005f" if value else r"\e"
    return _ODD.sub(lambda m: _ESCAPES.get(m[0]) or f"\\u{ord(m[0]):04x}", value)


def _plain(value: str) -> str | None:
    """What was escaped."""
    if value == "_":
        return None
    meant = {escape[1]: character for character, escape in _ESCAPES.items()} | {"e": ""}
    return re.sub(
        r"\\(u[0-9a-f]{4}|.)", lambda m: chr(int(m[1][1:], 16)) if len(m[1]) > 1 else meant.get(m[1], m[0]), value
    )


# --- reading --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Token:
    """A word of the text: its line, form, tag, MISC, and what the further columns say of the mention."""

    line: int
    form: str
    tag: str
    misc: Mapping[str, str]
    told: tuple[str, str]


@dataclass(slots=True)
class _Sentence:
    comments: list[tuple[int, str, str]] = field(default_factory=list)  # line, key, value
    rows: list[tuple[int, dict[str, str]]] = field(default_factory=list)  # line, values by column


_COMMENT = re.compile(
    r"# *(newdoc(?: +id)?|meta|blocks|mention|white_space|global\.columns(?= *= *[^ ]))(?: *= *(.*))?", re.DOTALL
)


def read(path: Path, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, Document]]:
    """The documents of a file, each with the number of its first line. Raises `InputError` with the line."""
    draft: _Draft | None = None
    count = 0
    for sentence in _sentences(path, lines):
        named = next((value for _, key, value in sentence.comments if key.startswith("newdoc")), None)
        if draft is None or named is not None:
            if draft is not None:
                yield draft.line, draft.finished()
            count += 1
            line = (sentence.comments or sentence.rows)[0][0]
            place = Place(path, line)
            draft = _Draft(Draft(place, line, read_id(named or "", f"{path.stem}-{count}", place)))
        draft.add(sentence)
    if draft is not None:
        yield draft.line, draft.finished()


def _sentences(path: Path, lines: Iterable[tuple[int, str]]) -> Iterator[_Sentence]:
    columns: Sequence[str] = STANDARD
    current = _Sentence()
    for number, line in lines:
        if not line.strip():
            if current.comments or current.rows:
                yield current
            current = _Sentence()
        elif (match := _COMMENT.fullmatch(line)) and match[1] == "global.columns":
            columns = match[2].split()
            _check_columns(columns, Place(path, number))
        elif line.startswith("#") and "\t" not in line:
            if match:
                current.comments.append((number, match[1], match[2] or ""))
        else:
            current.rows.append((number, _row(line, columns, Place(path, number))))
    if current.comments or current.rows:
        yield current


def _check_columns(columns: Sequence[str], place: Place) -> None:
    missing = [name for name in ("ID", "FORM") if name not in columns]
    if missing:
        raise place.error(f"there is no column {missing[0]}", "Name the columns: # global.columns = ID FORM ...")


def _row(line: str, columns: Sequence[str], place: Place) -> dict[str, str]:
    values = line.split("\t")
    if len(values) != len(columns):
        raise place.error(f"{len(values)} columns where there are {len(columns)} ({' '.join(columns)})")
    return dict(zip(columns, values, strict=True))


class _Draft:
    """A document while its sentences are read."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.line = draft.line
        self.told: dict[int, tuple[str, str]] = {}  # by where a mention begins, what the columns say of it

    def add(self, sentence: _Sentence) -> None:
        for number, key, value in sentence.comments:
            self._comment(self.draft.place._replace(line=number), key, value)
        tokens = list(_tokens(sentence, self.draft.place))
        places = []
        for i, token in enumerate(tokens):
            start = self._begin(token)
            places.append((start, start + len(token.form)))
            self.draft.add(token.form + _space(token, i == len(tokens) - 1), ())
        for first, end, kind in entity_spans([token.tag for token in tokens]):
            start = places[first][0]
            self.draft.spans.append((start, places[end - 1][1], kind))
            self.told[start] = tokens[first].told

    def _comment(self, place: Place, key: str, value: str) -> None:
        if key == "mention":
            self.draft.mentions.append((place, value))
        elif key == "blocks":
            self.draft.further["blocks"] = loads(value, place)
        elif key == "meta":
            self.draft.further |= an_object(loads(value, place), place)
        elif key == "white_space" and isinstance(text := loads(value, place), str):
            self.draft.add(text, ())

    def _begin(self, token: _Token) -> int:
        """Where the token begins: at the offset it tells, white space made to fit."""
        draft = self.draft
        if not draft.length and (before := _plain(token.misc.get("SpacesBefore", "_"))):
            draft.add(before, ())
        told = token.misc.get("start_char", "")
        if told.isdecimal() and int(told) != draft.length:
            text = "".join(draft.text)
            if not 0 <= int(told) - len(text.rstrip()) <= 1000:
                place = draft.place._replace(line=token.line)
                raise place.error(f"start_char is {told}, where the text has {draft.length} characters by then")
            draft.text, draft.length = [text[: int(told)].ljust(int(told))], int(told)
        return draft.length

    def finished(self) -> Document:
        """The document, its outermost mentions as the columns have them."""
        document = self.draft.finish()
        outer = {(m.start, m.end) for m in nesting(document.mentions)[0]}
        mentions = (self._told(m, document) if (m.start, m.end) in outer else m for m in document.mentions)
        return replace(document, mentions=tuple(mentions))

    def _told(self, mention: Mention, document: Document) -> Mention:
        cut = document.cut(mention)
        entity, identifier = self.told.get(mention.start + len(cut) - len(cut.lstrip()), ("", ""))
        if not cut.strip():
            return mention
        if identifier and _plain(identifier) not in (None, *IDENTIFIER_TYPES):
            problem = f"mention {mention.start} to {mention.end}: unknown identifier type {identifier[:20]!r}"
            raise self.draft.place.error(problem, f"Use {', '.join(IDENTIFIER_TYPES)} or _")
        mention = replace(mention, entity_id=_plain(entity)) if entity else mention
        return replace(mention, identifier_type=_plain(identifier)) if identifier else mention


def _tokens(sentence: _Sentence, place: Place) -> Iterator[_Token]:
    """The words as they stand in the text: of a multiword token the whole, with the first tag of its words."""
    column = _column(sentence, place) if sentence.rows else ""
    inside: tuple[_Token, int] | None = None
    for number, row in sentence.rows:
        here = place._replace(line=number)
        misc = _features(row.get("MISC", "_"))
        tag = _tag(row.get(column, "") if column else _in_misc(misc), here)
        token = _Token(number, row["FORM"], tag, misc, (row.get(COLUMNS[4], ""), row.get(COLUMNS[5], "")))
        first, dash, last = row["ID"].partition("-")
        if "." in first:
            continue  # an empty node stands for no word of the text
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise here.error(f"'{row['ID'][:20]}' is no number of a token")
        if dash:
            inside = token, int(last)
            continue
        if inside is not None:
            whole, until = inside
            whole.tag = whole.tag if whole.tag != "O" else tag
            if int(first) >= until:
                yield whole
                inside = None
            continue
        yield token


def _column(sentence: _Sentence, place: Place) -> str:
    """The column with the tags; none where they are in MISC. Raises `InputError` where nothing has them."""
    names = list(sentence.rows[0][1])
    found = next((name for name in names if name.split(":")[-1].upper() in _TAGGED), "")
    if not found and not any(_in_misc(_features(row.get("MISC", "_"))) for _, row in sentence.rows):
        if "MISC" in names:
            return ""  # nothing is tagged in this sentence
        raise place._replace(line=sentence.rows[0][0]).error(
            f"no column says what is a name ({' '.join(names)})", "Name it NE, or with a prefix: AEF:NE"
        )
    return found


def _features(misc: str) -> dict[str, str]:
    return dict(part.split("=", 1) for part in misc.split("|") if "=" in part)


def _in_misc(misc: Mapping[str, str]) -> str:
    return next((value for key, value in misc.items() if key.upper() in _TAGGED), "")


def _tag(value: str, place: Place) -> str:
    if value in ("", "_", "O", "*"):
        return "O"
    if not is_tag(value, "BIES"):
        raise place.error(f"{value[:30]!r} is no tag", "Use O, B-TYPE or I-TYPE")
    return {"S": "B", "E": "I"}.get(value[0], value[0]) + value[1:]


def _space(token: _Token, last: bool) -> str:
    """The white space behind a token."""
    if "SpacesAfter" in token.misc:
        return _plain(token.misc["SpacesAfter"]) or ""
    if token.misc.get("SpaceAfter") == "No":
        return ""
    return "\n" if last else " "
