"""The learners against scikit-learn's pipelines, NLTK and plain loops; thresholds that look at training alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from nltk.probability import LidstoneProbDist
from nltk.tag.hmm import HiddenMarkovModelTrainer
from scipy import sparse
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import LinearSVC

from aef.classifiers.decoding import Scores
from aef.corpus_tools.document import Document
from aef.errors import InputError
from aef.evaluation.figures import evaluate
from aef.learning.comparison import hmm, scoring
from aef.learning.comparison.hmm import Hmm
from aef.learning.comparison.linear import MaxEnt, OnEvents, Perceptron, Svm
from aef.learning.comparison.patterns import Patterns
from aef.learning.comparison.run import cross_validate_all
from aef.learning.comparison.scoring import Options, Scoring
from aef.tagging.labelled import LabelledCorpus, lay_out

OPTIONS = Options(features="thesis", inner=3)
LEARNERS: list[Callable[[Options], Scoring]] = [MaxEnt, Svm, Perceptron, Hmm]


def dictionaries(system: OnEvents, corpus: LabelledCorpus) -> list[dict[str, str]]:
    """The events as scikit-learn's users write them: active predicates by feature."""
    columns = system.observe(corpus.layout)
    codes = [c.at(corpus.histories).tolist() for c in columns]
    return [
        {c.name: "=" + c.values[code] for c, code in zip(columns, row, strict=True) if code >= 0}
        for row in zip(*codes, strict=True)
    ]


@pytest.mark.parametrize(
    ("learner", "machine"),
    [
        (Svm, LinearSVC(C=Svm.C, dual=False, tol=1e-5, max_iter=5000)),
        (
            Perceptron,
            SGDClassifier("perceptron", penalty=None, learning_rate="constant", eta0=1, average=True, tol=None)
            .set_params(max_iter=Perceptron.PASSES, random_state=0),
        ),
    ],
)  # fmt: skip
def test_a_linear_learner_scores_as_scikit_learns_own_pipeline(
    learner: Callable[[Options], OnEvents], machine: Any, corpus: list[Document]
) -> None:
    system = learner(OPTIONS)
    labelled = LabelledCorpus.of(corpus, "all")
    learned = system.learn(system.observe(labelled.layout), labelled, labelled.rows)
    scores = system.score(learned, system.observe(labelled.layout), np.ones(len(labelled.labels), np.bool_))
    narrow = FunctionTransformer(lambda x: sparse.csr_matrix((x.data, x.indices.astype("i4"), x.indptr.astype("i4"))))
    plain = make_pipeline(DictVectorizer(), narrow, machine)
    events = dictionaries(system, labelled)
    plain.fit([events[row] for row in labelled.rows], labelled.labels[labelled.rows])
    # merged events are summed in another order: the solver stops a little elsewhere
    np.testing.assert_allclose(scores.at(labelled.histories), plain.decision_function(events), atol=2e-3)


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_prediction_owes_nothing_to_the_gold_of_its_own_document(
    learner: Callable[[Options], Scoring], corpus: list[Document]
) -> None:
    held_out = {i for i, d in enumerate(corpus) if d.doc_id in ("small-2", "small-7")}
    tampered = [d.with_mentions(()) if i in held_out else d for i, d in enumerate(corpus)]
    results = []
    for documents in (corpus, tampered):
        system = learner(OPTIONS).fit([d for i, d in enumerate(documents) if i not in held_out])
        results.append([m for i in sorted(held_out) for m in system.tag(documents[i]).mentions])
    assert results[0] == results[1]
    assert results[0]


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("target", ["person", "all"])
def test_each_learner_finds_most_of_what_it_has_not_seen(
    learner: Callable[[Options], Scoring], target: str, corpus: list[Document]
) -> None:
    options = Options(target, "thesis", inner=3)
    (outcome,) = cross_validate_all({"it": partial(learner, options)}, corpus, folds=3)
    assert evaluate(corpus, outcome.predicted, target, bootstrap=0).micro["f2"] > 0.75
    assert outcome.training is not None
    assert outcome.choosing is not None
    assert outcome.choosing < outcome.training
    assert outcome.size is not None
    assert outcome.size > 100


