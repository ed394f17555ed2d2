"""A case: its rulings call everybody the same, its file is secret and whole, and the originals come back."""

from __future__ import annotations

import io
import json
import re
import stat
import sys
from pathlib import Path
from typing import Any

import docx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aef.anonymization import Clash, Result, anonymize
from aef.corpus_tools import files
from aef.corpus_tools.document import Document, Mention, Places
from aef.corpus_tools.rulings.readers import read
from aef.errors import InputError
from aef.replacement import sealing as sealed
from aef.replacement.case_file import Case, digest
from aef.replacement.plan import labels_of
from aef.replacement.restoration import restore
from aef.replacement.schemes import MARKS, SCHEMES
from aef.replacement.sealing import Seal

NAMES = re.compile(r"\{([^{}|]*)\|(\w+)\}")


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys that cost little to make."""
    monkeypatch.setattr(sealed, "COST", 2)


def ruling(
    folder: Path, template: str, name: str = "ruling.txt", encoding: str = "utf-8"
) -> tuple[Path, list[Mention]]:
    """A file, and the mentions marked in its template."""
    text, mentions, position = "", [], 0
    for match in NAMES.finditer(template):
        text += template[position : match.start()] + match[1]
        mentions.append(Mention(len(text) - len(match[1]), len(text), match[2]))
        position = match.end()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes((text + template[position:]).encode(encoding))
    return folder / name, mentions


def hide(case: Case, source: tuple[Path, list[Mention]], out: str = "safe.txt", **options: Any) -> Result:
    path, mentions = source
    return anonymize(path, path.with_name(out), mentions=mentions, case=case, force=True, **options)


FIVE = [
    "{Joanne Lynn Green|PERSON} sued Mr. {David Green|PERSON} and {Acme Trading Ltd.|ORG} of {Nelson|LOC}.",
    "Ms. {Green|PERSON} appealed. {Sue Ray|PERSON} and Mr. {D. Green|PERSON} were heard; {Acme|ORG} was not.",
    "{Sam Roy|PERSON} met {GREEN, Joanne|PERSON} in {Trail|LOC}.",
    "Mr. {Green|PERSON} of {Nelson|LOC} wrote to {Ray|PERSON}.",
    "{Roy|PERSON}, {Green|PERSON}.",
]
"""Five rulings: the last does not tell which of the Greens is meant."""


@pytest.mark.parametrize("scheme", sorted(SCHEMES.keys() - {"blank"}))
def test_a_case_of_five_rulings_keeps_labels(tmp_path: Path, scheme: str) -> None:
    people: list[dict[str, str]] = []
    for i, template in enumerate(FIVE):
        case = Case.open(tmp_path / "green.aefcase")  # read anew each time, as by five runs
        result = hide(case, ruling(tmp_path / str(i), template), scheme=scheme)
        people.append({form: label for label, forms in result.people.items() for form in forms})
    joanne = people[0]["Joanne Lynn Green"]
    david = people[0]["David Green"]
    assert people[1]["Green"] == people[2]["GREEN, Joanne"] == joanne
    assert people[1]["D. Green"] == people[3]["Green"] == david
    assert people[1]["Sue Ray"] == people[3]["Ray"]
    assert people[2]["Sam Roy"] == people[4]["Roy"]
    assert people[4]["Green"] not in (joanne, david), "whose it may be, nobody guesses"
    assert len({joanne, david, people[1]["Sue Ray"], people[2]["Sam Roy"], people[4]["Green"]}) == 5


def test_a_short_name_that_may_be_somebodys_of_the_case_is_listed(tmp_path: Path) -> None:
    """Within the second ruling "Mr. Millar" is John; the case knows a David."""
    case = Case(tmp_path / "case")
    hide(case, ruling(tmp_path / "1", "{David Millar|PERSON} and {Ann Roe|PERSON} left"))
    second = "Mr. {Millar|PERSON} met {John Millar|PERSON} and {Bo Roe|PERSON}, {Ann|PERSON} and {Sue Ray|PERSON}"
    result = hide(case, ruling(tmp_path / "2", second))
    assert result.content == b"Mr. J.M. met J.M. and B.R., A.R. and S.R."
    assert [(d.spans, d.label, d.candidates) for d in result.unsure] == [(((4, 10),), "J.M.", ("D.M.",))]


def test_things_keep_labels_too(tmp_path: Path) -> None:
    case = Case(tmp_path / "case")
    texts = [hide(case, ruling(tmp_path / str(i), t), scheme="counters").content.decode() for i, t in enumerate(FIVE)]
    assert texts[0].endswith("and Company1 of Place1.") and texts[1].endswith("; Company1 was not.")
    assert "in Place2." in texts[2] and "of Place1 wrote" in texts[3]


def test_a_number_goes_on_in_the_next_ruling(tmp_path: Path) -> None:
    case = Case(tmp_path / "case")
    first = hide(case, ruling(tmp_path / "1", "{Sue Ray|PERSON} left"))
    second = hide(case, ruling(tmp_path / "2", "{Sam Roy|PERSON} left {Sue Ray|PERSON}"))
    assert (first.content, second.content) == (b"S.R. left", b"S.R.2 left S.R.")


def test_two_people_of_a_ruling_are_not_one_of_the_case(tmp_path: Path) -> None:
    case = Case(tmp_path / "case")
    hide(case, ruling(tmp_path / "1", "{William Millar|PERSON} left"))
    document = ruling(tmp_path / "2", "{William Millar|PERSON} Sr. and {William Millar|PERSON} Jr. left")
    assert len(hide(case, document, scheme="letters").people) == 2


@pytest.mark.parametrize("scheme", sorted(SCHEMES))
def test_a_ruling_again_is_the_same_again(tmp_path: Path, scheme: str) -> None:
    """Also those who are in doubt, whom the names alone would not tell."""
    template = (
        "{Juan Pérez|PERSON} y {Juan Gómez|PERSON}. {Juan|PERSON} calló. {Luis Soto|PERSON} Sr., {Luis Soto|PERSON} Jr."
    )
    source = ruling(tmp_path, template)
    first = hide(Case.open(tmp_path / "case"), source, scheme=scheme)
    again = hide(Case.open(tmp_path / "case"), source, scheme=scheme)
    assert first.content == again.content
    assert len(Case.open(tmp_path / "case").rulings) == 1


def test_a_label_is_no_word_of_a_ruling_that_was_heard(tmp_path: Path) -> None:
    case = Case(tmp_path / "case")
    case.hear("AA batteries and ISBB numbers")
    assert hide(case, ruling(tmp_path, "{Ann Roe|PERSON} left"), scheme="letters").content == b"CC left"


def test_a_label_that_is_a_word_of_a_later_ruling_is_said(tmp_path: Path) -> None:
    case = Case(tmp_path / "case")
    hide(case, ruling(tmp_path / "1", "{Ann Roe|PERSON} left"), scheme="letters")
    result = hide(case, ruling(tmp_path / "2", "{Ann Roe|PERSON} bought AA batteries"), scheme="letters")
    assert (result.content, result.clashes) == (b"AA bought AA batteries", [Clash("AA", Places((1,)), ("Ann Roe",))])


def test_each_scheme_has_its_labels(tmp_path: Path) -> None:
    case = Case(tmp_path / "case")
    source = ruling(tmp_path, "{Ann Roe|PERSON} left")
    assert [hide(case, source, scheme=s).content for s in ("letters", "initials", "labels")] == [
        *(b"AA left", b"A.R. left", b"AA left"),
    ]


def test_what_is_not_written_is_not_remembered(tmp_path: Path) -> None:
    case = Case(tmp_path / "case")
    path, mentions = ruling(tmp_path, "{Ann Roe|PERSON} left")
    anonymize(path, mentions=mentions, case=case)
    anonymize(path, tmp_path / "Roe.txt", mentions=mentions, case=case)
    assert not case.path.exists() and not case.members


# --- back to the original -------------------------------------------------------------------------------------------

PIECE = st.tuples(
    st.sampled_from(["Ann Roe", "Roe", "ROE", "Bo Lee", "Juan Pérez", "Hales", "Acme Ltd.", "17 May 2000", "Ș. Țepeș"]),
    st.sampled_from(["PERSON", "PERSON", "ORG", "DATETIME", "LOC"]),
    st.text(st.characters(codec="utf-8", exclude_characters="{}|\0", exclude_categories=["Cc", "Cs"]), max_size=8)
    | st.sampled_from([". ", "\n", "\r\n\r\n", "'s ", "’ house ", " born on ", ", ", "-", "[...]"]),
)


@given(st.lists(PIECE, min_size=1, max_size=8), st.sampled_from(sorted(SCHEMES)), st.sampled_from(["utf-8", "utf-16"]))
def test_restore_after_anonymize_is_the_identity(
    tmp_path_factory: pytest.TempPathFactory, parts: list[tuple[str, str, str]], scheme: str, encoding: str
) -> None:
    folder = tmp_path_factory.mktemp("identity")
    source = ruling(
        folder, "A " + " ".join(f"{{{name}|{kind}}}{joint}" for name, kind, joint in parts), encoding=encoding
    )
    hide(Case.open(folder / "case"), source, scheme=scheme)
    restored = restore(folder / "safe.txt", folder / "back.txt", Case.open(folder / "case"))
    assert (folder / "back.txt").read_bytes() == source[0].read_bytes() and restored.exact


def test_an_encoding_that_the_output_does_not_tell(tmp_path: Path) -> None:
    """What made it cp1252 is hidden; and a label that cp1252 lacks makes the output UTF-8."""
    source = ruling(tmp_path, "Mme {Émilie Côté|PERSON} est née à {Québec|LOC}. " * 3, encoding="cp1252")
    for scheme in ("initials", "counters"):
        hide(Case.open(tmp_path / "case"), source, scheme=scheme)
        restore(tmp_path / "safe.txt", tmp_path / "back.txt", Case.open(tmp_path / "case"), force=True)
        assert (tmp_path / "back.txt").read_bytes() == source[0].read_bytes()


PARAGRAPH = st.lists(
    st.sampled_from(["Ann Roe", "Roe", "Mr. ", " left\t", "Bo Lee", " and ", "’ house ", "ROE", "line\nbreak", ". "]),
    min_size=1,
    max_size=6,
)


@settings(max_examples=15)
@given(st.lists(PARAGRAPH, min_size=1, max_size=3), st.sampled_from(["initials", "counters", "pseudonyms"]))
def test_the_text_of_any_docx_comes_back(
    tmp_path_factory: pytest.TempPathFactory, paragraphs: list[list[str]], scheme: str
) -> None:
    folder = tmp_path_factory.mktemp("word")
    document = docx.Document()
    for runs in [["Ann Roe left."], *paragraphs]:
        paragraph = document.add_paragraph()
        for i, words in enumerate(runs):
            paragraph.add_run(words).bold = i % 2 == 0
    document.save(str(folder / "ruling.docx"))
    text = read(folder / "ruling.docx").text
    mentions = [Mention(*m.span(), "PERSON") for m in re.finditer("Ann Roe|Bo Lee|Roe|ROE", text)]
    hide(Case.open(folder / "case"), (folder / "ruling.docx", mentions), "safe.docx", scheme=scheme)
    restore(folder / "safe.docx", folder / "back.docx", Case.open(folder / "case"))
    assert read(folder / "back.docx").text == text


@pytest.fixture
def word(tmp_path: Path) -> tuple[Path, list[Mention]]:
    """A DOCX with a title, formatting inside a name, and a header."""
    document = docx.Document()
    document.core_properties.title, document.core_properties.author = "Green v. Millar", "A. Clerk"
    paragraph = document.add_paragraph("[1] Ms. Joanne ")
    paragraph.add_run("Gre").bold = True
    paragraph.add_run("en\tleft Nelson.")
    document.sections[0].header.paragraphs[0].text = "JOANNE GREEN v. Millar"
    document.save(str(tmp_path / "ruling.docx"))
    text = read(tmp_path / "ruling.docx").text
    found = [("Joanne Green", "PERSON"), ("Nelson", "LOC"), ("JOANNE GREEN", "PERSON"), ("Millar", "PERSON")]
    places = [(text.index(words), words, kind) for words, kind in found]
    return tmp_path / "ruling.docx", [Mention(start, start + len(words), kind) for start, words, kind in places]


def test_the_text_of_a_docx_comes_back(tmp_path: Path, word: tuple[Path, list[Mention]]) -> None:
    assert hide(Case(tmp_path / "case"), word, "safe.docx").written
    restored = restore(tmp_path / "safe.docx", tmp_path / "back.docx", Case.open(tmp_path / "case"))
    assert read(tmp_path / "back.docx").text == read(word[0]).text and not restored.exact
    restore(tmp_path / "safe.docx", tmp_path / "back.txt", Case.open(tmp_path / "case"))
    assert (tmp_path / "back.txt").read_text() == read(word[0]).text


def test_the_bytes_of_a_docx_come_back_from_a_sealed_case(tmp_path: Path, word: tuple[Path, list[Mention]]) -> None:
    hide(Case.open(tmp_path / "case", "open sesame"), word, "safe.docx")
    restored = restore(tmp_path / "safe.docx", tmp_path / "back.docx", Case.open(tmp_path / "case", "open sesame"))
    assert (tmp_path / "back.docx").read_bytes() == word[0].read_bytes() and restored.exact
    assert stat.S_IMODE((tmp_path / "back.docx").stat().st_mode) == 0o600


def test_a_docx_that_was_saved_anew_is_known_by_its_text(tmp_path: Path, word: tuple[Path, list[Mention]]) -> None:
    hide(Case(tmp_path / "case"), word, "safe.docx")
    saved, stream = docx.Document(str(tmp_path / "safe.docx")), io.BytesIO()
    saved.core_properties.comments = "looked through"
    saved.save(stream)
    (tmp_path / "safe.docx").write_bytes(stream.getvalue())
    restore(tmp_path / "safe.docx", tmp_path / "back.docx", Case.open(tmp_path / "case"))
    assert read(tmp_path / "back.docx").text == read(word[0]).text


PAGE = """<!doctype html><title>Green v. Millar</title>
<p>Ms. Joanne <b>Green</b>&#x2019;s house,<br>in Nelson.<p><img alt="Ms. Green"> Mr. Millar left."""


