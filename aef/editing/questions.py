"""What an editor is asked, the question first whose answer is worth most.

Worth is the probability that the answer changes what is hidden, times what it settles: a leak prevented (`LEAK`), or a
wrong hide undone (`WRONG`), times a power of the number of mentions (`GROWTH`). The chances are learned
(`aef.editing.chances`); `LEAK`, `WRONG` and `GROWTH` were chosen on the open half of the hand-written rulings
(`aef.experiments.editing`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from aef.corpus_tools.document import Mention
from aef.editing import facts as told
from aef.editing.candidates import candidates, known
from aef.editing.chances import Chances
from aef.editing.decision import State, beside
from aef.editing.facts import Fact, Span
from aef.editing.words import CODE, COMMON, DATE, PART, Words
from aef.names.parts import MISC, PERSON, fold, name_words
from aef.roles.policy import Decision

LEAK, WRONG, GROWTH = 8.0, 1.0, 0.25
SAME_CHANCE = 0.02
"""What a wrong linking is worth beside a leak: it hides, but under two labels."""

ENTITY, WORD, PAIR = "entity", "word", "pair"
HIDE, SHOW, THING, HERE, NOT_HERE = "hide", "show", "thing", "here", "not here"
NO_NAME, SAME, APART = "no name", "same", "different"
REPLIES: Mapping[str, tuple[str, ...]] = {
    ENTITY: (HIDE, SHOW, NO_NAME),
    WORD: (HIDE, SHOW, THING, HERE, NOT_HERE),
    PAIR: (SAME, APART),
}
"""What may be replied to a question of a kind: hide whoever it is (in every place, or ``here`` alone, or as a thing),
show (everywhere, or ``not here``), no name at all; two names are the same person's, or different people's."""

_THINGS = (CODE, DATE, PART)
"""Candidates that are things, whatever is replied."""


@dataclass(frozen=True)
class Question:
    """One thing to ask.

    kind : ``entity`` (hide or show somebody, or something, that was found), ``word`` (words that nothing hides: a
    name?), ``pair`` (do two names name one person?). names : what it is about. places : where that stands; the first is
    to be shown. hidden : whether it is hidden now. chance : the probability that it must be. worth : the higher, the
    earlier. beside : of a part of something longer that, where the first place is. entities : ids of who is meant.
    role : of who was found; of words what they look like. shows : by what the chance was judged.
    """

    kind: str
    names: tuple[str, ...]
    places: tuple[Span, ...]
    hidden: bool
    chance: float
    worth: float
    beside: Span | None = None
    entities: tuple[str, ...] = ()
    role: str = ""
    shows: Mapping[str, float] = field(default_factory=dict, repr=False)

    @property
    def id(self) -> str:
        """The same question has the same id after any other answer: kind and first place."""
        return f"{self.kind}-{self.places[0][0]}-{self.places[0][1]}"

    @property
    def replies(self) -> tuple[str, ...]:
        """What may be replied; a name of several words is hidden everywhere, or it could still be read, and a common
        word only in its place."""
        if self.role == COMMON:
            return HERE, NOT_HERE
        if self.role == PART:
            return HIDE, SHOW
        needless = (HERE, NOT_HERE) if len(self.places) == 1 else (HERE,) if " " in self.names[0] else ()
        plain = (THING,) if self.role in _THINGS else ()
        return tuple(reply for reply in REPLIES[self.kind] if reply not in (*needless, *plain))

    @property
    def changes(self) -> float:
        """The probability that the answer changes what is hidden."""
        return 0.0 if self.kind == PAIR else 1 - self.chance if self.hidden else self.chance

    def fact(self, reply: str) -> Fact:
        """What a reply tells."""
        place = self.places[0]
        if self.kind == PAIR:
            return Fact(told.SAME if reply == SAME else told.APART, place, self.places[1])
        kind = told.LEAVE if reply == NO_NAME else told.SHOW if reply in (SHOW, NOT_HERE) else told.HIDE
        alone = reply in (HERE, NOT_HERE)
        scope = told.HERE if alone else told.EVERYWHERE if self.beside is None else told.BESIDE
        thing = reply == THING or self.role in _THINGS
        return Fact(kind, place, None if alone else self.beside, MISC if thing else PERSON, scope)


def questions(state: State, words: Words, chances: Chances) -> list[Question]:
    """All questions of a ruling, the one worth most first."""
    asked = [*_of_entities(state, words, chances), *_of_words(state, words, chances), *_of_pairs(state)]
    return sorted(asked, key=lambda q: (-q.worth, q.places[0]))


def worth(chance: float, hidden: bool, mentions: int) -> float:
    """What an answer is worth."""
    return ((1 - chance) * WRONG if hidden else chance * LEAK) * math.pow(mentions, GROWTH)


# --- who was found --------------------------------------------------------------------------------------------------


def _of_entities(state: State, words: Words, chances: Chances) -> Iterator[Question]:
    answered = told_of(state)
    for decision, mentions in entities(state):
        places = [(m.start, m.end) for m in mentions]
        if places and decision.role.entity_id not in answered:
            hidden = decision.role.entity_id in state.masked
            shows = _shows(decision, mentions, words, hidden)
            chance = chances.of(shows)
            yield Question(
                ENTITY, decision.role.names, tuple(places), hidden, chance, worth(chance, hidden, len(places)), None,
                (decision.role.entity_id,), decision.role.role, shows,
            )  # fmt: skip


def entities(state: State) -> Iterator[tuple[Decision, list[Mention]]]:
    """Each entity's decision, and its mentions."""
    mentions: dict[str, list[Mention]] = {}
    for mention in state.linked.mentions:
        mentions.setdefault(mention.entity_id or "", []).append(mention)
    for decision in state.decisions:
        yield decision, mentions.get(decision.role.entity_id, [])


