"""Evaluation: figures against scikit-learn, and entities, terms and documents against cases counted by hand."""

from __future__ import annotations

import json
import random
import re
from itertools import chain
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_fscore_support

from aef.corpus_tools.document import Document, Mention
from aef.errors import InputError
from aef.evaluation.figures import COUNTS, FIGURES, Evaluation, evaluate, figures, target_mentions

TEXT = "Mr. Ann Lee met Dr Bo-Yo in Rome. Ann left Rome; lee stayed."


def doc(text: str, *mentions: tuple[Any, ...], doc_id: str = "d") -> Document:
    """A document with mentions, each a piece of the text, its entity_id, its type, and which occurrence it is."""
    return Document.from_text(text, doc_id, [at(text, *mention) for mention in mentions])


def at(text: str, piece: str, entity: str | None = None, kind: str | None = "PERSON", occurrence: int = 0) -> Mention:
    start = [m.start() for m in re.finditer(re.escape(piece), text)][occurrence]
    return Mention(start, start + len(piece), kind, "DIRECT", entity)


def one(gold: Document, predicted: Document, **options: Any) -> Evaluation:
    return evaluate([gold], [predicted], **{"target": "person", "bootstrap": 0} | options)


def test_without_a_target_it_is_the_system_s_or_all_as_on_the_command_line() -> None:
    class Person:
        target = "person"

        def tag(self, document: Document) -> Document:
            return document

    gold = doc("Ann Lee left on 3 May.", ("Ann Lee",), ("3 May", None, "DATETIME"))
    assert evaluate([gold], [gold.with_mentions([])]).counts["fn"] == 4
    assert evaluate([gold.with_mentions([])], Person()).target == "person"


COUNTED = [
    ([("Ann Lee",)], [("Ann Lee",)], (2, 0, 0), "exact"),
    ([("Mr. Ann Lee",)], [("Ann Lee",)], (2, 0, 0), "a title inside the gold mention does not count"),
    ([("Ann Lee",)], [("Mr. Ann Lee",)], (2, 0, 0), "nor inside the predicted one"),
    ([("Dr Bo-Yo",)], [("Bo",)], (1, 0, 1), "a word joined by a hyphen is two counting tokens"),
    ([("An",)], [], (0, 0, 1), "gold needs one character of the token"),
    ([("Ann",)], [("An",)], (0, 0, 1), "predicted needs all characters"),
    ([("Ann",)], [("An",), ("n",)], (1, 0, 0), "adjacent predicted mentions count as their union"),
    ([("Ann",)], [("Ann",), ("Ann Lee",)], (1, 1, 0), "overlapping predicted mentions, too"),
    ([("Ann Lee",)], [("Ann",), ("Lee",)], (2, 0, 0), "white space between is no token"),
    ([], [], (0, 0, 0), "nothing"),
    ([("Rome", None, "LOC")], [], (0, 0, 0), "another type is no target"),
    ([("Rome", None, None)], [("Rome", None, None)], (1, 0, 0), "an unknown type counts for person"),
]


@pytest.mark.parametrize(("gold", "predicted", "expected", "why"), COUNTED, ids=[c[3] for c in COUNTED])
def test_tokens_counted(gold: list[Any], predicted: list[Any], expected: tuple[int, ...], why: str) -> None:
    # "An" + "n" lie side by side at 4 to 6 and 6 to 7: the second is found at its second place in the text
    spans = [("n", None, "PERSON", 1) if p == ("n",) else p for p in predicted]
    counts = one(doc(TEXT, *gold), doc(TEXT, *spans)).counts
    assert (counts["tp"], counts["fp"], counts["fn"]) == expected, why


