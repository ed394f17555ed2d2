"""Ways to damage a DOCX: as bytes, as an archive, as a package of parts with relations and types, and as XML."""

from __future__ import annotations

import io
import random
import re
import struct
import warnings
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

from lxml import etree

Mutation = Callable[[bytes, random.Random], bytes]


def mutate(data: bytes, chance: random.Random) -> bytes:
    """The file changed in one of many ways, or in several."""
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        data = chance.choice(MUTATIONS)(data, chance)
    return data


# --- bytes and archives ---------------------------------------------------------------------------------------------


def _bytes(data: bytes, chance: random.Random) -> bytes:
    """A few bytes changed, taken out or put in."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(changed) + 1)
        kind = chance.randrange(3)
        changed[at : at + kind] = bytes(chance.randrange(256) for _ in range(chance.randrange(3)))
    return bytes(changed)


def _cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _headers(data: bytes, chance: random.Random) -> bytes:
    """A number in the headers of the archive's entries or in its directory: sizes, offsets, methods, flags."""
    changed = bytearray(data)
    places = [
        (match.start(), fields)
        for sign, fields in _FIELDS.items()
        for match in re.finditer(re.escape(sign), data)
        if match.start() + max(fields) + 4 <= len(data)
    ]
    for _ in range(chance.randint(1, 3) if places else 0):
        start, fields = chance.choice(places)
        at = chance.choice(list(fields))
        value = chance.choice([0, 1, 8, 9, 99, 0xFFFE, 0xFFFF, 0xFFFFFFFF, 1 << 31, chance.randrange(1 << 32)])
        size = fields[at]
        changed[start + at : start + at + size] = struct.pack("<Q", value)[:size]
    return bytes(changed)


_FIELDS: dict[bytes, dict[int, int]] = {
    b"PK\x03\x04": {4: 2, 6: 2, 8: 2, 14: 4, 18: 4, 22: 4, 26: 2, 28: 2},
    b"PK\x01\x02": {4: 2, 6: 2, 8: 2, 10: 2, 16: 4, 20: 4, 24: 4, 28: 2, 30: 2, 32: 2, 38: 4, 42: 4},
    b"PK\x05\x06": {4: 2, 6: 2, 8: 2, 10: 2, 12: 4, 16: 4, 20: 2},
}
"""By signature the places and sizes of the fields of a local header, a directory's entry and the directory's end."""


