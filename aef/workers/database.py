"""The database of the queue: its tables, and SQLite and PostgreSQL set up so that nothing accepted is lost.

States and contents are in two tables, so that a sign of life does not write a ruling anew. In SQLite, the log is
written ahead and to the disk at every commit, and what is deleted is overwritten; in PostgreSQL, space is given back by
``VACUUM`` (what may still be in it, and in its log, is sealed).

A queue of an earlier version gets what it lacks when it is opened, in one transaction: columns that are added have a
default or none, so that a server of the version before goes on beside it. A queue of a later version is left alone.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Engine,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    create_engine,
    delete,
    event,
    func,
    insert,
    inspect,
    make_url,
    select,
    text,
)
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, OperationalError, SQLAlchemyError
from sqlalchemy.schema import CreateColumn, CreateIndex

from aef.errors import InputError

if TYPE_CHECKING:
    from sqlalchemy.engine.interfaces import DBAPIConnection
    from sqlalchemy.pool import ConnectionPoolEntry

METADATA = MetaData()
RULINGS = Table(
    "aef_rulings",
    METADATA,
    Column("seq", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=True),
    Column("id", String(32), nullable=False, unique=True),
    Column("owner", String(64), nullable=False),
    Column("priority", Integer, nullable=False),
    Column("state", String(16), nullable=False),
    Column("format", String(8), nullable=False),
    Column("options", Text, nullable=False),
    Column("attempts", Integer, nullable=False, default=0),
    Column("deaths", Integer, nullable=False, server_default="0"),
    Column("outages", Integer, nullable=False, server_default="0"),
    Column("lease", String(32)),
    Column("lease_until", Float),
    Column("reason", String(32)),
    Column("detail", Text),
    Column("figures", Text),
    Column("created", Float, nullable=False),
    Column("started", Float),
    Column("finished", Float),
    Column("expires", Float),
    Column("delivered", Float),
    Column("request_key", String(64)),
    Column("fingerprint", String(64), nullable=False),
    Column("reviewer", String(64)),
    UniqueConstraint("owner", "request_key"),
    Index("aef_rulings_order", "state", "priority", "seq"),
    Index("aef_rulings_shares", "state", "priority", "owner", "seq"),
    Index("aef_rulings_ended", "owner", "finished"),
    Index("aef_rulings_owner", "owner", "state"),
    Index("aef_rulings_expires", "expires"),
    Index("aef_rulings_reviewer", "reviewer", "state"),
)
"""A ruling's state; times in seconds since 1970. No text, no name, no file name: lasting what it lasts, it may be
read."""

CONTENTS = Table(
    "aef_contents",
    METADATA,
    Column("ruling", String(32), ForeignKey("aef_rulings.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", String(8), primary_key=True),
    Column("sealed", LargeBinary, nullable=False),
)
"""The original while it waits, the result until it is taken, both sealed."""

ORIGINAL, RESULT, ANSWERS, GOLD, PROTOCOL = "original", "result", "answers", "gold", "protocol"
"""The kinds of contents; the last three of rulings that are reviewed: what the editor told, the ruling as a gold line,
who is who."""

SERVICE = Table("aef_service", METADATA, Column("key_check", String(64), nullable=False))
"""One row: what tells whether the queue is opened with the key it was made with."""

SCHEMA = Table("aef_schema", METADATA, Column("version", Integer, primary_key=True))
"""One row."""

VERSION = 1
"""Of the tables: one more with each change of them. What has no `SCHEMA` is older."""

_UPGRADE = 0x616566  # an advisory lock of PostgreSQL: servers that start together do not both change the tables
_BUSY = 5.0  # seconds a writer waits for another


class Busy(SQLAlchemyError):
    """Another writer did not end in time."""


class Database:
    """An open database. Raises `InputError` for a URL that leads nowhere."""

    def __init__(self, url: str) -> None:
        self._engine = _engine(url)
        self.is_sqlite = self._engine.dialect.name == "sqlite"
        # SQLite has one writer: threads that wait for a lock go on at once, those that wait for SQLite sleep
        self._turns = threading.Lock() if self.is_sqlite else None
        try:
            self._upgrade(url)
        except OperationalError as error:
            self._engine.dispose()
            raise _not_opened(url) from error
        except InputError:
            self._engine.dispose()
            raise

    def _upgrade(self, url: str) -> None:
        """Make what a new queue, or one of an earlier version, has not; all of it or nothing."""
        with self.writing() as connection:
            if not self.is_sqlite:
                connection.execute(text(f"SELECT pg_advisory_xact_lock({_UPGRADE})"))
            _must_be_known(connection, url)
            METADATA.create_all(connection)
            for table in METADATA.sorted_tables:
                _complete(connection, table)
            if connection.execute(select(SCHEMA.c.version)).scalar() != VERSION:
                connection.execute(delete(SCHEMA))
                connection.execute(insert(SCHEMA).values(version=VERSION))

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction; in SQLite the only writing one. Raises `Busy`."""
        with self._turn(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def _turn(self) -> Iterator[None]:
        if self._turns is not None and not self._turns.acquire(timeout=_BUSY):
            raise Busy
        try:
            yield
        finally:
            if self._turns is not None:
                self._turns.release()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._engine.connect().execution_options(aef_reads=True) as connection:
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """To read all tables as they are at one moment, while others write."""
        options = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
        with self._engine.connect().execution_options(aef_reads=True, **options) as connection:
            yield connection

    def try_lock(self) -> None:
        """What a writer does first, and no more: raises `SQLAlchemyError` where none gets through."""
        with self._turn(), self._engine.connect() as connection, connection.begin() as transaction:
            if not self.is_sqlite:
                connection.execute(text(f"LOCK TABLE {RULINGS.name}, {CONTENTS.name} IN ROW EXCLUSIVE MODE"))
            transaction.rollback()

    def scrub(self) -> bool:
        """Have what was deleted leave the files, too; whether that could be done now (else ask again)."""
        if self.is_sqlite:
            with _raw(self._engine) as connection:
                return bool(connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0)
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as vacuum:
            vacuum.execute(text(f"VACUUM {CONTENTS.name}"))
        return True

    def close(self) -> None:
        self._engine.dispose()


def _complete(connection: Connection, table: Table) -> None:
    """Add the columns and indexes that a table has not."""
    columns = {column["name"] for column in inspect(connection).get_columns(table.name)}
    for column in table.columns:
        if column.name not in columns:
            added = CreateColumn(column).compile(dialect=connection.dialect)
            connection.exec_driver_sql(f"ALTER TABLE {table.name} ADD COLUMN {added}")
    indexes = {index["name"] for index in inspect(connection).get_indexes(table.name)}
    for index in table.indexes:
        if index.name not in indexes:
            connection.execute(CreateIndex(index))


def _must_be_known(connection: Connection, url: str) -> None:
    """Raise `InputError` for the queue of a later version of aef."""
    if not inspect(connection).has_table(SCHEMA.name):
        return
    found = connection.execute(select(func.max(SCHEMA.c.version))).scalar() or 0
    if found > VERSION:
        remedy = "Install that version, or bring back a copy from before: aef serve restore"
        raise InputError.at(shown(url), "is the queue of a newer version of aef", remedy=remedy)


def must_answer(url: str) -> None:
    """Raise `InputError` for a URL that leads nowhere; nothing is made there."""
    parsed = _engine(url)
    try:
        if parsed.dialect.name != "sqlite" or Path(parsed.url.database or "").is_file():
            with parsed.connect().execution_options(aef_reads=True) as connection:
                _must_be_known(connection, url)
    except SQLAlchemyError as error:
        raise _not_opened(url) from error
    finally:
        parsed.dispose()


def _not_opened(url: str) -> InputError:
    return InputError(f"the queue cannot be opened at {shown(url)}. Is the database there, and yours?")


@contextmanager
def _raw(engine: Engine) -> Iterator[sqlite3.Connection]:
    borrowed = engine.raw_connection()
    try:
        connection = borrowed.driver_connection
        assert isinstance(connection, sqlite3.Connection)
        yield connection
    finally:
        borrowed.close()


def _engine(url: str) -> Engine:
    try:
        name = make_url(url).get_backend_name()
        if name == "sqlite":
            return _sqlite(url)
        if name == "postgresql":
            return create_engine(url, pool_pre_ping=True, connect_args=_POSTGRES, **_POOL)
    except ModuleNotFoundError as error:
        raise InputError(
            "a queue in PostgreSQL needs the package 'psycopg'. Install it: pip install 'aef-anonymizer[postgres]'"
        ) from error
    except (ArgumentError, NoSuchModuleError, ValueError) as error:
        raise InputError(f"'{shown(url)}' is no database's URL. Write postgresql+psycopg://user@host/name") from error
    raise InputError(f"a queue in {name} is not supported. Use SQLite or PostgreSQL")


_POOL: Any = {"pool_size": 10, "max_overflow": 40, "pool_timeout": _BUSY}
_POSTGRES = {
    "connect_timeout": 5,
    "tcp_user_timeout": 10_000,
    "application_name": "aef",
    "client_encoding": "utf8",
    "options": f"-c lock_timeout={round(1000 * _BUSY)}",
}


def _sqlite(url: str) -> Engine:
    engine = create_engine(url, connect_args={"timeout": _BUSY}, **_POOL)

    @event.listens_for(engine, "connect")
    def set_up(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        connection.isolation_level = None  # transactions are begun below and by nobody else
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        reads = connection.get_execution_options().get("aef_reads")
        connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

    return engine


def shown(url: str) -> str:
    """The URL without its password."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return "the given URL"