def test_tagging_together_and_one_by_one_give_the_same(corpus: list[Document]) -> None:
    system = MaxEnt(OPTIONS).fit(corpus[:8])
    assert system.tag_all(corpus[8:]) == [system.tag(document) for document in corpus[8:]]


def test_predictions_are_the_same_with_several_processes(corpus: list[Document]) -> None:
    factories = {"maxent": partial(MaxEnt, OPTIONS), "patterns": partial(Patterns, OPTIONS)}
    alone, together = (cross_validate_all(factories, corpus, folds=3, n_jobs=n) for n in (1, 2))
    assert [outcome.predicted for outcome in alone] == [outcome.predicted for outcome in together]


def test_consistency_adds_repeats_and_takes_nothing_away(corpus: list[Document]) -> None:
    bare, spread = (MaxEnt(Options("person", "nine", inner=3, consistency=on)).fit(corpus[:9]) for on in (False, True))
    for document in corpus[9:]:
        hidden, more = (s.tag(document).mask(s.tag(document).mentions) for s in (bare, spread))
        assert (more | ~hidden).all()


def test_a_corpus_with_nothing_in_a_fold_to_learn_from_still_has_a_cut(corpus: list[Document]) -> None:
    only_one = [corpus[0], *(d.with_mentions(()) for d in corpus[1:4])]
    system = MaxEnt(OPTIONS).fit(only_one)
    assert np.isfinite(system.cut)


def test_a_single_document_gets_the_middle_of_the_scores_as_its_cut(corpus: list[Document]) -> None:
    assert MaxEnt(OPTIONS).fit(corpus[:1]).cut == 0.0


def test_an_unknown_feature_is_named() -> None:
    with pytest.raises(InputError, match="no feature is called 'Firstcap'"):
        MaxEnt(Options(features="Firstcap"))


# --- scores and cuts ------------------------------------------------------------------------------------------------


def test_joined_scores_are_each_those_of_its_part() -> None:
    random = np.random.default_rng(3)
    parts = [Scores(random.normal(size=20), random.integers(0, k, 20), random.normal(size=(k, 8))) for k in (1, 4, 2)]
    which = random.integers(0, 3, 20)
    full = np.stack([part.full(np.arange(20)) for part in parts])
    np.testing.assert_array_equal(scoring.joined(parts, which).full(np.arange(20)), full[which, np.arange(20)])


def test_candidate_cuts_hide_the_shares_they_are_made_for() -> None:
    scores = np.random.default_rng(0).normal(size=4000)
    cuts = scoring.candidate_cuts(scores, 0.1)
    assert (np.diff(cuts) > 0).all()
    assert np.mean(scores > cuts[0]) == pytest.approx(0.4, abs=1e-3)
    assert np.mean(scores > cuts[-1]) == pytest.approx(0.1 / 3, abs=1e-3)
    np.testing.assert_allclose(scoring.candidate_cuts(7 * scores, 0.1), 7 * cuts)


# --- the hidden Markov model ----------------------------------------------------------------------------------------

SENTENCES = [
    [("Ms.", False), ("Green", True), ("lives", False), ("in", False), ("Nelson", True)],
    [("Green", True), ("Nelson", True), ("lives", False)],
    [("in", False), ("May", False), ("Ms.", False), ("Green", True)],
]


def counted(added: float) -> hmm.Model:
    pairs = [pair for sentence in SENTENCES for pair in sentence]
    begins = np.array([i == 0 for sentence in SENTENCES for i in range(len(sentence))])
    return hmm.count([w for w, _ in pairs], np.array([y for _, y in pairs]), begins, added)