def _around(data: bytes, chance: random.Random) -> bytes:
    """Something before, behind or in the archive's end: another archive, a comment, what an unzipper skips."""
    other = chance.choice(
        [b"Zwetkow", b"PK\x03\x04", b"MZ" + bytes(100), data[: len(data) // 2], b"PK\x05\x06" + bytes(18)]
    )
    kind = chance.randrange(3)
    if kind == 0:
        return other + data
    if kind == 1:
        return data + other
    end = data.rfind(b"PK\x05\x06")
    comment = other[:60000]
    return data[: end + 20] + struct.pack("<H", len(comment)) + comment if end >= 0 else data


def _structure(data: bytes, chance: random.Random) -> bytes:
    """Entries taken out, doubled, renamed, exchanged or added."""
    parts = _parts(data)
    if not parts:
        return data
    i, j = chance.randrange(len(parts)), chance.randrange(len(parts))
    kind = chance.randrange(5)
    if kind == 0:
        del parts[i]
    elif kind == 1:
        name = parts[i][0]
        parts.append((chance.choice([name.upper(), name.lower(), name]), parts[i][1]))
    elif kind == 2:
        parts[i] = (chance.choice(_NAMES), parts[i][1])
    elif kind == 3:
        parts[i], parts[j] = (parts[i][0], parts[j][1]), (parts[j][0], parts[i][1])
    else:
        added = chance.choice([b"", b"<a/>", b"\0" * 9, b"PK\3\4", bytes(10**6), data])
        parts.append((f"word/{chance.randrange(9)}.xml", added))
    return _packed(parts)


_NAMES = (
    "../x.xml",
    "/a",
    "word/x.xml",
    "",
    "C:\\x",
    "word//document.xml",
    "word/",
    "w\u00f6rd/x.xml",
    "x" * 70000,
    "a\0b",
)


# --- the package ----------------------------------------------------------------------------------------------------

_TARGETS = (
    "", "#", "../../../etc/passwd", "/word/document.xml", "document.xml", "_rels/document.xml.rels", "/", "..", "x y",
    "http://zwetkow.example/?q=%5A",
    "file:///C:/Users/Zwetkow/a.docx", "\\\\server\\Zwetkow", "mailto:", "%00", "media/",
    "styles.xml#Zwetkow", "/[Content_Types].xml", "http://[", "word/document.xml" * 1000,
)  # fmt: skip
_KINDS = (
    "officeDocument", "styles", "header", "footnotes", "comments", "image", "hyperlink", "chart", "aFChunk",
    "oleObject",
    "customXml", "settings", "numbering", "theme", "nonsense", "",
)  # fmt: skip
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"


def _relations(content: bytes, chance: random.Random) -> bytes:
    """Relations that lead elsewhere, nowhere, out of the package or in a circle; of other kinds; with one id twice."""
    root = _parsed(content)
    if root is None or not len(root):
        return content
    for _ in range(chance.randint(1, 4)):
        relation, other = chance.choice(list(root)), chance.choice(list(root))
        kind = chance.randrange(6)
        if kind == 0:
            relation.set("Target", chance.choice([*_TARGETS, other.get("Target", "")]))
        elif kind == 1:
            relation.set("Type", chance.choice([_OFFICE + chance.choice(_KINDS), other.get("Type", "")]))
        elif kind == 2:
            relation.set("Id", chance.choice([other.get("Id", ""), "", "Zwetkow", "rId1", "rId99999999999"]))
        elif kind == 3:
            relation.set("TargetMode", chance.choice(["External", "Internal", "external", ""]))
        elif kind == 4:
            added = etree.SubElement(root, relation.tag, dict(relation.attrib))
            added.set("Id", f"rId{chance.randrange(1, 400)}")
            added.set("Target", chance.choice(_TARGETS))
        else:
            del relation.attrib[chance.choice(list(relation.attrib) or ["Id"])]
            root.append(relation)
    return bytes(etree.tostring(root))


def _types(content: bytes, chance: random.Random) -> bytes:
    """Content types exchanged, taken away, given twice or for parts that are not there."""
    root = _parsed(content)
    if root is None or not len(root):
        return content
    for _ in range(chance.randint(1, 3)):
        one, other = chance.choice(list(root)), chance.choice(list(root))
        kind = chance.randrange(5)
        if kind == 0:
            one.set(
                "ContentType",
                chance.choice([other.get("ContentType", ""), "image/png", "application/xml", "", "x/" * 99]),
            )
        elif kind == 1:
            root.remove(one)
            if not len(root):
                root.append(one)
        elif kind == 2:
            key = "PartName" if "PartName" in one.attrib else "Extension"
            one.set(
                key, chance.choice(["/word/none.xml", "XML", "", "rels", "/word/DOCUMENT.xml", "/word/document.xml"])
            )
        elif kind == 3:
            etree.SubElement(root, other.tag, dict(other.attrib))
        else:
            one.attrib.clear()
    return bytes(etree.tostring(root))


# --- parts ----------------------------------------------------------------------------------------------------------


def _tags(content: bytes, chance: random.Random) -> bytes:
    """Tags taken out, doubled, moved or exchanged: mostly no XML any more, sometimes other XML."""
    pieces = re.split(rb"(<[^>]*>)", content)
    for _ in range(chance.randint(1, 4)):
        i, j = chance.randrange(len(pieces)), chance.randrange(len(pieces))
        kind = chance.randrange(4)
        if kind == 0:
            pieces[i] = b""
        elif kind == 1:
            pieces[i] *= 2
        else:
            pieces[i], pieces[j] = pieces[j], pieces[i]
    return b"".join(pieces)


def _elements(content: bytes, chance: random.Random) -> bytes:
    """Whole elements taken out, doubled, moved, renamed or nested: still XML, but of no schema."""
    root = _parsed(content)
    if root is None:
        return content
    elements = list(root.iter(etree.Element))
    for _ in range(chance.randint(1, 5)):
        one, other = chance.choice(elements), chance.choice(elements)
        parent = one.getparent()
        kind = chance.randrange(7)
        if parent is None:
            continue
        if kind == 0:
            parent.remove(one)
        elif kind == 1:
            other.append(etree.fromstring(etree.tostring(one)))
        elif kind == 2 and other not in list(one.iter()):
            other.insert(0, one)
        elif kind == 3:
            one.tag = other.tag
        elif kind == 4:
            one.attrib.update(other.attrib)
        elif kind == 5:
            one.text = chance.choice([None, "", "Zwetkow", " ", "-1", "\u00ad\u200b", "1" * 30])
        else:
            for key in one.attrib:
                one.set(key, chance.choice([*_VALUES, *one.attrib.values()]))
    return bytes(etree.tostring(root))


_VALUES = ("", "-1", "x", "rId1", "99999999999999999999", "Zwetkow", "1e9", "NaN", "true", " ", "\u00e9", "0x7fffffff")


def _huge(content: bytes, chance: random.Random) -> bytes:
    """An attribute, a text, a name or a row of elements or attributes much longer than any in a document."""
    root = _parsed(content)
    if root is None:
        return content
    one = chance.choice(list(root.iter(etree.Element)))
    size = chance.choice([10**4, 10**5, 10**6, 3 * 10**6])
    filling = chance.choice(["x", "Zwetkow ", "\u0301", "a-\u00ad", ". ", "Zwetko", "_", "%5A"])
    text = (filling * (size // len(filling) + 1))[:size]
    kind = chance.randrange(5)
    if kind == 0 and one.attrib:
        one.set(chance.choice(list(one.attrib)), text)
    elif kind == 1:
        one.text = text
    elif kind == 2:
        for number in range(min(size, 20_000)):
            one.set(f"a{number}", "Zwetkow")
    elif kind == 3:
        row = [etree.SubElement(one, one.tag, dict(one.attrib)) for _ in range(min(size, 30_000))]
        row[-1].text = "Zwetkow"
    else:
        etree.SubElement(one, "x" * min(size, 40_000)).tail = text[:1000]
    return bytes(etree.tostring(root, encoding="utf-8"))


def _nested(content: bytes, chance: random.Random) -> bytes:
    """A part in which elements stand deep inside one another, or that declares something."""
    tag = chance.choice([b"w:p", b"w:r", b"w:tbl", b"w:sdt", b"w:ins", b"w:smartTag", b"w:hyperlink", b"x"])
    depth = chance.choice([10, 200, 250, 300, 5000, 100_000])
    declared = chance.choice([b"", b"", b"<!DOCTYPE a [<!ENTITY b 'c'>]>"])
    text = b"<w:r><w:t>Zwetkow</w:t></w:r>" if b"xmlns:w=" in content else b"Zwetkow"
    body = (b"<" + tag + b">") * depth + text + b"&b;" * bool(declared) + (b"</" + tag + b">") * depth
    return declared + re.sub(
        rb"(<w:body>|<w:(?:hdr|ftr|comments|styles)\b[^>]*>)", lambda m: m[1] + body, content, count=1
    )


def _parsed(content: bytes) -> Any:
    try:
        return etree.fromstring(content)
    except (etree.XMLSyntaxError, ValueError):
        return None


# --- parts of archives ----------------------------------------------------------------------------------------------


def _in_a_part(change: Mutation, which: str = "") -> Mutation:
    """A change to the content of one entry (whose name matches), packed anew."""

    def mutation(data: bytes, chance: random.Random) -> bytes:
        parts = _parts(data)
        fitting = [i for i, (name, _) in enumerate(parts) if re.search(which, name)]
        if fitting:
            i = chance.choice(fitting)
            parts[i] = (parts[i][0], change(parts[i][1], chance))
        return _packed(parts) if parts else data

    return mutation


def _parts(data: bytes) -> list[tuple[str, bytes]]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return [(entry.filename, archive.read(entry)) for entry in archive.infolist() if entry.file_size < 10**7]
    except Exception:  # a mutation before may have left no archive
        return []


def _packed(parts: Sequence[tuple[str, bytes]]) -> bytes:
    stream = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        warnings.simplefilter("ignore")  # of doubled names
        for name, content in parts:
            archive.writestr(zipfile.ZipInfo((name or "x")[:65535]), content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


MUTATIONS: list[Mutation] = [
    _bytes,
    _cut,
    *[_headers] * 2,
    _around,
    _structure,
    *[_in_a_part(_relations, r"\.rels$")] * 3,
    *[_in_a_part(_types, r"^\[Content_Types\]")] * 2,
    _in_a_part(_bytes),
    _in_a_part(_tags),
    *[_in_a_part(_elements)] * 8,  # what gets past the door
    _in_a_part(_huge),
    _in_a_part(_nested, r"^word/"),
]
