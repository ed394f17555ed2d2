"""A person's name as it stands in one place: its words in order, what its titles tell, whose name it may be."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from aef import lexicons
from aef.names import suffixes as name_suffixes
from aef.names.parts import (
    PARTICLES,
    PERSON,
    core,
    fold,
    fold_all,
    hyphenated,
    of_couple,
    of_possessor,
    small,
    split_name,
    unbroken,
    word_set,
)
from aef.names.titles import bench_behind, titles_before

_NO_STYLES = frozenset({"m", "d", "don", "mm", "general", "major", "earl", "baron", "duke"})
_EPITHETS = word_set("old poor little dear dearest late the")
_EITHER = word_set(  # given names of women and of men, whatever the lists say
    "alex alexis andrea ariel ashley aubrey avery beverly blair bobbie cameron carey carol casey charlie chris claude "
    "courtney dale dana daryl devon dominique drew evelyn francis gail glenn hayden hilary jaime jamie jan jean jess "
    "jesse jessie jo jocelyn jordan joyce jude kelly kelsey kerry kim kit lee leigh leslie lindsay lou lynn mackenzie "
    "marion maxime meredith michel morgan nicola noel pat quinn reese rene riley robin ronnie rowan sacha sam sandy "
    "sasha shannon shelby shelley sidney stacey stevie sydney taylor terry toni tracy val vivian whitney"
)
_GAELIC = frozenset(["Mac", "Mhic", "Nic", "Ní", "Uí", "Ó"])  # begin a surname that is written apart
_BEFORE_SURNAME = {"al", "van"}  # given names, too: particles only behind a title or a given name

_NUMERAL = re.compile(r"(?<!\s)\s+(?:([IVX]+)|the ([A-Z][a-z]+))$")
_READ_WRONG = str.maketrans("015|", "oisl")


@dataclass(frozen=True)
class Name:
    """A person's name in one place.

    words : folded, given names first, without titles and particles; initials are single letters.
    surnames : how many of the last words are surnames where the writing tells (a comma, capitals, a particle), else 0.
    titles : folded, those before the name, too. suffix : "jr", "ii". family : "Mr and Mrs Verloc".
    one_word : parts of a single word with hyphens, so that it cannot be both given name and surname.
    """

    words: tuple[str, ...]
    surnames: int = 0
    titles: tuple[str, ...] = ()
    suffix: str = ""
    family: bool = False
    one_word: bool = False

    @property
    def full(self) -> bool:
        """Whether a given name and a surname are told: more than initials, more than surnames."""
        return len(self.words) > max(self.surnames, 1) and not self.abbreviated and not self.one_word

    @property
    def abbreviated(self) -> bool:
        """Whether there is nothing but initials."""
        return all(len(word) == 1 for word in self.words)

    @cached_property
    def rank(self) -> str | None:
        """What the titles tell people apart by: "judge", "m", "f", or None."""
        if self.family:
            return None
        ranks = {"judge": "judge", "female": "f", "male": "m"}
        return next((rank for kind, rank in ranks.items() if _titles_of(kind).intersection(self.titles)), None)

    @property
    def marital(self) -> str | None:
        """ "mrs" or "miss" where a title says so: of a surname alone they are mother and daughter."""
        if _titles_of("married").intersection(self.titles):
            return "mrs"
        return "miss" if _titles_of("unmarried").intersection(self.titles) else None

    @property
    def usual_rank(self) -> str | None:
        """What the given names suggest; nothing where they disagree (Lee-Anne, Jean Marie)."""
        ranks = {usual_rank(word) for word in self.words[: max(1, len(self.words) - max(self.surnames, 1))]} - {None}
        return ranks.pop() if len(ranks) == 1 else None

    @property
    def uniformed(self) -> bool:
        """Whether the title is a rank of army or police."""
        return bool(_titles_of("uniform").intersection(self.titles))

    @property
    def given_first(self) -> bool:
        """Whether the title goes before a given name alone: Sir Walter, Aunt May, don Pedro."""
        return bool(_titles_of("before_given").intersection(self.titles))


@cache
def _titles_of(kind: str) -> frozenset[str]:
    """The titles of a kind in all languages, folded: a ruling names people as their own country does."""
    return lexicons.load_everywhere(f"titles_{kind}")


@cache
def _styles() -> frozenset[str]:
    """Titles that are none of somebody's names."""
    return (_titles_of("male") | _titles_of("female") | _titles_of("uniform")) - _NO_STYLES


