"""HTML in and out: what its text is, that replacing changes nothing else, and what is taken out beside the text."""

from __future__ import annotations

import base64
import re
import unicodedata
from typing import Any

import html5lib
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from aef.corpus_tools.document import ATTRIBUTE, BODY, FOOTNOTE, HEAD, TABLE
from aef.corpus_tools.edits import Replacement, apply_edits
from aef.corpus_tools.html import lines as html_lines
from aef.corpus_tools.html.text import HtmlText
from aef.corpus_tools.html.tokens import pieces
from aef.corpus_tools.name_search.hidden_names import HiddenNames
from aef.errors import InputError


def opened(html: str) -> HtmlText:
    return HtmlText.from_bytes(html.encode("utf-8"))


def rewritten(html: str, *edits: Replacement) -> str:
    return opened(html).rewritten(edits).decode("utf-8")


TEXTS = [
    ("tags inside a name", "<p>Mac<b>Don</b>ald", "MacDonald"),
    ("references", "Ren&eacute; &#77;&#x69;llar &amp; Roe", "René Millar & Roe"),
    ("references without semicolon", "Ren&eacute Roe &ampamp;", "René Roe &amp;"),
    ("what is no reference", "AT&T & R&D; &x; &#;", "AT&T & R&D; &x; &#;"),
    ("white space as it is shown", "<p> A\n\t B <i> C</i> </p>", "A B C"),
    ("white space by reference", "A&#32;&#10; B", "A B"),
    ("a no-break space stays one", "A&nbsp;B", "A\u00a0B"),
    ("soft hyphens and zero width", "Mil&shy;l\u200bar&zwnj;s\ufeff", "Millars"),
    ("a soft hyphen beside a tag", "Mil<b>&shy;</b>lar", "Millar"),
    ("accents composed", "Ren&#101;\u0301 Mu\u0308ller", "René Müller"),
    ("a break for long words", "Mil<wbr>lar", "Millar"),
    ("a line break parts words", "A<br>B<br/> C", "A B C"),
    ("two line breaks part paragraphs", "A<br><br>B<br>\n<br>C", "A\nB\nC"),
    ("paragraphs", "<p>A<p>B<div>C</div>D", "A\nB\nC\nD"),
    ("a paragraph without text", "<p>&nbsp;<p>B", "B"),
    ("cells", "<table><tr><td>A<td>B<tr><th>C</table>", "A\nB\nC"),
    ("lines as written", "<pre>\nA  B\r\n  C\n\nD</pre>", "A B\nC\nD"),
    ("a comment", "A<!-- x --!>B<!-->C<!--->D", "ABCD"),
    ("what browsers take for a comment", "A<!x>B<?x?>C</ x>D</>E", "ABCDE"),
    ("a script and a style sheet", "A<script>x<!--</script>B<style>p{}</style>C", "ABC"),
    ("a title and a field", "<title>A <b></title>B<textarea>C&amp;\n\nD</textarea>", "A <b>\nB\nC&\nD"),
    ("signs that open no tag", "1 < 2 <3 a<=b < x", "1 < 2 <3 a<=b < x"),
    ("signs in attributes", "<a href='>'>A</a><b c=d>B</b><i e>C</i>", "ABC"),
    ("capitals", "<P>A</P><SCRIPT>x</Script >B", "A\nB"),
    ("texts of attributes stand last", '<img alt="Mr. &#71;reen"><b title=Roe>A</b>', "A\nMr. Green\nRoe"),
    ("an attribute's parameter is no reference", "A<a title='x&copy=1&copy;'></a>", "A\nx&copy=1©"),
    ("meta data", "<meta name=description content='A b'><meta name=robots content=none>C", "C\nA b"),
    ("text in a drawing", "<svg><title>A<b>x</b></title><text>B</text><![CDATA[y]]></svg>C", "Ax\nB\nC"),
    ("a reading above", "A<ruby>Mil<rp>(</rp><rt>x</rt>lar<rt>y</ruby> B", "(\nx\ny\nAMillar B"),
    ("a reading that a paragraph ends", "<ruby>A<rt>x<p>B", "x\nA\nB"),
    ("no tags at all", "The parties met.", "The parties met."),
]


@pytest.mark.parametrize(("reason", "html", "text"), TEXTS, ids=[c[0] for c in TEXTS])
def test_text(reason: str, html: str, text: str) -> None:
    found = opened(html)
    assert found.text == text
    document = found.document()
    assert [document.text[b.start : b.end] for b in document.blocks] == text.split("\n") or (
        "<pre>" in html or "<textarea>" in html
    )
    assert found.rewritten([]) == html.encode("utf-8")


