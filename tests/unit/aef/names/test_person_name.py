"""What a name in one place tells: words in order, titles, surnames for certain; familiar forms; how names fit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aef.names.matching import GIVEN, INNER, SAME, SURNAME, WHOLE, fit, keys, word_fit
from aef.names.parts import initials, name_words, split_name
from aef.names.person_name import Name, familiar, is_given, parse, usual_rank

PARSED = [
    (
        "a judge, a particle, a suffix",
        "Mr. Justice {Dan Will van Roe} Jr.",
        Name(("dan", "will", "roe"), 1, ("mr", "justice"), "jr"),
    ),
    ("what stands around the name", "{the late John Graves of Leeds}", Name(("john", "graves"))),
    ("a capital adjective", "{Old Cotter}", Name(("cotter",))),
    ("Young is a given name, too, except before one", "{Young Park}", Name(("young", "park"))),
    ("and before one it is none", "{Young Anthony}", Name(("anthony",))),
    ("a numeral", "{Charles II}", Name(("charles",), suffix="ii")),
    ("a numeral in words", "{Charles the Second}", Name(("charles",), suffix="second")),
    ("a title of kinship in the mention", "{Uncle John}", Name(("john",), titles=("uncle",))),
    ("in lower case", "{sister Jemima}", Name(("jemima",), titles=("sister",))),
    ("an occupation", "{Farmer Oak}", Name(("oak",), titles=("farmer",))),
    ("an occupation that is a given name", "{Dean Smith}", Name(("dean", "smith"))),
    ("surnames first", "{PÉREZ CABRERA, María José}", Name(("maria", "jose", "perez", "cabrera"), 2)),
    ("Spanish titles, whatever the language", "Sres. {Pedro}", Name(("pedro",), titles=("sres",))),
    ("a surname with a particle first", "{van der Berg}", Name(("berg",), 1)),
    ("a hyphenated surname", "{Ann Roe-Lee}", Name(("ann", "roe", "lee"), 2)),
    ("a hyphenated surname alone", "{Lefèvre-Duval}", Name(("lefevre", "duval"), 2, one_word=True)),
    ("a hyphenated given name", "{Jean-Pierre}", Name(("jean", "pierre"), one_word=True)),
    ("digits read for letters", "{J0anne Green}", Name(("joanne", "green"))),
    ("a couple", "Mr and Mrs {Roe}", Name(("roe",), titles=("mrs",), family=True)),
    ("a title alone", "{Mr}", Name(("mr",))),
    ("no name", "{## 12}", Name(("##", "12"))),
]


@pytest.mark.parametrize(("reason", "text", "expected"), PARSED, ids=[c[0] for c in PARSED])
def test_parsed(reason: str, text: str, expected: Name) -> None:
    start, end = text.index("{"), text.index("}") - 1
    assert parse(text.replace("{", "").replace("}", ""), start, end) == expected, reason


def test_two_surnames_in_spanish() -> None:
    text = "Antonio Ruiz Fernández"
    assert (parse(text, 0, len(text), "es").surnames, parse(text, 0, len(text)).surnames) == (2, 0)


RANKS = [("Mrs", "f"), ("Sr", "m"), ("Justice", "judge"), ("Dr", None), ("Captain", None), ("Sir", "m"), ("Dña", "f")]


@pytest.mark.parametrize(("title", "rank"), RANKS)
def test_what_titles_tell(title: str, rank: str | None) -> None:
    text = f"{title} Roe"
    assert parse(text, len(title) + 1, len(text)).rank == rank


GIVEN_NAMES = [("pedro", "m"), ("winnie", "f"), ("tommy", "m"), ("sam", None), ("henrietta", "f"), ("newland", None)]


@pytest.mark.parametrize(("word", "rank"), GIVEN_NAMES)
def test_what_given_names_suggest(word: str, rank: str | None) -> None:
    assert usual_rank(word) == rank


def test_familiar_forms() -> None:
    assert (familiar("bill", "william"), familiar("william", "bill")) == (2, 2)
    assert (familiar("bill", "will"), familiar("bill", "bob"), familiar("paco", "francisco")) == (1, 0, 2)
    assert is_given("paco") and not is_given("cotter")


FITS = [
    (("ann", "roe"), ("ann", "roe"), SAME, "equal"),
    (("ann", "roe"), ("ann", "bea", "roe"), WHOLE, "a name left out"),
    (("pedro", "perez"), ("pedro", "perez", "gomez"), WHOLE, "the second surname left out"),
    (("roe",), ("ann", "roe"), SURNAME, "the surname"),
    (("ann",), ("ann", "roe"), GIVEN, "the given name"),
    (("bea",), ("ann", "bea", "roe"), INNER, "the second given name"),
    (("a", "roe"), ("ann", "roe"), SAME, "an initial"),
    (("a", "b", "r"), ("ann", "bea", "roe"), WHOLE, "initials alone"),
    (("roe", "ann"), ("ann", "roe"), SAME, "turned round"),
    (("ann", "roe"), ("bea", "roe"), None, "another given name"),
    (("ann", "bea", "roe"), ("ann", "cleo", "roe"), None, "another second one"),
    (("william", "millar"), ("david", "william", "millar"), None, "father and son"),
    (("b", "roe"), ("ann", "bea", "roe"), None, "an initial of the second name alone"),
    (("ann",), ("bea",), None, "nothing in common"),
]


@pytest.mark.parametrize(("a", "b", "level", "reason"), FITS, ids=[c[3] for c in FITS])
def test_fits(a: tuple[str, ...], b: tuple[str, ...], level: int | None, reason: str) -> None:
    found = fit(Name(a), Name(b))
    assert (found.level if found else None) == level, reason
    assert fit(Name(b), Name(a)) == found


WORDS = [
    ("mahmood", "mahmoud", True, "a vowel"),
    ("philipp", "phillip", True, "double letters"),
    ("gonzalez", "gonzales", True, "s for z"),
    ("barnett", "bamett", True, "rn read as m"),
    ("catherine", "katherine", True, "c for k"),
    ("kuan", "koan", True, "four letters"),
    ("lee", "leo", False, "three letters"),
    ("johnson", "johnston", False, "another sound"),
    ("fernandez", "hernandez", False, "another beginning"),
    ("woodhouse", "woodhouses", False, "a plural"),
    ("anna", "anne", True, "the list has them as spellings of one name"),
    ("mario", "maria", False, "a man and a woman"),
    ("carlo", "carla", False, "also where the lists do not know them"),
]


@pytest.mark.parametrize(("a", "b", "alike", "reason"), WORDS, ids=[f"{c[0]} {c[1]}" for c in WORDS])
def test_spellings(a: str, b: str, alike: bool, reason: str) -> None:
    assert bool(word_fit(a, b)) == alike == bool(word_fit(b, a)), reason


_WORDS = "ann bea roe lee j r w william bill will mahmood mahmoud philipp phillip johnson johnston"
ANY_WORDS = st.lists(
    st.sampled_from(_WORDS.split()),
    min_size=1,
    max_size=4,
).map(tuple)


@given(ANY_WORDS, ANY_WORDS)
def test_names_that_fit_share_a_key(a: tuple[str, ...], b: tuple[str, ...]) -> None:
    one, other = Name(a), Name(b)
    assert fit(one, other) == fit(other, one)
    if fit(one, other):
        assert keys(one) & keys(other)


SPLIT = [
    ("GREEN, J.L.", "J. L. | GREEN"),
    ("PÉREZ CABRERA María José", "María José | PÉREZ CABRERA"),
    ("María PÉREZ", "María | PÉREZ"),
    ("Jan van der Berg", "Jan | van der Berg"),
    ("María García y Núñez", "María | García y Núñez"),
    ("Ortega y Gasset", " | Ortega y Gasset"),
    ("DE LA TORRE LÓPEZ, Inés", "Inés | DE LA TORRE LÓPEZ"),
    ("JOANNE GREEN", "JOANNE GREEN | "),
    ("Jane Roe, Q.C.", "Jane Roe | "),
    ("Roe, Ann, Esq.", "Ann | Roe"),
    ("Green (née Brown)", "Green | "),
    ("Smith, a lawyer", "Smith a lawyer | "),
]


@pytest.mark.parametrize(("name", "expected"), SPLIT, ids=[c[0] for c in SPLIT])
def test_given_names_and_surnames(name: str, expected: str) -> None:
    given_names, surnames = split_name(name)
    assert f"{' '.join(given_names)} | {' '.join(surnames)}" == expected
    assert name_words(name) == [*given_names, *surnames]


INITIALS = [
    ("Jane Roe QC", "J.R."),
    ("DE LA TORRE LÓPEZ, Inés", "I.T.L."),
    ("O. Le Guen", "O.L.G."),
    ("AL ROE", "A.R."),
]


@pytest.mark.parametrize(("name", "expected"), INITIALS, ids=[c[0] for c in INITIALS])
def test_initials(name: str, expected: str) -> None:
    assert initials(name) == expected
