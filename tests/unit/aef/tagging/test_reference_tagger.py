"""The finder against a plain tagger: one token after the other, loops and sums, no array and no shortcut.

It shares with the finder what a model is (vocabulary, weights, thresholds, word lists), the tokens, and the functions
of the registered features and arguments; all between tokens and mentions is written here anew.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from copy import copy
from functools import cached_property
from random import Random
from typing import Any

import numpy as np
import pytest

from aef.corpus_tools.document import BODY, Document, Mention
from aef.corpus_tools.samples import generate
from aef.evaluation.explanation import explain
from aef.features import Feature, resolve
from aef.features.registry import HISTORY, OFFSETS, Argument, resolve_argument
from aef.features.ruling import Frequencies, Ruling, Source
from aef.propagation.consistency import guard_words
from aef.tagging.finder import Finder
from aef.tagging.hidden_tokens import FIRST

TRAINED = 6
"""Of the sample rulings; the others are new to the finder."""


class ReferenceTagger:
    """What a finder makes of one document; tokens are numbered as in the document."""

    def __init__(self, finder: Finder, document: Document) -> None:
        self.finder = finder
        self.document = document
        self.words = document.words
        self.guards = guard_words(finder.lexicons)
        self.first = document.tokens.first.tolist()
        self.row = _row(self.words, self.first)
        self.labels = [False] * len(self.words)
        self.states: list[dict[str, bool]] = []
        self.scores: list[float] = []
        for token in range(len(self.words)):
            self.states.append(self._history(token))
            self.scores.append(self._score(token))
            self.labels[token] = self.scores[token] > finder.cut

    # -- scores --------------------------------------------------------------------------------------------------

    @cached_property
    def places(self) -> list[int]:
        """Where in the row each token stands."""
        return [place for place, token in enumerate(self.row) if isinstance(token, int)]

    def _history(self, token: int) -> dict[str, bool]:
        before, before2 = (self._labelled(self.places[token] - k) for k in (1, 2))
        seen = any(self.labels[i] for i in range(token) if self.words[i] == self.words[token])
        return dict(zip(HISTORY, (before, before2, seen), strict=True))

    def _labelled(self, place: int) -> bool:
        token = self.row[place]
        return isinstance(token, int) and self.labels[token]

    def _model(self, token: int) -> str:
        outside = self.document.token_parts[token] != BODY
        return "outside" if outside and "outside" in self.finder.models else "body"

    def _score(self, token: int) -> float:
        """The log-odds of the token under the history it has."""
        model = self.finder.models[self._model(token)]
        found = [float(model.blocks[name][number]) for name, number in self._predicates(token)]
        return math.fsum([float(model.intercept), *found])

    def _predicates(self, token: int) -> Iterator[tuple[str, int]]:
        """The predicates active on the token that the model knows: the feature, and the number of the value."""
        for feature in map(resolve, self.finder.features):
            value = self._value(feature, token)
            text = "" if value is True else str(value)
            if value not in (None, False, "") and text in self.finder.vocabulary[feature.name]:
                yield feature.name, self.finder.vocabulary[feature.name][text]

    def _value(self, feature: Feature, token: int) -> Any:
        place = self.places[token] + feature.offset
        if feature.when and not feature.when(self._word(place)):
            return None
        return feature.function(**{name: self._argument(name, place, token) for name in feature.parameters})

    def _argument(self, name: str, place: int, token: int) -> Any:
        if name == "lexicons":
            return self.finder.lexicons
        if name in HISTORY:
            return self.states[token][name]
        if name == "first":
            at = self.row[place]
            return isinstance(at, int) and self.first[at]
        if name in OFFSETS:
            return self._word(place + OFFSETS[name])
        resolved = resolve_argument(name)
        assert resolved is not None, f"{name}: the reference knows no such argument"
        argument, offset = resolved
        if argument.of_document:
            at = self.row[place + offset]
            return self._of_document(argument)[at] if isinstance(at, int) else ""
        given = {"lexicons": self.finder.lexicons} if "lexicons" in argument.parameters else {}
        return argument.function(self._word(place + offset), **given)

    def _word(self, place: int) -> str:
        token = self.row[place]
        return self.words[token] if isinstance(token, int) else token

    def _of_document(self, argument: Argument) -> list[Any]:
        if argument.name not in self._known:
            frequencies = [Frequencies(self.finder.frequencies.documents)] if argument.of_corpus else []
            self._known[argument.name] = argument.function(self._ruling, *frequencies)
        return self._known[argument.name]

    @cached_property
    def _known(self) -> dict[str, list[Any]]:
        return {}

    @cached_property
    def _ruling(self) -> Ruling:
        tokens = self.document.tokens
        source = Source(self.document.text, tokens.starts, tokens.ends)
        return Ruling(self.words, tokens.first, source, self.finder.lexicons)

    # -- hidden tokens -------------------------------------------------------------------------------------------

    @cached_property
    def types(self) -> dict[int, str]:
        """The type of each token to hide, words that only look like a part of a name left out."""
        labelled = {token: self._type(token) for token, label in enumerate(self.labels) if label}
        return {token: kind for token, kind in labelled.items() if not (kind == "PERSON" and self._plain(token))}

    def _type(self, token: int) -> str:
        if len(self.finder.types) < 2:
            return "".join(self.finder.types)
        model = self.finder.models["types"]
        predicates = list(self._predicates(token))
        scores = [
            math.fsum([float(model.intercept[k]), *(float(model.blocks[name][n][k]) for name, n in predicates)])
            for k in range(len(self.finder.types))
        ]
        return self.finder.types[scores.index(max(scores))] or "MISC"

    def _plain(self, token: int) -> bool:
        word = self.words[token]
        return word.islower() and (word in self.finder.lexicons["common_words"] or word in ("v.", "vs."))

    @cached_property
    def origins(self) -> dict[int, int]:
        """The tokens hidden because they repeat another, and which."""
        return self._repeats() if self.finder.consistency else {}

    def _repeats(self) -> dict[int, int]:
        """Of several entities that a token repeats the one that stands last counts, names of one word after longer."""
        best: dict[int, tuple[tuple[int, int], int]] = {}
        for token, origin, age in [*self._single_names(), *self._longer_names()]:
            if token not in self.types and (token not in best or age > best[token][0]):
                best[token] = age, origin
        return {token: origin for token, (_, origin) in best.items()}

    def _entities(self) -> list[list[int]]:
        """Runs of tokens to hide inside a sentence."""
        runs: list[list[int]] = []
        for token in sorted(self.types):
            if runs and runs[-1][-1] == token - 1 and not self.first[token]:
                runs[-1].append(token)
            else:
                runs.append([token])
        return runs

    def _single_names(self) -> Iterator[tuple[int, int, tuple[int, int]]]:
        """Words that name somebody alone, wherever they stand again: in capitals or with digits."""
        for run in self._entities():
            if not self._spreads(run) or (len(run) > 1 and not self._is_person(run)):
                continue
            for origin in run:
                if self._weak(origin) or len(self.words[origin]) < 2 or not self._backed(origin):
                    continue
                same = [i for i in range(len(self.words)) if self._folded(i) == self._folded(origin)]
                doubtful = any(self.words[i].islower() for i in same)
                for token in same:
                    common = self.words[token].islower() and not any(map(str.isdigit, self.words[token]))
                    if not common and not (doubtful and self.first[token]):
                        yield token, origin, (origin, 1)

    def _is_person(self, run: list[int]) -> bool:
        person = "PERSON" if "PERSON" in self.finder.types else ""
        return all(self.types[token] == person for token in run)

    def _spreads(self, run: list[int]) -> bool:
        """Things are to be sure on average; of persons each word is looked at by itself."""
        return self._is_person(run) or sum(self.scores[token] for token in run) > len(run)

    def _backed(self, origin: int) -> bool:
        """Some token of the same word is surely hidden, or a quarter of those with a capital are hidden at all."""
        same = [i for i in range(len(self.words)) if self._folded(i) == self._folded(origin)]
        hidden = [i for i in same if i in self.types]
        capitals = [i for i in same if not self.words[i].islower()]
        return any(self.scores[i] >= 0 for i in hidden) or len(hidden) >= len(capitals) / 4

    def _longer_names(self) -> Iterator[tuple[int, int, tuple[int, int]]]:
        """Names of several words, wherever the same words stand in a sentence, one of them at least in capitals."""
        for run in self._entities():
            if len(run) == 1 or all(map(self._weak, run)) or not self._spreads(run):
                continue
            wanted = list(map(self._folded, run))
            for start in range(len(self.words) - len(run) + 1):
                tokens = range(start, start + len(run))
                words = [self.words[token] for token in tokens]
                if list(map(self._folded, tokens)) != wanted or any(self.first[token] for token in tokens[1:]):
                    continue
                if not all(word.islower() for word in words):
                    yield from ((token, origin, (run[0], 0)) for token, origin in zip(tokens, run, strict=True))

    def _folded(self, token: int) -> str:
        """In lower case, without the s of a family's plural."""
        word = self.words[token]
        plural = len(word) > 3 and word[0].isupper() and word[-1] == "s" and word[:-1] in self.words
        return (word[:-1] if plural else word).lower()

    def _weak(self, token: int) -> bool:
        word = self.words[token]
        digits = sum(map(str.isdigit, word))
        return word.lower() in self.guards or (digits < 5 and not any(map(str.isalpha, word)))

    # -- mentions ------------------------------------------------------------------------------------------------

    def probability(self, token: int) -> float:
        """The token's own, or that of the one it repeats where this is higher."""
        scores = [self.scores[token], self.scores[self.origins.get(token, token)]]
        return 1 / (1 + math.exp(-max(scores)))

    def mentions(self) -> list[Mention]:
        """What the finder should find, probabilities not rounded."""
        types = self.types | {token: self.types[origin] for token, origin in self.origins.items()}
        runs: list[list[int]] = []
        for token in sorted(types):
            if runs and types[runs[-1][-1]] == types[token] and self._goes_on(runs[-1][-1], token):
                runs[-1].append(token)
            else:
                runs.append([token])
        return [
            mention for run in runs if any(map(str.isalnum, self.document.cut(mention := self._mention(run, types))))
        ]

    def _goes_on(self, before: int, token: int) -> bool:
        tokens = self.document.tokens
        between = self.document.text[tokens.ends[before] : tokens.starts[token]]
        return before == token - 1 and not self.first[token] and not any(sign in between for sign in ',;:()[]"“”\n')

    def _mention(self, run: list[int], types: dict[int, str]) -> Mention:
        tokens = self.document.tokens
        start, end = int(tokens.starts[run[0]]), int(tokens.ends[run[-1]])
        mean = math.fsum(map(self.probability, run)) / len(run)
        extra = {"by": "consistency"} if all(token in self.origins for token in run) else {}
        return Mention(start, end, types[run[0]] or None, "DIRECT", None, mean, extra)


