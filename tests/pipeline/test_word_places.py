"""A Word file with a name in every hiding place goes through ``aef anonymize``: none is left, the rest is as it was.

The checker here shares nothing with the product: it unpacks, strips tags and folds letters by itself.
"""

from __future__ import annotations

import html
import io
import re
import shutil
import subprocess
import unicodedata
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import docx
import pytest
from lxml import etree
from word_places import build

from aef.anonymization import anonymize
from aef.commands import main
from aef.corpus_tools.gold.corpora import write_gold
from aef.corpus_tools.rulings.readers import read

EXPECTED = 85
"""So many places at least; the issue counts 86."""


def letters(text: str) -> str:
    """Letters and digits alone, without accents and case."""
    return "".join(c for c in unicodedata.normalize("NFKD", text).casefold() if c.isalnum())


def contents(data: bytes, place: str = "") -> Iterator[tuple[str, str]]:
    """Every way to read a file: its entries (recursively), their names, and what stands between them."""
    yield place, "".join(data[i::2].decode("latin-1") for i in (0, 1))  # UTF-16 read as pairs of bytes
    for code in ("utf-8", "utf-16-le", "utf-16-be"):
        text = data.decode(code, "ignore")
        yield place, text
        yield place, html.unescape(text)
        yield place, html.unescape(re.sub(r"<[^>]*>", "", text))
    for start in (m.start() for m in re.finditer(b"\x78[\x01\x5e\x9c\xda]", data)):
        try:
            yield place, zlib.decompressobj().decompress(data[start:], 100_000).decode("latin-1")
        except zlib.error:
            continue
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield place, archive.comment.decode("latin-1")
            for entry in archive.infolist():
                yield f"{place}/{entry.filename}", entry.filename
                yield from contents(archive.read(entry), f"{place}/{entry.filename}")


def left(data: bytes, names: dict[str, str]) -> dict[str, set[str]]:
    """The places of the original whose names are still to be read, and where."""
    found: dict[str, set[str]] = {}
    folded = {place: letters(name) for place, name in names.items()}
    for where, text in contents(data):
        spelled = letters(text)
        for place, name in folded.items():
            if name in spelled:
                found.setdefault(place, set()).add(where)
    return found


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the file and what ``aef anonymize --include`` makes of it."""
    folder = tmp_path_factory.mktemp("places")
    data, names = build()
    (folder / "in.docx").write_bytes(data)
    (folder / "names.txt").write_text("\n".join(names.values()), encoding="utf-8")
    write_gold([read(folder / "in.docx").with_mentions([])], folder / "nothing.jsonl")
    arguments = ["--gold", "nothing.jsonl", "--include", "names.txt"]
    paths = [str(folder / a) if (folder / a).exists() else a for a in arguments]
    assert main(["anonymize", str(folder / "in.docx"), "-o", str(folder / "out.docx"), "--quiet", *paths]) == 0
    return folder


def test_the_builder_puts_a_name_in_every_place() -> None:
    data, names = build()
    assert len(names) >= EXPECTED
    assert set(left(data, names)) == set(names), "a name that the checker does not see shows nothing"


def test_no_name_is_left(written: Path) -> None:
    _, names = build()
    assert left((written / "out.docx").read_bytes(), names) == {}
    assert left((written / "out.docx").name.encode(), names) == {}


def test_verify_agrees(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    original, output, names = (str(written / n) for n in ("in.docx", "out.docx", "names.txt"))
    assert main(["verify", original, output, "--names", names]) == 0
    assert main(["verify", original, output]) == 0
    assert main(["verify", original, original, "--names", names]) == 1
    assert "docProps/core.xml" in capsys.readouterr().out


def test_verify_sees_every_place(written: Path) -> None:
    """The product's own verification finds each name in the file as it came in."""
    from aef.verification.search import Sought, verify

    data, names = build()
    blind = [place for place, name in names.items() if not verify(data, Sought.of([name], [name]))]
    assert blind == []


W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def runs(path: Path) -> Counter[tuple[str, str]]:
    """Text and properties of the runs of the main text, in what way they are formatted; deleted ones left out."""
    found: Counter[tuple[str, str]] = Counter()
    with zipfile.ZipFile(path) as archive:
        root = etree.fromstring(archive.read("word/document.xml"))
    for element in [*root.iter(W + "rPrChange"), *root.iter(W + "del"), *root.iter(W + "moveFrom")]:
        element.clear()
    for r in root.iter(W + "r"):
        text = "".join(t.text or "" for t in r.iterchildren(W + "t"))
        marks = [
            (child.tag, sorted(child.attrib.items()))
            for p in r.iterchildren(W + "rPr")
            for child in p
            if len(child.attrib) or child.tag in (W + "b", W + "i")
        ]
        found[text, str(marks)] += 1
    return found


def test_the_rest_is_as_it_was(written: Path) -> None:
    """Runs without a name keep text and properties; two paragraphs whose mark is deleted are one."""
    _, names = build()
    spelled = [letters(name) for name in names.values()]
    before, after = runs(written / "in.docx"), runs(written / "out.docx")
    plain = {
        run: n
        for run, n in before.items()
        if letters(run[0]) and not any(letters(run[0]) in s or s in letters(run[0]) for s in spelled)
    }
    assert len(plain) > 15
    assert [run for run, n in plain.items() if after[run] != n and "rFonts" not in run[1]] == []
    text = "\n".join(p.text for p in docx.Document(str(written / "out.docx")).paragraphs)
    assert "It was said so." in text, "a deleted end of a paragraph joins two"


def converted(folder: Path, path: Path, to: str) -> Path:
    """What LibreOffice makes of a file."""
    program = shutil.which("soffice")
    if program is None:
        pytest.skip("no LibreOffice (soffice) on this machine")
    folder.mkdir(exist_ok=True)
    profile = f"-env:UserInstallation=file://{folder}/profile"
    command = [program, profile, "--headless", "--convert-to", to, "--outdir", str(folder), str(path)]
    subprocess.run(command, check=True, capture_output=True, timeout=240)
    return folder / path.with_suffix("." + to.partition(":")[0]).name


def test_libreoffice_opens_both(written: Path) -> None:
    _, names = build()
    before, after = (
        converted(written / "as_text", written / name, "txt:Text (encoded):UTF8").read_text("utf-8-sig")
        for name in ("in.docx", "out.docx")
    )
    assert names["table"] in before and "The plaintiff, Ms. " in after
    assert not [name for name in names.values() if name in after]


def test_a_file_made_by_libreoffice(written: Path) -> None:
    """What LibreOffice writes of the same content: headers, notes, text boxes, tracked changes, comments, fields."""
    _, names = build()
    made = converted(written / "made", written / "in.docx", "docx:MS Word 2007 XML")
    kept = left(made.read_bytes(), names)
    assert {"header", "footnote", "comment", "insertion", "deletion", "text box", "table", "bookmark"} <= set(kept)
    result = anonymize(made, mentions=[], include=names.values())
    assert result.remaining == []
    assert left(result.content, names) == {}