def test_targets() -> None:
    mentions = [
        Mention(0, 1, "PERSON", "DIRECT"),
        Mention(1, 2, "PERSON", "NO_MASK"),
        Mention(2, 3, "LOC", "QUASI"),
        Mention(3, 4, None, None),
    ]
    document = Document("abcd", mentions=tuple(mentions))
    assert [m.start for m in target_mentions(document, "person")] == [0, 3]
    assert [m.start for m in target_mentions(document, "all")] == [0, 2, 3]
    with pytest.raises(InputError, match="'people'"):
        target_mentions(document, "people")


LEE = "Ann Lee and Bo. Ann Lee, Lee, Bo."
A1, A2, L3, B1, B2 = (("Ann Lee", "a", "PERSON", 0), ("Ann Lee", "a", "PERSON", 1), ("Lee", "a", "PERSON", 2),
                      ("Bo", "b", "PERSON", 0), ("Bo", "b", "PERSON", 1))  # fmt: skip
LOOSE = [("Bo", None, "PERSON", 0), ("Bo", None, "PERSON", 1)]
ENTITIES = [
    ([A1, A2, L3, B1, B2], [A1, A2, L3, B1, B2], (2, 2), (5, 5), "all covered"),
    ([A1, A2, L3, B1, B2], [A1, A2, B1, B2], (1, 2), (4, 5), "one mention missed: its entity is"),
    ([A1, A2, L3, B1, B2], [A1, L3, ("Lee", "a", "PERSON", 1), B1], (0, 2), (3, 5), "covered in part is not covered"),
    (LOOSE, [B1], (1, 2), (1, 2), "without entity_id each mention is its own entity"),
    ([("Mr", "m", "PERSON", 0)], [], (0, 0), (0, 0), "a mention that is only a title is left out"),
]


@pytest.mark.parametrize(("gold", "predicted", "entities", "mentions", "why"), ENTITIES, ids=[e[4] for e in ENTITIES])
def test_entities_counted_by_hand(
    gold: list[Any], predicted: list[Any], entities: tuple[int, int], mentions: tuple[int, int], why: str
) -> None:
    text = "Mr Roe" if gold[0][0] == "Mr" else LEE
    counts = one(doc(text, *gold), doc(text, *predicted)).counts
    assert (counts["entities_found"], counts["entities"]) == entities, why
    assert (counts["mentions_found"], counts["mentions"]) == mentions, why


def test_entities_of_two_documents_are_two() -> None:
    gold = [doc(LEE, A1, doc_id="1"), doc(LEE, A1, doc_id="2")]
    assert evaluate(gold, [gold[0], doc(LEE, doc_id="2")], bootstrap=0).counts["entities"] == 2


def test_figures_of_a_known_table() -> None:
    """AEF thesis, Table 3.12: 340 of 455 occurrences found, 14 wrong."""
    values = figures(np.array([340, 14, 115, 455, 340, 9, 8]))
    percent = {name: round(100 * float(value), 2) for name, value in values.items()}
    assert percent["precision"] == 96.05
    assert percent["recall"] == 74.73
    assert percent["f1"] == 84.05
    assert percent["f2_thesis"] == 80.70
    assert percent["f2"] == 78.20, "the true F2 is lower"
    assert (percent["entity_recall"], percent["mention_recall"]) == (88.89, 74.73)


masks = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30)


def from_mask(mask: list[bool], doc_id: str = "d") -> Document:
    """One word of three letters for each truth value, in a mention of its own where true."""
    text = " ".join("abc" for _ in mask)
    mentions = [Mention(4 * i, 4 * i + 3, "PERSON") for i, m in enumerate(mask) if m]
    return Document.from_text(text, doc_id, mentions)


def reference(gold: list[bool], predicted: list[bool], beta: float) -> tuple[float, ...]:
    values = precision_recall_fscore_support(gold, predicted, beta=beta, average="binary", zero_division=0)
    return tuple(map(float, values[:3]))


