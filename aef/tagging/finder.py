"""The finder: learns from a gold corpus which tokens must be hidden, and finds them in a new ruling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from aef.boundaries.repair import GIVEN, lowered, repaired
from aef.classifiers import spans
from aef.classifiers.decoding import Scores, decode, logistic
from aef.classifiers.linear import Linear, scores_by
from aef.collector import collector_paused
from aef.corpus_tools.document import Document, batches
from aef.errors import InputError
from aef.features import Column, Extractor
from aef.features.extraction import Ints, Layout
from aef.features.ruling import Frequencies
from aef.propagation.consistency import guard_words, spread_all
from aef.tagging.hidden_tokens import Hidden, backed, with_mentions
from aef.tagging.labelled import in_body, lay_out
from aef.tagging.options import checked_preset, log_odds_of
from aef.tagging.pooling import pooled
from aef.tagging.training import Learner

if TYPE_CHECKING:
    from nltk.tag.api import TaggerI

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Finder(Learner):
    """Features, classifier, decoding, threshold and consistency: from a document to its mentions.

    Parameters
    ----------
    features : a feature set (``wide``, ``rich``, ``nine``, ``thesis``, ``all``) or names of features. None: ``wide``
        for the target ``all`` by maximum entropy, else ``rich``.
    target : ``person``, ``names`` or ``all``: which mentions of the gold corpus are learned; see
        `aef.evaluation.token_counts.TARGETS`.
    threshold : the probability from which a token is hidden; None chooses it by cross-validation over documents (after
        decoding), one for each preset of `aef.tagging.PRESETS`.
    preset : which of them is in force: ``balanced``, ``f2`` or ``safe``.
    names_free : whether what the corpus hides is kept out of the model; see `aef.tagging.privacy`.
    consistency : whether an entity tagged once is tagged everywhere in its document.
    second_pass : whether what is sure in a document becomes evidence for the rest of it; see
        `aef.tagging.second_pass`. None: where people are looked for by maximum entropy, which is what pays. Needs
        features that do not look at labels.
    learner : ``maxent``, which labels from left to right by the labels before, or ``crf``, a linear chain that weighs
        the labels of a whole sentence (`aef.classifiers.crf`) and has no features that look at labels. Learning it
        needs python-crfsuite, tagging does not. Types of entities are learned by maximum entropy either way.
    C, solver, iterations, cutoff : see `aef.classifiers.maxent.MaxEntClassifier`; a chain heeds C and cutoff. C None:
        the one of `aef.tagging.options.STRENGTHS` under which documents that the model has not seen are likeliest; for
        a chain the first.
    language, lists : the built-in word lists, and a user's folder of lists that replaces or extends them.
    folds, seed : of the cross-validation that chooses the threshold.

    Learns from the body of rulings (AEF thesis, section 3.2); tags all of a ruling. Where the gold corpus has something
    to hide outside the bodies (heads, tables, notes), a second model learned from all parts labels those parts: names
    stand there in capitals and without sentences, which a body does not teach.

    Examples
    --------
    >>> from aef.corpus_tools import handwritten
    >>> gold = handwritten.rulings(half="open")[:3]
    >>> finder = Finder("nine", "person", threshold=0.4).fit(gold)
    >>> finder.score(gold) > 0.8, len(finder.features)
    (True, 9)
    """

    # -- tagging -------------------------------------------------------------------------------------------------

    def tag(self, document: Document) -> Document:
        """The document with the mentions found in it; the mentions it came with are ignored."""
        return self.tag_all([document])[0]

    def tag_all(self, documents: Sequence[Document]) -> list[Document]:
        """The documents with the mentions found in each; quicker than one by one."""
        self._must_be_fitted()
        return [self._repaired(tagged) for batch in batches(documents) for tagged in self._tag(batch)]

    def _repaired(self, tagged: Document) -> Document:
        """With mentions of people repaired (`aef.boundaries.repair`), where the whole document is looked at; a company
        with somebody's name is told apart where every name is looked for.

        Not where a corpus tells all that is hidden: it hides lone letters and ranks, too. By five folds repair loses
        .23 of F2 in Spanish and .08 in French judgments, and brings nothing in TAB.
        """
        if not self.consistency or self.target == "all":
            return tagged
        person = "PERSON" if "PERSON" in self.types else None
        return backed(repaired(tagged, self.lexicons, person, self.target == "names"))

    def probabilities(self, documents: Sequence[Document]) -> list[Floats]:
        """The probability of each token of each document that it must be hidden, before consistency; shape (n,) each.

        The tokens are those of the document read in the finder's language.
        """
        return [after for _, after in self.probabilities_by_pass(documents)]

    def probabilities_by_pass(self, documents: Sequence[Document]) -> list[tuple[Floats, Floats]]:
        """`probabilities` as the first pass alone would give them, and as they are in the end."""
        self._must_be_fitted()
        return [found for batch in batches(documents) for found in self._probabilities(batch)]

    def _probabilities(self, documents: list[Document]) -> list[tuple[Floats, Floats]]:
        documents = [document.in_language(self.language) for document in documents]
        layout = lay_out(documents, Frequencies(self.frequencies.documents))
        columns = list(Extractor(self.features, self.lexicons).columns(layout, self.vocabulary))
        passes = [self._first_scores(self.models, columns, layout, documents)]
        passes.append(self._revised(passes[0], layout))
        found = [logistic(scores.at(decode(scores, layout, self.cut)[1])) for scores in passes]
        first, last = (np.split(found[i], layout.bounds[1:-1]) for i in (0, -1))
        return list(zip(first, last, strict=True))

    @collector_paused()
    def _tag(self, documents: list[Document]) -> list[Document]:
        documents = [document.in_language(self.language) for document in documents]
        layout = lay_out(documents, Frequencies(self.frequencies.documents))
        columns = list(Extractor(self.features, self.lexicons).columns(layout, self.vocabulary))
        first = self._first_scores(self.models, columns, layout, documents)
        scores = self._revised(first, layout)
        labels, history = decode(scores, layout, self.cut)
        over = scores.at(history) - self.cut
        tokens, types, begins = self._typed(self.models, columns, labels, history, over, layout)
        kept = ~self._plain(layout, tokens, types)
        tokens, types, begins = tokens[kept], types[kept], None if begins is None else begins[kept]
        repeats, repeated = self._repeats(layout, tokens, types, scores.at(history[tokens], tokens))
        origins = np.concatenate([np.arange(len(tokens)), np.searchsorted(tokens, repeated)])
        tokens = np.concatenate([tokens, repeats])
        probabilities = logistic(scores.at(history[tokens], tokens))
        probabilities = np.maximum(probabilities, probabilities[origins])
        order = np.argsort(tokens)
        before = logistic(first.at(history[tokens], tokens)) if self.second is not None else probabilities
        begins = None if begins is None else begins[origins][order]
        hidden = Hidden(
            tokens[order], types[origins][order], probabilities[order], before[order], order >= len(types), begins
        )
        return with_mentions(documents, layout, hidden)

    def _revised(self, scores: Scores, layout: Layout) -> Scores:
        """After the second pass, where there is one, or drawn to those of phrases."""
        if self.second is not None:
            return self.second.rescored(layout, self.lexicons, scores)
        return pooled(scores, layout, self.lexicons, self.share)

    def _first_scores(
        self, models: Mapping[str, Linear], columns: list[Column], layout: Layout, documents: list[Document]
    ) -> Scores:
        """The log-odds of all tokens: the body by what was learned from bodies, the rest from all."""
        outside = ~np.concatenate([in_body(document) for document in documents])
        if "outside" not in models or not outside.any():
            return models["body"].in_context(columns, layout)
        return scores_by([models["body"], models["outside"]], outside.astype(np.int64), columns, layout)

    def _typed(
        self,
        models: Mapping[str, Linear],
        columns: list[Column],
        labels: Bools,
        history: Ints,
        log_odds: Floats,
        layout: Layout,
    ) -> tuple[Ints, NDArray[np.str_], Bools | None]:
        """The tokens to hide, the most probable type of each, "" where there is none to learn, and, if that is learned,
        where mentions begin.

        Where the corpus has types but not for all (an editor's "[...]" tells none), those without are MISC.
        """
        tokens: Ints = np.flatnonzero(labels)
        if "types" not in models:
            return tokens, np.full(len(tokens), "".join(self.types)), None
        names = np.array([t or "MISC" for t in self.types])
        if models["types"].intercept.size > len(names):
            tokens, kinds, begins = spans.parted(models["types"], columns, history, log_odds, layout)
            return tokens, names[kinds], begins
        return tokens, names[models["types"].class_scores(columns, history, tokens).argmax(axis=1)], None

    def _plain(self, layout: Layout, tokens: Ints, types: NDArray[np.str_]) -> Bools:
        """Words in lower case that are no part of a person's name: "and", "v."."""
        plain: Bools = types == "PERSON"
        words = map(layout.types.__getitem__, layout.word_ids[tokens[plain]].tolist())
        common = self.lexicons["common_words"] - lowered(self.lexicons, *GIVEN)
        plain[plain] = [word.islower() and (word in common or word in ("v.", "vs.")) for word in words]
        return plain & ~self._within_names(layout, tokens, plain)

    def _within_names(self, layout: Layout, tokens: Ints, plain: Bools) -> Bools:
        """Which of the plain words are particles with parts of a name on both sides: "María del Carmen"."""
        particles = self.lexicons["particles"] - self.lexicons.get("between_people", frozenset())
        at = {token: not is_plain for token, is_plain in zip(tokens.tolist(), plain.tolist(), strict=True)}

        def leads(token: int, step: int) -> bool:
            while not at.get(token + step, True):
                token += step
            return at.get(token + step, False)

        words = map(layout.types.__getitem__, layout.word_ids[tokens].tolist())
        within = [
            is_plain and word in particles and leads(token, -1) and leads(token, 1)
            for token, is_plain, word in zip(tokens.tolist(), plain.tolist(), words, strict=True)
        ]
        return np.array(within, dtype=np.bool_)

    def _repeats(self, layout: Layout, tokens: Ints, types: NDArray[np.str_], log_odds: Floats) -> tuple[Ints, Ints]:
        """Tokens that repeat one of the hidden ``tokens`` of their document, and for each a token of the entity."""
        if not self.consistency:
            return tokens[:0], tokens[:0]
        labels, persons = np.zeros((2, len(layout.positions)), dtype=np.bool_)
        labels[tokens] = True
        odds = np.zeros(len(labels))
        odds[tokens] = log_odds
        persons[tokens[types == ("PERSON" if "PERSON" in self.types else "")]] = True
        return spread_all(layout, labels, guard_words(self.lexicons), persons, odds)

    def as_nltk(self) -> TaggerI:
        """The same tagger with NLTK's interface: ``tag(tokens)`` gives (token, "A" or "N") pairs."""
        from aef.tagging.nltk_interface import NltkTagger

        return NltkTagger(self)

    def save(self, path: str | Path, force: bool = False) -> None:
        """Write the model as one file; see `aef.tagging.model_file`."""
        from aef.tagging.model_file import save

        self._must_be_fitted()
        save(self, path, force)

    @classmethod
    def load(cls, path: str | Path | None = None) -> Finder:
        """Read a model file, a ready-made model by its name (see `aef.tagging.ready_models`), or (None) the English
        one for names.

        Raises `InputError` where the file is none, damaged or of a newer format.
        """
        from aef.tagging import ready_models as ready
        from aef.tagging.model_file import load

        return load(ready.find("en-person" if path is None else path))

    def set_threshold(self, threshold: float) -> None:
        """Hide tokens from this probability on. Raises `InputError` for what is no probability."""
        self.cut = log_odds_of(threshold)

    def set_preset(self, preset: str) -> None:
        """Decide as a preset of the model says. Raises `InputError` for one that it lacks."""
        self.cut = self.cuts[checked_preset(preset, self.cuts)]
        self.preset = preset

    @property
    def cut_probability(self) -> float:
        """The threshold in force, as a probability."""
        return float(logistic(self.cut))

    def _must_be_fitted(self) -> None:
        if not self.fitted:
            raise InputError("the finder has learned nothing yet: call fit, or load a model")
