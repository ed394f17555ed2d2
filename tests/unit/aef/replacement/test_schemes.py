"""What hidden people and things are called: each scheme's labels, and what holds of all of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aef import lexicons
from aef.corpus_tools.alignment.conventions import recognize
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.edits import apply_edits
from aef.errors import InputError
from aef.linking.linker import CANDIDATES
from aef.names.entity import Entity
from aef.names.parts import fold
from aef.replacement.plan import Memory, entities, labels_of, linked, plan
from aef.replacement.schemes import ALIASES, MARKS, SCHEMES, Naming, Scheme, resolve

Piece = tuple[str, str]


def ruling(*pieces: str | Piece | tuple[str, str, str], language: str = "en") -> Document:
    """A document of pieces of text; a pair is a mention with its type, a triple one with a role, too."""
    text, mentions = "", []
    for piece in pieces:
        words, kind, role = (piece, None, None) if isinstance(piece, str) else (*piece, None)[:3]
        if kind is not None:
            extra = {"role": role} if role else {}
            mentions.append(Mention(len(text), len(text) + len(words), kind, extra=extra))
        text += words
    return Document.from_text(text, "ruling", mentions).in_language(language)


def hidden(document: Document, scheme: str, seed: int = 0, keep_initials: bool = False) -> str:
    edits = plan(document, scheme, seed=seed, keep_initials=keep_initials)
    return apply_edits(document.text, [(e.start, e.end, e.replacement) for e in edits])


RULING = (
    *(("Ann Roe", "PERSON"), " and ", ("Bo Lee", "PERSON", "applicant"), " met Ms. ", ("Roe", "PERSON"), " at "),
    *(("Acme Ltd.", "ORG", "law firm"), " in ", ("Nelson", "LOC"), " or ", ("Trail", "LOC"), "; ", ("a@b.ca", "CODE")),
)
SCHEMED = [
    ("initials", "A.R. and B.L. met Ms. A.R. at A.[...] Ltd. in [...] or [...]"),
    ("letters", "AA and BB met Ms. AA at [...] in [...] or [...]"),
    ("roles", "PERSON_1 and APPLICANT_1 met Ms. PERSON_1 at LAW_FIRM_1 in LOC_1 or LOC_2; CODE_1"),
    ("counters", "Person1 and Person2 met Ms. Person1 at Company1 in Place1 or Place2; Email1"),
    ("blank", "[...] and [...] met Ms. [...] at [...] in [...] or [...]"),
    ("hashes", None),
    ("pseudonyms", None),
]


@pytest.mark.parametrize(("scheme", "expected"), SCHEMED, ids=[name for name, _ in SCHEMED])
def test_one_ruling_by_every_scheme(scheme: str, expected: str | None) -> None:
    assert expected in (None, hidden(ruling(*RULING), scheme))


HASHES = [
    ("three at least, and things have two", "no sign", 3),
    ("longer than any in the ruling", "a line: #######", 8),
]


@pytest.mark.parametrize(("reason", "words", "least"), HASHES, ids=[c[0] for c in HASHES])
def test_hashes(reason: str, words: str, least: int) -> None:
    for seed in range(5):
        text = hidden(ruling(f"{words}; ", *RULING), "hashes", seed)
        found = re.fullmatch(rf"{words}; (#+) and (#+) met Ms\. \1 at ## in ## or ##", text)
        assert found and len({len(found[1]), len(found[2])}) == 2 and min(map(len, found.groups())) >= least, reason


def test_every_scheme_is_in_the_table_and_has_a_help_line() -> None:
    assert [name for name, _ in SCHEMED] == list(SCHEMES)
    assert all(function.__doc__ for function in SCHEMES.values())
    assert ALIASES == {"labels": "letters", "omission": "blank"}, "the names of earlier versions"


def test_an_alias_is_the_scheme() -> None:
    assert hidden(ruling(*RULING), "labels") == hidden(ruling(*RULING), "letters")
    assert resolve("omission") == "blank"


UNKNOWN = [
    ("lists all", "numbers", "initials, letters, roles, counters, blank, hashes, pseudonyms"),
    ("has a guess", "pseudonym", "Did you mean pseudonyms"),
]


@pytest.mark.parametrize(("reason", "name", "message"), UNKNOWN, ids=[c[0] for c in UNKNOWN])
def test_unknown_scheme(reason: str, name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        plan(ruling(("Green", "PERSON")), name)


NOT_A_WORD_OF_THE_RULING = [
    ("letters, a word of the ruling", "letters", "AA batteries", "BB"),
    ("letters, inside a word", "letters", "ISAAC Newton", "BB"),
    ("roles", "roles", "PERSON_1 said", "PERSON_2"),
    ("roles, inside a word", "roles", "PERSON_12 said", "PERSON_2"),
    ("counters", "counters", "Person1 said", "Person2"),
    ("counters, in capitals", "counters", "PERSON1 said", "Person2"),
    ("initials of somebody else", "initials", "Nelson, B.C.", "B.C.1"),
    ("initials beside a sign", "initials", "(B.C.-based)", "B.C.1"),
    ("initials with a number, taken, too", "initials", "B.C. and B.C.1", "B.C.2"),
    ("more initials are another's", "initials", "A.B.C. said", "B.C."),
]


@pytest.mark.parametrize(
    ("reason", "scheme", "words", "label"), NOT_A_WORD_OF_THE_RULING, ids=[c[0] for c in NOT_A_WORD_OF_THE_RULING]
)
def test_no_label_is_a_word_of_the_ruling(reason: str, scheme: str, words: str, label: str) -> None:
    document = ruling(words, " and ", ("Bob Cole", "PERSON"), " left")
    assert hidden(document, scheme) == f"{words} and {label} left", reason


def test_letters_go_on_after_z() -> None:
    people = [(f"{chr(65 + i % 26)}o{chr(97 + i // 26)} Roe{i}x", "PERSON") for i in range(28)]
    document = ruling(*(piece for person in people for piece in (person, " and ")))
    assert [e.replacement for e in plan(document, "letters")][24:] == ["YY", "ZZ", "AAA", "BBB"]


COUNTED = [
    ("an address of mail", "a.b@court.example", "Email1"),
    ("a telephone number", "+40 (264) 595-522", "Phone1"),
    ("a link", "https://court.example/a", "Url1"),
    ("an account", "RO49 AAAA 1B31 0075 9384 0000", "Iban1"),
    ("another number", "2012-45", "Code1"),
]


@pytest.mark.parametrize(("reason", "code", "label"), COUNTED, ids=[c[0] for c in COUNTED])
def test_codes_are_counted_by_what_they_are(reason: str, code: str, label: str) -> None:
    assert hidden(ruling("see ", (code, "CODE"), " there"), "counters") == f"see {label} there", reason


def test_the_aligner_knows_the_labels() -> None:
    """What we write, `aef align` reads."""
    for scheme in ("initials", "letters", "counters", "hashes", "blank"):
        for label in labels_of(plan(ruling(*RULING), scheme)).values():
            read = recognize(label.removesuffix(" Ltd."))
            assert read is not None and read.convention.strong, (scheme, label)


# --- invented names -------------------------------------------------------------------------------------------------


def names(document: Document, **options: bool) -> dict[str, str]:
    """The label of each form."""
    labels = labels_of(plan(document, "pseudonyms", **options))  # type: ignore[arg-type]  # one option at a time
    return {form: labels[e.entity_id] for e in entities(linked(document)) for form in e.forms}


FAMILY = (
    *(("Ann Roe", "PERSON"), ", her husband ", ("William Roe", "PERSON"), ", Mr. ", ("Lee", "PERSON"), ", "),
    *(("Kim Park", "PERSON"), ". The ", ("Roes", "PERSON"), " left with ", ("Mary Park", "PERSON"), "."),
)


def test_a_family_stays_a_family() -> None:
    found = names(ruling(*FAMILY))
    surnames = {form: label.split()[-1] for form, label in found.items()}
    assert surnames["Ann Roe"] == surnames["William Roe"] == found["Roes"], "the Roes are those of Ann and William"
    assert surnames["Kim Park"] == surnames["Mary Park"]
    assert len({surnames["Ann Roe"], surnames["Lee"], surnames["Kim Park"]}) == 3, "and no other"


def test_a_family_that_was_linked_to_one_of_it_has_the_surname() -> None:
    text = "William Roe left. The Roes stayed."
    mentions = [Mention(0, 11, "PERSON", entity_id="1"), Mention(22, 26, "PERSON", entity_id="1")]
    label, sentence = hidden(Document.from_text(text, "x", mentions), "pseudonyms").split(" left. ")
    assert sentence == f"The {label.split()[-1]}s stayed."


def test_gender_is_kept_where_it_is_known() -> None:
    lists = lexicons.invented("en")
    given = {form: label.split()[0] for form, label in names(ruling(*FAMILY)).items()}
    assert given["Ann Roe"] in lists["female"] and given["Mary Park"] in lists["female"]
    assert given["William Roe"] in lists["male"] and given["Lee"] in lists["male"], "by the name; by the title"
    assert given["Kim Park"] in lists["either"], "nothing tells"


def test_initials_are_kept_when_asked_for() -> None:
    found = names(ruling(("Joanne Lynn Green", "PERSON"), " and ", ("Ulrich Zander", "PERSON")), keep_initials=True)
    assert ["".join(w[0] for w in label.split()) for label in found.values()] == ["JLG", "UZ"]


SPANISH = (
    ("Juan Pérez Rodríguez", "PERSON"),
    " y ",
    ("Ana Pérez Cabrera", "PERSON"),
    " contra ",
    ("Luz Soto", "PERSON"),
)


def test_two_surnames_are_two_and_the_names_are_of_the_language() -> None:
    father, daughter, other = (label.split() for label in names(ruling(*SPANISH, language="es")).values())
    assert father[1] == daughter[1] and len({father[1], father[2], daughter[2], other[-1]}) == 4
    assert set(father[1:] + other[1:]) <= set(lexicons.invented("es")["surnames"])
    assert (len(father), len(daughter), len(other)) == (3, 3, 2)


def test_no_invented_name_occurs_in_the_ruling() -> None:
    lists = lexicons.invented("en")
    kept = {"female": "Una", "either": "Val", "male": "Ivor", "surnames": "Zouche"}
    spoken = " ".join(name.upper() for kind, listed in lists.items() for name in listed if name != kept[kind])
    document = ruling(spoken, ", ", ("Ms. Anne Barker", "PERSON"), " left")
    assert hidden(document, "pseudonyms").endswith(", Ms. Una Zouche left"), "the only names that are free"


def test_there_is_always_one_more_name() -> None:
    spoken = " ".join(name for listed in lexicons.invented("en").values() for name in listed)
    labels = names(ruling(spoken, ", ", ("Ann Roe", "PERSON"), ", ", ("Bo Lee", "PERSON"))).values()
    assert len(set(labels)) == 2 and not {word for label in labels for word in label.split()} & set(spoken.split())


@pytest.mark.parametrize("language", ["en", "es", "fr"])
def test_the_lists_of_invented_names(language: str) -> None:
    lists = {name: lexicons.invented(language)[name] for name in ("female", "male", "either", "surnames")}
    assert len(lists["surnames"]) > 100 and all(len(listed) > 20 for listed in lists.values())
    assert all(name[0].isupper() and name.isalpha() for listed in lists.values() for name in listed)
    assert not {fold(n) for n in lists["female"]} & {fold(n) for n in lists["male"]}, "a gender is one"
    assert not {fold(n) for n in lists["surnames"]} & {fold(n) for k in ("female", "male") for n in lists[k]}
    common = lexicons.load("common_words", language) | lexicons.load("court_words")
    assert not {name.lower() for listed in lists.values() for name in listed} & common


def test_invented_names_are_not_words_of_the_language() -> None:
    """Else a model might keep them when they are somebody's (`aef.tagging.privacy`)."""
    assert not any("invented" in name for name in lexicons.load_all("en"))
    assert lexicons.invented("xx") == lexicons.invented("en"), "a language without has the English ones"


