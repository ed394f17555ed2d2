"""What a mention that is no person names: an organisation, a law firm, an address, a birth date ..."""

from __future__ import annotations

import re

from aef.context.cues import cues
from aef.corpus_tools.document import Document, Mention
from aef.names.parts import DATETIME, LOC, ORG

_TYPES = {ORG: "organisation", LOC: "location", DATETIME: "date"} | {
    "CODE": "code",
    "DEM": "demographic",
    "QUANTITY": "quantity",
}
_REACH = 60


def entity_type_of(document: Document, mention: Mention, kind: str) -> str:
    """The type of a thing from its kind (as the Text Anonymization Benchmark has them) and the words in and before it.

    >>> entity_type_of(d := Document.from_text("born on May 2, 2009"), Mention(8, 19), "DATETIME")
    'birth date'
    """
    if mention.extra.get("class") == "SCHOOL":
        return "school"
    words = cues(document.language)
    text = document.cut(mention)
    if kind == ORG and holds(words["firm"].pattern, text):
        return "law firm"
    if kind == LOC and (any(map(str.isdigit, text)) or holds(words["address"].pattern, text)):
        return "address"
    if kind == DATETIME and follows_birth(document, mention.start):
        return "birth date"
    return _TYPES.get(kind, "miscellaneous")


def holds(pattern: str, text: str) -> bool:
    """Whether a text has the pattern somewhere."""
    return re.search(pattern, text) is not None


def follows_birth(document: Document, place: int) -> bool:
    """Whether words right before a place say that somebody was born."""
    pattern = cues(document.language)["born"].pattern
    before = document.text[max(0, place - _REACH) : place]
    return holds(rf"(?:{pattern})[^.;\n]{{0,40}}$", before)
