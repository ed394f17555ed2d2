"""What a model may remember: no word of what its training corpus hides.

Predicates are made of neighbouring words, so a model learned on sealed rulings usually carries their names. Here a word
that occurs inside a masked mention is private, unless it is public: in a built-in word list other than those of names,
or in lower case in enough documents, outside what they hide. So are two words that stand side by side in a mention,
though each be public ("Rose Green"), and longer words that hold a private one ("Greenov's"). Predicates that hold a
private word are dropped, and so are those seen in fewer documents than that; entries of a user's own lists too.

Words are compared without case and accents, however they are encoded. Documents with the same words count once. What
is not seen: a name that no mention of the corpus marks, and its pieces of three letters in words of its own.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, pairwise

from aef import lexicons
from aef.corpus_tools.document import Document
from aef.corpus_tools.tokenization.chunks import WORDS
from aef.features import resolve
from aef.features.ruling import Frequencies

K = 3
"""In how many documents a predicate, or a lower-cased word that some mention holds, must occur to be kept."""

NAMES = frozenset(
    [
        "given_female",
        "given_male",
        "given_other",
        "nicknames",
        "surnames",
        "word_names",
        "place_names",
        "towns",
        "ordinary_words",
        "foreign_words",
        "role_cues",
    ]
)
"""Built-in lists that make nothing public: a hidden name stays hidden, however common it or the word that it is; the
cues of roles name authors."""

Lists = Mapping[str, frozenset[str]]
Units = tuple[Set[str], Set[str]]
"""Words, and pairs of words."""

_PIECE, _LONG = 4, 40
"""From how many characters on, and up to how many, a private word is looked for inside other words."""


@dataclass(frozen=True)
class Private:
    """What a corpus hides: words and pairs of neighbouring words, and which words are public."""

    words: frozenset[str]
    public: frozenset[str]
    _known: dict[str, bool] = field(default_factory=dict, repr=False, compare=False)

    def inside(self, text: str) -> set[str]:
        """The words and pairs of words of a text that give away what the corpus hides."""
        plain = folded(text)
        return self.among((_words(plain), _pairs(plain)))

    def among(self, units: Units) -> set[str]:
        """Those of some words and pairs of words that give it away."""
        words, pairs = units
        return self._telling(words) | (pairs & self.words)

    def silent(self, shown: Sequence[Units]) -> Iterator[bool]:
        """Whether each of several gives nothing away; each word is looked at once."""
        telling = self._telling(set[str]().union(*(words for words, _ in shown)))
        return (words.isdisjoint(telling) and pairs.isdisjoint(self.words) for words, pairs in shown)

    def _telling(self, words: Iterable[str]) -> set[str]:
        return {word for word in words if self._tells(word)}

    def _tells(self, word: str) -> bool:
        if word not in self._known:
            self._known[word] = word in self.words or (word not in self.public and self._holds_private(word))
        return self._known[word]

    def _holds_private(self, word: str) -> bool:
        ends = range(_PIECE, len(word) + 1)
        return any(word[start:end] in self.words for end in ends for start in range(max(0, end - _LONG), end - 3))


@dataclass(frozen=True)
class Shown:
    """What one document shows: the words and pairs inside its masked mentions, and those in lower case outside them."""

    text: str
    language: str
    hidden: frozenset[str]
    written: frozenset[str]

    @classmethod
    def of(cls, document: Document) -> Shown:
        masked = [m for m in document.mentions if m.masked]
        texts = {document.cut(m) for m in masked}
        texts |= {document.words[i] for tokens in document.token_ranges(masked) for i in tokens}
        return cls(document.text, document.language, frozenset(_units(texts)), frozenset(_written(document)))


def private_words(documents: Iterable[Document], k: int = K) -> Private:
    """What the documents' masked mentions hold and is not public; the documents are of one language."""
    return private_among([Shown.of(document) for document in documents], k)


def private_among(shown: Sequence[Shown], k: int = K) -> Private:
    """`private_words` of documents by what each shows."""
    of_text: dict[str, frozenset[str]] = {}
    for one in shown:
        of_text[one.text] = of_text.get(one.text, one.written) & one.written
    counts = Counter(chain.from_iterable(of_text.values()))
    public = _listed(shown[0].language).union(unit for unit, n in counts.items() if n >= k) if shown else frozenset()
    return Private(frozenset().union(*(one.hidden for one in shown)) - public, public)