# --- what holds of all ----------------------------------------------------------------------------------------------

GIVEN = st.sampled_from(["Ann", "Bo", "Joanne", "William", "Kim", "Sue", "Sam", "Juan", "María", "B.", ""])
SURNAME = st.sampled_from(["Roe", "Roy", "Lee", "Green", "Hale", "Hales", "PÉREZ", "Zouche", "Aa", "Person"])
CLEAR = st.sampled_from(
    [
        " and ",
        ". The ",
        " of AA with Person1, ",
        " ### ",
        " (S.R.) ",
        ", B.L. ",
        "\n",
        " Una and Ivor ",
        " PERSON_1 ",
        "’ ",
    ]
)


@st.composite
def rulings(draw: st.DrawFn) -> Document:
    """A text with people, some alike, among words that might be labels."""
    pieces: list[str | Piece] = []
    for _ in range(draw(st.integers(1, 9))):
        name = f"{draw(GIVEN)} {draw(SURNAME)}".strip()
        kind = draw(st.sampled_from(["PERSON", "PERSON", "PERSON", "ORG", "LOC", "CODE"]))
        pieces += [(name, kind), draw(CLEAR)]
    return ruling(*pieces, language=draw(st.sampled_from(["en", "en", "es", "ro"])))


LABELLED = st.sampled_from(sorted(SCHEMES.keys() - {"blank"}))


