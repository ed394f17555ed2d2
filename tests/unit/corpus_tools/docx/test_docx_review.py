"""The review copy: what it shows, and that what an editor decides in it is what the ruling then holds."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import docx
import pytest
from docx.oxml import parse_xml
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from aef.corpus_tools.docx.decisions import (
    ACCEPTED,
    EDITED,
    REJECTED,
    REMOVED,
    UNDECIDED,
    Decision,
    decided,
)
from aef.corpus_tools.docx.review import NOTICE, Change, review_copy, review_name
from aef.corpus_tools.docx.text import DocxText
from aef.corpus_tools.edits import apply_edits
from aef.corpus_tools.name_search.hidden_names import HiddenNames
from aef.errors import InputError

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
LABELS = {"Joanne Green": "J.G.", "Green": "J.G.", "Millar": "D.M.", "Nelson": "[...]"}
NAMES = re.compile("|".join(LABELS))


def saved(document: Any) -> bytes:
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


@cache
def ruling() -> bytes:
    document = docx.Document()
    paragraph = document.add_paragraph("[1] Ms. ")
    for text, bold in [("Joanne ", True), ("Gre", True), ("en", False), (" left\tMr. ", None), ("Millar", None)]:
        paragraph.add_run(text).bold = bold
    paragraph.add_run().add_tab()
    paragraph.add_run("Nelson").italic = True
    document.add_table(1, 1).cell(0, 0).text = "Green and Millar"
    document.sections[0].header.paragraphs[0].text = "Green v. Millar"
    return saved(document)


def changes(data: bytes) -> list[Change]:
    text = DocxText.from_bytes(data).text
    return [
        Change(m.start(), m.end(), LABELS[m[0]], "LOC" if m[0] == "Nelson" else "PERSON", f"{m[0]}\n0.97\nfound")
        for m in NAMES.finditer(text)
    ]


@cache
def copy_of(data: bytes) -> bytes:
    return review_copy(DocxText.from_bytes(data), changes(data), HiddenNames({}))


def text_of(data: bytes) -> str:
    return DocxText.from_bytes(data).text


# --- an editor ------------------------------------------------------------------------------------------------------


def edited(data: bytes, edit: Callable[[Any], None]) -> bytes:
    """The package with every part of text changed, as a word processor might."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.infolist():
            content = old.read(entry)
            if re.fullmatch(r"word/(document|header\d+|footnotes)\.xml", entry.filename):
                root = etree.fromstring(content)
                edit(root)
                content = etree.tostring(root)
            new.writestr(entry.filename, content)
    return stream.getvalue()


def accept(change: Any) -> None:
    """As Word does: what is inserted is text, what is deleted is gone."""
    if change.tag == W + "ins":
        for run in list(change):
            change.addprevious(run)
    change.getparent().remove(change)


def reject(change: Any) -> None:
    if change.tag == W + "del":
        for run in list(change):
            for text in run.iter(W + "delText"):
                text.tag = W + "t"
            change.addprevious(run)
    change.getparent().remove(change)


def decide(root: Any, choices: Mapping[int, str]) -> None:
    """Go through the changes by number: "a" and "r" for both halves, "d" and "i" to accept one half alone ..."""
    for number, start in numbered(root).items():
        end = start.get(W + "id")
        inside = []
        for element in start.itersiblings():
            if element.tag == W + "bookmarkEnd" and element.get(W + "id") == end:
                break
            inside.append(element)
        for change in [e for element in inside for e in element.iter(W + "ins", W + "del")]:
            act = ACTS.get(choices.get(number, ""), {}).get(change.tag.removeprefix(W))
            if act is not None:
                act(change)


ACTS: dict[str, dict[str, Callable[[Any], None]]] = {
    "accept": {"ins": accept, "del": accept},
    "reject": {"ins": reject, "del": reject},
    "accept insertion": {"ins": accept},
    "reject insertion": {"ins": reject},
    "accept deletion": {"del": accept},
    "reject deletion": {"del": reject},
    "keep both": {"ins": accept, "del": reject},
    "drop both": {"ins": reject, "del": accept},
}


