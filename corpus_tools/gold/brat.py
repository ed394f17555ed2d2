"""brat's stand-off format: a text file, and beside it an ``.ann`` file that points into it; both ways.

A mention is a text-bound annotation, ``T1<tab>PERSON 0 5<tab>Green``; one that reaches over line ends is written in
pieces (``0 5;6 12``), as brat does. What else is known of it stands in a note of the annotator, as JSON. In files from
elsewhere, ``Equiv`` lines tell entities; events, relations and attributes are left out. Pieces with anything but white
space between them (discontinuous annotations) are refused: a stretch with a hole is no mention here. Offsets are code
points, of the text file as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote, unquote

from aef.corpus_tools.document import Document, Mention, lines
from aef.corpus_tools.gold.conll import ALIASES
from aef.corpus_tools.gold.labels import Labelled, further, label_of, labelled_mentions
from aef.corpus_tools.gold.records import Place, dumps, loads, mention_from_record
from aef.errors import InputError

MAX_BYTES = 50_000_000
NOTE = "AnnotatorNotes"
_SAFE = "-_ .()[]+,;=@&'"


def to_ann(document: Document) -> str:
    """The ``.ann`` file of a document."""
    lines = []
    for number, mention in enumerate(document.mentions, 1):
        pieces = ";".join(f"{start} {end}" for start, end in _pieces(document.text, mention))
        shown = "".join(" " if c.isspace() else c for c in document.cut(mention))
        lines.append(f"T{number}\t{_type(mention)} {pieces}\t{shown}")
        told = further(document, mention)
        told |= {"entity_type": mention.entity_type} if _typed(_type(mention)) != mention.entity_type else {}
        lines += [f"#{number}\t{NOTE} T{number}\t{dumps(told)}"] if told else []
    return "".join(f"{line}\n" for line in lines)


def _type(mention: Mention) -> str:
    """The label as brat takes it: letters, digits, hyphen, underscore."""
    return "".join(c if c.isascii() and (c.isalnum() or c == "-") else "_" for c in label_of(mention))


def _pieces(text: str, mention: Mention) -> list[tuple[int, int]]:
    """The mention's stretch cut at line ends; whole where it begins or ends with white space."""
    cut = text[mention.start : mention.end]
    if cut != cut.strip():
        return [(mention.start, mention.end)]
    found = ((start, cut[start:end]) for start, end in lines(cut))
    return [
        (mention.start + start + len(line) - len(line.lstrip()), mention.start + start + len(line.rstrip()))
        for start, line in found
        if line.strip()
    ]


def files(documents: Sequence[Document], path: Path) -> dict[Path, str]:
    """The files of documents: in the folder ``path``, named after the documents; or ``path`` and the text beside it.

    Raises `InputError` where several documents are to go into one ``.ann`` file, or two into one name.
    """
    if path.suffix.lower() == ".ann":
        if len(documents) != 1:
            raise InputError.at(path, f"{len(documents)} documents for one file", remedy="Name a folder")
        return _pair(documents[0], path)
    found: dict[Path, str] = {}
    seen: set[str] = set()
    for document in documents:
        name = _file_name(document.doc_id, path)
        if name.casefold() in seen:
            raise InputError.at(path, f"two documents would have the file name {name!r}")
        seen.add(name.casefold())
        found |= _pair(document, path / f"{name}.ann")
    return found


def _pair(document: Document, path: Path) -> dict[Path, str]:
    return {path.with_name(f"{path.name[: -len('.ann')]}.txt"): document.text, path: to_ann(document)}


def _file_name(doc_id: str, path: Path) -> str:
    """The document's name as a file's: what cannot stand in one as %XX."""
    name = "".join(c if c.isalnum() or c in _SAFE else quote(c, safe="", errors="strict") for c in doc_id)
    name = "%2E" + name[1:] if name.startswith(".") else name
    if not name or len(name.encode()) > 200:
        raise InputError.at(path, f"the doc_id {doc_id[:40]!r} is no name for a file", remedy="Give it another one")
    return name


# --- reading --------------------------------------------------------------------------------------------------------


@dataclass
class _Drawn:
    """What an ``.ann`` file says: stretches by identifier, notes on them, and sets of them that are one."""

    spans: dict[str, Labelled] = field(default_factory=dict)
    notes: dict[str, tuple[Place, str]] = field(default_factory=dict)
    same: list[list[str]] = field(default_factory=list)