@pytest.mark.parametrize("passphrase", [None, "open sesame"])
def test_a_page(tmp_path: Path, passphrase: str | None) -> None:
    source = tmp_path / "ruling.html"
    source.write_text(PAGE)
    text = read(source).text
    found = [m.span() for m in re.finditer("Joanne Green|Green|Millar", text)]
    mentions = [Mention(*span, "PERSON") for span in found] + [Mention(text.index("Nelson"), text.index("Nelson") + 6)]
    assert hide(Case.open(tmp_path / "case", passphrase), (source, mentions), "safe.html").written
    case = Case.open(tmp_path / "case", passphrase)
    restored = restore(tmp_path / "safe.html", tmp_path / "back.html", case)
    assert read(tmp_path / "back.html").text == text
    assert restored.exact == (passphrase is not None) == ((tmp_path / "back.html").read_text() == PAGE)


def test_two_rulings_of_one_output(tmp_path: Path) -> None:
    case = Case(tmp_path / "case")
    for name, person in [("1.txt", "Ann Roe"), ("2.txt", "Bo Lee")]:
        hide(case, ruling(tmp_path, f"{{{person}|PERSON}} left", name), scheme="blank")
    with pytest.raises(InputError, match=r"several rulings became this text: 1\.txt, 2\.txt\. Say which: --ruling"):
        restore(tmp_path / "safe.txt", tmp_path / "back.txt", case)
    restore(tmp_path / "safe.txt", tmp_path / "back.txt", case, ruling="2.txt")
    assert (tmp_path / "back.txt").read_text() == "Bo Lee left"


