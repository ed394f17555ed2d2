"""Learning a linear-chain conditional random field with CRFsuite, whose weights are then our own.

Only learning needs the library: what it learned becomes an `aef.classifiers.linear.Linear` with transitions, and is
scored by `aef.classifiers.chain`. The L2 penalty is that of the maximum-entropy model; training stops after
`ITERATIONS`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aef.classifiers.chain import Floats, sentence_bounds
from aef.classifiers.linear import Linear
from aef.errors import InputError
from aef.features import Column
from aef.features.extraction import INACTIVE, Ints

Bools = NDArray[np.bool_]
Events = NDArray[np.integer[Any]]

BIAS = "bias"
ITERATIONS = 100
LABELS = ("N", "A")


def must_be_installed() -> None:
    """Raises `InputError` where CRFsuite is missing."""
    try:
        import pycrfsuite  # noqa: F401
    except ImportError as error:
        raise InputError(
            "the learner 'crf' needs python-crfsuite, to learn and not to tag: pip install 'aef-anonymizer[compare]'"
        ) from error


def learn(
    columns: Sequence[Column], events: Events, labels: Bools, positions: Ints, C: float, cutoff: int = 0
) -> Linear:
    """The log-odds of A by itself, and the transitions, from n tokens in order.

    ``events``, shape (n, columns); ``labels``, shape (n,); ``positions``, shape (n,): gaps between them part sentences.
    ``cutoff``: predicates seen less often are left out. The library knows predicates by numbers: no word of the corpus
    is in the file that it writes.
    """
    from pycrfsuite import ItemSequence

    names = [[f"{k}={code}" for code in range(len(column.values))] for k, column in enumerate(columns)]
    rows, said = list(attributes(_frequent(events, cutoff), names)), np.array(LABELS)[labels.astype(np.int64)].tolist()
    sentences = [slice(*pair) for pair in pairwise(sentence_bounds(positions).tolist())]
    return _read(trained(((ItemSequence(rows[s]), said[s]) for s in sentences), C), columns, names)


def _frequent(events: Events, cutoff: int) -> Events:
    """The events without predicates that occur less often."""
    counts = [np.bincount(column + 1)[column + 1] for column in events.T]
    return np.where(np.stack(counts, axis=1) >= cutoff, events, INACTIVE)


def trained(sentences: Iterable[tuple[Any, Sequence[str]]], C: float) -> bytes:
    """The model file that CRFsuite makes of sentences, an ItemSequence with its labels each."""
    from pycrfsuite import Trainer

    parameters = {"c1": 0.0, "c2": 0.5 / C, "max_iterations": ITERATIONS}
    trainer = Trainer(algorithm="lbfgs", params=parameters, verbose=False)
    for items, labels in sentences:
        trainer.append(items, labels)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        trainer.train(str(path))
        return path.read_bytes()


def attributes(events: Events, names: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """The active predicates of each event by the ``names`` of each column's values, and one that always holds."""
    for row in events.tolist():
        yield [BIAS, *(named[code] for named, code in zip(names, row, strict=True) if code != INACTIVE)]


def _read(model: bytes, columns: Sequence[Column], names: Sequence[Sequence[str]]) -> Linear:
    from pycrfsuite import Tagger

    tagger = Tagger()
    tagger.open_inmemory(model)
    info = tagger.info()
    weights, steps = info.state_features, info.transitions
    blocks = {c.name: _log_odds(weights, named) for c, named in zip(columns, names, strict=True)}
    transitions = np.array([[steps.get((one, other), 0.0) for other in LABELS] for one in LABELS])
    return Linear(_log_odds(weights, [BIAS])[0], blocks, transitions)


def _log_odds(weights: dict[tuple[str, str], float], names: Sequence[str]) -> Floats:
    """What each attribute says for A and against N; what the model has no weight for says nothing."""
    found = [weights.get((name, "A"), 0.0) - weights.get((name, "N"), 0.0) for name in names]
    return np.array(found, dtype=np.float64)
