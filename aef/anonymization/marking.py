"""What of a ruling is to be hidden: what was found, what the lists and the metadata of the case say, what the policy
decides of all that."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from aef.corpus_tools.document import Document, Mention
from aef.errors import InputError
from aef.linking.linker import CANDIDATES, extended
from aef.names.parts import PERSON, core, fold, name_words
from aef.names.person_name import is_given
from aef.names.phrases import occurrences
from aef.names.titles import titles
from aef.propagation.repetition import repeated
from aef.replacement.plan import Entity, entities, linked
from aef.roles.correction import RoleCorrection
from aef.roles.metadata import FIRMS, Known
from aef.roles.policy import DEFAULT, HIDE, KEEP, SHOW, WHY, Decision, Policy, decisions, load_policy, marked
from aef.verification.residual_names import ALONE, TITLED, bearers, left

_LISTED = {WHY: "on the list of what is always hidden"}
_TOLD = {WHY: "named in the metadata of the case"}
_REPEATED = {WHY: "a name that is hidden elsewhere"}
SURELY_PRIVATE = 0.85
"""From which probability on somebody is private so surely that a bare name is hidden without being found."""
_SHORTEST = 3  # letters of a name that is looked for inside of an excluded phrase

Span = tuple[int, int]


class Tagger(Protocol):
    """What finds the mentions to hide; `aef.tagging.finder.Finder` is one."""

    def tag(self, document: Document) -> Document: ...


@dataclass(frozen=True)
class Wanted:
    """What is asked for beside what is found.

    include, exclude : phrases that are always, and never, hidden; the former go first. policy : who of those found is
    hidden; None: as their mentions say. metadata : who is who. decided : the annotators whose finds that policy does
    not show (`aef.annotators.pipeline.Pipeline`).
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    policy: Policy | None = None
    metadata: tuple[Known, ...] = ()
    decided: frozenset[str] = frozenset()

    @classmethod
    def by(
        cls,
        finder: Tagger | None,
        include: Iterable[str] = (),
        exclude: Iterable[str] = (),
        policy: Policy | None = None,
        metadata: Iterable[Known] = (),
    ) -> Wanted:
        """What is asked for where a finder finds: without a ``policy`` its own, and the default's where it finds all
        names."""
        decided: frozenset[str] = getattr(finder, "decided", frozenset()) if policy is None else frozenset()
        policy = getattr(finder, "policy", None) if policy is None else policy
        if policy is None and getattr(finder, "target", None) == "names":
            policy = load_policy(DEFAULT)
        if policy and (learned := getattr(finder, "roles", None)):
            policy = replace(policy, rules=replace(policy.rules, correction=RoleCorrection.of_dict(learned)))
        return cls(tuple(include), tuple(exclude), policy, tuple(metadata), decided)


@dataclass(frozen=True)
class Marked:
    """A linked document with all that was ``found`` or asked for, the same with all that is ``hidden`` alone, and what
    was ``decided`` of the entities."""

    found: Document
    hidden: Document
    decided: list[Decision]


def in_its_language(finder: Any, document: Document) -> Any:
    """What finds in a document: of what finds in several languages (`aef.annotators.spoken.Spoken`) that of its own."""
    return finder.of(document) if hasattr(finder, "of") else finder


def found(document: Document, finder: Tagger | None, mentions: Document | Iterable[Mention] | None) -> Document:
    """The document with the given mentions, or those that the finder finds. Raises `InputError` without both."""
    if isinstance(mentions, Document):
        return document.with_mentions(given(document, mentions))
    if mentions is not None:
        return document.with_mentions(mentions)
    if finder is None:
        raise InputError("nothing says what to hide. Give a finder (a model) or mentions")
    return finder.tag(document)


def given(document: Document, gold: Document) -> tuple[Mention, ...]:
    """The mentions of a gold document. Raises `InputError` where its text is not the ruling's."""
    if gold.text != document.text:
        same = next((i for i, (a, b) in enumerate(zip(gold.text, document.text, strict=False)) if a != b), None)
        place = f"from character {same} on" if same is not None else "in length"
        raise InputError(
            f"{document.meta.get('source', document.doc_id)}: its text differs from that of '{gold.doc_id}' in the "
            f"gold corpus {place}, so that the offsets would not fit. Tag or align this very file"
        )
    return gold.mentions