# --- the file -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("passphrase", [None, "open sesame"])
def test_the_file_is_its_owners_alone(tmp_path: Path, passphrase: str | None) -> None:
    case = Case.open(tmp_path / "case", passphrase)
    hide(case, ruling(tmp_path, FIVE[0]))
    assert stat.S_IMODE(case.path.stat().st_mode) == 0o600
    assert (b"Green" in case.path.read_bytes()) == (passphrase is None), "sealed, it tells nothing"


def test_a_plain_file_is_sealed_when_it_gets_a_passphrase(tmp_path: Path) -> None:
    source = ruling(tmp_path, FIVE[0])
    hide(Case.open(tmp_path / "case"), source)
    hide(Case.open(tmp_path / "case", "open sesame"), source)
    assert b"Green" not in (tmp_path / "case").read_bytes()
    assert Case.open(tmp_path / "case", "open sesame").members


def test_what_is_read_is_what_was_written(tmp_path: Path) -> None:
    case = Case.open(tmp_path / "case", "open sesame")
    for i, template in enumerate(FIVE):
        hide(case, ruling(tmp_path / str(i), template))
    again = Case.open(tmp_path / "case", "open sesame")
    assert (again.members, again.rulings, again.words) == (case.members, case.rulings, case.words)


def test_a_crash_in_the_middle_of_a_write_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = Case(tmp_path / "case")
    hide(case, ruling(tmp_path / "1", FIVE[0]))
    before = case.path.read_bytes()

    def crash(_: int) -> None:
        raise KeyboardInterrupt

    second = ruling(tmp_path / "2", FIVE[1])
    monkeypatch.setattr(files.os, "fsync", crash)  # the content is written, the file has not its name yet
    with pytest.raises(KeyboardInterrupt):
        hide(case, second)
    monkeypatch.undo()
    assert case.path.read_bytes() == before and len(Case.open(case.path).rulings) == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["1", "2", "case"], "nothing half-written is left"
    assert not (tmp_path / "2" / "safe.txt").exists(), "nor is a ruling published that the case does not know"