def parse(text: str, start: int, end: int, language: str = "en") -> Name:
    """The name a mention of a person holds; titles before the mention count.

    >>> name = parse("Ms. GREEN, Joanne Lynn", 4, 22)
    >>> name.words, name.surnames, name.rank
    (('joanne', 'lynn', 'green'), 1, 'f')
    """
    low, high = core(text, start, end, PERSON, language)
    outside = titles_before(text, low, language)
    family = of_couple(text, low, language)
    inside, rest = _styles_and_name(unbroken(text, low, high))
    numeral = _NUMERAL.search(rest)
    bench = ["judge"] if bench_behind(text, high) else []
    found = tuple(fold(title) for title in (*outside, *inside, *bench))
    words, surnames = _words(rest[: numeral.start()] if numeral else rest, bool(found))
    words = words or tuple(map(fold, text[start:end].split()))  # a title alone
    surnames = surnames or _two_surnames(words, language)
    behind = name_suffixes.told(text, high) or (numeral[1] or numeral[2] if numeral else "").lower()
    one_word = len(words) > 1 and len(text[low:high].split()) == 1 and "." not in text[low:high]
    return Name(words, surnames, tuple(dict.fromkeys(found)), behind, family, one_word)


@lru_cache(maxsize=1024)  # a ruling says few names many times
def _styles_and_name(mention: str) -> tuple[list[str], str]:
    """The titles that are left in a mention, and the part of it that names somebody."""
    return _without_styles(_capitalized(of_possessor(mention)))


def _two_surnames(words: tuple[str, ...], language: str) -> int:
    """2 where the last two words are surnames as Spanish has them, else 0."""
    if len(words) < 3 or is_given(words[-1]) or is_given(words[-2]):
        return 0
    return 2 if language == "es" or (len(words) > 3 and is_given(words[0]) and is_given(words[1])) else 0


def _capitalized(text: str) -> str:
    """The part with capitals: "the late John Graves" and "Powell of Richmond" without what is no name."""
    words = text.split()
    capital = [i for i, word in enumerate(words) if any(map(str.isupper, word[:3]))]
    if not capital:
        return text
    first = capital[0]
    while first and (small(words[first - 1]) or fold(words[first - 1]) in _styles()):
        first -= 1
    plain = (i for i in range(capital[0], len(words)) if words[i].islower() and not small(words[i]))
    last = next(plain, len(words))
    while last > first and words[last - 1].islower():
        last -= 1
    kept = " ".join(words[first:last])
    numeral = _NUMERAL.search(" ".join(words))
    return kept + numeral[0] if numeral and " the " in numeral[0] else kept


def _without_styles(text: str) -> tuple[list[str], str]:
    """Titles that are left (Uncle, Captain, Sra.) apart from the name, adjectives in front of it dropped."""
    words = text.split()
    found: list[str] = []
    while len(words) > 1 and words[0].count(".") < 2:  # M.R. are initials, Mr. is a title
        word = fold(words[0])
        if word not in _styles() | _EPITHETS and not _occupation(words[0], words[1]):
            break
        found += [] if word in _EPITHETS else [words[0]]
        del words[0]
    if len(words) > 1 and fold(words[0]) == "young" and is_given(fold(words[1])):
        del words[0]
    return found, " ".join(words)


def _occupation(word: str, following: str) -> bool:
    """Whether a word before a name says what the person does: "Farmer Oak", not "Dean Smith", not "BAKER Ann"."""
    cased = word.istitle() or (word.isupper() and following.isupper())
    return cased and word.lower() in lexicons.load("demographic_words") and not is_given(fold(word))


@lru_cache(maxsize=1024)
def _words(name: str, titled: bool) -> tuple[tuple[str, ...], int]:
    """The folded words of a name without particles, and how many of them are surnames for certain."""
    given, last = split_name(name)
    raw = [*given, *last]
    begins = bool(raw) and len(raw) > 1 and _joins(raw[0], titled)
    known = len(raw) if begins and (small(raw[0]) or raw[0].title() in _GAELIC or len(raw) == 2) else len(last)
    kept = [(i, part) for i, word in enumerate(raw) if not (begins and not i) for part in _parts(word, i, len(raw))]
    words = tuple(part for _, part in kept)
    surnames = sum(i >= len(raw) - known for i, _ in kept)
    return words, surnames or _compound(kept)


