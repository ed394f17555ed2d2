"""What tells a hidden name beside a ruling's text: one notion, for what writes a file and for what verifies it.

It depends on the place. Where somebody writes, every name tells. What somebody chose, the name of a style or of a
bookmark, tells unless it is made of the format's own words. What the format says itself, in names of elements, kinds of
things, fonts and addresses of schemas, tells where a name is found that is no word of the format and no ordinary one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from string import hexdigits
from typing import TYPE_CHECKING

from aef.corpus_tools.edits import Replacement, apply_edits
from aef.corpus_tools.metadata.field_codes import FIELDS, REFERENCES
from aef.corpus_tools.metadata.format_words import is_standard, tells_nobody, words

if TYPE_CHECKING:
    from aef.corpus_tools.name_search.hidden_names import HiddenNames


class Place(Enum):
    """Where a text beside the ruling's stands, by whose words it is of."""

    WRITTEN = "somebody's"
    CHOSEN = "somebody's, or the format's"
    OWN = "the format's"
    CODE = "the code of a field"


_FREE_TEXT = words(
    "descr title alt author tooltip string displayText value default statusText helpText listEntry alias tag lvlText "
    "tblCaption tblDescription caption docVar"
)
"""Attributes that hold what somebody wrote, and elements whose attributes do; in others a name is part of an
identifier, to which another attribute may refer."""
_CHOSEN_ELEMENTS = words(
    "name aliases basedOn next link pStyle rStyle tblStyle styleLink numStyleLink docPart docPr cNvPr ffData"
)
"""Elements whose values are names that somebody gave, of styles, fields and drawings."""
_CHOSEN_ATTRIBUTES = words(
    "styleId name id spid anchor ProgID ShapeID uniqueId class for href src cite action content label summary "
    "placeholder abbr"
)
_OWN_ELEMENTS = words("lsdException compatSetting font altName rFonts latin ea cs sym Relationship Override Default")
_OF_NUMBERS = frozenset(hexdigits + "{}#%.:-")
_SWITCH = re.compile(r"\\[*@#]\s*(?:\"[^\"]*\"|\S+)")


def place_of(tag: str, key: str = "") -> Place:
    """The place of an attribute, or of the text of an element, by their local names."""
    if key == "instr":
        return Place.CODE
    if key in _FREE_TEXT or (key and tag in _FREE_TEXT):
        return Place.WRITTEN
    if tag in _OWN_ELEMENTS:
        return Place.OWN
    chosen = not key or tag in _CHOSEN_ELEMENTS or key in _CHOSEN_ATTRIBUTES or key.startswith(("aria-", "data-"))
    return Place.CHOSEN if chosen else Place.OWN


class Telling:
    """What tells ``names`` in the places of a file; the texts of a file are the same again and again."""

    def __init__(self, names: HiddenNames) -> None:
        self.names = names
        self._known: dict[tuple[str, Place], list[Replacement]] = {}

    def __call__(self, text: str, place: Place) -> list[Replacement]:
        """The stretches of a text that tell, each with what may stand there."""
        known = self._known.get((text, place))
        if known is None:
            known = self._known[text, place] = self._found(text, place)
        return known

    def look_over(self, texts: Iterable[str], place: Place) -> None:
        """Learn of many texts at once that none tells, where no name is among them: each need not be searched then."""
        new = [text for text in texts if (text, place) not in self._known]
        if new and not self.names.among(new):
            self._known |= {(text, place): [] for text in new}

    def replaced(self, text: str, place: Place) -> str:
        """The text without what tells: what still does, with what stands there now, goes as a whole."""
        new = apply_edits(text, self(text, place))
        return new if not self(new, place) else "" if place is Place.WRITTEN else "x"

    def _found(self, text: str, place: Place) -> list[Replacement]:
        if place is Place.WRITTEN:
            return self.names.edits(text)
        if place is Place.CODE:
            return self._in_code(text)
        number = _OF_NUMBERS.issuperset(text) and any(map(str.isdigit, text))
        if number or is_standard(text):
            return []
        edits = self.names.edits(text, identifier=True)
        if place is Place.OWN:
            return [edit for edit in edits if not tells_nobody(text[edit[0] : edit[1]])]
        return edits

    def _in_code(self, code: str) -> list[Replacement]:
        """What tells in the code of a field: not its first word, nor how its result is to look."""
        keyword = next(iter(code.split(maxsplit=1)), "").upper()
        behind = code.upper().find(keyword) + len(keyword) if keyword in FIELDS else 0
        switches = [match.span() for match in _SWITCH.finditer(code)]
        return [
            (start + behind, end + behind, new)
            for start, end, new in self.names.edits(code[behind:], keyword in REFERENCES)
            if not any(low <= start + behind < high for low, high in switches)
            or not tells_nobody(code[start + behind : end + behind])
        ]
