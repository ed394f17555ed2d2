"""Where what is hidden begins, and of which type it is: learned where signs would part too many mentions of a corpus.

A name ends at a comma or a bracket (`aef.tagging.hidden_tokens`). A citation of the law does not: it holds both, and
one follows the other without a word between them. Of a corpus of such the types are learned twice, where something of
the type begins and where it goes on, and the likeliest labels of a sentence are taken, in which what goes on follows
its like. A word inside of a mention is hidden then that would not have been by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from aef.classifiers.chain import likeliest
from aef.classifiers.linear import Linear
from aef.features import Column
from aef.features.extraction import Ints, Layout

if TYPE_CHECKING:
    from aef.classifiers.maxent import MaxEntClassifier

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Events = NDArray[np.int32]

_HOPELESS = -7.0
"""Log-odds below which no sentence makes a token part of anything."""


def learn(
    classifier: MaxEntClassifier,
    columns: Sequence[Column],
    events: Events,
    types: NDArray[np.object_],
    begins: Bools | None,
) -> Linear:
    """A model of the types. Where it is told what ``begins`` it has each twice: the scores of all that begin, in their
    order, then of all that go on.

    ``events``, shape (n, columns), ``types`` and ``begins``, shape (n,): of the hidden tokens alone.
    """
    if begins is None:
        return Linear.classes(classifier.fit(events, types), columns)
    wanted = [inside + kind for inside in ("", _INSIDE) for kind in sorted(set(types.tolist()))]
    model = classifier.fit(events, np.where(begins, "", _INSIDE) + types)
    return _for_all(Linear.classes(model, columns), model.classes_.tolist(), wanted)


_INSIDE = "going on "


def _for_all(model: Linear, known: Sequence[str], wanted: Sequence[str]) -> Linear:
    """The model with scores for all classes wanted; one that was never seen is out of the question."""
    rows = [known.index(name) if name in known else -1 for name in wanted]
    intercept = np.append(model.intercept, -1e6)[rows]
    blocks = {n: np.pad(block, ((0, 0), (0, 1)))[:, rows] for n, block in model.blocks.items()}
    return Linear(intercept, blocks)


def parted(
    model: Linear, columns: Sequence[Column], history: Ints, log_odds: Floats, layout: Layout
) -> tuple[Ints, Ints, Bools]:
    """The hidden tokens, ascending, the number of the type of each, and whether something begins there.

    ``log_odds``, shape (n,): that a token is hidden, over the threshold; ``history`` as `Linear.class_scores` asks.
    """
    possible = np.flatnonzero(log_odds > _HOPELESS)
    scores = model.class_scores(columns, history, possible)
    own = np.full((len(log_odds), 1 + scores.shape[1]), -np.inf)
    own[:, 0] = -np.logaddexp(0, log_odds)
    hidden = -np.logaddexp(0, -log_odds[possible]) - np.logaddexp.reduce(scores, axis=1)
    own[possible, 1:] = hidden[:, None] + scores
    labels = likeliest(own, layout.positions)
    tokens, kinds = np.flatnonzero(labels), scores.shape[1] // 2
    return tokens, (labels[tokens] - 1) % kinds, labels[tokens] <= kinds
