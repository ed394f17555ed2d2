"""Bytes of a file as text, and unpacked, for `aef.verification.search`."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Iterator

from aef.corpus_tools.html.encoding import declared


def gunzipped(data: bytes, most: int) -> bytes:
    """What is packed, up to one byte more than ``most``; nothing where it is damaged."""
    try:
        with gzip.open(io.BytesIO(data)) as stream:
            return stream.read(most + 1)
    except (OSError, EOFError, zlib.error):
        return b""


def decode(data: bytes) -> str:
    """The text in the encoding that it declares, or in the likeliest."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    for code in (*filter(None, (declared(data),)), "utf-8-sig", "cp1252"):
        try:
            return data.decode(code)
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("latin-1")


def compressed_texts(data: bytes) -> Iterator[bytes]:
    """The packed texts beside a PNG's pixels."""
    for match in re.finditer(rb"(?:zTXt|iTXt|iCCP)", data) if data.startswith(b"\x89PNG") else ():
        for start in range(match.end(), min(match.end() + 200, len(data))):
            if data[start : start + 1] == b"\x78":
                try:
                    yield zlib.decompressobj().decompress(data[start:], 1_000_000)
                except zlib.error:
                    continue
