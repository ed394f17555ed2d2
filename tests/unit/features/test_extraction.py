"""The registry's rules, and extraction against a plain, slow reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aef import lexicons
from aef.errors import InputError
from aef.features import REGISTRY, Extractor, feature, feature_names, resolve
from aef.features.extraction import Layout
from aef.features.registry import HISTORY, OFFSETS

WORDS = ["Ms.", "Green", "green", "born", "March", "17", "who", "son", "Ltd.", "account", "4-02", "the", "LISA", "A."]
SENTENCE = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6)
DOCUMENTS = st.lists(st.lists(SENTENCE, max_size=4), min_size=1, max_size=4)


def reference(documents: list[list[list[str]]], labels: list[bool]) -> list[dict[str, Any]]:
    """Every feature of every token, computed one by one as the thesis describes it."""
    lists = lexicons.load_all()
    found, marks = [], iter(labels)
    for document in documents:
        row: list[tuple[str, bool, bool]] = [("", False, False)] * 2
        for i, sentence in enumerate(document):
            row += [(".", False, False)] if i else []
            row += [(word, k == 0, next(marks)) for k, word in enumerate(sentence)]
        row += ([(".", False, False)] if document else []) + [("", False, False)] * 2
        tokens = [i for i, (word, _, _) in enumerate(row) if word not in ("", ".")]
        for i in tokens:
            given_ = {p: row[i + offset][0] for p, offset in OFFSETS.items() if p != "first"}
            given_ |= {"first": row[i][1], "lexicons": lists, "label_before": row[i - 1][2]}
            given_ |= {"label_before2": row[i - 2][2]}
            given_ |= {"seen": any(row[j][2] and row[j][0] == row[i][0] for j in tokens if j < i)}
            event = {}
            for name in feature_names("thesis"):
                known = REGISTRY[name]
                if known.when is None or known.when(row[i][0]):
                    value = known.function(**{p: given_[p] for p in known.parameters})
                    if value not in (None, False, ""):
                        event[name] = "" if value is True else value
            found.append(event)
    return found


@given(DOCUMENTS, st.randoms(use_true_random=False))
def test_extraction_is_the_slow_reference(documents: list[list[list[str]]], random: Any) -> None:
    flat = [([w for s in d for w in s], [k == 0 for s in d for k in range(len(s))]) for d in documents]
    layout = Layout(flat)
    labels = [random.random() < 0.4 for words, _ in flat for _ in words]
    history = layout.histories(np.array(labels, dtype=bool))
    events: list[dict[str, Any]] = [{} for _ in labels]
    for column in Extractor(feature_names("thesis"), lexicons.load_all()).columns(layout):
        for i, code in enumerate(column.at(history)):
            if code >= 0:
                events[i][column.name] = column.values[code]
    assert events == reference(documents, labels)


def test_a_name_may_carry_an_offset() -> None:
    layout = Layout([(["Ms.", "Green", "left"], [True, False, False])])
    (column,) = Extractor(["FirstCap[-1]"], lexicons.load_all()).columns(layout)
    assert column.codes.tolist() == [-1, 0, 0]


@given(DOCUMENTS)
def test_an_offset_reads_the_token_beside_within_the_sentence(documents: list[list[list[str]]]) -> None:
    layout = Layout([([w for s in d for w in s], [k == 0 for s in d for k in range(len(s))]) for d in documents])
    sentences = [len(s) for d in documents for s in d]
    ends = np.cumsum(sentences)
    inside = [(start, start + size) for start, size in zip(ends - sentences, sentences, strict=True)]
    columns = {c.name: c for c in Extractor(feature_names("wide"), lexicons.load_all()).columns(layout)}
    for name in feature_names("rich"):
        codes = columns[name].codes.tolist()
        for offset in (-1, 1):
            expected = [codes[i + offset] if a <= i + offset < b else -1 for a, b in inside for i in range(a, b)]
            assert columns[f"{name}[{offset}]"].codes.tolist() == expected
            assert columns[f"{name}[{offset}]"].values == columns[name].values


def test_what_is_read_at_an_offset_has_the_numbers_asked_for() -> None:
    layout = Layout([(["Ms.", "Green", "left"], [True, False, False])])
    known = {"L-1": {"green": 0}, "L-1[-1]": {"ms.": 0}, "L-1[1]": {"green": 0, "ms.": 1}}
    found = {c.name: c.codes.tolist() for c in Extractor(list(known), lexicons.load_all()).columns(layout, known)}
    assert found == {"L-1": [-1, -1, 0], "L-1[-1]": [-1, -1, 0], "L-1[1]": [1, 0, -1]}


def test_a_word_list_is_a_feature_without_code() -> None:
    layout = Layout([(["the", "court"], [True, False])])
    (column,) = Extractor(["list:ferries"], {"ferries": frozenset({"court"})}).columns(layout)
    assert column.codes.tolist() == [-1, 0]
    with pytest.raises(InputError, match="ferries"):
        list(Extractor(["list:ferries"], lexicons.load_all()).columns(layout))


WRONG = [
    ("FirstCapp", "FirstCap", "a misspelling gets a suggestion"),
    ("firstcap", "FirstCap", "so do wrong capitals"),
    ("qqqqqqqq", "aef features", "otherwise it says where the names are"),
    ("C7[-1]", "looks at labels", "labels cannot be read at an offset"),
    ("W0[-1][-1]", r"W0\[-2\]", "one offset is enough"),
]


@pytest.mark.parametrize(("name", "message", "reason"), WRONG, ids=[r for _, _, r in WRONG])
def test_an_unknown_name(name: str, message: str, reason: str) -> None:
    with pytest.raises(InputError, match=message):
        resolve(name)


def test_registering_twice_without_docstring_or_with_a_strange_parameter_is_an_error() -> None:
    def FirstCap(word: str) -> bool:
        """Another."""
        return False

    def undocumented(word: str) -> bool:
        return False

    def strange(colour: str) -> bool:
        """Looks at what no token has."""
        return False

    for function, message in ((FirstCap, "already"), (undocumented, "docstring"), (strange, "colour")):
        function.__qualname__ = function.__name__ + "_test"
        with pytest.raises(ValueError, match=message):
            feature(function)


def test_a_document_level_feature_gives_a_value_a_token() -> None:
    @feature(name="test_length")
    def length(tokens: list[str]) -> list[str]:
        """How many tokens the document has."""
        return [str(len(tokens))] * len(tokens)

    try:
        layout = Layout([(["a", "b"], [True, True]), ([], []), (["c"], [True])])
        (column,) = Extractor(["test_length"], {}).columns(layout)
        assert [column.values[c] for c in column.codes] == ["2", "2", "1"]
    finally:
        del REGISTRY["test_length"]


def test_all_history_arguments_are_states() -> None:
    assert set(HISTORY) == {"label_before", "label_before2", "seen"}
