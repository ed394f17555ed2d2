"""From what an editor corrected to a model, in one command; and what `apply` and `verify` refuse to publish."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import docx
import pytest
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from test_own_model import RULING

from aef.annotators.pipeline import Pipeline, load
from aef.annotators.spoken import pipeline_with
from aef.commands import main
from aef.corpus_tools import invented
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.gold.corpora import read_gold, write_gold
from aef.corrections import BUILT_IN, CORRECTED, Counts, Kind, Learned, judged, kinds, learn, of_review, steps, tagged
from aef.roles.correction import UNANSWERED
from aef.tagging.finder import Finder
from aef.verification.model_audit import findings, held

Captured = pytest.CaptureFixture[str]
REVIEW = "review.not-for-publication.docx"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ruling with a table, and its review copy."""
    monkeypatch.chdir(tmp_path)
    ruling = docx.Document()
    for line in filter(None, RULING.splitlines()):
        ruling.add_paragraph(line)
    ruling.add_table(1, 1).cell(0, 0).text = "For the Respondent: Mr Ridley"
    ruling.save("ruling.docx")
    assert main(["anonymize", "ruling.docx", "-o", "safe.docx", "--review", "review.docx", "--quiet"]) == 0
    return tmp_path


def hide_by_hand(word: str, times: int = 1) -> None:
    """The editor replaces a word herself, with changes tracked, in so many paragraphs of the review copy."""
    review = docx.Document(REVIEW)
    runs = [run for p in review.paragraphs for run in p.runs if word in run.text]
    for run in runs[:times]:
        before, after = run.text.split(word, 1)
        for element in (_run(before), _change("del", word), _change("ins", "[...]"), _run(after)):
            run._r.addprevious(element)
        run._r.getparent().remove(run._r)
    review.save("edited.docx")


def _run(text: str, tag: str = "w:t") -> Any:
    run, inner = OxmlElement("w:r"), OxmlElement(tag)
    inner.text = text
    inner.set(qn("xml:space"), "preserve")
    run.append(inner)
    return run


def _change(kind: str, text: str) -> Any:
    change = OxmlElement(f"w:{kind}")
    change.set(qn("w:author"), "Editor")
    change.append(_run(text, "w:delText" if kind == "del" else "w:t"))
    return change


