"""A queue of an earlier version, filled: opened by this one, nothing of it is lost; one of a later version is left."""

from __future__ import annotations

import threading
from contextlib import closing
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine, inspect, text

from aef.errors import InputError
from aef.workers.database import METADATA, SCHEMA, VERSION, Database, must_answer
from aef.workers.queue import Queue
from aef.workers.reviews import Reviews
from aef.workers.settings import Limits
from aef.workers.states import Submission
from aef.workers.vault import Vault

VAULT, NOW = Vault(bytes(32)), 1.79e9
FIRST = (
    """CREATE TABLE aef_rulings (seq {serial}, id VARCHAR(32) NOT NULL UNIQUE, owner VARCHAR(64) NOT NULL,
    priority INTEGER NOT NULL, state VARCHAR(16) NOT NULL, format VARCHAR(8) NOT NULL, options TEXT NOT NULL,
    attempts INTEGER NOT NULL, lease VARCHAR(32), lease_until {float}, reason VARCHAR(32), detail TEXT, figures TEXT,
    created {float} NOT NULL, started {float}, finished {float}, expires {float}, request_key VARCHAR(64),
    fingerprint VARCHAR(64) NOT NULL, UNIQUE (owner, request_key))""",
    "CREATE INDEX aef_rulings_order ON aef_rulings (state, priority, seq)",
    "CREATE INDEX aef_rulings_owner ON aef_rulings (owner, state)",
    "CREATE INDEX aef_rulings_expires ON aef_rulings (expires)",
    """CREATE TABLE aef_contents (ruling VARCHAR(32) NOT NULL REFERENCES aef_rulings (id) ON DELETE CASCADE,
    kind VARCHAR(8) NOT NULL, sealed {bytes} NOT NULL, PRIMARY KEY (ruling, kind))""",
    "CREATE TABLE aef_service (key_check VARCHAR(64) NOT NULL)",
)
"""The tables as the first version made them."""
LATER = (
    "ALTER TABLE aef_rulings ADD COLUMN deaths INTEGER DEFAULT '0' NOT NULL",
    "ALTER TABLE aef_rulings ADD COLUMN outages INTEGER DEFAULT '0' NOT NULL",
    "ALTER TABLE aef_rulings ADD COLUMN delivered {float}",
    "ALTER TABLE aef_rulings ADD COLUMN reviewer VARCHAR(64)",
    "CREATE INDEX aef_rulings_reviewer ON aef_rulings (reviewer, state)",
    "CREATE INDEX aef_rulings_shares ON aef_rulings (state, priority, owner, seq)",
    "CREATE INDEX aef_rulings_ended ON aef_rulings (owner, finished)",
)
"""What the versions after it added, each of them some."""
TYPES = {
    "sqlite": {"serial": "INTEGER NOT NULL PRIMARY KEY", "float": "FLOAT", "bytes": "BLOB"},
    "postgresql": {"serial": "BIGSERIAL PRIMARY KEY", "float": "FLOAT", "bytes": "BYTEA"},
}
STEPS = [0, 3, 5, 7]
KINDS = {"queued": "original", "running": "original", "done": "result", "failed": None, "taken": None}


def plain(url: str) -> Engine:
    """The database without aef."""
    return create_engine(url, connect_args={} if url.startswith("sqlite") else {"client_encoding": "utf8"})


def old(url: str, steps: int) -> dict[str, str]:
    """Make a queue as a version of so many steps did, with twenty rulings in each state; the state of each id."""
    engine = plain(url)
    with engine.begin() as connection:
        for statement in (*FIRST, *LATER[:steps]):
            connection.execute(text(statement.format(**TYPES[engine.dialect.name])))
        connection.execute(text("INSERT INTO aef_service VALUES (:check)"), {"check": VAULT.check})
        states = {f"{number:032x}": state for number, state in enumerate([s for s in KINDS for _ in range(20)])}
        for ruling, state in states.items():
            row = {"id": ruling, "state": state, "key": VAULT.digest(b"request key", ruling.encode()), "now": NOW}
            row |= {"lease": "x" if state == "running" else None, "until": NOW if state == "running" else None}
            row |= {"print": VAULT.digest(b"request", b"txt", b"{}", text_of(ruling)), "expires": NOW + 1e6}
            connection.execute(
                text(
                    "INSERT INTO aef_rulings (id, owner, priority, state, format, options, attempts, lease,"
                    " lease_until, created, expires, request_key, fingerprint) VALUES"
                    " (:id, 'registry', 0, :state, 'txt', '{}', 1, :lease, :until, :now, :expires, :key, :print)"
                ),
                row,
            )
            if kind := KINDS[state]:
                sealed = VAULT.sealed(text_of(ruling), f"{ruling} {kind}")
                values = {"ruling": ruling, "kind": kind, "sealed": sealed}
                connection.execute(text("INSERT INTO aef_contents VALUES (:ruling, :kind, :sealed)"), values)
    engine.dispose()
    return states


