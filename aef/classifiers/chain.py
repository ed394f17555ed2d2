"""A linear chain of two labels: how much the rest of its sentence adds to the log-odds of each token.

Tokens have log-odds of their own, and a sentence's labels are weighed pair by pair as well: the sum over all labelings
is what a linear-chain conditional random field means by the probability of a token (Lafferty, McCallum & Pereira 2001,
"Conditional Random Fields", section 3). With two labels the forward and backward sums of a token are known by their
ratios, so that the log-odds of its marginal are three terms: its own, what the words before add, what those after add.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from aef.features.extraction import Ints, Layout

Floats = NDArray[np.float64]


def sentence_bounds(positions: Ints) -> NDArray[np.int64]:
    """Where sentences begin among tokens at these positions of a `Layout`, and how many there are; (sentences + 1,)."""
    begins = np.flatnonzero(np.diff(positions, prepend=-2) != 1)
    return np.append(begins, len(positions)).astype(np.int64)


def marginal_log_odds(own: Floats, transitions: Floats, layout: Layout) -> Floats:
    """The log-odds of A of all tokens given their sentences, shape (n,).

    ``own``, shape (n,): of each token by itself; ``transitions``, shape (2, 2): the weight of N and A (rows) before N
    and A (columns).
    """
    bounds = sentence_bounds(layout.positions)
    before = _passed_on(own, transitions, bounds[:-1], bounds[1:] - bounds[:-1], 1)
    after = _passed_on(own, transitions.T, bounds[1:] - 1, bounds[1:] - bounds[:-1], -1)
    return own + before + after


def _passed_on(own: Floats, transitions: Floats, starts: Ints, lengths: Ints, step: int) -> Floats:
    """What reaches each token from those passed on the way from its sentence's start (+1) or end (-1); shape (n,).

    All sentences take a step at a time.
    """
    (nn, na), (an, aa) = transitions.tolist()
    reached = np.zeros(len(own))
    for tokens in _on_the_way(starts, lengths, step):
        known = own[tokens - step] + reached[tokens - step]
        reached[tokens] = np.logaddexp(na, aa + known) - np.logaddexp(nn, an + known)
    return reached


def _on_the_way(starts: Ints, lengths: Ints, step: int) -> Iterator[Ints]:
    """The second tokens of all sentences, then the third ones ..., from their start (+1) or their end (-1) on."""
    longest_first = np.argsort(-lengths, kind="stable")
    tokens, lengths = starts[longest_first], lengths[longest_first]
    under_way = len(lengths) - np.searchsorted(lengths[::-1], np.arange(1, lengths.max(initial=0)), side="right")
    for taken, count in enumerate(under_way.tolist(), 1):
        yield tokens[:count] + step * taken


def likeliest(own: Floats, positions: Ints) -> NDArray[np.int64]:
    """The likeliest label of each token given its sentence, shape (n,), where what goes on follows its like (Viterbi).

    ``own``, shape (n, 1 + 2 k): the log-probabilities that a token is outside (label 0), begins something of each of k
    types (1 to k) or goes on with it (k + 1 to 2 k).
    """
    bounds, k = sentence_bounds(positions), own.shape[1] // 2
    starts, lengths = bounds[:-1], np.diff(bounds)
    reached, before = own.copy(), np.zeros(own.shape, np.int64)
    reached[starts, k + 1 :] = -np.inf
    for tokens in _on_the_way(starts, lengths, 1):
        last = reached[tokens - 1]
        before[tokens, : k + 1] = last.argmax(axis=1)[:, None]
        before[tokens, k + 1 :] = np.arange(1, k + 1) + k * (last[:, k + 1 :] > last[:, 1 : k + 1])
        reached[tokens] += np.take_along_axis(last, before[tokens], axis=1)
    labels: NDArray[np.int64] = reached.argmax(axis=1)
    for tokens in _on_the_way(bounds[1:] - 1, lengths, -1):
        labels[tokens] = before[tokens + 1, labels[tokens + 1]]
    return labels
