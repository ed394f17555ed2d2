"""CoNLL/BIO: a token and its tag a line (tab between), a blank line after a sentence.

Comment lines make it loss-free. Those of a document stand before its first sentence::

    # newdoc id = 001-90973
    # meta = {"year": 2009}
    # mention = {"start_offset": 54, "end_offset": 62, ..., "entity_id": "e1"}
    # text = "PROCEDURE\\n\\n"
    PROCEDURE   O

``# text`` holds, as a JSON string, the exact stretch of the ruling from the sentence's first token to the next
sentence. The tags say which mentions there are; the mention comments hold the attributes of the mentions that are
still tagged, and the mentions BIO cannot show (inside another, or of white space alone). Without comments, as in
CoNLL files from elsewhere, the text is rebuilt from the tokens.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.gold.joining import join
from aef.corpus_tools.gold.records import (
    Place,
    check_overlaps,
    document_from_record,
    document_to_record,
    dumps,
    is_tag,
    loads,
    mention_from_record,
)

UNKNOWN = "UNKNOWN"
"""The tag's type where a mention has none."""

ALIASES = {UNKNOWN: None, "PER": "PERSON"}
"""Types of tags that have another name in the product."""

Span = tuple[int, int, str]

# --- tags -----------------------------------------------------------------------------------------------------------


def entity_spans(tags: Sequence[str]) -> list[Span]:
    """The entities of a BIO sequence as (first, end, type), in tokens.

    Broken BIO is repaired: ``I-X`` that does not continue an X begins one.

    >>> entity_spans(["B-PERSON", "I-PERSON", "O", "I-LOC"])
    [(0, 2, 'PERSON'), (3, 4, 'LOC')]
    """
    spans: list[Span] = []
    for i, tag in enumerate(tags):
        kind = tag[2:]
        if tag.startswith("I-") and spans and spans[-1][1:] == (i, kind):
            spans[-1] = (spans[-1][0], i + 1, kind)
        elif tag != "O":
            spans.append((i, i + 1, kind))
    return spans


def label_of(entity_type: str | None) -> str:
    return "_".join((entity_type or "").split()) or UNKNOWN


# --- writing --------------------------------------------------------------------------------------------------------


def to_conll(document: Document) -> str:
    """The document in CoNLL/BIO with comments, from which it is read back without loss.

    Tokens are the document's own; what stands between them (punctuation) becomes tokens too, and a token is cut
    where a mention's bounds cut it.
    """
    outer, _ = nesting(document.mentions)
    borders = sentence_borders(document, outer)
    units = tokens_and_marks(document, {*borders, *(x for m in outer for x in (m.start, m.end))})
    lines = header(document)
    starts = [start for start, _ in units]
    tags = tags_of(units, outer)
    for start, end in pairwise([*borders, len(document.text)]):
        low, high = bisect_left(starts, start), bisect_left(starts, end)
        lines.append(f"# text = {dumps(document.text[start:end])}")
        lines += [f"{document.text[s:e]}\t{tag}" for (s, e), tag in zip(units[low:high], tags[low:high], strict=True)]
        lines.append("")
    return "\n".join(lines) + "\n"


def header(document: Document) -> list[str]:
    record = document_to_record(document)
    doc_id, _, mentions, blocks = (record.pop(key, None) for key in ("doc_id", "text", "mentions", "blocks"))
    lines = [f"# newdoc id = {_write_id(doc_id)}"]
    lines += [f"# meta = {dumps(record)}"] if record else []
    lines += [f"# blocks = {dumps(blocks)}"] if blocks is not None else []
    return lines + [f"# mention = {dumps(mention)}" for mention in mentions]


def _write_id(doc_id: str) -> str:
    plain = doc_id.isprintable() and doc_id == " ".join(doc_id.split()) and doc_id[:1] not in ("", '"')
    return doc_id if plain else dumps(doc_id)


def nesting(mentions: Iterable[Mention]) -> tuple[list[Mention], list[Mention]]:
    """The mentions that lie inside no other, and those that do; both in text order."""
    outer: list[Mention] = []
    inner: list[Mention] = []
    for mention in sorted(mentions, key=lambda m: (m.start, -m.end)):
        inside = bool(outer) and mention.start < outer[-1].end
        (inner if inside else outer).append(mention)
    return outer, inner