def test_two_runs_at_once_do_not_lose_each_others_labels(tmp_path: Path) -> None:
    one, other = Case.open(tmp_path / "case"), Case.open(tmp_path / "case")
    hide(one, ruling(tmp_path / "1", FIVE[0]))
    with pytest.raises(InputError, match="changed by another run"):
        hide(other, ruling(tmp_path / "2", FIVE[1]))


def as_json(change: dict[str, Any]) -> bytes:
    good = {"format": "aef case", "version": 1, "people": [], "rulings": [], "words": []}
    return json.dumps({**good, **change}).encode()


PERSON = {"entity_id": "1", "type": "PERSON", "forms": ["Ann"], "labels": {"initials": "A."}}
RULING = {
    **dict.fromkeys(("name", "original", "output", "published"), "x"),
    "suffix": ".txt",
    "encoding": "utf-8",
    "edits": [[0, 2, "Ann"]],
    "people": {"person-1": "1"},
}
BROKEN = [
    ("a ruling", b"Ms. Green left.", "no case file"),
    ("an empty file", b"", "no case file"),
    ("other JSON", b'{"doc_id": "x"}', "no case file"),
    ("no object", b"[]", "no case file"),
    ("bytes", bytes(range(256)), "no case file"),
    ("a newer version", as_json({"version": 2}), "version 2; this aef reads version 1"),
    ("people that are none", as_json({"people": {}}), "damaged"),
    ("a person without a name", as_json({"people": [{**PERSON, "forms": []}]}), "damaged"),
    ("a label that is a number", as_json({"people": [{**PERSON, "labels": {"initials": 1}}]}), "damaged"),
    ("a ruling without its edits", as_json({"people": [PERSON], "rulings": [{**RULING, "edits": None}]}), "damaged"),
    ("an edit of two", as_json({"people": [PERSON], "rulings": [{**RULING, "edits": [[0, 1]]}]}), "damaged"),
    ("bytes that are none", as_json({"people": [PERSON], "rulings": [{**RULING, "content": "%"}]}), "damaged"),
    ("a stranger", as_json({"rulings": [RULING]}), "damaged"),
    ("a sealed file cut short", sealed.MAGIC + b"{", "damaged"),
    ("a cost beyond all measure", sealed.MAGIC + b'{"scrypt": 1073741824}\n', "damaged"),
]


