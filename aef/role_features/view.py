"""What features of roles look at: a mention in its place, a person with all mentions, the people of a ruling."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, pairwise

from aef import lexicons
from aef.citations.references import inside, references
from aef.context.evidence import Evidence
from aef.context.ruling import Context, Place
from aef.context.surroundings import Surroundings
from aef.corpus_tools.document import Mention, lines
from aef.names.parts import PERSON, core
from aef.names.titles import titles
from aef.role_features.lists import WORDS, beside, companies, folded, given_names, pronouns, short_names

NEAR = 4
"""How many words count as before or behind a mention."""
_SENTENCE = 10
"""How many words of its sentence before and behind a mention are looked at."""
_REACH = 30
"""In how many tokens behind a name a pronoun may stand for it."""
_BESIDE = 20
"""So few characters between two names, and they stand beside each other."""
_BEGUN = 8
"""No name of a person has more words; a hostile text may have a company of a hundred thousand."""


class People:
    """The people of a linked document, by their ids.

    ``groups``: the mentions of each, in the order of the text; ``evidence``: what the cues of roles tell of each place.
    """

    def __init__(
        self,
        context: Context,
        groups: Mapping[str, Sequence[Mention]],
        evidence: Mapping[Place, Sequence[Evidence]],
    ) -> None:
        self.context, self.evidence = context, evidence
        self.document = context.document
        self.language = self.document.language
        self.text, self.words = self.document.text, self.document.words
        self.first = self.document.tokens.first
        self.titles = titles(self.language)
        self.common = lexicons.load("common_words", self.language)
        self.word_classes = lexicons.word_classes(self.language)
        self.in_reference = inside(references(self.document))
        self.capitals = Counter(word for word in self.words if word[:1].isupper())
        self.small = frozenset(word for word in self.words if word.islower())
        self.companies = companies(self.document)
        self.by_id = {key: Somebody(self, key, mentions) for key, mentions in groups.items()}

    @classmethod
    def of(cls, around: Surroundings, groups: Mapping[str, Sequence[Mention]]) -> People:
        """The people of these mentions, with all evidence that there is."""
        return cls(around, groups, around.evidence)

    @cached_property
    def owners(self) -> dict[int, str]:
        """Whose name each token is part of."""
        return {t: key for key, person in self.by_id.items() for named in person.mentions for t in named.tokens}

    @cached_property
    def namesakes(self) -> dict[str, list[Somebody]]:
        """Who has a name with a word, by the word."""
        found: dict[str, list[Somebody]] = defaultdict(list)
        for person in self.by_id.values():
            for word in person.words:
                found[word].append(person)
        return found

    @cached_property
    def of_companies(self) -> frozenset[str]:
        """The words in names of companies."""
        named = frozenset(chain.from_iterable(self.companies))
        lists = lexicons.load_all(self.language)
        return named.difference(lists.get("function_words", ()), lists.get("title", ()))

    @cached_property
    def begun(self) -> Counter[tuple[str, ...]]:
        """How many names of companies begin with these words."""
        return Counter(name[:words] for name in self.companies for words in range(1, min(len(name), _BEGUN) + 1))

    @cached_property
    def lines(self) -> list[tuple[int, int]]:
        """Where the lines that are not empty begin and end."""
        return [(start, end) for start, end in lines(self.text) if self.text[start:end].strip()]

    @cached_property
    def short_names(self) -> frozenset[tuple[str, ...]]:
        """What companies are called for short."""
        return short_names(self.document)

    @cached_property
    def beside(self) -> dict[Place, list[Named]]:
        """The mentions of others that stand right beside the one in a place."""
        found: dict[Place, list[Named]] = defaultdict(list)
        everybody = (named for person in self.by_id.values() for named in person.mentions)
        for one, other in pairwise(sorted(everybody, key=lambda named: (named.low, named.high))):
            if one.key != other.key and other.low - one.high <= _BESIDE:
                found[one.place].append(other)
                found[other.place].append(one)
        return found

    def ordinary(self, tokens: Iterable[int]) -> Iterator[str]:
        """Those of the words that are ordinary ones, in small letters."""
        for token in tokens:
            word = self.words[token]
            if word.islower() or word.lower() in self.common:
                yield word.lower()

    def classes(self, tokens: Iterable[int]) -> Iterator[str]:
        """The classes of those of the words that have one."""
        return (found for token in tokens if (found := self.word_classes.get(self.words[token])))

    def shown(self, token: int) -> str:
        """A word as predicates have it: one with a capital only where it is an ordinary word, too."""
        word, lower = self.words[token], self.words[token].lower()
        if any(map(str.isdigit, word)):
            return "#"
        if not word[:1].isupper():
            return word
        if lower not in self.common:
            return f"Capital {lower}" if lower.rstrip(".") in beside(self.language) else "Capital"
        return lower if self.first[token] else f"Capital {lower}"


class Named:
    """A mention in its place: the characters and tokens of the name without titles, and the words around it."""

    def __init__(self, people: People, key: str, mention: Mention) -> None:
        self.people, self.key, self.mention = people, key, mention
        self.place = mention.start, mention.end
        low, high = core(people.text, *self.place, PERSON, people.language)
        self.low, self.high = (low, high) if low < high else self.place
        self.tokens = people.document.token_range(self.low, self.high)

    @property
    def text(self) -> str:
        return self.people.text[self.low : self.high]

    @cached_property
    def line(self) -> int:
        """The number of the line in which the name begins, from 0."""
        return bisect_right(self.people.lines, self.low, key=lambda line: line[0]) - 1

    @cached_property
    def titles(self) -> list[str]:
        """The titles right before the name, the nearest first."""
        words, first = self.people.words, self.tokens.start if self.tokens else 0
        found: list[str] = []
        while first > len(found) and folded(words[first - len(found) - 1]) in self.people.titles:
            found.append(folded(words[first - len(found) - 1]))
        return found

    @cached_property
    def before(self) -> list[int]:
        """The tokens before name and titles in the sentence, the nearest first."""
        return list(self._before(self.tokens.start - len(self.titles))) if self.tokens else []

    @cached_property
    def behind(self) -> list[int]:
        """The tokens behind the name in the sentence."""
        return list(self._behind(self.tokens.stop)) if self.tokens else []

    @cached_property
    def referent(self) -> str | None:
        """What the first pronoun behind the name stands for; another name that comes first; None for neither."""
        people, last = self.people, self.tokens.stop if self.tokens else 0
        known = pronouns(people.language)
        for token in range(last, min(len(people.words), last + _REACH)):
            if people.owners.get(token, self.key) != self.key:
                return "another name"
            if kind := known.get(people.words[token].lower()):
                return kind
        return None

    def _before(self, token: int) -> Iterator[int]:
        for before in range(token - 1, max(-1, token - 1 - _SENTENCE), -1):
            if self.people.first[before + 1]:
                return
            yield before

    def _behind(self, token: int) -> Iterator[int]:
        for behind in range(token, min(len(self.people.words), token + _SENTENCE)):
            if self.people.first[behind]:
                return
            yield behind


class Somebody:
    """A person with all mentions; ``forms``: how often each way of writing the name occurs."""

    def __init__(self, people: People, key: str, mentions: Sequence[Mention]) -> None:
        self.people, self.key = people, key
        self.mentions = [Named(people, key, mention) for mention in mentions]
        self.forms = Counter(" ".join(named.text.split()) for named in self.mentions)

    @cached_property
    def form_words(self) -> list[list[str]]:
        """The words of each form."""
        return [WORDS.findall(form) for form in self.forms]

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the names, folded."""
        return frozenset(folded(word) for form in self.form_words for word in form)

    @cached_property
    def titled(self) -> bool:
        return any(named.titles for named in self.mentions)

    @cached_property
    def full_named(self) -> bool:
        """Whether a form is a given name with a surname."""
        given = given_names(self.people.language)
        return any(len(form) > 1 and folded(form[0]) in given for form in self.form_words)

    @cached_property
    def sharing(self) -> list[Somebody]:
        """Others who share a word of a name, of more than two letters."""
        alike = (other for word in self.words if len(word) > 2 for other in self.people.namesakes[word])
        return [other for other in dict.fromkeys(alike) if other is not self]
