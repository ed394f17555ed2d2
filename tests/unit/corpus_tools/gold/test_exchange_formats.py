"""The formats of other tools: written and read back, nothing is lost; their own files are read; errors are told."""

from __future__ import annotations

import json
import zlib
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from drawn import documents
from hypothesis import given, settings

from aef.corpus_tools.document import Document, Mention, paragraphs
from aef.corpus_tools.gold import brat, conllu_plus, docbin
from aef.corpus_tools.gold.conll import nesting, to_conll
from aef.corpus_tools.gold.corpora import FORMATS, Options, format_name, is_corpus, losses, read_gold, write_gold
from aef.errors import InputError

TEXT = "Ms. Green met\nAnn Lee. 😀 Ann went home."
SAMPLE = Document.from_text(
    TEXT,
    "d 1",
    [
        Mention(4, 9, "PERSON", "DIRECT", "e1"),
        Mention(10, 21, None, "QUASI"),
        Mention(14, 21, "PERSON", None, "e2", extra={"role": "child"}),
        Mention(25, 28, "PER", probability=0.5),
    ],
    {"year": 2009},
)


def in_order(document: Document) -> Document:
    return document.with_mentions(document.mentions)


def read_back(name: str, content: str, path: Path = Path("x")) -> list[Document]:
    lines = ((i, line) for i, line in enumerate(content.split("\n"), 1))
    return [document for _, document in FORMATS[name].read(path, lines, Options())]


# --- nothing is lost ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["conllup", "doccano", "labelstudio"])
@given(one=documents(), two=documents())
def test_text_formats_keep_everything(name: str, one: Document, two: Document) -> None:
    found = read_back(name, str(FORMATS[name].write([one, two])))
    assert [in_order(d) for d in found] == [in_order(one), in_order(two)]


@given(documents())
def test_brat_keeps_all_but_parts_and_further_data(
    tmp_path_factory: pytest.TempPathFactory, document: Document
) -> None:
    document = replace(document, doc_id=f"x{document.doc_id}")
    path = tmp_path_factory.mktemp("brat") / "corpus"
    write_gold([document], path, format="brat")
    [found] = read_gold(path)
    plain = replace(document, meta={}, blocks=paragraphs(document.text))
    assert in_order(found) == in_order(plain)
    assert bool(losses([document], FORMATS["brat"])) == (plain != document)


@given(documents())
@settings(max_examples=60)
def test_docbin_keeps_everything(tmp_path_factory: pytest.TempPathFactory, document: Document) -> None:
    pytest.importorskip("spacy", reason="the extra spacy is not installed")
    path = tmp_path_factory.mktemp("spacy") / "x.spacy"
    write_gold([document], path)
    assert [in_order(d) for d in read_gold(path)] == [in_order(document)]


@pytest.mark.parametrize("first", sorted(FORMATS))
@pytest.mark.parametrize("second", sorted(FORMATS))
def test_from_each_format_to_each(tmp_path: Path, first: str, second: str) -> None:
    if "spacy" in (first, second):
        pytest.importorskip("spacy", reason="the extra spacy is not installed")
    paths = [
        tmp_path / f"{i}{FORMATS[name].suffixes[0] if name != 'brat' else ''}" for i, name in enumerate((first, second))
    ]
    write_gold([SAMPLE], paths[0], format=first)
    write_gold(read_gold(paths[0]), paths[1], format=second)
    expected = replace(SAMPLE, meta={}) if "brat" in (first, second) else SAMPLE
    assert read_gold(paths[1]) == [expected]


# --- how they look --------------------------------------------------------------------------------------------------


def test_what_conllup_looks_like() -> None:
    document = Document.from_text("Ms. Green left.  She\twon.", "d", [Mention(4, 9, "PERSON", "DIRECT", "e 1")])
    assert conllu_plus.to_conllup([document]).split("\n") == [
        "# global.columns = ID FORM MISC AEF:NE AEF:ENTITY AEF:IDENTIFIER",
        "# newdoc id = d",
        '# mention = {"start_offset": 4, "end_offset": 9, "span_text": "Green", "entity_type": "PERSON", '
        '"identifier_type": "DIRECT", "entity_id": "e 1"}',
        "# sent_id = 1",
        "# text = Ms. Green left.",
        "1\tMs.\tstart_char=0|end_char=3\tO\t_\t_",
        "2\tGreen\tstart_char=4|end_char=9\tB-PERSON\te\\s1\tDIRECT",
        "3\tleft\tstart_char=10|end_char=14|SpaceAfter=No\tO\t_\t_",
        "4\t.\tstart_char=14|end_char=15|SpacesAfter=\\s\\s\tO\t_\t_",
        "",
        "# sent_id = 2",
        "# text = She won.",
        "1\tShe\tstart_char=17|end_char=20|SpacesAfter=\\t\tO\t_\t_",
        "2\twon\tstart_char=21|end_char=24|SpaceAfter=No\tO\t_\t_",
        "3\t.\tstart_char=24|end_char=25|SpaceAfter=No\tO\t_\t_",
        "",
        "",
    ]


