"""What the service and a worker say to each other over a pipe: a JSON object and bytes, each behind its length.

Plain values only: neither side can make the other run anything.
"""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import IO, Any

from aef.workers.settings import environment_without_keys


def spawned(module: str) -> subprocess.Popen[bytes]:
    """A process that runs a module of ours, to be talked to over its standard input and output."""
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment_without_keys(),
        process_group=0,  # Ctrl-C is for the service alone; no session of its own, in which nice counts nothing
    )


def ended(process: subprocess.Popen[bytes]) -> None:
    """End such a process, whatever it does."""
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        with suppress(OSError):
            if stream is not None:
                stream.close()


_LENGTHS = struct.Struct(">IQ")


def write(stream: IO[bytes], message: Mapping[str, Any], body: bytes = b"") -> None:
    head = json.dumps(dict(message)).encode()
    stream.write(_LENGTHS.pack(len(head), len(body)) + head)
    stream.write(body)
    stream.flush()


def read(stream: IO[bytes]) -> tuple[dict[str, Any], bytes]:
    """The next message. Raises `EOFError` where the other side is gone."""
    head, body = _LENGTHS.unpack(_exactly(stream, _LENGTHS.size))
    message: dict[str, Any] = json.loads(_exactly(stream, head))
    return message, _exactly(stream, body)


def _exactly(stream: IO[bytes], number: int) -> bytes:
    data = stream.read(number)
    if len(data) < number:
        raise EOFError
    return data
