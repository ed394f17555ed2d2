"""DOCX files as untrusted packages: looked over before they are unpacked, then opened by python-docx."""

from __future__ import annotations

import io
import re
import struct
import zipfile
from collections.abc import Iterable
from typing import Any

from lxml import etree

from aef.corpus_tools.docx.policy import REFUSED, plain_name
from aef.corpus_tools.docx.repair import is_large, is_xml, opened
from aef.corpus_tools.docx.xml import Remembered
from aef.errors import InputError

MAX_BYTES = 200_000_000
"""Uncompressed, of all entries together that are held in memory, and of each that is not."""
MAX_DRAWN = 1_000_000_000
"""Uncompressed, of all entries together: drawings are looked through one by one."""
MAX_ENTRIES = 10_000
MAX_XML_BYTES = 60_000_000
"""Of all XML together: a ruling of 300 pages has 5 million, and a parsed document takes ten times its bytes."""
MAX_RATIO = 200
"""Uncompressed to compressed size of an entry that is unpacked into memory; XML of a ruling stays well under 100."""
MAX_ATTRIBUTES = 1000
"""Of an element; a drawn shape has some thirty."""
_SMALL = 1_000_000  # an entry of this size does no harm, however well it packs

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_DECLARATIONS = re.compile(rb"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)


def open_package(data: bytes, name: str) -> Any:
    """The document as python-docx's ``Document``. Raises `InputError` for what is no DOCX, damaged or hostile."""
    with checked_archive(data, name) as archive:
        _check_kind(archive, name)
    try:
        document = opened(data)
    except (KeyError, ValueError) as error:
        raise _no_docx(name) from error
    except Exception as error:  # python-docx has no common base class for what a damaged package raises
        raise _damaged(name) from error
    if any(hasattr(part, "element") and not is_xml(part.partname) for part in document.part.package.iter_parts()):
        raise _no_docx(name)  # XML under another suffix was not looked over
    _check_relations(document.part.package, name)
    return document


def checked_archive(data: bytes, name: str, kind: str = "DOCX") -> zipfile.ZipFile:
    """The archive that a document of some kind is, looked over: by its directory, its names, and all its XML.

    Raises `InputError` for what is none, encrypted, damaged or hostile.
    """
    archive = _archive(data, name, kind)
    _check_directory(archive, name)
    _check_names(archive, name, kind)
    _check_xml(archive, name, kind)
    return archive


def _check_relations(package: Any, name: str) -> None:
    """python-docx opens a package whose relations lack what each must have, and fails on them when it saves."""
    parts = list(package.iter_parts())
    relations = [relation for holder in (package, *parts) for relation in holder.rels.values()]
    told = [value for relation in relations for value in (relation.rId, relation.reltype, relation._target)]
    if any(value is None for value in [*told, *(part.content_type for part in parts)]):
        raise _damaged(name)


def parse_xml(data: bytes) -> Any:
    """The root element, parsed without entities, document types or network."""
    return etree.fromstring(data, _parser())


def _parser() -> etree.XMLParser:
    return etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)


