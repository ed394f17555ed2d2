"""A ruling's way through review: anonymized, gone through by an editor, applied."""

from __future__ import annotations

import io
import json
import stat
import zipfile
from pathlib import Path

import docx
import pytest
from lxml import etree

from aef.anonymization import anonymize
from aef.anonymization.review import apply_review
from aef.commands import main
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.gold.corpora import write_gold
from aef.corpus_tools.rulings.readers import read
from aef.errors import InputError
from aef.tagging.finder import Finder

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
LINES = ["[1] Joanne Green sued Mr. David Millar.", "[2] Ms. Green lives in Nelson; the Green Party was not heard."]


@pytest.fixture
def ruling(tmp_path: Path) -> Path:
    document = docx.Document()
    document.core_properties.title = "Green v. Millar"
    for line in LINES:
        document.add_paragraph(line)
    document.save(str(tmp_path / "ruling.docx"))
    return tmp_path / "ruling.docx"


def mentions(path: Path) -> list[Mention]:
    text = read(path).text
    found = [("Joanne Green", "PERSON", 0.98), ("David Millar", "PERSON", 0.91), ("Nelson", "LOC", None)]
    marks = [Mention(text.index(w), text.index(w) + len(w), kind, probability=p) for w, kind, p in found]
    second = text.index("Green lives")
    party = text.index("Green Party")
    return [*marks, Mention(second, second + 5, "PERSON"), Mention(party, party + 5, "PERSON", probability=0.55)]


@pytest.fixture
def reviewed(ruling: Path) -> Path:
    result = anonymize(
        ruling, ruling.with_name("safe.docx"), mentions=mentions(ruling), review=ruling.parent / "r.docx"
    )
    assert result.written and result.review == ruling.parent / "r.not-for-publication.docx"
    return result.review


def reject(path: Path, *names: str, last_only: bool = False) -> None:
    """As an editor does in Word: bring names back."""
    stream = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(stream, "w") as new:
        for entry in old.infolist():
            content = old.read(entry)
            if entry.filename == "word/document.xml":
                root = etree.fromstring(content)
                deletions = [d for d in root.iter(W + "del") if "".join(d.itertext()) in names]
                for deletion in deletions[-1:] if last_only else deletions:
                    deletion.getparent().remove(deletion.getnext())
                    for run in list(deletion):
                        for text in run.iter(W + "delText"):
                            text.tag = W + "t"
                        deletion.addprevious(run)
                    deletion.getparent().remove(deletion)
                content = etree.tostring(root)
            new.writestr(entry.filename, content)
    path.write_bytes(stream.getvalue())


def test_comments_say_original_probability_and_reason(reviewed: Path) -> None:
    comments = [c.text for c in docx.Document(str(reviewed)).comments]
    assert comments[0] == "Joanne Green → J.G.\nperson, probability 0.98\nfound by the model"
    assert "Nelson → [...]\nloc\ngiven as to be hidden" in comments
    assert stat.S_IMODE(reviewed.stat().st_mode) == 0o600, "it is for its owner alone"


def test_why_a_listed_phrase_and_a_repeated_name_are_hidden(ruling: Path) -> None:
    first = mentions(ruling)[:1]
    with_title = read(ruling)
    assert with_title.text.count("Joanne Green") == 1
    result = anonymize(
        ruling, ruling.with_name("s.docx"), mentions=first, include=["sued"], review=ruling.parent / "r.docx"
    )
    assert result.review is not None
    comments = [c.text for c in docx.Document(str(result.review)).comments]
    assert any(c.startswith("sued → ") and c.endswith("on the list of what is always hidden") for c in comments)


def test_a_finder_says_its_evidence(ruling: Path, corpus: list[Document]) -> None:
    finder = Finder("nine", threshold=0.2, folds=2).fit(corpus)
    target = ruling.with_name("s.docx")
    result = anonymize(ruling, target, finder=finder, review=ruling.parent / "r.docx", allow_remaining=True)
    assert result.review is not None and result.edits
    comments = [c.text for c in docx.Document(str(result.review)).comments]
    assert any("probability" in c and ("over the threshold" in c or "repeats" in c) for c in comments)


