"""Who of a case is who in its next ruling: told by the linker, from the names that the case knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from aef.corpus_tools.document import Document, Mention
from aef.linking.linker import CANDIDATES
from aef.names.parts import PERSON, fold, name_words
from aef.replacement.plan import Entity, linked

_TITLES = {"f": "Ms. ", "m": "Mr. "}
_PREFIX = "case "


def alike(entity: Entity, known: Entity) -> bool:
    """Whether two entities have the type and one of their forms in common."""
    return entity.type == known.type and not set(entity.forms).isdisjoint(known.forms)


def joined(known: Entity, entity: Entity) -> Entity:
    """What both tell of one person or thing."""
    forms = tuple(dict.fromkeys([*known.forms, *entity.forms]))
    surer = entity if entity.titled or not known.gender else known
    return replace(known, forms=forms, role=known.role or entity.role, gender=surer.gender, titled=surer.titled)


Form = tuple[str, str]
"""The id of an entity of the ruling, and one of its forms."""


def matched(new: Sequence[Entity], known: Sequence[Entity], language: str) -> dict[str, str]:
    """The known one that each new one is, at most one new one each, by what the linker makes of all their names. Where
    there are full names they tell, and they choose first."""
    found: dict[str, str] = {}
    full = {e.entity_id for e in new if len(name_words(e.fullest)) > 1}
    names = _linked_to(known, new, language)
    for (owner, form), keys in sorted(names.items(), key=lambda item: -len(name_words(item[0][1]))):
        tells = owner not in full or len(name_words(form)) > 1
        if len(keys) == 1 and keys[0] and tells and owner not in found and keys[0] not in found.values():
            found[owner] = keys[0]
    return found


def doubtful(new: Sequence[Entity], known: Sequence[Entity], language: str) -> dict[Form, tuple[str, ...]]:
    """The known people whom a short name of a new person may mean as well: "Mr. Millar" in a ruling with a John Millar,
    where the case knows a David Millar."""
    short = [replace(e, forms=forms) for e in new if (forms := tuple(f for f in e.forms if len(name_words(f)) == 1))]
    bearers = _by_word(known)
    meant: dict[Form, tuple[str, ...]] = {}
    for e in short:
        alike = {i: k for form in e.forms for i, k in bearers.get(fold(form), {}).items()}
        if e.type == PERSON and alike and not e.family:
            meant |= _linked_to(list(alike.values()), [e], language)
    return {form: told for form, keys in meant.items() if (told := tuple(filter(None, keys)))}


def _by_word(known: Iterable[Entity]) -> dict[str, dict[str, Entity]]:
    """The people by each word of their names, folded, and by their id."""
    found: dict[str, dict[str, Entity]] = {}
    for entity in known:
        for word in {fold(w) for form in entity.forms for w in name_words(form)}:
            found.setdefault(word, {})[entity.entity_id] = entity
    return found


def _linked_to(known: Sequence[Entity], new: Sequence[Entity], language: str) -> dict[Form, tuple[str, ...]]:
    """Whom each form of the new ones may mean, as the linker has it: known ones, and "" for a new one."""
    lines: list[str] = []
    mentions: list[Mention] = []
    owners: dict[int, Form] = {}
    position = 0
    for entity, entity_id in [*((e, _PREFIX + e.entity_id) for e in known), *((e, None) for e in new)]:
        title = _TITLES.get(entity.gender or "", "") if entity.titled else ""
        for form in entity.forms:
            start = position + len(title)
            mentions.append(Mention(start, start + len(form), entity.type, entity_id=entity_id))
            if entity_id is None:
                owners[start] = (entity.entity_id, form)
            lines.append(title + form)
            position += len(lines[-1]) + 1
    document = linked(Document.from_text("\n".join(lines), "case", mentions).in_language(language))
    return {owners[m.start]: _known(m) for m in document.mentions if m.start in owners}


def _known(mention: Mention) -> tuple[str, ...]:
    keys = mention.extra.get(CANDIDATES) or [mention.entity_id or ""]
    return tuple(key.removeprefix(_PREFIX) if key.startswith(_PREFIX) else "" for key in keys)