PROSE = "The plaintiff and the defendant were married in this city and they lived there for many years."
PARTS = [
    ("the first number opens the body", "<title>A v. B</title><h1>X</h1><p>[1] C.<p>D", [HEAD, HEAD, BODY, BODY]),
    ("a numbered list", "<p>A v. B<ol><li>C</li><li>D</ol>", [HEAD, BODY, BODY]),
    ("a list with points", f"<ul><li>A v. B</ul><p>{PROSE}", [HEAD, BODY]),
    ("a table", f"<p>{PROSE}<table><tr><td>A<td>B</table><p>C", [BODY, TABLE, TABLE, BODY]),
    ("a table that lays out the page", f"<table><td>{PROSE}{'<p>A' * 9}</table>", [BODY] * 10),
    ("a table in a table", f"<table><td>{PROSE}{'<p>A' * 9}<table><td>B</table>C</table>", [BODY] * 10 + [TABLE, BODY]),
    ("a footer", f"<p>{PROSE}<footer><p>A</footer>", [BODY, "footer"]),
    ("notes", f"<p>{PROSE}<div role=doc-endnotes><p>A</div><ul role=doc-footnote>B", [BODY, "endnote", FOOTNOTE]),
    ("notes of a word processor", f"<p>{PROSE}<div id=ftn1><p>A</div><div id=ftnotes>B</div>", [BODY, FOOTNOTE, BODY]),
    ("attributes", f"<p title=A>{PROSE}<img alt=B>", [BODY, ATTRIBUTE, ATTRIBUTE]),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "html", "parts"), PARTS, ids=[c[0] for c in PARTS])
def test_parts(reason: str, html: str, parts: list[str]) -> None:
    assert [b.part for b in opened(html).document().blocks] == parts, reason


REPLACED = [
    ("over tags", "<p>A <b>Mac</b>Don<i>ald</i>.", "MacDonald", "<p>A <b>X&amp;Y</b><i></i>."),
    ("over a soft hyphen", "Mil&shy;lar.", "Millar", "X&amp;Y."),
    ("over a comment", "Mil<!-- -->lar.", "Millar", "X&amp;Y<!-- -->."),
    ("over white space", "Ann\n  Roe.", "Ann Roe", "X&amp;Y."),
    ("over a line break", "Ann<br>Roe.", "Ann Roe", "X&amp;Y."),
    ("references", "&#82;o&#x65;.", "Roe", "X&amp;Y."),
    ("half of a composed letter's word", "Ro\u0301e a.", "Róe", "X&amp;Y a."),
    ("in an attribute", '<b title="Roe">a</b>', "Roe", '<b title="X&amp;Y">a</b>'),
    ("in an attribute without quotes", "<b title=Roe>a</b>", "Roe", "<b title=X&#38;Y>a</b>"),
    ("in a title", "<title>Roe</title>a", "Roe", "<title>X&amp;Y</title>a"),
    ("signs beside it that could become markup", "a &Roe and <3Roe", "Roe", "a &amp;X&amp;Y and &lt;3X&amp;Y"),
    ("a letter of a reference of two", "&NotEqualTilde;Roe", "\u2242", "X&amp;Y\u0338Roe"),
]


@pytest.mark.parametrize(("reason", "html", "words", "result"), REPLACED, ids=[c[0] for c in REPLACED])
def test_replaced(reason: str, html: str, words: str, result: str) -> None:
    found = opened(html)
    edits = [(m.start(), m.end(), "X&Y") for m in re.finditer(re.escape(words), found.text)]
    assert edits
    assert found.rewritten(edits).decode("utf-8") == result
    if "<b title" not in html:
        assert opened(result).text == apply_edits(found.text, edits)


def test_edits_that_cannot_be() -> None:
    for edits in ([(0, 3, "a")], [(0, 1, "a"), (0, 1, "b")], [(0, 99, "a")], [(-1, 0, "a")]):
        with pytest.raises(ValueError, match="edit"):
            opened("<p>A<p>B").rewritten(edits)


def test_insertions() -> None:
    assert rewritten("<p>A <b>B</b></p><p>C", (0, 0, "x"), (3, 3, "y"), (4, 4, "z")) == "<p>xA <b>By</b></p><p>zC"