def _row(words: list[str], first: list[bool]) -> list[int | str]:
    """The numbers of the tokens; between sentences and behind the last a period, beyond the edges empty words."""
    row: list[int | str] = ["", ""]
    for token in range(len(words)):
        row += [".", token] if token and first[token] else [token]
    return [*row, *(["."] if words else []), "", ""]


COUPLE = "The claim of Adam Dorn and Eva Dorn v. Owen Marek was heard in May."


def couples() -> Document:
    """Mentions with small words inside: "and" and "v." are learned with the names and left in clear all the same."""
    length = len(COUPLE) + 1
    starts = [k * length + COUPLE.index("Adam") for k in range(30)]
    end = COUPLE.index(" was") - COUPLE.index("Adam")
    return Document.from_text(f"{COUPLE} " * 30, "couples", [Mention(i, i + end, "PERSON", "DIRECT") for i in starts])


@pytest.fixture(scope="module")
def rulings() -> list[Document]:
    return [ruling.document() for ruling in generate(TRAINED + 2, seed=5, pages=(3, 4))]


@pytest.fixture(scope="module", params=["thesis", "rich"])
def finder(request: pytest.FixtureRequest, rulings: list[Document]) -> Finder:
    return Finder(request.param, threshold=0.5).fit([*rulings[:TRAINED], couples()])


