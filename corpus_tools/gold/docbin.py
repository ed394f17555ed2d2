"""spaCy's DocBin, the format spaCy trains from; both ways. Needs spaCy (the extra ``spacy``).

The outermost mentions are ``doc.ents``, those inside others the span group `GROUP`; what spaCy's spans cannot say
stands as JSON in ``doc.user_data`` (see `aef.corpus_tools.gold.labels`). Tokens are the product's, white space is kept
as tokens, so that ``doc.text`` is the ruling's text. A DocBin holds no code: it is compressed MessagePack.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.files import read_bytes
from aef.corpus_tools.gold.conll import nesting, tokens_and_marks
from aef.corpus_tools.gold.labels import KEPT, Labelled, kept, label_of, restored
from aef.corpus_tools.gold.records import Place, dumps, loads
from aef.errors import InputError

GROUP = "aef"
MAX_BYTES = 2_000_000_000
"""What a file may unpack to."""


def to_docbin(documents: Sequence[Document]) -> bytes:
    """Documents as the bytes of a ``.spacy`` file. Raises `InputError` where spaCy is not installed."""
    spacy = _spacy()
    bin_ = spacy.tokens.DocBin(attrs=["ENT_IOB", "ENT_TYPE", "SPACY"], store_user_data=True)
    vocab = spacy.vocab.Vocab()
    for document in documents:
        bin_.add(_doc(spacy, vocab, document))
    return bytes(bin_.to_bytes())


def _doc(spacy: Any, vocab: Any, document: Document) -> Any:
    starts, ends = ({getattr(m, side) for m in document.mentions} for side in ("start", "end"))
    words, spaces = _words(document.text, tokens_and_marks(document, starts | ends), starts, ends)
    doc = spacy.tokens.Doc(vocab, words=words, spaces=spaces)
    outer, inner = nesting(document.mentions)
    bare = [
        m for m in outer if document.cut(m) == document.cut(m).strip()
    ]  # spaCy's entities have no white space around
    doc.set_ents([_span(doc, m) for m in bare])
    others = [*(m for m in outer if m not in bare), *inner]
    doc.spans[GROUP] = [_span(doc, m) for m in others]
    known = kept(document)
    places = [[m.start, m.end] for m in document.mentions]
    doc.user_data[KEPT] = dumps({**known, "order": places})
    return doc


def _words(
    text: str, units: Sequence[tuple[int, int]], starts: set[int], ends: set[int]
) -> tuple[list[str], list[bool]]:
    """Tokens that make up the whole text, and which of them have a space behind them; other white space is a token."""
    words: list[str] = []
    spaces: list[bool] = []
    last = 0
    for start, end in [*units, (len(text), len(text))]:
        gap = text[last:start]
        if words and gap[:1] == " " and last not in starts and last + 1 not in ends:
            spaces[-1], gap, last = True, gap[1:], last + 1
        for piece in [*_cut(gap, last, starts | ends), text[start:end]]:
            words += [piece] if piece else []
            spaces += [False] if piece else []
        last = end
    return words, spaces


def _cut(gap: str, start: int, bounds: set[int]) -> Iterator[str]:
    """White space cut where a mention begins or ends in it."""
    inside = [0, *sorted(b - start for b in bounds if 0 < b - start < len(gap)), len(gap)]
    return (gap[a:b] for a, b in pairwise(inside))


def _span(doc: Any, mention: Mention) -> Any:
    return doc.char_span(mention.start, mention.end, label=label_of(mention))


# --- reading --------------------------------------------------------------------------------------------------------


def read(path: Path) -> Iterator[tuple[int, Document]]:
    """The documents of a ``.spacy`` file. Raises `InputError` for what is none, and without spaCy."""
    spacy = _spacy()
    data = _bytes(path)
    try:
        bin_ = spacy.tokens.DocBin().from_bytes(data)
        docs = list(bin_.get_docs(spacy.vocab.Vocab()))
    except Exception as error:  # spaCy has no error in common for what is wrong with a file
        remedy = "Give a file that spaCy's DocBin wrote"
        raise InputError.at(path, f"is no DocBin, or a damaged one ({type(error).__name__})", remedy=remedy) from error
    for number, doc in enumerate(docs, 1):
        yield 1, _document(doc, number, path)


def _document(doc: Any, number: int, path: Path) -> Document:
    place = Place(Path(f"{path}, document {number}"))
    content = doc.user_data.get(KEPT)
    known = loads(content, place) if isinstance(content, str) else {}
    known = known if isinstance(known, dict) else {}
    order = known.pop("order", [])
    spans = [*doc.ents, *doc.spans.get(GROUP, ())]
    labelled: list[Labelled] = [(s.start_char, s.end_char, s.label_) for s in spans]
    ranks = {tuple(place): i for i, place in enumerate(order) if isinstance(place, list)}
    labelled.sort(key=lambda label: (ranks.get(label[:2], len(ranks)), label[:2]))
    return restored(doc.text, f"{path.stem}-{number}", labelled, known, place)


def _bytes(path: Path) -> bytes:
    data = read_bytes(path)
    try:
        unpacked = zlib.decompressobj()
        size = len(unpacked.decompress(data, MAX_BYTES))
    except zlib.error as error:
        raise InputError.at(path, "is no DocBin", remedy="Give a file that spaCy's DocBin wrote") from error
    if size >= MAX_BYTES:
        raise InputError.at(path, f"unpacks to more than {MAX_BYTES // 1_000_000} MB: refused")
    return data


def _spacy() -> Any:
    try:
        import spacy
        import spacy.tokens
        import spacy.vocab
    except ImportError as error:
        raise InputError("this format needs spaCy. Install it: pip install 'aef-anonymizer[spacy]'") from error
    return spacy
