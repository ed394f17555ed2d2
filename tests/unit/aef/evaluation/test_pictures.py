"""The pictures show the figures that are counted elsewhere, and say what cannot be drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from sklearn.metrics import precision_recall_curve

from aef import lexicons
from aef.classifiers.decoding import logistic
from aef.corpus_tools.document import Document, Mention
from aef.errors import InputError
from aef.evaluation import pictures
from aef.evaluation.figures import evaluate
from aef.learning.selection import Criterion
from aef.learning.selection.plot import gains
from aef.tagging.finder import Finder


@pytest.fixture(scope="module")
def finder(corpus: list[Document]) -> Finder:
    return Finder("nine", target="person").fit(corpus[:8])


def test_the_curve_is_that_of_scikit_learn(finder: Finder, corpus: list[Document]) -> None:
    labels, probabilities = pictures.token_probabilities(finder, corpus[8:])
    precision, recall, _ = precision_recall_curve(labels, probabilities)
    drawn = pictures.precision_recall(finder, corpus[8:]).axes[0].lines[0]
    theirs = dict(zip(recall.round(9), precision.round(9), strict=True))
    for x, y in zip(np.asarray(drawn.get_xdata()) / 100, np.asarray(drawn.get_ydata()) / 100, strict=True):
        assert round(float(x), 9) in theirs
        assert y <= theirs[round(float(x), 9)] + 1e-9 or x == 1  # of equal recalls theirs keeps the last


def test_each_preset_is_marked_where_its_threshold_is(finder: Finder, corpus: list[Document]) -> None:
    labels, probabilities = pictures.token_probabilities(finder, corpus[8:])
    marks = pictures.precision_recall(finder, corpus[8:]).axes[0].lines[1:]
    assert len(marks) == len(finder.cuts) == 3
    for mark, cut in zip(marks, finder.cuts.values(), strict=True):
        hidden = probabilities >= logistic(cut)
        assert float(np.asarray(mark.get_xdata())[0]) == pytest.approx(100 * labels[hidden].sum() / labels.sum())


def test_calibration_counts_every_token_once(finder: Finder, corpus: list[Document]) -> None:
    above, below = pictures.calibration(finder, corpus[8:], bins=5).axes
    heights = [bar.get_height() for bar in below.patches]
    assert sum(heights) == sum(len(document.words) for document in corpus[8:])
    assert len(np.asarray(above.lines[1].get_xdata())) == np.count_nonzero(heights)


def test_confusion_counts_what_evaluation_counts(finder: Finder, corpus: list[Document]) -> None:
    found = finder.tag_all(corpus[8:])
    counts = pictures.confusion_counts(corpus[8:], found, "person")
    judged = evaluate(corpus[8:], found, target="person", bootstrap=0).counts
    assert sum(n for (gold, _), n in counts.items() if gold != "(stays)") == judged["tp"] + judged["fn"]
    assert sum(n for (_, taken), n in counts.items() if taken != "(stays)") == judged["tp"] + judged["fp"]
    axes = pictures.confusion(corpus[8:], found, "person").axes[0]
    assert sum(int(text.get_text()) for text in axes.texts) == sum(counts.values())


def test_a_learning_curve_ends_at_the_figures_of_all(corpus: list[Document]) -> None:
    def make() -> Finder:
        return Finder("nine", target="person", threshold=0.4)

    axes = pictures.learning_curve(make, corpus[:6], corpus[6:], [2, 6]).axes[0]
    last = evaluate(corpus[6:], make().fit(corpus[:6]), target="person", bootstrap=0).micro
    drawn = {line.get_label(): float(np.asarray(line.get_ydata())[-1]) for line in axes.lines}
    assert drawn == pytest.approx({name: 100 * last[name.lower()] for name in ("recall", "precision", "F2")})


@pytest.mark.parametrize(("sizes", "reason"), [([], "none"), ([0, 2], "nothing to learn from"), ([3, 9], "too many")])
def test_a_learning_curve_of_sizes_there_are_not_is_refused(
    sizes: Sequence[int], reason: str, corpus: list[Document]
) -> None:
    with pytest.raises(InputError, match="numbers from 1 to 8"):
        pictures.learning_curve(lambda: Finder("nine"), corpus[:8], corpus[8:], sizes)


def test_the_heaviest_weights_are_shown() -> None:
    axes = pictures.weights({"a": 0.1, "b": -3.0, "c": 2.0, "d": -0.2, "e": 0.3}, top=1).axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["b", "c"]


def test_names_of_one_person_join_before_the_threshold() -> None:
    axes = pictures.clusters(["Ann Roe", "Roe", "Bo Lee"]).axes[0]
    assert {label.get_text() for label in axes.get_yticklabels()} == {"ann roe", "roe", "bo lee"}
    with pytest.raises(InputError, match="two at least"):
        pictures.clusters(["Ann Roe", "ANN ROE"])


def test_what_has_nothing_to_hide_has_no_curve(finder: Finder) -> None:
    empty = Document.from_text("Nobody is named here.", "a")
    with pytest.raises(InputError, match="tokens to hide"):
        pictures.precision_recall(finder, [empty])
    with pytest.raises(InputError, match="tokens to hide"):
        pictures.calibration(finder, [empty.with_mentions([Mention(0, len(empty.text), "PERSON", "DIRECT")])])


def test_a_gain_is_the_difference_of_the_criterion(corpus: list[Document]) -> None:
    names = ("W-1", "FirstCap", "W1")
    criterion = Criterion(corpus, names, "person", lexicons.load_all("en"), folds=3)
    axes = gains(criterion, ["W-1"], ["FirstCap", "W1"]).axes[0]
    drawn = dict(zip((t.get_text() for t in axes.get_yticklabels()), axes.lines[0].get_xdata(), strict=True))
    base = criterion.evaluate([0])[0].f2
    assert drawn == pytest.approx(
        {n: 100 * (criterion.evaluate([0, i])[0].f2 - base) for i, n in ((1, "FirstCap"), (2, "W1"))}
    )
    with pytest.raises(InputError, match="C4"):
        gains(criterion, ["W-1"], ["C4"])