def test_what_ann_looks_like() -> None:
    assert brat.to_ann(SAMPLE).split("\n") == [
        "T1\tPERSON 4 9\tGreen",
        '#1\tAnnotatorNotes T1\t{"identifier_type": "DIRECT", "entity_id": "e1"}',
        "T2\tUNKNOWN 10 13;14 21\tmet Ann Lee",
        '#2\tAnnotatorNotes T2\t{"identifier_type": "QUASI"}',
        "T3\tPERSON 14 21\tAnn Lee",
        '#3\tAnnotatorNotes T3\t{"entity_id": "e2", "role": "child"}',
        "T4\tPER 25 28\tAnn",
        '#4\tAnnotatorNotes T4\t{"probability": 0.5, "entity_type": "PER"}',
        "",
    ]


def test_what_tools_are_given() -> None:
    [line] = str(FORMATS["doccano"].write([SAMPLE])).splitlines()
    written = json.loads(line)
    assert written["label"] == [[4, 9, "PERSON"], [10, 21, "UNKNOWN"], [14, 21, "PERSON"], [25, 28, "PER"]]
    assert (written["text"], written["doc_id"]) == (TEXT, "d 1")
    [task] = json.loads(str(FORMATS["labelstudio"].write([SAMPLE])))
    assert task["predictions"][0]["result"][3] == {
        "id": "1-4",
        "from_name": "label",
        "to_name": "text",
        "type": "labels",
        "value": {"start": 25, "end": 28, "text": "Ann", "labels": ["PER"]},
        "score": 0.5,
    }
    [gold] = json.loads(str(FORMATS["labelstudio"].write([SAMPLE.with_mentions(SAMPLE.mentions[:1])])))
    assert "predictions" not in gold and len(gold["annotations"][0]["result"]) == 1


# --- as others read them --------------------------------------------------------------------------------------------


@given(documents())
@settings(max_examples=50)
def test_the_conllu_library_reads_the_same(document: Document) -> None:
    conllu = pytest.importorskip("conllu", reason="the package conllu is not installed")
    document = Document.from_text("".join(c for c in document.text if c.isprintable() or c in "\n\t"), "d")
    found = document.with_mentions(Mention(t.start(), t.end(), "LOC") for t in _words(document.text))
    content = conllu_plus.to_conllup([found])
    sentences = conllu.parse(content)
    forms = [token["form"] for sentence in sentences for token in sentence]
    tags = [token["aef:ne"] for sentence in sentences for token in sentence]
    ours = [line.split("\t") for line in to_conll(found).split("\n") if line and line[:2] != "# "]
    assert list(zip(forms, tags, strict=True)) == [tuple(pair) for pair in ours]
    for sentence in sentences:
        for token in sentence:
            misc = token["misc"]
            assert found.text[int(misc["start_char"]) : int(misc["end_char"])] == token["form"]


def _words(text: str) -> Any:
    import re

    return list(re.finditer(r"[^\W\d_]+", text))[::3]


@cache
def english() -> Any:
    """The vocabulary of spaCy's English, which knows what is white space."""
    import spacy

    return spacy.blank("en").vocab


@given(documents())
@settings(max_examples=60)
def test_spacy_sees_the_text_and_the_outermost_mentions(document: Document) -> None:
    spacy = pytest.importorskip("spacy", reason="the extra spacy is not installed")
    data = docbin.to_docbin([document])
    [doc] = spacy.tokens.DocBin().from_bytes(data).get_docs(english())
    assert doc.text == document.text
    outer = [m for m in nesting(document.mentions)[0] if document.cut(m) == document.cut(m).strip()]
    expected = [(m.start, m.end, m.entity_type or "UNKNOWN") for m in outer]
    assert [(e.start_char, e.end_char, e.label_) for e in doc.ents] == expected
    assert [token.text for token in doc if token.text != token.text.strip() and token.text.strip()] == []