@pytest.mark.parametrize(("reason", "content", "message"), BROKEN, ids=[c[0] for c in BROKEN])
def test_a_broken_file(tmp_path: Path, reason: str, content: bytes, message: str) -> None:
    (tmp_path / "case").write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        Case.open(tmp_path / "case", "open sesame")
    assert str(caught.value).startswith(str(tmp_path / "case")), "the file is named"


def test_the_records_of_the_broken_files_are_good_but_for_what_is_broken(tmp_path: Path) -> None:
    (tmp_path / "case").write_bytes(as_json({"people": [PERSON], "rulings": [RULING]}))
    assert len(Case.open(tmp_path / "case").rulings) == 1


def test_a_wrong_passphrase_and_none(tmp_path: Path) -> None:
    hide(Case.open(tmp_path / "case", "open sesame"), ruling(tmp_path, FIVE[0]))
    with pytest.raises(InputError, match="the passphrase is wrong"):
        Case.open(tmp_path / "case", "open barley")
    with pytest.raises(InputError, match="sealed with a passphrase"):
        Case.open(tmp_path / "case")
    with pytest.raises(InputError, match="the passphrase is empty"):
        Case.open(tmp_path / "case", " \n")


def test_a_case_file_of_another_case(tmp_path: Path) -> None:
    hide(Case(tmp_path / "one"), ruling(tmp_path, FIVE[0]))
    hide(Case(tmp_path / "other"), ruling(tmp_path, FIVE[1], "second.txt"), "second-safe.txt")
    with pytest.raises(InputError, match=r"safe\.txt is none of the 1 rulings of this case"):
        restore(tmp_path / "safe.txt", tmp_path / "back.txt", Case.open(tmp_path / "other"))
    (tmp_path / "safe.txt").write_text("J.L.G. sued somebody.")
    with pytest.raises(InputError, match="none of the 1 rulings"):
        restore(tmp_path / "safe.txt", tmp_path / "back.txt", Case.open(tmp_path / "one"))
    assert not (tmp_path / "back.txt").exists()