def told_of(state: State) -> set[str]:
    """The ids of the entities of which the editor told what is done with them, or their role."""
    facts = [f for f in told.about(state.facts, told.HIDE, told.SHOW, told.ROLE) if f.scope == told.EVERYWHERE]
    ids = (m.entity_id or "" for f in facts for m in state.linked.mentions if _overlap((m.start, m.end), f.place))
    return set(ids)


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _shows(decision: Decision, mentions: list[Mention], words: Words, hidden: bool) -> dict[str, float]:
    """What an entity shows that tells whether it must be hidden."""
    role, now = decision.role, "hidden" if hidden else "shown"
    kind = mentions[0].entity_type or "-"
    shows = {f"found {now}": 1.0, f"found {role.role} {now}": 1.0, f"found {kind}": 1.0}
    shows |= {f"found by {by}, {kind}": 1.0 for m in mentions for by in _by(m)}
    shows["found mentions"] = math.log(len(mentions))
    if role.private is not None:
        odds = _log_odds(role.private)
        shows |= {"found private": odds} | {f"found private {s} on": 1.0 for s in (-4, -2, 0, 2, 4) if odds > s}
    name = max((m.probability or 0.0 for m in mentions), default=0.0)
    if kind == PERSON:
        shows |= {"found odds": _log_odds(name), f"found of {min(3, max(len(name_words(n)) for n in role.names))}": 1.0}
        named = [fold(w) for n in role.names for w in name_words(n)]
        for which, entries in words.lists.items():
            if named and all(w in entries for w in named):
                shows[f"found: all in {which}"] = 1.0
    if all(words.cited(m.start, m.end) for m in mentions):
        shows["found cited"] = 1.0
    shows |= {f"found {e.source} {e.role}": 1.0 for e in role.evidence}
    return shows


def _by(mention: Mention) -> list[str]:
    by = mention.extra.get("by", ())
    return [by] if isinstance(by, str) else list(by)


def _log_odds(probability: float) -> float:
    p = max(0.0025, min(0.9975, probability))
    return math.log(p / (1 - p))


# --- what nothing hides ---------------------------------------------------------------------------------------------


def _of_words(state: State, words: Words, chances: Chances) -> Iterator[Question]:
    hidden = [n for d, _ in entities(state) if d.role.entity_id in state.masked for n in d.role.names]
    answered = _answered(state)
    text = state.linked.text
    for candidate in candidates(words, _covering(state), known(hidden), state.hidden.mentions):
        left = tuple(p for p in candidate.places if (text[slice(*p)] not in answered and p not in answered))
        if left:
            chance = chances.of(candidate.shows)
            yield Question(
                WORD, (candidate.words,), left, False, chance, worth(chance, False, len(left)),
                beside=candidate.beside, role=candidate.kind, shows=candidate.shows,
            )  # fmt: skip


def _covering(state: State) -> Callable[[Span], bool]:
    """Whether a place has a character of something found or hidden."""
    import numpy as np

    last = len(state.linked.text)
    inside = np.zeros(last, dtype=np.int32)
    for mention in (*state.linked.mentions, *state.hidden.mentions):
        inside[mention.start : mention.end] = 1
    before = np.concatenate([[0], np.cumsum(inside)])
    return lambda place: bool(before[min(place[1], last)] > before[place[0]])


def _answered(state: State) -> set[str | Span]:
    """The words that the editor said something of, and the places that it was about."""
    facts = told.about(state.facts, told.HIDE, told.SHOW, told.LEAVE)
    text = state.linked.text
    everywhere = {text[slice(*f.place)] for f in facts if f.scope == told.EVERYWHERE}
    near = {place for f in facts if f.scope == told.BESIDE for place in beside(text, f)}
    return {*everywhere, *near, *(f.place for f in facts)}


# --- who is one person ----------------------------------------------------------------------------------------------


def _of_pairs(state: State) -> Iterator[Question]:
    """Hidden people who share a word of a name, and who may be one."""
    found = [(d, ms) for d, ms in entities(state) if ms and ms[0].entity_type == PERSON]
    found = [(d, ms) for d, ms in found if d.role.entity_id in state.masked and not d.role.of_one_of]
    people = [(d, ms, _folded(d.role.names)) for d, ms in found]
    asked = {frozenset(f.places) for f in told.about(state.facts, told.SAME, told.APART)}
    for number, (one, here, words) in enumerate(people):
        for other, there, others in people[number + 1 :]:
            places = (here[0].start, here[0].end), (there[0].start, there[0].end)
            if _alike(words, others) and frozenset(places) not in asked:
                names = one.role.names[0], other.role.names[0]
                ids = one.role.entity_id, other.role.entity_id
                size = min(len(here), len(there))
                yield Question(PAIR, names, places, True, 1.0, SAME_CHANCE * math.pow(size, GROWTH), None, ids)


def _alike(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether one name may be a part of the other: a word is shared, and no given name differs."""
    return bool(left & right) and (left <= right or right <= left)


def _folded(names: Iterable[str]) -> frozenset[str]:
    return frozenset(fold(w) for name in names for w in name_words(name))