# --- files of theirs ------------------------------------------------------------------------------------------------

UD = """# newdoc id = n1
# sent_id = 1
# text = Vive Ana-Maria aquí.
1\tVive\tvivir\tVERB\t_\t_\t0\troot\t_\tner=O
2\tAna-Maria\t_\tPROPN\t_\t_\t1\tnsubj\t_\tner=S-PER
2.1\tempty\t_\t_\t_\t_\t_\t_\t_\t_
3\taquí\t_\tADV\t_\t_\t1\tadv\t_\tSpaceAfter=No|ner=O
4\t.\t_\tPUNCT\t_\t_\t1\tpunct\t_\tner=O

# text = Al fin.
1-2\tAl\t_\t_\t_\t_\t_\t_\t_\t_
1\ta\t_\tADP\t_\t_\t3\tcase\t_\tner=O
2\tel\t_\tDET\t_\t_\t3\tdet\t_\tner=B-MISC
3\tfin\t_\tNOUN\t_\t_\t0\troot\t_\tSpacesAfter=\\s\\n|ner=E-MISC
"""
RELATE = "# global.columns = ID FORM RELATE:NE\n1\tIon\tB-PER\n2\tPop\tI-PER\n3\tvine\tO\n\n1\tAzi\tO\n"
LS_FULL = [
    {
        "id": 7,
        "data": {"text": "😀 Ann left.", "court": "X"},
        "annotations": [
            {"was_cancelled": True, "result": []},
            {
                "result": [
                    {"type": "labels", "value": {"start": 2, "end": 5, "text": "Ann", "labels": ["PER"]}},
                    {"type": "relation", "from_id": "a", "to_id": "b"},
                ]
            },
        ],
    }
]
RELATIONS = (
    '{"id": 3, "text": "Ann left.", "entities": [{"id": 1, "label": "PER", "start_offset": 0, "end_offset": 3}], '
    '"relations": []}'
)
LS_UTF16 = [{"id": 1, "text": "😀 Ann left.", "label": [{"start": 3, "end": 6, "text": "Ann", "labels": ["PER"]}]}]
FOREIGN: list[tuple[str, str, str, str, list[tuple[str, str | None]], dict[str, Any]]] = [
    (
        "CoNLL-U, tags in MISC",
        "x.conllu",
        UD,
        "Vive Ana-Maria aquí.\nAl fin \n",
        [("Ana-Maria", "PERSON"), ("Al fin", "MISC")],
        {},
    ),
    ("CoNLL-U Plus of RELATE", "x.conllup", RELATE, "Ion Pop vine\nAzi\n", [("Ion Pop", "PERSON")], {}),
    (
        "doccano",
        "x.doccano.jsonl",
        '{"id": 3, "text": "Ann left.", "label": [[0, 3, "PER"]], "court": "X"}',
        "Ann left.",
        [("Ann", "PERSON")],
        {"court": "X"},
    ),
    ("doccano, seen by its keys", "all.jsonl", '{"id": 3, "text": "Ann left.", "label": []}', "Ann left.", [], {}),
    (
        "doccano with relations",
        "x.jsonl",
        RELATIONS,
        "Ann left.",
        [("Ann", "PERSON")],
        {},
    ),
    ("Label Studio's JSON", "x.json", json.dumps(LS_FULL), "😀 Ann left.", [("Ann", "PERSON")], {"court": "X"}),
    ("Label Studio's JSON-MIN, UTF-16", "x.json", json.dumps(LS_UTF16), "😀 Ann left.", [("Ann", "PERSON")], {}),
]


@pytest.mark.parametrize(("why", "name", "content", "text", "found", "meta"), FOREIGN, ids=[f[0] for f in FOREIGN])
def test_files_from_elsewhere(
    tmp_path: Path, why: str, name: str, content: str, text: str, found: list[tuple[str, str]], meta: dict[str, Any]
) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert is_corpus(tmp_path / name)
    [document] = read_gold(tmp_path / name)
    assert (document.text, document.meta) == (text, meta), why
    assert [(document.cut(m), m.entity_type) for m in document.mentions] == found, why


