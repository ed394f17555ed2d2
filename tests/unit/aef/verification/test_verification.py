"""The verification of an output: what it finds, where, and what it takes for no name."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aef.commands import main
from aef.verification.search import Sought, Unreadable, hidden_between, plain, shown_text, verify, words_of

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def zipped(comment: str = "", **entries: str | bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name.replace("__", "/").replace("_xml", ".xml"), content)
        archive.comment = comment.encode()
    return stream.getvalue()


def word(body: str) -> bytes:
    return zipped(word__document_xml=f"<w:document {W}><w:body><w:p>{body}</w:p></w:body></w:document>")


NAME = "Anna Zwetkow"
SOUGHT = Sought.of([NAME, "Zwetkow", "García", "Green"], ["Li"])
DOCUMENT = "word/document.xml"
FOUND = [
    ("in a run", word("<w:r><w:t>Ms. Zwetkow left</w:t></w:r>"), (DOCUMENT, True)),
    ("over runs", word("<w:r><w:t>Zwet</w:t></w:r><w:r><w:rPr/><w:t>kow</w:t></w:r>"), (DOCUMENT, True)),
    ("glued to the next run", word("<w:r><w:t>Zwetkow</w:t></w:r><w:r><w:t>a</w:t></w:r>"), (DOCUMENT, True)),
    ("a character reference", word("<w:r><w:t>&#90;wetkow</w:t></w:r>"), (DOCUMENT, True)),
    ("a soft hyphen", word("<w:r><w:t>Zwet\u00adkow</w:t></w:r>"), (DOCUMENT, True)),
    ("decomposed", word("<w:r><w:t>Garci\u0301a</w:t></w:r>"), (DOCUMENT, True)),
    ("without its accent, in capitals", word("<w:r><w:t>GARCIA</w:t></w:r>"), (DOCUMENT, True)),
    ("words parted by a break", word("<w:r><w:t>Anna</w:t><w:br/><w:t>Zwetkow</w:t></w:r>"), (DOCUMENT, True)),
    ("deleted text", word("<w:del><w:r><w:delText>Zwetkow</w:delText></w:r></w:del>"), (DOCUMENT, False)),
    ("a field code", word("<w:r><w:instrText>MERGEFIELD zwetkow_1</w:instrText></w:r>"), (DOCUMENT, False)),
    ("an attribute", word('<w:r w:x="bm_zwetkow1"><w:t>a</w:t></w:r>'), (DOCUMENT, False)),
    ("an attribute in hexadecimal", word('<w:r w:x="&#x5A;wetkow"/>'), (DOCUMENT, False)),
    ("a percent-encoded link", word('<w:r w:x="https://a/Garc%C3%ADa"/>'), (DOCUMENT, False)),
    ("a comment of XML", word("<!-- Zwetkow -->"), (DOCUMENT, False)),
    ("a processing instruction", word("<?a Zwetkow?>"), (DOCUMENT, False)),
    ("a prefix of a namespace", word('<zwetkow:a xmlns:zwetkow="urn:a"/>'), (DOCUMENT, False)),
    ("a short word of a name, beside the text", word('<w:r w:title="Li"/>'), (DOCUMENT, False)),
    ("a property", zipped(docProps__core_xml="<a><b>Zwetkow</b></a>"), ("docProps/core.xml", False)),
    ("another encoding", zipped(a_xml="<a>Zwetkow</a>".encode("utf-16")), ("a.xml", False)),
    ("the name of an entry", zipped(Zwetkow_xml="<a/>"), ("the name of Zwetkow.xml", False)),
    ("a comment of the archive", zipped("Zwetkow"), ("output.docx, between its entries", False)),
    ("bytes before the archive", b"Zwetkow" + zipped(a_xml="<a/>"), ("output.docx", False)),
    ("UTF-16 in a binary part", zipped(b=b"\0" + "Zwetkow".encode("utf-16-le")), ("b", False)),
    ("a file in a file", zipped(a=zipped(b_xml="<a>Zwetkow</a>")), ("a/b.xml", False)),
    ("a packed picture", zipped(a=gzip.compress(b"\0Zwetkow\0")), ("a", False)),
    ("a packed text in a PNG", zipped(a=b"\x89PNG zTXta\0\0" + zlib.compress(b"Zwetkow")), ("a", False)),
]


@pytest.mark.parametrize(("reason", "data", "where"), FOUND, ids=[c[0] for c in FOUND])
def test_found(reason: str, data: bytes, where: tuple[str, bool]) -> None:
    assert where in {(f.place, f.shown) for f in verify(data, SOUGHT, "output.docx")}


CLEAN = [
    ("a longer word of the text", word("<w:r><w:t>Greenwich</w:t></w:r>")),
    ("a colour of the text", word("<w:r><w:t>a green house</w:t></w:r>")),
    ("a colour of the format", word('<w:highlight w:val="green"/><w:r><w:t>a</w:t></w:r>')),
    ("a style of the format", word('<w:pStyle w:val="LightGrid-Green"/>').replace(b"LightGrid-", b"")),
    ("a word of a name, in the text: another bearer may stay", word("<w:r><w:t>Mr. Li</w:t></w:r>")),
    (
        "an element, a namespace and a value of the format",
        word(
            '<w:lang w:val="left" xmlns:a="http://schemas.'
            'openxmlformats.org/officeDocument/2006/bibliography"/><w:r><w:t>a</w:t></w:r>'
        ),
    ),
    ("parts of every package", zipped(word__theme_xml="<a/>", word__settings_xml="<a><w:kern/><w:link/></a>")),
    ("over two paragraphs", word("<w:r><w:t>Zwet</w:t></w:r></w:p><w:p><w:r><w:t>kow</w:t></w:r>")),
]


@pytest.mark.parametrize(("reason", "data"), CLEAN, ids=[c[0] for c in CLEAN])
def test_clean(reason: str, data: bytes) -> None:
    assert verify(data, SOUGHT, "output.docx") == []
    assert verify(data, OF_THE_FORMAT, "output.docx") == []


OF_THE_FORMAT = Sought.of([], ["Lang", "Kern", "Link", "Body", "Left", "Theme", "Settings", "Format", "Office", "Word"])
WRITTEN = [
    ("a style of somebody's", word('<w:pStyle w:val="Lang"/>')),
    ("an element of no format", word("<w:tblZwetkow/>")),
    ("an element in odd letter case", word("<w:zWeTkOw/>")),
    ("an attribute of no format", word('<w:tbl w:tblZwetkow="1"/>')),
    ("letters outside ASCII", word('<w:p w:Zwętkow="left"/>')),
    ("a made-up namespace", word('<w:p xmlns:a="http://schemas.openxmlformats.org/zwetkow"/>')),
    ("a part", zipped(word__zwetkowSettings_xml="<a/>")),
]


@pytest.mark.parametrize(("reason", "data"), WRITTEN, ids=[c[0] for c in WRITTEN])
def test_what_only_looks_like_the_format(reason: str, data: bytes) -> None:
    assert verify(data, Sought.of([], ["Lang", "Zwetkow"]), "output.docx")


HTML = [
    ("parted by tags", "<p>Mac<b>Donald</b></p>", [True]),
    ("parted by a cell", "<td>Mac</td><td>Donald</td>", []),
    ("a title of a picture", '<img alt="of MacDonald">', [False]),
    ("a script", "<script>x = 'MacDonald'</script>", [False]),
    ("a comment", "<!-- MacDonald -->", [False]),
]


def test_style_sheets_hide_no_names() -> None:
    page = "<style>p {{font-family: {0}; text-align: left}}</style><p style='color: black; margin: 0'>a</p>"
    sought = Sought.of([], ["Black", "Family", "Left", "Margin", "Zwetkow"])
    assert verify(page.format("serif").encode(), sought, "a.html") == []
    assert verify(page.format("Zwetkow").encode(), sought, "a.html")


@pytest.mark.parametrize(("reason", "text", "shown"), HTML, ids=[c[0] for c in HTML])
def test_html(reason: str, text: str, shown: list[bool]) -> None:
    assert [f.shown for f in verify(text.encode(), Sought.of(["MacDonald"]), "a.html")] == shown


WORDS = [
    ("Anna Zwetkow", ["Zwetkow"]),
    ("Joanne Lynn Green", ["Joanne", "Green"]),
    ("Mr. Li", ["Li"]),
    ("Ludwig van der Berg", ["Ludwig", "Berg"]),
    ("J. Roe", ["Roe"]),
    ("Acme Trading Ltd.", ["Acme"]),
]


INITIALLED = [
    ("A. Hill", "the house on a hill", False, "an article and a thing"),
    ("A. Hill", "A hill rises there", False, "at the beginning of a sentence"),
    ("A. Hill", "Mr. A. Hill and A Hill", True, "as it was written"),
    ("A. Hill", "A.HILL", True, "in capitals"),
    ("A. B. Hill", "the A. B. Hill house", True, "with two initials"),
    ("Ann Hill", "ann hill", True, "a full name in any letters"),
]


@pytest.mark.parametrize(("name", "text", "found", "reason"), INITIALLED, ids=[c[-1] for c in INITIALLED])
def test_initials_have_capitals(name: str, text: str, found: bool, reason: str) -> None:
    assert bool(verify(text.encode(), Sought.of([name]), "output.txt")) is found, reason


@pytest.mark.parametrize(("name", "words"), WORDS)
def test_words_of_a_name(name: str, words: list[str]) -> None:
    assert words_of(name) == words


def test_what_was_hidden_is_found_by_comparing() -> None:
    original = "Ms. Anna Zwetkow left. Ms. Zwetkow and Mr. Roe met in Nelson. Mr. Roe left Nelson on 12 May 1999."
    output = "Ms. A.Z. left. Ms. A.Z. and Mr. Roe met in Nelson. Mr. Roe left Nelson on 12 May 1999."
    assert hidden_between(original, output) == (["Anna Zwetkow"], ["Anna", "Zwetkow"])


@given(st.text(), st.text())
def test_plain_text_is_plain_in_pieces(a: str, b: str) -> None:
    assert plain(plain(a)) == plain(a)
    assert not any(c in plain(a + b) for c in "\u00ad\u200b\u0301\ufeff")


def test_archives_in_archives_end() -> None:
    data = zipped(a="x")
    for _ in range(6):
        data = zipped(a=data)
    with pytest.raises(Unreadable, match="deep"):
        verify(data, SOUGHT)
    with pytest.raises(Unreadable):
        verify(b"PK\x03\x04 no archive", SOUGHT)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("Ms. Anna Zwetkow left. Ms. Zwetkow came back. Zwetkow was heard.")
    (tmp_path / "b.txt").write_text("Ms. A.Z. left. Ms. A.Z. came back. A.Z. was heard.")
    (tmp_path / "c.txt").write_text("Ms. A.Z. left. Ms. A.Z. came back. Zwetkow was heard.")
    a, b, c = (str(tmp_path / f"{n}.txt") for n in "abc")
    assert main(["verify", a, b]) == 0
    assert main(["verify", a, c]) == 1
    assert "c.txt (line 1): Zwetkow" in capsys.readouterr().out
    (tmp_path / "names").write_text("Anna Zwetkow\n")
    assert main(["verify", a, c, "--names", str(tmp_path / "names"), "--json"]) == 1, "its surname is left"
    assert main(["verify", a, str(tmp_path / "none.docx")]) == 2
    assert "no such file" in capsys.readouterr().err
    assert shown_text(word("<w:r><w:t>a&amp;b</w:t></w:r>"), "x.docx").strip() == "a&b"
