"""What ``aef anonymize`` leaves of a Word file's layout: ``python -m aef.experiments.docx_layout [--data FOLDER]``.

The longest judgments of the Text Anonymization Benchmark are written as DOCX with mixed formatting (headings, lists,
tables, a header with the case's name, a footer, a comment, runs that begin anywhere, in names, too) and anonymized,
once with the gold mentions and once with what ``aef anonymize`` finds. Outside of the replacements every character, the
properties of its run and of its paragraph must be what they were; python-docx and LibreOffice (where ``soffice`` is on
the path) must open the file, and it must have as many pages, give or take one.

The checker shares nothing with what reads and writes DOCX here: it reads the parts' XML from the archive itself.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from lxml import etree

from aef.anonymization import Result, Tagger, anonymize
from aef.batch.recipe import Recipe
from aef.commands.common import progress, table
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.rulings.readers import read
from aef.experiments.data import add_data, judgments, run_study

JUDGMENTS = 30
PAGES = 1
"""The number of pages may differ by so many."""

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


# --- the files ------------------------------------------------------------------------------------------------------


def write_docx(gold: Document, path: Path) -> None:
    """A judgment as a Word file with mixed formatting; the same each time."""
    import docx
    from docx.shared import Cm

    chance, document = Random(gold.doc_id), docx.Document()
    section = document.sections[0]
    section.left_margin = section.right_margin = Cm(chance.choice([2, 2.5, 3]))
    section.header.paragraphs[0].text = f"CASE OF {_applicant(gold).upper()}"
    paragraph = section.footer.paragraphs[0]
    _page_number(paragraph)
    for start, end in _lines(gold.text):
        line = gold.text[start:end]
        if len(line) > 200 and chance.random() < 0.06:
            _row(document, gold, start, end, chance)
        elif line.isupper() or re.match(r"[IVX]+\. ", line):
            _runs(document.add_heading(level=chance.choice([1, 2])), line, chance)
        else:
            _runs(document.add_paragraph(style=chance.choice(_STYLES)), line, chance)
            _layout(document.paragraphs[-1], chance)
    document.add_comment(document.paragraphs[0].runs, "Checked.", author="Registry", initials="R")
    document.save(str(path))


_STYLES = (*["Normal"] * 6, "List Number", "List Bullet", "Body Text", "Quote", "Intense Quote")
_FONTS = ("Times New Roman", "Arial", "Calibri", "Courier New")


def _applicant(gold: Document) -> str:
    """The first person to hide, who stands in the header."""
    return next((gold.cut(m) for m in gold.mentions if m.entity_type == "PERSON" and m.masked), "the applicant")


def _lines(text: str) -> Iterator[tuple[int, int]]:
    return (match.span() for match in re.finditer(r"[^\n]+", text))


def _row(document: Any, gold: Document, start: int, end: int, chance: Random) -> None:
    """A paragraph in two cells of a table, parted where no mention is."""
    spaces = [m.start() for m in re.finditer(" ", gold.text[start:end])]
    free = [i for i in spaces if not any(m.start <= start + i < m.end for m in gold.mentions)]
    cut = start + chance.choice(free or spaces)
    grid = document.add_table(1, 2, style="Table Grid")
    for cell, piece in zip(grid.rows[0].cells, (gold.text[start:cut], gold.text[cut:end]), strict=True):
        _runs(cell.paragraphs[0], piece, chance)


def _runs(paragraph: Any, line: str, chance: Random) -> None:
    """The line in runs: most of words, as an editor marks them, some of any letters, as editing leaves them."""
    anywhere = chance.random() < 0.3
    ends = [m.end() for m in re.finditer(r"\S+\s*", line)]
    position = 0
    while position < len(line):
        length = chance.randint(1, 40) if anywhere else chance.randint(5, 250)
        end = position + length if anywhere else next((e for e in ends if e >= position + length), len(line))
        _format(paragraph.add_run(line[position:end]), chance, often=anywhere)
        position = end


def _format(run: Any, chance: Random, often: bool) -> None:
    from docx.shared import Pt, RGBColor

    if chance.random() > (0.7 if often else 0.35):
        return
    font = run.font
    kind = chance.randrange(9)
    font.bold = chance.choice([None, True, False]) if kind == 0 else None
    font.italic = True if kind in (1, 2) else None
    font.underline = True if kind == 3 else None
    font.size = Pt(chance.choice([9, 10.5, 12, 13])) if kind == 4 else None
    font.name = chance.choice(_FONTS) if kind == 5 else None
    font.small_caps = True if kind == 6 else None
    font.superscript = True if kind == 7 and often else None
    if kind == 8:
        font.color.rgb = RGBColor(*(chance.randrange(160) for _ in range(3)))


def _layout(paragraph: Any, chance: Random) -> None:
    from docx.enum.text import WD_ALIGN_PARAGRAPH
    from docx.shared import Cm, Pt

    form = paragraph.paragraph_format
    form.alignment = chance.choice([None, None, WD_ALIGN_PARAGRAPH.JUSTIFY, WD_ALIGN_PARAGRAPH.LEFT])
    if chance.random() < 0.2:
        form.left_indent, form.first_line_indent = Cm(chance.choice([0.5, 1, 2])), Cm(chance.choice([0, 0.5, -0.5]))
    if chance.random() < 0.2:
        form.space_after, form.keep_with_next = Pt(chance.choice([0, 6, 12])), True


def _page_number(paragraph: Any) -> None:
    run = paragraph.add_run("Page ")
    for kind, code in (("begin", None), (None, " PAGE "), ("end", None)):
        tag = "fldChar" if kind else "instrText"
        element = etree.SubElement(run._r, _W + tag, {_W + "fldCharType": kind} if kind else {})
        element.text = code


def moved(gold: Document, ruling: Document) -> list[Mention]:
    """The masked mentions of a gold document in the same text with other white space."""
    place = [i for i, char in enumerate(ruling.text) if not char.isspace()]
    number = {i: n for n, i in enumerate(i for i, char in enumerate(gold.text) if not char.isspace())}
    found = []
    for m in gold.mentions:
        if m.masked and m.start in number and m.end - 1 in number:
            start, end = place[number[m.start]], place[number[m.end - 1]] + 1
            found.append(Mention(start, end, m.entity_type, m.identifier_type, m.entity_id))
    return found


# --- the checker ----------------------------------------------------------------------------------------------------


class Char(NamedTuple):
    """A character with all that formats it: the properties of its run, of its paragraph, and the elements around."""

    char: str
    run: bytes
    paragraph: bytes
    around: tuple[str, ...]


def characters(path: Path) -> list[Char]:
    """The characters of a file's text, paragraph after paragraph, those without text left out."""
    paragraphs: list[list[Char]] = []
    with zipfile.ZipFile(path) as archive:
        stories = [n for k in _STORIES for n in sorted(archive.namelist()) if re.fullmatch(rf"word/{k}\d*\.xml", n)]
        for story in stories:
            root = etree.fromstring(archive.read(story))
            paragraphs += [_paragraph(p) for p in root.iter(_W + "p")]
    shown = [chars for chars in paragraphs if "".join(c.char for c in chars).strip()]
    ends = Char("\n", b"", b"", ())
    return [char for chars in shown for char in [*chars, ends]][:-1]