ANN = """T1\tPER 0 3\tAnn
T2\tPER 9 12;13 16\tAnn Lee
R1\tFamily Arg1:T1 Arg2:T2
*\tEquiv T1 T2
A1\tNegated T1
#1\tAnnotatorNotes T1\tlooks odd {
E1\tMarry:T1

"""


def test_a_folder_of_brat(tmp_path: Path) -> None:
    (tmp_path / "a%20b.ann").write_text(ANN)
    (tmp_path / "a%20b.txt").write_text("Ann left Ann\nLee.")
    (tmp_path / "b.ann").write_text("")
    (tmp_path / "b.txt").write_text("Nobody.")
    (tmp_path / "annotation.conf").write_text("[entities]")
    assert is_corpus(tmp_path) and format_name(tmp_path) == "brat"
    one, two = read_gold(tmp_path)
    assert (one.doc_id, two.doc_id, two.mentions) == ("a b", "b", ())
    assert [(one.cut(m), m.entity_type, m.entity_id) for m in one.mentions] == [
        ("Ann", "PERSON", "E1"),
        ("Ann\nLee", "PERSON", "E1"),
    ]
    assert read_gold(tmp_path / "a%20b.ann") == [one]


def test_labels_win_over_what_was_kept() -> None:
    [task] = json.loads(str(FORMATS["labelstudio"].write([SAMPLE])))
    result = task["predictions"][0]["result"]
    result[0]["value"]["labels"] = ["LOC"]
    del result[1:3]
    result.append({"type": "labels", "value": {"start": 30, "end": 34, "labels": ["VERB"]}})
    [document] = read_back("labelstudio", json.dumps([task]))
    found = [(m.start, m.end, m.entity_type, m.entity_id) for m in document.mentions]
    assert found == [(4, 9, "LOC", "e1"), (25, 28, "PER", None), (30, 34, "VERB", None)]


def test_columns_win_over_comments() -> None:
    content = conllu_plus.to_conllup([SAMPLE]).replace("\te1\tDIRECT", "\te9\tNO_MASK")
    [document] = read_back("conllup", content)
    assert (document.mentions[0].entity_id, document.mentions[0].identifier_type) == ("e9", "NO_MASK")


# --- what is wrong --------------------------------------------------------------------------------------------------

BAD: list[tuple[str, str, str, str]] = [
    ("a.ann", "T1\tPER 0 3;9 12\tAnn Lee", r"line 1: a discontinuous annotation \(0 3;9 12\)", "a hole in a mention"),
    ("a.ann", "T1\tPER 0 4\tBob", "line 1: the text at 0 to 4 is another", "offsets of another text"),
    ("a.ann", "T1\tPER 0 x\tAnn", "line 1: is no text-bound annotation", "no offsets"),
    ("a.ann", "T1\tPER 0 3\tAnn\nT1\tPER 4 8\tleft", "line 2: T1 is there already", "one number twice"),
    ("a.ann", "T1\tPER 0 3\tAnn\nT2\tLOC 0 3\tAnn", "two mentions at 0 to 3", "labelled twice"),
    ("a.ann", "T1\tPER 0 999\n", "offsets 0 to 999: outside the text", "offsets outside the text"),
    ("b.ann", "", r"b\.txt: no such file.*beside an \.ann file", "no text beside it"),
    ("x.conllup", "# global.columns = ID LEMMA\n1\ta\n", "line 1: there is no column FORM", "columns without words"),
    ("x.conllup", "# global.columns = ID FORM POS\n1\ta\tN\n", r"line 2: no column says what is a name", "no tags"),
    ("x.conllup", "# global.columns = ID FORM NE\n1\ta\n", "line 2: 2 columns where there are 3", "a column missing"),
    ("x.conllup", "# global.columns = ID FORM NE\nx\ta\tO\n", "line 2: 'x' is no number", "no token number"),
    ("x.conllup", "# global.columns = ID FORM NE\n1\ta\tPER\n", "line 2: 'PER' is no tag", "no BIO"),
    (
        "x.conllup",
        "# global.columns = ID FORM NE MISC\n1\tab\tO\t_\n2\tc\tO\tstart_char=1",
        "line 3: start_char is 1",
        "offsets that go back",
    ),
    ("x.doccano.jsonl", '{"label": []}', "line 1: holds no object with a 'text'", "no text"),
    ("x.doccano.jsonl", '{"text": "Ann", "label": [[0, "3", "PER"]]}', "line 1: a label is not", "a number as text"),
    ("x.doccano.jsonl", '{"text": "Ann", "label": [[0, 9, "PER"]]}', "line 1: offsets 0 to 9: outside", "outside"),
    ("x.json", "{}", "is no list of tasks", "an object"),
    ("x.json", "[3]", "task 1: is no JSON object", "a number for a task"),
    ("x.json", '[{"data": {"words": "x"}}]', "task 1: its data have no 'text'", "another name for the text"),
    ("x.json", '[{"data": {"text": "x"}}]', "task 1: has no annotation", "not labelled"),
    (
        "x.json",
        '[{"data": {"text": "x"}, "annotations": [{"result": []}, {"result": []}]}]',
        "has 2 annotations",
        "two opinions",
    ),
    (
        "x.json",
        '[{"text": "Ann", "label": [{"start": 0, "end": 3, "labels": ["A", "B"]}]}]',
        "has not one label",
        "two labels",
    ),
    (
        "x.json",
        '[{"text": "Ann", "label": [{"start": 0, "end": 3, "text": "Bob", "labels": ["A"]}]}]',
        "the text beside it is not",
        "another text",
    ),
    (
        "x.json",
        '[{"text": "Ann", "label": [{"start": "/p[1]", "end": 3, "labels": ["A"]}]}]',
        "Label plain text",
        "offsets in HTML",
    ),
    ("x.spacy", "junk", "is no DocBin", "no DocBin"),
    ("x.xyz", "", "no corpus format has the suffix", "an unknown suffix"),
]


