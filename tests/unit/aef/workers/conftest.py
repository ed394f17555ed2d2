"""Databases for the tests of the queue: SQLite, and a PostgreSQL server of our own where one is installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from aef.benchmarks.postgres import NotInstalled, postgres
from aef.workers.database import METADATA, Database


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The URL of a real PostgreSQL server."""
    try:
        with postgres() as url:
            yield url
    except NotInstalled as missing:
        pytest.skip(str(missing))


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database's URL."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'queue.sqlite'}"
        return
    found: str = request.getfixturevalue("server")
    yield found
    with closing(Database(found)) as database, database.writing() as connection:
        METADATA.drop_all(connection)
