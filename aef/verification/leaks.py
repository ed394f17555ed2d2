"""Which names must not be left anywhere in a file, for the writer and for the verification of what it wrote."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from aef.corpus_tools.name_search.folding import folded
from aef.corpus_tools.name_search.hidden_names import HiddenNames
from aef.names.parts import DATETIME, ORG, PARTICLES, PERSON, fold, generic_words, name_words
from aef.names.phrases import occurrences
from aef.names.titles import titles
from aef.replacement.plan import OMISSION, Entity
from aef.verification.search import Finding, Sought, Unreadable, verify


def hidden_names(hidden: Sequence[Entity], labels: Mapping[str, str], include: Iterable[str] = ()) -> HiddenNames:
    """What the writer replaces beside the text: the forms of all that is hidden, and the words of persons' names."""
    found: dict[str, str] = {}
    for entity in hidden:
        label = labels.get(entity.entity_id, OMISSION)
        for form in _telling(entity):
            found.setdefault(form, label)
        for form in entity.forms if entity.type == PERSON else ():
            for word in _words(form):
                found.setdefault(word, label)
    for phrase in include:
        found.setdefault(phrase, OMISSION)
        for word in _words(phrase) if len(phrase.split()) > 1 else ():
            found.setdefault(word, OMISSION)
    return HiddenNames(found)


def remaining(
    content: bytes,
    name: str,
    hidden: Sequence[Entity],
    names: HiddenNames,
    include: Iterable[str] = (),
    exclude: Iterable[str] = (),
) -> list[Finding]:
    """What is still in a written file: full names and included phrases anywhere, and where nobody reads, all that was
    replaced there (``names``)."""
    excluded = list(exclude)
    persons = [form for entity in hidden if entity.type == PERSON for form in _telling(entity) if " " in form]
    shown = [form for form in persons if not any(next(occurrences(form, e), None) for e in excluded)]
    try:
        return verify(content, Sought([*shown, *include], names), name)
    except Unreadable as error:
        return [Finding(f"{name}: cannot be verified ({error})", "", shown=False)]


def _telling(entity: Entity) -> Iterator[str]:
    """The forms that give an entity away wherever they stand: not initials, dates or generic words."""
    for form in entity.forms:
        words = [w for w in folded(form)[0].replace(".", " ").split() if len(w) > 1]
        if entity.type == DATETIME or not words or not any(map(str.isupper, form)):
            continue
        telling = [w for w in words if w not in generic_words() | titles()]
        if entity.type == PERSON or (entity.type == ORG and telling) or any(len(w) >= 6 for w in telling):
            yield form


def _words(name: str) -> Iterator[str]:
    for word in name_words(name):
        if word[:1].isupper() and len(fold(word)) > 1 and fold(word) not in PARTICLES | titles() | generic_words():
            yield word