@given(rulings(), LABELLED, st.integers(0, 3), st.booleans())
def test_no_two_people_share_a_label(document: Document, scheme: str, seed: int, keep: bool) -> None:
    edits = plan(document, scheme, seed=seed, keep_initials=keep)
    people = {e.entity_id: e.label.upper() for e in edits if e.type == "PERSON" and e.label not in MARKS}
    assert len(set(people.values())) == len(people)
    if scheme in ("roles", "counters"):
        everything = labels_of(edits)
        assert len(set(everything.values())) == len(everything), "nor do two things"


def taking_the_first(found: Sequence[Entity], naming: Naming) -> dict[str, str]:
    return {e.entity_id: naming.first(map("P{}".format, count(1))) for e in found}


def all_alike(label: str) -> Scheme:
    return lambda found, naming: {e.entity_id: label for e in found}


OWN = [
    ("each takes the first of the same labels", taking_the_first, "P1 met P2 and P1."),
    ("a mark for all", all_alike("[...]"), "[...] met [...] and [...]."),
    ("one label for two", all_alike("P"), "scheme own calls 2 people P. Take labels from naming.first"),
    ("no labels", lambda found, naming: {}, "scheme own gives 2 of 2 entities no label"),
    ("empty labels", all_alike(""), "scheme own gives 2 of 2 entities no label"),
    ("none for the second", lambda f, n: {f[0].entity_id: "P"}, "scheme own gives 1 of 2 entities no label"),
]