def _joins(word: str, titled: bool) -> bool:
    """Whether the first word is a particle: "van der Berg", "Le Guen"; without a title "Van Morrison" has none."""
    if word.title() in _GAELIC:
        return True
    return (
        len(word.rstrip(".")) > 1
        and fold(word) in PARTICLES
        and (small(word) or titled or fold(word) not in _BEFORE_SURNAME)
    )


def _parts(word: str, place: int, words: int) -> list[str]:
    """A word as its folded parts; nothing of a particle."""
    joins = word.title() in _GAELIC or (fold(word) in PARTICLES and "." not in word)
    if joins and 0 < place < words - 1:
        return []
    elided = word[:2] in ("d'", "d’", "D'", "D’") and word[2:3].isupper()
    return [part for piece in hyphenated(word[2:] if elided else word) if (part := _read(piece))]


def _read(word: str) -> str:
    """The folded word; digits among letters are letters read wrong."""
    digits = any(map(str.isdigit, word))
    return fold(word.translate(_READ_WRONG) if digits and any(map(str.isalpha, word)) else word)


def _compound(kept: list[tuple[int, str]]) -> int:
    """How many parts a hyphenated last word has, where it is a surname: "Ann Roe-Lee", "Lefèvre-Duval"."""
    parts = sum(i == kept[-1][0] for i, _ in kept) if kept else 0
    return parts if parts > 1 and (len(kept) > parts or not is_given(kept[0][1])) else 0


# --- given names ----------------------------------------------------------------------------------------------------


@cache
def _nicknames() -> dict[str, frozenset[int]]:
    """The lines of the lists of nicknames a folded word stands in; a negative one where it is the given name itself."""
    found: dict[str, set[int]] = {}
    for number, line in enumerate(fold_all(sorted(lexicons.load_everywhere("nicknames"))), 1):
        for i, word in enumerate(line.split()):
            found.setdefault(word, set()).add(number if i else -number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


@cache
def _on_line() -> dict[int, frozenset[str]]:
    """The words on each line of nicknames."""
    found: dict[int, set[str]] = {}
    for word, numbers in _nicknames().items():
        for number in numbers:
            found.setdefault(abs(number), set()).add(word)
    return {line: frozenset(on_it) for line, on_it in found.items()}


@cache
def _given() -> dict[str, frozenset[str]]:
    lists = {"f": "given_female", "m": "given_male"}
    return {rank: frozenset(fold_all(lexicons.load(name))) for rank, name in lists.items()}


def is_given(word: str) -> bool:
    """Whether a folded word is a common given name or a familiar form of one."""
    return word in _nicknames() or word in _EITHER or any(word in names for names in _given().values())


def familiar_lines(word: str) -> frozenset[int]:
    """The numbers of the lines of nicknames a folded word stands in."""
    return frozenset(map(abs, _nicknames().get(word, ())))


def familiar(a: str, b: str) -> int:
    """2 where one folded word is a familiar form of the other, 1 where both are of a third, else 0.

    >>> familiar("bill", "william"), familiar("bill", "will"), familiar("bill", "john")
    (2, 1, 0)
    """
    one, other = _nicknames().get(a, frozenset()), _nicknames().get(b, frozenset())
    if any(-number in other for number in one):
        return 2
    return int(bool(one & other))


@cache
def usual_rank(word: str) -> str | None:
    """What a given name suggests: "f" or "m" where only women or only men commonly bear it or what it is short for."""
    if word in _EITHER:
        return None
    numbers = _nicknames().get(word, frozenset())
    meant = {word} | {full for n in numbers if n > 0 for full in _on_line()[n] if -n in _nicknames()[full]}
    alike = {other for line in familiar_lines(word) for other in _on_line()[line]}
    ranks = [rank for rank, names in _given().items() if names & meant]
    ranks = ranks or [rank for rank, names in _given().items() if names & alike]
    return ranks[0] if len(ranks) == 1 else None
