"""Gazetteers: names in any order of their words, case and accents folded, the longest at a place."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aef.annotators.gazetteer import Gazetteer, case_endings
from aef.annotators.name_index import NameIndex, name_sum, names_of
from aef.corpus_tools.document import Document
from aef.errors import InputError

NAMES = ["May", "Ioana Maria Popescu", "Cluj", "József O'Brien", "Anna de la Cruz", "Maria", "Jean-Luc Petit"]
NAMES += ["L&P", "Marsh & Son", "Łukasz Wałęsa", "Kærsgård Sjørup", "Đorđe Altınay"]

CASES = [
    ("Popescu Ioana Maria left.", ["Popescu Ioana Maria"], "another order"),
    ("POPESCU IOANA-MARIA left.", ["POPESCU IOANA-MARIA"], "capitals, a hyphen"),
    ("Popescu, Ioana Maria left.", ["Popescu, Ioana Maria"], "a comma behind the surname"),
    ("Popescu\nIoana Maria left.\n\nHe stayed.", ["Popescu\nIoana Maria"], "a line's end inside"),
    ("Ioana Popescu left.", [], "a word of the name is missing"),
    ("Ioana Ioana Maria Popescu left.", ["Ioana Maria Popescu"], "a word too many"),
    ("Ioana Maria (Popescu) left.", ["Maria"], "brackets are no part of a name"),
    ("He saw Jozsef O’Brien.", ["Jozsef O’Brien"], "accents, another apostrophe"),
    ("ioana maria popescu left.", [], "without capitals"),
    ("Anna de la Cruz left.", ["Anna de la Cruz"], "particles in lower case"),
    ("In Cluj, Maria left.", ["Cluj", "Maria"], "names of one word"),
    ("He saw Popescu. Ioana Maria left.", ["Maria"], "not over a sentence's end"),
    ("May I? In May.", [], "a word that is a month alone"),
    ("Luc Petit, Jean left.", ["Luc Petit, Jean"], "a hyphenated entry in parts"),
    ("Marsh & Son is L&P.", ["Marsh & Son", "L&P"], "letters that only a sign joins are one word"),
    ("Wałęsa, Łukasz left.", ["Wałęsa, Łukasz"], "letters without a decomposition"),
    ("He saw KÆRSGÅRD SJØRUP.", ["KÆRSGÅRD SJØRUP"], "letters without a decomposition, one of them two letters"),
    ("Dorde ALTINAY left.", ["Dorde ALTINAY"], "letters without a decomposition, written plainly"),
]

ENDINGS = [
    ("clujului", "cluj", "masculine genitive"),
    ("mariei", "maria", "feminine genitive"),
    ("ioanei", "ioana", "feminine genitive"),
    ("radului", "radu", "a name that ends in u"),
    ("floricai", "florica", "the stem's vowel changes"),
    ("bucurestiului", "bucuresti", "a town"),
    ("lucretiei", "lucretia", "a stem that ends in i"),
]


def found(gazetteer: Gazetteer, text: str) -> list[str]:
    document = gazetteer.tag(Document.from_text(text))
    return [document.cut(mention) for mention in document.mentions]


@pytest.mark.parametrize(("text", "names", "reason"), CASES, ids=[c[2] for c in CASES])
def test_what_is_found(text: str, names: list[str], reason: str) -> None:
    assert found(Gazetteer(NameIndex.of(NAMES)), text) == names, reason


@pytest.mark.parametrize(("word", "nominative", "reason"), ENDINGS, ids=[c[0] for c in ENDINGS])
def test_romanian_case_endings(word: str, nominative: str, reason: str) -> None:
    endings = case_endings("ro")
    assert endings is not None and nominative in endings(word), reason


def test_languages_without_case_endings_have_none() -> None:
    assert case_endings("en") is None


def test_names_in_the_oblique_case_are_found() -> None:
    gazetteer = Gazetteer(NameIndex.of(NAMES), language="ro")
    text = "Cererea Ioanei Maria Popescu, din raza Clujului, a fost admisă."
    assert found(gazetteer, text) == ["Ioanei Maria Popescu", "Clujului"]


def test_neighbouring_capitals_belong_to_a_known_given_name() -> None:
    gazetteer = Gazetteer(NameIndex.of(["Ioana"]), neighbours=True)
    assert found(gazetteer, "The witness Ioana-Maria Vlad Pop saw Mrs Ioana T. Crisan.") == [
        "Ioana-Maria Vlad Pop",
        "Ioana T. Crisan",
    ]


def test_words_in_lower_case_where_they_are_asked_for() -> None:
    assert found(Gazetteer(NameIndex.of(["red mill"]), capitals=False), "at the red mill") == ["red mill"]


WORDS = ["Ana", "Dan", "Ion", "Mia", "Pop", "Rus"]
sequences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4)


@given(st.lists(sequences, min_size=1, max_size=6), sequences)
def test_the_order_of_words_does_not_matter(names: list[list[str]], text: list[str]) -> None:
    straight = NameIndex.of(" ".join(name) for name in names)
    backward = NameIndex.of(" ".join(reversed(name)) for name in names)
    assert straight.names.tolist() == backward.names.tolist()
    assert len({name_sum(order) for order in permutations(map(str.lower, text))}) == 1


@given(st.lists(sequences, min_size=1, max_size=6), st.lists(st.sampled_from([*WORDS, "saw"]), max_size=20))
def test_as_a_plain_search_over_all_stretches_finds_them(names: list[list[str]], words: list[str]) -> None:
    wanted = [Counter(name) for name in names]
    expected, i = [], 0
    while i < len(words):
        sizes = [n for n in range(4, 0, -1) if i + n <= len(words) and Counter(words[i : i + n]) in wanted]
        expected += [" ".join(words[i : i + sizes[0]])] if sizes else []
        i += sizes[0] if sizes else 1
    assert found(Gazetteer(NameIndex.of(map(" ".join, names))), " ".join(words)) == expected


def test_many_names_in_parts_are_one_index(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aef.annotators.name_index._LINES", 100)
    chance = random.Random(4)
    names = [" ".join(chance.choices(["ba", "Cé", "di-fo", "G.", "ha", "??"], k=3)) for _ in range(1050)]
    index = NameIndex.of(names)
    words = (re.findall(r"\w+", name.lower().replace("é", "e")) for name in names)
    distinct = {tuple(sorted(found)) for found in words if found}
    assert len(index.names) == len(distinct) and index.longest == max(map(len, distinct))
    assert len(index.words) == len({word for name in distinct for word in name})


def test_a_file_of_names(tmp_path: Path) -> None:
    path = tmp_path / "names.txt"
    path.write_text("\ufeff# ours\nIoana Popescu\n\n  Dan   Rus \n", encoding="utf-8")
    assert found(Gazetteer(NameIndex.of(names_of([path]))), "Popescu Ioana met Rus Dan.") == [
        "Popescu Ioana",
        "Rus Dan",
    ]


BAD = [
    (b"Jos\xe9\n", "cannot be read as UTF-8 text. Save the list as UTF-8"),
    (b"# nothing\n\n", "no name in it. Write one name a line"),
    (None, "cannot be read"),
]


@pytest.mark.parametrize(("content", "message"), BAD)
def test_a_file_that_is_no_good_is_named(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "names.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=rf"names\.txt: {message}"):
        list(names_of([path]))


def test_an_empty_list_finds_nothing() -> None:
    assert found(Gazetteer(NameIndex.of(["...", ""])), "Ana saw Dan.") == []
    assert found(Gazetteer(NameIndex.of(["Ana"])), "") == []
