"""How a ruling looks: headings, numbers of paragraphs, tables, bold and italics, for each of its paragraphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from aef.corpus_tools.document import Document
from aef.corpus_tools.docx.text import DocxText
from aef.corpus_tools.html.text import HtmlText
from aef.corpus_tools.rulings.readers import Source

BOLD, ITALIC = "b", "i"
Run = tuple[int, int, str]
"""A stretch of a paragraph, in characters from its beginning, and what it is in: "b", "i" or both."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a paragraph looks.

    level : of a heading, from 1; 0: it is none. number : what the word processor or browser puts before it ("12.",
    "•"). indent : steps to the right. align : "center" or "right", if not as usual. cell : the table, the row and the
    column that it stands in, numbers from 0. runs : what is bold or in italics, in order.
    """

    level: int = 0
    number: str = ""
    indent: int = 0
    align: str = ""
    cell: tuple[int, int, int] | None = None
    runs: tuple[Run, ...] = ()


PLAIN = Look()


def layout(source: Source, document: Document) -> list[Look]:
    """The look of each paragraph of an open file's document; plain where the format has none."""
    from aef.editing.docx_layout import docx_looks
    from aef.editing.html_layout import html_looks

    if isinstance(source, DocxText):
        return docx_looks(source)
    if isinstance(source, HtmlText):
        return html_looks(source)
    return [PLAIN] * len(document.blocks)


def joined(runs: Iterable[Run]) -> Iterator[Run]:
    """The runs that are in something, neighbours of one kind as one."""
    last: Run | None = None
    for run in runs:
        if last is not None and last[1] == run[0] and last[2] == run[2]:
            last = (last[0], run[1], run[2])
            continue
        if last is not None and last[2]:
            yield last
        last = run
    if last is not None and last[2]:
        yield last