@settings(deadline=None)
@given(st.lists(masks, min_size=1, max_size=4))
def test_figures_are_scikit_learns(corpus: list[list[tuple[bool, bool]]]) -> None:
    gold = [[g for g, _ in d] for d in corpus]
    predicted = [[p for _, p in d] for d in corpus]
    result = evaluate(
        [from_mask(m, str(i)) for i, m in enumerate(gold)],
        [from_mask(m, str(i)) for i, m in enumerate(predicted)],
        bootstrap=0,
    )
    for name, beta in (("f1", 1.0), ("f2", 2.0), ("f2_thesis", 2**0.5)):
        p, r, f = reference([*chain(*gold)], [*chain(*predicted)], beta)
        assert [result.micro[k] for k in ("precision", "recall", name)] == pytest.approx([p, r, f])
        rows = [reference(g, q, beta) for g, q in zip(gold, predicted, strict=True)]
        assert [[d.precision, d.recall, getattr(d, name)] for d in result.documents] == [pytest.approx(r) for r in rows]
        judged = [row for row, g, q in zip(rows, gold, predicted, strict=True) if any(g) or any(q)]
        means = np.mean(judged, axis=0) if judged else np.zeros(3)
        assert [result.macro[k] for k in ("precision", "recall", name)] == pytest.approx(means.tolist())


spans = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 12)), max_size=6)


@settings(deadline=None)
@given(st.text("ab1_ .-\u0301é\n", min_size=1, max_size=40) | st.just(TEXT), spans, spans)
def test_tokens_are_counted_as_defined(text: str, gold: list[tuple[int, int]], found: list[tuple[int, int]]) -> None:
    """The definition, character by character."""
    pairs = [[(s, min(s + n, len(text))) for s, n in side if s < len(text)] for side in (gold, found)]
    documents = [Document(text, mentions=tuple(Mention(s, e, "PERSON") for s, e in side)) for side in pairs]
    in_gold, in_found = ({i for s, e in side for i in range(s, e)} for side in pairs)
    tokens = [m.span() for m in re.finditer(r"\w+", text) if m.group() not in ("Mr", "Dr")]
    is_gold = [any(i in in_gold for i in range(s, e)) for s, e in tokens]
    is_found = [all(i in in_found for i in range(s, e)) for s, e in tokens]
    both = list(zip(is_gold, is_found, strict=True))
    counts = one(*documents).counts
    expected = (both.count((True, True)), both.count((False, True)), both.count((True, False)))
    assert (counts["tp"], counts["fp"], counts["fn"]) == expected


def test_nothing_predicted_and_nothing_gold_are_zero_not_nan() -> None:
    for gold, predicted in (([True], [False]), ([False], [True]), ([False], [False])):
        result = one(from_mask(gold), from_mask(predicted))
        assert list(result.micro.values()) == [0.0] * len(FIGURES)
    assert evaluate([], []).micro["f2"] == 0.0


# --- intervals ------------------------------------------------------------------------------------------------------


def corpus_of(n: int, seed: int) -> tuple[list[Document], list[Document]]:
    draw = random.Random(seed)
    gold = [[draw.random() < 0.4 for _ in range(20)] for _ in range(n)]
    found = [[g if draw.random() < 0.8 else not g for g in mask] for mask in gold]
    return [from_mask(m, str(i)) for i, m in enumerate(gold)], [from_mask(m, str(i)) for i, m in enumerate(found)]


def test_intervals_hold_the_figure_are_seeded_and_shrink() -> None:
    small, large = evaluate(*corpus_of(10, 1)), evaluate(*corpus_of(200, 1))
    for name in FIGURES:
        low, high = small.intervals[name]
        assert 0 <= low <= small.micro[name] <= high <= 1
        assert large.intervals[name][1] - large.intervals[name][0] < high - low
    assert evaluate(*corpus_of(10, 1)).intervals == small.intervals
    assert evaluate(*corpus_of(10, 1), seed=1).intervals != small.intervals


