"""In which encoding an HTML file is: as its byte order mark says, in UTF-8, as it declares, or the likeliest one."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from aef.corpus_tools.formats.plain_text import PlainText, is_utf8
from aef.corpus_tools.metadata.format_words import words
from aef.errors import InputError

_DECLARED = re.compile(rb"<meta\b[^>]*?charset\s*=\s*[\"']?\s*([\w.:-]+)|^\s*<\?xml[^>]*?encoding=[\"']([\w.-]+)", re.I)
_HEAD_BYTES = 4096
_CODECS = words("windows-125? cp125? iso-8859-* iso8859-* koi8-[ru] mac* gb* big5* euc-* shift_jis")
"""Those that a page may declare, as `fnmatch` reads them."""
_AS_BROWSERS = {"iso-8859-1": "cp1252", "latin1": "cp1252", "us-ascii": "cp1252", "ascii": "cp1252"} | {
    "iso-8859-9": "cp1254", "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "macintosh": "mac_roman"
}  # fmt: skip


def decoded(data: bytes, name: str) -> PlainText:
    """The file in the encoding of its byte order mark, in UTF-8, in the one it declares, or in the likeliest one."""
    codec = declared(data)
    if codec is None and b"\0" not in data and _is_damaged_utf8(data):
        raise InputError.at(name, "is UTF-8 with damaged characters in it", remedy="Repair them, or save it anew")
    if codec is None or b"\0" in data or is_utf8(data):
        return PlainText.from_bytes(data, name)
    try:
        return PlainText(data.decode(codec), codec)
    except UnicodeDecodeError as error:
        raise InputError.at(name, f"is not in the encoding it declares ({codec})", remedy="Save it as UTF-8") from error


def declared(data: bytes) -> str | None:
    """The encoding that HTML or XML declares, if it is one of those known here; as browsers read it."""
    match = _DECLARED.search(data[:_HEAD_BYTES])
    label = (match[1] or match[2]).decode("ascii", "replace").lower() if match else ""
    label = _AS_BROWSERS.get(label, label)
    return label if any(fnmatchcase(label, form) for form in _CODECS) and _is_known(label) else None


def _is_known(label: str) -> bool:
    try:
        b"".decode(label)
    except LookupError:
        return False
    return True


def _is_damaged_utf8(data: bytes) -> bool:
    """Whether most of what is not ASCII is UTF-8, and some is not: another encoding would only seem to fit."""
    if is_utf8(data):
        return False
    text = data.decode("utf-8", "replace")
    damaged = text.count("\ufffd")
    whole = sum(not c.isascii() for c in text) - damaged
    return whole > damaged
