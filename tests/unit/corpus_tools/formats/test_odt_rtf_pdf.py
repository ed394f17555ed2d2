"""OpenDocument, RTF and PDF: what is read of them, what is written, and that nothing hidden is left in any place."""

# ruff: noqa: E501 - in the tables a place is a line

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import odfdo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from striprtf.striprtf import rtf_to_text

from aef.anonymization.run import anonymize
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.formats.registry import FORMATS, Line, Written, reader
from aef.corpus_tools.rtf.words import escaped
from aef.corpus_tools.rulings.readers import open_source, read
from aef.errors import InputError
from aef.verification.search import Sought, shown_text, verify

NAME, LABEL = "Zwetkow", "A.Z."
NAMESPACES = (
    " ".join(
        f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for prefix, name in [
            *(("office", "office"), ("text", "text"), ("table", "table"), ("style", "style"), ("draw", "drawing")),
            *(("meta", "meta"), ("svg", "svg-compatible"), ("script", "script"), ("config", "config")),
        ]
    )
    + ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"'
)


def odt(body: str, styles: str = "", meta: str = "", **parts: bytes) -> bytes:
    """A text of these paragraphs; further parts by name, with "__" for a slash and "_dot_" for a dot."""
    mime = "application/vnd.oasis.opendocument.text"
    whole = {
        "mimetype": mime.encode(),
        "content.xml": f"<office:document-content {NAMESPACES}>{body_of(body)}</office:document-content>".encode(),
        "styles.xml": f"<office:document-styles {NAMESPACES}>{styles}</office:document-styles>".encode(),
        "meta.xml": f"<office:document-meta {NAMESPACES}><office:meta>{meta}</office:meta></office:document-meta>".encode(),
        "META-INF/manifest.xml": b'<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
    }
    whole |= {name.replace("__", "/").replace("_dot_", "."): data for name, data in parts.items()}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in whole.items():
            archive.writestr(name, data)
    return stream.getvalue()


def body_of(body: str) -> str:
    return f"<office:body><office:text>{body}</office:text></office:body>"


def rtf(body: str, beside: str = "") -> bytes:
    fonts = r"{\fonttbl{\f0\froman\fcharset0 Times;}{\f1\fswiss\fcharset238 Arial CE;}}"
    return rf"{{\rtf1\ansi\ansicpg1252\uc1{fonts}{beside}{body}\par}}".encode("latin-1")