def numbered(root: Any) -> dict[int, Any]:
    return {
        int(m[1]): e
        for e in root.iter(W + "bookmarkStart")
        if (m := re.fullmatch(r"_aef_review_(\d+)", e.get(W + "name")))
    }


# --- the copy -------------------------------------------------------------------------------------------------------


def test_what_the_copy_shows() -> None:
    data = ruling()
    copy = docx.Document(io.BytesIO(copy_of(data)))
    body = copy.element.body
    deleted = ["".join(t.text for t in d.iter(W + "delText")) for d in body.iter(W + "del")]
    inserted = ["".join(t.text for t in i.iter(W + "t")) for i in body.iter(W + "ins")]
    assert deleted == ["Joanne Green", "Millar", "Nelson", "Green", "Millar"]
    assert inserted == ["J.G.", "D.M.", "[...]", "J.G.", "D.M."]
    colours = {shade.get(W + "fill") for i in body.iter(W + "ins") for shade in i.iter(W + "shd")}
    assert len(colours) == 2, "a colour a kind"
    assert [c.text for c in copy.comments][:1] == ["Joanne Green\n0.97\nfound"]
    assert {c.author for c in copy.comments} == {"aef: person", "aef: loc", "aef: other"}
    assert len(list(body.iter(W + "commentReference"))) == 6
    assert [c.text for c in copy.comments][-1] == (
        "Replaced where no comment can stand:\nGreen\n0.97\nfound\nMillar\n0.97\nfound"
    )
    assert copy.sections[0].header.paragraphs[0].text == NOTICE
    assert copy.core_properties.title == NOTICE and copy.core_properties.content_status == "not-for-publication"
    ids = [e.get(W + "id") for e in body.iter(W + "ins", W + "del", W + "bookmarkStart")]
    assert len(ids) == len(set(ids))


def test_formatting_of_the_original_is_in_the_copy() -> None:
    body = docx.Document(io.BytesIO(copy_of(ruling()))).element.body
    first = next(body.iter(W + "del"))
    bold = [(r.find(f"{W}rPr/{W}b").get(W + "val", "1"), r.find(W + "delText").text) for r in first]
    assert bold == [("1", "Joanne "), ("1", "Gre"), ("0", "en")]
    assert len(list(body.iter(W + "tab"))) == 2, "what stands beside a name is left alone"


def test_accepting_all_as_word_does_is_the_replacement() -> None:
    data = ruling()
    edits = [(c.start, c.end, c.replacement) for c in changes(data)]
    assert text_of(copy_of(data)).removesuffix("x").count(NOTICE) == 1
    assert [line for line in text_of(copy_of(data)).split("\n") if line != NOTICE and "0.97" not in line][:2] == (
        apply_edits(text_of(data), edits).split("\n")[:2]
    )


@pytest.mark.parametrize("kind", ["first page", "even pages"])
def test_a_notice_in_every_header(kind: str) -> None:
    document = docx.Document(io.BytesIO(ruling()))
    document.sections[0].different_first_page_header_footer = kind == "first page"
    document.settings.odd_and_even_pages_header_footer = kind == "even pages"
    document.add_section()
    copy = docx.Document(io.BytesIO(copy_of(saved(document))))
    section = copy.sections[0]
    other = section.first_page_header if kind == "first page" else section.even_page_header
    assert section.header.paragraphs[0].text == other.paragraphs[0].text == NOTICE
    assert copy.sections[1].header.is_linked_to_previous
    back, _ = decided(saved(copy), "copy")
    again = docx.Document(io.BytesIO(back)).sections[0]
    other = again.first_page_header if kind == "first page" else again.even_page_header
    assert other.is_linked_to_previous, "a header made for the notice goes with it"
    assert again.header.paragraphs[0].text == "J.G. v. D.M."


NAMED = [
    ("review.docx", "review.not-for-publication.docx"),
    ("out/a.b.docx", "out/a.b.not-for-publication.docx"),
    ("x.not-for-publication.docx", "x.not-for-publication.docx"),
]


