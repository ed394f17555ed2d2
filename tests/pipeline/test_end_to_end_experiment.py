"""The measure of the main job: what counts for and against linking, on rulings small enough to count by hand."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from aef.annotators.pipeline import load
from aef.corpus_tools import handwritten
from aef.corpus_tools.document import Document, Mention
from aef.experiments.end_to_end import counted, in_common, of_family, outcome, row, rows

TEXT = "Ann Roe came. Ann sang. The Roes left with Bea Lee. Bea Lee slept."
WHO = {"Ann Roe": "a", "Ann": "a", "Roes": "a", "Bea Lee": "b"}
NAMES = {"a": "Ann Roe", "b": "Bea Lee"}


def ruling() -> Document:
    """Two people; the family is marked as the first one's, as the hand-written rulings have it."""
    mentions, position = [], 0
    for name in ("Ann Roe", "Ann", "Roes", "Bea Lee", "Bea Lee"):
        start = TEXT.index(name, position)
        position = start + len(name)
        person = WHO[name]
        mentions.append(Mention(start, position, "PERSON", "DIRECT", person, extra={"name": NAMES[person]}))
    return Document.from_text(TEXT, "made", mentions)


class Given:
    """A tagger that finds what it is told to find."""

    def __init__(self, found: list[tuple[int, int, str]]) -> None:
        self.found = found

    def tag(self, document: Document) -> Document:
        return document.with_mentions(Mention(a, b, "PERSON", "DIRECT", key) for a, b, key in self.found)


def counts_of(ids: list[str | None], tmp_path: Path) -> Counter[str]:
    gold = ruling()
    found = [(m.start, m.end, key) for m, key in zip(gold.mentions, ids, strict=True) if key]
    return counted(gold, outcome(gold, Given(found), tmp_path))


CASES = [
    (["p", "p", "f", "q", "q"], (2, 2, 0), "the family has a label of its own, and counts for nobody"),
    (["p", None, "f", "q", "q"], (2, 2, 0), "what was not found counts neither way"),
    (["p", "p", "f", None, None], (1, 1, 0), "nor does somebody who was not found at all"),
    (["p", "x", "f", "q", "q"], (2, 1, 0), "two labels for one"),
    (["p", "p", "f", "p", "p"], (2, 2, 1), "one label for two"),
]


@pytest.mark.parametrize(("ids", "wanted", "reason"), CASES, ids=[case[-1] for case in CASES])
def test_labels(ids: list[str | None], wanted: tuple[int, int, int], reason: str, tmp_path: Path) -> None:
    counts = counts_of(ids, tmp_path)
    assert (counts["found"], counts["found with one"], counts["labels shared"]) == wanted, reason


def test_families_count_where_all_is_counted(tmp_path: Path) -> None:
    counts = counts_of(["p", "p", "f", "q", "q"], tmp_path)
    assert (counts["persons"], counts["persons alike"]) == (2, 1)


def test_a_family_is_known_by_its_plural() -> None:
    gold = ruling()
    assert [of_family(gold, m) for m in gold.mentions] == [False, False, True, False, False]


def test_linking_is_judged_by_what_both_have() -> None:
    key = {(0, 7): "a", (14, 17): "a", (28, 32): "b"}
    response = {(0, 3): "p", (14, 17): "p", (50, 52): "q"}
    assert in_common(key, response) == ({(0, 7): "a", (14, 17): "a"}, {(0, 7): "p", (14, 17): "p"})


def test_a_row_has_every_figure(tmp_path: Path) -> None:
    figures = row("made", counts_of(["p", "p", "f", "q", "q"], tmp_path), [({(0, 1): "a"}, {(0, 1): "p"})])
    assert figures[5:11] == [100, 100, 50, 100, "1/1", 0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "last", "least"),
    [("es", 9, 80), ("es", 99, 68), ("fr", 5, 80), ("fr", 99, 77)],
    ids=["es, four countries", "es, all", "fr, four countries", "fr, all"],
)
def test_the_open_half_of_another_language_is_hidden_rightly(
    language: str, last: int, least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    styles = handwritten.styles("open" if last == 99 else "closed", language)
    every = handwritten.rulings
    monkeypatch.setattr(handwritten, "rulings", lambda *of: [d for d in every(*of) if int(d.doc_id[-2:]) <= last])
    taggers = dict.fromkeys(styles, load(f"court-{language}"))
    (*_, (name, hidden, things, rightly, *_rest)) = rows("open", taggers, language)
    assert name == "all" and hidden >= 97 and things >= least and rightly >= 95


@pytest.mark.parametrize("language", ["es", "fr"])
def test_the_model_of_names_has_seen_no_closed_ruling(language: str) -> None:
    names = load(f"court-{language}").finders[0]
    assert not any(map(names.trained_on, handwritten.rulings(half="closed", language=language)))
