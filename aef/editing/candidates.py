"""Words that may be somebody's or something's name though nothing hides them: what an editor is to be asked about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from aef.corpus_tools.document import Mention
from aef.editing.facts import Span
from aef.editing.words import CODE, COMMON, PART, PLAIN, SMALL, WORDS, Known, Words
from aef.names.parts import fold, name_words
from aef.names.titles import titles

_LIKELY, _POSSIBLE = 0.1, 0.02
"""From which probability on, by the model of names, a word in lower case is asked about; and where somebody hidden is
called so."""
_NAMES = ("given names", "nicknames")
_NUMBER = r"#?\d[\w/-]*"
_BEHIND = re.compile(
    rf"(?:\(\w\)|,? (?:{_NUMBER}|[A-ZÀ-Þ]\b|[A-ZÀ-Þ][\w’'-]+)|(?<! )[/-]{_NUMBER}| [a-zß-ÿ]{{2,10}}(?= \d))+"
)
"""What may go on behind a hidden place: "Rosenweg" 7, 31174 Schellerten; "K482913"(6)."""
_BEFORE = re.compile(rf"(?:\b[A-Za-z]{{2,8}}\.? )?{_NUMBER},? $")
"""What a hidden place may begin with: unit 6, "20 Paris Crescent"."""
_LABEL = re.compile(r"(?:\b[^\W\d_]{1,12}[. ]\s?)?\b[Nn]os?\.?\s?$")
"""What may tell of what a hidden number is: "Policy No." 4711."""
_ENDING, _LEAST = 3, 2
"""Letters of an ending that a plain word may have, and of the shortest word that has one."""
_BETWEEN = re.compile(
    r"[^\S\n]{0,2}[-.,]?[^\S\n]?(?:[^\W\d_]{1,5}[-. ]{1,2}){1,3}['’]?|-[^\W\d_]{1,5}-|['’]s[^\S\n]|[^\S\n]\w/\w[^\S\n]"
    r"|[^\S\n](?:[^\W\d_]{1,5}\.){1,4}[^\S\n]?"
)
"""What may stand between two parts of a name: a particle, a letter, the ending of an owner."""
_REACH = 30
"""Characters before a hidden place that are looked at."""


@dataclass(frozen=True)
class Candidate:
    """Words that stand in these places, and what they show: by it the chance is judged that they must be hidden. What
    is ``beside`` the first place, if anything, is beside all of them."""

    words: str
    places: tuple[Span, ...]
    kind: str
    shows: Mapping[str, float]
    beside: Span | None = None


def known(names: Iterable[str]) -> Known:
    """What is known where these are the names of who is hidden."""
    split = [[fold(word) for word in name_words(name)] for name in names]
    initials = frozenset("".join(word[:1] for word in words) for words in split if len(words) > 1)
    return Known(frozenset(word for words in split for word in words if len(word) > 1), initials)


def candidates(
    words: Words, covered: Callable[[Span], bool], who: Known, hidden: Iterable[Mention] = ()
) -> Iterator[Candidate]:
    """What may have to be hidden of what nothing covers, with all its places; also beside what is ``hidden``."""
    parts: dict[tuple[str, ...], dict[Span, Span | None]] = {}
    for phrase, (kind, places) in [*words.spans.items(), *_small(words, who)]:
        left = tuple(place for place in places if not covered(place))
        if left:
            yield _candidate(words, phrase, kind, left, covered, who)
        for place in places if len(left) < len(places) and kind in (WORDS, CODE) else ():
            for part in _parts(words, place, covered) if place not in left else ():
                near = place if _plain(words, part) else None
                parts.setdefault(_with_neighbour(words.document.text, part, near or part), {})[part] = near
    for (phrase, *_), found in parts.items():
        made = _candidate(words, phrase, WORDS, tuple(found), covered, who)
        yield replace(made, beside=found[made.places[0]])
    yield from _beside(words, covered, who, hidden)


def _beside(
    words: Words, covered: Callable[[Span], bool], who: Known, hidden: Iterable[Mention]
) -> Iterator[Candidate]:
    """What stands beside what is hidden and may be a part of it."""
    text = words.document.text
    found: dict[tuple[str, ...], dict[Span, Span]] = {}
    kinds: dict[Span, set[str]] = {}
    for place, near, kind in _near(words, sorted(hidden, key=lambda m: (m.start, m.end))):
        if not covered(place):
            if place not in kinds:
                found.setdefault(_with_neighbour(text, place, near), {})[place] = near
            kinds.setdefault(place, set()).add(kind)
    for (phrase, *_), places in found.items():
        first = min(places)
        made = _candidate(words, phrase, PART, tuple(sorted(places)), covered, who)
        near_by = {f"{PART} {kind}": 1.0 for place in places for kind in kinds[place]}
        yield replace(made, shows={**made.shows, **near_by}, beside=places[first])


def _plain(words: Words, place: Span) -> bool:
    """Whether the words of a place are plain ones, which name nobody where they stand alone."""
    named = name_words(words.document.text[slice(*place)])
    return all(w.lower() in words.small or any(fold(w) in words.lists.get(n, ()) for n in PLAIN) for w in named)


def _with_neighbour(text: str, place: Span, near: Span) -> tuple[str, ...]:
    """The words of a place, and what stands from there to the ends of its neighbour before and behind."""
    edges = near[0], place[0], place[1], near[1]
    before, words, behind = (text[start:end].replace("\n", " ") for start, end in pairwise(edges))
    return words, before, behind


def _near(words: Words, hidden: Sequence[Mention]) -> Iterator[tuple[Span, Span, str]]:
    """The numbers before and behind what is hidden, what says what a number is, and what is between two hidden places;
    each with what it is beside, and its kind."""
    text = words.document.text
    for mention, low, high in _alone(hidden, len(text)):
        near = mention.start, mention.end
        before, behind = _BEFORE.search(text, low, mention.start), _BEHIND.match(text, mention.end, high)
        for match, edge in ((before, "before"), (behind, "behind")):
            place = _bare(text, *match.span()) if match else None
            if place and any(map(str.isdigit, text[slice(*place)])):
                yield place, near, f"{edge} {mention.entity_type}"
        label = _LABEL.search(text, low, mention.start)
        if label:
            yield _bare(text, *label.span()), near, f"label of {mention.entity_type}"
    for one, other in pairwise(hidden):
        if _BETWEEN.fullmatch(text, one.end, max(one.end, other.start)):
            yield _bare(text, one.end, other.start), (one.start, other.end), f"between {one.entity_type}"


def _alone(hidden: Sequence[Mention], last: int) -> Iterator[tuple[Mention, int, int]]:
    """Each hidden place with from where to where the next ones are not reached."""
    before = 0
    for mention, following in zip(hidden, [*(m.start for m in hidden[1:]), last], strict=False):
        yield mention, min(max(before, mention.start - _REACH), mention.start), max(mention.end, following)
        before = max(before, mention.end)


def _bare(text: str, start: int, end: int) -> Span:
    """A place without blanks and commas around it."""
    inside = text[start:end]
    return start + len(inside) - len(inside.lstrip(" ,-.")), end - len(inside) + len(inside.rstrip(" ,-"))


def _candidate(
    words: Words, phrase: str, kind: str, places: tuple[Span, ...], covered: Callable[[Span], bool], who: Known
) -> Candidate:
    beside = sum(covered((max(0, start - 2), end + 2)) for start, end in places) / len(places)
    return Candidate(
        phrase, places, kind, words.shown(phrase, kind, places, who) | {f"{kind} beside what is hidden": beside}
    )


def _parts(words: Words, place: Span, covered: Callable[[Span], bool]) -> Iterator[Span]:
    """What of some words nothing covers, though the rest is."""
    plain, titled = words.lists["common_words"], titles(words.document.language)
    free: list[int] = []
    for token in words.document.token_range(*place):
        here = words.starts[token], words.ends[token]
        word = words.words[token]
        named = fold(word) not in titled and (fold(word) not in plain or word[:1].isupper())
        if not covered(here) and word[:1].isalnum() and named:
            if free and (free[-1] != token - 1 or covered((words.starts[free[-1]], here[1]))):
                yield words.starts[free[0]], words.ends[free[-1]]
                free = []
            free.append(token)
    if free:
        yield words.starts[free[0]], words.ends[free[-1]]


def _small(words: Words, who: Known) -> Iterator[tuple[str, tuple[str, list[Span]]]]:
    """The words in lower case that may be names: by the model, or since somebody hidden is called so."""
    for word in sorted(words.small):
        called, common = fold(word) in who.words, fold(word) in words.lists["common_words"]
        if not called and not common:
            called = _looks_called(fold(word), words, who)
        bound = _POSSIBLE if called else _LIKELY
        likely = [t for t in words.tokens[word] if words.probabilities[t] > bound]
        called = called or _strange(word, words)
        if common:
            for token in likely:
                yield word, (COMMON, [(words.starts[token], words.ends[token])])
        elif likely or called:
            yield word, (SMALL, [(words.starts[t], words.ends[t]) for t in words.tokens[word]])


def _strange(word: str, words: Words) -> bool:
    """Whether a word is no plain one, without the endings that plain ones take, and stands in a message."""
    if not words.written.intersection(words.tokens[word]) or not word.isalpha():
        return False
    stems = {fold(word), *(fold(word)[:-n] for n in range(1, _ENDING + 1) if len(word) > n + _LEAST)}
    return not any(stem in words.lists.get(name, ()) for stem in stems for name in PLAIN)


def _looks_called(word: str, words: Words, who: Known) -> bool:
    """Whether a folded word that is no plain one is a given name, or begins as one of the hidden names does."""
    if any(word in words.lists.get(name, ()) for name in PLAIN):
        return False
    return any(word in words.lists.get(name, ()) for name in _NAMES) or (len(word) > 2 and word[:3] in who.starts)
