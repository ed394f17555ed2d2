"""A DOCX as word processors write it, made one that python-docx opens without unpacking its pictures.

Strict Open XML (ISO/IEC 29500-1) becomes transitional (29500-4), which differs in the addresses of its namespaces; a
relation to a part that is not there, as Word writes it for a lost picture, leads nowhere; and what is large and no XML
stays packed, with a few bytes in its place until it is asked for.
"""

from __future__ import annotations

import io
import posixpath
import re
import secrets
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from docx.opc.part import Part
from lxml import etree

from aef.corpus_tools.docx.policy import NOWHERE
from aef.corpus_tools.docx.xml import local

LARGE = 4_000_000
"""A part of so many bytes that is no XML is unpacked when it is asked for."""

_STRICT = re.compile(rb"(?<=[\"'])http://purl\.oclc\.org/ooxml/(\w+)/([\w/]+)")
_CONFORMANCE = re.compile(rb"\s\w+:conformance=(?:\"strict\"|'strict')")
_RENAMED = {b"extendedProperties": b"extended-properties", b"customProperties": b"custom-properties"}
_METADATA = b"relationships/metadata/"
_TYPES = "[Content_Types].xml"


def opened(data: bytes) -> Any:
    """The package as python-docx's ``Document``; errors are those of python-docx, zipfile and lxml."""
    import docx

    archive = zipfile.ZipFile(io.BytesIO(data))
    large = {secrets.token_bytes(16): entry for entry in archive.infolist() if is_large(entry)}
    stubs = {entry.filename: stub for stub, entry in large.items()}
    changed = dict(_repaired(archive)) | stubs
    document = docx.Document(io.BytesIO(_rewritten(archive, changed) if changed else data))
    _hold_aside(document.part.package, archive, large)
    return document


def is_large(entry: zipfile.ZipInfo) -> bool:
    """Whether an entry is left packed."""
    return entry.file_size > LARGE and not is_xml(entry.filename)


def is_xml(name: str) -> bool:
    return name.lower().endswith((".xml", ".rels"))


class _Packed(Part):  # type: ignore[misc]
    """A part that is unpacked whenever its bytes are asked for, and not kept."""

    def __init__(self, part: Any, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> None:
        super().__init__(part.partname, part.content_type, None, part.package)
        self._archive, self._entry = archive, entry

    @property
    def blob(self) -> bytes:
        return self._archive.read(self._entry) if self._blob is None else self._blob


def _hold_aside(package: Any, archive: zipfile.ZipFile, large: Mapping[bytes, zipfile.ZipInfo]) -> None:
    packed: dict[Any, _Packed] = {}
    for holder in [package, *package.iter_parts()] if large else ():
        for key, relation in holder.rels.items():
            part = None if relation.is_external else relation.target_part
            if part is not None and (entry := large.get(part.blob)):
                relation._target = packed.setdefault(part, _Packed(part, archive, entry))
                holder.rels._target_parts_by_rId[key] = relation._target


def _rewritten(archive: zipfile.ZipFile, changed: Mapping[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as new:
        for entry in archive.infolist():
            content = changed.get(entry.filename)
            new.writestr(entry.filename, archive.read(entry) if content is None else content)
    return stream.getvalue()


def _repaired(archive: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    """The XML of a package that has to be other than it is."""
    parts = _Parts(archive)
    for name in filter(is_xml, archive.namelist()):
        content = given = archive.read(name)
        if b"purl.oclc.org/ooxml" in content:
            content = _CONFORMANCE.sub(b"", _STRICT.sub(_transitional, content))
        if name.lower().endswith(".rels"):
            content = parts.related(name, content)
        if content is not given:
            yield name, content


def _transitional(match: re.Match[bytes]) -> bytes:
    kind, path = match[1], match[2]
    if path.startswith(_METADATA):
        return b"http://schemas.openxmlformats.org/package/2006/" + path
    path = b"/".join(_RENAMED.get(step, step) for step in path.split(b"/"))
    return b"http://schemas.openxmlformats.org/" + kind + b"/2006/" + path


class _Parts:
    """The parts of a package: those that are there and have a type."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        names = archive.namelist()
        types: Any = etree.fromstring(archive.read(_TYPES)) if _TYPES in names else ()
        typed = {local(e.tag) + (e.get("PartName") or e.get("Extension") or "").lower() for e in types}
        self._found = {"/" + name.lower(): "/" + name for name in names if _has_type(name, typed)}

    def related(self, name: str, content: bytes) -> bytes:
        """The relations of a part, those to what is not there led nowhere; the very bytes where all is well."""
        root = etree.fromstring(content)
        folder = posixpath.dirname(posixpath.dirname("/" + name))
        broken = [r for r in root.iter(etree.Element) if self._lead(r, folder)]
        return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True) if broken else content

    def _lead(self, relation: Any, folder: str) -> bool:
        """Lead a relation to the part that is meant, or nowhere; whether that had to be done."""
        target = relation.get("Target")
        if target is None or relation.get("TargetMode") == "External":
            return False
        there = posixpath.normpath(posixpath.join(folder, target))
        found = self._found.get(there.lower())
        if found == there:
            return False
        relation.set("Target", found or NOWHERE)
        if found is None:
            relation.set("TargetMode", "External")
        return True


def _has_type(name: str, typed: Iterable[str]) -> bool:
    return f"Override/{name.lower()}" in typed or f"Default{name.rpartition('.')[2].lower()}" in typed