def new(rulings: list[Document]) -> list[Document]:
    """What the finder has not seen: rulings, the same mangled, repeated names, few tokens, none."""
    texts = [
        *(_mangled(document.text, Random(k)) for k, document in enumerate(rulings[TRAINED - 2 :])),
        f"{COUPLE} Dorn knew of Eva. The dorn of EVA DORN was his; adam dorn v. Adam Marek, Eva Dorn Marek. Adam Dorn",
        "On March 17, 1990, Mr. Green left.\n\nGREEN (born in Trail) and green apples; Mr. v. Green.",
        " \n\n ",
    ]
    return [*rulings[TRAINED:], *map(Document.from_text, texts)]


def _mangled(text: str, random: Random) -> str:
    """With names in small letters, common words in capitals, sentences cut short: what the guards are there for."""
    changes = [str.lower, str.capitalize, lambda word: f"{word}."]
    words = [random.choice(changes)(word) if random.random() < 0.15 else word for word in text.split(" ")]
    return " ".join(words)


def with_threshold(finder: Finder, threshold: float) -> Finder:
    finder = copy(finder)
    finder.set_threshold(threshold)
    return finder


@pytest.mark.slow
@pytest.mark.parametrize("threshold", [0.05, 0.6], ids=["much is hidden", "little is"])
@pytest.mark.parametrize("consistency", [False, True], ids=["as scored", "consistent"])
def test_the_finder_tags_as_the_reference_does(
    finder: Finder, rulings: list[Document], consistency: bool, threshold: float
) -> None:
    finder = with_threshold(finder, threshold)
    finder.consistency = consistency
    documents = new(rulings)
    repeated = 0
    for document, tagged in zip(documents, finder.tag_all(documents), strict=True):
        reference = ReferenceTagger(finder, document)
        expected = reference.mentions()
        if not consistency:
            hidden = sorted(reference.types)
            spoken = [i for i in hidden if any(map(str.isalnum, document.words[i]))]
            assert set(spoken) <= set(np.flatnonzero(document.mask(tagged.mentions)).tolist()) <= set(hidden)
        assert [_exact(m) for m in tagged.mentions] == [_exact(m) for m in expected]
        assert [m.probability for m in tagged.mentions] == pytest.approx(
            [m.probability for m in expected], rel=0, abs=0.5e-4 + 1e-9
        )
        repeated += len(reference.origins)
    assert (repeated > 0) == consistency


def test_the_probabilities_of_all_tokens_are_the_references(finder: Finder, rulings: list[Document]) -> None:
    finder = with_threshold(finder, 0.3)
    for document in new(rulings):
        reference = ReferenceTagger(finder, document)
        explained = explain(finder, document, range(len(document.words)))
        assert [e.log_odds for e in explained] == pytest.approx(reference.scores, rel=0, abs=1e-9)
        assert [e.probability for e in explained] == pytest.approx(
            [1 / (1 + math.exp(-score)) for score in reference.scores], rel=0, abs=1e-9
        )


def _exact(mention: Mention) -> tuple[Any, ...]:
    extra = {key: value for key, value in mention.extra.items() if key != FIRST}  # the reference has but one pass
    return mention.start, mention.end, mention.entity_type, mention.identifier_type, extra