def pdf(*pages: str) -> bytes:
    """Each page's lines from its top; a blank line is a gap. Nothing is packed but the streams."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for page in pages:
        said = "".join(f"({line}) Tj T*\n" for line in page.split("\n"))
        packed = zlib.compress(f"BT /F1 11 Tf 14 TL 50 800 Td\n{said}ET".encode())
        objects.append(
            f"<< /Length {len(packed)} /Filter /FlateDecode >>\nstream\n{packed.decode('latin-1')}\nendstream"
        )
        kids.append(f"{len(objects) + 1} 0 R")
        resources = f"/Resources << /Font << /F1 3 0 R >> >> /MediaBox [0 0 600 850] /Contents {len(objects)} 0 R"
        objects.append(f"<< /Type /Page /Parent 2 0 R {resources} >>")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    data, places = "%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = (
        f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\n"
    )
    return (data + end + f"startxref\n{len(data)}\n%%EOF").encode("latin-1")


# --- reading --------------------------------------------------------------------------------------------------------

P = "<text:p>{}</text:p>".format
READ_ODT = [
    ("spaces as they are shown", P("\n  a <text:s text:c='2'/>b<text:tab/>c\n d"), ["a   b\tc d"]),
    ("a name in pieces", P("<text:span>Zwet</text:span><text:span>kow</text:span>"), ["Zwetkow"]),
    ("a line end in a paragraph", P("a<text:line-break/>b"), ["a\nb"]),
    ("a link is read on", P("a <text:a xlink:href='x'>b</text:a> c"), ["a b c"]),
    ("bookmarks and fields", P("a <text:bookmark text:name='b'/><text:page-number>1</text:page-number> c"), ["a 1 c"]),
    ("what was deleted is gone", "<text:tracked-changes>" + P("gone") + "</text:tracked-changes>" + P("a"), ["a"]),
    ("an inserted word, and the space behind", P("a <text:change-start/>b<text:change-end/> c"), ["a b c"]),
    ("comments of XML", P("a <!-- x -->b"), ["a b"]),
    (
        "a note stands apart",
        P("a<text:note text:note-class='footnote'><text:note-citation>1</text:note-citation><text:note-body>" + P("n") + "</text:note-body></text:note> b"),
        ["a b", "n"],
    ),
    ("a text box in a paragraph", P("a<draw:frame><draw:text-box>" + P("box") + "</draw:text-box></draw:frame> b"), ["a b", "box"]),
    ("cells", "<table:table><table:table-row><table:table-cell>" + P("x") + "</table:table-cell></table:table-row></table:table>", ["x"]),
    ("entities", P("R&amp;B &#233;"), ["R&B é"]),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "body", "lines"), READ_ODT, ids=[case[0] for case in READ_ODT])
def test_an_odt_is_read(reason: str, body: str, lines: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.odt").write_bytes(odt(body))
    document = read(tmp_path / "a.odt")
    assert [document.text[b.start : b.end] for b in document.blocks] == lines, reason


def test_an_odt_says_which_part_a_paragraph_is_in(tmp_path: Path) -> None:
    note = "<text:note text:note-class='{}'><text:note-body>{}</text:note-body></text:note>".format
    body = P("[1] The court a b." + note("footnote", P("foot")) + note("endnote", P("end")))
    body += P("b<office:annotation><dc:creator>Jo</dc:creator>" + P("said") + "</office:annotation>")
    styles = f"<style:header>{P('top')}</style:header><style:footer>{P('bottom')}</style:footer>"
    (tmp_path / "a.odt").write_bytes(odt(P("Roe v. Roe") + body, styles))
    document = read(tmp_path / "a.odt")
    parts = {document.text[b.start : b.end]: b.part for b in document.blocks}
    assert parts == {
        "Roe v. Roe": "head",
        "[1] The court a b.": "body",
        "b": "body",
        "top": "header",
        "bottom": "footer",
        "foot": "footnote",
        "end": "endnote",
        "said": "comment",
    }


READ_RTF = [
    ("paragraphs", r"a\par b", ["a", "b"]),
    ("a name in pieces", r"Zwet{\b kow}\i  x", ["Zwetkow x"]),
    ("line ends of the source say nothing", "a\r\nb", ["ab"]),
    ("letters of a code page", r"na\'efve", ["naïve"]),
    ("letters of a font's code page", r"\f1 \'9eelezn\'fd", ["železný"]),
    ("letters by number, with what stands for them", r"Z\u119?etkow \uc0\u233 t\u233", ["Zwetkow été"]),
    ("a letter beyond the first plane", r"\u-10179?\u-8704? x", ["😀 x"]),
    ("signs", r"\ldblquote a\rdblquote\~\{b\}\_c\emdash d", ["“a”\N{NO-BREAK SPACE}{b}\N{NON-BREAKING HYPHEN}c—d"]),
    ("a soft hyphen is not shown", r"Zwet\-kow", ["Zwetkow"]),
    ("what was deleted is gone", r"a {\deleted b}c \deleted d\deleted0 e", ["a c e"]),
    ("fields show their result", r'a {\field{\*\fldinst HYPERLINK "x"}{\fldrslt b}} c', ["a b c"]),
    ("cells", r"\intbl a\cell b\cell\row\pard c", ["a", "b", "c"]),
    ("a note stands apart", r"a{\footnote\pard n\par} b", ["a b", "n"]),
    ("the number of a list is none of its words", r"{\listtext 1.\tab}a", ["a"]),
    ("unknown destinations", r"a{\*\nonsense b}c", ["ac"]),
    ("pictures and bytes", r"a{\pict\wmetafile8 0102}{\bin2 {}}b", ["ab"]),
    ("what follows the end", r"a\par}{b", ["a"]),
]


@pytest.mark.parametrize(("reason", "body", "lines"), READ_RTF, ids=[case[0] for case in READ_RTF])
def test_an_rtf_is_read(reason: str, body: str, lines: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.rtf").write_bytes(rtf(body))
    document = read(tmp_path / "a.rtf")
    assert [document.text[b.start : b.end] for b in document.blocks] == lines, reason


WORDS = st.text(st.sampled_from("abz é ł“—\\{}\t"), min_size=1, max_size=12).filter(str.strip)


@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=4))
def test_an_rtf_reads_as_striprtf_reads_it(paragraphs: list[str]) -> None:
    source = rtf(r"\par ".join(escaped(p, 1) for p in paragraphs))
    ours = FORMATS[".rtf"](source, "a.rtf").document().text
    theirs = rtf_to_text(source.decode("latin-1"))
    assert [line.strip() for line in ours.split("\n")] == [line.strip() for line in theirs.strip().split("\n")]


@settings(max_examples=40, deadline=None)
@given(st.lists(WORDS.map(lambda w: " ".join(w.split())), min_size=1, max_size=4))
def test_an_odt_reads_as_odfdo_writes_it(paragraphs: list[str]) -> None:
    document, stream = odfdo.Document("text"), io.BytesIO()
    document.body.clear()
    for paragraph in paragraphs:
        document.body.append(odfdo.Paragraph(paragraph))
    document.save(stream)
    assert FORMATS[".odt"](stream.getvalue(), "a.odt").document().text.split("\n") == paragraphs


def test_a_pdf_is_read_without_page_numbers_and_running_heads(tmp_path: Path) -> None:
    head = "Green v. Millar\n\n\n"
    pages = [f"{head}[{n}] The applicant, Ms. Zwet-\nkow, left.\n[{n + 1}] So it was.\n\n\n{n}" for n in (1, 3, 5)]
    (tmp_path / "a.pdf").write_bytes(pdf(*pages))
    lines = read(tmp_path / "a.pdf").text.split("\n")
    assert lines == [
        line for n in (1, 3, 5) for line in (f"[{n}] The applicant, Ms. Zwetkow, left.", f"[{n + 1}] So it was.")
    ]


def test_a_pdf_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf("[1] Ms. Zwetkow left."))
    mentions = [Mention(8, 15, "PERSON")]
    with pytest.raises(InputError, match=r"safe\.pdf: cannot be written: \.pdf is only read\. Name an output \.txt"):
        anonymize(tmp_path / "a.pdf", tmp_path / "safe.pdf", mentions=mentions)
    anonymize(tmp_path / "a.pdf", tmp_path / "safe.txt", mentions=mentions)
    assert (tmp_path / "safe.txt").read_text() == "[1] Ms. Z. left."


BAD = [
    ("no ODT", "a.odt", b"text", "is no ODT document"),
    ("a DOCX by another name", "a.odt", odt("x", mimetype=b"application/vnd.ms-word"), "is no OpenDocument text"),
    ("an empty ODT", "a.odt", odt(P("")), "holds no text"),
    ("a cut ODT", "a.odt", odt(P("a"))[:-30], "is damaged or cut off"),
    ("entities", "a.odt", odt(P("a"), styles_dot_xml=b"<!DOCTYPE a [<!ENTITY b 'c'>]><a/>"), "declares a document type"),
    ("encrypted", "a.odt", odt(P("a"), **{"META-INF__manifest_dot_xml": b'<m xmlns="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><encryption-data/></m>'}), "is encrypted"),
    ("no RTF", "a.rtf", b"text", "is no RTF document"),
    ("a cut RTF", "a.rtf", rtf("a")[:-1], "is damaged or cut off"),
    ("an empty RTF", "a.rtf", rtf(""), "holds no text"),
    ("deep groups", "a.rtf", b"{\\rtf1" + b"{" * 5000 + b"a" + b"}" * 5001, "groups in groups"),
    ("no PDF", "a.pdf", b"text", "is no PDF document"),
    ("a cut PDF", "a.pdf", pdf("a b c")[:60], "is damaged or cut off"),
    ("a PDF of pictures", "a.pdf", pdf(" "), "holds no text"),
    ("a PDF that is a bomb", "a.pdf", pdf("a") + b"stream\n" + zlib.compress(bytes(400_000_000), 9), "unpacks to more"),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "name", "data", "said"), BAD, ids=[case[0] for case in BAD])
def test_bad_files_are_refused(reason: str, name: str, data: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=said) as refused:
        read(tmp_path / name)
    assert str(refused.value).startswith(str(tmp_path / name)), reason


def test_without_pdfminer_the_remedy_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf("a b"))
    monkeypatch.setitem(__import__("sys").modules, "pdfminer.high_level", None)
    with pytest.raises(InputError, match=r"pip install 'aef-anonymizer\[pdf\]'"):
        read(tmp_path / "a.pdf")


# --- writing --------------------------------------------------------------------------------------------------------


def hidden(name: str, data: bytes, folder: Path) -> bytes:
    """The file with the name hidden wherever its text has it, by the whole way, verification included."""
    (folder / name).write_bytes(data)
    document = read(folder / name)
    mentions = [Mention(m.start(), m.end(), "PERSON") for m in re.finditer(f"(?:Anna )?{NAME}", document.text)]
    result = anonymize(folder / name, folder / f"safe-{name}", mentions=mentions)
    assert result.written and not result.remaining, result.findings
    return result.content


def everything(data: bytes) -> list[str]:
    """All that a file holds, unpacked."""
    if not data.startswith(b"PK"):
        return [data.decode("latin-1")]
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [name + archive.read(name).decode("latin-1") for name in archive.namelist()]


N = f"Anna {NAME}"
TEXT = P(f"[1] The applicant, Ms. {N}, filed a petition.")
PNG = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\x0dIHDR" + bytes(13) + b"\0\0\0\0" + b"\0\0\0\0IEND\xaeB`\x82"
ODT_PLACES = {
    "a name in pieces": odt(TEXT + P(f"Ms. <text:span>{NAME[:3]}</text:span>{NAME[3:]} left.")),
    "a heading": odt(TEXT + f"<text:h>{N}</text:h>"),
    "a cell": odt(TEXT + f"<table:table table:name='{NAME}'><table:table-row><table:table-cell>{P(N)}</table:table-cell></table:table-row></table:table>"),
    "a header and a footer": odt(TEXT, f"<style:header>{P(N)}</style:header><style:footer>{P(NAME)}</style:footer>"),
    "a note": odt(TEXT + P(f"a<text:note text:note-class='footnote'><text:note-body>{P(N)}</text:note-body></text:note>")),
    "a comment and its author": odt(TEXT + P(f"a<office:annotation office:name='{NAME}'><dc:creator>{N}</dc:creator>{P(N)}</office:annotation>")),
    "a deletion and its author": odt(f"<text:tracked-changes><text:changed-region><text:deletion><dc:creator>{N}</dc:creator>{P(N)}</text:deletion></text:changed-region></text:tracked-changes>" + TEXT),
    "a text box, its title and description": odt(TEXT + P(f"a<draw:frame draw:name='{N}'><draw:text-box>{P(N)}</draw:text-box><svg:title>{N}</svg:title><svg:desc>{N}</svg:desc></draw:frame>")),
    "a link": odt(TEXT + P(f"<text:a xlink:href='mailto:anna.{NAME.lower()}@a.org' office:title='{N}'>mail</text:a>")),
    "a bookmark and a reference": odt(TEXT + P(f"<text:bookmark text:name='{NAME}'/><text:bookmark-ref text:ref-name='{NAME}'>x</text:bookmark-ref>")),
    "a variable and hidden text": odt(f"<text:user-field-decls><text:user-field-decl text:name='a' office:string-value='{N}'/></text:user-field-decls>" + TEXT + P(f"<text:hidden-text text:string-value='{N}'>x</text:hidden-text>")),
    "a style": odt(TEXT, f"<office:styles><style:style style:name='{NAME}' style:display-name='{N}'/></office:styles>"),
    "meta data": odt(TEXT, meta=f"<dc:title>{N}</dc:title><dc:creator>{N}</dc:creator><meta:initial-creator>{N}</meta:initial-creator><meta:keyword>{NAME}</meta:keyword><meta:user-defined meta:name='{NAME}'>{N}</meta:user-defined><meta:template xlink:title='{N}'/>"),
    "settings": odt(TEXT, settings_dot_xml=f"<office:document-settings {NAMESPACES}><config:config-item config:name='a'>{N}</config:config-item></office:document-settings>".encode()),
    "a macro and a script": odt(f"<office:scripts><office:script>{N}</office:script></office:scripts>" + TEXT, Basic__a_dot_xml=f"<a>{N}</a>".encode()),
    "an embedded object": odt(TEXT + P("a<draw:frame><draw:object xlink:href='./Object 1'/></draw:frame>"), **{"Object 1__content_dot_xml": f"<a>{N}</a>".encode()}),
    "the thumbnail": odt(TEXT, Thumbnails__thumbnail_dot_png=PNG + N.encode()),
    "beside the pixels of a picture": odt(TEXT, Pictures__a_dot_png=PNG + N.encode()),
    "the name of a picture": odt(TEXT, **{f"Pictures__{NAME}_dot_svg": f"<svg>{N}</svg>".encode()}),
    "a comment of XML": odt(f"<!-- {N} -->" + TEXT),
    "a hidden section and a hidden paragraph": odt(TEXT + f"<text:section text:name='{NAME}' text:display='none'>{P(N)}</text:section>" + P(f"<text:hidden-paragraph text:condition='{NAME}'/>{N}")),
    "text that no style shows": odt(TEXT + P(f"<text:span text:style-name='H'>{N}</text:span>"), "<office:automatic-styles><style:style style:name='H' style:family='text'><style:text-properties text:display='none'/></style:style></office:automatic-styles>"),
    "other texts of a condition": odt(TEXT + P(f"<text:conditional-text text:condition='a' text:string-value-if-true='{N}' text:string-value-if-false='{N}'>x</text:conditional-text>")),
    "an insertion and a change of format, and who made them": odt(f"<text:tracked-changes><text:changed-region xml:id='c'><text:insertion><office:change-info><dc:creator>{N}</dc:creator></office:change-info></text:insertion></text:changed-region><text:changed-region><text:format-change><office:change-info><dc:creator>{N}</dc:creator>{P(N)}</office:change-info></text:format-change></text:changed-region></text:tracked-changes>" + TEXT),
    "entries of an index": odt(TEXT + P(f"<text:alphabetical-index-mark text:string-value='{N}' text:key1='{NAME}'/><text:toc-mark text:string-value='{N}'/><text:reference-mark text:name='{NAME}'/>")),
    "fields to fill in": odt(TEXT + P(f"<text:text-input text:description='{N}'>{N}</text:text-input><text:placeholder text:placeholder-type='text' text:description='{N}'>{N}</text:placeholder><text:drop-down text:name='{NAME}'><text:label text:value='{N}'/>{N}</text:drop-down>")),
    "a form": odt(f"<office:forms><form:form xmlns:form='urn:oasis:names:tc:opendocument:xmlns:form:1.0' form:name='{NAME}'><form:text form:value='{N}' form:current-value='{N}'/></form:form></office:forms>" + TEXT),
    "a field of a data base": odt(TEXT + P(f"<text:database-display text:database-name='{NAME}' text:table-name='{N}' text:column-name='a'>{N}</text:database-display>")),
    "reading aids above letters": odt(TEXT + P(f"<text:ruby><text:ruby-base>{N}</text:ruby-base><text:ruby-text>{N}</text:ruby-text></text:ruby>")),
    "the header of left pages, and a page's name": odt(TEXT, f"<office:master-styles><style:master-page style:name='{NAME}' style:display-name='{N}'><style:header>{P('a')}</style:header><style:header-left>{P(N)}</style:header-left><style:footer-first>{P(N)}</style:footer-first></style:master-page></office:master-styles>"),
    "versions of before": odt(TEXT, VersionList_dot_xml=f"<a>{N}</a>".encode(), Versions__Version1=b"PK" + N.encode()),
    "a field of the author": odt(TEXT + P(f"<text:author-name>{N}</text:author-name><text:initial-creator>{N}</text:initial-creator><text:file-name>{NAME}.odt</text:file-name>")),
    "a signature": odt(TEXT, **{"META-INF__documentsignatures_dot_xml": f"<a>{N}</a>".encode()}),
    "RDF": odt(TEXT, manifest_dot_rdf=f"<a>{N}</a>".encode()),
}  # fmt: skip
SAID = f"[1] The applicant, Ms. {N}, filed a petition."
RTF_PLACES = {
    "a name in pieces": rtf(SAID + rf"\par Ms. {NAME[:3]}{{\b {NAME[3:5]}}}\i {NAME[5:]} left."),
    "letters by number": rtf(SAID + r"\par Ms. \'5a\u119?etkow left."),
    "a header and a note": rtf(SAID + rf" a{{\footnote {N}}}", rf"{{\header {N}\par}}"),
    "a comment and its author": rtf(SAID + rf"{{\*\atnid AZ}}{{\*\atnauthor {N}}}{{\annotation {N}}}"),
    "a deletion and its author": rtf(rf"{{\deleted\revauthdel1 {N} }}" + SAID, rf"{{\*\revtbl{{Unknown;}}{{{N};}}}}"),
    "a link": rtf(SAID + rf' {{\field{{\*\fldinst HYPERLINK "mailto:anna.{NAME.lower()}@a.org"}}{{\fldrslt mail}}}}'),
    "a link in pieces": rtf(SAID + r' {\field{\*\fldinst {HYPERLINK "http://a.org/Zwet}{kow"}}{\fldrslt mail}}'),
    "properties": rtf(SAID, rf"{{\info{{\title {N}}}{{\author {N}}}{{\*\company {N}}}}}{{\*\userprops {{\propname a}}{{\staticval {N}}}}}"),
    "a variable": rtf(SAID, rf"{{\*\docvar {{a}}{{{N}}}}}"),
    "a bookmark": rtf(SAID + rf"{{\*\bkmkstart {NAME}}}{{\*\bkmkend {NAME}}}"),
    "a style, a font and a list": rtf(SAID, rf"{{\stylesheet{{\s1 {N};}}}}{{\*\listtable{{\list{{\listname {N};}}}}}}"),
    "an index entry": rtf(SAID + rf"{{\xe\v {N}}}"),
    "hidden text": rtf(SAID + rf" {{\v {N}}}"),
    "a text box and a picture's description": rtf(SAID + rf"{{\shp{{\*\shpinst{{\sp{{\sn wzDescription}}{{\sv {N}}}}}{{\shptxt {N}\par}}}}}}"),
    "an embedded object": rtf(SAID + rf"{{\object\objemb{{\*\objdata {N.encode().hex()}}}}}"),
    "beside the pixels of a picture": rtf(SAID + rf"{{\pict\pngblip {(PNG + N.encode() * 9).hex()}}}"),
    "a drawing that cannot be looked into": rtf(SAID + rf"{{\pict\wmetafile8 {(N.encode() * 9).hex()}}}"),
    "a field to fill in": rtf(SAID + rf" {{\field{{\*\fldinst FORMTEXT {{\*\formfield{{\fftype0{{\*\ffname {NAME}}}{{\*\ffdeftext {N}}}{{\*\ffhelptext {N}}}}}}}}}{{\fldrslt {N}}}}}"),
    "two texts, one in Unicode": rtf(SAID + rf" {{\upr{{\xe {N}}}{{\*\ud{{\xe {N}}}}}}}"),
    "an insertion and who made it": rtf(SAID + rf" {{\revised\revauth1 {N}}}", rf"{{\*\revtbl{{Unknown;}}{{{N};}}}}"),
    "users, templates and files": rtf(SAID, rf"{{\*\protusertbl{{{N}}}}}{{\*\template C:\'5c{NAME}.dot}}{{\*\filetbl{{\file\fid0 {NAME}.rtf}}}}{{\*\generator {N};}}"),
    "headers and footers of all kinds": rtf(SAID, "".join(rf"{{\{kind} {N}\par}}" for kind in ("headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf"))),
    "an entry of the table of contents": rtf(SAID + rf"{{\tc {N}\tcl1}}"),
    "a note at the end, and a separator": rtf(SAID + rf" a{{\footnote\ftnalt {N}}}", rf"{{\*\aftnsep {N}\par}}"),
    "data for letters to many": rtf(SAID, rf"{{\*\mailmerge{{\mmdatasource {NAME}.mdb}}{{\mmquery {N}}}}}"),
    "a background and its address": rtf(SAID, rf"{{\*\background{{\shp{{\*\shpinst{{\sp{{\sn pihlShape}}{{\sv {{\*\hl{{\hlsrc {NAME}}}}}}}}}{{\sp{{\sn gtextUNICODE}}{{\sv {N}}}}}}}}}}}"),
    "an old drawing": rtf(SAID + rf"{{\*\do\dptxbx{{\dptxbxtext\pard {N}\par}}}}"),
    "a theme": rtf(SAID, rf"{{\*\themedata {odt(N).hex()}}}"),
    "text before and behind a number": rtf(SAID + rf"{{\*\pn\pnlvlbody{{\pntxtb {N}}}{{\pntxta {N}}}}}\par x"),
    "a picture in two kinds": rtf(SAID + rf"{{\*\shppict{{\pict{{\*\picprop{{\sp{{\sn wzName}}{{\sv {N}}}}}}}\pngblip {PNG.hex()}}}}}{{\nonshppict{{\pict\wmetafile8 {(N.encode() * 9).hex()}}}}}"),
    "a tag of XML": rtf(SAID + rf"{{\*\xmlopen\xmlns1{{\xmlname a}}{{\xmlattr\xmlattrname b{{\xmlattrvalue {N}}}}}}}x{{\*\xmlclose}}"),
    "behind the end": rtf(SAID) + N.encode(),
    "data of other programs": rtf(SAID, rf"{{\*\datastore {N.encode().hex()}}}{{\*\xmlnstbl {{\xmlns1 {N}}}}}"),
}  # fmt: skip


@pytest.mark.parametrize("place", ODT_PLACES)
def test_no_place_of_an_odt_keeps_a_name(place: str, tmp_path: Path) -> None:
    content = hidden("a.odt", ODT_PLACES[place], tmp_path)
    assert not [part for part in everything(content) if NAME.lower() in part.lower()]
    assert LABEL in read(tmp_path / "safe-a.odt").text
    assert LABEL in odfdo.Document(tmp_path / "safe-a.odt").get_formatted_text(), "another program opens it"


@pytest.mark.parametrize("place", RTF_PLACES)
def test_no_place_of_an_rtf_keeps_a_name(place: str, tmp_path: Path) -> None:
    content = hidden("a.rtf", RTF_PLACES[place], tmp_path)
    (said,) = everything(content)
    assert NAME.lower() not in said.lower() and N.encode().hex() not in said and NAME[3:].lower() not in said
    assert LABEL in read(tmp_path / "safe-a.rtf").text and LABEL in rtf_to_text(said)


@pytest.mark.parametrize(("name", "places"), [("a.odt", ODT_PLACES), ("a.rtf", RTF_PLACES)])
def test_the_verification_sees_every_place(name: str, places: dict[str, bytes]) -> None:
    plain = {"a.odt": odt(P("nobody")), "a.rtf": rtf("nobody")}[name]
    sought = Sought.of([N, NAME], [])
    assert verify(plain, sought, name) == []
    for place, data in places.items():
        without = data.replace(f"Ms. {N}, filed".encode(), b"somebody filed")
        without = repacked(data) if name == "a.odt" else without
        assert verify(without, sought, name), place


def repacked(data: bytes) -> bytes:
    """An ODT with the name gone from its first paragraph alone."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        for entry in old.namelist():
            new.writestr(entry, old.read(entry).replace(f"Ms. {N}, filed".encode(), b"somebody filed"))
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "data"), [("a.odt", odt(P("a b") + P("c<text:tab/>d"))), ("a.rtf", rtf(r"a b\par c\tab d"))]
)
def test_what_is_shown_is_what_is_verified(name: str, data: bytes) -> None:
    assert shown_text(data, name).split() == FORMATS[f".{name[2:]}"](data, name).document().text.split()


