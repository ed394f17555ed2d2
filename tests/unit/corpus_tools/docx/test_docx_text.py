"""The DOCX text model: what the text of a package is, and that replacing changes nothing else."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from typing import Any

import docx
import pytest
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from hypothesis import given, settings
from hypothesis import strategies as st

from aef.corpus_tools.docx.text import DocxText
from aef.corpus_tools.edits import Replacement, apply_edits
from aef.corpus_tools.name_search.hidden_names import HiddenNames

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
SPACES = (
    f'xmlns:w="{W}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:v="urn:schemas-microsoft-com:vml"'
)
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"


def package(*paragraphs: str) -> Any:
    """A document of paragraphs given as XML inside ``w:p``."""
    document = docx.Document()
    end = document.element.body.sectPr
    for content in paragraphs:
        end.addprevious(parse_xml(f"<w:p {SPACES}>{content}</w:p>"))
    return document


def saved(document: Any) -> bytes:
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def opened(document: Any) -> DocxText:
    return DocxText.from_bytes(saved(document))


def rewritten(document: Any, edits: Sequence[Replacement]) -> DocxText:
    return DocxText.from_bytes(opened(document).rewritten(edits))


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


BOLD, ITALIC = "<w:b/>", "<w:i/>"


def box(choice: str, fallback: str) -> str:
    """A text box: the same paragraphs in DrawingML, and in VML for old word processors."""
    return (
        f'<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx><w:txbxContent>{choice}'
        f"</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>"
        f"{fallback}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )


GREEN = f"<w:p>{run('Ms. ')}{run('Green', BOLD)}</w:p>"

TEXTS = [
    ("runs are one text", run("Will", BOLD) + run("iam"), "William"),
    ("a tab", "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t></w:r>", "a\tb"),
    ("tab stops are no tabs", '<w:pPr><w:tabs><w:tab w:pos="9"/></w:tabs></w:pPr>' + run("a"), "a"),
    ("a line break parts words, not the paragraph", "<w:r><w:t>a</w:t><w:br/><w:t>b</w:t></w:r>", "a b"),
    ("a carriage return does so", "<w:r><w:t>a</w:t><w:cr/><w:t>b</w:t></w:r>", "a b"),
    ("a line end in the XML is white space", run("a\nb"), "a b"),
    ("a hyphen that does not break", "<w:r><w:t>a</w:t><w:noBreakHyphen/><w:t>b</w:t></w:r>", "a-b"),
    ("a soft hyphen is not shown", "<w:r><w:t>a</w:t><w:softHyphen/><w:t>b</w:t></w:r>", "ab"),
    ("a symbol parts words", '<w:r><w:t>a</w:t><w:sym w:char="F0A7"/><w:t>b</w:t></w:r>', "a b"),
    ("a hyperlink", f"<w:hyperlink>{run('a')}</w:hyperlink>{run('b')}", "ab"),
    ("a smart tag", f"<w:smartTag>{run('a')}</w:smartTag>{run('b')}", "ab"),
    ("a content control", f"<w:sdt><w:sdtContent>{run('a')}</w:sdtContent></w:sdt>{run('b')}", "ab"),
    ("an insertion", f'<w:ins w:id="1" w:author="x">{run("a")}</w:ins>{run("b")}', "ab"),
    ("a deletion", '<w:del w:id="1" w:author="x"><w:r><w:delText>x</w:delText></w:r></w:del>' + run("b"), "b"),
    ("text moved away", f'<w:moveFrom w:id="1" w:author="x">{run("x")}</w:moveFrom>{run("b")}', "b"),
    ("text moved here", f'<w:moveTo w:id="1" w:author="x">{run("a")}</w:moveTo>{run("b")}', "ab"),
    (
        "a field shows its result, not its code",
        '<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>PAGE</w:instrText></w:r>' + run("7"),
        "7",
    ),
    ("a formula", "<m:oMath><m:r><m:t>x+y</m:t></m:r></m:oMath>", "x+y"),
    ("a text box once", run("a") + box(GREEN, GREEN), "a\nMs. Green"),
    (
        "a text box that its fallback does not repeat",
        run("a") + box(GREEN, f"<w:p>{run('b')}</w:p>"),
        "a\nMs. Green\nb",
    ),
    (
        "a symbol with a fallback",
        '<w:r><mc:AlternateContent><mc:Choice Requires="x"><w:t>a</w:t></mc:Choice><mc:Fallback><w:t>b</w:t>'
        "</mc:Fallback></mc:AlternateContent></w:r>",
        "a",
    ),
    (
        "a symbol known to the fallback alone",
        '<w:r><mc:AlternateContent><mc:Choice Requires="x"><w:x/></mc:Choice><mc:Fallback><w:t>b</w:t>'
        "</mc:Fallback></mc:AlternateContent></w:r>",
        "b",
    ),
    ("marks outside ASCII", run("Zoë &amp; 𝒳"), "Zoë & 𝒳"),
]


@pytest.mark.parametrize(("reason", "content", "text"), TEXTS, ids=[c[0] for c in TEXTS])
def test_text(reason: str, content: str, text: str) -> None:
    document = package(content)
    assert opened(document).text == text
    assert rewritten(document, []).text == text, "saving must not change the text"


def whole() -> Any:
    """A document with text everywhere a ruling has some."""
    document = package(run("Green v. Millar"), run("[1] The parties met."), " ", box(GREEN, GREEN))
    outer = document.add_table(1, 2)
    outer.cell(0, 0).text = "cell"
    outer.cell(0, 1).add_table(1, 1).cell(0, 0).text = "inner cell"
    document.add_paragraph("The end.")
    document.sections[0].header.paragraphs[0].text = "the header"
    document.sections[0].footer.paragraphs[0].text = "the footer"
    document.add_comment(document.paragraphs[1].runs[0], "the comment", author="A. Clerk")
    for kind in ["footnote", "endnote"]:
        xml = f'<w:{kind}s {SPACES}><w:{kind} w:id="1"><w:p>{run(f"the {kind}")}</w:p></w:{kind}></w:{kind}s>'
        content_type = f"application/vnd.openxmlformats-officedocument.wordprocessingml.{kind}s+xml"
        part = Part(PackURI(f"/word/{kind}s.xml"), content_type, xml.encode(), document.part.package)
        document.part.relate_to(part, f"{RELATIONS}{kind}s")
    return document


def test_parts_of_the_ruling() -> None:
    document = opened(whole()).document("name")
    found = [(b.part, document.text[b.start : b.end]) for b in document.blocks]
    assert found == [
        ("head", "Green v. Millar"),
        ("body", "[1] The parties met."),
        ("body", "Ms. Green"),
        ("table", "cell"),
        ("table", "inner cell"),
        ("body", "The end."),
        ("header", "the header"),
        ("footer", "the footer"),
        ("footnote", "the footnote"),
        ("endnote", "the endnote"),
        ("comment", "the comment"),
    ]
    assert document.text == "\n".join(text for _, text in found), "a paragraph is a line, empty ones none"


def test_words_numbering_opens_the_body() -> None:
    numbered = '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>'
    unnumbered = numbered.replace('w:numId w:val="1"', 'w:numId w:val="0"')
    by_style = '<w:pPr><w:pStyle w:val="ListNumber2"/></w:pPr>'
    for properties, parts in [(numbered, "hb"), (unnumbered, "bb"), (by_style, "hb")]:
        document = opened(package(run("Green v. Millar"), properties + run("They met."))).document()
        assert "".join(b.part[0] for b in document.blocks) == parts


@pytest.mark.parametrize(
    "where", ["Ms. Green", "cell", "inner cell", "header", "footer", "footnote", "endnote", "comment"]
)
def test_replacing_reaches_every_part(where: str) -> None:
    text = opened(whole()).text
    edit = (text.index(where), text.index(where) + len(where), "X.Y.")
    output = opened(whole()).rewritten([edit])
    assert DocxText.from_bytes(output).text == apply_edits(text, [edit])
    with zipfile.ZipFile(io.BytesIO(output)) as archive:
        words = [re.sub("<[^>]*>", "", archive.read(n).decode()) for n in archive.namelist() if n.startswith("word/")]
    assert not any(where in word for word in words) or where == "cell"


def test_a_text_box_is_replaced_in_its_fallback_too() -> None:
    document = package(run("a") + box(GREEN, GREEN))
    output = opened(document).rewritten([(6, 11, "J.G.")])
    with zipfile.ZipFile(io.BytesIO(output)) as archive:
        xml = archive.read("word/document.xml").decode()
    assert (xml.count("Green"), xml.count("J.G.")) == (0, 2)


def formats(document: DocxText) -> list[tuple[str, bool, bool]]:
    """Text, bold and italic of the runs of the first paragraph."""
    paragraph = docx.Document(io.BytesIO(document.save())).paragraphs[0]
    return [(r.text, bool(r.bold), bool(r.italic)) for r in paragraph.runs if r.text]


LEFT = (" left.", False, False)
FORMATS = [  # of "Mr. Will" (bold), "iam" (italic), " left."
    ("inside one run", (0, 3, "X."), [("X. Will", True, False), ("iam", False, True), LEFT]),
    ("over two runs: that of the first", (4, 11, "W."), [("Mr. W.", True, False), LEFT]),
    ("over parts of two runs", (6, 9, "-"), [("Mr. Wi-", True, False), ("am", False, True), LEFT]),
    ("a whole run", (8, 11, "x"), [("Mr. Will", True, False), ("x", False, True), LEFT]),
    ("an insertion goes to the run before", (8, 8, "!"), [("Mr. Will!", True, False), ("iam", False, True), LEFT]),
    ("an insertion at the beginning", (0, 0, "!"), [("!Mr. Will", True, False), ("iam", False, True), LEFT]),
]


@pytest.mark.parametrize(("reason", "edit", "expected"), FORMATS, ids=[c[0] for c in FORMATS])
def test_formatting_stays(reason: str, edit: Replacement, expected: list[tuple[str, bool, bool]]) -> None:
    document = opened(package(run("Mr. Will", BOLD) + run("iam", ITALIC) + run(" left.")))
    document.replace([edit])
    assert formats(document) == expected


PIECES = st.one_of(
    st.text("abÉ .", min_size=0, max_size=6).map(run),
    st.text("ab ", min_size=1, max_size=4).map(lambda text: run(text, BOLD)),
    st.sampled_from(["<w:r><w:tab/></w:r>", "<w:r><w:br/></w:r>", "<w:r><w:noBreakHyphen/></w:r>"]),
)
PARAGRAPHS = st.lists(st.lists(PIECES, max_size=5).map("".join), min_size=1, max_size=4)


@settings(max_examples=25, deadline=None)
@given(PARAGRAPHS, st.data())
def test_reading_back_gives_the_text_with_the_edits(paragraphs: list[str], data: st.DataObject) -> None:
    document = package(run("always some text"), *paragraphs)
    read = opened(document).document()
    edits: list[Replacement] = []
    for block in read.blocks:
        if data.draw(st.booleans()):
            low, high = sorted(data.draw(st.tuples(*[st.integers(block.start, block.end)] * 2)))
            edits.append((low, high, data.draw(st.sampled_from(["W.M.", "[...]", " x", "y "]))))
    if len(edits) > 1 and edits[0][0] == edits[1][0] == edits[0][1]:
        edits.pop()
    once = rewritten(document, edits)
    assert once.text == apply_edits(read.text, edits)
    twice = opened(document)
    twice.replace(edits)
    assert twice.text == once.text, "the open document shows its edits, too"


def test_edits_that_cannot_be_leave_the_document_as_it_was() -> None:
    document = opened(package(run("first"), run("second")))
    for edits in [[(0, 3, "a"), (4, 7, "b")], [(0, 3, "a"), (2, 4, "b")], [(0, 99, "a")]]:
        with pytest.raises(ValueError, match="edit"):
            document.replace(edits)
        assert document.text == "first\nsecond"


def member(data: bytes, name: str) -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(name).decode()


def test_deletions_and_bindings_go_when_saving() -> None:
    deleted = '<w:del w:id="1" w:author="x"><w:r><w:delText>Green</w:delText></w:r></w:del>'
    moved = f'<w:moveFrom w:id="2" w:author="x">{run("Green")}</w:moveFrom>'
    moved += f'<w:moveTo w:id="3" w:author="x">{run("a")}</w:moveTo>'
    bound = f'<w:sdt><w:sdtPr><w:dataBinding w:xpath="/a"/></w:sdtPr><w:sdtContent>{run("b")}</w:sdtContent></w:sdt>'
    xml = member(opened(package(deleted + moved + bound)).rewritten([]), "word/document.xml")
    assert not any(word in xml for word in ["Green", "moveTo", "moveFrom", "dataBinding"])
    assert DocxText.from_bytes(opened(package(deleted + moved + bound)).save()).text == "ab"


def test_scrubbing() -> None:
    document = package(run("a"))
    properties = document.core_properties
    properties.author, properties.last_modified_by = "A. Clerk", "A. Clerk"
    properties.title, properties.subject = "Green v. Millar", "custody"
    document.add_comment(document.paragraphs[0].runs or document.add_paragraph("b").runs, "c", author="Joanne Green")
    picture = parse_xml(
        f'<w:p {SPACES}><w:r><w:drawing><wp:docPr id="1" name="Green.jpg" descr="Ms. Green"/></w:drawing></w:r></w:p>'
    )
    document.element.body.sectPr.addprevious(picture)
    for target in ["mailto:j.green@example.org", "https://example.org/"]:
        document.part.relate_to(target, f"{RELATIONS}hyperlink", is_external=True)
    output = opened(document).rewritten([], HiddenNames({"Joanne Green": "J.G.", "Green": "J.G."}))
    again = docx.Document(io.BytesIO(output))
    properties = again.core_properties
    assert (properties.author, properties.last_modified_by, properties.title, properties.subject) == (
        "",
        "",
        "",
        "custody",
    )
    assert next(iter(again.comments)).author == ""
    targets = {rel.target_ref for rel in again.part.rels.values() if rel.is_external}
    assert targets == {"about:blank", "https://example.org/"}
    with zipfile.ZipFile(io.BytesIO(output)) as archive:
        assert "docProps/thumbnail.jpeg" not in archive.namelist()
        assert not any(b"Green" in archive.read(name) for name in archive.namelist())
    assert "docProps/thumbnail.jpeg" in zipfile.ZipFile(io.BytesIO(saved(document))).namelist(), "else nothing is shown"