def _bare(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space at its ends (empty where there is nothing else)."""
    cut = text[start:end]
    low = start + len(cut) - len(cut.lstrip())
    return low, max(low, start + len(cut.rstrip()))


def sentence_borders(document: Document, outer: Sequence[Mention]) -> list[int]:
    """Where the stretches of text begin: 0, then each sentence or block, never inside a mention."""
    text = document.text
    candidates = {b.start for b in document.blocks} | set(_sentence_starts(document))
    bare = [_bare(text, m.start, m.end) for m in outer]
    starts = [start for start, _ in bare]
    borders = [0]
    for border in sorted(candidates):
        i = bisect_left(starts, border) - 1
        if text[borders[-1] : border].strip() and not (i >= 0 and border < bare[i][1]):
            borders.append(border)
    return borders


def _sentence_starts(document: Document) -> Iterator[int]:
    """The begin of each sentence inside a block, opening quotes and brackets included."""
    tokens = document.tokens
    block_starts = [b.start for b in document.blocks]
    for i in tokens.sentence_starts:
        start = int(tokens.starts[i])
        before = int(tokens.ends[i - 1]) if i else 0
        if bisect_right(block_starts, start) == bisect_left(block_starts, before):
            chunk = document.text[before:start].split()
            attached = bool(chunk) and not document.text[start - 1].isspace()
            yield start - len(chunk[-1]) if attached and len(chunk[-1]) < start - before else start


_MARKS = re.compile(r"\w+|([^\w\s])\1*")


def tokens_and_marks(document: Document, cuts: Collection[int]) -> list[tuple[int, int]]:
    """Every stretch of text that is not white space, as tokens: the document's own, and the marks between them."""
    tokens = document.tokens
    ordered = sorted(cuts)
    units: list[tuple[int, int]] = []
    last = 0
    for start, end in [*zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True), (len(document.text),) * 2]:
        for match in _MARKS.finditer(document.text, last, start):
            units += _cut(*match.span(), ordered)
        units += _cut(start, end, ordered) if end > start else []
        last = end
    return units


def _cut(start: int, end: int, cuts: Sequence[int]) -> list[tuple[int, int]]:
    inside = cuts[bisect_right(cuts, start) : bisect_left(cuts, end)]
    return list(zip([start, *inside], [*inside, end], strict=True))


def tags_of(units: Sequence[tuple[int, int]], outer: Sequence[Mention]) -> list[str]:
    tags = ["O"] * len(units)
    starts = [start for start, _ in units]
    for mention in outer:
        low, high = bisect_left(starts, mention.start), bisect_left(starts, mention.end)
        for i in range(low, high):
            tags[i] = f"{'B' if i == low else 'I'}-{label_of(mention.entity_type)}"
    return tags


# --- reading --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Sentence:
    """Comments and tokens up to a blank line, each with its line."""

    comments: list[tuple[int, str, str]] = field(default_factory=list)  # line, key, value
    tokens: list[tuple[int, str, str]] = field(default_factory=list)  # line, token, tag


_COMMENT = re.compile(r"# *(?:(newdoc)(?: +id *= *(.*))?|(meta|blocks|mention|text) *= *(.*))", re.DOTALL)


def _sentences(path: Path, lines: Iterable[tuple[int, str]]) -> Iterator[_Sentence]:
    current = _Sentence()
    for number, line in lines:
        comment = _comment(line)
        if (current.tokens and comment) or not line.strip():
            if current.comments or current.tokens:
                yield current
            current = _Sentence()
        if comment:
            current.comments.append((number, *comment))
        elif line.strip() and not _is_comment(line):
            current.tokens.append((number, *_token(line, Place(path, number))))
    if current.comments or current.tokens:
        yield current


def _is_comment(line: str) -> bool:
    token, _, tag = line.partition(" ")
    return token.startswith("#") and "\t" not in line and not is_tag(tag.strip(" "))


def _comment(line: str) -> tuple[str, str] | None:
    """Key and value of a comment that means something here."""
    if line.startswith("-DOCSTART-"):
        return "newdoc", ""
    match = _COMMENT.fullmatch(line) if _is_comment(line) else None
    return (match[1] or match[3], match[2] or match[4] or "") if match else None


def _token(line: str, place: Place) -> tuple[str, str]:
    fields = line.split("\t") if "\t" in line else line.rstrip(" ").split(" ")
    word, tag = fields[0], fields[-1]
    if len(fields) < 2 or not word.strip():
        raise place.error("a line without token and tag", "Write token, tab, tag; a blank line ends a sentence")
    if not is_tag(tag):
        raise place.error(f"{tag[:30]!r} is no tag", "Use O, B-TYPE or I-TYPE")
    return word, tag


@dataclass(slots=True)
class Draft:
    """A document while its sentences are read."""

    place: Place
    line: int
    doc_id: str
    text: list[str] = field(default_factory=list)
    length: int = 0
    spans: list[Span] = field(default_factory=list)  # in characters
    mentions: list[tuple[Place, str]] = field(default_factory=list)
    further: dict[str, Any] = field(default_factory=dict)  # meta and blocks

    def add(self, stretch: str, spans: Iterable[Span]) -> None:
        self.spans += [(self.length + start, self.length + end, kind) for start, end, kind in spans]
        self.text.append(stretch)
        self.length += len(stretch)

    def finish(self) -> Document:
        text = "".join(self.text)
        kept = [mention_from_record(loads(value, place), text, place) for place, value in self.mentions]
        check_overlaps(kept, self.place)
        record = self.further | {"text": text, "doc_id": self.doc_id, "mentions": []}
        document = document_from_record(record, self.place)
        return document.with_mentions(_reconcile(text, self.spans, kept))


