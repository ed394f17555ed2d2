"""Models of roles that begin with what another one makes of a person: all is one table of weights in the end."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aef.corpus_tools import handwritten
from aef.experiments.language_roles import COPIES, LONG, copies, merged, scores, stretches
from aef.roles.model import RoleModel

WORDS = ["titled", "forms 1", "forms 2", "words 3"]
BASE = RoleModel(
    ("judge", "private"), np.array([0.5, -0.25]), {w: np.array([n, 1.0 - n]) for n, w in enumerate(WORDS[:3])}
)
PEOPLE = [{w: 1.0 for n, w in enumerate(WORDS) if number >> n & 1} for number in range(16)]
CLASSES = ["counsel" if "words 3" in p else "judge" if "forms 1" in p else "private" for p in PEOPLE]
STACKED = RoleModel.learned([p | scores(BASE, p) for p in PEOPLE], CLASSES)

shown = st.dictionaries(st.sampled_from(WORDS), st.floats(0, 1))


@given(shown)
def test_one_table_says_what_both_models_say_together(person: dict[str, float]) -> None:
    both = STACKED.probabilities(person | scores(BASE, person))
    assert merged(STACKED, BASE).probabilities(person) == pytest.approx(both)


def test_nothing_of_the_base_is_left_by_name() -> None:
    assert set(merged(STACKED, BASE).weights) == set(WORDS)


RULING = handwritten.rulings("quebec", "open", "fr")[0]


def test_copies_of_a_ruling_have_its_roles_and_other_names() -> None:
    for copy in copies(RULING)[:COPIES]:
        assert [m.extra for m in copy.mentions] == [m.extra for m in RULING.mentions]
        assert [m.masked for m in copy.mentions] == [m.masked for m in RULING.mentions]
        people = [(copy.cut(a), RULING.cut(b)) for a, b in zip(copy.mentions, RULING.mentions, strict=True)]
        assert sum(a != b for a, b in people) > len(people) / 2


def test_stretches_are_the_ruling_in_pieces() -> None:
    parts = stretches(RULING)
    assert len(parts) > 3 and "".join(part.text for part in parts) == RULING.text
    assert all(len(part.text) >= LONG for part in parts[:-1])
    assert [p.cut(m) for p in parts for m in p.mentions] == [RULING.cut(m) for m in RULING.mentions]
