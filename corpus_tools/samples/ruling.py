"""A sample ruling: its blocks as runs, each run knowing what it hides and what the editor put in its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from aef.corpus_tools.document import Block, Document, Mention

WORDS_PER_PAGE = 250


@dataclass(frozen=True, slots=True)
class Gold:
    """The truth about a stretch to be hidden: its type, whose it is, and what the house puts in its place."""

    entity_type: str
    entity_id: str
    replacement: str


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of one block: ``text`` in the original, ``shown`` in the editor's version (often equal).

    ``kept`` names what a name that stays in clear is (counsel, judge, case, place ...). ``split`` > 0: the first
    so many characters are in bold, for names cut in two by formatting.
    """

    text: str
    shown: str
    gold: Gold | None = None
    kept: str = ""
    bold: bool = False
    italic: bool = False
    split: int = 0

    @property
    def slip(self) -> bool:
        """Whether the editor left this in clear or labelled it wrongly."""
        return self.gold is not None and self.shown != self.gold.replacement


@dataclass(frozen=True, slots=True)
class SampleBlock:
    """A paragraph, or a table cell at ``cell`` = (table, row, column); ``style`` is a key of the layout."""

    part: str
    style: str
    runs: tuple[Run, ...]
    cell: tuple[int, int, int] | None = None

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)

    @property
    def shown(self) -> str:
        return "".join(run.shown for run in self.runs)


@dataclass(frozen=True)
class SampleRuling:
    """A generated ruling. ``blocks`` in reading order; ``header`` is the page header (the short style of cause)."""

    doc_id: str
    blocks: tuple[SampleBlock, ...]
    header: SampleBlock
    font: str = "Times New Roman"
    heading_centred: bool = False

    @property
    def text(self) -> str:
        """The original: the blocks' texts joined by line ends."""
        return "\n".join(block.text for block in self.blocks)

    @property
    def anonymized_text(self) -> str:
        """The editor's version, block for block."""
        return "\n".join(block.shown for block in self.blocks)

    @property
    def pages(self) -> float:
        """Length in pages of 250 words."""
        return len(self.text.split()) / WORDS_PER_PAGE

    def runs(self) -> Iterator[tuple[int, Run]]:
        """Every run of the blocks with its offset into `text`."""
        position = 0
        for block in self.blocks:
            for run in block.runs:
                yield position, run
                position += len(run.text)
            position += 1

    @cached_property
    def gold(self) -> tuple[tuple[int, int, Gold], ...]:
        """Every stretch to be hidden: start, end, and the truth about it (not what the editor did)."""
        return tuple((start, start + len(run.text), run.gold) for start, run in self.runs() if run.gold)

    @property
    def slips(self) -> tuple[tuple[int, Run], ...]:
        """The runs the editor missed or labelled wrongly, with their offsets."""
        return tuple((start, run) for start, run in self.runs() if run.slip)

    def document(self) -> Document:
        """The gold document: mentions are DIRECT, with type, entity id and the house's replacement."""
        blocks, position = [], 0
        for block in self.blocks:
            blocks.append(Block(position, position + len(block.text), block.part))
            position += len(block.text) + 1
        mentions = tuple(
            Mention(start, end, gold.entity_type, "DIRECT", gold.entity_id, extra={"replacement": gold.replacement})
            for start, end, gold in self.gold
        )
        return Document(self.text, self.doc_id, tuple(blocks), mentions)

    def original_docx(self) -> bytes:
        """The ruling as the court wrote it, as a DOCX file."""
        from aef.corpus_tools.samples.layout import write_docx

        return write_docx(self, anonymized=False)

    def anonymized_docx(self) -> bytes:
        """The ruling as the editor published it (slips included), as a DOCX file in the same layout."""
        from aef.corpus_tools.samples.layout import write_docx

        return write_docx(self, anonymized=True)