@settings(max_examples=40, deadline=None)
@given(st.data())
@pytest.mark.parametrize("suffix", [".odt", ".rtf"])
def test_what_is_written_reads_as_the_text_with_the_edits(suffix: str, data: st.DataObject) -> None:
    source = (
        odt(P("ab <text:span>cd</text:span>e<text:s/>f") + P("gh"))
        if suffix == ".odt"
        else rtf(r"ab {\b cd}e\'e9 f\par gh")
    )
    opened = FORMATS[suffix](source, "a")
    text = opened.document().text
    start = data.draw(st.integers(0, text.index("\n") - 1))
    end = data.draw(st.integers(start + 1, text.index("\n")))
    new = data.draw(st.text(st.sampled_from("xyé\\{}<&"), max_size=5))
    written = opened.rewritten([(start, end, new)])
    expected = text[:start] + new + text[end:]
    assert FORMATS[suffix](written, "a").document().text.split() == expected.split()


@pytest.mark.parametrize(("name", "data"), [("a.odt", odt(TEXT)), ("a.rtf", rtf(SAID))])
def test_an_edit_over_the_end_of_a_paragraph_is_refused(name: str, data: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ValueError, match=r"overlaps|outside"):
        open_source(tmp_path / name).rewritten([(0, 5000, "")])