_STORIES = ("document", "header", "footer", "footnotes", "endnotes", "comments")
_CHARACTERS = {_W + "tab": "\t", _W + "br": " ", _W + "cr": " ", _W + "noBreakHyphen": "-"}


def _paragraph(paragraph: Any) -> list[Char]:
    properties = _canonical(paragraph.find(_W + "pPr"))
    chars: list[Char] = []
    for run in paragraph.iter(_W + "r"):
        around = tuple(e.tag for e in run.iterancestors())
        format_ = _canonical(run.find(_W + "rPr"))
        text = "".join(e.text or "" if e.tag == _W + "t" else _CHARACTERS.get(e.tag, "") for e in run)
        chars += [Char(c, format_, properties, around) for c in text]
    return chars


def _canonical(element: Any) -> bytes:
    return b"" if element is None else bytes(etree.tostring(element, method="c14n", exclusive=True))


@dataclass
class Figures:
    """What was found of the files: what was compared and how much of it differs."""

    judgments: int = 0
    replacements: int = 0
    characters: int = 0
    other_characters: int = 0
    other_formats: int = 0
    not_written: int = 0
    not_opened: int = 0
    pages: int = 0
    other_pages: int = 0

    @property
    def good(self) -> bool:
        return not (self.other_characters or self.other_formats or self.not_written or self.not_opened)


