"""What happens to the elements and attributes of a DOCX, by their names: the tables of `aef.corpus_tools.docx.policy`,
and that a name which tells somebody hidden goes."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache

from aef.corpus_tools.docx.policy import BLANK_ATTRIBUTES, DROPPED_ATTRIBUTES, ELEMENTS, NAMESPACES, Policy
from aef.corpus_tools.docx.xml import MC, Kinds, W, local, space
from aef.corpus_tools.metadata.telling import Place, Telling

BLANKED, PREFIXES = "blank", "prefixes"
"""What happens to attributes beside the policies: they are left without a value, or their prefixes are looked at."""


class Fates:
    """The fates of a package's elements and attributes; a package has few different ones.

    ``known(uri)`` : whether elements of a namespace are kept. ``of_element(tag)`` : what happens to elements of a name,
    None where they stay. ``of_attributes(keys)`` : the same of attributes that stand together, of those alone that do
    not just stay.
    """

    def __init__(self, telling: Telling) -> None:
        self._telling = telling
        self.known = cache(self._known)
        self.of_element = cache(self._of_element)
        self.of_attributes = cache(self._of_attributes)
        self._of_attribute = cache(self._of_each)

    def touched(self, kinds: Kinds) -> set[str]:
        """The names of those elements with which, or with whose attributes, something happens."""
        names = {local(name) for tag, keys in kinds for name in (tag, *keys)}
        self._telling.look_over(names, Place.OWN)
        return {tag for tag, keys in kinds if self.of_element(tag) is not None or self.of_attributes(keys)}

    def _known(self, uri: str | None) -> bool:
        return uri is not None and NAMESPACES.fullmatch(uri) is not None and not self._telling(uri, Place.OWN)

    def _named(self, name: str) -> bool:
        """Whether an element or attribute is kept, by its name with its namespace."""
        return (name[0] != "{" or self.known(space(name))) and not self._telling(local(name), Place.OWN)

    def _of_element(self, tag: str) -> Policy | None:
        return ELEMENTS.get(local(tag)) if self._named(tag) else Policy.DROP

    def _of_attributes(self, keys: tuple[str, ...]) -> list[tuple[str, Policy | str]]:
        return [(key, fate) for key in keys if (fate := self._of_attribute(key)) is not None]

    def _of_each(self, key: str) -> Policy | str | None:
        if any(fnmatchcase(local(key), form) for form in DROPPED_ATTRIBUTES) or not self._named(key):
            return Policy.DROP
        if local(key) in BLANK_ATTRIBUTES and key.startswith(W):
            return BLANKED
        return PREFIXES if key.startswith(MC) else None