@pytest.mark.parametrize(("name", "content", "message", "why"), BAD, ids=[b[3] for b in BAD])
def test_what_is_wrong_is_named(tmp_path: Path, name: str, content: str, message: str, why: str) -> None:
    if name.endswith(".spacy"):
        pytest.importorskip("spacy", reason="the extra spacy is not installed")
    (tmp_path / "a.txt").write_text("Ann left Lee.")
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=message):
        read_gold(tmp_path / name)


def test_a_docbin_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("spacy", reason="the extra spacy is not installed")
    monkeypatch.setattr(docbin, "MAX_BYTES", 1000)
    (tmp_path / "x.spacy").write_bytes(zlib.compress(bytes(5000)))
    with pytest.raises(InputError, match="unpacks to more than"):
        read_gold(tmp_path / "x.spacy")


def test_files_of_brat_are_not_mixed_up(tmp_path: Path) -> None:
    two = [replace(SAMPLE, doc_id="a"), replace(SAMPLE, doc_id="A")]
    with pytest.raises(InputError, match="two documents would have the file name"):
        write_gold(two, tmp_path / "out", format="brat")
    with pytest.raises(InputError, match="2 documents for one file"):
        write_gold(two, tmp_path / "x.ann")
    for doc_id in ("", "x" * 300):
        with pytest.raises(InputError, match="is no name for a file"):
            write_gold([replace(SAMPLE, doc_id=doc_id)], tmp_path / "out", format="brat")
    odd = [replace(SAMPLE, doc_id=doc_id, meta={}) for doc_id in ("../x", ".y", "a/b", "50%", "é")]
    write_gold(odd, tmp_path / "out", format="brat")
    assert sorted(read_gold(tmp_path / "out"), key=lambda d: d.doc_id) == sorted(odd, key=lambda d: d.doc_id)
    assert not list(tmp_path.glob("*.ann")), "none climbs out of the folder"
    with pytest.raises(InputError, match="is a folder that holds files"):
        write_gold(odd[:1], tmp_path / "out", format="brat")


# --- real corpora ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["conllup", "doccano", "labelstudio", "brat", "spacy"])
def test_the_benchmark_goes_through_each_format(data: Path, tmp_path: Path, name: str) -> None:
    if name == "spacy":
        pytest.importorskip("spacy", reason="the extra spacy is not installed")
    corpus = read_gold(data / "tab_en" / "dev.jsonl")
    path = tmp_path / f"x{FORMATS[name].suffixes[0]}" if name != "brat" else tmp_path / "x"
    write_gold(corpus, path, format=name)
    found = {d.doc_id: in_order(d) for d in read_gold(path)}
    expected = [replace(d, meta={}) if name == "brat" else d for d in corpus]
    assert found == {d.doc_id: in_order(d) for d in expected}