def compare(before: Sequence[Char], after: Sequence[Char], result: Result, figures: Figures) -> None:
    """Count the characters outside of the replacements that differ, and those whose format does."""
    old = new = 0
    for edit in [*result.edits, None]:
        stop = edit.start if edit else len(before)
        kept, copied = before[old:stop], after[new : new + stop - old]
        figures.characters += len(kept)
        figures.other_characters += sum(a.char != b.char for a, b in zip(kept, copied, strict=False))
        figures.other_characters += abs(len(kept) - len(copied))
        figures.other_formats += sum(a[1:] != b[1:] for a, b in zip(kept, copied, strict=False))
        new += stop - old
        if edit:
            written = "".join(c.char for c in after[new : new + len(edit.replacement)])
            figures.other_characters += written != edit.replacement
            old, new = edit.end, new + len(edit.replacement)
    figures.other_characters += len(after) - new
    figures.replacements += len(result.edits)


def measure(
    golds: Sequence[Document], folder: Path, finder: Tagger | None = None, program: str | None = None
) -> Figures:
    """Write, anonymize and compare judgments in a folder; by the gold mentions where there is no finder. ``program``:
    that of LibreOffice."""
    import docx

    figures, pairs = Figures(), []
    for gold in progress(golds, "judgments"):
        source, target = folder / f"{gold.doc_id}.docx", folder / f"{gold.doc_id}.anonymized.docx"
        write_docx(gold, source)
        ruling = read(source)
        before = characters(source)
        assert "".join(c.char for c in before) == ruling.text, f"{gold.doc_id}: read differently"
        mentions = None if finder else moved(gold, ruling)
        result = anonymize(source, target, finder=finder, mentions=mentions, force=True)
        figures.judgments += 1
        if not result.written:
            figures.not_written += 1
            continue
        compare(before, characters(target), result, figures)
        docx.Document(str(target))
        pairs.append((source, target))
    if program:
        _count_pages(pairs, folder, program, figures)
    return figures


def _count_pages(pairs: Sequence[tuple[Path, Path]], folder: Path, program: str, figures: Figures) -> None:
    command = [program, f"-env:UserInstallation=file://{folder.resolve()}/profile", "--headless"]
    command += ["--convert-to", "pdf", "--outdir", str(folder), *(str(path) for pair in pairs for path in pair)]
    subprocess.run(command, check=True, capture_output=True, timeout=1800)
    for pair in pairs:
        before, after = (_pages(path.with_suffix(".pdf")) for path in pair)
        figures.pages += before
        figures.not_opened += after == 0
        figures.other_pages = max(figures.other_pages, abs(before - after))


def _pages(path: Path) -> int:
    """The pages of a PDF as LibreOffice writes it; 0 where there is none."""
    return len(re.findall(rb"/Type\s*/Page\b", path.read_bytes())) if path.exists() else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    add_data(parser, "tab_en")
    parser.add_argument("--judgments", type=int, default=JUDGMENTS, metavar="N", help=f"default: {JUDGMENTS}")
    parser.add_argument("--model", metavar="MODEL", help="default: what 'aef anonymize' has")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the files (they hold names) in this folder")
    given = parser.parse_args()
    golds = judgments(given.data / "tab_en")
    golds.sort(key=lambda d: -len(d.text))
    program, rows, good = shutil.which("soffice"), [], True
    for what, finder in (("gold mentions", None), ("as found", Recipe(model=given.model).tagger())):
        with tempfile.TemporaryDirectory() as scratch:
            folder = (given.keep or Path(scratch)) / what.partition(" ")[0]
            folder.mkdir(parents=True, exist_ok=True)
            f = measure(golds[: given.judgments], folder, finder, program)
        good = good and f.good and f.other_pages <= PAGES
        rows.append([what, f.judgments, f.replacements, f.characters, f.other_characters, f.other_formats,
                     f.not_written, f.not_opened, f.pages, f.other_pages])  # fmt: skip
    print(table(rows, ["mentions", "judgments", "replaced", "other characters", "changed", "format changed",
                       "not written", "not opened", "pages", "most pages more or fewer"]))  # fmt: skip
    if program is None:
        print("no LibreOffice (soffice) on the path: not opened there, pages not counted")
    return int(not good)


if __name__ == "__main__":
    run_study(main)