TAMPERED = [
    ("other words", lambda r: r["edits"][0].__setitem__(2, "Nobody")),
    ("a place outside the text", lambda r: r["edits"][0].__setitem__(1, 10**6)),
    ("an encoding there is none of", lambda r: r.__setitem__("encoding", "runes")),
]


@pytest.mark.parametrize(("reason", "change"), TAMPERED, ids=[c[0] for c in TAMPERED])
def test_a_file_that_does_not_lead_back(tmp_path: Path, reason: str, change: Any) -> None:
    hide(Case(tmp_path / "case"), ruling(tmp_path, FIVE[0]))
    record = json.loads((tmp_path / "case").read_text())
    change(record["rulings"][0])
    (tmp_path / "case").write_text(json.dumps(record))
    with pytest.raises(InputError, match="does not lead back"):
        restore(tmp_path / "safe.txt", tmp_path / "back.txt", Case.open(tmp_path / "case"))


# --- seals ----------------------------------------------------------------------------------------------------------


@given(st.binary(max_size=200), st.text(min_size=1, max_size=12).filter(str.strip))
def test_what_is_sealed_comes_out_and_is_not_to_be_read(content: bytes, passphrase: str) -> None:
    data = Seal(passphrase, cost=2).closed(content)
    assert Seal(passphrase, cost=2).opened(data, "file") == content
    assert len(content) < 8 or content not in data[len(sealed.MAGIC) :]


@given(st.data())
def test_any_changed_byte_is_noticed(data: st.DataObject) -> None:
    sealed_file = bytearray(Seal("open sesame", cost=2).closed(b"Joanne Lynn Green"))
    place = data.draw(st.integers(len(sealed.MAGIC), len(sealed_file) - 1))
    sealed_file[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(InputError):
        Seal("open sesame", cost=2).opened(bytes(sealed_file), "file")


def test_no_two_writings_are_alike_and_the_key_is_made_once() -> None:
    seal = Seal("open sesame", cost=2)
    one, other = seal.closed(b"x"), seal.closed(b"x")
    assert one != other
    heads = [json.loads(data.split(b"\n")[1]) for data in (one, other)]
    assert heads[0]["salt"] == heads[1]["salt"] and heads[0]["nonce"] != heads[1]["nonce"]
    assert Seal("open sesame", cost=2).closed(b"x").split(b"\n")[1] != one.split(b"\n")[1]


def test_a_passphrase_is_the_same_however_its_accents_are_written() -> None:
    assert Seal("e\u0301te\u0301", cost=2).opened(Seal("été", cost=2).closed(b"x"), "file") == b"x"


def test_without_the_library_the_remedy_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.exceptions", None)
    with pytest.raises(InputError, match=r"pip install 'aef-anonymizer\[case\]'"):
        Seal("open sesame")


def test_a_key_that_was_cheap_is_made_anew_for_writing() -> None:
    seal = Seal("open sesame", cost=4)
    assert seal.opened(Seal("open sesame", cost=2).closed(b"x"), "file") == b"x"
    assert b'"scrypt": 4' in seal.closed(b"x")


def test_digests_are_sha256() -> None:
    assert digest("") == digest(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_marks_are_no_labels(tmp_path: Path) -> None:
    case = Case(tmp_path / "case")
    result = hide(case, ruling(tmp_path, "the {applicant|PERSON} of {Nelson|LOC} left"))
    assert set(labels_of(result.edits).values()) <= MARKS and not result.clashes
    assert read(tmp_path / "safe.txt").text == Document.from_text("the [...] of [...] left").text
