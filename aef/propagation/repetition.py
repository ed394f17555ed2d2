"""What is hidden in one place of a ruling is hidden in the others: full names, and names inside of longer words."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from aef import lexicons
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.name_search.folding import together
from aef.corpus_tools.name_search.hidden_names import ShownNames
from aef.names.entity import CANDIDATES, Entity
from aef.names.parts import PERSON, fold, name_words
from aef.names.phrases import glued, is_broken
from aef.names.titles import titles

_SHORTEST = 3  # letters of a word of a name that tells


def repeated(document: Document, hidden: Iterable[Entity], why: dict[str, str]) -> Iterator[Mention]:
    """The mentions that the document lacks of the persons among those ``hidden`` in it, with ``why`` as their further
    data."""
    persons = [entity for entity in hidden if entity.type == PERSON]
    covered = document.mask(document.mentions)
    bearers = {together(form): entity.entity_id for entity in reversed(persons) for form in _full(entity.forms)}
    names = ShownNames((form for entity in persons for form in _full(entity.forms)), is_broken(document.text))
    for start, end, name in names(document.text):
        tokens = document.token_range(start, end)
        if not covered[tokens.start : tokens.stop].all():
            yield Mention(start, end, PERSON, entity_id=bearers[name], extra=why)
    yield from _initials(document, persons, why)
    yield from _glued(document, persons, why)


def _initials(document: Document, persons: Iterable[Entity], why: dict[str, str]) -> Iterator[Mention]:
    """Initials that stand for somebody: ESF for Edward Saul Finch."""
    if not (told := _told_by_initials(document, persons)):
        return
    tokens, inside = document.tokens, _inside(document.mentions)
    for word, start, end in zip(tokens.words, tokens.starts.tolist(), tokens.ends.tolist(), strict=True):
        if word in told and not inside(start, end):
            yield Mention(start, end, PERSON, entity_id=told[word], extra=why)


def _told_by_initials(document: Document, persons: Iterable[Entity]) -> dict[str, str]:
    """The persons' ids by initials, three or more, that are nobody else's and no word, nor one of courts ("DNI"), and
    stand more seldom than the person is named: else they are rather an agency's."""
    bearers: dict[str, set[str]] = {}
    for entity in persons:
        for form in entity.forms:
            bearers.setdefault("".join(word[0].upper() for word in name_words(form)), set()).add(entity.entity_id)
    only = {word: min(ids) for word, ids in bearers.items() if len(word) >= _SHORTEST and len(ids) == 1}
    if not only:
        return {}
    written, named = Counter(document.words), Counter(mention.entity_id for mention in document.mentions)
    words = lexicons.load_all(document.language).get("court_words", frozenset())
    plain = {word for word in only if written[word.lower()] or word.lower() in words}
    return {word: key for word, key in only.items() if 0 < written[word] < named[key] and word not in plain}


def _glued(document: Document, persons: Sequence[Entity], why: dict[str, str]) -> Iterator[Mention]:
    """Names in addresses, in names of files, grown together with something else."""
    covered = _inside(document.mentions)
    forms = [form for entity in persons for form in entity.forms if _letters(form)]
    given = [word for form in forms for word in name_words(form)[:-1] if len(word) >= _SHORTEST]
    names = [*_full(forms), *(name_words(form)[-1] for form in forms)]
    bearers = _bearers(persons)
    for start, end in glued(document.text, names, given, titles()):
        if not covered(start, end):
            ids = sorted(bearers.get(_letters(document.text[start:end]), ()))
            if len(ids) == 1:
                yield Mention(start, end, PERSON, entity_id=ids[0], extra=why)
            else:
                yield Mention(start, end, PERSON, extra={**why, CANDIDATES: ids})


def _full(forms: Iterable[str]) -> list[str]:
    """The names of more than one word, and those without the given names in the middle: Grace May of Grace Anne May."""
    split = [(form, name_words(form)) for form in forms]
    short = [f"{words[0]} {words[-1]}" for _, words in split if len(words) > 2 and min(map(len, words)) > 1]
    return list(dict.fromkeys([*(form for form, words in split if len(words) > 1), *short]))


def _bearers(persons: Iterable[Entity]) -> dict[str, set[str]]:
    """The persons' ids by the letters of the full names and of the words of names that they go by; who may be one of
    several persons comes in for a name that none of these bears."""
    found: dict[str, set[str]] = {}
    for entity in sorted(persons, key=lambda entity: bool(entity.candidates)):
        for form in entity.forms:
            for name in (form, *_full([form]), *name_words(form)):
                bearers = found.setdefault(_letters(name), set())
                if not bearers.intersection(entity.candidates):
                    bearers.add(entity.entity_id)
    return found


def _letters(name: str) -> str:
    """The letters of a name, folded; none of one that is too short to tell."""
    letters = "".join(filter(str.isalnum, fold(name)))
    return letters if max(map(len, name_words(name)), default=0) >= _SHORTEST else ""


def _inside(mentions: Sequence[Mention]) -> Callable[[int, int], bool]:
    """Whether a stretch lies inside one of the mentions, which are in order."""
    starts = [mention.start for mention in mentions]

    def inside(start: int, end: int) -> bool:
        i = bisect_right(starts, start) - 1
        return i >= 0 and end <= mentions[i].end

    return inside