def hidden_in(document: Document, wanted: Wanted) -> Marked:
    """What is to be hidden in a document, of its mentions and what is asked for."""
    lists = Lists(document, wanted)
    mentions = [m for m in document.mentions if (wanted.policy or m.masked) and not lists.spare(m)]
    document = document.with_mentions([*mentions, *lists.always])
    if wanted.policy:
        document = _told(document, wanted.metadata)
    document = linked(document)
    decided = decisions(document, wanted.policy, wanted.metadata) if wanted.policy else []
    decided = settled(document, decided, wanted.decided)
    shown = _but_shown(document, decided, lists)
    hidden = [*shown.mentions, *repeated(shown, entities(shown), _REPEATED)]
    result = extended(shown, [m for m in hidden if not lists.spare(m)])
    if unfound := [m for m in _unfound(result, decided, document) if not lists.spare(m)]:
        result = extended(result, [*result.mentions, *unfound])
    if misread := list(lists.names_in_excluded(result)):
        result = extended(result, [*result.mentions, *misread])
    return Marked(document, result, _done(decided, document, result))


class Lists:
    """Where the phrases stand that are always hidden, and those that never are."""

    def __init__(self, document: Document, wanted: Wanted) -> None:
        self.text = document.text
        self.language = document.language
        self.always = [
            Mention(*span, extra=_LISTED) for phrase in wanted.include for span in occurrences(self.text, phrase)
        ]
        self.never = [span for phrase in wanted.exclude for span in occurrences(self.text, phrase)]

    def holds(self, mention: Mention) -> bool:
        """Whether the mention has something of what is always hidden."""
        return any(a.start < mention.end and mention.start < a.end for a in self.always)

    def spare(self, mention: Mention) -> bool:
        """Whether the mention lies inside an excluded phrase, and holds nothing that is always hidden; titles and signs
        around a name do not count."""
        return self.excludes(*core(self.text, mention.start, mention.end, PERSON)) and not self.holds(mention)

    def excludes(self, low: int, high: int) -> bool:
        """Whether characters lie inside an excluded phrase."""
        return any(start <= low and high <= end for start, end in self.never)

    def names_in_excluded(self, document: Document) -> Iterator[Mention]:
        """The names of hidden people inside of longer phrases that are never hidden, and are no names themselves: what
        was misread may stand, and "the Applicant Hale" still names Hale."""
        people = [entity for entity in entities(document) if entity.type == PERSON] if self.never else []
        for start, end in self.never:
            taken: list[Span] = [(m.start, m.end) for m in document.mentions if m.start < end and start < m.end]
            inside = self._inside(start, end, people)
            for low, high in sorted(inside, key=lambda found: found[0] - found[1]):
                if not any(low < b and a < high for a, b in taken) and not self._is_name(start, end, low, high):
                    taken.append((low, high))
                    yield _whose(low, high, inside[low, high])

    def _inside(self, start: int, end: int, people: Iterable[Entity]) -> dict[Span, list[Entity]]:
        """Where names of people stand in a stretch of the text, and whose they are."""
        found: dict[Span, list[Entity]] = {}
        for entity in people:
            surnames = [words[-1] for form in entity.forms if (words := name_words(form))]
            for name in dict.fromkeys([*entity.forms, *surnames]):
                if len(fold(name)) >= _SHORTEST:
                    for low, high in occurrences(self.text[start:end], name):
                        if self.text[start + low].isupper():
                            found.setdefault((start + low, start + high), []).append(entity)
        return {span: list(dict.fromkeys(entities)) for span, entities in found.items()}

    def _is_name(self, start: int, end: int, low: int, high: int) -> bool:
        """Whether the phrase says nothing but the name: titles, given names and initials aside, nothing is left."""
        rest = name_words(f"{self.text[start:low]} {self.text[high:end]}")
        known = titles(self.language)
        return all(len(fold(w)) < 2 or fold(w) in known or is_given(fold(w)) for w in rest)


