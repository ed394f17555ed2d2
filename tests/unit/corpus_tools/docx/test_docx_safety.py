"""DOCX files as strangers send them: what is refused and dropped, and that replacing is replacing in plain text."""

from __future__ import annotations

import io
import re
import struct
import warnings
import zipfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import docx
import pytest
from docx.oxml import parse_xml
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from aef.corpus_tools.docx import policy as docx_policy
from aef.corpus_tools.docx.policy import ELEMENTS, PARTS, REVISIONS, Policy
from aef.corpus_tools.docx.revisions import accept_revisions
from aef.corpus_tools.docx.text import DocxText
from aef.corpus_tools.docx.xml import Remembered, W
from aef.corpus_tools.edits import Replacement, apply_edits
from aef.corpus_tools.metadata import pictures
from aef.corpus_tools.metadata.format_words import FONTS, is_standard
from aef.corpus_tools.metadata.format_words import NAMES as NAMES_OF_THE_FORMAT
from aef.corpus_tools.name_search.folding import folded, readable
from aef.corpus_tools.name_search.hidden_names import HiddenNames
from aef.errors import InputError
from aef.verification.search import Sought, Unreadable, verify

SPACES = f'xmlns:w="{W[1:-1]}"'


def saved(document: Any) -> bytes:
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def ruling(*paragraphs: str) -> bytes:
    document = docx.Document()
    for content in paragraphs or ("<w:r><w:t>The parties met.</w:t></w:r>",):
        document.element.body.sectPr.addprevious(parse_xml(f"<w:p {SPACES}>{content}</w:p>"))
    return saved(document)