def text_of(ruling: str) -> bytes:
    return f"Mr. Hale appeals, {ruling}.".encode()


@pytest.mark.parametrize("steps", STEPS)
def test_nothing_of_an_old_queue_is_lost(url: str, steps: int) -> None:
    states = old(url, steps)
    with closing(Database(url)) as database:
        queue = Queue(database, VAULT, Limits(), lambda: NOW + 60)
        found = {ruling: queue.state("registry", ruling) for ruling in states}
        assert {ruling: state.state for ruling, state in found.items() if state} == states
        assert len(queue.recover()) == 20, "what was running is given back"
        waits = {ruling for ruling, state in states.items() if state in ("queued", "running")}
        jobs = {job.id: job for job in iter(queue.claim, None)}
        assert {ruling: job.content for ruling, job in jobs.items()} == {r: text_of(r) for r in waits}
        assert all(queue.finish(job, b"H. appeals.", {}) for job in jobs.values())
        for ruling in (r for r, state in states.items() if state == "done"):
            assert queue.result("registry", ruling) == text_of(ruling) and queue.delivered("registry", ruling)
        again = Submission("registry", text_of("0" * 32), "txt", request_key="0" * 32)
        assert queue.submit(again) == ("0" * 32, False), "idempotency keys are known"
        reviews = Reviews(database, VAULT, Limits())
        new, _ = queue.submit(Submission("registry", b"Mr. Hale", "txt", reviewer="editor"))
        assert reviews.listed("editor") == {new: "txt"}


def test_an_upgraded_queue_is_as_a_new_one(url: str) -> None:
    made = {}
    for steps in (0, None):
        if steps is not None:
            old(url, steps)
        with closing(Database(url)) as database, database.writing() as connection:
            seen = inspect(connection)
            made[steps] = {
                table: (
                    {(c["name"], str(c["type"]), c["nullable"]) for c in seen.get_columns(table)},
                    {(i["name"], *i["column_names"]) for i in seen.get_indexes(table) if not i["unique"]},
                )
                for table in METADATA.tables
            }
            METADATA.drop_all(connection)
    assert made[0] == made[None]


def test_an_upgrade_that_breaks_off_changes_nothing(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    old(url, 0)
    before = shape(url)

    def breaks(*given: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("aef.workers.database.CreateIndex", breaks)  # after columns and a table were added
    with pytest.raises(ZeroDivisionError):
        Database(url)
    monkeypatch.undo()
    assert shape(url) == before
    Database(url).close()
    assert shape(url) != before


def shape(url: str) -> dict[str, set[str]]:
    engine = plain(url)
    seen = inspect(engine)
    found = {table: {column["name"] for column in seen.get_columns(table)} for table in seen.get_table_names()}
    engine.dispose()
    return found


def test_servers_that_start_together_upgrade_once(url: str) -> None:
    if url.startswith("sqlite"):
        pytest.skip("one server alone has a folder")
    old(url, 0)
    opened: list[Database | Exception] = []

    def start() -> None:
        try:
            opened.append(Database(url))
        except Exception as error:
            opened.append(error)

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [type(one) for one in opened] == [Database] * 8, opened
    for one in opened:
        assert isinstance(one, Database)
        one.close()


def test_a_queue_of_a_later_version_is_left_as_it_is(url: str) -> None:
    with closing(Database(url)) as database, database.writing() as connection:
        connection.execute(SCHEMA.update().values(version=VERSION + 1))
    for opens in (Database, must_answer):
        with pytest.raises(InputError, match="newer version of aef"):
            opens(url)
    engine = plain(url)
    with engine.begin() as connection:
        assert connection.execute(SCHEMA.select()).scalar() == VERSION + 1
        connection.execute(SCHEMA.delete())
    engine.dispose()
