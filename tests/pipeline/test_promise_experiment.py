"""The study of the promise: its figures on made-up curves, and out-of-fold curves of the small corpus."""

from __future__ import annotations

import numpy as np
import pytest

from aef.corpus_tools.document import Document
from aef.evaluation.calibration import Curves
from aef.evaluation.token_counts import Judged
from aef.experiments.promise import HEADER, out_of_fold, precision_for_f2, rows, try_out


@pytest.fixture(scope="module")
def curves() -> Curves:
    """Of 120 documents with ten entities, of which at cut i of 20 a share of about i / 40 is missed."""
    rng = np.random.default_rng(3)
    hard = rng.random((120, 10, 1)) * 2
    found = (hard >= np.linspace(0, 1, 20)).sum(axis=1)
    alarms = np.broadcast_to(np.arange(20)[::-1], (120, 20))
    return Curves(np.arange(20.0), np.full(120, 10), np.full(120, 10), found, found, alarms)


def test_the_promise_holds_on_made_up_curves(curves: Curves) -> None:
    crc = try_out(curves, "entities", 0.2, None, 200, 0)
    ltt = try_out(curves, "entities", 0.2, 0.9, 200, 0)
    assert crc.none == ltt.none == 0 and 0.1 < crc.miss == crc.promised <= 0.2
    assert ltt.over <= 0.1 and ltt.half_over <= 0.1 and ltt.precision < crc.precision


def test_where_nothing_can_be_promised_it_says_so(curves: Curves) -> None:
    kept = try_out(curves, "entities", 0.01, 0.99, 20, 0)
    assert kept.none == 1 and kept.half_over == 0 and np.isnan(kept.precision)


def test_promises_that_ask_for_more_documents_are_left_out(curves: Curves) -> None:
    found = list(rows(curves, "all", [0.02, 0.2], [None, 0.95], 5, 0))
    assert [row[1:4] for row in found] == [
        ["entities", 2.0, "crc"],
        ["entities", 20.0, "crc"],
        ["entities", 20.0, "95"],
        ["documents", 2.0, "crc"],
        ["documents", 20.0, "crc"],
        ["documents", 20.0, "95"],
    ]
    assert {len(row) for row in found} == {len(HEADER)}


def test_out_of_fold_curves_are_in_the_order_of_the_documents(corpus: list[Document]) -> None:
    curves = out_of_fold(corpus, "person", 0, np.array([-2.0, 2.0]))
    counts = np.array([Judged(d, d, "person", False).counts for d in corpus])
    assert curves.entities.tolist() == counts[:, 5].tolist() and curves.tokens.tolist() == counts[:, 0].tolist()
    assert (curves.found <= curves.entities[:, None]).all() and 0.5 < precision_for_f2(curves) <= 1
