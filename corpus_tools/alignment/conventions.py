"""How editors write what they hide: the conventions of anonymized rulings, as a table.

A text is cut into units (words, signs, and labels such as ``O.[...]`` that no tokenizer for plain text would keep
whole). Whether a unit that looks like a label is one is decided by alignment: a label that stands in the original,
too, is the author's own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from aef import lexicons
from aef.corpus_tools.tokenization.chunks import LETTERS

ENTITY_WORDS = {
    "PERSON": "person per pers witness name party judge lawyer counsel expert victim complainant accused claimant "
    "minor infant baby doctor neighbour neighbor teacher man woman",
    "ORG": "organization organisation org company comp corp corporation firm bank school hospital "
    "employer business agency",
    "LOC": "location loc place city town village address addr country region province street municipality",
    "DATETIME": "date datetime time year day month birthdate dob",
    "CODE": "code number num id account phone tel email file docket iban url plate passport",
    "DEM": "dem demographic profession nationality religion illness",
    "QUANTITY": "quantity amount sum",
    "MISC": "misc other object product",
}
"""The word of a counter (``WITNESS_1``, ``Person3``) and the type it tells; kinship words tell a person, too."""

_UPPER = "".join(c for c in map(chr, [*range(0x41, 0x590), *range(0x1E00, 0x1F00)]) if c.isupper())
_U = f"[{_UPPER}]"
_MARK = r"(?:\[\s*(?:\.(?:\s?\.)+|…+|[*•_xX–—-]+)?\s*\]|\(\s*(?:\.(?:\s?\.)+|…+|[*•_]+)\s*\))"
_WITHHELD = r"redacted|removed|omitted|withheld|deleted|anonymi[sz]ed|suppressed|confidential|masked|blacked out"
_END = r"(?!\w)"


@dataclass(frozen=True, slots=True)
class Convention:
    """A way to write what is hidden.

    ``strong``: the form alone tells; a weak form (a lone letter, capitals, dots) counts only where a name stood.
    ``identifies``: equal labels mean the same person or thing. ``entity_type``: what the form tells of the type.
    """

    name: str
    pattern: str
    examples: tuple[str, ...]
    entity_type: str | None = None
    strong: bool = True
    identifies: bool = False


class Label(NamedTuple):
    """A label: its text, how it is written and the coarse type it tells."""

    text: str
    convention: Convention
    entity_type: str | None

    @property
    def entity_id(self) -> str | None:
        """What equal labels share where the label stands for one person or thing; ``W. M`` is ``W.M.``."""
        if not self.convention.identifies:
            return None
        if self.convention.name in ("initials", "letter"):
            bare = "".join(self.text.split())
            return bare if bare[-1] in ".0123456789" or len(bare) == 1 else bare + "."
        if self.convention.name == "category" and not re.search(rf"\d|[ _-]{_U}\W*$", self.text):
            return None
        return self.text


class Unit(NamedTuple):
    """A piece of text for comparison: offsets, and a key that is equal for what a reader would call the same."""

    start: int
    end: int
    text: str
    key: str
    label: Label | None

    @property
    def is_word(self) -> bool:
        return self.text[0].isalnum()


@cache
def _words_to_types() -> dict[str, str]:
    types = {word: kind for kind, words in ENTITY_WORDS.items() for word in words.split()}
    return types | dict.fromkeys(lexicons.load("related_words") | {"child", "children"}, "PERSON")


@cache
def conventions() -> tuple[Convention, ...]:
    """The table, in the order in which the forms are tried; plain deletion leaves no form and is not in it."""
    words = "|".join(sorted(map(re.escape, _words_to_types()), key=len, reverse=True))
    upper_words = words.upper()
    return (
        Convention("initial and omission", rf"(?:{_U}|\d)\.?{_MARK}", ("O.[...]", "R[…]", "I.[ ... ]"), "ORG"),
        Convention("omission", _MARK, ("[...]", "[…]", "(...)", "[... ]", "[*]", "[]")),
        Convention(
            "withheld",
            rf"[\[(<](?i:(?!\s*(?:citation|footnote|emphasis))\s*(?:[^\W\d_]+\s){{0,3}}(?:{_WITHHELD}))\s*[\])>]",
            ("[REDACTED]", "[name withheld]", "<address removed>"),
        ),
        Convention(
            "category",
            rf"[\[<{{]\s*(?:[Tt]he )?(?i:{words})(?:[ _-]?(?:\d{{1,4}}|{_U}))?\s*[\]>}}]",
            ("[PERSON_2]", "<DATE>", "{City 1}", "[the mother]"),
            identifies=True,
        ),
        Convention(
            "counter",
            rf"#?(?i:{words})-?\d{{1,4}}(?:_\w+)?{_END}|#?{_U}[^\W\d_]+_(?:\d{{1,4}}|{_U})(?:_\w+)?{_END}",
            ("WITNESS_1", "Person3", "PER1", "#PER2_ei", "Child_A"),
            identifies=True,
        ),
        Convention(
            "mask",
            rf"\w*[*#█■]{{2,}}[\w*#█■]*|{_U}?\.?_{{2,}}|[xX]{{3,}}{_END}|{_U}\.?(?:…|\.{{3,}})",
            ("****", "#####", "____", "XXXX", "J***", "K…"),
        ),
        Convention(
            "initials",
            rf"{_U}\.(?:[-‑]{_U}\.)?(?:\s{_U}\.)+(?:\d{{1,2}})?{_END}"
            rf"|(?:{_U}{{1,2}}\.[-‑]?){{1,15}}{_U}{{1,2}}(?:\.?\d{{1,2}}|\.)?{_END}",
            ("W.M.", "S.R.2", "J.L.G.", "J.-P. L.", "W. M.", "W.M"),
            "PERSON",
            identifies=True,
        ),
        Convention(
            "doubled letter",
            rf"({_U})\1{{1,5}}\d{{0,2}}{_END}",
            ("AA", "BB", "CCC", "AA2"),
            identifies=True,
        ),
        Convention("category word", rf"(?:{upper_words}){_END}", ("PERSON", "DATE"), None, False),
        Convention("letter", rf"{_U}(?:\.{_END}|\d{{1,2}}{_END}|{_END})", ("X", "W.", "A1"), None, False, True),
        Convention("capitals", rf"{_U}{{2,8}}\d{{0,2}}{_END}", ("JLG", "WM", "SR2"), None, False, True),
        Convention("dots", r"…|\.{3,}|\.(?:\s\.){2,}", ("...", "…", ". . ."), None, False),
    )


@cache
def _lexer() -> re.Pattern[str]:
    forms = "|".join(f"(?P<c{i}>{_own_reference(c.pattern, i)})" for i, c in enumerate(conventions()))
    return re.compile(rf"(?<!\w)(?:{forms})|[^\W_]+|_+|\S")


def _own_reference(pattern: str, number: int) -> str:
    """Back-references inside the joint pattern need names of their own."""
    return pattern.replace(rf"({_U})\1", rf"(?P<d{number}>{_U})(?P=d{number})")


_SAME_SIGNS = str.maketrans("’‘`´“”„«»‐‑–—", '\'\'\'\'"""""----')


