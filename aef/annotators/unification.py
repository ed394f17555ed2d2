"""One type for one name in a document, and no occurrence of it left out (SAROJ's unification).

A name is its words without case, accents and, where the language has a list of them, case endings, in any order:
"Popescu Ioana", "IOANA POPESCU" and "Ioanei Popescu" are one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache

from aef import lexicons
from aef.annotators.gazetteer import case_endings
from aef.annotators.name_index import Endings, NameIndex, name_sum
from aef.annotators.overlap import probability
from aef.corpus_tools.document import Document, Mention
from aef.names.parts import PARTICLES, PERSON, fold

TYPES = ("PERSON", "ORG", "LOC")
SHORTEST = 3
"""Letters of a name of one word that is looked for where nobody tagged it."""

_UNIFIER = "unification"


@dataclass(slots=True)
class _Name:
    """A name: what its mentions weigh by type, and the most probable of them."""

    best: Mention
    weights: dict[str | None, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, mention: Mention) -> None:
        self.weights[mention.entity_type] += probability(mention)
        if probability(mention) > probability(self.best):
            self.best = mention

    @property
    def type(self) -> str | None:
        return max(self.weights, key=lambda kind: self.weights[kind])


def unify(document: Document, types: Iterable[str] = TYPES, words: bool = True) -> Document:
    """The document with its names of these types unified: the majority's type, weighted by probability, for all
    mentions of a name, and mentions where it stood untagged.

    ``words``: the single words of a person's name are looked for as well, but for those that the document has in lower
    case, too.
    """
    names = _Names(document, frozenset(types), words)
    unified = [names.unified(mention) for mention in document.mentions]
    return document.with_mentions([*unified, *names.untagged()])


class _Names:
    """The names of a document, by the sums of their words."""

    def __init__(self, document: Document, types: frozenset[str], single: bool) -> None:
        self.document = document
        self.types = types
        self.endings = case_endings(document.language)
        forms = set(document.words)
        self.vocabulary = {fold(form) for form in forms if form[:1].isupper()}
        self.lower = {fold(form) for form in forms if form[:1].islower()}
        self.found: dict[int, _Name] = {}
        texts = []
        for mention in document.mentions:
            if mention.entity_type in types and (words := self._words(mention)):
                self.found.setdefault(name_sum(words), _Name(mention)).add(mention)
                texts.append(" ".join(words))
        if single:
            texts += self._single(texts)
        self.index = NameIndex.of(texts)

    def _single(self, texts: list[str]) -> list[str]:
        """The words of persons' names that can stand for them, each put down as a name."""
        found: dict[str, Mention] = {}
        for text in texts:
            name = self.found[name_sum(words := text.split())]
            for word in words if name.type == PERSON and len(words) > 1 else ():
                if len(word) >= SHORTEST and word not in self.lower and word not in PARTICLES:
                    found.setdefault(word, name.best)
        for word, best in found.items():
            self.found.setdefault(name_sum([word]), _Name(best)).add(replace(best, entity_type=PERSON))
        return list(found)

    def _words(self, mention: Mention) -> list[str]:
        """The words of a mention, folded, in the nominative where the document has that."""
        words = [fold(self.document.words[i]) for i in self.document.token_range(mention.start, mention.end)]
        return [self._nominative(word, self.endings) for word in words if word]

    def _nominative(self, word: str, endings: Endings | None) -> str:
        forms = endings(word) if endings else ()
        return next((form for form in forms if len(form) >= SHORTEST and form in self.vocabulary), word)

    def unified(self, mention: Mention) -> Mention:
        """The mention with its name's type."""
        if mention.entity_type not in self.types:
            return mention
        name = self.found.get(name_sum(self._words(mention)))
        return mention if name is None else replace(mention, entity_type=name.type)

    def untagged(self) -> Iterator[Mention]:
        """Mentions where a name stands that nobody tagged."""
        covered = self.document.mask(self.document.mentions)
        tokens = self.document.tokens
        for low, size, total in self.index.hits(self.document, self.endings):
            name = self.found.get(total)
            if name is None or covered[low : low + size].any() or not self._says_enough(low, size):
                continue
            best = name.best
            extra = {**best.extra, "by": [*best.extra.get("by", ()), _UNIFIER]}
            start, end = int(tokens.starts[low]), int(tokens.ends[low + size - 1])
            yield Mention(start, end, name.type, best.identifier_type, best.entity_id, best.probability, extra)

    def _says_enough(self, low: int, size: int) -> bool:
        """Not so a common word, a month, a title or an initial that is a name elsewhere."""
        word = self.document.words[low]
        return size > 1 or (
            len(fold(word)) >= SHORTEST and word.lower().rstrip(".") not in _plain(self.document.language)
        )


@cache
def _plain(language: str) -> frozenset[str]:
    lists = lexicons.load_all(language)
    names = ("common_words", "month_names", "weekday_names", "title", "nome_title", "related_words")
    return frozenset(word.lower().rstrip(".") for name in names for word in lists[name])