def test_counts_are_nltks() -> None:
    model = counted(0.1)
    symbols = sorted(model.symbols)
    trainer = HiddenMarkovModelTrainer([False, True], symbols)
    # one more symbol than there are: what is unknown
    tagger = trainer.train_supervised(SENTENCES, lambda counts, bins: LidstoneProbDist(counts, 0.1, max(bins, 2)))
    for a, b in product((False, True), repeat=2):
        assert model.transition[int(a), int(b)] == pytest.approx(tagger._transitions[a].prob(b))
    assert model.start[1] == pytest.approx(tagger._priors.prob(True))
    plain = counted(0.0)
    for label in (False, True):
        words = [w for sentence in SENTENCES for w, y in sentence if y == label]
        expected = [words.count(symbol) / len(words) for symbol in plain.symbols]
        np.testing.assert_allclose(plain.emission[:-1, int(label)], expected)


def test_posteriors_are_those_of_all_label_sequences_summed() -> None:
    model = counted(0.1)
    words = ["Ms.", "Nelson", "Green", "unheard", "in"]
    observed = Hmm(OPTIONS).observe(lay_out([Document.from_text(" ".join(words))]))
    assert observed[0] == words
    emission = model.emission[[model.symbols.get(word, -1) for word in words]]
    hidden, total = np.zeros(len(words)), 0.0
    for labels in product((0, 1), repeat=len(words)):
        weight = model.start[labels[0]] * np.prod([emission[i, y] for i, y in enumerate(labels)])
        weight *= np.prod([model.transition[a, b] for a, b in pairwise(labels)])
        hidden += weight * np.array(labels)
        total += weight
    scores = Hmm(OPTIONS).score(model, observed, np.ones(len(words), np.bool_)).flat()
    np.testing.assert_allclose(scores, np.log(hidden / (total - hidden)))


@pytest.mark.parametrize(
    ("word", "shape"),
    [
        ("1998", "#digits"),
        ("12/98", "#mixed"),
        ("lived", "#-ed"),
        ("M.", "#initial"),
        ("PKK", "#capitals"),
        ("Green", "#Name"),
        ("...", "#other"),
    ],
)
def test_shapes_of_unknown_words(word: str, shape: str) -> None:
    assert hmm.shape(word) == shape


# --- patterns -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "hidden", "why"),
    [
        ("Mr Ivan Petrov appealed.", ["Ivan Petrov"], "a titled name, without its title"),
        ("Ms M. van der Berg-Osei came.", ["M. van der Berg-Osei"], "initials, particles, hyphens"),
        ("Mrs Çelik and Dr. O’Neil met.", ["Çelik", "O’Neil"], "letters beyond ASCII, apostrophes"),
        ("Mr Petrov said Petrov’s wife knew.", ["Petrov", "Petrov"], "the name again, without its possessive"),
        ("Mr Ali met Alison.", ["Ali"], "no part of a longer word"),
        ("On 3 May 2001 and May 4, 2002.", ["3 May 2001", "May 4, 2002"], "both orders of dates"),
        ("On 1 March he may come.", ["1 March"], "a month's word in lower case is no date"),
        ("It came in March 1999, in 1998 and on 01.02.1997.", ["March 1999", "1998", "01.02.1997"], "other dates"),
        ("He paid EUR 4,000 and 12 500 euros (€30).", ["EUR 4,000", "12 500 euros", "€30"], "money"),
        ("Application no. 63207/00, case II.OSK.1/05.", ["63207/00", "II.OSK.1/05"], "application and case numbers"),
        ("Write to a.b@c-d.org today.", ["a.b@c-d.org"], "an e-mail address"),
        ("The Court held in Article 6 and/or 13.", [], "nothing"),
    ],
)
def test_patterns(text: str, hidden: list[str], why: str) -> None:
    document = Patterns(Options()).tag(Document.from_text(text))
    assert [document.cut(m) for m in document.mentions] == hidden, why