def _whose(start: int, end: int, people: Sequence[Entity]) -> Mention:
    """A mention of somebody of these: of several it is nobody's alone."""
    sure = [entity.entity_id for entity in people if not entity.candidates] or [people[0].entity_id]
    if len(sure) > 1:
        return Mention(start, end, PERSON, extra={**_REPEATED, CANDIDATES: tuple(sure)})
    return Mention(start, end, PERSON, entity_id=sure[0], extra=_REPEATED)


# --- what the metadata tell -----------------------------------------------------------------------------------------


def _told(document: Document, metadata: Iterable[Known]) -> Document:
    """With the people that the metadata name and nobody found, and one id for all names that they say are one's."""
    for number, who in enumerate((k for k in metadata if k.role not in FIRMS), 1):
        spans = [span for name in who.names for span in occurrences(document.text, name)]
        spans = [span for span in spans if document.text[span[0]].isupper()]
        new = [Mention(*s, PERSON, extra=_TOLD) for s in spans if not _covered(document, s)]
        document = document.with_mentions([*document.mentions, *new])
        if len(who.names) > 1:
            document = _as_one(document, spans, f"person-told-{number}")
    return document


def _covered(document: Document, span: Span) -> bool:
    return any(m.start < span[1] and span[0] < m.end for m in document.mentions)


def _as_one(document: Document, spans: Collection[Span], key: str) -> Document:
    """The mentions that are these names, titles aside, as one person's."""
    names = set(spans)

    def is_one(mention: Mention) -> bool:
        return (mention.start, mention.end) in names or core(document.text, mention.start, mention.end, PERSON) in names

    return document.with_mentions(
        replace(m, entity_id=key, entity_type=PERSON) if not m.entity_id and is_one(m) else m for m in document.mentions
    )


# --- what is hidden elsewhere ---------------------------------------------------------------------------------------


def _unfound(document: Document, decided: Sequence[Decision], found: Document) -> Iterator[Mention]:
    """The names of hidden people that stand in clear where nobody was ``found``: behind a title ("Ms Court"), and
    single ones of those surely private where the ruling has no other word, nor anybody shown, of that name.

    On real judgments 85 of 86 such single names are to be hidden, of the less sure none; and all 25 behind titles,
    which are of one judgment (in hand-written rulings there is one more, right, too).
    """
    hidden = {d.role.entity_id: (d.role.private or 0) >= SURELY_PRIVATE for d in decided if d.action == HIDE}
    persons = {e.entity_id: e for e in entities(document) if e.entity_id in hidden and e.type == PERSON}
    called = bearers(persons.values(), {key: key for key in persons})
    for start, end, name, kind in left(document.text, document.mentions, [*persons.values()], decided):
        whose = [persons[key] for key in called[name] if kind == TITLED or hidden[key]]
        if whose and (kind == ALONE or (kind == TITLED and not _covered(found, (start, end)))):
            yield _whose(start, end, whose)


# --- what was decided -----------------------------------------------------------------------------------------------


def settled(
    document: Document, decided: Sequence[Decision], by: frozenset[str], told: Collection[str] = ()
) -> list[Decision]:
    """The decisions, but that nothing is shown that those annotators found who know what is hidden; what is ``told``
    of, by its id, stays."""
    ids = {m.entity_id for m in document.mentions if by.intersection(m.extra.get("by", ()))}.difference(told)
    return [replace(d, action=KEEP) if d.action == SHOW and d.role.entity_id in ids else d for d in decided]


def _but_shown(document: Document, decided: Sequence[Decision], lists: Lists) -> Document:
    """The document without the mentions that the policy shows, those aside that are always hidden."""
    if not decided:
        return document
    return document.with_mentions(m for m in marked(document, decided).mentions if m.masked or lists.holds(m))


def _done(decided: Sequence[Decision], document: Document, hidden: Document) -> list[Decision]:
    """The decisions as they came out: what is kept is hidden or shown, and what is listed is hidden."""
    masked = {m.entity_id for m in document.mentions if m.masked}
    left = {m.entity_id for m in hidden.mentions}

    def done(decision: Decision) -> str:
        key = decision.role.entity_id
        if decision.action == KEEP:
            return HIDE if key in masked else SHOW
        return HIDE if decision.action == SHOW and key in left else decision.action

    return [replace(decision, action=done(decision)) for decision in decided]
