"""What the text around a name tells of the person for linking: a child, a man, a woman."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from aef.linking.person import Place
from aef.names.parts import word_set
from aef.names.person_name import Name, is_given

_YOUNG = word_set(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "un uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"
)

_WOMEN = word_set(
    "mother wife daughter sister aunt grandmother girlfriend stepmother niece widow madre esposa hija "
    "hermana tía abuela viuda mère épouse fille sœur tante veuve"
)
_MEN = word_set(
    "father husband son brother uncle grandfather boyfriend stepfather nephew widower padre esposo marido "
    "hijo hermano tío abuelo père époux mari fils frère oncle veuf"
)

_CHILD_BEFORE = re.compile(
    r"\b(?:child|children|infant|baby|toddler|minor|boy|girl|son|daughter|niñ[oa]s?|menor|menores|hij[oa]s?|enfants?"
    r"|mineure?|fils|fille)\b(?:(?!['’]|\b(?:mother|father|parent|wife|husband|aunt|uncle|of|by|with|from)\b)[^.;\n]){0,25}$",
    re.IGNORECASE,
)
_CHILD_AFTER = re.compile(
    r",?\s+(?:who\s+)?(?:is|was|aged|age|turned|tiene|tenía)\s+(?:now\s+)?([\w-]+)", re.IGNORECASE
)
_ADULT = 18


def never_titled(text: str, names: Mapping[Place, Name]) -> frozenset[str]:
    """The given names of those whom no title goes with before the surname: children ("the child, Will", "Will is
    six"), and who has it before the given name (Miss Jemima)."""
    found = set()
    for (start, end), name in names.items():
        styled = len(name.words) == 1 and bool(name.rank) and is_given(name.words[0])
        if styled or (not name.titles and _is_child(text, start, end)):
            found.add(name.words[0])
    return frozenset(found)


def _is_child(text: str, start: int, end: int) -> bool:
    """Whether the words around a name tell a child."""
    age = _CHILD_AFTER.match(text, end, end + 40)
    if age and age[1].isdigit():
        return int(age[1]) < _ADULT
    small = age is not None and age[1].lower() in _YOUNG
    return small or bool(_CHILD_BEFORE.search(text, max(0, start - 40), start))


def leaning_of(text: str, places: Sequence[Place]) -> str | None:
    """Whether the words of kinship right before a name and the first pronoun after it tell a man or a woman."""
    count: Counter[str] = Counter()
    for start, end in places:
        before = re.findall(r"\w+", text[max(0, start - 40) : start].rpartition("\n")[2].rpartition(".")[2])[-2:]
        after = re.findall(r"\w+", text[end : end + 80].partition("\n")[0])
        pronoun = next((w.lower() for w in after if w.lower() in ("he", "she")), "")
        for word in map(str.lower, [*before, *before, pronoun]):
            count["f"] += word in _WOMEN or word == "she"
            count["m"] += word in _MEN or word == "he"
    for rank, other in (("f", "m"), ("m", "f")):
        if count[rank] >= 2 and count[rank] >= 2 * count[other]:
            return rank
    return None
