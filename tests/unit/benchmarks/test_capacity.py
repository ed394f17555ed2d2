"""The simulation of a day: beside a formula where there is one, and what it must not get wrong."""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aef.benchmarks.capacity import Cost, arrivals, fewest, figures, main, simulated


def erlang_c(workers: int, load: float, service: float) -> float:
    """The mean wait of a queue with random arrivals and exponential times (Erlang's second formula)."""
    below = sum(load**k / math.factorial(k) for k in range(workers))
    last = load**workers / math.factorial(workers) * workers / (workers - load)
    return last / (below + last) * service / (workers - load)


@pytest.mark.parametrize(("workers", "load"), [(1, 0.5), (4, 3.0), (10, 8.5)])
def test_without_priorities_it_is_erlang_s_queue(workers: int, load: float) -> None:
    chance = random.Random(7)
    times = [chance.expovariate(1.0) for _ in range(100_000)]
    now, day = 0.0, []
    for _ in range(200_000):
        now += chance.expovariate(load)
        day.append((now, False))
    found = simulated(day, times, workers, 0)
    assert statistics.mean(found.others) == pytest.approx(erlang_c(workers, load, 1.0), rel=0.1)


def test_urgent_ones_go_first_and_have_workers_of_their_own() -> None:
    day = [(0.0, False)] * 4 + [(0.5, True), (0.6, True)]
    found = simulated(day, [1.0], workers=1, reserved=0)
    assert found.urgent == pytest.approx([0.5, 1.4]) and found.others == pytest.approx([0, 3, 4, 5])
    found = simulated(day, [1.0], workers=1, reserved=1)
    assert found.urgent == pytest.approx([0, 0.4]), "the first on its own worker, the next on whichever is free first"
    assert (found.most_urgent, found.most_others) == (2, 4)


@given(
    st.lists(st.tuples(st.floats(0, 100), st.booleans()), max_size=40),
    st.integers(1, 4),
    st.integers(0, 2),
)
def test_every_ruling_is_begun_once_and_never_before_it_came(
    day: list[tuple[float, bool]], workers: int, reserved: int
) -> None:
    found = simulated(sorted(day), [0.5, 2.0], workers, reserved)
    assert len(found.urgent) + len(found.others) == len(day)
    assert min([*found.urgent, *found.others], default=0.0) >= 0.0


def test_the_fewest_workers_are_enough_and_one_less_is_not() -> None:
    day = arrivals(30_000, 0.1, random.Random(1))
    cost = Cost([0.5, 1.0, 3.0], 0.01, 1e5, 500, 1000)
    workers, reserved, found = fewest(day, cost, wait=1.0, longest=900)
    assert max(found.others) <= 900 and sorted(found.urgent)[int(0.99 * len(found.urgent))] <= 1.0
    less = simulated(day, cost.seconds, workers - 1, math.ceil((workers - 1) * 0.1))
    assert max(less.others) > 900 or sorted(less.urgent)[int(0.99 * len(less.urgent))] > 1.0
    assert reserved >= 1


def test_arrivals_are_those_of_the_day() -> None:
    day = arrivals(50_000, 0.2, random.Random(3))
    assert len(day) == pytest.approx(50_000, rel=0.02) and day == sorted(day)
    assert sum(urgent for _, urgent in day) / len(day) == pytest.approx(0.2, abs=0.01)
    assert not [moment for moment, _ in day if moment < 6 * 3600], "nobody is there at night"


def test_storage_is_what_the_day_leaves() -> None:
    cost = Cost([1.0], 0.02, size=200_000, row=600, audit=1500)
    asked = argparse.Namespace(busiest=1.0, urgent=0.1, wait=1.0, batch=15.0, seed=1)
    found = figures(2_500_000, cost, asked)
    assert found["rulings on the busiest day"] == 10_000
    assert found["GB sealed at once, if none is fetched for a day"] == 2.0
    assert found["GB of audit log a year"] == 3.8 and found["GB of states, kept for a week"] == 0.04


@pytest.mark.slow
def test_the_command_measures_and_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--year", "100000", "--rulings", "3", "--words", "300", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["workers (cores)"] >= 1 and 0 < found["processor seconds of a ruling, mean"] < 60
    assert found["GB of states, kept for a week"] >= 0 and found["GB of audit log a year"] > 0
