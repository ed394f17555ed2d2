"""What is hidden once is hidden everywhere, and what never is."""

from __future__ import annotations

import random
import time

import numpy as np
import pytest

from aef import lexicons
from aef.corpus_tools.document import Document
from aef.features.extraction import Layout
from aef.propagation.consistency import Bools, Floats, guard_words, spread_all

GUARDS = guard_words(lexicons.load_all())

CASES = [
    ("Ms. *Green left. Later Green came back.", "Green", "a name found once is found again"),
    ("Ms. *Green left. GREEN and others came.", "GREEN", "in capitals, too"),
    ("*Joanne *Green left. He saw Joanne there.", "Joanne", "a person's given name alone"),
    ("We met *Green near the green house.", "", "a word in lower case is no name"),
    ("We met *Green near the green house. Green was its door.", "", "nor is it at a sentence's beginning"),
    ("We met *Green near the green house of Mr. Green himself.", "Green", "but it is inside one"),
    ("He came in *March and left in March.", "", "months stay"),
    ("He came on *17 *March and left on 17 March.", "", "dates are not entities to look for"),
    ("*The left and The came.", "", "common words stay"),
    ("*Dr. left and Dr. came.", "", "titles stay"),
    ("File *56328/07 and file 56328/07 again.", "56328/07", "a long number names something"),
    ("He paid *500 and then 500 again.", "", "a short one does not"),
    ("Ms. *Hale left. The Hales came back.", "Hales", "the family's plural"),
    ("The *Hales left. Mr. Hale came back.", "Hale", "and one of the family"),
    ("Ms. *Green left. Eat your greens.", "", "a plural in lower case is none"),
    ("*A. left with A. again.", "A.", "initials with a period are long enough"),
]


def marked(text: str) -> tuple[Document, list[bool]]:
    plain = Document.from_text(text.replace("*", ""))
    labels, at = [], 0
    for word in plain.words:
        at = text.index(word, at)
        labels.append(text[at - 1 : at] == "*")
        at += len(word)
    return plain, labels


def spread(document: Document, labels: Bools, persons: Bools, odds: Floats | None = None) -> dict[int, int]:
    """The repeating tokens of one document, each with a token of what it repeats."""
    layout = Layout([(document.words, document.tokens.first)])
    tokens, origins = spread_all(layout, labels, GUARDS, persons, odds)
    return dict(zip(tokens.tolist(), origins.tolist(), strict=True))


@pytest.mark.parametrize(("text", "expected", "reason"), CASES, ids=[r for _, _, r in CASES])
def test_spread(text: str, expected: str, reason: str) -> None:
    document, marks = marked(text)
    labels = np.array(marks)
    found = spread(document, labels, persons=labels)
    assert " ".join(document.words[i] for i in sorted(found)) == expected, reason
    assert all(labels[origin] and not labels[token] for token, origin in found.items())


def test_only_a_persons_name_is_taken_apart() -> None:
    document, marks = marked("*Indian *River paid. Indian traders came. Indian River paid again.")
    labels = np.array(marks)
    found = spread(document, labels, persons=np.zeros_like(labels))
    assert [document.words[i] for i in sorted(found)] == ["Indian", "River"]
    assert min(found) > 5


SURE, DOUBTFUL = 2.0, -1.0

DOUBTS = [
    ("Ms. *Green left. Later Green came back.", SURE, True, "Green", "a sure name spreads"),
    ("Ms. *Green left. Later Green came back.", DOUBTFUL, True, "Green", "so does one found half the times"),
    ("*Sami herds. The Sami, Sami, Sami, Sami villages.", DOUBTFUL, True, "", "not one passed over four times"),
    ("*Sami herds. The Sami, Sami, Sami, Sami villages.", SURE, True, "Sami Sami Sami Sami", "unless it is sure"),
    ("The *Wood *Group paid. The Wood Group owed.", DOUBTFUL, False, "", "a doubtful thing stays alone"),
    ("The *Wood *Group paid. The Wood Group owed.", SURE, False, "Wood Group", "a sure one does not"),
]


@pytest.mark.parametrize(("text", "odds", "person", "expected", "reason"), DOUBTS, ids=[d[-1] for d in DOUBTS])
def test_what_is_doubtful_does_not_spread(text: str, odds: float, person: bool, expected: str, reason: str) -> None:
    document, marks = marked(text)
    labels = np.array(marks)
    found = spread(document, labels, labels & person, np.where(labels, odds, -9.0))
    assert " ".join(document.words[i] for i in sorted(found)) == expected, reason


def plainly(document: Document, labels: list[bool]) -> dict[int, int]:
    """What `spread` finds of things, all words capitalized, by looking at every place for every entity."""
    words, first = [word.lower() for word in document.words], document.tokens.first
    edges = [i for i, label in enumerate(labels) if label and (not i or first[i] or not labels[i - 1])]
    found: dict[int, tuple[int, int, int]] = {}
    for start in edges:
        size = 1
        while start + size < len(words) and labels[start + size] and not first[start + size]:
            size += 1
        for place in range(len(words) - size + 1):
            alike = words[place : place + size] == words[start : start + size]
            if alike and not any(first[place + 1 : place + size]):
                for step in range(size):
                    age = 2 * start + (size == 1)
                    found[place + step] = max(found.get(place + step, (-1, 0, 0)), (age, place, start + step))
    return {token: origin for token, (_, _, origin) in found.items() if not labels[token]}


@pytest.mark.parametrize("seed", range(40))
def test_sequences_are_found_as_a_plain_search_finds_them(seed: int) -> None:
    rng = random.Random(seed)
    words = rng.choices(["Ab", "AB", "Cd", "Ef.", "Gh"][: rng.randint(2, 5)], k=rng.randint(1, 60))
    document = Document.from_text(" ".join(words))
    labels = np.array(rng.choices([True, False], [seed % 4 + 1, 1], k=len(document.words)))
    found = spread(document, labels, persons=np.zeros_like(labels))
    assert found == plainly(document, labels.tolist())


ENDLESS = [
    ("A.B., ", 1, "initials"),
    ("Jane Doe ", 1, "a name without end"),
    ("Jane Doe and ", 2, "a name in a row of it"),
    ("Jane Doe. ", 1, "a name in each sentence"),
]


@pytest.mark.parametrize(("text", "step", "reason"), ENDLESS, ids=[c[-1] for c in ENDLESS])
def test_repetition_without_end_takes_no_more_time_than_other_text(text: str, step: int, reason: str) -> None:
    """Every few tokens one is unlabelled; a comparison of all with all would take minutes."""
    document = Document.from_text(text * 20_000)
    labels = np.ones(len(document.words), dtype=np.bool_)
    labels[:: 50 * step] = labels[len(labels) // 2 :] = False
    began = time.process_time()
    assert spread(document, labels, persons=labels), reason
    assert time.process_time() - began < 10, reason
