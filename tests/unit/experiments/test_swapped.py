"""Rulings with other names: what is marked is what was put there."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from aef.corpus_tools.document import Document, Mention
from aef.experiments.swapped import swapped

TEXT = "El Sr. Juan Ruiz vive en Cádiz, y allí trabaja. RUIZ y J. R. callan."
PLACES = (("Juan Ruiz", "PERSON"), ("Cádiz", "LOC"), ("RUIZ", "PERSON"), ("J. R.", "PERSON"))


def ruling() -> Document:
    spans = [(TEXT.index(name), kind, len(name)) for name, kind in PLACES]
    return Document.from_text(TEXT, "r", [Mention(at, at + n, kind, "DIRECT") for at, kind, n in spans])


@given(st.integers(0, 200))
def test_a_swapped_ruling_keeps_its_mentions_and_loses_its_names(seed: int) -> None:
    made = swapped(ruling(), "es", seed)
    full, place, last, initials = (made.cut(m) for m in made.mentions)
    assert place == "Cádiz" and "Juan" not in made.text and "ruiz" not in made.text.casefold()
    assert last.isupper() and full.casefold().endswith(f" {last.casefold()}"), "one name, one other name"
    assert re.fullmatch(r"[A-Z]\. [A-Z]\.", initials), "initials stay initials"
    assert [m.entity_type for m in made.mentions] == [kind for _, kind in PLACES]


def test_the_same_seed_gives_the_same() -> None:
    assert swapped(ruling(), "es", 1).text == swapped(ruling(), "es", 1).text
    assert len({swapped(ruling(), "es", seed).text for seed in range(5)}) == 5