def test_intervals_are_those_of_a_plain_bootstrap() -> None:
    gold, predicted = corpus_of(40, 2)
    result = evaluate(gold, predicted, bootstrap=4000)
    rows = np.array([[d.tp, d.fp, d.fn] for d in result.documents])
    rng = np.random.default_rng(5)
    values = []
    for _ in range(4000):
        tp, fp, fn = rows[rng.integers(0, len(rows), len(rows))].sum(axis=0)
        values.append(5 * tp / (5 * tp + 4 * fn + fp))
    assert result.intervals["f2"] == pytest.approx(tuple(np.percentile(values, [2.5, 97.5])), abs=0.01)


def test_no_interval_for_one_document_or_none_asked() -> None:
    gold, predicted = corpus_of(2, 3)
    assert evaluate(gold[:1], predicted[:1]).intervals == {}
    assert evaluate(gold, predicted, bootstrap=0).intervals == {}


# --- terms, misses, false alarms ------------------------------------------------------------------------------------

NAMES = "Ann Lee saw Bo. Ann Lee saw Rome Court. Lee sat in Rome Court on 3 May."
GOLD = doc(NAMES, ("Ann Lee", "a", "PERSON", 0), ("Ann Lee", "a", "PERSON", 1), ("Lee", "a", "PERSON", 2),
           ("Bo", "b"), ("3 May", "c", "DATETIME"))  # fmt: skip
FOUND = doc(NAMES, ("Ann Lee", "a", "PERSON", 0), ("Rome Court",), ("Rome Court", None, "PERSON", 1))


def test_terms() -> None:
    terms = one(GOLD, FOUND, target="all").terms
    total = terms.total
    assert (total.distinct, total.occurrences) == (4, 5), "Ann Lee, Lee, Bo, 3 May"
    assert (total.distinct_found, total.occurrences_found) == (1, 1)
    assert (terms.wrong_distinct, terms.wrong_occurrences) == (1, 2), "Rome Court, twice"
    assert {kind: (t.distinct, t.occurrences) for kind, t in terms.by_type.items()} == {
        "DATETIME": (1, 1),
        "PERSON": (3, 4),
    }


def test_a_word_tagged_once_counts_as_found_where_asked() -> None:
    strict, once = one(GOLD, FOUND, target="all"), one(GOLD, FOUND, target="all", once=True)
    assert (strict.counts["fn"], once.counts["fn"]) == (6, 3), "Ann Lee and Lee are found, Bo and 3 May are not"
    assert strict.counts["fp"] == once.counts["fp"], "wrong words do not multiply"
    assert (once.terms.total.distinct_found, once.terms.total.occurrences_found) == (2, 3)
    assert once.counts["entities_found"] == 1


def test_wrong_terms_end_with_their_mention() -> None:
    text = "Rome Court Ann Hall"
    predicted = doc(text, ("Rome",), ("Court Ann Hall",))
    assert [f.text for f in one(doc(text, ("Ann",)), predicted).false_alarms()] == ["Rome", "Court", "Hall"]
    overlapping = doc(text, ("Rome Court",), ("Court Ann",))
    assert [f.text for f in one(doc(text), overlapping).false_alarms()] == ["Rome Court Ann"]
    split = Document.from_text(text, "d", [Mention(0, 2), Mention(2, 4)])
    assert [f.text for f in one(doc(text), split).false_alarms()] == ["Rome"]


def test_misses_and_false_alarms_show_their_place() -> None:
    result = one(GOLD, FOUND)
    assert [m.text for m in result.misses()] == ["Bo", "Ann Lee", "Lee"]
    miss = result.misses(width=8)[0]
    assert (miss.doc_id, miss.start, miss.end, miss.entity_type) == ("d", 12, 14, "PERSON")
    assert (miss.before, miss.after) == ("Lee saw", ". Ann Le")
    assert [(f.start, f.text) for f in result.false_alarms()] == [(28, "Rome Court"), (51, "Rome Court")]


def test_false_alarms_are_the_false_positives() -> None:
    gold, predicted = corpus_of(20, 4)
    result = evaluate(gold, predicted, bootstrap=0)
    assert sum(len(f.text.split()) for f in result.false_alarms()) == result.counts["fp"]
    assert len(result.misses()) == result.counts["mentions"] - result.counts["mentions_found"]


