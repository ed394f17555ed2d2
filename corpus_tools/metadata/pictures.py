"""Pictures without what is written beside them: EXIF, XMP, comments, thumbnails, what follows their end."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterator

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_KEPT = {b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"pHYs", b"bKGD", b"sBIT"}
_JPEG_KEPT = {0xE0, 0xEE}  # JFIF and Adobe's colour transform
_STANDALONE = {0x01, *range(0xD0, 0xD8)}


class Damaged(ValueError):
    """The bytes are no picture of this kind."""


def stripped(data: bytes) -> bytes | None:
    """A PNG, JPEG, GIF or BMP without metadata; None for what is none of these, or damaged.

    Pixels stay as they are. Of EXIF the orientation is lost with the rest.
    """
    strip = next((strip for magic, strip in _STRIPPERS.items() if data.startswith(magic)), None)
    try:
        return strip(data) if strip else None
    except (Damaged, struct.error, IndexError):
        return None


def blank() -> bytes:
    """A PNG of one transparent pixel."""
    pixel = zlib.compress(b"\0\0\0\0\0")
    header = struct.pack(">IIBBBBB", 1, 1, 8, 6, 0, 0, 0)
    return _PNG + b"".join(_chunk(kind, body) for kind, body in ((b"IHDR", header), (b"IDAT", pixel), (b"IEND", b"")))


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _png(data: bytes) -> bytes:
    chunks = list(_png_chunks(data))
    if not chunks or chunks[-1][0] != b"IEND":
        raise Damaged
    return _PNG + b"".join(whole for kind, whole in chunks if kind in _PNG_KEPT)


def _png_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    position = len(_PNG)
    while position + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, position)
        whole = data[position : position + 12 + length]
        if len(whole) < 12 + length:
            return
        yield whole[4:8], whole
        if whole[4:8] == b"IEND":
            return
        position += 12 + length


def _jpeg(data: bytes) -> bytes:
    """Segments up to each scan; a scan lasts up to the next marker that is no restart."""
    pieces, position = [b"\xff\xd8"], 2
    while True:
        if data[position] != 0xFF:
            raise Damaged
        marker = data[position + 1]
        if marker == 0xFF:  # filling
            position += 1
        elif marker == 0xD9:
            return b"".join([*pieces, b"\xff\xd9"])
        elif marker in _STANDALONE:
            position += 2
        else:
            (length,) = struct.unpack_from(">H", data, position + 2)
            end = position + 2 + length
            if marker == 0xDA:
                end = _end_of_scan(data, end)
            if marker in _JPEG_KEPT or not (0xE0 <= marker <= 0xEF or marker == 0xFE):
                pieces.append(_without_thumbnail(data[position:end]) if marker == 0xE0 else data[position:end])
            position = end


def _without_thumbnail(segment: bytes) -> bytes:
    """JFIF's own fields alone: a picture inside it, and an extension, are left out."""
    if segment[4:9] != b"JFIF\0" or len(segment) < 18:
        return b""
    return segment[:2] + struct.pack(">H", 16) + segment[4:16] + b"\0\0"


def _end_of_scan(data: bytes, position: int) -> int:
    while True:
        position = data.find(b"\xff", position)
        if position < 0:
            raise Damaged
        if data[position + 1] == 0 or data[position + 1] in _STANDALONE:
            position += 2
        elif data[position + 1] == 0xFF:
            position += 1
        else:
            return position


def _gif(data: bytes) -> bytes:
    """Header, colour table, images with their control blocks; comments, plain text and applications' blocks go."""
    position = 13 + (3 << ((data[10] & 7) + 1) if data[10] & 0x80 else 0)
    pieces = [data[:position]]
    while data[position] != 0x3B:
        start = position
        if data[position] == 0x21:
            position = _end_of_blocks(data, position + 2)
            if data[start + 1] == 0xF9 or data[start + 3 : start + 14] == b"NETSCAPE2.0":
                pieces.append(data[start:position])
        elif data[position] == 0x2C:
            table = 3 << ((data[position + 9] & 7) + 1) if data[position + 9] & 0x80 else 0
            position = _end_of_blocks(data, position + 11 + table)
            pieces.append(data[start:position])
        else:
            raise Damaged
    return b"".join([*pieces, b";"])


def _end_of_blocks(data: bytes, position: int) -> int:
    while data[position]:
        position += data[position] + 1
    return position + 1


def _bmp(data: bytes) -> bytes:
    (size,) = struct.unpack_from("<I", data, 2)
    return data[:6] + b"\0\0\0\0" + data[10:size]  # four reserved bytes, and what follows the end


_STRIPPERS: dict[bytes, Callable[[bytes], bytes]] = {
    _PNG: _png,
    b"\xff\xd8": _jpeg,
    b"GIF8": _gif,
    b"BM": _bmp,
}