@pytest.mark.parametrize(("path", "marked"), NAMED)
def test_the_mark_in_the_name(path: str, marked: str) -> None:
    assert review_name(path).as_posix() == marked


def test_characters_that_belong_to_no_text() -> None:
    document = docx.Document()
    document.add_paragraph("Green \ufdd0")
    with pytest.raises(InputError, match="belong to no text"):
        copy_of(saved(document))


# --- the decisions --------------------------------------------------------------------------------------------------

# (reason, what the editor does, what the replacement then is, what stands in its place)
OUTCOMES = [
    ("accepted", "accept", ACCEPTED, "J.G."),
    ("rejected", "reject", REJECTED, "Joanne Green"),
    ("not looked at", "", UNDECIDED, "J.G."),
    ("the label accepted, the deletion left", "accept insertion", ACCEPTED, "J.G."),
    ("the deletion accepted, the label left", "accept deletion", ACCEPTED, "J.G."),
    ("the label rejected, the deletion left: hidden it stays", "reject insertion", UNDECIDED, "J.G."),
    ("the deletion rejected, the label left", "reject deletion", REJECTED, "Joanne Green"),
    ("both gone", "drop both", REMOVED, ""),
]


@pytest.mark.parametrize(("reason", "act", "outcome", "words"), OUTCOMES, ids=[c[0] for c in OUTCOMES])
def test_outcomes(reason: str, act: str, outcome: str, words: str) -> None:
    reviewed = edited(copy_of(ruling()), lambda root: decide(root, {0: act}))
    result, decisions = decided(reviewed, "reviewed")
    assert decisions[0] == Decision(0, "Joanne Green", "J.G.", "PERSON", outcome), reason
    assert {d.outcome for d in decisions[1:]} == {UNDECIDED}
    assert text_of(result).split("\n") == [f"[1] Ms. {words} left\tMr. D.M.\t[...]", "J.G. and D.M.", "J.G. v. D.M."]


def test_both_kept_is_refused() -> None:
    reviewed = edited(copy_of(ruling()), lambda root: decide(root, {0: "keep both"}))
    with pytest.raises(InputError, match=r"keeps both the label and what it stands for, 1 times \('J.G.'\)") as caught:
        decided(reviewed, "reviewed.docx")
    assert "Green" not in str(caught.value)


def rewrite_label(root: Any) -> None:
    """The editor types another label, with change tracking."""
    for start in numbered(root).values():
        for insertion in [e for e in start.itersiblings() if e.tag == W + "ins"][:1]:
            run = insertion[0]
            other = parse_xml(
                f'<w:ins xmlns:w="{W[1:-1]}" w:id="900" w:author="An Editor"><w:r><w:t>the mother</w:t></w:r></w:ins>'
            )
            insertion.addnext(other)
            gone = etree.SubElement(insertion, W + "del", {W + "id": "901", W + "author": "An Editor"})
            gone.append(run)
            for text in run.iter(W + "t"):
                text.tag = W + "delText"
        return


def test_the_editors_own_changes_are_accepted() -> None:
    reviewed = edited(copy_of(ruling()), rewrite_label)
    result, _ = decided(reviewed, "reviewed")
    text = text_of(DocxText.from_bytes(result).rewritten([]))
    assert text.startswith("[1] Ms. the mother left")
    assert "Green" not in text


def test_an_editors_own_words_without_tracking() -> None:
    def type_over(root: Any) -> None:
        decide(root, {0: "accept"})
        for text in root.iter(W + "t"):
            if text.text == "J.G." and text.getparent().getparent().tag == W + "p":
                text.text = "the mother"

    result, decisions = decided(edited(copy_of(ruling()), type_over), "reviewed")
    assert decisions[0].outcome == EDITED
    assert text_of(result).startswith("[1] Ms. the mother left")