@cache
def _listed(language: str) -> frozenset[str]:
    """The words and pairs of the built-in lists that make them public."""
    lists = lexicons.load_all(language)
    return frozenset(_units(e for name, entries in lists.items() if name not in NAMES for e in entries))


def _written(document: Document) -> set[str]:
    """The words and pairs in lower case and without digits, outside masked mentions."""
    inside = document.mask(m for m in document.mentions if m.masked).tolist()
    kept = (
        w if w.islower() and not hidden and not any(map(str.isdigit, w)) else "\n"
        for w, hidden in zip(document.words, inside, strict=True)
    )
    return _units(" ".join(kept).split("\n"))


def words_of(text: str) -> set[str]:
    """The words of a text, folded: as white space parts them, and as runs of letters and digits."""
    return _words(folded(text))


def _words(plain: str) -> set[str]:
    return {word for word in {*plain.split(), *WORDS.findall(plain)} if any(map(str.isalnum, word))}


def pairs_of(text: str) -> set[str]:
    """Each two runs of letters and digits that follow each other in a text, folded, with a space between."""
    return _pairs(folded(text))


def _pairs(plain: str) -> set[str]:
    return set(map(" ".join, pairwise(WORDS.findall(plain))))


def _units(texts: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for text in set(texts):
        plain = folded(text)
        found |= _words(plain) | _pairs(plain)
    return found


def folded(text: str) -> str:
    """Without case, accents and invisible characters."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(c for c in apart if unicodedata.category(c) not in ("Mn", "Cf"))


def holds_words(feature: str) -> bool:
    """Whether a feature's predicates can hold words of a text, and not only shapes, lists and counts."""
    return not set(resolve(feature).parameters) <= _ABSTRACT


_ABSTRACT = frozenset(
    [
        f"{name}{side}"
        for name in ("kind", "shape", "rarity", "listed", "in_head", "head_role", "also_lower")
        for side in ("", "_before", "_before2", "_after", "_after2")
    ]
    + ["phrase_rarity", "phrase_organization", "in_parentheses", "cites", "titled", "first", "lexicons"]
    + ["headed_rarity", "headed_place"]
    + ["label_before", "label_before2", "seen"]
)


def gives_away(feature: str, predicate: str, private: Private) -> set[str]:
    """The words and pairs of words of a feature's predicate that give away what the corpus hides.

    What stands in it for a kind, a shape or a rarity is no word of the text: "5 Xx the" holds one.
    """
    return private.among(shown_in(resolve(feature).parameters, predicate))


def shown_in(parameters: tuple[str, ...], predicate: str) -> Units:
    """The words and pairs of words that a predicate shows of a text."""
    if set(parameters) <= _ABSTRACT:
        return set(), set()
    abstract = _abstract(parameters)
    kept = ("\n" if abstract.fullmatch(piece) else piece for piece in predicate.split(" "))
    plain = list(map(folded, " ".join(kept).split("\n")))
    return set[str]().union(*map(_words, plain)), set[str]().union(*map(_pairs, plain))


@cache
def _abstract(parameters: tuple[str, ...]) -> re.Pattern[str]:
    """What the pieces of a predicate look like that only say a kind, a shape or a rarity."""
    forms = ([r"[Xxd\W_]+"] if any(p.startswith(("kind", "shape")) for p in parameters) else []) + (
        [r"\d"] if any("rarity" in p for p in parameters) else []
    )
    forms += ["[gswpco]+|-"] if any(p.startswith("listed") for p in parameters) else []
    return re.compile("|".join(forms) or r"(?!)")


def known_words(frequencies: Frequencies, private: Private, k: int = K) -> Frequencies:
    """The frequencies of words that are not private and in at least k documents."""
    kept = {word: n for word, n in frequencies.documents.items() if n >= k and not private.inside(word)}
    return Frequencies(kept, frequencies.own)


def public_lists(lists: Lists, language: str, private: Private) -> Lists:
    """The word lists without the entries of a user's own that hold private words."""
    built_in = lexicons.load_all(language)
    kept = {name: _public_entries(words, built_in.get(name, frozenset()), private) for name, words in lists.items()}
    return lists if kept == lists else kept  # the same lists are known again


def _public_entries(words: frozenset[str], built_in: frozenset[str], private: Private) -> frozenset[str]:
    if words is built_in or words == built_in:  # to compare one with itself takes as long as any
        return words
    return frozenset(w for w in words if w in built_in or not private.inside(w))
