"""A service of our own to measure and to mistreat: started, asked, killed, started again."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from aef.service import keys


@dataclass
class Server:
    """A running service in a folder; ``key`` has all rights."""

    process: subprocess.Popen[str]
    address: str
    key: str
    folder: Path

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def log(self) -> Path:
        return self.folder / "log.jsonl"

    def client(self, key: str | None = None, timeout: float = 60.0) -> httpx.Client:
        header = {"Authorization": f"Bearer {key or self.key}"}
        return httpx.Client(base_url=self.address, headers=header, timeout=timeout)

    def another(self, name: str, rights: str) -> httpx.Client:
        """A further client with a key of its own."""
        return self.client(keys.add(self.data / "keys.json", name, rights.split(",")))

    def events(self, event: str) -> list[dict[str, Any]]:
        """The lines of the log for an event; one that a killed server left half is none."""
        found = []
        for line in self.log.read_text("utf-8").splitlines():
            try:
                found.append(json.loads(line))
            except ValueError:
                continue
        return [line for line in found if line["event"] == event]

    def files(self) -> dict[str, bytes]:
        """All that the service has written, log and database and what belongs to it."""
        paths = [path for path in self.folder.rglob("*") if path.is_file()]
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in paths}

    def processor(self) -> float:
        """Seconds of processor time that the service and its workers have taken (Linux)."""
        return processor({self.process.pid, *(line["pid"] for line in self.events("worker_ready"))})

    def stop(self) -> int:
        """End it gracefully; the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(120)

    def kill(self) -> None:
        """End it as a power cut does."""
        self.process.kill()
        self.process.wait()


def processor(pids: Iterable[int]) -> float:
    """Seconds of processor time that processes have taken (Linux)."""
    stats = [Path(f"/proc/{pid}/stat") for pid in pids]
    fields = [stat.read_text().rpartition(")")[2].split() for stat in stats if stat.exists()]
    return sum(int(field[11]) + int(field[12]) for field in fields) / os.sysconf("SC_CLK_TCK")


def start(folder: Path, *options: str, port: int = 0, key: str = "") -> Server:
    """Start ``aef serve`` with its files in a folder; ``key`` where the folder has one already (``-``: none needed).

    Raises `RuntimeError` where it does not start.
    """
    command = [
        "serve",
        "--port",
        str(port),
        "--data",
        str(folder / "data"),
        "--log",
        str(folder / "log.jsonl"),
        *options,
    ]
    run = f"import sys; from aef.commands import main; sys.exit(main({command!r}))"
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen([sys.executable, "-c", run], stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    address = re.search(r"https?://[\d.]+:\d+", process.stdout.readline())
    if address is None:
        raise RuntimeError(f"the service did not start (exit code {process.wait()})")
    if not key:
        process.stdout.readline()  # where the first key is
        first = folder / "data" / "first.key"
        key = first.read_text().strip()
        first.unlink()
    return Server(process, address[0], key, folder)


@contextmanager
def running(folder: Path, *options: str, key: str = "") -> Iterator[Server]:
    """A service as long as it is needed."""
    server = start(folder, *options, key=key)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()


SCHEMATHESIS = """
[[operations]]
include-operation-id = ["doAnonymization", "anonymize"]
checks.positive_data_acceptance.expected-statuses = ["2xx", 401, 403, 404, 409, 422, 429, "5xx"]
[[operations]]
include-operation-id = "result"
checks.positive_data_acceptance.expected-statuses = ["2xx", 401, 403, 404, 409, 410, 422, 429, "5xx"]
[[operations]]
include-operation-id = "events"
enabled = false
"""
"""What a schema cannot say: random bytes are no ruling (422), a result that was fetched is gone (410), and a stream of
events goes on for minutes."""


def schemathesis(server: Server, examples: int, seed: int = 1, more: Sequence[str] = ()) -> tuple[bool, str]:
    """Whether schemathesis finds nothing in the OpenAPI description, with all of its checks, and what it says."""
    config = server.folder / "schemathesis.toml"
    config.write_text(SCHEMATHESIS, "utf-8")
    asked = [
        sys.executable,
        "-m",
        "schemathesis.cli",
        "--config-file",
        str(config),
        "run",
        f"{server.address}/openapi.json",
        "--no-color",
        *more,
    ]
    asked += ["-H", f"Authorization: Bearer {server.key}", "--max-examples", str(examples), "--seed", str(seed)]
    asked += ["--generation-database", "none"]
    done = subprocess.run(asked, capture_output=True, text=True, cwd=server.folder)
    config.unlink()
    return done.returncode == 0, done.stdout + done.stderr