# --- properties -----------------------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    ["Roe", "a", "&", "&eacute;", "&amp", "&#x41;", "&shy;", "e\u0301", " ", "\n", "<", "«", "é", "&lt", ";", "z"]
)
TAGS = st.sampled_from(
    ["<p>", "</p>", "<b>", "</b>", "<br>", "<i title='Roe &amp; x'>", "</i>", "<!-- c -->", "<td>", "<table>",
     "</table>", "<div>", "</div>", "<wbr>", "<img alt=Roe>", "<style>p{}</style>", "<script>x</script>", "<pre>",
     "</pre>", "<li>"]
)  # fmt: skip
PAGES = st.lists(WORDS | TAGS, max_size=40).map("".join)
ANYTHING = st.text(st.sampled_from("<>/!-?&;#\"'= abcpRtitle\n[]"), max_size=60)


def readable(html: str) -> HtmlText | None:
    try:
        return opened(html)
    except InputError:
        return None


@given(PAGES | ANYTHING)
@example("<")
@example("</")
def test_the_pieces_are_the_source(html: str) -> None:
    try:
        found = list(pieces(html, "a.html"))
    except InputError:
        return
    assert [p.start for p in found] == [0, *(p.end for p in found)][:-1] if found else not html
    assert not found or found[-1].end == len(html)
    if (page := readable(html)) is not None:
        assert page.rewritten([]).decode("utf-8") == html


@given(PAGES, st.data())
def test_replacing_in_the_source_is_replacing_in_the_text(html: str, data: Any) -> None:
    page = readable(html)
    if page is None:
        return
    edits = []
    for block in page.document().blocks:
        cuts = sorted(data.draw(st.lists(st.integers(block.start, block.end), max_size=6, unique=True)))
        labels = data.draw(st.lists(st.sampled_from(["J.R.", "[...]", "A<B>&amp;", "lt;"]), min_size=3, max_size=3))
        places = [
            (s, e) for s, e in zip(cuts[::2], cuts[1::2], strict=False) if page.text[s:e] == page.text[s:e].strip()
        ]
        edits += [(start, end, label) for (start, end), label in zip(places, labels, strict=False)]
    again = HtmlText.from_bytes(page.rewritten(edits))
    assert " ".join(again.text.split()) == " ".join(apply_edits(page.text, edits).split())


def visible(html: str) -> str:
    """The text of a page by another parser, white space and what has no width left out."""
    tree = html5lib.parse(html, treebuilder="etree", namespaceHTMLElements=False)
    found: list[str] = []

    def walk(element: Any) -> None:
        if isinstance(element.tag, str) and element.tag not in ("script", "style"):
            found.append(element.text or "")
            for child in element:
                walk(child)
                found.append(child.tail or "")

    walk(tree)
    return "".join(found)


def plain(text: str) -> str:
    return unicodedata.normalize("NFC", re.sub(r"[\s\u00ad]", "", text))


@given(PAGES | ANYTHING)
def test_another_parser_sees_the_same_text(html: str) -> None:
    # A table's stray text is moved before it by browsers, so that letters are compared without their order there.
    if "\0" in html or re.search(r"</?(?:title|table|td|tr|select|frameset|plaintext|xmp|svg)", html):
        return
    page = readable(f"{html}<p>.")
    if page is not None:
        main = "".join(page.text[b.start : b.end] for b in page.document().blocks if b.part != ATTRIBUTE)
        assert plain(main) == plain(visible(f"{html}<p>."))


# --- beside the text ------------------------------------------------------------------------------------------------


HIDDEN = HiddenNames({"Ann Millar": "A.M.", "Millar": "A.M."})


