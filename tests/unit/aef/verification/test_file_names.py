"""Names of output files: the hidden names in them are replaced, and all else stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from aef.replacement.plan import Entity
from aef.verification.file_names import safe_path

HIDDEN = [
    Entity("1", "PERSON", ("Joanne van der Green", "J. Green")),
    Entity("2", "PERSON", ("David Müller",)),
    Entity("3", "ORG", ("Acme Trading Ltd.", "School")),
    Entity("4", "CODE", ("12345/98",)),
    Entity("5", "PERSON", ("Li",)),
]
LABELS = {"1": "J.G.", "2": "D.M.", "3": "A.[...] Ltd.", "4": "[...]", "5": "L."}
CASES = [
    ("no name", "ruling 2024 school.docx", "ruling 2024 school.docx"),
    ("surnames", "Green v Muller.docx", "JG v DM.docx"),
    ("capitals and underscores", "GREEN_v_MÜLLER.txt", "JG_v_DM.txt"),
    ("a full name", "joanne-van-der-green.final.docx", "JG.final.docx"),
    ("decomposed accents", "Mu\u0308ller.docx", "DM.docx"),
    ("a given name", "Joanne.docx", "JG.docx"),
    ("a particle tells nothing", "van der Berg.docx", "van der Berg.docx"),
    ("an organisation", "Acme Trading Ltd, reasons.docx", "ALtd, reasons.docx"),
    ("a number", "case 12345-98.html", "case x.html"),
    ("a name of two letters", "Li 3.docx", "L 3.docx"),
    ("two letters that are no name", "li_J.docx", "li_J.docx"),
    ("inside a word", "mullerfile.docx", "DMfile.docx"),
    ("another word", "greenhouse.docx", "greenhouse.docx"),
]


@pytest.mark.parametrize(("reason", "name", "safe"), CASES, ids=[c[0] for c in CASES])
def test_safe_path(reason: str, name: str, safe: str) -> None:
    assert safe_path(Path("out") / name, HIDDEN, LABELS) == Path("out") / safe, reason


def test_the_folder_is_not_looked_at() -> None:
    assert safe_path(Path("Green/a.docx"), HIDDEN, LABELS) == Path("Green/a.docx")


def test_a_name_that_is_taken_gets_a_number() -> None:
    taken = [Path("JG.docx"), Path("JG-2.docx")]
    assert safe_path(Path("Green.docx"), HIDDEN, LABELS, taken) == Path("JG-3.docx")
