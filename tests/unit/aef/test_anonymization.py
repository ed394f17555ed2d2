"""Anonymizing whole files: what is hidden, what is checked, when nothing is written."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import docx
import pytest

from aef.anonymization import Result, anonymize, names_in
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.rulings.readers import read
from aef.errors import InputError
from aef.replacement.plan import Entity

TEXT = (
    "[1] Joanne Lynn Green sued Mr. David Millar.\n"
    "[2] Ms. Green and Mr. Millar lived in Nelson. JOANNE LYNN GREEN left the green house.\n"
    "[3] The Green Party was not heard, nor was Ms. Bond."
)


def mention(text: str, words: str, kind: str | None = "PERSON", nth: int = 0) -> Mention:
    start = -1
    for _ in range(nth + 1):
        start = text.index(words, start + 1)
    return Mention(start, start + len(words), kind)


MENTIONS = [
    mention(TEXT, "Joanne Lynn Green"),
    mention(TEXT, "David Millar"),
    mention(TEXT, "Green", nth=1),
    mention(TEXT, "Millar", nth=1),
]


@pytest.fixture
def ruling(tmp_path: Path) -> Path:
    path = tmp_path / "ruling.txt"
    path.write_text(TEXT)
    return path


def text_of(result: Result) -> str:
    return result.content.decode("utf-8")


def test_text(ruling: Path) -> None:
    target = ruling.with_name("safe.txt")
    result = anonymize(ruling, target, mentions=MENTIONS)
    assert (
        target.read_text()
        == text_of(result)
        == (
            "[1] J.L.G. sued Mr. D.M.\n"
            "[2] Ms. J.L.G. and Mr. D.M. lived in Nelson. J.L.G. left the green house.\n"
            "[3] The Green Party was not heard, nor was Ms. Bond."
        )
    )
    assert result.people == {
        "J.L.G.": ["Joanne Lynn Green", "Green", "JOANNE LYNN GREEN"],
        "D.M.": ["David Millar", "Millar"],
    }
    assert result.counts == {"replacements": 5, "persons": 2, "organisations": 0, "other": 0}
    assert not result.in_clear, "what the Green Party is called stands in the text as an ordinary word"
    assert result.written and not result.remaining


def test_without_a_target_nothing_is_written(ruling: Path) -> None:
    assert not anonymize(ruling, mentions=MENTIONS).written
    assert list(ruling.parent.iterdir()) == [ruling]


def test_a_finder_finds(ruling: Path) -> None:
    class Finder:
        def tag(self, document: Document) -> Document:
            return document.with_mentions([mention(document.text, "Nelson", "LOC")])

    assert "lived in [...]. JOANNE" in text_of(anonymize(ruling, finder=Finder()))


def test_masked_mentions_only(ruling: Path) -> None:
    kept = Mention(4, 21, "PERSON", "NO_MASK")
    assert text_of(anonymize(ruling, mentions=[kept])) == TEXT


LISTS = [
    ("included everywhere, as written and in capitals", ["Nelson"], [], "lived in N. J.L.G. left"),
    ("an included phrase is whole words", ["Nels"], [], "lived in Nelson"),
    ("white space of an included phrase", ["Green  Party"], [], "The G.[...] Party was"),
    ("an included phrase in another spelling", ["NELS\u00d3N\u2019s"], [], "lived in N. J.L.G. left"),
    ("an included phrase with hyphen for space", ["Green-Party"], [], "The G.[...] Party was"),
    ("an excluded phrase in another spelling", [], ["david\u00a0millar", "mil\u00adlar"], "sued Mr. David Millar."),
    ("excluded", [], ["Millar", "David Millar"], "Ms. J.L.G. and Mr. Millar lived"),
    ("an excluded phrase with the title", [], ["Mr. Millar"], "J.L.G. and Mr. Millar lived"),
    ("excluded in one phrase, hidden elsewhere", [], ["Ms. Green"], "J.L.G. sued Mr. D.M."),
    ("an excluded word is not cut out of a name", [], ["Green"], "[1] J.L.G. sued"),
    ("including wins", ["Nelson"], ["Nelson"], "lived in N."),
]


@pytest.mark.parametrize(("reason", "include", "exclude", "words"), LISTS, ids=[c[0] for c in LISTS])
def test_lists(ruling: Path, reason: str, include: list[str], exclude: list[str], words: str) -> None:
    result = anonymize(ruling, mentions=MENTIONS, include=include, exclude=exclude)
    assert words in text_of(result), reason


def test_gold_of_another_text_is_refused(ruling: Path) -> None:
    gold = Document.from_text(TEXT.replace("sued", "SUED"), "ruling", MENTIONS)
    with pytest.raises(InputError, match="from character 22 on"):
        anonymize(ruling, mentions=gold)
    assert anonymize(ruling, mentions=Document.from_text(TEXT, "ruling", MENTIONS)).counts["persons"] == 2


REFUSED: list[tuple[str, str, dict[str, Any], str]] = [
    ("the output exists", "there.txt", {}, "exists already"),
    ("the ruling itself", "ruling.txt", {"force": True}, "is the ruling itself"),
    ("another format", "safe.docx", {}, "same suffix"),
    ("unknown scheme", "safe.txt", {"scheme": "x"}, "unknown scheme"),
]


@pytest.mark.parametrize(("reason", "target", "arguments", "message"), REFUSED, ids=[c[0] for c in REFUSED])
def test_refused(ruling: Path, reason: str, target: str, arguments: dict[str, Any], message: str) -> None:
    ruling.with_name("there.txt").write_text("there")
    before = {path: path.read_bytes() for path in ruling.parent.iterdir()}
    with pytest.raises(InputError, match=message):
        anonymize(ruling, ruling.with_name(target), **{"mentions": MENTIONS, **arguments})
    assert {path: path.read_bytes() for path in ruling.parent.iterdir()} == before


def word_file(path: Path, title: str = "") -> Path:
    document = docx.Document()
    document.core_properties.title, document.core_properties.author = title, "A. Clerk"
    for line in TEXT.split("\n"):
        document.add_paragraph(line)
    document.sections[0].header.paragraphs[0].text = "JOANNE LYNN GREEN v. Millar"
    document.save(str(path))
    return path


def test_docx(tmp_path: Path) -> None:
    source = word_file(tmp_path / "ruling.docx", "Green v. Millar")
    result = anonymize(source, tmp_path / "safe.docx", mentions=MENTIONS)
    assert result.written and not result.remaining
    assert [(c.name, c.part) for c in result.in_clear] == [("Millar", "header")]
    document = read(tmp_path / "safe.docx")
    assert document.text.split("\n")[3] == "J.L.G. v. Millar", "a full name is hidden wherever it stands"
    properties = docx.Document(str(tmp_path / "safe.docx")).core_properties
    assert (properties.title, properties.author) == ("", "")


def test_a_docx_as_text(tmp_path: Path) -> None:
    source = word_file(tmp_path / "ruling.docx")
    result = anonymize(source, tmp_path / "safe.txt", mentions=MENTIONS)
    assert (tmp_path / "safe.txt").read_bytes() == result.content
    assert text_of(result).startswith("[1] J.L.G. sued Mr. D.M.\n[2]")


def with_settings(path: Path, xml: str, root: str = "") -> Path:
    """A file with more in its settings, and with more said of their root."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    settings = parts["word/settings.xml"].decode().replace("</w:settings>", f"{xml}</w:settings>")
    parts["word/settings.xml"] = settings.replace("<w:settings ", f"<w:settings {root} ").encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


