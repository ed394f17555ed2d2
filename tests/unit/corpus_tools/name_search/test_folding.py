"""What is seen of a text, and its one spelling: the quick ways find what a look at each letter finds."""

from __future__ import annotations

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from aef.corpus_tools.name_search.folding import folded, readable, unseen

MARKS = "".join(chr(c) for c in range(0x300, 0x20F0) if unicodedata.combining(chr(c)))
CLUSTER = re.compile(rf"(?s).[{re.escape(MARKS)}]*")
LETTERS = "aEé'- ]^\\\n"
ODD = "\u00ad\u200b\u200d\ufeff\ufe0f\u034f\u212b\u0958\u0344\u0f73\uac00\u11a8\u1100\u1161\U0001d15e\ud800"
"""Signs that nobody sees, characters that are written otherwise when composed, and parts of syllables."""


def letter_by_letter(text: str) -> tuple[str, list[int]]:
    """`readable` as its help says it, without a short cut."""
    if not any(unseen(c) or unicodedata.combining(c) for c in text):
        return text, list(range(len(text) + 1))
    letters: list[tuple[int, str]] = []
    for match in CLUSTER.finditer(text):
        seen = [(i, c) for i, c in enumerate(match.group(), match.start()) if not unseen(c)]
        composed = unicodedata.normalize("NFC", "".join(c for _, c in seen))
        letters += [(match.start(), composed)] if len(composed) == 1 else seen
    return "".join(c for _, c in letters), [*(i for i, _ in letters), len(text)]


@given(st.text(st.sampled_from(LETTERS + ODD + "\u0301\u0308\u0327\u302a\ufe20") | st.characters(), max_size=20))
def test_it_is_what_each_letter_with_its_marks_shows(text: str) -> None:
    shown, places = readable(text)
    assert (shown, list(places)) == letter_by_letter(text)


SAME = dict(zip("’‘ʼ‐‑–—−\u00a0ıłŁøØđĐħĦŧŦ", "'''----- ilLoOdDhHtT", strict=True))


def spelled(char: str) -> str:
    """One character as `folded` has it: without case, accents and signs that nobody sees."""
    if char.isascii() or unseen(char):
        return char.lower() if char.isascii() else ""
    plain = unicodedata.normalize("NFKD", SAME.get(char, char)).casefold()
    return "".join(SAME.get(c, c) for c in plain if not unicodedata.combining(c))


@given(
    st.text(st.sampled_from(LETTERS + "’–\u00a0ıŁ½ßﬁ…AÉΣ\u13a0\uab70" + ODD), max_size=60)
    | st.text(max_size=20)
    | st.lists(st.characters(min_codepoint=128, max_codepoint=0x2FF), min_size=40).map("".join)
)
def test_folded_is_what_each_character_folded_is(text: str) -> None:
    found, places = folded(text)
    letters = [(i, c) for i, char in enumerate(text) for c in spelled(char)]
    assert found == "".join(c for _, c in letters)
    assert list(places) == [*(i for i, _ in letters), len(text)]