def read(
    path: Path, lines: Iterable[tuple[int, str]], document_start: Collection[str] = ()
) -> Iterator[tuple[int, Document]]:
    """The documents of a CoNLL file, each with the number of its first line.

    A document begins at ``# newdoc``, at ``-DOCSTART-``, or at a sentence whose first token is one of the words
    ``document_start`` (case counts, accents do not). Where nothing of that is given and the file begins with a heading,
    a sentence in capitals, one begins wherever that heading comes again. Raises `InputError` with the line.
    """
    starters = {_plain(word) for word in document_start}
    draft: Draft | None = None
    count, heading = 0, ""
    for sentence in _sentences(path, lines):
        named = next((value for _, key, value in sentence.comments if key == "newdoc"), None)
        if draft is None and named is None and not starters:
            heading = _heading(sentence)
        starts = bool(sentence.tokens) and _plain(sentence.tokens[0][1]) in starters
        if draft is None or named is not None or starts or (heading and _heading(sentence) == heading):
            if draft is not None:
                yield draft.line, draft.finish()
            count += 1
            line = (sentence.comments or sentence.tokens)[0][0]
            draft = Draft(Place(path, line), line, read_id(named or "", f"{path.stem}-{count}", Place(path, line)))
        _add(sentence, draft)
    if draft is not None:
        yield draft.line, draft.finish()


def _heading(sentence: _Sentence) -> str:
    """The words of a sentence that is a heading in capitals, without accents; else nothing."""
    words = [word for _, word, tag in sentence.tokens if tag == "O"]
    letters = "".join(filter(str.isalpha, "".join(words)))
    is_one = len(letters) >= _SHORTEST and letters.isupper() and len(words) == len(sentence.tokens)
    return _plain(" ".join(words)) if is_one else ""


_SHORTEST = 5  # letters of a heading


def _plain(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


def read_id(value: str, default: str, place: Place) -> str:
    parsed = loads(value, place) if value.startswith('"') else value or default
    return parsed if isinstance(parsed, str) else default


def _add(sentence: _Sentence, draft: Draft) -> None:
    """Take what a sentence says into the document."""
    stretch = None
    for number, key, value in sentence.comments:
        place = draft.place._replace(line=number)
        if key == "mention":
            draft.mentions.append((place, value))
        elif key == "blocks":
            draft.further["blocks"] = loads(value, place)
        elif key == "meta":
            draft.further |= an_object(loads(value, place), place)
        elif key == "text":
            stretch = _stretch(value, place)
    words = [word for _, word, _ in sentence.tokens]
    if stretch is None:
        stretch, offsets = join(words)
    else:
        offsets = _locate(sentence.tokens, stretch, draft.place)
    spans = entity_spans([tag for _, _, tag in sentence.tokens])
    draft.add(stretch, [(offsets[first][0], offsets[end - 1][1], kind) for first, end, kind in spans])


def an_object(value: Any, place: Place) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise place.error("'# meta' is not a JSON object")
    return value


def _stretch(value: str, place: Place) -> str:
    """The text of ``# text``: a JSON string, exact; or, in files from elsewhere, the sentence as it is."""
    if not value.startswith('"'):
        return value + "\n"
    parsed = loads(value, place)
    return parsed if isinstance(parsed, str) else value + "\n"


def _locate(tokens: Iterable[tuple[int, str, str]], stretch: str, place: Place) -> list[tuple[int, int]]:
    """The offsets of the tokens in their stretch of text; between them only white space."""
    offsets = []
    cursor = 0
    for number, word, _ in tokens:
        start = stretch.find(word, cursor)
        if start < 0 or stretch[cursor:start].strip():
            raise place._replace(line=number).error(
                f"the token {word[:30]!r} does not follow here in the sentence's '# text'",
                "Mend the token, or remove the '# text' comment to have the text rebuilt from the tokens",
            )
        cursor = start + len(word)
        offsets.append((start, cursor))
    return offsets


# --- tags and comments ----------------------------------------------------------------------------------------------


def _reconcile(text: str, tagged: Iterable[Span], kept: Sequence[Mention]) -> list[Mention]:
    """The mentions a file says: those tagged, with what the comments know of them, and those BIO cannot show."""
    outer, inner = nesting(kept)
    known = {_bare(text, m.start, m.end): m for m in [*reversed(inner), *outer]}
    mentions = [_tagged(span, known.get(span[:2])) for span in tagged]
    blank = [m for m in outer if not text[m.start : m.end].strip()]
    spans = {(m.start, m.end) for m in mentions}
    inside = [m for m in inner if (m.start, m.end) not in spans and (_within(m, mentions) or _within(m, blank))]
    return mentions + blank + inside


def _within(mention: Mention, others: Sequence[Mention]) -> bool:
    """Whether one of the others, which follow each other in the text, holds the mention."""
    i = bisect_right(others, mention.start, key=lambda m: m.start) - 1
    return i >= 0 and mention.end <= others[i].end


def _tagged(span: Span, known: Mention | None) -> Mention:
    start, end, label = span
    entity_type = ALIASES.get(label, label)
    if known is None:
        return Mention(start, end, entity_type)
    return known if label_of(known.entity_type) == label else replace(known, entity_type=entity_type)