def test_documents_without_a_miss() -> None:
    gold = [from_mask([True], "1"), from_mask([False], "2"), from_mask([True], "3")]
    predicted = [from_mask([True], "1"), from_mask([True], "2"), from_mask([False], "3")]
    assert evaluate(gold, predicted).documents_without_miss == 2


def test_recall_by_type() -> None:
    by_type = one(GOLD, FOUND, target="all").by_type
    assert list(by_type) == ["DATETIME", "PERSON"]
    person, date = by_type["PERSON"], by_type["DATETIME"]
    assert (person.tokens_found, person.tokens) == (2, 6)
    assert (person.mentions_found, person.mentions) == (1, 4)
    assert (person.entities_found, person.entities) == (0, 2)
    assert (date.tokens_found, date.tokens, date.entities) == (0, 2, 1)
    nested = doc(NAMES, ("Ann Lee", "a"), ("Lee", "b"))
    assert one(nested, nested).by_type["PERSON"].tokens == 2, "a token of nested mentions counts once"
    untyped = doc(NAMES, ("Bo", None, None))
    assert one(untyped, untyped).type_rows() == [["(no type)", 1, 100.0, 1, 100.0, 1, 100.0]]


def test_typed_matches_only_where_both_sides_have_types() -> None:
    untyped = doc(NAMES, ("Bo", None, None))
    assert one(GOLD, FOUND, target="all").typed_matches is not None
    assert one(GOLD, untyped, target="all").typed_matches is None
    assert one(untyped, FOUND, target="all").typed_matches is None
    assert "typed_matches" not in one(GOLD, untyped, target="all").to_dict()


def test_the_worst_documents_first() -> None:
    gold = [[True] * 4, [False] * 4, [True] * 4, [True, True, False, False], [True, False, False, False]]
    found = [[True] * 4, [False] * 4, [True, True, False, False], [False] * 4, [False] * 4]
    corpora = [[from_mask(mask, str(i)) for i, mask in enumerate(side)] for side in (gold, found)]
    assert evaluate(*corpora).worst() == [3, 4, 2, 0, 1], "F2, then the misses; nothing to judge comes last"


# --- output and errors ----------------------------------------------------------------------------------------------


def test_json_and_table() -> None:
    result = evaluate(*corpus_of(5, 6))
    values = json.loads(json.dumps(result.to_dict(per_document=True)))
    assert set(values["counts"]) == set(COUNTS)
    assert set(values["micro"]) == set(values["macro"]) == set(values["intervals"]) == set(FIGURES)
    assert sum(row["tp"] for row in values["per_document"]) == values["counts"]["tp"]
    assert "per_document" not in result.to_dict()
    line = next(x for x in result.table().splitlines() if x.startswith("F2 "))
    assert f"{100 * result.micro['f2']:.1f}" in line


def test_predictions_are_matched_by_id() -> None:
    gold, predicted = corpus_of(5, 7)
    assert evaluate(gold, predicted[::-1]).to_dict() == evaluate(gold, predicted).to_dict()


UNMATCHED = [
    ("1", [("2", "a")], "without prediction: '1'; not in the gold corpus: '2'", "other ids"),
    ("1", [], "without prediction: '1'", "none"),
    ("1", [("1", "a")] * 2, "differ: 1 and 2", "one twice"),
    ("1", [("1", "b")], "'1': the predictions are for another text", "another text"),
]


@pytest.mark.parametrize(("gold", "predicted", "message", "why"), UNMATCHED, ids=[u[3] for u in UNMATCHED])
def test_unmatched_documents(gold: str, predicted: list[tuple[str, str]], message: str, why: str) -> None:
    with pytest.raises(InputError, match=message):
        evaluate([doc("a", doc_id=gold)], [doc(text, doc_id=doc_id) for doc_id, text in predicted])