def repacked(data: bytes, change: Callable[[str, bytes], tuple[str, bytes]], *more: tuple[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with (
        warnings.catch_warnings(),
        zipfile.ZipFile(io.BytesIO(data)) as old,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        warnings.simplefilter("ignore")  # of doubled names
        for entry in old.infolist():
            new.writestr(*change(entry.filename, old.read(entry)))
        for name, content in more:
            new.writestr(name, content)
    return stream.getvalue()


def replaced(old: bytes, new: bytes) -> bytes:
    return repacked(ruling(), lambda name, content: (name, content.replace(old, new)))


def also(name: str, content: bytes = b"x") -> bytes:
    return repacked(ruling(), lambda n, c: (n, c), (name, content))


MAIN = b"vnd.openxmlformats-officedocument.wordprocessingml.document.main"
REFUSED = [
    ("a climbing name", also("word/../../evil.txt"), "climbing name"),
    ("a climbing name with backslashes", also("word\\..\\evil.txt"), "climbing name"),
    ("an absolute name", also("/etc/passwd"), "absolute"),
    ("a name with a drive", also("C:/evil.txt"), "absolute"),
    ("two entries of one name", also("word/document.xml"), "two parts of one name"),
    ("two entries alike but for case", also("WORD/Document.xml"), "two parts of one name"),
    ("macros", replaced(MAIN, b"vnd.ms-word.document.macroEnabled.main"), "with macros"),
    ("a template", replaced(MAIN, MAIN.replace(b"document.main", b"template.main")), "is a template"),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "data", "message"), REFUSED, ids=[c[0] for c in REFUSED])
def test_refused(reason: str, data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        DocxText.from_bytes(data, "a.docx")


def with_directory(at: int, value: bytes) -> bytes:
    """A field of the first entry of the archive's directory overwritten."""
    data = bytearray(ruling())
    start = data.index(b"PK\x01\x02") + at
    data[start : start + len(value)] = value
    return bytes(data)


NUMBERS = b'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/numbering"'
ATTRIBUTES = b"<w:p " + b" ".join(b'a%d=""' % i for i in range(1100))
DAMAGED = [
    ("a version of ZIP that nobody has", with_directory(6, b"\xff\x00")),
    ("a method that nobody has", with_directory(10, b"\x63\x00")),
    ("an offset out of the file", with_directory(42, b"\xff\xff\xff\x7f")),
    ("a relation without a type", replaced(NUMBERS, b"")),
    ("a relation without an id", replaced(b'Id="rId3"', b"")),
    ("an element of too many attributes", replaced(b"<w:sectPr", ATTRIBUTES + b"/><w:sectPr")),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "data"), DAMAGED, ids=[c[0] for c in DAMAGED])
def test_damaged(reason: str, data: bytes) -> None:
    with pytest.raises(InputError, match=r"is damaged|is no DOCX"):
        DocxText.from_bytes(data, "a.docx")
    with suppress(Unreadable):  # nothing else comes of it in verifying, either
        verify(data, Sought.of(["Zwetkow"]))


def test_too_much_xml_is_refused_by_the_directory_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aef.corpus_tools.docx.package.MAX_XML_BYTES", 1000)
    with pytest.raises(InputError, match="MB of XML"):
        DocxText.from_bytes(ruling(), "a.docx")


# --- replacing --------------------------------------------------------------------------------------------------------

UNSEEN = ["\u00ad", "\u200b", "\u2060", "\ufeff"]
TEXTS = st.text("abÉé -.’\u00a0\u0301" + "".join(UNSEEN), max_size=8)
RUNS = st.tuples(TEXTS, st.sampled_from(["", "<w:b/>", "<w:i/>", '<w:color w:val="FF0000"/>']))
WRAPPERS = [
    "{}",
    "<w:hyperlink>{}</w:hyperlink>",
    "<w:smartTag>{}</w:smartTag>",
    '<w:ins w:id="1" w:author="x">{}</w:ins>',
    "<w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt>",
    '<w:proofErr w:type="spellStart"/>{}',
    '<w:del w:id="2" w:author="x"><w:r><w:delText>gone</w:delText></w:r></w:del>{}',
    '<w:bookmarkStart w:id="3" w:name="b"/>{}<w:bookmarkEnd w:id="3"/>',
    "<w:r><w:tab/></w:r>{}",
    "<w:r><w:br/></w:r>{}",
    "<w:r><w:softHyphen/></w:r>{}",
    "<w:r><w:noBreakHyphen/></w:r>{}",
]


def as_xml(run: tuple[str, str], wrapper: str) -> str:
    return wrapper.format(f'<w:r><w:rPr>{run[1]}</w:rPr><w:t xml:space="preserve">{run[0]}</w:t></w:r>')


PARAGRAPHS = st.lists(st.lists(st.builds(as_xml, RUNS, st.sampled_from(WRAPPERS)), max_size=6).map("".join), max_size=4)


@pytest.mark.slow
@settings(max_examples=60)
@given(PARAGRAPHS, st.data())
def test_replacing_equals_replacing_in_the_plain_text(paragraphs: list[str], data: st.DataObject) -> None:
    source = ruling("<w:r><w:t>always</w:t></w:r>", *paragraphs)
    read = DocxText.from_bytes(source)
    edits: list[Replacement] = []
    for block in read.document().blocks:
        if block.end > block.start and data.draw(st.booleans()):
            low = data.draw(st.integers(block.start, block.end - 1))
            edits.append(
                (low, data.draw(st.integers(low + 1, block.end)), data.draw(st.sampled_from(["W.M.", "[...]"])))
            )
    expected = apply_edits(read.text, edits)
    assert DocxText.from_bytes(read.rewritten(edits)).text == expected


def untouched(data: bytes) -> list[tuple[str, bytes]]:
    """Text and properties of the runs of a document, insertions accepted."""
    root = docx.Document(io.BytesIO(data)).element
    accept_revisions(root)
    return [
        (
            "".join(t.text or "" for t in r.iter(W + "t")),
            b"".join(etree.tostring(p, method="c14n", exclusive=True) for p in r.iterchildren(W + "rPr")),
        )
        for r in root.iter(W + "r")
    ]


@pytest.mark.slow
@settings(max_examples=40)
@given(PARAGRAPHS)
def test_a_file_in_which_nothing_is_replaced_keeps_every_run(paragraphs: list[str]) -> None:
    source = ruling("<w:r><w:t>always</w:t></w:r>", *paragraphs)
    assert untouched(DocxText.from_bytes(source).rewritten([], HiddenNames({"Zwetkow": "A.Z."}))) == untouched(source)


@given(st.text())
def test_places_of_folded_and_readable_text(text: str) -> None:
    for spelled, places in (folded(text), readable(text)):
        assert len(places) == len(spelled) + 1 and places[-1] == len(text)
        assert list(places) == sorted(places)
    if text.isascii():
        assert readable(text)[0] == text and folded(text)[0] == text.lower()


# --- what surrounds the text ------------------------------------------------------------------------------------------

REVISED = [
    ("an insertion stays", f'<w:ins w:id="1">{"<w:r><w:t>a</w:t></w:r>"}</w:ins>', "a"),
    ("a deletion goes", '<w:del w:id="1"><w:r><w:delText>a</w:delText></w:r></w:del><w:r><w:t>b</w:t></w:r>', "b"),
    ("an insertion in a deletion goes", '<w:del w:id="1"><w:ins w:id="2"><w:r><w:t>a</w:t></w:r></w:ins></w:del>', ""),
    ("a deletion in an insertion goes", '<w:ins w:id="1"><w:r><w:t>a</w:t></w:r><w:del w:id="2"><w:r><w:t>b</w:t></w:r>'
     "</w:del></w:ins>", "a"),
    ("a formatting change leaves the new one", "<w:r><w:rPr><w:b/><w:rPrChange><w:rPr><w:i/></w:rPr></w:rPrChange>"
     "</w:rPr><w:t>a</w:t></w:r>", "a"),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "content", "text"), REVISED, ids=[c[0] for c in REVISED])
def test_revisions_are_accepted(reason: str, content: str, text: str) -> None:
    root = parse_xml(f"<w:body {SPACES}><w:p>{content}</w:p></w:body>")
    accept_revisions(root)
    assert "".join(t.text or "" for t in root.iter(W + "t")) == text
    assert not [e for e in root.iter(W + "*") if etree.QName(e).localname in REVISIONS]


NAMES = HiddenNames({"Anna Zwetkow": "A.Z.", "Zwetkow": "A.Z.", "Green": "J.G.", "Li": "X.L.", "García": "M.G."})
FOUND = [
    ("a surname", "Ms. Zwetkow's", "Ms. A.Z.'s"),
    ("in any case, inside a word", "bm_zwetkow1", "bm_A.Z.1"),
    ("a full name first", "ANNA  ZWETKOW", "A.Z."),
    ("joined by a hyphen or nothing", "annazwetkow, Anna-Zwetkow", "A.Z., A.Z."),
    ("with unseen signs", "Zw\u00adet\u200bkow", "A.Z."),
    ("decomposed accents", "Garci\u0301a", "M.G."),
    ("without its accent", "GARCIA", "M.G."),
    ("a short word is whole", "Greenwich Green", "Greenwich J.G."),
    ("a shorter one has a capital", "Li li", "X.L. li"),
    ("no name", "Anna's", "Anna's"),
]


@pytest.mark.parametrize(("reason", "text", "expected"), FOUND, ids=[c[0] for c in FOUND])
def test_hidden_names(reason: str, text: str, expected: str) -> None:
    assert NAMES.replaced(text) == expected, reason
    assert NAMES(text) == (text != expected)


STANDARD = [("darkGreen", True), ("Light Shading Accent 1", True), ("heading 1", True),
            ("Zwetkow", False), ("Green Zwetkow", False), ("12", False)]  # fmt: skip


@pytest.mark.parametrize(("value", "standard"), STANDARD)
def test_the_formats_own_words_stay(value: str, standard: bool) -> None:
    assert is_standard(value) == standard


def test_a_person_called_as_a_colour_keeps_the_colour() -> None:
    content = '<w:r><w:rPr><w:highlight w:val="green"/></w:rPr><w:t>a</w:t></w:r>'
    output = DocxText.from_bytes(ruling(content)).rewritten([], NAMES)
    with zipfile.ZipFile(io.BytesIO(output)) as archive:
        assert b'w:val="green"' in archive.read("word/document.xml")


def test_tables_of_policies_do_not_contradict() -> None:
    assert not ELEMENTS.keys() & REVISIONS.keys()
    assert set(PARTS.values()) | set(ELEMENTS.values()) == set(Policy)
    assert all(docx_policy.NAMESPACES.fullmatch(uri) for uri in ("", W[1:-1], "urn:schemas-microsoft-com:vml"))
    assert not docx_policy.NAMESPACES.fullmatch("urn:somebody")


def parts_of(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


SURNAMES = ("Lang", "Kern", "Link", "Body", "Start", "Format", "Word", "Office", "Theme", "Settings", "Left", "Fill",
            "Family", "Picture", "Relationships", "Space", "Text", "Val", "Encoding", "Standalone", "Version", "Tables",
            "Terms", "About", "Light", "Offset", "Reference", "Yes")  # fmt: skip


@pytest.mark.parametrize("surname", SURNAMES)
def test_a_person_called_as_something_of_the_format(surname: str) -> None:
    """The package stays as it is with another surname, and no name is seen in it that is not there."""
    texts = [f"Ms. Anna {name} met Mr. Roe." for name in (surname, "Zwetkow")]
    files = [ruling(f"<w:r><w:rPr><w:lang w:val='en-GB'/></w:rPr><w:t>{text}</w:t></w:r>") for text in texts]
    results = []
    for data, name in zip(files, (surname, "Zwetkow"), strict=True):
        source = DocxText.from_bytes(data)
        start = source.text.index("Anna")
        hidden = HiddenNames({f"Anna {name}": "A.X.", name: "A.X."})
        results.append(source.rewritten([(start, start + 5 + len(name), "A.X.")], hidden))
    assert parts_of(results[0]) == parts_of(results[1])
    assert verify(results[0], Sought.of([f"Anna {surname}"], [surname])) == []


def test_people_called_as_everything_of_the_format_refuse_nothing() -> None:
    names = HiddenNames({word.title(): "A.X." for word in (*NAMES_OF_THE_FORMAT, *FONTS) if len(word) > 1})
    output = DocxText.from_bytes(ruling()).rewritten([], names)
    assert verify(output, Sought([], names)) == []
    assert DocxText.from_bytes(output).text


def test_text_between_words_elements_goes() -> None:
    content = "<w:r><w:t>Ms. Roe left.</w:t></w:r><w:r>stray<w:t>A</w:t>tail</w:r>"
    result = DocxText.from_bytes(ruling(content)).rewritten([], HiddenNames({}))
    written = parts_of(result)["word/document.xml"]
    assert b"stray" not in written and b"tail" not in written and b"left." in written


def test_an_unknown_namespace_goes() -> None:
    content = '<x:secret xmlns:x="urn:zwetkow">Zwetkow</x:secret><w:r x:a="Zwetkow" xmlns:x="urn:z"><w:t>a</w:t></w:r>'
    output = DocxText.from_bytes(ruling(content)).rewritten([], NAMES)
    with zipfile.ZipFile(io.BytesIO(output)) as archive:
        xml = archive.read("word/document.xml").lower()
    assert b"zwetkow" not in xml and b"urn:z" not in xml


def test_a_name_is_sought_anew_in_xml_that_was_seen_before() -> None:
    """What a part is made of is remembered; whom a ruling hides is another question each time."""
    content = '<w:r w:zwetkow="1"><w:t>a</w:t></w:r><w:zwetkow/>'
    for names, stands in ((HiddenNames({}), True), (NAMES, False), (HiddenNames({"Green": "G."}), True)):
        output = DocxText.from_bytes(ruling(content)).rewritten([], names)
        assert (b"zwetkow" in parts_of(output)["word/document.xml"]) == stands


def test_what_is_remembered_of_xml() -> None:
    asked: list[bytes] = []
    remembered: Remembered[int] = Remembered(most=2)
    for content in (b"a", b"a", b"bb", b"a", b"ccc", b"a"):
        assert remembered(content, lambda content=content: asked.append(content) or len(content)) == len(content)
    assert asked == [b"a", b"bb", b"ccc", b"a"], "asked once each, until there are too many"
    with pytest.raises(ValueError, match="wrong"):
        remembered(b"d", lambda: int("wrong"))
    assert remembered(b"d", lambda: 4) == 4, "an error is not remembered"
    picky: Remembered[int] = Remembered(small=lambda found: found < 3)
    assert [picky(b"a", lambda found=found: found) for found in (5, 2, 1)] == [5, 2, 2], "what is large is not"


# --- pictures ---------------------------------------------------------------------------------------------------------


def picture(kind: str, **arguments: Any) -> bytes:
    from PIL import Image

    stream = io.BytesIO()
    Image.effect_noise((32, 32), 60).convert("RGB").save(stream, kind, **arguments)
    return stream.getvalue()


def pixels(data: bytes) -> bytes:
    from PIL import Image

    with Image.open(io.BytesIO(data)) as image:
        return bytes(image.convert("RGB").tobytes())


JPEG = picture("JPEG")
PICTURES = [
    (
        "JPEG with EXIF and a comment",
        JPEG[:2] + b"\xff\xe1\0\x10Exif\0\0Zwetkow." + b"\xff\xfe\0\x09Zwetkow" + JPEG[2:],
    ),
    ("progressive JPEG", picture("JPEG", progressive=True, comment=b"Zwetkow")),
    ("JPEG with something behind it", JPEG + b"Zwetkow"),
    ("GIF with a comment", picture("GIF", comment=b"Zwetkow")),
    ("PNG with something behind it", picture("PNG") + b"Zwetkow"),
    ("BMP with something behind it", picture("BMP") + b"Zwetkow"),
]


@pytest.mark.parametrize(("reason", "data"), PICTURES, ids=[c[0] for c in PICTURES])
def test_pictures_lose_what_is_beside_their_pixels(reason: str, data: bytes) -> None:
    output = pictures.stripped(data)
    assert b"Zwetkow" in data and output is not None and b"Zwetkow" not in output
    assert pixels(output) == pixels(data)


@given(st.sampled_from([JPEG, picture("PNG"), picture("GIF"), picture("BMP")]), st.data())
def test_a_damaged_picture_is_none_or_one(whole: bytes, data: st.DataObject) -> None:
    at = data.draw(st.integers(2, len(whole) - 1))
    cut = whole[:at] + data.draw(st.binary(max_size=3)) + whole[at + data.draw(st.integers(0, 3)) :]
    output = pictures.stripped(cut[: data.draw(st.integers(1, len(cut)))])
    assert output is None or len(output) <= len(cut) + 2


def test_blank_is_a_picture() -> None:
    assert struct.unpack(">II", pictures.blank()[16:24]) == (1, 1)
    assert pictures.stripped(pictures.blank()) == pictures.blank()
    assert len(pixels(pictures.blank())) == 3


def names_of(edits: Sequence[Replacement]) -> list[str]:
    return [new for _, _, new in edits]


def test_edits_of_identifiers_are_letters_alone() -> None:
    assert names_of(NAMES.edits("zwetkow", identifier=True)) == ["AZ"]
    assert re.fullmatch(r"\w+", NAMES.identifier("bm_Zwetkow_1"))
