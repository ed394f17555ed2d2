"""A PostgreSQL server of our own, in a folder and on a socket that go with it, where its programs are installed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_DEBIAN = Path("/usr/lib/postgresql")
_SETTINGS = ("listen_addresses=", "fsync=off", "max_connections=200")


class NotInstalled(Exception):
    """There is no PostgreSQL server here, or nobody it could run as."""


@dataclass
class Postgres:
    """A running server. command, run : how it is started."""

    url: str
    log: Path
    command: list[str | Path]
    run: dict[str, Any]
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Raises `NotInstalled` where it does not start."""
        with self.log.open("a") as log:
            self.process = subprocess.Popen(self.command, stderr=log, **self.run)
        _must_answer(self.url, self.log)

    def stop(self) -> None:
        """At once: its clients lose their connections."""
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(30)

    def processes(self) -> list[int]:
        """The server's, and those of its open connections (Linux)."""
        assert self.process is not None
        pid = self.process.pid
        return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]


@contextmanager
def postgres() -> Iterator[str]:
    """The URL of a server with an empty database, as long as it is needed. Raises `NotInstalled`."""
    with own_server() as server:
        yield server.url


@contextmanager
def own_server() -> Iterator[Postgres]:
    """A server with an empty database, which can be stopped and started again. Raises `NotInstalled`."""
    programs, account = _programs(), _account()
    folder = Path(tempfile.mkdtemp(prefix="aef-pg-"))
    if account:
        shutil.chown(folder, account["user"])
    run: dict[str, Any] = {**account, "cwd": folder, "env": {"PATH": os.environ["PATH"], "LC_ALL": "C"}}
    try:
        make: list[str | Path] = [programs / "initdb", "-D", folder / "data", "-U", "aef", "-A", "trust", "-N"]
        subprocess.run(make, check=True, capture_output=True, **run)
        options = [f"--{s}" for s in (*_SETTINGS, f"unix_socket_directories={folder}")]
        command: list[str | Path] = [programs / "postgres", "-D", folder / "data", *options]
        server = Postgres(f"postgresql+psycopg://aef@/postgres?host={folder}", folder / "log", command, run)
        try:
            server.start()
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _programs() -> Path:
    """The folder of initdb and postgres."""
    folders = [*sorted(_DEBIAN.glob("*/bin"), reverse=True), *map(Path, os.get_exec_path())]
    for folder in folders:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise NotInstalled("no PostgreSQL server is installed (initdb, postgres)")


def _account() -> dict[str, Any]:
    """Who it runs as: root may not run it, and takes another account."""
    if os.geteuid() != 0:
        return {}
    import pwd

    for name in ("postgres", "nobody"):
        try:
            return {"user": name, "group": pwd.getpwnam(name).pw_gid}
        except KeyError:
            continue
    raise NotInstalled("PostgreSQL does not run as root, and there is no other account")


def _must_answer(url: str, log: Path) -> None:
    """Wait until somebody answers at the URL. Raises `NotInstalled` where nobody does."""
    import psycopg

    until = time.monotonic() + 60
    while True:
        try:
            psycopg.connect(url.replace("+psycopg", "")).close()
            return
        except psycopg.OperationalError as error:
            if time.monotonic() > until:
                raise NotInstalled(f"PostgreSQL does not start: {log.read_text()[-500:]}") from error
            time.sleep(0.05)
