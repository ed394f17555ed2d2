"""Gold corpora: read and written, whatever the format.

A new format is one entry in `FORMATS`: its suffixes, a reader of numbered lines and a writer of text or bytes; or, for
one of several files, what makes these.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aef.corpus_tools.document import Document, paragraphs
from aef.corpus_tools.files import must_be_new, write_atomic
from aef.corpus_tools.gold import brat, conll, conllu_plus, docbin, doccano, label_studio
from aef.corpus_tools.gold.conll import to_conll
from aef.corpus_tools.gold.records import Place, check_document, document_from_record, document_to_record, dumps, loads
from aef.errors import InputError

__all__ = ["FORMATS", "iter_jsonl", "read_corpus", "read_gold", "to_conll", "to_jsonl", "write_gold"]

MAX_LINE = 1 << 28
"""Bytes a line may have: a ruling has thousands, a whole corpus on one line is not JSON Lines."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to read. ``labelled``: mentions must be given; ``document_start``: words a document's first line begins with
    (CoNLL files that do not mark their documents)."""

    labelled: bool = True
    document_start: Collection[str] = ()


Lines = Iterable[tuple[int, str]]
Located = Iterator[tuple[int, Document]]


@dataclass(frozen=True, slots=True)
class Format:
    """A corpus format. ``read`` yields documents with the number of their first line; ``write`` gives the file.

    files : of a format of several files, what is in each of them. lacks : what it cannot hold, of `LOSSES`.
    """

    suffixes: tuple[str, ...]
    read: Callable[[Path, Lines, Options], Located]
    write: Callable[[Sequence[Document]], str | bytes]
    files: Callable[[Sequence[Document], Path], Mapping[Path, str]] | None = None
    lacks: tuple[str, ...] = ()


LOSSES: dict[str, Callable[[Document], bool]] = {
    "further data of documents": lambda d: bool(d.meta),
    "parts of rulings (head, table, footnote ...)": lambda d: d.blocks != paragraphs(d.text),
}
"""What a format may lack, and whether a document has it."""


# --- the formats ----------------------------------------------------------------------------------------------------


def _read_jsonl(path: Path, lines: Lines, options: Options) -> Located:
    for number, line in lines:
        if line.strip():
            place = Place(path, number)
            record = loads(line, place)
            if doccano.is_doccano(record):
                yield number, doccano.document_from_doccano(record, place)
            else:
                yield number, document_from_record(record, place, options.labelled)


def to_jsonl(documents: Iterable[Document]) -> str:
    """Documents as JSON Lines."""
    return "".join(dumps(document_to_record(document)) + "\n" for document in documents)


def _read_conll(path: Path, lines: Lines, options: Options) -> Located:
    return conll.read(path, lines, options.document_start)


def _write_conll(documents: Sequence[Document]) -> str:
    return "".join(map(to_conll, documents))


def _one_ann(documents: Sequence[Document]) -> str:
    return "".join(map(brat.to_ann, documents))


FORMATS = {
    "jsonl": Format((".jsonl", ".ndjson"), _read_jsonl, to_jsonl),
    "conll": Format((".conll", ".tsv", ".bio"), _read_conll, _write_conll),
    "conllup": Format(
        (".conllup", ".conllu"), lambda path, lines, _: conllu_plus.read(path, lines), conllu_plus.to_conllup
    ),
    "brat": Format(
        (".ann",),
        lambda path, lines, _: brat.read(path, lines),
        _one_ann,
        brat.files,
        lacks=tuple(LOSSES),
    ),
    "doccano": Format((".doccano.jsonl",), lambda path, lines, _: doccano.read(path, lines), doccano.to_doccano),
    "labelstudio": Format(
        (".json",),
        lambda path, lines, options: label_studio.read(path, lines, options.labelled),
        label_studio.to_label_studio,
    ),
    "spacy": Format((".spacy",), lambda path, _, __: docbin.read(path), docbin.to_docbin),
}
"""The formats by name; a file's suffix chooses one where no name is given, and a folder is brat's."""


def format_name(path: str | Path, name: str | None = None) -> str:
    """The name of the format: the one given, or the one the file's suffix stands for; a folder's is brat's.

    Raises `InputError` where there is none.
    """
    if name is not None:
        if name not in FORMATS:
            raise InputError(f"unknown corpus format {name!r}. Use one of {', '.join(FORMATS)}")
        return name
    suffixes = {suffix: known for known, chosen in FORMATS.items() for suffix in chosen.suffixes}
    file = Path(path).name.lower()
    found = [suffix for suffix in suffixes if file.endswith(suffix)]
    if found:
        return suffixes[max(found, key=len)]
    if Path(path).is_dir():
        return "brat"
    known = ", ".join(suffixes)
    raise InputError.at(path, f"no corpus format has the suffix {Path(path).suffix!r}", remedy=f"Known: {known}")


def format_of(path: str | Path, name: str | None = None) -> Format:
    """The format of that name, or the one the file's suffix stands for; as `format_name`."""
    return FORMATS[format_name(path, name)]


def is_corpus(path: str | Path) -> bool:
    """Whether a path's suffix is that of a corpus format, or a folder holds brat's files."""
    file = Path(path).name.lower()
    suffixes = (suffix for chosen in FORMATS.values() for suffix in chosen.suffixes)
    return any(map(file.endswith, suffixes)) or (Path(path).is_dir() and any(Path(path).glob("*.ann")))


def losses(documents: Iterable[Document], chosen: Format) -> list[str]:
    """What of these documents a format cannot hold."""
    documents = list(documents)
    return [lack for lack in chosen.lacks if any(map(LOSSES[lack], documents))]


