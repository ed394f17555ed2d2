"""What the service and a worker say to each other over a pipe: a JSON object and bytes, each behind its length.

Plain values only: neither side can make the other run anything.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import IO, Any

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
