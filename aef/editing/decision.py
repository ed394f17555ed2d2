"""A ruling decided anew: what was found in it, and what the editor told, from the first mention to the last label."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from aef import lexicons
from aef.anonymization.marking import Wanted, hidden_in, settled
from aef.corpus_tools.document import Document, Mention
from aef.editing import facts as told
from aef.editing.facts import Fact, Span
from aef.editing.labels import labelled
from aef.editing.people import at, regrouped, roles_told, words_at
from aef.names.parts import PERSON, core, fold, name_words
from aef.names.phrases import occurrences
from aef.names.titles import titles
from aef.replacement.plan import Edit, labels_of, linked, plan
from aef.roles.classifier import ROLES, THINGS, Role, roles
from aef.roles.policy import HIDE as HIDDEN
from aef.roles.policy import KEEP, WHY, Decision, Policy, decisions_of, marked
from aef.roles.policy import SHOW as SHOWN

_TOLD = {WHY: "the editor told", "by": ["editor"]}
_LEAST = 3
"""Letters of a single word of a told name that is looked for by itself."""


AS_FOUND = Policy("as found", "", dict.fromkeys(ROLES, KEEP), dict.fromkeys(THINGS, KEEP))
"""The policy of those who have none: what is to be hidden is, as a model or a corpus said."""


@dataclass(frozen=True)
class Ground:
    """What is there before the editor tells anything.

    found : the ruling with all that was found in it. policy : who of it is hidden; by default as the mentions say.
    settled : the annotators whose finds the policy does not show. scheme, seed, keep_initials : of the labels.
    """

    found: Document
    policy: Policy = AS_FOUND
    settled: frozenset[str] = frozenset()
    scheme: str = "initials"
    seed: int = 0
    keep_initials: bool = False


@dataclass(frozen=True)
class State:
    """A decided ruling.

    mentions : all that was found or told. alike : the same, linked. linked : and regrouped as told. roles : of each
    entity by the policy's rules. decisions : what is done with each, in the order of the text. hidden : the ruling with
    what is hidden in the end, which is what `aef.anonymization.anonymize` replaces. excluded : phrases that are no
    names.
    """

    ground: Ground
    facts: tuple[Fact, ...]
    mentions: tuple[Mention, ...]
    alike: Document
    linked: Document
    roles: Mapping[str, Role]
    decisions: tuple[Decision, ...]
    hidden: Document
    excluded: tuple[str, ...]

    @cached_property
    def edits(self) -> list[Edit]:
        """The edits that hide it."""
        ground = self.ground
        return plan(self.hidden, ground.scheme, seed=ground.seed, keep_initials=ground.keep_initials)

    @cached_property
    def labels(self) -> dict[str, str]:
        """The labels by entity id."""
        return labels_of(self.edits)

    @cached_property
    def masked(self) -> frozenset[str]:
        """The ids of all that is hidden."""
        return frozenset(m.entity_id or "" for m in self.hidden.mentions)


def decided(ground: Ground, facts: Sequence[Fact] = (), last: State | None = None) -> State:
    """The ruling with everything decided, the told facts in their order, later ones over earlier ones. What is as in
    the ``last`` state on the same ground is not worked out again."""
    left = about_words(ground.found, facts)
    raw = _with_told(ground.found, facts, left)
    same = linked(raw) if last is None or raw.mentions != last.mentions else last.alike
    document = regrouped(same, facts)
    kept = last is not None and document.mentions == last.linked.mentions
    known = last.roles if last is not None and kept else roles(document, (), ground.policy.rules)
    done = _decided(document, ground, roles_told(document, known, facts), facts)
    shown = marked(document, done)
    wanted = Wanted(exclude=left)
    hidden = labelled(hidden_in(shown.with_mentions(_masked(shown, facts)), wanted).hidden, facts)
    return State(ground, tuple(facts), raw.mentions, same, document, known, tuple(done), hidden, left)


def about_words(document: Document, facts: Iterable[Fact]) -> tuple[str, ...]:
    """The phrases that the editor called no names, those aside that were told to be hidden afterwards."""
    phrases: dict[str, None] = {}
    for fact in facts:
        if fact.scope != told.EVERYWHERE:
            continue
        phrase = words_at(document, fact.place)
        if fact.kind == told.LEAVE:
            phrases[phrase] = None
        elif fact.kind == told.HIDE:
            phrases.pop(phrase, None)
    return tuple(phrases)


# --- what was found and told ----------------------------------------------------------------------------------------


def _with_told(document: Document, facts: Iterable[Fact], left: Collection[str]) -> Document:
    """The document with the mentions of what was told to be hidden, and without those of what is no name."""
    never = [span for phrase in left for span in alike(document, phrase)]
    here = [f.place for f in told.about(facts, told.SHOW, told.LEAVE) if f.scope == told.HERE]
    mentions = [m for m in document.mentions if not _spared(document, m, never) and not _touches(m, here)]
    for number, fact in enumerate(told.about(facts, told.HIDE)):
        alone = fact.scope == told.HERE and any(_touches(m, [fact.place]) for m in mentions)
        if alone:  # one mention of somebody is told apart from the others
            mentions = [m for m in mentions if not _touches(m, [fact.place])]
        known = document.with_mentions(mentions)
        mentions += _told_of(known, fact, f"told-{number}" if alone else None, _shown_words(document, facts))
    return document.with_mentions(mentions)


def _spared(document: Document, mention: Mention, never: Iterable[Span]) -> bool:
    low, high = core(document.text, mention.start, mention.end, PERSON, document.language)
    return any(start <= low and high <= end for start, end in never)


def _touches(mention: Mention, spans: Iterable[Span]) -> bool:
    return any(start < mention.end and mention.start < end for start, end in spans)


def _shown_words(document: Document, facts: Iterable[Fact]) -> set[str]:
    """The words that the editor told to show, or to be no name."""
    return {words_at(document, f.place) for f in told.about(facts, told.SHOW, told.LEAVE) if f.scope == told.EVERYWHERE}


def _told_of(document: Document, fact: Fact, key: str | None, shown: Collection[str]) -> Iterator[Mention]:
    """The mentions that a told name adds: its place, the same words elsewhere, and of a person the words of the name
    where they stand alone, but for those told to be ``shown``."""
    covered = _covering(document)
    for place in _places(document, fact, shown):
        if not covered(place):
            yield Mention(*place, fact.type, "DIRECT", key, 1.0, _TOLD)


def _places(document: Document, fact: Fact, shown: Collection[str]) -> Iterator[Span]:
    yield fact.place
    if fact.scope == told.HERE:
        return
    if fact.scope == told.BESIDE:
        yield from (p for p in beside(document.text, fact) if p != fact.place)
        return
    phrase = words_at(document, fact.place)
    yield from (p for p in alike(document, phrase) if p != fact.place)
    words = name_words(phrase)
    if fact.type == PERSON and len(words) > 1 and phrase[0].isupper():
        known = titles(document.language) | {fold(w) for w in lexicons.load("common_words", document.language)}
        for word in (words[-1], words[0]):
            if len(word) >= _LEAST and word not in shown and fold(word) not in known:
                yield from alike(document, word)


def beside(text: str, fact: Fact) -> Iterator[Span]:
    """The places of the same words beside the same neighbour, which begins or ends with them or is what they part."""
    (start, end), other = fact.place, fact.other or fact.place
    low, high = min(start, other[0]), max(end, other[1])
    flat = text.replace("\n", " ")
    phrase, found = flat[low:high], flat.find(flat[low:high])
    while found >= 0:
        if found == low or not any(_in_word(flat, edge) for edge in (found, found + len(phrase))):
            yield found + start - low, found + end - low
        found = flat.find(phrase, found + 1)


def _in_word(text: str, place: int) -> bool:
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()


def alike(document: Document, phrase: str) -> Iterator[Span]:
    """The places of the same words: with capitals where the phrase has some, else just so."""
    text, capital = document.text, any(map(str.isupper, phrase))
    for start, end in occurrences(text, phrase):
        if text[start].isupper() if capital and phrase[0].isupper() else text[start:end] == phrase:
            yield start, end


def _covering(document: Document) -> Callable[[Span], bool]:
    """Whether a place lies inside of a mention."""
    ends = list(accumulate((m.end for m in document.mentions), max))
    starts = [m.start for m in document.mentions]

    def covered(place: Span) -> bool:
        before = bisect_right(starts, place[0])
        return before > 0 and ends[before - 1] >= place[1]

    return covered


# --- who is hidden --------------------------------------------------------------------------------------------------


def _decided(document: Document, ground: Ground, known: Mapping[str, Role], facts: Iterable[Fact]) -> list[Decision]:
    """The decisions of the policy, and over them the editor's."""
    said = dict(_said(document, facts))
    return settled(document, decisions_of(document, known, ground.policy, said), ground.settled, said)


def _said(document: Document, facts: Iterable[Fact]) -> Iterator[tuple[str, str]]:
    """What the editor told of entities, by their ids."""
    for fact in told.about(facts, told.HIDE, told.SHOW):
        if (there := at(document, fact.place)) is not None and (fact.kind == told.HIDE or fact.scope != told.HERE):
            yield there.entity_id or "", HIDDEN if fact.kind == told.HIDE else SHOWN


def _masked(document: Document, facts: Sequence[Fact]) -> list[Mention]:
    """The mentions that are hidden; those told to be, in any case."""
    places = [f.place for f in told.about(facts, told.HIDE)]
    said = dict(_said(document, facts))
    return [m for m in document.mentions if m.masked or (said.get(m.entity_id or "") == HIDDEN and _touches(m, places))]
