"""Names that were found in pieces made whole: "ROSE, William", a name broken at the end of a line, "Umesh Pd. Sahu"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from aef.corpus_tools.document import Document, Mention
from aef.names.parts import PERSON, fold, name_words, word_set
from aef.names.person_name import is_given
from aef.names.titles import titles

_BLANKS = " \t"
_MOST = 2  # surnames before a comma
_LONG = 40  # characters of a line that may have been broken because it was full
_SHORTENED = word_set("sk md mohd kr pd ch ma wm jas geo chas thos sh")
"""Names that are written short with a period, which may be taken for the end of a sentence."""


def whole(document: Document, mentions: Iterable[Mention]) -> list[Mention]:
    """The mentions, in order and apart from one another, with those that are one name in pieces made one."""
    joined: list[Mention] = []
    known: _Known | None = None
    for mention in mentions:
        last = joined[-1] if joined else None
        if last is not None and _may(document, last, mention):
            known = known or _Known(document)
            if _one_name(document.text, last, mention, known):
                mention = replace(joined.pop(), end=mention.end)
        joined.append(mention)
    return joined


def _may(document: Document, left: Mention, right: Mention) -> bool:
    people = all(m.entity_type in (PERSON, None) and not m.entity_id for m in (left, right))
    return people and 0 < right.start - left.end < 80 and document.text[left.end : right.start].strip(" \t\n,.") == ""


class _Known:
    """The names of a document as folded words, given names first; ``ends``: the first word of each and its last ones,
    up to `_MOST`, where these are not all."""

    def __init__(self, document: Document) -> None:
        self.names = {_words(document.cut(m)) for m in document.mentions}
        sizes = range(1, _MOST + 1)
        self.ends = {(name[0], name[-size:]) for name in self.names for size in sizes if len(name) > size}


def _words(name: str) -> tuple[str, ...]:
    return tuple(word for w in name_words(name) if (word := fold(w)) not in titles())


def _one_name(text: str, left: Mention, right: Mention, known: _Known) -> bool:
    before, behind = text[left.start : left.end], text[right.start : right.end]
    first, last = _words(before), _words(behind)
    if not first or not last:
        return False
    gap = text[left.end : right.start]
    sign = gap.rstrip(_BLANKS)
    if sign == "," != gap:
        return _surname_first(text, left, right, known)
    if gap.strip(_BLANKS) == "\n":
        return (len(first) < 3 and (*first, *last) in known.names) or _wrapped(text, left, first)
    shortened = sign in ("", ".") and sign != gap and first[-1] in _SHORTENED
    return shortened and before[0].isupper() and behind[0].isupper()


def _wrapped(text: str, left: Mention, first: tuple[str, ...]) -> bool:
    """Whether a given name is the last word of a line of prose, so that the line below goes on with the name."""
    line = text[text.rfind("\n", 0, left.start) + 1 : left.start]
    return len(first) == 1 and is_given(first[0]) and len(line) > _LONG and _ends_in_word(line)


def _ends_in_word(line: str) -> bool:
    return line[-1:].isspace() and line.rstrip()[-2:].isalpha() and line.rstrip()[-2:].islower()


def _surname_first(text: str, left: Mention, right: Mention, known: _Known) -> bool:
    """Whether a name before a comma is the surname of the given names behind it: in capitals, or elsewhere in full."""
    before, behind = text[left.start : left.end], text[right.start : right.end]
    first, last = _words(before), _words(behind)
    line = text[text.rfind("\n", 0, left.start) + 1 : (text.find("\n", right.end) + 1 or len(text) + 1) - 1]
    if before.isupper() and behind.isupper() and line.strip() == text[left.start : right.end]:
        return len(last) == 1 < len(first)  # "LAW SIEW LING, SUMMER"
    if len(first) > _MOST:
        return False
    return (last[0], first) in known.ends or (before.isupper() and len(before) > 2 and not behind.isupper())