def test_names_outside_the_text_are_hidden(tmp_path: Path) -> None:
    variable = '<w:docVars><w:docVar w:name="party" w:val="Ms. Green"/></w:docVars>'
    source = with_settings(word_file(tmp_path / "ruling.docx"), variable)
    result = anonymize(source, tmp_path / "safe.docx", mentions=MENTIONS)
    assert result.written and result.remaining == []
    with zipfile.ZipFile(tmp_path / "safe.docx") as archive:
        assert b"Green" not in archive.read("word/settings.xml")


def test_what_the_verification_finds_stops_the_writing(tmp_path: Path) -> None:
    # a prefix of a namespace is the one thing that is not replaced
    more = '<millar:docId millar:val="1"/>', 'xmlns:millar="http://schemas.microsoft.com/office/word/2012/wordml"'
    source = with_settings(word_file(tmp_path / "ruling.docx"), *more)
    target = tmp_path / "safe.docx"
    result = anonymize(source, target, mentions=MENTIONS)
    assert (result.remaining, result.written, target.exists()) == (
        ["word/settings.xml (a name of an element or attribute)"],
        False,
        False,
    )
    result = anonymize(source, target, mentions=MENTIONS, allow_remaining=True)
    assert result.written and target.read_bytes() == result.content


def test_a_name_in_the_output_files_name(ruling: Path) -> None:
    result = anonymize(ruling, ruling.with_name("Green_v_Millar.txt"), mentions=MENTIONS)
    assert (result.remaining, result.written) == (["the name of the output file"], False)