def test_nothing_of_the_review_is_left() -> None:
    data = ruling()
    reviewed = edited(copy_of(data), lambda root: decide(root, dict.fromkeys(range(9), "accept")))
    result, _ = decided(reviewed, "reviewed")
    with zipfile.ZipFile(io.BytesIO(result)) as archive:
        names = archive.namelist()
        read = {name: archive.read(name).decode("latin-1") for name in names}
    assert not [name for name in names if "customXml/item" in name or "comments" in name]
    for trace in ("aef", "Green", "Millar", "NOT FOR", "not-for"):
        assert not [name for name in names if trace in read[name]], trace
    for trace in ("w:shd", "comment", "w:ins ", "w:del", "w:bookmark"):
        assert not [name for name in names if trace in read[name] and "styles" not in name], trace


@settings(max_examples=25)
@given(st.dictionaries(st.integers(0, 6), st.sampled_from(["accept", "reject"]), max_size=7))
def test_the_result_holds_exactly_the_decisions(choices: dict[int, str]) -> None:
    data = ruling()
    planned = changes(data)
    reviewed = edited(copy_of(data), lambda root: decide(root, choices))
    result, decisions = decided(reviewed, "reviewed")
    kept = [c for n, c in enumerate(planned) if choices.get(n) != "reject"]
    assert text_of(result) == apply_edits(text_of(data), [(c.start, c.end, c.replacement) for c in kept])
    assert [d.outcome == REJECTED for d in decisions] == [choices.get(d.number) == "reject" for d in decisions]


def test_rejecting_all_is_the_original_with_its_formatting() -> None:
    data = ruling()
    reviewed = edited(copy_of(data), lambda root: decide(root, dict.fromkeys(range(9), "reject")))
    before, after = (docx.Document(io.BytesIO(d)).paragraphs[0].runs for d in (data, decided(reviewed, "x")[0]))
    letters = [[(c, r.bold, r.italic) for r in runs for c in r.text] for runs in (before, after)]
    assert letters[0] == letters[1]


# --- what a word processor does beside the decisions ------------------------------------------------------------------

ED = {W + "id": "990", W + "author": "An Editor"}


def as_saved_by_word(root: Any) -> None:
    """Ids of its own, revision numbers, runs parted by proofing marks, bookmarks numbered anew."""
    for number, mark in enumerate([*root.iter(W + "ins", W + "del")]):
        mark.set(W + "id", str(number + 500))
    names = {e.get(W + "id"): str(n + 70) for n, e in enumerate(root.iter(W + "bookmarkStart"))}
    for element in root.iter(W + "bookmarkStart", W + "bookmarkEnd"):
        element.set(W + "id", names[element.get(W + "id")])
    for run in list(root.iter(W + "r")):
        run.set(W + "rsidR", "00AB12CD")
        texts = [child for child in run if child.tag in (W + "t", W + "delText") and len(child.text or "") > 2]
        if texts and len(run) - (run.find(W + "rPr") is not None) == 1:
            other = etree.fromstring(etree.tostring(run))
            whole = texts[0].text
            texts[0].text = whole[:2]
            next(other.iter(W + "t", W + "delText")).text = whole[2:]
            texts[0].addnext(etree.Element(W + "lastRenderedPageBreak"))
            run.addnext(other)
            run.addnext(etree.Element(W + "proofErr", {W + "type": "spellStart"}))


def without_authors(root: Any) -> None:
    """Word's "remove personal information when saving"."""
    for mark in root.iter(W + "ins", W + "del"):
        mark.set(W + "author", "Author")


def merge_tracked(root: Any) -> None:
    """The mark of the first paragraph is deleted, with change tracking."""
    paragraph = next(root.iter(W + "p"))
    properties = etree.Element(W + "pPr")
    etree.SubElement(etree.SubElement(properties, W + "rPr"), W + "del", ED)
    paragraph.insert(0, properties)
    paragraph.addnext(parse_xml(f'<w:p xmlns:w="{W[1:-1]}"><w:r><w:t>It was so.</w:t></w:r></w:p>'))


def merge(root: Any) -> None:
    """The content of the first paragraph, bookmarks and changes, stands behind that of another one."""
    paragraph = next(root.iter(W + "p"))
    before = parse_xml(f'<w:p xmlns:w="{W[1:-1]}"><w:r><w:t xml:space="preserve">It was so. </w:t></w:r></w:p>')
    paragraph.addprevious(before)
    before.extend([child for child in paragraph if child.tag != W + "pPr"])
    paragraph.getparent().remove(paragraph)


