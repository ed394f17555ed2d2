"""Where mentions begin: learned where signs would part too many of a corpus's, and not elsewhere."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from aef.corpus_tools.document import Document, Mention
from aef.tagging.finder import Finder
from aef.tagging.model_file import AROUND, VERSION

COURTS, BOOKS = ("BGH", "BAG", "BSG", "BFH"), ("NJW", "GRUR", "JR")


def marked(text: str, *marks: tuple[str, str]) -> Document:
    """The text with each phrase marked as of a type, everywhere."""
    found = [
        Mention(at, at + len(phrase), kind, "DIRECT")
        for phrase, kind in marks
        for at in range(len(text))
        if text.startswith(phrase, at)
    ]
    return Document.from_text(text, mentions=found).in_language("de")


def citing(number: int) -> Document:
    """Two citations with commas inside, one after the other, and a court that stands alone."""
    court, book = COURTS[number % 4], BOOKS[number % 3]
    first, second = f"{court}, Urteil vom {number + 1}. März 2011, {book} 2012, 39", f"{court}, {book} 2010, {number}"
    text = f"So entschied es {first}, {second}. Das sah das {court} auch so. Die Klage ruht."
    return marked(text, (first, "CITATION"), (second, "CITATION"), (f"das {court}", "COURT"))


@pytest.fixture(scope="module")
def finder() -> Finder:
    return Finder("rich", "all", language="de", names_free=False, consistency=False, threshold=0.5, C=3.0).fit(
        [citing(number) for number in range(24)]
    )


def spans(document: Document) -> list[tuple[str, str | None]]:
    return [(document.cut(m), m.entity_type) for m in document.mentions]


def test_what_has_signs_inside_is_found_whole_and_parted_from_its_like(finder: Finder) -> None:
    unseen = citing(25)
    assert spans(finder.tag(unseen)) == spans(unseen)


def test_a_file_holds_where_mentions_begin_and_says_so(finder: Finder, tmp_path: Path) -> None:
    finder.save(tmp_path / "m.aef")
    with zipfile.ZipFile(tmp_path / "m.aef") as archive:
        assert json.loads(archive.read("model.json"))["format_version"] == VERSION
    unseen = citing(30)
    assert spans(Finder.load(tmp_path / "m.aef").tag(unseen)) == spans(finder.tag(unseen))


def test_names_are_parted_by_signs_as_ever(tmp_path: Path) -> None:
    text = "Frau Ilse Brandt, Herr Otto Kern und Herr Jan Voss kamen nach Kiel."
    people = [marked(text, *((n, "PERSON") for n in ("Ilse Brandt", "Otto Kern", "Jan Voss")), ("Kiel", "LOC"))] * 4
    Finder("rich", "all", language="de", names_free=False, threshold=0.5).fit(people).save(tmp_path / "m.aef")
    with zipfile.ZipFile(tmp_path / "m.aef") as archive:
        assert json.loads(archive.read("model.json"))["format_version"] < AROUND
