"""Real judgments as Word files with formatting at random: outside of replacements every character and format stays."""

from __future__ import annotations

from pathlib import Path
from random import Random

import docx
import pytest

from aef.anonymization import anonymize
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.gold.corpora import read_gold
from aef.corpus_tools.rulings.readers import read

JUDGMENTS = 3

Char = tuple[str, bool | None, bool | None]


def as_word(gold: Document, path: Path) -> None:
    """A file whose runs begin and end anywhere, in words, too."""
    chance, document = Random(gold.doc_id), docx.Document()
    for line in gold.text.split("\n"):
        paragraph, position = document.add_paragraph(), 0
        while position < len(line):
            length = chance.randint(1, 40)
            run = paragraph.add_run(line[position : position + length])
            run.bold, run.italic = chance.choice([None, True, False]), chance.choice([None, True])
            position += length
    document.save(str(path))


def moved(gold: Document, ruling: Document) -> list[Mention]:
    """The mentions of a gold document in a text with other white space."""
    place = [i for i, c in enumerate(ruling.text) if not c.isspace()]
    number = {i: n for n, i in enumerate(i for i, c in enumerate(gold.text) if not c.isspace())}
    masked = [m for m in gold.mentions if m.masked]
    return [
        Mention(place[number[m.start]], place[number[m.end - 1]] + 1, m.entity_type, "DIRECT", m.entity_id)
        for m in masked
        if m.start in number and m.end - 1 in number
    ]


def characters(path: Path) -> list[Char]:
    """The text of a file, each character with what its run says of it; paragraphs without text left out."""
    found: list[Char] = []
    for paragraph in docx.Document(str(path)).paragraphs:
        if paragraph.text.strip():
            found += [(c, run.bold, run.italic) for run in paragraph.runs for c in run.text]
            found.append(("\n", None, None))
    return found[:-1]


@pytest.mark.parametrize("number", range(JUDGMENTS))
def test_all_but_the_replacements_stays(data: Path, tmp_path: Path, number: int) -> None:
    gold = read_gold(data / "tab_en" / "dev.jsonl")[number]
    source, target = tmp_path / "in.docx", tmp_path / "out.docx"
    as_word(gold, source)
    result = anonymize(source, target, mentions=moved(gold, read(source)))
    assert result.written and len(result.edits) > 10
    before, after = characters(source), characters(target)
    old = new = 0
    for edit in result.edits:
        kept = edit.start - old
        assert before[old : edit.start] == after[new : new + kept]
        old, new = edit.end, new + kept + len(edit.replacement)
        assert "".join(c for c, _, _ in after[new - len(edit.replacement) : new]) == edit.replacement
    assert before[old:] == after[new:]
