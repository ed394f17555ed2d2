"""A sample ruling as a DOCX file: head, headings, numbered paragraphs, quotations, tables, page header."""

from __future__ import annotations

import io
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from docx import Document as new_docx
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.shared import Inches, Pt, RGBColor

from aef.corpus_tools.samples.ruling import Run, SampleBlock, SampleRuling

_CENTRE, _RIGHT = WD_ALIGN_PARAGRAPH.CENTER, WD_ALIGN_PARAGRAPH.RIGHT
_STYLES = {"quote": "Quote", "letter": "Intense Quote", "heading": "Heading 1", "subheading": "Heading 2"}
_ALIGNED = {"court": _CENTRE, "centre": _CENTRE, "party": _CENTRE, "right": _RIGHT, "signature": _RIGHT}
_BOLD = ("court", "party")
_INDENT = {"item": 0.75, "role": 4.0}
_SPACE = 8


def write_docx(ruling: SampleRuling, anonymized: bool) -> bytes:
    """One side of the pair as the bytes of a DOCX file."""
    docx = new_docx()
    _set_styles(docx, ruling)
    _fill(docx.sections[0].header.paragraphs[0], ruling.header, anonymized)
    after_table = False
    for table, blocks in groupby(ruling.blocks, key=lambda block: block.cell[0] if block.cell else None):
        if table is None:
            for block in blocks:
                paragraph = _paragraph(docx, block, anonymized)
                paragraph.paragraph_format.space_before = Pt(_SPACE) if after_table else None
                after_table = False
        else:
            _table(docx, list(blocks), anonymized)
            after_table = True
    docx.core_properties.title, docx.core_properties.author = "Reasons for Judgment", "Court Registry"
    stream = io.BytesIO()
    docx.save(stream)
    return stream.getvalue()


def _set_styles(docx: Any, ruling: SampleRuling) -> None:
    normal = docx.styles["Normal"]
    normal.font.name, normal.font.size = ruling.font, Pt(12)
    normal.paragraph_format.space_after = Pt(_SPACE)
    for name in ("Heading 1", "Heading 2"):
        style = docx.styles[name]
        style.font.name, style.font.size, style.font.color.rgb = ruling.font, Pt(12), RGBColor(0, 0, 0)
        style.element.rPr.rFonts.attrib.clear()
        style.font.name = ruling.font
        style.paragraph_format.space_after = Pt(_SPACE)
        if ruling.heading_centred and name == "Heading 1":
            style.paragraph_format.alignment = _CENTRE
    for name in ("Quote", "Intense Quote"):
        style = docx.styles[name]
        style.font.color.rgb, style.font.bold = RGBColor(0, 0, 0), False
        style.paragraph_format.left_indent = style.paragraph_format.right_indent = Inches(0.8)


def _paragraph(docx: Any, block: SampleBlock, anonymized: bool) -> Any:
    paragraph = docx.add_paragraph(style=_STYLES.get(block.style))
    if block.style in _ALIGNED:
        paragraph.alignment = _ALIGNED[block.style]
    if block.style in _INDENT:
        paragraph.paragraph_format.left_indent = Inches(_INDENT[block.style])
    _fill(paragraph, block, anonymized)
    return paragraph


def _fill(paragraph: Any, block: SampleBlock, anonymized: bool) -> None:
    for run in block.runs:
        for text, bold in _cuts(run, anonymized, block.style in _BOLD):
            added = paragraph.add_run(text)
            added.bold, added.italic = bold or None, run.italic or None


def _cuts(run: Run, anonymized: bool, bold: bool) -> Iterable[tuple[str, bool]]:
    """The run's text, in two where the formatting cuts a name; the editor's label is one run."""
    text, bold = (run.shown if anonymized else run.text), bold or run.bold
    if run.split and text == run.text:
        return [(text[: run.split], True), (text[run.split :], bold)]
    return [(text, bold)] if text else []


def _table(docx: Any, blocks: list[SampleBlock], anonymized: bool) -> None:
    cells = {block.cell[1:]: block for block in blocks if block.cell}
    rows, columns = (1 + max(cell[i] for cell in cells) for i in (0, 1))
    table = docx.add_table(rows, columns)
    table.style = "Table Grid" if blocks[0].part != "head" else "Normal Table"
    for (row, column), block in cells.items():
        _fill(table.cell(row, column).paragraphs[0], block, anonymized)
