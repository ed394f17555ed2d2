"""Words that may be somebody's or something's name though nothing hides them: what an editor is to be asked about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from aef.editing.facts import Span
from aef.editing.words import COMMON, SMALL, WORDS, Known, Words
from aef.names.parts import fold, name_words, titles

_LIKELY, _POSSIBLE = 0.1, 0.02
"""From which probability on, by the model of names, a word in lower case is asked about; and where somebody hidden is
called so."""


@dataclass(frozen=True)
class Candidate:
    """Words that stand in these places, and what they show: by it the chance is judged that they must be hidden."""

    words: str
    places: tuple[Span, ...]
    kind: str
    shows: Mapping[str, float]


def known(names: Iterable[str]) -> Known:
    """What is known where these are the names of who is hidden."""
    split = [[fold(word) for word in name_words(name)] for name in names]
    initials = frozenset("".join(word[:1] for word in words) for words in split if len(words) > 1)
    return Known(frozenset(word for words in split for word in words if len(word) > 1), initials)


def candidates(words: Words, covered: Callable[[Span], bool], who: Known) -> Iterator[Candidate]:
    """What may have to be hidden of what nothing covers, with all its places."""
    parts: dict[str, list[Span]] = {}
    for phrase, (kind, places) in [*words.spans.items(), *_small(words, who)]:
        left = tuple(place for place in places if not covered(place))
        if left:
            yield _candidate(words, phrase, kind, left, covered, who)
        for place in places if len(left) < len(places) and kind == WORDS else ():
            if place not in left:
                for part in _parts(words, place, covered):
                    parts.setdefault(words.document.text[slice(*part)], []).append(part)
    for phrase, found in parts.items():
        yield _candidate(words, phrase, WORDS, tuple(found), covered, who)


def _candidate(
    words: Words, phrase: str, kind: str, places: tuple[Span, ...], covered: Callable[[Span], bool], who: Known
) -> Candidate:
    beside = sum(covered((max(0, start - 2), end + 2)) for start, end in places) / len(places)
    return Candidate(
        phrase, places, kind, words.shown(phrase, kind, places, who) | {f"{kind} beside what is hidden": beside}
    )


def _parts(words: Words, place: Span, covered: Callable[[Span], bool]) -> Iterator[Span]:
    """What of some words nothing covers, though the rest is."""
    plain = words.lists["common_words"] | titles(words.document.language)
    free: list[int] = []
    for token in words.document.token_range(*place):
        here = words.starts[token], words.ends[token]
        if not covered(here) and words.words[token][:1].isalnum() and fold(words.words[token]) not in plain:
            if free and free[-1] != token - 1:
                yield words.starts[free[0]], words.ends[free[-1]]
                free = []
            free.append(token)
    if free:
        yield words.starts[free[0]], words.ends[free[-1]]


def _small(words: Words, who: Known) -> Iterator[tuple[str, tuple[str, list[Span]]]]:
    """The words in lower case that may be names: by the model, or since somebody hidden is called so."""
    for word in sorted(words.small):
        called, common = fold(word) in who.words, fold(word) in words.lists["common_words"]
        bound = _POSSIBLE if called else _LIKELY
        likely = [t for t in words.tokens[word] if words.probabilities[t] > bound]
        if common:
            for token in likely:
                yield word, (COMMON, [(words.starts[token], words.ends[token])])
        elif likely or called:
            yield word, (SMALL, [(words.starts[t], words.ends[t]) for t in words.tokens[word]])
