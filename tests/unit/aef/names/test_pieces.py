"""Names that were found in pieces: which pieces are one name, each case with its reason."""

from __future__ import annotations

import re

import pytest

from aef.corpus_tools.document import Document, Mention
from aef.names.pieces import whole

CASES = [
    ("<YOUNG>, <Hunter Jai> pleaded", ["YOUNG, Hunter Jai"], "a surname in capitals before a comma"),
    ("<Rose>, <Will> came. <Will Rose> left", ["Rose, Will", "Will Rose"], "elsewhere in full"),
    ("<Rose>, <Will> came", ["Rose", "Will"], "perhaps two people"),
    ("<ANN ROE>, <BEA>, <CARL>", ["ANN ROE", "BEA", "CARL"], "a list in capitals"),
    ("the case\n<LAW SIEW LING>, <SUMMER>\nPlaintiff", ["LAW SIEW LING, SUMMER"], "a line of its own, a name added"),
    ("<Sk>. <Moslem> came", ["Sk. Moslem"], "a shortened name"),
    ("<Roe>. <Lee> came", ["Roe", "Lee"], "the end of a sentence"),
    ("saw <Al>\n<Earl Lamar>. <Al Earl Lamar> left", ["Al\nEarl Lamar", "Al Earl Lamar"], "a broken line"),
    ("<Dwight>\n<Earl Lamar>", ["Dwight", "Earl Lamar"], "two lines of a list"),
]


@pytest.mark.parametrize(("marked", "wanted", "reason"), CASES, ids=[case[-1] for case in CASES])
def test_pieces(marked: str, wanted: list[str], reason: str) -> None:
    text, mentions = "", []
    for i, piece in enumerate(re.split("[<>]", marked)):
        if i % 2:
            mentions.append(Mention(len(text), len(text) + len(piece), "PERSON"))
        text += piece
    document = Document.from_text(text, "made", mentions)
    assert [document.cut(m) for m in whole(document, mentions)] == wanted, reason


def test_mentions_that_somebody_has_linked_stay_as_they_are() -> None:
    mentions = [Mention(0, 4, "PERSON", entity_id="a"), Mention(6, 10, "PERSON", entity_id="b")]
    assert whole(Document.from_text("ROSE, Will", "made", mentions), mentions) == mentions