def read(path: Path, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, Document]]:
    """The document of an ``.ann`` file, or those of a folder. Raises `InputError` with the line."""
    if path.is_dir():
        for ann in sorted(path.glob("*.ann")):
            yield 1, document_from_ann(ann, _numbered(ann))
        return
    yield 1, document_from_ann(path, lines)


def _numbered(path: Path) -> Iterator[tuple[int, str]]:
    yield from enumerate(_text(path).split("\n"), 1)


def document_from_ann(path: Path, lines: Iterable[tuple[int, str]]) -> Document:
    """The document of an ``.ann`` file and the text beside it."""
    text = _text(path.with_name(f"{path.name[: -len('.ann')]}.txt"))
    drawn = _Drawn()
    for number, line in lines:
        _take(line, Place(path, number), drawn, text)
    known = {key: _known(drawn.spans[key], note, text) for key, note in drawn.notes.items() if key in drawn.spans}
    spans = [(*span[:2], label_of(known[key]) if key in known else span[2]) for key, span in drawn.spans.items()]
    mentions = labelled_mentions(text, spans, list(known.values()), Place(path))
    entities = {key: f"E{i}" for i, keys in enumerate(drawn.same, 1) for key in keys}
    named = [
        replace(m, entity_id=entities[key]) if m.entity_id is None and key in entities else m
        for key, m in zip(drawn.spans, mentions, strict=True)
    ]
    name = unquote(path.name[: -len(".ann")])
    return Document.from_text(text, name, named)


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError.at(path, f"has more than {MAX_BYTES // 1_000_000} MB: too large for a ruling")
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError as error:
        remedy = "Its text has to stand beside an .ann file, with the same name and .txt"
        raise InputError.at(path, "no such file", remedy=remedy) from error
    except OSError as error:
        raise InputError.at(path, f"cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise InputError.at(path, f"is not UTF-8 (byte {error.start + 1})", remedy="Convert it to UTF-8") from error


def _take(line: str, place: Place, drawn: _Drawn, text: str) -> None:
    key, _, rest = line.partition("\t")
    if key.startswith("T"):
        if key in drawn.spans:
            raise place.error(f"{key} is there already", "Give each annotation a number of its own")
        drawn.spans[key] = _span(rest, place, text)
    elif key.startswith("#"):
        what, _, note = rest.partition("\t")
        kind, _, target = what.partition(" ")
        if kind == NOTE and note.startswith("{"):
            drawn.notes[target] = place, note
    elif key == "*":
        kind, *members = rest.split()
        drawn.same += [members] if kind in ("Equiv", "Coref") else []


_TEXT_BOUND = re.compile(r"(\S+) (\d{1,9} \d{1,9}(?:;\d{1,9} \d{1,9})*)(?:\t(.*))?", re.DOTALL)


def _span(rest: str, place: Place, text: str) -> Labelled:
    match = _TEXT_BOUND.fullmatch(rest)
    if match is None:
        raise place.error("is no text-bound annotation", "Write T1, tab, TYPE START END, tab, the text")
    pieces = [tuple(map(int, piece.split(" "))) for piece in match[2].split(";")]
    start, end = pieces[0][0], pieces[-1][1]
    for (_, before), (after, _) in pairwise(pieces):
        if before > after or text[before:after].strip():
            raise place.error(
                f"a discontinuous annotation ({match[2]})",
                "A mention is one stretch of text: annotate the parts, or the whole",
            )
    told = match[3]
    if told is not None and told.split() != text[start:end].split():
        raise place.error(f"the text at {start} to {end} is another", "The offsets do not fit the text file beside it")
    return start, end, match[1]


def _known(span: Labelled, note: tuple[Place, str], text: str) -> Mention:
    """What a note of ours tells of the mention; a note of an annotator that is no such JSON tells nothing."""
    place, content = note
    start, end, label = span
    try:
        record = loads(content, place)
        told = record if isinstance(record, dict) else {}
        offsets = {"start_offset": start, "end_offset": end}
        mention = mention_from_record({"entity_type": _typed(label), **told, **offsets}, text, place)
    except InputError:
        return Mention(start, end, _typed(label))
    return mention if _type(mention) == label else replace(mention, entity_type=_typed(label))


def _typed(label: str) -> str | None:
    return ALIASES.get(label, label)
