"""What a name is made of: titles, given names, surname; and what a mention of unknown type looks like."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from aef import lexicons

PERSON, ORG, LOC, DATETIME, MISC = "PERSON", "ORG", "LOC", "DATETIME", "MISC"

_MALE = {"mr", "monsieur", "messieurs", "mm", "messrs", "sir", "lord"}
_FEMALE = {"mrs", "ms", "miss", "madame", "mme", "mmes", "mesdames", "mademoiselle", "mlle", "mlles", "dame", "lady"}
_JUDGE = {"justice", "judge", "magistrate"}
_ALSO_NAMES = {"lord", "dame", "me", "pastor", "judge", "justice", "sergeant", "gen", "maj", "imam"}
_PARTICLES = {
    "van",
    "von",
    "der",
    "den",
    "de",
    "del",
    "della",
    "di",
    "da",
    "la",
    "le",
    "du",
    "des",
    "ter",
    "ten",
    "bin",
    "al",
}
_JOINS = {"and", "&", "et", "the", "of"}

_WORD = re.compile(r"[^\s,;:()\[\]\"“”„«»/]+")
_ASIDE = re.compile(r"\(.*?\)|\".*?\"|“.*?”|«.*?»")
_POSSESSIVE = re.compile(r"(?<=\w)['’][sS]?$|(?<=\.)['’][sS]$")
_INITIALS = re.compile(r"(?:[^\W\d_]\.-?)+\d*")
_INVERTED = re.compile(r"([^\W\d_][\w'’-]*(?: [^\W\d_][\w'’-]*)?),\s+(.*\w.*)", re.DOTALL)
_EDGE = " \t\r\n\"“”„«»‘’'`,;:!?"
_BEFORE = re.compile(r"(?:[^\W\d_]+\.?\s+){1,3}$")


@dataclass(frozen=True)
class Name:
    """A person's name in one place, its words folded. ``surname`` is None where a single word may be either.

    ``rank`` tells people apart: "m" and "f" by title, "judge", or None.
    """

    given: tuple[str, ...]
    surname: str | None
    rank: str | None = None
    suffix: str = ""

    @property
    def full(self) -> bool:
        return self.surname is not None and bool(self.given)

    @property
    def single(self) -> str:
        """The word of a name of one word."""
        return self.surname or self.given[0]


@cache
def titles() -> frozenset[str]:
    """Titles of persons, lower case and without periods."""
    return frozenset(t.lower().rstrip(".") for t in lexicons.load("title") | lexicons.load("nome_title"))


@cache
def generic_words() -> frozenset[str]:
    """Last words of organisations that do not tell which one it is, lower case: legal forms and generic words."""
    lists = ("legal_form", "generic_organization", "suffix_organization")
    return frozenset().union(*(lexicons.load(name) for name in lists))


def fold(word: str) -> str:
    """The word without case, accents, periods and apostrophes.

    >>> fold("O’BRIÉN")
    'obrien'
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(c))
    return re.sub(r"[.'’]", "", plain)


def guess_type(text: str, start: int, end: int) -> str:
    """What a mention of unknown type looks like: a date, an organisation, a place, a person, or something else."""
    words = [w.lower().rstrip(".") for w in _WORD.findall(text[start:end])]
    if any(c.isdigit() for c in text[start:end]):
        return DATETIME if lexicons.load("month_names") & set(words) else MISC
    if not words or words[-1] in lexicons.load("month_names") | lexicons.load("weekday_names"):
        return DATETIME if words else MISC
    if rank_before(text, start)[0]:
        return PERSON
    if words[-1] in generic_words() or lexicons.load("suffix_organization") & set(words):
        return ORG
    if len(words) > 1 and words[-1] in lexicons.load("generic_place"):
        return LOC
    return PERSON if _name_shaped(text[start:end]) else MISC


def _name_shaped(text: str) -> bool:
    return all(w[0].isupper() or fold(w) in _PARTICLES for w in _WORD.findall(text)) and any(c.isupper() for c in text)


def rank_before(text: str, start: int) -> tuple[bool, str | None]:
    """Whether a title stands right before ``start``, and the rank it gives."""
    match = _BEFORE.search(text, max(0, text.rfind("\n", 0, start), start - 60), start)
    words = [w.rstrip(".").lower() for w in match.group().split()] if match else []
    found: list[str] = []
    while words and words[-1] in titles():
        found.insert(0, words.pop())
    return bool(found), _rank(found)


