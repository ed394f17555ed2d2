"""The study of what stays of a Word file's layout, on a small ruling; and that its checker sees what differs."""

from __future__ import annotations

from pathlib import Path

import docx

from aef.anonymization import anonymize
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.rulings.readers import read
from aef.experiments.docx_layout import Figures, characters, compare, measure, moved, write_docx


def test_a_small_ruling_keeps_its_layout(corpus: list[Document], tmp_path: Path) -> None:
    figures = measure(corpus[:3], tmp_path)
    assert figures.good and figures.judgments == 3
    assert figures.replacements > 30 and figures.characters > 1000, "else nothing is compared"


def test_the_checker_sees_what_differs(corpus: list[Document], tmp_path: Path) -> None:
    before, after = tmp_path / "before.docx", tmp_path / "after.docx"
    write_docx(corpus[0], before)
    result = anonymize(before, after, mentions=moved(corpus[0], read(before)))
    changed = docx.Document(str(after))
    run = next(run for p in reversed(changed.paragraphs) for run in p.runs if len(run.text) > 5)
    run.text, run.bold = f"x{run.text[1:]}", not run.bold
    changed.save(str(after))
    figures = Figures()
    compare(characters(before), characters(after), result, figures)
    assert figures.other_characters >= 1 and figures.other_formats > 3 and not figures.good


def test_mentions_move_with_their_letters(tmp_path: Path) -> None:
    gold = Document("Ms.  Green\n\nleft", mentions=(Mention(5, 10, "PERSON", "DIRECT", "g"),))
    (mention,) = moved(gold, Document("Ms. Green\nleft"))
    assert (mention.start, mention.end, mention.entity_id) == (4, 9, "g")