PICTURE = "data:image/png;base64," + base64.b64encode(b"\x89PNG\0\1\2 nothing to read \3").decode()
SIGNED = "data:image/png;base64," + base64.b64encode(b"\x89PNG\0\1\2tEXtAuthor\0Ann Millar\3").decode()
WIDE = "data:image/png;base64," + base64.b64encode(b"\x89PNG\0" + "Ann Millar".encode("utf-16-le")).decode()
SCRUBBED = [
    ("comments", "A<!-- Roe -->B", "AB"),
    ("a comment behind a sign that would become markup", "A<<!-- x -->b", "A<<!---->b"),
    ("scripts", "A<script src=x>Millar</script>B<noscript>C</noscript>", "ABC"),
    ("what runs on events", "<p onclick='x()'>A", "<p>A"),
    ("a scripted address", "<a href='java&#115;cript:x'>A</a>", "<a>A</a>"),
    ("mail and telephone", "<a href=mailto:a@b>A</a><a href='tel:1'>B</a>", "<a>A</a><a>B</a>"),
    ("an address with a name", "<a class=x href='/ann-millar.html'>A</a>", "<a class=x>A</a>"),
    ("an address with a name in escapes", "<a href='/%4dillar'>A</a>", "<a>A</a>"),
    ("an address in references", "<a href='/&#77;illar'>A</a>", "<a>A</a>"),
    ("an address of words run together", "<a href='?q=annMillar2'>A</a>", "<a>A</a>"),
    ("an address without one", "<a href='/green.html?a=1&amp;b'>A</a>", "<a href='/green.html?a=1&amp;b'>A</a>"),
    ("a name of a place in the page", "<a name=millar id=m>A</a>", "<a id=m>A</a>"),
    ("a text left over", "<img alt='Mr. Millar' src=x>A", "<img alt='Mr. A.M.' src=x>A"),
    ("a text in small letters", "<img alt='a millar' src=x>A", "<img alt='a A.M.' src=x>A"),
    ("a text that only looks like one", "<img alt='a mill' src=x>A", "<img alt='a mill' src=x>A"),
    ("an attribute's name", "<p data-millar=1 x=2>A", "<p x=2>A"),
    ("attributes that stand close", "<p x=1 id=millar\ty=2 class=\"Millar\"z=3>A", "<p x=1\ty=2 z=3>A"),
    ("attributes of an end tag", "<b>A</b title=Millar>", "<b>A</b >"),
    ("the author", "<meta name=author content=Roe>A", "<meta name=author>A"),
    ("another word for that", "<meta name=DC.creator content=x>A", "<meta name=DC.creator>A"),
    ("a description stays", "<meta name=description content='A b'>A", "<meta name=description content='A b'>A"),
    ("embedded files", "A<iframe src=x>y</iframe><object data=x>B</object><embed src=x>", "AB"),
    ("an embedded page", "<p srcdoc='Millar' ping=x>A", "<p>A"),
    ("a picture", f"<img src='{PICTURE}'>A", f"<img src='{PICTURE}'>A"),
    ("a picture that says who made it", f"<img src='{SIGNED}'>A", "<img>A"),
    ("a picture that says so in wide letters", f"<img src='{WIDE}'>A", "<img>A"),
    ("another embedded file", "<a href='data:text/html,Roe'>A</a>", "<a>A</a>"),
    ("a style sheet's comments", "<style>p{}/* Roe */b{}</style>A", "<style>p{}b{}</style>A"),
    ("a style sheet with a name", "<style>p:after{content:'Millar'}</style>A", "<style></style>A"),
    ("a class with a name", "<style>.millar{}</style><p class='a millar'>A", "<style></style><p>A"),
    ("a font and a colour", "<style>p{font:Millar;color:millar}</style>", "<style>p{font:Millar;color:millar}</style>"),
    ("a style sheet with markup", "<style><b></style>A", "<style></style>A"),
    ("markup in a title", "<title>a<b</title>A", "<title>a&lt;b</title>A"),
    ("a document type", "<!DOCTYPE html PUBLIC \"-//W3C//DTD\">A", "<!DOCTYPE html PUBLIC \"-//W3C//DTD\">A"),
    ("a document type that says more", "<!DOCTYPE Millar>A", "A"),
    ("an XML declaration", "<?xml version='1.0'?><?php Roe ?>A", "<?xml version='1.0'?>A"),
    ("a word processor's conditions", "<![if !x]>A<![endif]><!--[if gte mso 9]><xml>Roe</xml><![endif]-->", "A"),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "html", "result"), SCRUBBED, ids=[c[0] for c in SCRUBBED])
def test_beside_the_text(reason: str, html: str, result: str) -> None:
    clean = opened(f"{html}<p>.").rewritten([], HIDDEN).removesuffix(b"<p>.")
    assert clean.decode("utf-8") == result
    again = HtmlText.from_bytes(clean + b"<p>.")
    assert again.rewritten([], HIDDEN) == clean + b"<p>."


def test_names_with_labels_are_replaced_in_texts_for_people() -> None:
    html = f"<img alt='ANN MILLAR&apos;s \"x\"' title=Millar src='/millar'>A<img src='{SIGNED}'><img src='{PICTURE}'>"
    clean = opened(html).rewritten([], HIDDEN).decode("utf-8")
    assert clean == f"<img alt='A.M.&#39;s \"x\"' title=A.M.>A<img><img src='{PICTURE}'>"