def has_digit(text: str) -> bool:
    return any(c.isdigit() for c in text)


def units(text: str, start: int = 0, end: int | None = None) -> list[Unit]:
    """The units of ``text[start:end]``, with offsets into ``text``.

    >>> [u.text for u in units("Mr. D.W.M. owned M.[...] Ltd.")]
    ['Mr', '.', 'D.W.M.', 'owned', 'M.[...]', 'Ltd', '.']
    """
    table = conventions()
    found = []
    for match in _lexer().finditer(text, start, len(text) if end is None else end):
        group = match.lastgroup
        piece = match.group()
        label = _label(piece, table[int(group[1:])]) if group is not None else None
        found.append(Unit(match.start(), match.end(), piece, _key(piece, label), label))
    return found


def without_numerals(pieces: list[list[Unit]]) -> list[list[Unit]]:
    """The units, where no other doubled letter is in use with II and III read as numerals."""
    doubled = {u.key for block in pieces for u in block if u.label and u.label.convention.name == "doubled letter"}
    if not doubled or doubled - {"ii", "iii"}:
        return pieces
    return [[u._replace(label=None) if u.key in doubled else u for u in block] for block in pieces]


def recognize(text: str) -> Label | None:
    """The label that ``text`` as a whole is, if it is one.

    >>> recognize("W.M.").entity_type, recognize("O.[...]").entity_type, recognize("WITNESS_1").convention.name
    ('PERSON', 'ORG', 'counter')
    """
    found = units(text)
    return found[0].label if len(found) == 1 else None


def join_counters(pieces: list[list[Unit]], original: list[list[Unit]]) -> list[list[Unit]]:
    """The units, with ``Witness 1`` and ``Child A`` joined to one label where the original nowhere says so."""
    known = {(one.key, two.key) for block in original for one, two in pairwise(block)}
    return [_joined(block, known) for block in pieces]


def _joined(block: list[Unit], known: set[tuple[str, str]]) -> list[Unit]:
    joined: list[Unit] = []
    for unit in block:
        last = joined[-1] if joined else None
        if last and (last.key, unit.key) not in known and _counts(last, unit):
            number = unit.text.rstrip(".")
            text = f"{last.text} {number}"
            end = unit.start + len(number)
            label = Label(text, _named("counter"), _words_to_types()[last.key])
            joined[-1] = Unit(last.start, end, text, text.casefold(), label)
            joined += [Unit(end, unit.end, ".", ".", None)] if end < unit.end else []
        else:
            joined.append(unit)
    return joined


def joined_label(labels: list[Label]) -> Label:
    """Neighbouring labels read as one: ``O.`` and ``[...]`` are ``O.[...]``."""
    if len(labels) == 1:
        return labels[0]
    whole = recognize("".join(label.text for label in labels))
    best = whole or next((label for label in labels if label.convention.strong), labels[0])
    return best._replace(text=" ".join(label.text for label in labels))


def deletion(text: str = "") -> Label:
    """What stands for words taken out without a sign."""
    return Label(text, Convention("deletion", "", ()), None)


@cache
def _named(name: str) -> Convention:
    return next(c for c in conventions() if c.name == name)


def _counts(word: Unit, number: Unit) -> bool:
    one_space = number.start - word.end == 1
    counting = (number.text.isdigit() and len(number.text) <= 3) or (
        number.label is not None and number.label.convention.name == "letter"
    )
    return one_space and counting and word.text[0].isupper() and word.key in _words_to_types()


def _key(piece: str, label: Label | None) -> str:
    if len(piece) == 1:
        return piece.translate(_SAME_SIGNS)  # a lone capital is not the article
    if label is not None and label.convention.name in ("initials", "letter"):
        return "".join(piece.split()).removesuffix(".")
    return piece.casefold()


def _label(text: str, convention: Convention) -> Label:
    kind = convention.entity_type
    if convention.name in ("category", "counter", "withheld", "category word"):
        found = (_words_to_types().get(w) for w in LETTERS.findall(text.casefold()))
        kind = next((k for k in found if k), None)
    elif kind == "ORG" and text[0].isdigit():
        kind = None
    return Label(text, convention, kind)