def test_all_left_as_it_is_gives_the_publishable_file(ruling: Path, reviewed: Path) -> None:
    applied = apply_review(reviewed, ruling.with_name("final.docx"))
    assert applied.written and applied.counts == {"undecided": 5}
    assert read(ruling.with_name("final.docx")).text == read(ruling.with_name("safe.docx")).text
    assert docx.Document(str(ruling.with_name("final.docx"))).core_properties.title == ""


def test_what_is_rejected_is_in_clear_and_nothing_else(ruling: Path, reviewed: Path) -> None:
    reject(reviewed, "Nelson")
    reject(reviewed, "Green", last_only=True)
    applied = apply_review(reviewed, ruling.with_name("final.docx"))
    assert applied.written and applied.counts == {"undecided": 3, "rejected": 2}
    assert read(ruling.with_name("final.docx")).text.split("\n") == [
        "[1] J.G. sued Mr. D.M.",
        "[2] Ms. J.G. lives in Nelson; the Green Party was not heard.",
    ]


def test_a_name_that_the_editor_typed_again_stops_the_writing(ruling: Path, reviewed: Path) -> None:
    document = docx.Document(str(reviewed))
    document.add_paragraph("Reviewed for Joanne Green.")
    document.save(str(reviewed))
    applied = apply_review(reviewed, ruling.with_name("final.docx"))
    assert applied.remaining == ["word/document.xml (paragraph 3)"]
    assert not applied.written and not ruling.with_name("final.docx").exists()
    assert apply_review(reviewed, ruling.with_name("final.docx"), allow_remaining=True).written


REFUSED = [
    ("a text file", "a.txt", "safe.txt", "r.docx", "cannot have a review copy"),
    ("no place for it", "ruling.docx", "safe.docx", "r.odt", "no name for a review copy"),
    ("it is there", "ruling.docx", "safe.docx", "there.docx", "exists already"),
]


@pytest.mark.parametrize(("reason", "source", "target", "review", "message"), REFUSED, ids=[c[0] for c in REFUSED])
def test_refused(ruling: Path, reason: str, source: str, target: str, review: str, message: str) -> None:
    folder = ruling.parent
    (folder / "a.txt").write_text("Ms. Green.")
    (folder / "there.not-for-publication.docx").touch()
    with pytest.raises(InputError, match=message):
        anonymize(folder / source, folder / target, mentions=[], review=folder / review)
    assert not (folder / target).exists()


APPLY = [
    ("no review copy", "safe.docx", "final.docx", "is no review copy"),
    ("not there", "none.docx", "final.docx", "cannot be read"),
    ("another format", "r.not-for-publication.docx", "final.html", "is no DOCX"),
    ("over itself", "r.not-for-publication.docx", "r.not-for-publication.docx", "exists already"),
]


@pytest.mark.parametrize(("reason", "name", "target", "message"), APPLY, ids=[c[0] for c in APPLY])
def test_what_cannot_be_applied(reviewed: Path, reason: str, name: str, target: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        apply_review(reviewed.with_name(name), reviewed.with_name(target))


def test_over_itself_by_force(reviewed: Path) -> None:
    with pytest.raises(InputError, match="is the review copy itself"):
        apply_review(reviewed, reviewed, force=True)


def test_commands(ruling: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ruling.parent)
    write_gold([read(ruling).with_mentions(mentions(ruling))], "gold.jsonl")
    arguments = ["anonymize", "ruling.docx", "-o", "out/", "--gold", "gold.jsonl", "--review", "reviews"]
    assert main(arguments) == 0
    assert "for review, not for publication: reviews/ruling.not-for-publication.docx" in capsys.readouterr().err
    reject(Path("reviews/ruling.not-for-publication.docx"), "Nelson")
    apply = ["apply", "reviews/ruling.not-for-publication.docx", "-o"]
    assert main([*apply, "final.docx", "--json"]) == 0
    output = capsys.readouterr()
    assert json.loads(output.out)["decisions"] == {"undecided": 4, "rejected": 1}
    assert "4 undecided -> final.docx" in output.err
    assert main([*apply, "final.docx"]) == 2
    assert main([*apply, "Millar.docx"]) == 1
    assert "NOT WRITTEN" in capsys.readouterr().err