def test_every_way_to_write_a_name_is_found() -> None:
    """A name put in every place and spelling: nothing of it is left where its text was replaced."""
    spellings = [
        "Millar",
        "M<b>ill</b>ar",
        "Mil&shy;lar",
        "&#77;illar",
        "Mil&#x6C;ar",
        "Mil\u200blar",
        "Mil<wbr>lar",
        "Mil<!---->lar",
    ]
    page = "".join(f"<p title='{re.sub('<[^>]*>', '', s)}'>Mr. {s}." for s in spellings)
    found = opened(page)
    edits = [(m.start(), m.end(), "D.M.") for m in re.finditer("Millar", found.text)]
    assert len(edits) == 2 * len(spellings)
    clean = found.rewritten(edits, HIDDEN).decode("utf-8")
    assert clean.count("D.M.") == 2 * len(spellings)
    assert not re.search("illar|Mil|lar", clean)


# --- files ----------------------------------------------------------------------------------------------------------

REFUSED = [
    ("nothing", b"", "is empty"),
    ("no text", b"<p><script>x</script>", "holds no text"),
    ("binary", b"<p>\0\0\0", "is binary"),
    ("a DOCX", b"PK\x03\x04x", "is a ZIP archive"),
    ("cut off in a tag", b"<p>A\n<b title=", "line 2: ends inside a tag"),
    ("cut off in quotes", b"<p>A<b title='x>y", "ends inside a tag"),
    ("cut off in a comment", b"<p>A<!-- x ->", "ends inside a comment"),
    ("cut off in a script", b"<p>A<script>x</scrip", "ends inside a <script>"),
    ("text that ends all markup", b"<p>A<plaintext>x", "obsolete <plaintext>"),
    ("too deep", b"<div>" * 600 + b"A", "more than 512 elements"),
    ("UTF-8 with a byte too few", "Müller à la café".encode() + b"\xc3<p>A", "damaged characters"),
    ("not as declared", b"<meta charset=euc-kr><p>A\xff\xff", "not in the encoding it declares"),
]


@pytest.mark.parametrize(("reason", "data", "message"), REFUSED, ids=[c[0] for c in REFUSED])
def test_refused(reason: str, data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        HtmlText.from_bytes(data, "a.html")
    assert str(caught.value).startswith("a.html")


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html_lines, "MAX_PIECES", 10)
    with pytest.raises(InputError, match="more than 10 tags"):
        opened("<b>A</b>" * 10)
    monkeypatch.setattr(html_lines, "MAX_DEPTH", 3)
    assert opened("<p>A<p>B<p>C<p>D<p>E").text == "A\nB\nC\nD\nE", "what needs no end tag is not inside itself"
    assert opened("<table><tr><td>A<td>B<tr><td>C").text == "A\nB\nC"


ENCODED = [
    ("UTF-8", "", "utf-8", "Müller Ж"),
    ("with byte order mark", "", "utf-8-sig", "Müller"),
    ("UTF-16", "", "utf-16", "Müller"),
    ("declared", "<meta charset='windows-1251'>", "cp1251", "Иванов"),
    ("declared as of old", '<meta http-equiv=x content="text/html; charset=iso-8859-1">', "cp1252", "“Müller”"),
    ("declared in XML", "<?xml version='1.0' encoding='gb2312'?>", "gb18030", "中文"),
    ("declared, but UTF-8", "<meta charset=iso-8859-1>", "utf-8", "Müller"),
    ("not declared", "", "cp1252", "“Mr. Müller” — the café"),
    ("declared as what is no encoding of pages", "<meta charset=utf-7>", "cp1252", "“Mr. Müller” — the café"),
]


@pytest.mark.parametrize(("reason", "head", "encoding", "text"), ENCODED, ids=[c[0] for c in ENCODED])
def test_encodings(reason: str, head: str, encoding: str, text: str) -> None:
    data = f"{head}<p>{text}".encode(encoding)
    page = HtmlText.from_bytes(data)
    assert page.text == text
    assert page.rewritten([]) == data


def test_what_an_encoding_lacks_is_written_as_a_reference() -> None:
    page = HtmlText.from_bytes("<meta charset=windows-1252><p title='Müller'>Müller".encode("cp1252"))
    result = page.rewritten([(0, 6, "Ж."), (7, 13, "Ж.")])
    assert result == b"<meta charset=windows-1252><p title='&#1046;.'>&#1046;."
    assert HtmlText.from_bytes(result).text == "Ж.\nЖ."


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_ends_are_kept(newline: str) -> None:
    html = newline.join(["<p>Ann", "Roe", "left.", "<pre>A", "B", "</pre>", ""])
    page = opened(html)
    assert page.text == "Ann Roe left.\nA\nB"
    assert page.rewritten([(0, 7, "A.R.")]).decode() == html.replace(f"Ann{newline}Roe", "A.R.")
