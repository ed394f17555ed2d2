"""The support of cues: in which rulings each tells of somebody, and how often that is so."""

from __future__ import annotations

from aef.corpus_tools.document import Document, Mention
from aef.experiments.cues import Support, rows

TEXT = "Constable Roe came. Then Constable Hext and Dr Bray, a psychologist, came back to the house."


def ruling(text: str, **roles: str) -> Document:
    mentions = [
        Mention(text.index(name), text.index(name) + len(name), "PERSON", entity_id=name, extra={"role": role})
        for name, role in roles.items()
    ]
    return Document.from_text(text, mentions=mentions)


def test_rulings_mentions_and_what_is_right_are_counted() -> None:
    found = Support.of(
        [ruling(TEXT, Roe="official", Hext="party", Bray="expert"), ruling("They met Roe.", Roe="party")]
    )
    assert found.rulings[("before", "constable")] == 1
    assert (found.mentions[("before", "constable")], found.right[("before", "constable")]) == (2, 1)
    assert (found.mentions[("noun", "psychologist")], found.right[("noun", "psychologist")]) == (1, 1)


def test_a_cue_that_no_ruling_has_is_a_line_of_noughts() -> None:
    real, written = Support.of([]), Support.of([ruling(TEXT, Roe="official")])
    by_cue = {tuple(row[1:3]): row for row in rows("en", real, written)}
    assert by_cue["before", "constable"] == ["official", "before", "constable", 0, 1, 1, 100.0]
    assert by_cue["noun", "psychologist"][3:] == [0, 0, 0, ""]