def undated(data: bytes) -> bytes:
    """An archive whose entries say no time: of one content there is one file. They are as of 1 January 1980, the first
    day that the format has (PKWARE APPNOTE, sections 4.3.7 and 4.3.12)."""
    stamped = bytearray(data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries, at = archive.infolist(), archive.start_dir
    for entry in entries:
        for place in (entry.header_offset + 10, at + 12):
            stamped[place : place + 4] = b"\0\0\x21\0"
        at += 46 + sum(struct.unpack_from("<3H", data, at + 28))  # name, extra field, comment
    return bytes(stamped)


def _archive(data: bytes, name: str, kind: str) -> zipfile.ZipFile:
    if not data:
        raise InputError.at(name, "is empty")
    if data.startswith(_OLE):
        if _ENCRYPTED in data:
            raise InputError.at(name, "is encrypted", remedy="Save it without a password")
        raise InputError.at(name, "is a Word 97-2003 file", remedy=f"Save it as {kind}")
    if not data.startswith(b"PK"):
        raise _no_docx(name, kind)
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except Exception as error:  # zipfile has no error in common for what a damaged directory raises
        raise _damaged(name, kind) from error


def _check_directory(archive: zipfile.ZipFile, name: str) -> None:
    """By the archive's directory alone: nothing is unpacked yet."""
    entries = archive.infolist()
    if len(entries) > MAX_ENTRIES or _unpacked(e for e in entries if not is_large(e)) > MAX_BYTES:
        raise InputError.at(name, f"unpacks to more than {MAX_BYTES // 1_000_000} MB or {MAX_ENTRIES} files: refused")
    if _unpacked(entries) > MAX_DRAWN:
        raise InputError.at(name, f"unpacks to more than {MAX_DRAWN // 1_000_000} MB: refused")
    for entry in entries:
        if entry.flag_bits & 1:
            raise InputError.at(name, "is encrypted", remedy="Save it without a password")
        if entry.file_size > (MAX_BYTES if is_large(entry) else max(_SMALL, MAX_RATIO * entry.compress_size)):
            raise InputError.at(name, f"packs {_called(entry)} suspiciously well (an archive bomb?): refused")


_STANDARD = frozenset({"word/webSettings.xml", "docProps/custom.xml", "[Content_Types].xml", "_rels/.rels"})


def _called(entry: zipfile.ZipInfo) -> str:
    """A part by its name where that is a standard one; others somebody has chosen, and they may name people."""
    return f"'{entry.filename}'" if entry.filename in _STANDARD or plain_name(f"/{entry.filename}") else "a part of it"


def _unpacked(entries: Iterable[zipfile.ZipInfo]) -> int:
    return sum(entry.file_size for entry in entries)


def _check_names(archive: zipfile.ZipFile, name: str, kind: str) -> None:
    """Two entries of one name are read differently by different programs, and a climbing one leaves the folder."""
    seen: set[str] = set()
    for entry in archive.infolist():
        part = entry.filename.replace("\\", "/").lower()
        if part.startswith("/") or ".." in part.split("/") or ":" in part:
            raise InputError.at(name, "holds a part with an absolute or climbing name: refused")
        if part in seen:
            raise InputError.at(name, "holds two parts of one name: refused", remedy=f"Save it again as {kind}")
        seen.add(part)
    if _unpacked(e for e in archive.infolist() if is_xml(e.filename)) > MAX_XML_BYTES:
        raise InputError.at(name, f"holds more than {MAX_XML_BYTES // 1_000_000} MB of XML: refused")


def _check_kind(archive: zipfile.ZipFile, name: str) -> None:
    """What python-docx refuses without saying why."""
    entries = [e for e in archive.infolist() if e.filename.lower() in ("_rels/.rels", "[content_types].xml")]
    content = b"".join(archive.read(entry) for entry in entries)
    for sign, (problem, remedy) in REFUSED.items():
        if sign in content:
            raise InputError.at(name, problem, remedy=remedy)


def _check_xml(archive: zipfile.ZipFile, name: str, kind: str) -> None:
    for entry in archive.infolist():
        try:
            idle = entry.file_size == 0 and kind != "DOCX"  # as word processors write parts of an ODT
            declares = is_xml(entry.filename) and not idle and _declares(archive.read(entry))  # reading checks the sum
            if not is_xml(entry.filename):
                _check_sum(archive, entry)
        except Exception as error:  # a damaged archive raises errors of zipfile, of the decompressors and of lxml
            raise _damaged(name, kind) from error
        if declares:
            raise InputError.at(name, f"declares a document type in {_called(entry)}, as no {kind} does: refused")


def _check_sum(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> None:
    with archive.open(entry) as stream:
        while stream.read(_SMALL):
            pass


_TOO_MANY = etree.XPath(f"boolean(//@*[{MAX_ATTRIBUTES + 1}])")
"""Whether an element has an attribute of that number."""


_declared: Remembered[bool] = Remembered()


def _declares(content: bytes) -> bool:
    """Whether XML declares a document type. Raises for what is none, and for too many attributes."""
    return _declared(content, lambda: _declares_unseen(content))


def _declares_unseen(content: bytes) -> bool:
    # The bytes first, so that entities are never parsed; then the parsed document, for other encodings.
    if _DECLARATIONS.search(content):
        return True
    root = parse_xml(content)
    if _TOO_MANY(root):
        raise ValueError("attributes")
    return bool(root.getroottree().docinfo.doctype)


def _no_docx(name: str, kind: str = "DOCX") -> InputError:
    return InputError.at(name, f"is no {kind} document", remedy=f"Open it in a word processor and save it as {kind}")


def _damaged(name: str, kind: str = "DOCX") -> InputError:
    return InputError.at(name, "is damaged or cut off", remedy=f"Get the file again, or save it again as {kind}")
