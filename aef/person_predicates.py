"""What an entity shows that was found as a person: contextual predicates of its names and of all around its mentions.

A predicate has a value: the root of the share of the mentions that show it, or 1 for what the entity shows as a whole.
No predicate holds a word of a name: words with a capital count only where they are ordinary words, too.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from aef import lexicons
from aef.citations import inside, references
from aef.corpus_tools.document import Document, Mention
from aef.hidden_tokens import FIRST
from aef.linking import CANDIDATES, MEMBERS
from aef.names import PERSON, core, initials, titles
from aef.role_context import Context, Place
from aef.role_evidence import Evidence
from aef.surroundings import Surroundings

_NEAR, _SENTENCE = 4, 10
"""How many words before and behind a mention count with their place, and how many of its sentence without."""
_WORDS = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*\.?")
_COMPANY = ("legal_form", "generic_organization", "suffix_organization", "organization_words")
_NAMES = ("given_female", "given_male", "given_other", "nicknames", "surnames")
_OTHER = (
    *(
        "common_words",
        "court_words",
        "law_words",
        "ordinary_words",
        "word_names",
        "place_names",
        "towns",
        "place_words",
    ),
    *("month_names", "weekday_names", "nationalities", "peoples", "foreign_words", "title", "letters", "kin_names"),
    *("demographic_words", "money_words", "generic_place", "abbreviations", "particles", *_COMPANY),
)
_RUN = re.compile(r"(?:[ ](?:&|and|of|the|\(|[A-ZÀ-Þ][\w.’'&-]*\)?)){1,4}")
_CAPITALS = re.compile(
    r"(?<![\w’'.&-])[A-ZÀ-Þ][\w’'.&-]*+(?:[^\S\n](?:(?:of|and|for|the|&)[^\S\n])?\(?[A-ZÀ-Þ&][\w’'.&-]*\)?)+"
)
_DEFINED = re.compile(r"\(?[\"“‘'][^\"”’']{0,40}$")
_CASE_BESIDE = re.compile(r"\bvs?\.?\s*$|^\s*vs?\.?\s")


class People:
    """The predicates of the people of a linked document.

    ``groups``: the mentions of each entity, in the order of the text; ``evidence``: what the cues of roles tell of each
    place.
    """

    def __init__(
        self,
        context: Context,
        groups: Mapping[str, Sequence[Mention]],
        evidence: Mapping[Place, Sequence[Evidence]],
    ) -> None:
        self.context = context
        self.document = context.document
        self.words = self.document.words
        self.titles = titles(self.document.language)
        self.common = lexicons.load("common_words", self.document.language)
        self.groups = groups
        self.evidence = evidence
        self.in_reference = inside(references(self.document))
        self.capitals = Counter(word for word in self.words if word[:1].isupper())
        self.small = frozenset(word for word in self.words if word.islower())
        self.of_companies = _company_words(self.document)

    @classmethod
    def of(cls, around: Surroundings, groups: Mapping[str, Sequence[Mention]]) -> People:
        """The people of these mentions, with all evidence that there is."""
        return cls(around, groups, around.evidence)

    def predicates(self, key: str) -> dict[str, float]:
        """What the mentions of an entity show, and how many of them do."""
        mentions = self.groups[key]
        shares: Counter[str] = Counter()
        for number, mention in enumerate(mentions):
            shown = set(self._of_mention(mention))
            shares.update(shown)
            if number == 0:
                shares.update({f"first: {p}": len(mentions) for p in shown if p.startswith(("before", "behind"))})
        found = {name: math.sqrt(number / len(mentions)) for name, number in shares.items()}
        return found | dict.fromkeys(self._of_all(mentions, found), 1.0)

    # -- of one mention ------------------------------------------------------------------------------------------------

    def _of_mention(self, mention: Mention) -> Iterator[str]:
        text, (low, high) = self.document.text, self._core(mention)
        tokens = self.document.token_range(low, high)
        yield f"probability {_bin(mention.probability)}"
        yield f"first pass {_bin(mention.extra.get(FIRST))}"
        yield f"form {_form(text[low:high])}"
        yield from (f"cue {e.role} {e.source} {e.weight}" for e in self.evidence.get((mention.start, mention.end), ()))
        yield from (f"mention of {key}" for key in (CANDIDATES, MEMBERS) if mention.extra.get(key))
        if tokens:
            yield from self._around(tokens)
        yield f"sign before {_signs(text[max(0, low - 2) : low])}"
        yield f"sign behind {_signs(text[high : high + 3])}"
        if self.context.in_cited_case(low, high):
            yield "in a cited case"
        if self.in_reference(low, high):
            yield "in a reference"
        if _CASE_BESIDE.search(text[max(0, low - 5) : low]) or _CASE_BESIDE.search(text[high : high + 5]):
            yield "beside v."
        if _DEFINED.search(text[max(0, low - 30) : low]) and text[high : high + 1] in "\"”’'":
            yield "a defined term"
        yield from self._of_company(high)
        yield from self._in_head(low, tokens)

    def _around(self, tokens: range) -> Iterator[str]:
        first = tokens.start
        while first and self.words[first - 1].lower().rstrip(".") in self.titles:
            first -= 1
            yield f"title {self.words[first].lower().rstrip('.')}"
            yield "titled"
        before, behind = list(self._before(first, _SENTENCE)), list(self._behind(tokens.stop, _SENTENCE))
        for place, around in (("before", before), ("behind", behind)):
            words = [self._word(token) for token in around[:_NEAR]]
            for distance, word in enumerate(words, 1):
                yield from (f"{place} {word}", f"{place}{distance} {word}")
            yield f"{place}: {' '.join(words[:2])}"
        yield from (f"near {self.words[token].lower()}" for token in (*before, *behind) if self._tells(token))

    def _tells(self, token: int) -> bool:
        """Whether a word stands in small letters, or is an ordinary word with a capital."""
        return self.words[token].islower() or self.words[token].lower() in self.common

    def _before(self, token: int, most: int) -> Iterator[int]:
        """The tokens before one in its sentence, the nearest first."""
        first = self.document.tokens.first
        for before in range(token - 1, max(-1, token - 1 - most), -1):
            if first[before + 1]:
                return
            yield before

    def _behind(self, token: int, most: int) -> Iterator[int]:
        """The tokens from one on to the end of the sentence."""
        first = self.document.tokens.first
        for behind in range(token, min(len(self.words), token + most)):
            if first[behind]:
                return
            yield behind

    def _word(self, token: int) -> str:
        """A word as predicates have it: one with a capital only where it is an ordinary word, too."""
        word, lower = self.words[token], self.words[token].lower()
        if any(map(str.isdigit, word)):
            return "#"
        if not word[:1].isupper():
            return word
        if lower not in self.common:
            return f"Capital {lower}" if lower.rstrip(".") in self._beside() else "Capital"
        return lower if self.document.tokens.first[token] else f"Capital {lower}"

    def _beside(self) -> frozenset[str]:
        return _beside(self.document.language)

    def _of_company(self, high: int) -> Iterator[str]:
        """Whether words of a company or body go on from the name."""
        if run := _RUN.match(self.document.text, high, high + 60):
            yield "capital behind"
            if not _company(self.document.language).isdisjoint(w.lower().rstrip(".") for w in _WORDS.findall(run[0])):
                yield "company behind"

    def _in_head(self, low: int, tokens: range) -> Iterator[str]:
        if self.context.in_head(low):
            yield "in the head"
            yield f"in the head: {self.context.head_role(tokens.start) if tokens else ''}"
        elif self.context.at_the_end(low):
            yield "at the end"

    def _core(self, mention: Mention) -> Place:
        low, high = core(self.document.text, mention.start, mention.end, PERSON, self.document.language)
        return (low, high) if low < high else (mention.start, mention.end)

    # -- of all of them ------------------------------------------------------------------------------------------------

    def _of_all(self, mentions: Sequence[Mention], shares: Mapping[str, float]) -> Iterator[str]:
        forms = Counter(" ".join(self.document.text[slice(*self._core(m))].split()) for m in mentions)
        words = [_WORDS.findall(form) for form in forms]
        every = {word for form in words for word in form}
        yield f"mentions {min(5, len(mentions).bit_length())}"
        yield f"forms {min(4, len(forms))}"
        yield f"words {min(5, max(map(len, words), default=0))}"
        yield f"best probability {_bin(max((_sure(m.probability) for m in mentions), default=1.0))}"
        yield f"best first pass {_bin(max((_sure(m.extra.get(FIRST)) for m in mentions), default=1.0))}"
        yield from self._of_words(every)
        yield from self._anchors(words, shares)
        most = max((self.capitals[word] for word in every), default=0)
        yield f"share of its word {round(4 * min(1.0, len(mentions) / max(1, most)))}"
        yield f"first named {int(5 * mentions[0].start / max(1, len(self.document.text)))}"
        yield from (f"ever: {name}" for name in shares if name.startswith(("cue ", "in the head", "titled", "company")))

    def _of_words(self, words: Iterable[str]) -> Iterator[str]:
        lowered = {word.lower().rstrip(".") for word in words}
        for name, entries in _lists(self.document.language).items():
            if lowered and lowered <= entries:
                yield f"all in {name}"
            elif not lowered.isdisjoint(entries):
                yield f"some in {name}"
        shared = lowered & self.of_companies
        if shared:
            yield "all in a company's name" if shared == lowered else "some in a company's name"
        if lowered and lowered <= self.small:
            yield "all in small letters elsewhere"
        elif not lowered.isdisjoint(self.small):
            yield "some in small letters elsewhere"

    def _anchors(self, forms: Sequence[Sequence[str]], shares: Mapping[str, float]) -> Iterator[str]:
        """What says that a person is meant: a title, or a given name with a surname."""
        given = _given(self.document.language)
        full = any(len(form) > 1 and form[0].lower().rstrip(".") in given for form in forms)
        if full:
            yield "given name and surname"
        if full or "titled" in shares:
            yield "anchored"
        if all(only_initials(" ".join(form)) for form in forms):
            yield "only initials"


def _company_words(document: Document) -> frozenset[str]:
    """The words in small letters that stand in a run of capitalized words which the legal form of a company ends."""
    forms, found = _legal_forms(document.language), set()
    for run in _CAPITALS.finditer(document.text):
        words = [word.lower().rstrip(".") for word in _WORDS.findall(run[0])]
        last = max((i for i, word in enumerate(words) if word in forms), default=0)
        found.update(words[:last])
    return frozenset(found - _common(document.language))


def only_initials(name: str) -> bool:
    """Whether a name is no more than up to four letters: that of somebody who is anonymized already.

    >>> only_initials("K.B."), only_initials("AH"), only_initials("Al"), only_initials("J. Roe")
    (True, True, False, False)
    """
    letters = _letters(name)
    return letters.isupper() and len(letters) <= 4 and all(len(w.replace(".", "")) <= 3 for w in name.split())


def initials_of(names: Iterable[str]) -> frozenset[str]:
    """The initials of names without periods, those of names that are initials already among them.

    >>> sorted(initials_of(["Ann Roe", "K. B."]))
    ['AR', 'KB']
    """
    return frozenset(initials(name).replace(".", "") if not only_initials(name) else _letters(name) for name in names)


def _letters(name: str) -> str:
    return name.replace(".", "").replace(" ", "")


def _sure(probability: float | None) -> float:
    """What a corpus has marked, without a probability, is sure."""
    return 1.0 if probability is None else probability


def _bin(probability: float | None) -> str:
    """The probability in steps that are finer near certainty.

    >>> _bin(0.42), _bin(0.97), _bin(None)
    ('0.4', '0.95', '0.99')
    """
    sure = _sure(probability)
    return str(max(edge for edge in (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.99) if sure >= edge))


def _form(name: str) -> str:
    """How a name is written, word by word: "Xx X. Xx" of "Ann B. Roe"."""
    return " ".join(_shape(word) for word in _WORDS.findall(name)[:4])


def _shape(word: str) -> str:
    letters = word.rstrip(".")
    if len(letters) == 1:
        return "X." if word.endswith(".") else "X"
    shape = "XX" if letters.isupper() else "Xx" if letters[:1].isupper() else "x"
    return shape + "." * (word != letters)


def _signs(between: str) -> str:
    return re.sub(r"\d", "0", re.sub(r"[^\W\d_]", "a", between))


@cache
def _lists(language: str) -> dict[str, frozenset[str]]:
    """The word lists that tell something of a name, in lower case and without periods; those of names as one."""
    known = lexicons.load_all(language)
    lists = {name: _folded(known, (name,)) for name in (*_OTHER, "surnames") if name in known}
    return lists | {"given names": _given(language)}


@cache
def _given(language: str) -> frozenset[str]:
    return _folded(lexicons.load_all(language), _NAMES[:-1])


@cache
def _company(language: str) -> frozenset[str]:
    return _folded(lexicons.load_all(language), _COMPANY)


@cache
def _legal_forms(language: str) -> frozenset[str]:
    return _folded(lexicons.load_all(language), ("legal_form", "generic_organization"))


@cache
def _common(language: str) -> frozenset[str]:
    return _folded(lexicons.load_all(language), ("function_words", "title"))


@cache
def _beside(language: str) -> frozenset[str]:
    """Words that may stand beside a name as predicates though no ordinary words: of companies, courts and the law."""
    return _folded(lexicons.load_all(language), (*_COMPANY, "court_words", "law_words", "title"))


def _folded(lists: Mapping[str, frozenset[str]], names: Iterable[str]) -> frozenset[str]:
    return frozenset(entry.lower().rstrip(".") for name in names for entry in lists.get(name, ()))
