"""The benchmarks run, compare like with like, and build the same corpus each time."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from aef import lexicons
from aef.benchmarks import growth
from aef.benchmarks.__main__ import PARTS, main
from aef.benchmarks.child import TASKS
from aef.benchmarks.corpus import build, novels, trimmed
from aef.benchmarks.corpus import main as corpus_main
from aef.benchmarks.extraction import in_loops, texts
from aef.benchmarks.measure import Row, short
from aef.benchmarks.plain import Plain
from aef.corpus_tools.document import Document
from aef.features import Extractor, feature_names
from aef.learning.selection import Criterion
from aef.tagging.labelled import LabelledCorpus

NAMES, LISTS = feature_names("thesis"), lexicons.load_all()


@pytest.mark.parametrize("tokens", [1, 150, 5000])
def test_the_corpus_has_just_so_many_tokens(corpus: list[Document], tokens: int) -> None:
    found = trimmed([corpus[:5], corpus[5:]], tokens)
    fresh = [Document(d.text, d.doc_id, d.blocks, d.mentions) for d in found]
    assert sum(len(d.words) for d in fresh) == tokens
    assert len({d.doc_id for d in found}) == len(found)
    assert all(m.end <= len(d.text) for d in found for m in d.mentions)
    assert found == trimmed([corpus], tokens)


def test_a_novels_persons_are_its_mentions(tmp_path: Path) -> None:
    (tmp_path / "emma.txt").write_bytes(b"Emma\r\nand Mr. Knightley")
    lines = [
        "T1\tPROP_PER 0 4\tEmma",
        "T2\tNOM_PER 10 13\tMr.",
        "T3\tPROP_PER 10 23\tMr. Knightley",
        "T4\tPROP_PER 0 4\tE",
    ]
    (tmp_path / "emma.ann").write_text("\n".join(lines))
    (novel,) = novels(tmp_path)
    assert [novel.cut(m) for m in novel.mentions] == ["Emma", "Mr. Knightley"]


def test_the_plain_pipeline_and_the_criterion_agree(corpus: list[Document]) -> None:
    plain, criterion = Plain(corpus, NAMES, LISTS), Criterion(corpus, NAMES, "all", LISTS)
    rng = np.random.default_rng(0)
    for size in (1, 3, 8, len(NAMES)):
        features = rng.permutation(len(NAMES))[:size].tolist()
        assert plain.evaluate(features, 1e-8) == pytest.approx(criterion.evaluate(features)[0].f2, abs=1e-6)


def test_loops_and_columns_give_the_same_predicates(corpus: list[Document]) -> None:
    for document in corpus[:4]:
        alone = LabelledCorpus.of([document], "all")
        columns = list(Extractor(NAMES, LISTS).columns(alone.layout))
        assert in_loops(document, NAMES, LISTS, alone.labels.tolist()) == texts(columns, alone.histories)


def test_times_says_how_many_times_better() -> None:
    assert Row("", "", 2.0, "s", "", 10.0).times == pytest.approx(5)
    assert Row("", "", 200.0, "tokens/s", "", 10.0).times == pytest.approx(20)
    assert Row("", "", 2.0, "s").times is None
    assert [short(v) for v in (None, 0.01234, 12.34, 1234567.0)] == ["", "0.0123", "12.3", "1,234,567"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--data", "nowhere"], "AEF_DATA"),
        (["--only", "candidate,magic"], "no part is called 'magic'"),
        (["--json", __file__], "exists"),
    ],
)
def test_bad_input_is_said_in_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main([*arguments, "--cache", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err


def test_so_it_is_when_building_the_corpus(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    output = ["-o", str(tmp_path / "gold.jsonl")]
    assert corpus_main([*output, "--data", "nowhere"]) == 2
    assert corpus_main([*output, "--tokens", "0"]) == 2
    assert "AEF_DATA" in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_the_judgments_come_first(data: Path) -> None:
    first, again = build(data, 3000), build(data, 3000)
    assert first == again and first[0].meta and sum(len(d.words) for d in first) == 3000


@pytest.mark.slow
def test_all_parts_run_on_a_slice(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # growth without its processes, which take long to start; those of tagging are real
    monkeypatch.setattr(growth, "in_child", lambda task, *arguments: TASKS[task](*map(str, arguments)))
    figures = tmp_path / "figures.json"
    assert main(["--short", "--data", str(data), "--json", str(figures), "--cache", str(tmp_path)]) == 0
    printed, rows = capsys.readouterr().out, json.loads(figures.read_text())["rows"]
    assert {row["part"] for row in rows} == set(PARTS)
    assert "the same predicates" in printed
    for row in rows:
        assert f"{row['part']}: {row['what']}" in printed
        assert (row["ours"] or 0) > 0 or "not installed" in row["beside"]
