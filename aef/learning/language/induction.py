"""What a gold corpus tells of the words of its language: the lists that can be counted out of it, by their names.

Nothing is known of the language but that it writes names with capitals. Each function counts over all documents and
returns what is frequent enough, for a person to go over: lists of closed classes (numbers, nationalities, weekdays)
stay empty. No word that is private (`aef.tagging.privacy`) is in a list: a word counts where it stands in lower case,
or outside of every mention, in `K` documents at least.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.gold.conll import nesting
from aef.corpus_tools.tokenization.chunks import COMPOUNDS
from aef.names.parts import LOC, ORG, PERSON
from aef.tagging.privacy import K

_DATE = re.compile(
    r"\b\d{1,2}[.ºª°]?\s+(?:[^\W\d_]{1,3}\s+)?([^\W\d_]{3,})\.?\s+(?:[^\W\d_]{1,3}\s+)?(?:1[89]|20)\d\d\b"
)
_SHORT = re.compile(r"(?<![\w.])([^\W\d_]{1,8}\.)(?=[ \u00a0][a-zà-ÿ\d(§])")
_NUMBERED = re.compile(r"((?<![^\W\d_])[^\W\d_]++\.?|(?<!§)§++)\s?(?=\d)")
_COUNTED = re.compile(r"(?<![\w.,/-])\d+(?:[.,]\d+)*\s([^\W\d_]{3,})\b")
_ACRONYMS = 4  # a word in capitals so long or shorter tells nothing of how it is written otherwise

_BLANKS, _OPENING = (" ", "\u00a0"), "(\"“«‘’'¿¡"

Inducer = Callable[[Sequence[Document]], Iterable[str]]
INDUCERS: dict[str, Inducer] = {}


def _list(function: Inducer) -> Inducer:
    """Register a function as that of the list of its name."""
    INDUCERS[function.__name__] = function
    return function


def induced(documents: Sequence[Document]) -> dict[str, list[str]]:
    """The entries of each list that can be induced, in order."""
    return {name: sorted(set(induce(documents)) - {""}) for name, induce in INDUCERS.items()}


@_list
def function_words(documents: Sequence[Document]) -> list[str]:
    """Short words in lower case that two thirds of all documents hold, the most frequent first."""
    often = _in_documents(documents, _lower)
    total = Counter(word for document in documents for word in _lower(document))
    found = [word for word, n in often.items() if 3 * n >= 2 * len(documents) and len(word) <= 7]
    return sorted(found, key=lambda word: -total[word])[:160]


@_list
def common_words(documents: Sequence[Document]) -> list[str]:
    """Words in lower case that a fifth of all documents hold."""
    return [word for word, n in _in_documents(documents, _lower).items() if 5 * n >= len(documents) and n >= K]


@_list
def ordinary_words(documents: Sequence[Document]) -> list[str]:
    """Words that stand in lower case, outside of what is marked, in `K` documents."""
    return [word for word, n in _in_documents(documents, _lower).items() if n >= K and len(word) > 2]


@_list
def court_words(documents: Sequence[Document]) -> list[str]:
    """Words with a capital behind one in lower case, outside of what is marked, in `K` documents."""
    return [word for word, n in _in_documents(documents, _raised).items() if n >= K]


@_list
def abbreviations(documents: Sequence[Document]) -> list[str]:
    """Words with a period before a small letter or a number, more often so than without the period."""
    short = Counter(match[1].lower() for d in documents for match in _SHORT.finditer(d.text))
    plain = Counter(word.lower() for d in documents for word in COMPOUNDS.findall(d.text))
    return [word for word, n in short.items() if n >= K and 2 * n > plain[word.rstrip(".")]]


@_list
def title(documents: Sequence[Document]) -> list[str]:
    """Words with a capital of which at least four in ten stand right before somebody's name."""
    before = Counter(word for d in documents for m in _of(d, PERSON) if (word := _before(d, m)))
    everywhere = Counter(word.rstrip(".") for d in documents for word in COMPOUNDS.findall(d.text))
    found = [w for w, n in before.items() if n >= K and w[0].isupper() and 2.5 * n >= everywhere[w.rstrip(".")]]
    return [form for word in found for form in (word, word.rstrip("."))]


@_list
def nome_title(documents: Sequence[Document]) -> list[str]:
    """The same, for the baseline."""
    return list(title(documents))


@_list
def particles(documents: Sequence[Document]) -> list[str]:
    """Words in lower case between two with a capital inside somebody's name."""
    return _joining(documents, PERSON)


@_list
def joiners(documents: Sequence[Document]) -> list[str]:
    """The same inside of any name."""
    return sorted({*_joining(documents, PERSON), *_joining(documents, ORG), *_joining(documents, LOC)})


@_list
def organization_words(documents: Sequence[Document]) -> list[str]:
    """First words of the names of organisations."""
    return _public(documents, (words[0].lower() for words in _names(documents, ORG) if len(words) > 1))


@_list
def suffix_organization(documents: Sequence[Document]) -> list[str]:
    """Last words of the names of organisations that are written in capitals or with a period."""
    last = (d.cut(m).split()[-1] for d in documents for m in _of(d, ORG) if " " in d.cut(m).strip())
    return _public(documents, (word.lower() for word in last if word.endswith(".") or word.isupper()))