@pytest.mark.parametrize(("reason", "own", "expected"), OWN, ids=[case[0] for case in OWN])
def test_a_scheme_of_ones_own(reason: str, own: Scheme, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SCHEMES, "own", own)
    document = ruling(("Ann Roe", "PERSON"), " met ", ("Bo Quist", "PERSON"), " and ", ("Ann Roe", "PERSON"), ".")
    try:
        told = hidden(document, "own")
    except InputError as error:
        told = str(error)
    assert expected in (told, told[: len(expected)]), reason


@given(rulings(), LABELLED, st.booleans())
def test_a_label_never_occurs_in_the_original(document: Document, scheme: str, keep: bool) -> None:
    edits = plan(document, scheme, keep_initials=keep)
    stays = " ".join(apply_edits(document.text, [(e.start, e.end, " ") for e in edits]).split())
    for e in edits:
        if e.type == "PERSON" and e.label not in MARKS:
            if scheme == "initials":  # somebody may be called by initials already, by his own
                assert e.label not in stays.replace("(", " ").replace(")", " ").replace(",", " ").split()
            else:
                assert e.label not in document.text


@given(rulings(), LABELLED, st.integers(0, 3))
def test_two_runs_with_one_seed_agree(document: Document, scheme: str, seed: int) -> None:
    again = Document(document.text, "again", document.blocks, document.mentions, language=document.language)
    assert plan(document, scheme, seed=seed) == plan(again, scheme, seed=seed)


@pytest.mark.parametrize("scheme", ["hashes", "pseudonyms"])
def test_another_seed_draws_anew(scheme: str) -> None:
    assert len({hidden(ruling(*FAMILY), scheme, seed) for seed in range(5)}) > 1


def test_labels_that_are_given_stay_and_new_ones_are_others() -> None:
    document = linked(ruling(("Sue Ray", "PERSON"), ", ", ("Sam Roy", "PERSON"), ", ", ("Bo Lee", "PERSON")))
    first, second, third = (e.entity_id for e in entities(document))
    known = Memory({third: "S.R."}, ((Entity("1", "PERSON", ("Bo Lee",)), "S.R."),))
    labels = labels_of(plan(document, known=known))
    assert labels == {first: "S.R.2", second: "S.R.3", third: "S.R."}


def test_who_may_be_several_people_has_a_label_of_its_own() -> None:
    pieces = (("Juan Pérez", "PERSON"), " y ", ("Juan Gómez", "PERSON"), ". ", ("Juan", "PERSON"), " calló")
    document = linked(ruling(*pieces, language="es"))
    assert document.mentions[-1].extra[CANDIDATES]
    for scheme in SCHEMES.keys() - {"blank"}:
        assert len(set(labels_of(plan(document, scheme)).values())) == 3


def test_a_naming_knows_words_from_parts_of_words() -> None:
    naming = Naming("A.B.C. and B.C.; AAA", "A.B.C. and B.C.; AAA", Random(0))
    assert naming.stands("B.C.") and not naming.stands("C.") and not naming.fresh("AA")
