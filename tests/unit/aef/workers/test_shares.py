"""Fair shares between clients and priorities, and how fast rulings may come in."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from aef.workers.database import Database
from aef.workers.queue import Queue
from aef.workers.settings import INTERACTIVE
from aef.workers.states import Submission
from aef.workers.vault import Vault
from aef.workers.waiting import TURN, Pace


def test_a_client_with_few_rulings_does_not_wait_for_one_with_many(url: str) -> None:
    with closing(Database(url)) as database:
        queue = Queue(database, Vault(bytes(32)))
        owner = {
            queue.submit(Submission(name, b"x", "txt"))[0]: name for name in ["many"] * 12 + ["few", "some", "few"]
        }
        turns = [owner[job.id] for job in iter(queue.claim, None)]
    assert turns[:6] == ["many", "few", "some", "many", "few", "many"] and turns[6:] == ["many"] * 9


def test_within_a_client_the_oldest_ruling_is_first(url: str) -> None:
    with closing(Database(url)) as database:
        queue = Queue(database, Vault(bytes(32)))
        made = [queue.submit(Submission("a", b"x", "txt"))[0] for _ in range(5)]
        assert [job.id for job in iter(queue.claim, None)] == made


def test_no_batch_starves(tmp_path: Path) -> None:
    """Rulings that somebody waits for keep coming, and one of a batch is done all the same."""
    with closing(Database(f"sqlite:///{tmp_path / 'q.sqlite'}")) as database:
        queue = Queue(database, Vault(bytes(32)))
        waits, _ = queue.submit(Submission("a", b"x", "txt"))
        claimed = []
        for _ in range(TURN):
            queue.submit(Submission("b", b"x", "txt", priority=INTERACTIVE))
            job = queue.claim()
            assert job is not None
            claimed.append(job.id)
        assert claimed.index(waits) == TURN - 1
        assert queue.claim(INTERACTIVE) is not None and queue.claim(INTERACTIVE) is None


def test_two_servers_do_not_take_the_same(url: str) -> None:
    with closing(Database(url)) as one, closing(Database(url)) as other:
        queues = [Queue(database, Vault(bytes(32))) for database in (one, other)]
        made = {queues[0].submit(Submission(name, b"x", "txt"))[0] for name in "aabbbc"}
        claimed = [job.id for _ in range(3) for queue in queues if (job := queue.claim()) is not None]
    assert len(claimed) == 6 and set(claimed) == made


@pytest.mark.parametrize(("a_minute", "at_once", "after"), [(60.0, 60, 1.0), (6.0, 6, 10.0)])
def test_a_client_hands_in_so_many_a_minute(a_minute: float, at_once: int, after: float) -> None:
    now = [0.0]
    pace = Pace(a_minute, lambda: now[0])
    assert [pace.wait("a") for _ in range(at_once)] == [0.0] * at_once
    assert pace.wait("a") == pytest.approx(after) and pace.wait("b") == 0.0
    now[0] += after
    assert pace.wait("a") == 0.0 and pace.wait("a") > 0.0


@pytest.mark.parametrize(("own", "at_once", "after"), [(120.0, 120, 0.5), (2.0, 2, 30.0), (0.5, 1, 120.0)])
def test_a_client_may_have_a_pace_of_its_own(own: float, at_once: int, after: float) -> None:
    pace = Pace(60.0, lambda: 0.0)
    assert [pace.wait("a", own) for _ in range(at_once)] == [0.0] * at_once
    assert pace.wait("a", own) == pytest.approx(after) and pace.wait("b") == 0.0