@_list
def place_words(documents: Sequence[Document]) -> list[str]:
    """First words of the names of places that are several words."""
    return _public(documents, (words[0].lower() for words in _names(documents, LOC) if len(words) > 1))


@_list
def law_words(documents: Sequence[Document]) -> list[str]:
    """Words before a number in what refers to the law."""
    cited = (d.cut(m) for d in documents for m in d.mentions if m.entity_type == "STATUTE")
    plain = set(function_words(documents))
    return [w for w in _often(m[1].lower() for text in cited for m in _NUMBERED.finditer(text)) if w not in plain]


@_list
def month_names(documents: Sequence[Document]) -> list[str]:
    """Words between the number of a day and a year."""
    return _often(match[1].lower() for d in documents for match in _DATE.finditer(d.text))


@_list
def unit_words(documents: Sequence[Document]) -> list[str]:
    """Words in lower case of which a third stand right behind a number: units, and what is counted."""
    behind = Counter(match[1] for d in documents for match in _COUNTED.finditer(d.text))
    everywhere = Counter(word for d in documents for word in _lower(d))
    return [w for w, n in behind.items() if n >= K and w.islower() and 3 * n >= everywhere[w] > 0]


@_list
def related_words(documents: Sequence[Document]) -> list[str]:
    """Words in lower case of which a fifth stand right before somebody's name, those that stand everywhere aside."""
    before = Counter(word for d in documents for m in _of(d, PERSON) if (word := _before(d, m)).islower())
    everywhere = Counter(word for d in documents for word in _lower(d))
    plain = set(function_words(documents))
    return [w for w, n in before.items() if n >= K and w not in plain and 5 * n >= everywhere[w] > 0]


@_list
def role_cues(documents: Sequence[Document]) -> list[str]:
    """For each role that the corpus gives: the words that stand right before its bearers rather than before others."""
    before = Counter((_role(m), _before(d, m).lower()) for d in documents for m in _of(d, PERSON))
    everybody = Counter[str]()
    for (_, word), n in before.items():
        everybody[word] += n
    plain = {"", *function_words(documents)}
    told = {(role, word) for (role, word), n in before.items() if role and n >= K and 2 * n > everybody[word]}
    by_role = {role: sorted(w for r, w in told if r == role and w not in plain) for role in {r for r, _ in told}}
    return [f"{role} | before? | {', '.join(words)}" for role, words in by_role.items() if words]


def _role(mention: Mention) -> str:
    return str(mention.extra.get("role") or "")


# --- counting -------------------------------------------------------------------------------------------------------


def _often(words: Iterable[str]) -> list[str]:
    return [word for word, n in Counter(words).items() if n >= K]


def _public(documents: Sequence[Document], words: Iterable[str]) -> list[str]:
    """The frequent ones that also stand outside of what is marked."""
    known = {*ordinary_words(documents), *court_words(documents)}
    return [word for word in _often(words) if word in known]


def _in_documents(documents: Sequence[Document], words: Callable[[Document], Iterable[str]]) -> Counter[str]:
    """In how many documents each of the words that a function finds stands."""
    return Counter(word for document in documents for word in set(words(document)))


def _outside(document: Document) -> Iterator[str]:
    """The stretches of the text outside of all mentions."""
    edges = [0, *(x for m in nesting(document.mentions)[0] for x in (m.start, m.end)), len(document.text)]
    return (document.text[a:b] for a, b in list(pairwise(edges))[::2])


def _lower(document: Document) -> Iterator[str]:
    return (word for text in _outside(document) for word in COMPOUNDS.findall(text) if word.islower())


def _raised(document: Document) -> Iterator[str]:
    """Words with a capital behind a word in lower case, in small letters."""
    for text in _outside(document):
        for one, other in pairwise(COMPOUNDS.finditer(text)):
            if one[0].islower() and other[0][:1].isupper() and text[one.end() : other.start()].isspace():
                yield other[0].lower()


def _of(document: Document, kind: str) -> Iterator[Mention]:
    return (m for m in document.mentions if m.entity_type == kind)


def _names(documents: Iterable[Document], kind: str) -> Iterator[list[str]]:
    """The words of each name of a type that begins with a capital."""
    for document in documents:
        for mention in _of(document, kind):
            words = COMPOUNDS.findall(document.cut(mention))
            if words and words[0][0].isupper() and not (words[0].isupper() and len(words[0]) <= _ACRONYMS):
                yield words


def _before(document: Document, mention: Mention) -> str:
    """The word right before a mention, with its period; nothing where a sign or a line's end is between."""
    before = document.text[max(0, mention.start - 30) : mention.start]
    word = before.split()[-1:] if before.endswith(_BLANKS) else []
    return next((w for w in (w.lstrip(_OPENING) for w in word) if w.removesuffix(".").isalpha()), "")


def _joining(documents: Iterable[Document], kind: str) -> list[str]:
    inner = (word for words in _names(documents, kind) for word in words[1:-1] if word.islower())
    return _often(inner)