def test_apply_refuses_what_the_editor_hid_in_one_place_only(folder: Path, capsys: Captured) -> None:
    hide_by_hand("Ridley")
    assert main(["apply", "edited.docx", "-o", "out.docx"]) == 1
    told = capsys.readouterr().err
    assert "(paragraph 12): Ridley, " in told and "NOT WRITTEN" in told and not Path("out.docx").exists()
    assert main(["apply", "edited.docx", "-o", "out.docx", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)["findings"]
    assert {(one["name"], one["where"]) for one in found} == {("Ridley", f"paragraph {n}") for n in (12, 14)}
    assert main(["apply", REVIEW, "-o", "out.docx"]) == 0, "counsel who stays everywhere is no leak"


def test_the_same_file_twice_is_no_anonymization(folder: Path, capsys: Captured) -> None:
    assert main(["verify", "ruling.docx", "ruling.docx"]) == 1
    assert "nothing in it is anonymized" in capsys.readouterr().err
    assert main(["verify", "ruling.docx", "safe.docx", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["same_text"] is False


def test_verify_names_the_paragraph_or_the_line_of_a_text(folder: Path, capsys: Captured) -> None:
    Path("a.txt").write_text("Ms. Zwetkow came.\n\nMs. Zwetkow and Ms. Zwetkow left.\n", encoding="utf-8")
    Path("b.txt").write_text("Ms. A. came.\n\nMs. A. and Ms. Zwetkow left.\n", encoding="utf-8")
    assert main(["verify", "a.txt", "b.txt"]) == 1
    assert "line 3" in capsys.readouterr().out
    half = docx.Document("safe.docx")
    half.paragraphs[-1].add_run(" Ms Kowalska left.")
    half.save("half.docx")
    assert main(["verify", "ruling.docx", "half.docx"]) == 1
    assert f"paragraph {len(half.paragraphs)}): Kowalska" in capsys.readouterr().out


def test_a_review_copy_is_a_gold_document(folder: Path) -> None:
    hide_by_hand("Ridley", 9)
    document = of_review("edited.docx")
    hidden = {document.cut(m) for m in document.mentions}
    assert {"Anna Maria Kowalska", "Robert Hale", "GB 4481927", "Ridley"} <= hidden
    original = {line for line in RULING.splitlines() if line}
    assert original <= set(document.text.splitlines()), "the ruling as it was before the review"


@pytest.mark.slow
def test_the_whole_way(folder: Path, capsys: Captured) -> None:
    assert main(["learn", REVIEW, "-o", "ours.aef", "--built-in", "6", "--json", "--even-if-worse"]) in (0, 1)
    told = json.loads(capsys.readouterr().out)
    assert told["written"] and {kind["kind"] for kind in told["checks"]["built-in rulings"]} >= {"PERSON", "CODE"}
    assert Finder.load("ours.aef").target == "names"
    assert main(["anonymize", "ruling.docx", "-o", "again.docx", "--model", "ours.aef", "--quiet"]) == 0
    text = "\n".join(p.text for p in docx.Document("again.docx").paragraphs)
    assert not [word for word in ("Kowalska", "Hale", "4481927", "7946") if word in text] and "Fenwick" in text


@pytest.mark.parametrize(
    ("counts", "worse", "why"),
    [
        ((10, 2, 2, 9, 9, 3, 3, 1, 1), False, "as before"),
        ((10, 2, 1, 100, 104, 40, 42, 2, 1), False, "one more is found, few more are wrong"),
        ((10, 2, 3, 9, 0, 3, 0, 2, 3), True, "one more is missed, whatever else is better"),
        ((10, 2, 9, 9, 9, 3, 3, 1, 1), False, "one name is missed, however often it stands in its ruling"),
        ((10, 2, 0, 100, 120, 40, 48, 2, 0), True, "a fifth more is hidden wrongly"),
        ((10, 2, 2, 44, 54, 17, 18, 1, 1), False, "one name more, however often it stands in its ruling"),
        ((10, 2, 2, 44, 48, 17, 19, 1, 1), True, "two names more of seventeen"),
    ],
)
def test_what_is_worse(counts: tuple[int, ...], worse: bool, why: str) -> None:
    assert Kind("PERSON", *counts).worse is worse, why


def counts(missed: int = 0, names: int = 0, kind: str = "PERSON", mentions: int = 9) -> Counts:
    lost = Counter({kind: missed})
    return Counter({kind: mentions}), lost, Counter(), Counter({kind: names}), lost


NOTHING = SimpleNamespace()  # what was learned is not looked at


@pytest.mark.parametrize(
    ("corrected", "built_in", "roles", "worse", "why"),
    [
        ((5, 3), (1, 2), False, [], "the court's own rulings win more than is lost elsewhere"),
        ((5, 3), (1, 4), False, ["what is to hide in all rulings"], "more is lost elsewhere than the court wins"),
        ((5, 3), (1, 4), True, [], "whom other courts hide tells nothing of roles"),
        ((5, 6), (4, 1), False, [f"PERSON in {CORRECTED}"], "what is won elsewhere is no use to the court"),
        (None, (1, 2), False, [f"PERSON in {BUILT_IN}"], "one ruling alone cannot be checked on itself"),
    ],
)
def test_sets_of_rulings_are_judged_together(
    corrected: tuple[int, int] | None, built_in: tuple[int, int], roles: bool, worse: list[str], why: str
) -> None:
    pairs = {
        name: [(counts(missed[0]), counts(missed[1])), (counts(kind="CODE"), counts(kind="CODE"))]
        for name, missed in ((CORRECTED, corrected), (BUILT_IN, built_in))
        if missed
    }
    assert Learned(NOTHING, pairs, roles=roles).worse == worse, why  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("people", "companies", "worse", "why"),
    [
        ((5, 3), (1, 2), [], "a company named after one of the people who are shown now"),
        ((5, 5), (1, 2), [f"what is to hide in {CORRECTED}"], "nobody is found for it"),
        ((5, 6), (2, 0), [f"PERSON in {CORRECTED}"], "people are not given for companies"),
    ],
)
def test_where_roles_are_learned_people_count_and_all_kinds_together(
    people: tuple[int, int], companies: tuple[int, int], worse: list[str], why: str
) -> None:
    ways = ((counts(one), counts(other, kind="ORG")) for one, other in zip(people, companies, strict=True))
    before, after = (tuple(a + b for a, b in zip(*way, strict=True)) for way in ways)
    assert Learned(NOTHING, {CORRECTED: [(before, after)]}, roles=True).worse == worse, why  # type: ignore[arg-type, dict-item]


@pytest.mark.parametrize(
    ("before", "after", "pays", "why"),
    [
        ([4, 4, 4], [3, 3, 3], True, "one fewer in each ruling"),
        ([4, 4, 4, 4], [3, 3, 4, 4], True, "in half of them, and never more"),
        ([4, 4, 4], [3, 4, 4], False, "one in one ruling may be chance"),
        ([4, 4, 4, 4], [0, 6, 0, 6], False, "as often more as fewer"),
        ([4], [0], False, "a single ruling has no error to compare with"),
        ([4, 4], [4, 4], False, "nothing is won"),
    ],
)
def test_what_is_won_must_be_more_than_chance(before: list[int], after: list[int], pays: bool, why: str) -> None:
    pairs = {CORRECTED: [(counts(names=b), counts(names=a)) for b, a in zip(before, after, strict=True)]}
    found = Learned(NOTHING, pairs)  # type: ignore[arg-type]
    assert found.pays is pays and found.gain == sum(before) - sum(after), why


@pytest.mark.parametrize(
    ("missed", "names", "share", "why"),
    [
        ((0, 0, 0, 0), (9, 9, 9, 9), 1.0, "all win alike: the whole way"),
        ((2, 0, 0, 0), (0, 9, 9, 9), 0.5, "the whole way misses more, whatever else it gains"),
        ((2, 2, 0, 0), (9, 9, 9, 9), 0.25, "half of the way misses more, too"),
        ((0, 0, 0, 1), (9, 8, 8, 6), 0.125, "more is found by all others, and more is wrong"),
        ((1, 1, 1, 1), (9, 9, 9, 9), 0.0, "nothing is won: the model as it was"),
        ((2, 2, 2, 1), (0, 0, 0, 9), 0.0, "every step but the last is worse, and that wins nothing"),
        ((2, 2, 2, 2), (0, 0, 0, 0), 1.0, "every step is worse: what is refused is the whole way"),
    ],
)
def test_a_model_goes_so_far_as_the_fewest_errors_are_left(
    monkeypatch: pytest.MonkeyPatch, missed: tuple[int, ...], names: tuple[int, ...], share: float, why: str
) -> None:
    """What is hidden in the end is made up here; how far the model goes by it, and what is told of it, is not."""
    rulings = [d.with_mentions(m for m in d.mentions if m.masked) for d in invented.rulings(3, 3)]
    base = Finder("nine,L-1", "names", 0.3).fit(invented.rulings(4, 5))

    def pairs(trial: Any, _: object) -> dict[str, Any]:
        tried = max(0, len(trial.seen) - 2)  # beside that of none of the way
        after = (missed[tried], names[tried]) if len(trial.seen) > 1 else (1, 9)
        return {BUILT_IN: 2 * [(counts(1, 9), counts(*after))]}

    monkeypatch.setattr("aef.corrections.learning._Trial._pairs", pairs)
    found = learn(base, rulings[:1], rulings[1:])
    assert found.share == share and bool(found.worse) is (missed[-1] == 2), why
    assert found.adapted.hidden_only, "that counsel are no names is learned from no step"
    assert found.adapted.hidden + found.adapted.shown > 0 or not share


@pytest.mark.slow
def test_progress_is_told_of_every_ruling_and_try() -> None:
    rulings = [d.with_mentions(m for m in d.mentions if m.masked) for d in invented.rulings(3, 3)]
    ticks: list[int] = []
    learn(
        Finder("nine,L-1", "names", 0.3).fit(invented.rulings(4, 5)),
        rulings[:2],
        rulings[2:],
        tick=lambda: ticks.append(1),
    )
    assert len(ticks) == steps(rulings[:2], rulings[2:])


@pytest.mark.slow
def test_whom_a_court_hides_is_learned_written_and_read(tmp_path: Path) -> None:
    """Its counsel, too, whom roles show as they ship."""
    rulings = [_with_counsel_hidden(document) for document in invented.rulings(9, 13)]
    base = Finder("nine,L-1", "names", 0.3).fit(invented.rulings(4, 5))
    found = learn(base, [d.with_mentions(m for m in d.mentions if m.masked) for d in rulings[:6]])
    assert found.roles and not found.worse
    found.adapted.finder.save(tmp_path / "ours.aef")
    ours = Finder.load(tmp_path / "ours.aef")
    assert ours.roles == found.adapted.finder.roles
    before, after = (_kinds(pipeline_with(model), rulings[6:]) for model in (base, ours))
    (missed, names), (now_missed, now_names) = (
        (sum(k.missed_after for k in of), sum(k.names_after for k in of)) for of in (before, after)
    )
    assert now_missed <= missed and now_names < names
    of_roles = [
        string for string in held(tmp_path / "ours.aef") if string.where.startswith(("weights", "near", "line"))
    ]
    assert of_roles and findings(of_roles, rulings[:6]) == []


def test_of_whom_the_editor_said_nothing_is_neither_taught_nor_judged() -> None:
    text = "Mr Thomas Hale appealed against Ms Priya Nair. Mr Hale lost, and Ms Nair won."
    document = Document.from_text(text, "ruling")
    found = document.with_mentions(Mention(m, m + len(name), "PERSON") for m, name in _places(text, "Hale", "Nair"))
    said = [replace(m, extra={UNANSWERED: document.cut(m) == "Nair"}) for m in found.mentions]
    pipeline = load("court-en")
    (whole,) = judged(pipeline, [found], [found])
    (part,) = judged(pipeline, [found.with_mentions(said)], [found])
    assert whole.counts[0].total() == 4 and part.counts[0].total() == 2
    assert (len(whole.people), len(part.people)) == (2, 1)
    (shown,) = judged(pipeline, [found.with_mentions(replace(m, identifier_type="NO_MASK") for m in said)], [found])
    assert shown.counts[3] <= Counter(PERSON=1), "whom nobody was asked about is not hidden wrongly"


def test_a_name_that_is_missed_counts_once_however_often_it_stands_there() -> None:
    text = "Mr Thomas Hale appealed. Mr Hale lost, and Hale paid."
    document = Document.from_text(text, "ruling")
    gold = document.with_mentions(Mention(m, m + len(name), "PERSON") for m, name in _places(text, "Hale"))
    ((_, missed, _, _, names),) = (found.counts for found in judged(load("court-en"), [gold], [document]))
    assert (missed.total(), names.total()) == (3, 1)


def _places(text: str, *names: str) -> list[tuple[int, str]]:
    return [(match, name) for name in names for match in range(len(text)) if text.startswith(name, match)]


def _kinds(pipeline: Pipeline, rulings: list[Document]) -> list[Kind]:
    return kinds([2 * (found.counts,) for found in judged(pipeline, rulings, tagged(pipeline, rulings))])


def _with_counsel_hidden(document: Document) -> Document:
    return document.with_mentions(
        replace(m, identifier_type="DIRECT") if m.extra.get("role") == "counsel" else m for m in document.mentions
    )


@pytest.mark.slow
def test_what_is_worse_is_not_written(folder: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    def more_each_time(_: object, hidden: object) -> Counts:
        calls.append(hidden)
        return counts(len(calls))

    calls: list[object] = []
    monkeypatch.setattr("aef.corrections.judging.counted", more_each_time)
    assert main(["learn", REVIEW, "-o", "ours.aef", "--built-in", "2"]) == 1
    told = capsys.readouterr().err
    assert "worse: PERSON in built-in rulings; NOT WRITTEN" in told and "cannot be checked on itself" in told
    assert not Path("ours.aef").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["learn", "-o", "m.aef"], "nothing to learn from"),
        (["learn", "ruling.docx", "-o", "m.aef"], "is no review copy"),
        (["learn", "absent.docx", "-o", "m.aef"], "absent.docx: cannot be read"),
        (["learn", "--pairs", "ruling.docx", "absent.docx", "-o", "m.aef"], "absent.docx"),
        (["learn", "absent.jsonl", "-o", "m.aef"], "absent.jsonl"),
        (["learn", "one-safe.gold.jsonl", "two-safe.gold.jsonl", "-o", "m.aef"], "two-safe.gold.jsonl and one-safe"),
    ],
)
def test_what_goes_wrong(folder: Path, capsys: Captured, arguments: list[str], message: str) -> None:
    for name in ("one", "two"):  # one ruling, finished twice
        write_gold([invented.rulings(1, 3)[0]], f"{name}-safe.gold.jsonl")
    assert main(arguments) == 2
    assert message in capsys.readouterr().err and not Path("m.aef").exists()


@pytest.mark.slow
def test_pairs_are_learned_from(folder: Path, capsys: Captured) -> None:
    assert main(["learn", "--pairs", "ruling.docx", "safe.docx", "-o", "m.aef", "--built-in", "0", "--quiet"]) == 0
    assert main(["align", "ruling.docx", "safe.docx", "-o", "gold.jsonl", "--quiet"]) == 0
    assert Finder.load("m.aef").trained_on(read_gold("gold.jsonl")[0])