def _rank(words: list[str]) -> str | None:
    for rank, group in (("judge", _JUDGE), ("m", _MALE), ("f", _FEMALE)):
        if group & set(words):
            return rank
    return None


def usual_rank(name: Name) -> str | None:
    """What the first given name suggests: "f" or "m" where only women or only men commonly bear it."""
    first = name.given[0] if name.given else ""
    ranks = [rank for rank, given in _given().items() if first in given]
    return ranks[0] if len(ranks) == 1 else None


@cache
def _given() -> dict[str, frozenset[str]]:
    lists = {"f": "given_female", "m": "given_male"}
    return {rank: frozenset(map(fold, lexicons.load(name))) for rank, name in lists.items()}


def core(text: str, start: int, end: int, entity_type: str) -> tuple[int, int]:
    """The stretch of a mention that is hidden: without signs around it, a possessive, titles, an article.

    >>> core("Mr Galip Yalman's house", 0, 17, "PERSON")
    (3, 15)
    """
    start, end = _trim(text, start, end)
    if entity_type in (PERSON, ORG) and text[start:end].lower().rstrip(".") in titles() - _ALSO_NAMES:
        return end, end
    if entity_type == PERSON:
        start, end = _without_titles(text, start, end)
    if entity_type == ORG and text[start : min(start + 4, end)].lower() == "the " and end - start > 4:
        start += 4
    return _trim(text, start, end)


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in _EDGE:
        start += 1
    while start < end:
        possessive = _POSSESSIVE.search(text[start:end])
        if possessive is not None:
            end = start + possessive.start()
        elif text[end - 1] in _EDGE:
            end -= 1
        else:
            break
    return start, end


def _without_titles(text: str, start: int, end: int) -> tuple[int, int]:
    words = [(start + m.start(), start + m.end()) for m in _WORD.finditer(text[start:end])]
    folded = [text[low:high].lower().rstrip(".") for low, high in words]
    while len(words) > 1 and _leads(folded):
        del words[0], folded[0]
    while len(words) > 1 and folded[-1] in ("jr", "sr"):
        del words[-1], folded[-1]
        end = words[-1][1]
    return (words[0][0] if words else start), end


def _leads(words: list[str]) -> bool:
    """Whether the first word is a title, or joins one ("the Honourable", "Mr and Mrs")."""
    return words[0] in titles() or (words[0] in _JOINS and words[1] in titles())


def parse(text: str, start: int, end: int) -> Name:
    """The name a mention of a person holds; a title before the mention counts.

    >>> parse("Ms. GREEN, Joanne Lynn", 4, 22)
    Name(given=('joanne', 'lynn'), surname='green', rank='f', suffix='')
    """
    low, high = core(text, start, end, PERSON)
    rank = rank_before(text, low)[1]
    suffix = re.match(r",?\s+(jr|sr)\b", text[high : high + 6], re.IGNORECASE)
    words = [fold(w) for w in name_words(text[low:high])]
    return _parsed([w for w in words if w], rank, suffix[1].lower() if suffix else "")


def _parsed(words: list[str], rank: str | None, suffix: str) -> Name:
    if len(words) < 2:
        single = words[0] if words else ""
        return Name((), single, rank, suffix) if rank else Name((single,), None, None, suffix)
    first = len(words) - 1
    while first > 0 and words[first - 1] in _PARTICLES:
        first -= 1
    return Name(tuple(words[:first]), " ".join(words[first:]), rank, suffix)


def name_words(name: str) -> list[str]:
    """The words of a name in order, given names first, initials apart; what stands in quotes or brackets is left out.

    >>> name_words("GREEN, J.L.")
    ['J.', 'L.', 'GREEN']
    """
    name = _ASIDE.sub(" ", name) if _ASIDE.sub("", name).strip() else name
    if inverted := _INVERTED.fullmatch(name.strip()):
        name = f"{inverted[2]} {inverted[1]}"
    words: list[str] = []
    for word in _WORD.findall(name):
        words += re.findall(r"[^\W\d_]\.", word) if _INITIALS.fullmatch(word) else [word]
    return [w for w in words if any(c.isalpha() for c in w)]


def initials(name: str) -> str:
    """The initials of a name, given names first, without spaces (AEF thesis, section 1.3).

    >>> initials("William Millar"), initials("Anne-Marie van der Berg")
    ('W.M.', 'A.M.B.')
    """
    parts = [part for word in name_words(name) for part in re.split(r"[-‐‑–]", word)]
    return "".join(f"{capital}." for part in parts if (capital := next(filter(str.isupper, part), "")))