def move(root: Any) -> None:
    """The first paragraph's content moved behind the table, with change tracking: the text as it stood there, changes
    inside, and the bookmarks; where it was it stands as moved away."""
    paragraph = next(root.iter(W + "p"))
    table = next(root.iter(W + "tbl"))
    to = etree.Element(W + "p")
    table.addnext(to)
    for child in list(paragraph):
        away = etree.fromstring(etree.tostring(child))
        if child.tag in (W + "r", W + "ins", W + "del"):
            runs = [away] if away.tag == W + "r" else list(away)
            holder = etree.Element(W + "moveFrom", ED)
            holder.extend(runs)
            if away.tag == W + "r":
                child.addprevious(holder)
            else:
                away.append(holder)
                child.addprevious(away)
            there = etree.SubElement(to, W + "moveTo", ED)
            there.append(child)
        elif child.tag != W + "pPr":
            to.append(child)


LINE = "[1] Ms. J.G. left\tMr. Millar\t[...]"
# (reason, what happens to the parts beside the decisions, the first lines of what is published)
BESIDE = [
    ("saved by Word", as_saved_by_word, [LINE, "J.G. and D.M."]),
    ("authors taken out", without_authors, [LINE, "J.G. and D.M."]),
    ("the next paragraph joined, tracked", merge_tracked, [LINE + "It was so.", "J.G. and D.M."]),
    ("joined to the paragraph before", merge, ["It was so. " + LINE, "J.G. and D.M."]),
    ("moved behind the table", move, ["J.G. and D.M.", LINE]),
]


@pytest.mark.parametrize(("reason", "happens", "lines"), BESIDE, ids=[c[0] for c in BESIDE])
@pytest.mark.parametrize("first", [True, False], ids=["before the decisions", "after them"])
def test_decisions_hold_whatever_else_is_done(
    reason: str, happens: Callable[[Any], None], lines: list[str], first: bool
) -> None:
    """Accept the mother's name and the place, reject Mr. Millar's in the text; the rest is left undecided."""
    choices = {0: "accept", 1: "reject", 2: "accept"}

    def edit(root: Any) -> None:
        if next(root.iter(W + "tbl"), None) is None:
            return  # a header
        steps = [lambda: happens(root), lambda: decide(root, choices)]
        for step in steps if first else reversed(steps):
            step()

    result, decisions = decided(edited(copy_of(ruling()), edit), "reviewed")
    published = DocxText.from_bytes(result).rewritten([])
    assert text_of(published).split("\n")[: len(lines)] == lines, reason
    assert [d.outcome for d in decisions if d.number == 1] == [REJECTED]
    assert b"Joanne" not in b"".join(zipped(published)) and b"Green" not in b"".join(zipped(published))


