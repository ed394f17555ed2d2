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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, pairwise

import numpy as np

from aef import lexicons
from aef.corpus_tools.document import Document
from aef.features import Column, Feature, resolve
from aef.features.extraction import Ints, Layout
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

_WORD = re.compile(r"\w+")
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
        return {word for word in words_of(text) if self._tells(word)} | (pairs_of(text) & self.words)

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
    return _words(_folded(text))


def _words(folded: str) -> set[str]:
    return {word for word in {*folded.split(), *_WORD.findall(folded)} if any(map(str.isalnum, word))}


def pairs_of(text: str) -> set[str]:
    """Each two runs of letters and digits that follow each other in a text, folded, with a space between."""
    return _pairs(_folded(text))


def _pairs(folded: str) -> set[str]:
    return set(map(" ".join, pairwise(_WORD.findall(folded))))


def _units(texts: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for text in set(texts):
        folded = _folded(text)
        found |= _words(folded) | _pairs(folded)
    return found


def _folded(text: str) -> str:
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
    + ["phrase_rarity", "phrase_organization", "in_parentheses", "titled", "first", "lexicons"]
    + ["headed_rarity", "headed_place"]
    + ["label_before", "label_before2", "seen"]
)


def gives_away(feature: str, predicate: str, private: Private) -> set[str]:
    """The words and pairs of words of a feature's predicate that give away what the corpus hides.

    What stands in it for a kind, a shape or a rarity is no word of the text: "5 Xx the" holds one.
    """
    if not holds_words(feature):
        return set()
    abstract = _abstract(resolve(feature).parameters)
    kept = ("\n" if abstract.fullmatch(piece) else piece for piece in predicate.split(" "))
    return {unit for text in " ".join(kept).split("\n") for unit in private.inside(text)}


@cache
def _abstract(parameters: tuple[str, ...]) -> re.Pattern[str]:
    """What the pieces of a predicate look like that only say a kind, a shape or a rarity."""
    forms = ([r"[Xxd\W_]+"] if any(p.startswith(("kind", "shape")) for p in parameters) else []) + (
        [r"\d"] if any("rarity" in p for p in parameters) else []
    )
    forms += ["[gswpco]+|-"] if any(p.startswith("listed") for p in parameters) else []
    return re.compile("|".join(forms) or r"(?!)")


def public(columns: Iterable[Column], layout: Layout, private: Private, k: int = K) -> list[Column]:
    """The columns without predicates that hold private words or are seen in fewer than k documents.

    What holds for a feature's predicates holds for those of the tokens beside.
    """
    document = _distinct_documents(layout)
    kept: dict[str, dict[str, int]] = {}
    found = []
    for column in columns:
        base = resolve(column.name).base or column.name
        if base not in kept:
            kept[base] = _kept(column, layout, document, private, k)
        found.append(column.renumbered(kept[base]))
    return found


def _distinct_documents(layout: Layout) -> Ints:
    """A number for each token, shape (n,): that of its document, the same for documents of the same words."""
    parts = np.split(layout.word_ids, layout.bounds[1:-1])
    numbers = {words: number for number, words in enumerate(dict.fromkeys(part.tobytes() for part in parts))}
    return np.repeat([numbers[part.tobytes()] for part in parts], layout.sizes)


def _kept(column: Column, layout: Layout, document: Ints, private: Private, k: int) -> dict[str, int]:
    """The predicates of a column that stay, numbered."""
    often = [v for v, n in zip(column.values, _documents(column, document).tolist(), strict=True) if n >= k]
    pieces = _pieces(column, resolve(column.name), layout, private)
    kept = (v for v in often if v not in pieces and not gives_away(column.name, v, private))
    return {value: number for number, value in enumerate(kept)}


def _pieces(column: Column, feature: Feature, layout: Layout, private: Private) -> set[str]:
    """Pieces of words (endings) that fewer than `K` words show, a private one among them: they all but spell it."""
    if not {"word", "lower"} & set(feature.parameters) or not set(feature.parameters) <= {"word", "lower", "lexicons"}:
        return set()
    kinds = len(column.values) + 1
    pairs = _distinct(layout.at(layout.ids, feature.offset).astype(np.int64) * kinds + column.numbers % kinds)
    words: dict[int, set[str]] = {}
    for word, code in zip((pairs // kinds).tolist(), (pairs % kinds).tolist(), strict=True):
        words.setdefault(code, set()).add(_folded(layout.types[word]))
    few = {code: found for code, found in words.items() if len(found) < K and code < kinds - 1}
    return {column.values[code] for code, found in few.items() if any(map(private.inside, found))} - {""}


def _documents(column: Column, document: Ints) -> Ints:
    """In how many documents each of a column's predicates occurs, under any history; shape (values,)."""
    limit = len(column.values) + 1  # 0: inactive
    kinds = limit if column.patterns is None else len(column.patterns) + 1
    documents, numbers = np.divmod(_distinct(document * kinds + (column.numbers + np.int64(1))), kinds)
    if column.patterns is None:
        return np.bincount(numbers, minlength=limit)[1:]
    codes = column.patterns[numbers - 1] + np.int64(1)
    found = _distinct((documents[:, None] * limit + codes).ravel())
    return np.bincount(found % limit, minlength=limit)[1:]


def _distinct(keys: Ints) -> Ints:
    """The distinct keys, none of them negative, ascending; a table is quickest where few are possible."""
    limit = int(keys.max(initial=-1)) + 1
    if limit > _TABLE * len(keys):
        return np.unique(keys)
    there = np.zeros(limit, dtype=np.bool_)
    there[keys] = True
    return np.flatnonzero(there)


_TABLE = 64


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
    return words if words == built_in else frozenset(w for w in words if w in built_in or not private.inside(w))
