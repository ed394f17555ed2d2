"""A copy of all that the service keeps, made while it runs, and brought back into an empty place.

A ZIP file: the tables of the queue as JSON lines, contents sealed as they are, API keys (hashes), when they were used,
the audit log, and a manifest with number and hash of each. The sealing key is not in it: whoever has a copy and no key
has nothing, and whoever lost the key has nothing either. The tables are read in one transaction, and go back into
either kind of database.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import tempfile
import zipfile
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, LargeBinary, Table, insert, select, text

import aef
from aef.corpus_tools.files import must_be_new, write_atomic
from aef.errors import InputError
from aef.workers.audit import segments
from aef.workers.database import CONTENTS, RULINGS, SERVICE, Database
from aef.workers.settings import Settings

FORMAT = 1
_TABLES = (SERVICE, RULINGS, CONTENTS)
_MANIFEST = "manifest.json"


def back_up(settings: Settings, target: Path, more: Path | None = None) -> dict[str, int]:
    """Write a copy; how many rows of each table, and files, it has. more : a folder of case files to take in, too.

    Raises `InputError` for a target that exists, and where the queue cannot be opened.
    """
    must_be_new([target])
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, neighbour = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "w+b") as stream:
            counts = _written(settings, stream, more)
            stream.flush()
            os.fsync(stream.fileno())
        must_be_new([target])
        Path(neighbour).replace(target)
    except BaseException:
        Path(neighbour).unlink(missing_ok=True)
        raise
    return counts


def restore(settings: Settings, source: Path, more: Path | None = None) -> dict[str, int]:
    """Bring a copy back into an empty data folder and an empty queue; counts as `back_up` gives them. more : where the
    case files go.

    Raises `InputError`, and changes nothing, for what is no whole copy, and for a place that is not empty.
    """
    with _opened(source) as archive:
        manifest = _checked(archive, source)
        _must_be_empty(settings)
        database = Database(settings.url)
        try:
            with database.writing() as connection:
                if connection.execute(select(RULINGS.c.seq).limit(1)).first() is not None:
                    raise InputError(f"the queue of {settings.data} has rulings. Name an empty one")
                for table in _TABLES:
                    _filled(connection, table, archive)
                if not database.is_sqlite:  # else it would count from 1 again
                    connection.execute(text("SELECT setval('aef_rulings_seq_seq', max(seq) + 1) FROM aef_rulings"))
        finally:
            database.close()
        for name in manifest["parts"]:
            if (path := _place(name, settings, more)) is not None:
                write_atomic(path, archive.read(name), private=True)
    return _counts(manifest)


def _written(settings: Settings, stream: Any, more: Path | None) -> dict[str, int]:
    parts: dict[str, dict[str, Any]] = {}
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        database = Database(settings.url)
        try:
            with database.snapshot() as connection:
                for table in _TABLES:
                    parts[f"{table.name}.jsonl"] = _put(archive, f"{table.name}.jsonl", _lines(connection, table))
        finally:
            database.close()
        for name, path in _files(settings, more):
            content = path.read_bytes()
            whole = content[: content.rfind(b"\n") + 1] if name.startswith("audit/") else content  # it is written to
            parts[name] = _put(archive, name, iter([whole]))
        manifest = {"format": FORMAT, "aef": aef.__version__, "parts": parts}
        archive.writestr(_MANIFEST, json.dumps(manifest, indent=1))
    return _counts(manifest)


def _put(archive: zipfile.ZipFile, name: str, pieces: Iterator[bytes]) -> dict[str, Any]:
    """Write a part; its hash and the number of its pieces."""
    total, number = hashlib.sha256(), 0
    with archive.open(name, "w", force_zip64=True) as part:
        for piece in pieces:
            part.write(piece)
            total.update(piece)
            number += 1
    return {"sha256": total.hexdigest(), "number": number}


def _lines(connection: Connection, table: Table) -> Iterator[bytes]:
    for row in connection.execute(select(table).order_by(*table.primary_key.columns)).mappings():
        plain = {k: b64encode(v).decode() if isinstance(v, bytes) else v for k, v in row.items()}
        yield (json.dumps(plain) + "\n").encode()


def _filled(connection: Connection, table: Table, archive: zipfile.ZipFile) -> None:
    sealed = [column.name for column in table.columns if isinstance(column.type, LargeBinary)]
    known = {column.name for column in table.columns}
    with archive.open(f"{table.name}.jsonl") as part:
        for line in io.TextIOWrapper(part, "utf-8"):
            row = {k: v for k, v in json.loads(line).items() if k in known}
            connection.execute(insert(table).values(row | {name: b64decode(row[name]) for name in sealed}))


def _files(settings: Settings, more: Path | None) -> Iterator[tuple[str, Path]]:
    """What is kept in files, with its name in the copy."""
    for name, path in (("keys.json", settings.keys), ("keys.used.json", settings.used)):
        if path.is_file():
            yield name, path
    for path in segments(settings.audit):
        yield f"audit/{path.name}", path
    if more is not None:
        for path in sorted(p for p in more.rglob("*") if p.is_file() and not p.is_symlink()):
            yield f"cases/{path.relative_to(more).as_posix()}", path


def _place(name: str, settings: Settings, more: Path | None) -> Path | None:
    """Where a part goes as a file; None for those that do not."""
    first, _, rest = name.partition("/")
    if first == "cases":
        return more / rest if more is not None else None
    if first == "audit":
        return settings.audit / rest
    return {"keys.json": settings.keys, "keys.used.json": settings.used}.get(name)


def _must_be_empty(settings: Settings) -> None:
    taken = [p for p in (settings.keys, settings.audit, settings.data / "queue.sqlite") if p.exists()]
    if taken:
        raise InputError.at(taken[0], "is there already", remedy="Restore into a data folder that is new")
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)


def _opened(source: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(source)
    except FileNotFoundError as error:
        raise InputError.at(source, "no such file") from error
    except (OSError, zipfile.BadZipFile) as error:
        raise _damaged(source) from error


def _checked(archive: zipfile.ZipFile, source: Path) -> dict[str, Any]:
    """The manifest, all parts being as it says. Raises `InputError`."""
    try:
        manifest: dict[str, Any] = json.loads(archive.read(_MANIFEST))
        if manifest["format"] > FORMAT:
            raise InputError.at(source, "was made by a newer version of aef", remedy="Restore it with that version")
        for name, said in manifest["parts"].items():
            if ".." in Path(name).parts or Path(name).is_absolute() or _hash(archive, name) != said["sha256"]:
                raise _damaged(source)
    except (KeyError, TypeError, AttributeError, zipfile.BadZipFile, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise _damaged(source) from error
    return manifest


def _hash(archive: zipfile.ZipFile, name: str) -> str:
    with archive.open(name) as part:
        return hashlib.file_digest(part, "sha256").hexdigest()  # type: ignore[arg-type]


def _damaged(source: Path) -> InputError:
    return InputError.at(
        source, "is no whole copy of a service", remedy="Take another one: 'aef serve backup' makes them"
    )


def _counts(manifest: Mapping[str, Any]) -> dict[str, int]:
    tables = {table.name: f"{table.name}.jsonl" for table in _TABLES}
    counts = {name: manifest["parts"][part]["number"] for name, part in tables.items()}
    return {**counts, "files": len(manifest["parts"]) - len(tables)}