def zipped(data: bytes) -> list[bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [archive.read(name) for name in archive.namelist()]


# --- other places ---------------------------------------------------------------------------------------------------


def r(text: str, properties: str = "") -> str:
    return f'<w:r>{properties}<w:t xml:space="preserve">{text}</w:t></w:r>'


SHADE = '<w:rPr><w:shd w:val="clear" w:fill="00FF00"/></w:rPr>'
FIELD = '<w:fldChar w:fldCharType="{}"/>'
PLACES = [
    ("a name half in a link", f'{r("Joanne ")}<w:hyperlink w:anchor="a">{r("Green")}</w:hyperlink>'),
    ("in a content control", f"<w:sdt><w:sdtContent>{r('Joanne Green')}</w:sdtContent></w:sdt>"),
    ("with a soft hyphen", "<w:r><w:t>Joanne Gr</w:t><w:softHyphen/><w:t>een</w:t></w:r>"),
    ("over a line break", "<w:r><w:t>Joanne</w:t><w:br/><w:t>Green</w:t></w:r>"),
    (
        "with a bookmark in it",
        f'{r("Joanne")}<w:bookmarkStart w:id="0" w:name="b"/>{r(" Green")}<w:bookmarkEnd w:id="0"/>',
    ),
    (
        "beside a field in one run",
        f"<w:r><w:t>Joanne Green</w:t>{FIELD.format('begin')}</w:r><w:r><w:instrText>PAGE</w:instrText></w:r>"
        f"<w:r>{FIELD.format('end')}</w:r>",
    ),
    ("in shading of its own", r("Joanne Green", SHADE)),
]


@pytest.mark.parametrize(("reason", "content"), PLACES, ids=[c[0] for c in PLACES])
def test_places(reason: str, content: str) -> None:
    document = docx.Document()
    paragraph = f'<w:p xmlns:w="{W[1:-1]}">{r("Ms. ")}{content}{r(".")}</w:p>'
    document.element.body.insert(0, parse_xml(paragraph))
    data = saved(document)
    assert text_of(data) == "Ms. Joanne Green.", "the test's own paragraph"
    copy = copy_of(data)
    for act, words, outcome in [("accept", "J.G.", ACCEPTED), ("reject", "Joanne Green", REJECTED)]:
        # all changes, not those beside a bookmark: a name may be parted by other elements
        result, decisions = decided(edited(copy, lambda root, act=act: act_on_all(root, act)), "reviewed")
        assert text_of(result) == f"Ms. {words}.", reason
        assert [d.outcome for d in decisions] == [outcome]


def act_on_all(root: Any, act: str) -> None:
    for change in list(root.iter(W + "ins", W + "del")):
        ACTS[act][change.tag.removeprefix(W)](change)


def box(text: str) -> str:
    inner = f"<w:txbxContent><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:txbxContent>"
    return (
        '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx>' + inner + "</wps:txbx></w:drawing>"
        "</mc:Choice><mc:Fallback><w:pict><v:textbox>" + inner + "</v:textbox></w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r>"
    )


def test_a_text_box_and_a_formula() -> None:
    document = docx.Document()
    spaces = (
        f'xmlns:w="{W[1:-1]}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
        'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
        'xmlns:v="urn:schemas-microsoft-com:vml" '
        'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    )
    formula = "<m:oMath><m:r><m:t>Millar</m:t></m:r></m:oMath>"
    document.element.body.insert(0, parse_xml(f"<w:p {spaces}><w:r><w:t>A </w:t></w:r>{box('Green')}{formula}</w:p>"))
    copy = copy_of(saved(document))
    root = docx.Document(io.BytesIO(copy)).element.body
    assert ["".join(d.itertext()) for d in root.iter(W + "del")] == ["Green"], "tracked once: in the box, not its twin"
    assert text_of(copy).split("\n")[:2] == ["A D.M.", "J.G."], "a formula tracks no changes"
    result, decisions = decided(edited(copy, lambda r: decide(r, {0: "accept", 1: "accept"})), "reviewed")
    assert text_of(result).split("\n") == ["A D.M.", "J.G."]
    assert [d.outcome for d in decisions] == [ACCEPTED]


# --- what is refused ------------------------------------------------------------------------------------------------


def test_what_is_no_review_copy_is_refused() -> None:
    with pytest.raises(InputError, match="is no review copy of aef"):
        decided(ruling(), "ruling.docx")
    with pytest.raises(InputError, match="is no DOCX"):
        decided(b"text", "a.docx")


def test_a_damaged_record_is_refused() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(copy_of(ruling()))) as old, zipfile.ZipFile(stream, "w") as new:
        for entry in old.infolist():
            new.writestr(entry.filename, old.read(entry).replace(b'n="0"', b'n="x"'))
    with pytest.raises(InputError, match="damaged record"):
        decided(stream.getvalue(), "a.docx")


def test_changes_that_the_editor_took_away_with_their_paragraph() -> None:
    def drop_first(root: Any) -> None:
        if root.tag == W + "document":
            body = root[0]
            body.remove(body[0])

    result, decisions = decided(edited(copy_of(ruling()), drop_first), "reviewed")
    assert [d.outcome for d in decisions[:3]] == [REMOVED] * 3
    assert text_of(result).startswith("J.G. and D.M.")