def test_formatting_stays(tmp_path: Path) -> None:
    content = hidden("a.rtf", rtf(rf"\b Ms. {N}\b0  and {{\i others}}."), tmp_path).decode("latin-1")
    assert rf"\b Ms. {LABEL}\b0  and {{\i others}}." in content
    (part,) = [p for p in everything(hidden("b.odt", odt(P(f"<text:span text:style-name='T1'>Ms. {N}</text:span> left.")), tmp_path)) if p.startswith("content.xml")]  # fmt: skip
    assert f"Ms. {LABEL}</text:span> left." in part


# --- readers of others ----------------------------------------------------------------------------------------------


def test_a_reader_is_a_function_for_reading_and_one_for_writing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("aef.corpus_tools.formats.registry.FORMATS", dict(FORMATS))
    register: Callable[..., object] = reader(
        ".notes", write=lambda data, name, edits, telling: Written(repr(edits).encode())
    )
    from aef.corpus_tools.formats import registry as formats

    register(lambda data, name: [Line(line) for line in data.decode().splitlines()])
    opened = formats.FORMATS[".notes"](b"[1] One a.\nTwo b.", "a.notes")
    assert isinstance(opened.document(), Document) and opened.document().text == "[1] One a.\nTwo b."
    assert opened.rewritten([(0, 3, "x"), (11, 14, "y")]) == b"{0: [(0, 3, 'x')], 1: [(0, 3, 'y')]}"
    with pytest.raises(ValueError, match=r"\.notes is registered already"):
        register(lambda data, name: [])
