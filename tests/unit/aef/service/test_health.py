"""Health is answered while the database is locked, and says so; what is handed in then is refused in time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager

import httpx
from serving import Serving

Start = Callable[..., AbstractContextManager[Serving]]
FORM = {"files": {"file": ("a.txt", b"Mr. Hale appeals.")}}


@contextmanager
def locked(service: Serving) -> Iterator[None]:
    """The tables of the queue, by somebody else."""
    settings = service.made.desk.settings
    if settings.queue is None:
        import sqlite3

        with closing(sqlite3.connect(settings.data / "queue.sqlite", isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            yield
            other.execute("ROLLBACK")
        return
    import psycopg

    with psycopg.connect(settings.queue.replace("+psycopg", "")) as other:
        other.execute("LOCK TABLE aef_rulings, aef_contents IN ACCESS EXCLUSIVE MODE")
        yield
        other.rollback()


def test_health_is_answered_while_the_database_is_locked(serving: Start, queue: str | None) -> None:
    with serving(queue=queue, answer=0.3) as service, service.client() as client:
        assert client.get("/v1/ready").json()["modules"]["queue"] == "ok"
        with locked(service):
            refused = [client.post("/v1/rulings", **FORM) for _ in range(2)]
            for answer in refused:
                assert (answer.status_code, answer.json()["code"]) == (503, "queue_unavailable")
                assert int(answer.headers["Retry-After"]) > 0
            for path in ("/v1/ready", "/v1/health", "/checkHealth"):
                assert _until(client, path, 503)["modules"]["queue"] == "failing"
                assert client.get("/v1/live").json() == {"status": "alive"}
        assert _until(client, "/v1/ready", 200)["modules"]["queue"] == "ok"
        accepted = client.post("/v1/rulings", **FORM).json()["id"]
        job = service.made.desk.queue.claim()
        while job is not None and job.id != accepted:  # what was refused is taken back as soon as that can be done
            time.sleep(0.05)
            job = service.made.desk.queue.claim()
        assert job is not None
        _until_empty(service)


def test_a_full_disk_is_told(serving: Start) -> None:
    """No disk has room for a ruling of a petabyte."""
    with serving(size=10**15) as service, service.client() as client:
        answer = client.get("/v1/ready")
        assert (answer.status_code, answer.json()["modules"]["disk"]) == (503, "full")
        assert client.get("/v1/live").status_code == 200


def test_head_is_answered_like_get(serving: Start) -> None:
    with serving() as service, service.client() as client:
        for path in ("/v1/live", "/v1/ready", "/v1/health", "/checkHealth"):
            head = client.head(path)
            assert (head.status_code, head.content) == (200, b"")
            assert "HEAD" in client.put(path).headers["Allow"]


def _until(client: httpx.Client, path: str, status: int) -> dict[str, dict[str, str]]:
    hung = time.monotonic() + 30
    while (answer := client.get(path)).status_code != status:
        assert time.monotonic() < hung, answer.text
        time.sleep(0.1)
    found: dict[str, dict[str, str]] = answer.json()
    return found


def _until_empty(service: Serving) -> None:
    """What was refused is not there, and is nobody's."""
    hung = time.monotonic() + 30
    while sum(number for (state, _), number in service.made.desk.queue.counts().items() if state == "queued"):
        assert time.monotonic() < hung
        time.sleep(0.05)
