"""Gold corpora: what is read, what is refused and why, and that nothing is lost on the way."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from drawn import documents
from hypothesis import given, settings
from hypothesis import strategies as st

from aef.corpus_tools.document import Block, Document, Mention
from aef.corpus_tools.gold.conll import entity_spans, to_conll
from aef.corpus_tools.gold.corpora import (
    FORMATS,
    Options,
    format_of,
    iter_jsonl,
    read_corpus,
    read_gold,
    to_jsonl,
    write_gold,
)
from aef.errors import InputError

DATA = Path(os.environ.get("AEF_DATA", Path(__file__).parents[4].parent / "shared" / "data"))
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"no corpora in {DATA} (set AEF_DATA)")

untimed = settings(deadline=None)

TEXT = "Ms. Green met Ann Lee.\n\nAnn went home."
MENTION = {
    "start_offset": 14,
    "end_offset": 21,
    "span_text": "Ann Lee",
    "entity_type": "PERSON",
    "identifier_type": "DIRECT",
    "entity_id": "e1",
}


def record(**changes: Any) -> dict[str, Any]:
    return {"doc_id": "d", "text": TEXT, "mentions": [MENTION]} | changes


def mention(start: int, end: int, **changes: Any) -> dict[str, Any]:
    return MENTION | {"start_offset": start, "end_offset": end, "span_text": TEXT[start:end]} | changes


def save(folder: Path, content: Any, name: str = "gold.jsonl") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode("utf-8") + b"\n")
    return path


def in_order(document: Document) -> Document:
    return document.with_mentions(document.mentions)


# --- JSONL ----------------------------------------------------------------------------------------------------------


def test_a_record_becomes_a_document(tmp_path: Path) -> None:
    extra = MENTION | {"probability": 0.5, "confidential_status": "HEALTH"}
    [document] = read_gold(save(tmp_path, record(mentions=[extra], year=2002)))
    assert document.doc_id == "d"
    assert document.meta == {"year": 2002}
    assert document.mentions == (Mention(14, 21, "PERSON", "DIRECT", "e1", 0.5, {"confidential_status": "HEALTH"}),)
    assert [TEXT[b.start : b.end] for b in document.blocks] == ["Ms. Green met Ann Lee.", "Ann went home."]


def test_blocks_are_kept_where_they_are_not_the_paragraphs(tmp_path: Path) -> None:
    blocks = (Block(0, 22, "head"), Block(24, 38, "footnote"))
    write_gold([Document(TEXT, "d", blocks)], tmp_path / "x.jsonl")
    assert json.loads((tmp_path / "x.jsonl").read_text())["blocks"] == [[0, 22, "head"], [24, 38, "footnote"]]
    assert read_gold(tmp_path / "x.jsonl")[0].blocks == blocks


def test_line_ends_byte_order_mark_and_blank_lines_are_no_matter(tmp_path: Path) -> None:
    line = json.dumps(record()).encode()
    other = json.dumps(record(doc_id="e")).encode()
    assert len(read_gold(save(tmp_path, b"\xef\xbb\xbf" + line + b"\r\n\r\n" + other))) == 2


def test_unlabelled_documents_only_where_asked(tmp_path: Path) -> None:
    path = save(tmp_path, {"doc_id": "d", "text": TEXT})
    with pytest.raises(InputError, match="'mentions' is missing"):
        read_gold(path)
    assert read_gold(path, labelled=False)[0].mentions == ()
    assert [d.text for d in iter_jsonl(path, labelled=False)] == [TEXT]


REFUSED = [
    (b"", "holds no document", "empty file"),
    (b"\n \n", "holds no document", "blank lines only"),
    (b'{"doc_id": "\xff"}\n', r"line 1: is not UTF-8 \(byte 13", "Latin-1"),
    (json.dumps(record()).encode() + b'\n{"doc_id": ', "line 2: broken JSON", "cut off"),
    (b"[" * 200_000 + b"\n", "line 1: JSON nested too deeply", "hostile nesting"),
    (b'{"doc_id": 1' + b"0" * 5000 + b"}", "line 1: broken JSON", "a number too long to convert"),
    (b'{"doc_id": NaN}', "NaN is not JSON", "NaN"),
    (b'{"doc_id": "d", "text": "\\ud800", "mentions": []}', "surrogate", "half a surrogate pair"),
    ([record()], "line 1: holds a list, not a JSON object", "an array of documents, as other tools export"),
    ({"text": TEXT, "mentions": []}, "'doc_id' is missing", "no id"),
    ({"doc_id": "d", "mentions": []}, "'text' is missing", "no text"),
    (record(doc_id=7), "'doc_id' is the number 7, not a string", "id not a string"),
    (record(text=None), "'text' is null, not a string", "null text"),
    (record(mentions={}), "'mentions' is an object, not a list", "mentions by annotator, as in the original TAB"),
    (record(mentions=["Ann"]), "a mention is a string", "names instead of offsets"),
    (record(mentions=[{"start_offset": 1}]), "'end_offset' is missing", "half a span"),
    (record(mentions=[mention(0, 3, start_offset=True)]), "'start_offset' is true, not a whole number", "truth value"),
    (record(mentions=[mention(0, 3, start_offset=0.0)]), "the number 0.0, not a whole number", "float"),
    (record(mentions=[mention(30, 99)]), "offsets 30 to 99: outside the text", "beyond the end"),
    (record(mentions=[mention(0, 3, start_offset=-1)]), "offsets -1 to 3: outside", "before the start"),
    (record(mentions=[mention(5, 5)]), "start is not before end", "empty span"),
    (record(mentions=[mention(5, 2)]), "start is not before end", "reversed span"),
    (record(mentions=[mention(4, 9, span_text="Groen")]), "span_text is 'Groen', the text there 'Green'", "shifted"),
    (record(mentions=[mention(4, 17), mention(14, 21)]), "overlapping mentions: 4 to 17 and 14 to 21", "crossing"),
    (record(mentions=[mention(4, 9), mention(4, 9, entity_type="LOC")]), "two mentions at 4 to 9", "same span"),
    (record(mentions=[mention(4, 9, identifier_type="MASK")]), "unknown identifier_type 'MASK'", "other scheme"),
    (record(mentions=[mention(4, 9, probability=1.5)]), "probability 1.5", "no probability"),
    (record(mentions=[mention(4, 9, entity_id=3)]), "'entity_id' is the number 3", "id not a string"),
    (record(blocks=[[0, 99, "body"]]), "block 0 to 99", "block beyond the end"),
    (record(blocks=[[9, 12, "body"], [0, 4, "body"]]), "block 0 to 4", "blocks out of order"),
    (record(blocks=[[0, 4, "appendix"]]), "not \\[start, end, part\\]", "unknown part"),
]


@pytest.mark.parametrize(("content", "message", "why"), REFUSED, ids=[r[2] for r in REFUSED])
def test_refused(tmp_path: Path, content: Any, message: str, why: str) -> None:
    path = save(tmp_path, content)
    with pytest.raises(InputError, match=message) as caught:
        read_gold(path)
    assert str(path) in str(caught.value), why
    assert len(str(caught.value)) < 400 + len(str(path)), "no ruling text in messages"


def test_nested_mentions_are_read(tmp_path: Path) -> None:
    inner, outer = mention(14, 17), mention(4, 21)
    [document] = read_gold(save(tmp_path, record(mentions=[inner, outer])))
    assert [document.cut(m) for m in document.mentions] == ["Ann", "Green met Ann Lee"], "the file's order is kept"


@pytest.mark.parametrize(("name", "message"), [("no.jsonl", "no such file"), ("folder.jsonl", "cannot be read")])
def test_paths_that_cannot_be_read(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "folder.jsonl").mkdir()
    with pytest.raises(InputError, match=message):
        read_gold(tmp_path / name)


def test_a_document_met_twice_names_both_places(tmp_path: Path) -> None:
    one, two = save(tmp_path, record(), "one.jsonl"), save(tmp_path, record(), "two.jsonl")
    with pytest.raises(InputError, match=r"two\.jsonl, line 1: .*'d' is there already .*one\.jsonl, line 1"):
        read_corpus([one, two])


def test_an_empty_file_among_others_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"two\.jsonl: holds no document"):
        read_corpus([save(tmp_path, record(), "one.jsonl"), save(tmp_path, b"", "two.jsonl")])


def test_formats_by_suffix_and_name() -> None:
    assert format_of("x.TSV") is FORMATS["conll"]
    assert format_of("x.txt", "jsonl") is FORMATS["jsonl"]
    with pytest.raises(InputError, match=r"suffix '\.txt'"):
        format_of("x.txt")
    with pytest.raises(InputError, match="unknown corpus format 'brat9'"):
        format_of("x.txt", "brat9")


BROKEN = [
    ((Document(TEXT, "d", mentions=(Mention(0, 99),)),), "offsets 0 to 99", "offsets beyond the text"),
    ((Document(TEXT, "d", mentions=(Mention(0, 9), Mention(4, 12))),), "overlapping", "crossing mentions"),
    ((Document(TEXT, "d"), Document("other", "d")), "two documents have the doc_id 'd'", "one id twice"),
    ((Document("\ud800", "d"),), "surrogate", "not encodable"),
    ((Document(TEXT, "d", meta={"text": 1}),), "key 'text'", "meta that would overwrite the text"),
]


@pytest.mark.parametrize(("documents", "message", "why"), BROKEN, ids=[b[2] for b in BROKEN])
@pytest.mark.parametrize("suffix", [".jsonl", ".conll"])
def test_what_could_not_be_read_back_is_not_written(
    tmp_path: Path, documents: tuple[Document, ...], message: str, why: str, suffix: str
) -> None:
    with pytest.raises(InputError, match=message):
        write_gold(documents, tmp_path / f"x{suffix}")
    assert list(tmp_path.iterdir()) == [], why


def test_a_file_is_overwritten_only_by_force(tmp_path: Path) -> None:
    path = save(tmp_path, record())
    before = path.read_bytes()
    with pytest.raises(InputError, match="exists already"):
        write_gold([], path)
    assert path.read_bytes() == before
    write_gold([Document("new", "n")], path, force=True)
    assert read_gold(path)[0].text == "new"


# --- properties -----------------------------------------------------------------------------------------------------


def read_back(content: str, suffix: str) -> list[Document]:
    lines = ((i, line) for i, line in enumerate(content.split("\n"), 1))
    chosen = format_of(f"x{suffix}")
    return [document for _, document in chosen.read(Path("x"), lines, Options())]


@untimed
@given(documents())
def test_jsonl_keeps_everything(document: Document) -> None:
    line = to_jsonl([document])
    assert read_back(line, ".jsonl") == [document]
    assert len(line.splitlines()) == 1, "one line also for tools that split at U+2028"


@untimed
@given(documents())
def test_conll_keeps_everything(document: Document) -> None:
    assert read_back(to_conll(document), ".conll") == [in_order(document)]


@untimed
@given(documents(), documents())
def test_documents_do_not_run_into_each_other(one: Document, two: Document) -> None:
    assert read_back(to_conll(one) + to_conll(two), ".conll") == [in_order(one), in_order(two)]


@untimed
@given(documents())
def test_conll_tokens_are_the_text_without_white_space(document: Document) -> None:
    tokens = [line.split("\t") for line in to_conll(document).split("\n") if line and line[:2] != "# "]
    assert all(len(fields) == 2 for fields in tokens)
    assert "".join(word for word, _ in tokens) == "".join(document.text.split())


@untimed
@given(documents())
def test_conll_without_comments_keeps_tokens_and_tags(document: Document) -> None:
    bare = [line for line in to_conll(document).split("\n") if line[:2] != "# "]
    again = [line for d in read_back("\n".join(bare), ".conll") for line in to_conll(d).split("\n") if "\t" in line]
    joined = "".join(line.split("\t")[0] for line in bare if line)
    assert "".join(line.split("\t")[0] for line in again) == joined


@untimed
@given(st.lists(st.sampled_from(["O", "B-X", "I-X", "B-Y", "I-Y"]), max_size=12))
def test_spans_are_seqevals(tags: list[str]) -> None:
    labeling = pytest.importorskip("seqeval.metrics.sequence_labeling", reason="seqeval is a development dependency")
    expected = [(start, end + 1, kind) for kind, start, end in labeling.get_entities(tags)]
    assert entity_spans(tags) == expected


# --- CoNLL ----------------------------------------------------------------------------------------------------------


def conll(folder: Path, content: str, **options: Any) -> list[Document]:
    return read_gold(save(folder, content.encode("utf-8"), "x.conll"), **options)


def test_what_conll_looks_like() -> None:
    document = Document.from_text("(Ann’s) home. Go!", "d 1", [Mention(1, 4, "PERSON")], {"year": 1})
    assert to_conll(document).split("\n") == [
        "# newdoc id = d 1",
        '# meta = {"year": 1}',
        '# mention = {"start_offset": 1, "end_offset": 4, "span_text": "Ann", "entity_type": "PERSON", '
        '"identifier_type": null, "entity_id": null}',
        '# text = "(Ann’s) home. "',
        "(\tO",
        "Ann\tB-PERSON",
        "’\tO",
        "s\tO",
        ")\tO",
        "home\tO",
        ".\tO",
        "",
        '# text = "Go!"',
        "Go\tO",
        "!\tO",
        "",
        "",
    ]


def test_bounds_inside_a_token_cut_it() -> None:
    lines = to_conll(Document.from_text("BC-1234", "d", [Mention(3, 5, "CODE")])).split("\n")
    assert [line for line in lines if "\t" in line] == ["BC-\tO", "12\tB-CODE", "34\tO"]


def test_a_mention_across_sentences_keeps_them_together() -> None:
    text = "Held by Smith J. The reasons follow."
    lines = to_conll(Document.from_text(text, "d", [Mention(8, 20, "PERSON")])).split("\n")
    assert sum(line.startswith("# text") for line in lines) == 1


EDITED = Document.from_text(
    "Ann Lee of Paris left.",
    "d",
    [
        Mention(0, 16, "MISC", "QUASI", "e0"),
        Mention(0, 7, "PERSON", "DIRECT", "e1"),
        Mention(11, 16, "LOC", "QUASI", "e2"),
    ],
)
INNER = [(0, 7, "PERSON", "e1"), (11, 16, "LOC", "e2")]
ALL = [(0, 16, "MISC", "e0"), *INNER]
EDITS: list[tuple[list[tuple[str, str]], list[Any], str]] = [
    ([], ALL, "nothing edited: nested ones are back"),
    ([("of\tI-MISC", "of\tO"), ("Paris\tI-MISC", "Paris\tO")], [(0, 7, "MISC", "e1")], "shrunk: found by its span"),
    ([("MISC", "LOC")], [(0, 16, "LOC", "e0"), *INNER], "another type"),
    ([("B-MISC", "O"), ("I-MISC", "O")], [], "untagged: the comments do not bring it back"),
    ([("left\tO", "left\tB-DEM")], [*ALL, (17, 21, "DEM", None)], "tagged anew: nothing known of it"),
]


@pytest.mark.parametrize(("edits", "expected", "why"), EDITS, ids=[e[2] for e in EDITS])
def test_edited_tags_win(tmp_path: Path, edits: list[tuple[str, str]], expected: list[Any], why: str) -> None:
    head, body = to_conll(EDITED).split("# text", 1)
    for old, new in edits:
        assert old in body
        body = body.replace(old, new)
    [document] = conll(tmp_path, f"{head}# text{body}")
    assert [(m.start, m.end, m.entity_type, m.entity_id) for m in document.mentions] == expected, why


def test_other_tokens_than_the_projects(tmp_path: Path) -> None:
    [document] = conll(tmp_path, '# newdoc id = d\n# text = "Ann-Lee left."\nAnn\tB-PER\n-Lee\tI-PER\nleft.\tO\n\n')
    assert (document.text, document.mentions) == ("Ann-Lee left.", (Mention(0, 7, "PERSON"),))


PLAIN = [
    (
        "El O\nSr B-PER\n. I-PER\nPaz I-PER\n( O\ncalle O\n) O\n, O\nsí O\n",
        "El Sr. Paz (calle), sí\n",
        ["Sr. Paz"],
        "spaces",
    ),
    ("L O\n' O\naffaire O\nd O\n’ O\nAnne B-PER\n", "L'affaire d’Anne\n", ["Anne"], "elision"),
    ("no O\n36110 B-CODE\n/ I-CODE\n97 I-CODE\n", "no 36110/97\n", ["36110/97"], "the stroke of a number"),
    ("et O\n/ O\nou O\n3 O\n/ O\n", "et / ou 3 /\n", [], "other strokes"),
    ("a\tO\n\nb\tO\n", "a\nb\n", [], "a line a sentence"),
    ("Ann\tNNP\tB-NP\tB-PER\n", "Ann\n", ["Ann"], "first column the token, last the tag, as in CoNLL-2003"),
    ("a\tI-PER\nb\tI-LOC\nc\tB-LOC\nd\tI-LOC\n", "a b c d\n", ["a", "b", "c d"], "broken BIO begins an entity"),
    ("a\tB-PER\n\nb\tI-PER\n", "a\nb\n", ["a", "b"], "no entity crosses a blank line"),
    ("# O\n#\tO\nx\tB-CODE\r\n", "# # x\n", ["x"], "a number sign is a token where a tag follows"),
    (
        "# global.columns = FORM NE\n# sent_id = 1\n# text = A b.\nA\tO\nb.\tB-LOC\n",
        "A b.\n",
        ["b."],
        "CoNLL-U comments",
    ),
]


@pytest.mark.parametrize(("content", "text", "cut", "why"), PLAIN, ids=[p[3] for p in PLAIN])
def test_plain_files(tmp_path: Path, content: str, text: str, cut: list[str], why: str) -> None:
    [document] = conll(tmp_path, content)
    assert document.text == text
    assert [document.cut(m) for m in document.mentions] == cut, why


def test_documents_are_split_at_marks_and_at_first_words(tmp_path: Path) -> None:
    assert [d.text for d in conll(tmp_path, "-DOCSTART- -X- O O\n\na O\n\n-DOCSTART- -X- O O\n\nb O\n")] == [
        "a\n",
        "b\n",
    ]
    assert [d.doc_id for d in conll(tmp_path, "# newdoc\na O\n# newdoc id = k\nb O\n")] == ["x-1", "k"]
    twice = "PROCEDURE O\n\na O\n\nPROCÉDURE O\n\nla O\nprocédure O\n"
    assert [d.text for d in conll(tmp_path, twice, document_start="PROCÉDURE")] == [
        "PROCEDURE\na\n",
        "PROCÉDURE\nla procédure\n",
    ]


UNMARKED = [
    ("PROCEDURE O\n\na O\n\nPROCÉDURE O\n\nb O\n", 2, "the heading that it begins with comes again"),
    ("THE O\nFACTS O\n\na O\n\nTHE O\nLAW O\n\nb O\n", 1, "another heading"),
    ("ANN B-PER\nROE I-PER\n\na O\n\nANN B-PER\nROE I-PER\n", 1, "a name is no heading"),
    ("The O\nCourt O\n\na O\n\nThe O\nCourt O\n", 1, "a sentence is none"),
    ("II O\n\na O\n\nII O\n", 1, "nor a number of two letters"),
    ("# newdoc\nPROCEDURE O\n\na O\n\nPROCEDURE O\n", 1, "the file marks its documents itself"),
]


@pytest.mark.parametrize(("content", "number", "reason"), UNMARKED, ids=[u[2] for u in UNMARKED])
def test_a_file_that_marks_no_documents_is_split_at_its_heading(
    tmp_path: Path, content: str, number: int, reason: str
) -> None:
    assert len(conll(tmp_path, content)) == number, reason


BAD_LINES = [
    ("a\tO\nb\n", "line 2: a line without token and tag", "one column"),
    ("a\tO\n\tO\n", "line 2: a line without token", "no token"),
    ("a\tPER\n", "line 1: 'PER' is no tag", "IO tagging"),
    ("a\tS-PER\n", "line 1: 'S-PER' is no tag", "IOBES"),
    ("a\tB-\n", "line 1: 'B-' is no tag", "no type"),
    ('# text = "a b"\na\tO\nc\tO\n', "line 3: the token 'c' does not follow", "another token than in the text"),
    ('# text = "a b c"\na\tO\nc\tO\n', "line 3: the token 'c' does not follow", "a token left out"),
    ("# meta = {\na\tO\n", "line 1: broken JSON", "comment cut off"),
    ("# meta = 3\na\tO\n", "line 1: '# meta' is not a JSON object", "comment of another kind"),
    ('# mention = {"start_offset": 0}\na\tO\n', "line 1: the key 'end_offset' is missing", "half a mention"),
    ("", "holds no document", "empty"),
]


@pytest.mark.parametrize(("content", "message", "why"), BAD_LINES, ids=[b[2] for b in BAD_LINES])
def test_bad_lines_are_named(tmp_path: Path, content: str, message: str, why: str) -> None:
    with pytest.raises(InputError, match=message):
        conll(tmp_path, content)


# --- real corpora ---------------------------------------------------------------------------------------------------


@needs_data
def test_the_benchmark_goes_through_both_formats(tmp_path: Path) -> None:
    files = [DATA / "tab_en" / name for name in ("train.jsonl", "dev.jsonl")]
    corpus = read_corpus(files)
    source = [json.loads(line) for file in files for line in file.read_text("utf-8").split("\n") if line]
    assert len(corpus) == 113
    assert [json.loads(line) for line in to_jsonl(corpus).split("\n") if line] == source
    write_gold(corpus, tmp_path / "x.conll")
    assert read_gold(tmp_path / "x.conll") == [in_order(d) for d in corpus]


@needs_data
@pytest.mark.parametrize(("language", "word"), [("es", "PROCEDIMIENTO"), ("fr", "PROCÉDURE")])
def test_the_projected_corpora_are_read(language: str, word: str) -> None:
    corpus = read_gold(DATA / f"echr_{language}" / "dev.tsv", document_start=word)
    assert read_gold(DATA / f"echr_{language}" / "dev.tsv") == corpus, "without being told how documents begin, too"
    assert len(corpus) == 12
    assert sum(len(d.mentions) for d in corpus) == 516
