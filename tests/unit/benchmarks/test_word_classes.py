"""Classes of words come from the words around them alone."""

from __future__ import annotations

import itertools

import numpy as np

from aef.experiments.word_classes import classes, counts, vectors, vocabulary, words_of


def texts() -> list[list[str]]:
    """Sentences in which drinks stand where drinks do, and rooms where rooms do."""
    drinks, rooms = ("tea", "milk", "water"), ("hall", "attic", "cellar")
    pairs = itertools.product(drinks, rooms, ("cold", "fresh"), ("large", "dark"))
    return [words_of(f"{n} they drank some {d} {a} and swept the {b} {r} .") for n, (d, r, a, b) in enumerate(pairs)]


def test_words_are_small_and_what_has_a_capital_or_a_digit_is_one_word_each() -> None:
    assert words_of("On 3 May Ann's neighbour-to-be, it’s said") == (
        ["Xx", "#", "Xx", "Xx", "neighbour-to-be", ",", "it’s", "said"]
    )


def test_counts_are_those_of_a_plain_loop() -> None:
    documents = [words_of("the cat saw the dog"), words_of("the dog saw a bird . the cat slept")]
    known = ["the", "cat", "dog", "saw"]
    plain = np.zeros((4, 16))
    for words in documents:
        for (i, word), (place, step) in itertools.product(enumerate(words), enumerate((-2, -1, 1, 2))):
            if word in known and 0 <= i + step < len(words) and words[i + step] in known:
                plain[known.index(word), place * 4 + known.index(words[i + step])] += 1
    np.testing.assert_array_equal(counts(documents, known).toarray(), plain)


def test_words_that_stand_alike_are_of_one_class() -> None:
    documents = texts() * 2
    known = vocabulary(documents)
    found = classes(known, vectors(counts(documents, known), dimensions=4), 8)
    alike = {frozenset(words) for words in found}
    assert any({"tea", "milk", "water"} <= words for words in alike)
    assert any({"hall", "attic", "cellar"} <= words for words in alike)
    assert not any({"tea", "hall"} <= words for words in alike)