def test_standard_input(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert anonymize("-", tmp_path / "safe.txt", mentions=MENTIONS).written


HIDDEN = [
    Entity("1", "PERSON", ("Joanne Green", "J. Green")),
    Entity("2", "PERSON", ("W.M.",)),
    Entity("3", "ORG", ("Acme Trading Ltd.", "School", "Acme")),
    Entity("4", "LOC", ("Nelson",)),
]
FOUND = [
    ("a surname", "Ms. Green", True),
    ("a surname in capitals", "GREEN", True),
    ("a colour", "green", False),
    ("a longer word", "Greenwich", False),
    ("a full name in small letters", "joanne green", True),
    ("a full name in a file name", "joanne_green-2", True),
    ("a given name of a full name", "joanne 2", True),
    ("initials give nobody away", "W.M. W M", False),
    ("an organisation", "ACME Trading, Ltd", True),
    ("a generic word is not a name", "School", False),
    ("a place is not looked for", "Nelson", False),
]


@pytest.mark.parametrize(("reason", "stem", "found"), FOUND, ids=[c[0] for c in FOUND])
def test_names_in_the_name_of_a_file(reason: str, stem: str, found: bool) -> None:
    assert names_in(stem, HIDDEN) is found, reason
    assert not names_in(stem, [])


def test_real_judgments(data: Path, tmp_path: Path) -> None:
    """Gold mentions of real judgments: nothing marked survives as it was, and all the rest does."""
    from aef.corpus_tools.gold.corpora import read_gold

    for gold in read_gold(data / "tab_en" / "dev.jsonl"):
        path = tmp_path / f"{gold.doc_id}.txt"
        path.write_text(gold.text, encoding="utf-8", newline="")
        result = anonymize(path, mentions=gold)
        clear = "".join(c for i, c in enumerate(gold.text) if not any(e.start <= i < e.end for e in result.edits))
        assert len(clear) > 0.5 * len(gold.text)
        persons = [m for m in gold.mentions if m.masked and m.entity_type == "PERSON"]
        assert all(any(e.start < m.end and m.start < e.end for e in result.edits) for m in persons)
        assert not result.in_clear and not result.remaining


PAGE = (
    "<!DOCTYPE html>\n<html><head><title>Green v. Millar</title><!-- Millar --></head>\r\n<body><h1 id='green'>"
    "Joanne <i>Lynn</i> Gr&shy;een</h1><p>Ms. Green left <a href='millar.html' title='of Mr. Millar'>him</a>.</body>"
)


def test_html(tmp_path: Path) -> None:
    source = tmp_path / "ruling.html"
    source.write_bytes(PAGE.encode())
    text = read(source).text
    marks = [mention(text, words) for words in ("Joanne Lynn Green", "Ms. Green", "Mr. Millar")]
    result = anonymize(source, tmp_path / "safe.htm", mentions=marks, include=["Green", "Millar"])
    assert result.written and not result.remaining and not result.in_clear
    assert (tmp_path / "safe.htm").read_bytes().decode() == (
        "<!DOCTYPE html>\n<html><head><title>J.L.G. v. M.</title></head>\r\n<body><h1>"
        "J.L.G.<i></i></h1><p>Ms. J.L.G. left <a title='of Mr. M.'>him</a>.</body>"
    )
    assert anonymize(source, tmp_path / "safe.txt", mentions=marks).content.decode().startswith("Green v.")


def test_a_page_whose_name_of_a_tag_is_a_hidden_name_is_not_written(tmp_path: Path) -> None:
    source = tmp_path / "ruling.html"
    source.write_text("<p>Ms. Millar left.<x-millar></x-millar>")
    result = anonymize(source, tmp_path / "safe.html", mentions=[Mention(4, 10, "PERSON")])
    assert (result.remaining, result.written) == (["output.html (a name of an element or attribute)"], False)


def test_a_name_in_the_name_of_a_file_of_a_folder(ruling: Path) -> None:
    target = ruling.parent / "out" / "Green_v_Millar.txt"
    result = anonymize(ruling, target, mentions=MENTIONS, taken=[])
    assert result.written and result.target == target.with_name("JLG_v_DM.txt")
    assert target.with_name("JLG_v_DM.txt").read_bytes() == result.content
    again = anonymize(ruling, target, mentions=MENTIONS, taken=[target.with_name("JLG_v_DM.txt")])
    assert again.target == target.with_name("JLG_v_DM-2.txt")
    with pytest.raises(InputError, match="exists already"):
        anonymize(ruling, target, mentions=MENTIONS, taken=[])


ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "cp1252"]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_text_keeps_its_encoding_mark_and_line_ends(tmp_path: Path, encoding: str, newline: str) -> None:
    text = newline.join(["[1] Ms. Müller left the café – at “noon”.", "", "[2] Mr. Millar did not.\tThe end.", ""])
    (tmp_path / "ruling.txt").write_bytes(text.encode(encoding))
    marks = [mention(text, "Müller"), mention(text, "Millar")]
    anonymize(tmp_path / "ruling.txt", tmp_path / "safe.txt", mentions=marks)
    after = text.replace("Müller", "M.1").replace("Millar", "M.2")
    assert (tmp_path / "safe.txt").read_bytes() == after.encode(encoding)


def test_of_one_ruling_there_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, made = word_file(tmp_path / "ruling.docx"), set()
    for year in (1999, 2024):
        monkeypatch.setattr("time.time", lambda year=year: (year - 1970) * 31_556_952.0)
        made.add(anonymize(source, tmp_path / f"{year}.docx", mentions=MENTIONS).content)
    assert len(made) == 1, "bytes that tell when the ruling was anonymized"
    with zipfile.ZipFile(tmp_path / "2024.docx") as archive:
        assert archive.testzip() is None and {e.date_time for e in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