# --- reading --------------------------------------------------------------------------------------------------------


def read_gold(
    path: str | Path,
    format: str | None = None,
    *,
    labelled: bool = True,
    document_start: str | Collection[str] = (),
) -> list[Document]:
    """The documents of one corpus file.

    ``format`` names one of `FORMATS` (default: by suffix). ``labelled=False`` takes JSONL documents without mentions
    too. ``document_start`` gives the word or words that begin a document in a CoNLL file that does not mark them.
    Raises `InputError` naming file, line, value and remedy.

    >>> from aef import Mention
    >>> write_gold([Document.from_text("Ms. Zwetkow left.", "a", [Mention(4, 11, "PERSON")])], "gold.jsonl")
    >>> [document.cut(mention) for document in read_gold("gold.jsonl") for mention in document.mentions]
    ['Zwetkow']
    """
    return read_corpus([path], format, labelled=labelled, document_start=document_start)


def read_corpus(
    paths: Iterable[str | Path],
    format: str | None = None,
    *,
    labelled: bool = True,
    document_start: str | Collection[str] = (),
) -> list[Document]:
    """The documents of several files as one corpus; as `read_gold`. A ``doc_id`` met twice is an `InputError`."""
    words = (document_start,) if isinstance(document_start, str) else tuple(document_start)
    options = Options(labelled, words)
    places: dict[str, Place] = {}
    documents: list[Document] = []
    for path in map(Path, paths):
        before = len(documents)
        for number, document in format_of(path, format).read(path, _lines(path), options):
            place = Place(path, number)
            if document.doc_id in places:
                raise place.error(
                    f"the document {document.doc_id!r} is there already ({places[document.doc_id]})",
                    "Remove one of the two, or give it another doc_id",
                )
            places[document.doc_id] = place
            documents.append(document)
        if len(documents) == before:
            raise InputError.at(path, "holds no document", remedy="The file is empty")
    return documents


def iter_jsonl(path: str | Path, labelled: bool = True) -> Iterator[Document]:
    """The documents of a JSONL file one by one, for corpora too large for memory (duplicates are not looked for)."""
    for _, document in _read_jsonl(Path(path), _lines(Path(path)), Options(labelled)):
        yield document


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Numbered lines, from 1, without their ends. Only a line feed ends a line."""
    try:
        with path.open("rb") as stream:
            number = 0
            while line := stream.readline(MAX_LINE + 1):
                number += 1
                yield number, _decode(line, Place(path, number))
    except FileNotFoundError as error:
        raise InputError.at(path, "no such file") from error
    except OSError as error:
        raise InputError.at(path, f"cannot be read ({error.strerror})") from error


def _decode(line: bytes, place: Place) -> str:
    if len(line) > MAX_LINE:
        raise place.error(f"a line of more than {MAX_LINE >> 20} MB", "Put one document on a line")
    try:
        return line.decode("utf-8-sig" if place.line == 1 else "utf-8").removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise place.error(f"is not UTF-8 (byte {error.start + 1} of the line)", "Convert the file to UTF-8") from error


# --- writing --------------------------------------------------------------------------------------------------------


def write_gold(documents: Iterable[Document], path: str | Path, force: bool = False, format: str | None = None) -> None:
    """Write a corpus, whole or not at all; the format by name or suffix.

    Raises `InputError` where the file exists (without ``force``), where a document could not be read back (offsets,
    overlaps, half surrogates), and where two documents share a ``doc_id``.

    >>> from pathlib import Path
    >>> from aef import Mention
    >>> write_gold([Document.from_text("Ms. Zwetkow left.", "a", [Mention(4, 11, "PERSON")])], "gold.conll")
    >>> Path("gold.conll").read_text().splitlines()[-5:-1]
    ['Ms.\\tO', 'Zwetkow\\tB-PERSON', 'left\\tO', '.\\tO']
    """
    chosen = format_of(path, format)
    documents = list(documents)
    check_target(path, chosen, force)
    seen: set[str] = set()
    for document in documents:
        if document.doc_id in seen:
            raise InputError.at(path, f"two documents have the doc_id {document.doc_id!r}")
        seen.add(document.doc_id)
        check_document(document, Place(Path(path)))
    try:
        write_all(chosen, documents, Path(path), force)
    except UnicodeEncodeError as error:
        raise InputError.at(path, "a text holds half a surrogate pair, which no UTF-8 file can hold") from error


def check_target(path: str | Path, chosen: Format, force: bool) -> None:
    """Raise `InputError` where a corpus cannot be written there without ``force``; to call before long work begins."""
    folder = Path(path)
    if chosen.files is None or folder.suffix.lower() in chosen.suffixes:
        must_be_new([folder], force)
    elif folder.is_file():
        raise InputError.at(folder, "is a file", remedy="Name a folder: this format has two files a document")
    elif not force and folder.is_dir() and any(folder.iterdir()):
        raise InputError.at(folder, "is a folder that holds files", remedy="Name another, or overwrite with --force")


def write_all(chosen: Format, documents: Sequence[Document], path: Path, force: bool = False) -> None:
    """Write the file of a format, or its files, each whole or not at all; nothing is checked of the documents."""
    content = chosen.files(documents, path) if chosen.files else {path: chosen.write(documents)}
    encoded = {p: text.encode("utf-8") if isinstance(text, str) else text for p, text in content.items()}
    must_be_new(encoded, force)
    for file, data in encoded.items():
        write_atomic(file, data, force, private=True)  # it holds names
