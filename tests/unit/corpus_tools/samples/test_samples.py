"""Sample rulings: gold by construction, the house's labels, the hard cases, enough variety, readable files."""

from __future__ import annotations

import io
import itertools
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import docx
import pytest

from aef.corpus_tools.samples import SampleRuling, built_in, generate, plan, write_pairs
from aef.corpus_tools.samples.people import Organisation, Person
from aef.corpus_tools.samples.pieces import MONTHS, duration, ordinal
from aef.corpus_tools.samples.pools import pool
from aef.corpus_tools.samples.prose import topics
from aef.corpus_tools.samples.ruling import Run, SampleBlock
from aef.errors import InputError

COMMON = {name.lower() for file in ("surnames", "given_female", "given_male") for name in pool(file)["word"]}


@pytest.fixture(scope="module")
def twelve() -> list[SampleRuling]:
    return built_in()


@pytest.fixture(scope="module")
def clean() -> list[SampleRuling]:
    """Long and short rulings without slips."""
    return generate(8, seed=11)


def all_runs(rulings: list[SampleRuling]) -> Iterator[tuple[SampleRuling, SampleBlock, Run]]:
    for ruling in rulings:
        for block in (*ruling.blocks, ruling.header):
            for run in block.runs:
                yield ruling, block, run


def words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]{2,}", text)


def test_the_same_seed_gives_the_same_rulings(clean: list[SampleRuling]) -> None:
    again = generate(8, seed=11)
    assert again == clean
    assert generate(3, seed=11) == clean[:3], "a ruling does not depend on how many follow"
    assert generate(1, seed=12)[0].text != clean[0].text


def test_the_same_seed_gives_the_same_text_in_another_process() -> None:
    code = (
        "from aef.corpus_tools.samples import generate; import zlib; print(zlib.crc32(generate(1, 5)[0].text.encode()))"
    )
    runs = {subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout for _ in range(2)}
    assert len(runs) == 1


@pytest.mark.parametrize("pages", [(3, 15), (3, 4), (14, 15)])
def test_lengths_are_in_the_range(pages: tuple[int, int]) -> None:
    assert all(pages[0] <= ruling.pages <= pages[1] for ruling in generate(3, seed=4, pages=pages))


@pytest.mark.parametrize(
    ("number", "slips", "pages", "reason"),
    [
        (-1, 0.0, (3, 15), "a negative number"),
        (1, 1.5, (3, 15), "a share above one"),
        (1, 0.0, (1, 2), "too short for a ruling with a head and an order"),
        (1, 0.0, (9, 4), "a range the wrong way round"),
        (1, 0.0, (3, 90), "more than there is to tell"),
    ],
)
def test_impossible_wishes_are_refused(number: int, slips: float, pages: tuple[int, int], reason: str) -> None:
    with pytest.raises(InputError, match="Ask for"):
        generate(number, slips=slips, pages=pages)


def test_the_twelve_are_of_modest_length(twelve: list[SampleRuling]) -> None:
    assert len(twelve) == 12 == len({ruling.doc_id for ruling in twelve})
    assert 5.5 < sum(ruling.pages for ruling in twelve) / 12 < 6.5
    assert [bool(ruling.slips) for ruling in twelve].count(True) == 2


def test_every_mention_cuts_what_is_hidden(twelve: list[SampleRuling]) -> None:
    for ruling in twelve:
        document = ruling.document()
        hidden = [run for _, run in ruling.runs() if run.gold]
        assert [document.cut(mention) for mention in document.mentions] == [run.text for run in hidden]
        assert {mention.entity_type for mention in document.mentions} <= {"PERSON", "ORG", "LOC", "DATETIME", "CODE"}
        assert all(mention.masked and mention.entity_id for mention in document.mentions)
        assert all(run.text == run.text.strip() and run.text for run in hidden), "no blank at the edge of a mention"


def test_blocks_are_the_text(twelve: list[SampleRuling]) -> None:
    for ruling in twelve:
        document = ruling.document()
        assert "\n".join(document.text[block.start : block.end] for block in document.blocks) == document.text
        assert {block.part for block in document.blocks} <= {"head", "body", "table"}
        assert document.blocks[0].part == "head"


def test_original_and_anonymized_have_the_same_blocks(clean: list[SampleRuling]) -> None:
    for ruling in clean:
        assert ruling.text.count("\n") == ruling.anonymized_text.count("\n") == len(ruling.blocks) - 1


def test_no_hidden_name_is_left(clean: list[SampleRuling]) -> None:
    """Whole words; a kept name (counsel, a cited case) may share one, and so may the prose if it is a common word."""
    for ruling in clean:
        hidden = {
            w.lower()
            for _, run in ruling.runs()
            if run.gold and run.gold.entity_type == "PERSON"
            for w in words(run.text)
            if w[0].isupper() and not run.text.isupper()  # "ten" of ten Brink, TEN BRINK, is no name
        }
        left = [
            (word, run.text)
            for _, _, run in all_runs([ruling])
            for word in words(run.shown)
            if word.lower() in hidden and not run.kept and (run.gold or word.lower() not in COMMON)
        ]
        assert left == []


def test_no_address_or_code_is_left(clean: list[SampleRuling]) -> None:
    for ruling in clean:
        secrets = {run.text for _, run in ruling.runs() if run.gold and run.gold.entity_type in ("LOC", "CODE")}
        assert secrets
        assert [secret for secret in secrets if secret in ruling.anonymized_text] == []


def test_a_person_has_one_label_and_a_label_one_person(clean: list[SampleRuling]) -> None:
    for ruling in clean:
        labels: dict[str, set[str]] = {}
        for _, run in ruling.runs():
            if run.gold and run.gold.entity_type == "PERSON":
                labels.setdefault(run.gold.entity_id, set()).add(run.gold.replacement)
        assert all(len(found) == 1 for found in labels.values())
        told = [next(iter(found)) for found in labels.values()]
        assert len(set(told)) == len(told)
        assert all(re.fullmatch(r"(?:\w\.)+\d*", label) for label in told)
        for stem in {label.rstrip("0123456789") for label in told if label[-1].isdigit()}:
            numbers = [label[len(stem) :] for label in told if label.rstrip("0123456789") == stem]
            assert numbers == [str(n) for n in range(1, len(numbers) + 1)], "numbered in the order of the text"


@pytest.mark.parametrize(
    ("given", "last", "initials", "reason"),
    [
        (("William",), "Millar", "W.M.", "given names first, no spaces"),
        (("Joanne", "Louise"), "Green", "J.L.G.", "every given name counts"),
        (("Jean-Luc",), "van der Meer", "J.L.M.", "a hyphen joins two names, a particle is none"),
        (("Mary-Ann",), "Sidhu-Grewal", "M.A.S.G.", "double-barrelled"),
        (("Mei Ling",), "O'Hara", "M.L.O.", "two words, one apostrophe"),
        (("Élodie",), "De Luca", "É.D.L.", "accents stay, a particle with a capital counts"),
    ],
)
def test_initials(given: tuple[str, ...], last: str, initials: str, reason: str) -> None:
    assert Person("x", "E1", given, last, False).initials == initials, reason


@pytest.mark.parametrize(
    ("core", "rest", "hidden", "full", "short"),
    [
        ("Indian River", "Holdings Ltd.", "Indian River Holdings", "I.[...]", "I.[...] Ltd."),
        ("Pender & Foley", "Securities", "Pender & Foley", "P.[...]", "P.[...] Securities"),
        ("Harwood", "Elementary School", "Harwood Elementary", "H.[...]", "H.[...] School"),
    ],
)
def test_organisations(core: str, rest: str, hidden: str, full: str, short: str) -> None:
    body = Organisation.named("co", "E1", core, rest)
    assert (body.hidden, body.replacement, body.short_replacement) == (hidden, full, short)


def test_birth_dates_keep_their_year(twelve: list[SampleRuling]) -> None:
    pairs = [pair for ruling in twelve for block in ruling.blocks for pair in itertools.pairwise(block.runs)]
    dated = [(run, after) for run, after in pairs if hides(run, "DATETIME") and re.match(r", \d{4}", after.text)]
    assert dated
    for run, after in dated:
        assert run.gold and run.gold.replacement == "[...]"
        assert re.match(r" (?:19|20)\d\d\b", after.shown), "the year stays, the comma goes"


# the hard cases of the thesis, Table 1.6 -------------------------------------------------------------------------


def hides(run: Run, kind: str = "PERSON") -> bool:
    return bool(run.gold and run.gold.entity_type == kind)


def beside(rulings: list[SampleRuling], kind: str, kept: str) -> bool:
    """A block that holds something hidden of a kind and something kept of a kind."""
    blocks = [block for ruling in rulings for block in ruling.blocks if block.part == "body"]
    return any(
        any(hides(run, kind) for run in block.runs) and any(run.kept == kept for run in block.runs) for block in blocks
    )


def any_run(test: Callable[[SampleBlock, Run], bool]) -> Callable[[list[SampleRuling]], bool]:
    return lambda rulings: any(test(block, run) for _, block, run in all_runs(rulings))


def titled(rulings: list[SampleRuling], wanted: Callable[[Run], bool]) -> bool:
    return any(
        before.text.endswith(("Ms. ", "Mr. ", "Mrs. ")) and wanted(run)
        for ruling in rulings
        for block in ruling.blocks
        for before, run in itertools.pairwise(block.runs)
    )


def followed(rulings: list[SampleRuling], text: str) -> bool:
    return any(
        hides(run) and after.text.startswith(text)
        for ruling in rulings
        for block in ruling.blocks
        for run, after in itertools.pairwise(block.runs)
    )


def shared(rulings: list[SampleRuling], kept: str) -> bool:
    """A name kept in a ruling in which the same surname is hidden elsewhere."""
    for ruling in rulings:
        hidden = {word for _, run in ruling.runs() if hides(run) for word in words(run.text)}
        if any(hidden & set(words(run.text)) for _, run in ruling.runs() if run.kept == kept):
            return True
    return False


def lower_case_use(rulings: list[SampleRuling]) -> bool:
    for ruling in rulings:
        hidden = {word.lower() for _, run in ruling.runs() if hides(run) for word in words(run.text)} & COMMON
        plain = {word for _, run in ruling.runs() if not run.gold and not run.kept for word in words(run.text)}
        if hidden & plain:
            return True
    return False


SURNAMES = {name for key, names in pool("surnames").items() if key != "word" for name in names}
PLACES = {town for key in ("town_bc", "town_on") for town in pool("pools")[key]}
HYPHENATED = re.compile(r"\w+-\w+")
PARTICLE = re.compile(r"(?:van|von|de|da|ten)\b")

HARD_CASES: dict[str, Callable[[list[SampleRuling]], bool]] = {
    "a party bears a common word": lambda r: titled(r, lambda run: hides(run) and run.text.lower() in COMMON),
    "counsel bears a common word and stays": any_run(
        lambda b, run: run.kept == "counsel" and words(run.text)[-1].lower() in COMMON
    ),
    "counsel with a title stays": lambda r: titled(r, lambda run: run.kept == "counsel"),
    "an expert with a title stays": any_run(lambda b, run: run.kept == "expert"),
    "a judge stays": any_run(lambda b, run: run.kept == "judge"),
    "an organisation bears the name of a person": any_run(
        lambda b, run: hides(run, "ORG") and bool(set(words(run.text)) & SURNAMES)
    ),
    "an organisation bears a name that could be a place": any_run(
        lambda b, run: hides(run, "ORG") and bool(re.search(r"River|Bay|Creek|Harbour|Valley|Lake|Point", run.text))
    ),
    "an organisation by its short name": any_run(lambda b, run: hides(run, "ORG") and len(run.gold.replacement) > 7),
    "a single name": any_run(lambda b, run: hides(run) and b.part == "body" and run.text.isalpha()),
    "a birth date beside dates that stay": lambda r: beside(r, "DATETIME", "date"),
    "an address": any_run(lambda b, run: hides(run, "LOC")),
    "an address beside a town that stays": lambda r: beside(r, "LOC", "place"),
    "an account, licence or telephone number": any_run(lambda b, run: hides(run, "CODE")),
    "a name in capitals in the head": any_run(lambda b, run: hides(run) and b.part == "head" and run.text.isupper()),
    "a name in capitals in a heading": any_run(
        lambda b, run: hides(run) and b.style == "heading" and run.text.isupper()
    ),
    "a name in a table": any_run(lambda b, run: hides(run) and b.part == "table"),
    "a surname before the given name": any_run(lambda b, run: hides(run) and ", " in run.text),
    "an initial before the surname": any_run(
        lambda b, run: hides(run) and bool(re.match(r"\w\.(\w\.)? ?\w", run.text))
    ),
    "a nickname in brackets": any_run(lambda b, run: hides(run) and "(" in run.text),
    "a name in a quotation": any_run(lambda b, run: hides(run) and b.style == "quote"),
    "a possessive with a straight apostrophe": lambda r: followed(r, "'s"),
    "a possessive with a typographic apostrophe": lambda r: followed(r, "’s"),
    "the same initials twice": any_run(lambda b, run: hides(run) and run.gold.replacement.endswith("2")),
    "a hyphenated name": any_run(lambda b, run: hides(run) and bool(HYPHENATED.search(run.text))),
    "a name with a particle": any_run(lambda b, run: hides(run) and bool(PARTICLE.search(run.text))),
    "a name with an accent": any_run(lambda b, run: hides(run) and not run.text.isascii()),
    "a month as a given name": any_run(lambda b, run: hides(run) and run.text.split()[0] in MONTHS),
    "a cited case shares a surname with a hidden person": lambda r: shared(r, "case"),
    "a hidden name's word in lower case": lower_case_use,
    "a name cut in two by formatting": any_run(lambda b, run: hides(run) and 0 < run.split < len(run.text)),
    "a town in a ruling": any_run(lambda b, run: run.kept == "place" and run.text in PLACES),
}


@pytest.mark.parametrize("case", HARD_CASES)
def test_the_twelve_hold_the_hard_case(case: str, twelve: list[SampleRuling]) -> None:
    assert HARD_CASES[case](twelve)


# variety ---------------------------------------------------------------------------------------------------------


def sentences(ruling: SampleRuling) -> set[str]:
    """The body's sentences of at least four words, names masked."""
    found: set[str] = set()
    for block in ruling.blocks:
        if block.part == "body" and block.style in ("text", "item", "quote"):
            masked = "".join("X" if run.gold or run.kept else run.text for run in block.runs)
            text = re.sub(r"^[\[(]\w+[\])]\t", "", masked)
            found.update(s for s in re.split(r"(?<=[.?!])\s+(?=[A-Z\"“])", text) if len(s.split()) >= 4)
    return found


def test_rulings_share_few_sentences(twelve: list[SampleRuling]) -> None:
    told = [sentences(ruling) for ruling in twelve]
    shares = [len(a & b) / len(a) for a, b in itertools.permutations(told, 2)]
    assert max(shares) < 0.10
    assert sum(shares) / len(shares) < 0.02


def test_a_ruling_repeats_no_sentence_of_its_own(twelve: list[SampleRuling]) -> None:
    for ruling in twelve:
        paragraphs = [block.text.partition("\t")[2] for block in ruling.blocks if block.style == "text"]
        assert len(set(paragraphs)) == len(paragraphs)


def test_the_twelve_families_have_surnames_of_their_own(twelve: list[SampleRuling]) -> None:
    parties = [
        run.text.split()[-1]
        for ruling in twelve
        for block in ruling.blocks
        if block.style == "party"
        for run in block.runs
        if run.gold
    ]
    by_ruling = [
        {run.text for block in ruling.blocks if block.style == "party" for run in block.runs if run.gold}
        for ruling in twelve
    ]
    assert len(parties) >= 24
    assert not any(a & b for a, b in itertools.combinations(by_ruling, 2))


def test_the_pools_are_large() -> None:
    surnames = {name for names in pool("surnames").values() for name in names}
    given = {name for file in ("given_female", "given_male") for names in pool(file).values() for name in names}
    assert len(surnames) >= 250
    assert len(given) >= 200
    assert sum(len(topic.units) for topic in topics().values()) >= 600


def test_no_mark_of_a_template_is_left(twelve: list[SampleRuling], clean: list[SampleRuling]) -> None:
    for ruling in (*twelve, *clean):
        assert not re.search(r"[{}<>|*~]|\?\w|\.\.(?!\.)| [,.;:]| {2}", ruling.text)


def test_slips_change_the_editors_version_only() -> None:
    (clean,), (slipped,) = generate(1, seed=3), generate(1, seed=3, slips=0.2)
    assert slipped.document() == clean.document()
    assert clean.slips == ()
    assert 0.1 < len(slipped.slips) / len(slipped.gold) < 0.3
    assert any(run.shown == run.text for _, run in slipped.slips), "left in clear"
    assert any(run.shown != run.text for _, run in slipped.slips), "labelled wrongly"


@pytest.mark.parametrize(
    ("n", "ending"), [(1, "st"), (2, "nd"), (3, "rd"), (4, "th"), (11, "th"), (12, "th"), (23, "rd"), (30, "th")]
)
def test_ordinals(n: int, ending: str) -> None:
    assert ordinal(n) == ending


def test_durations() -> None:
    from datetime import date

    start = date(1990, 1, 1)
    assert duration(start, date(1990, 7, 1)) == "six months"
    assert duration(start, date(1996, 2, 1)) == "six years"
    assert duration(start, date(2000, 12, 1)) == "almost 11 years"


# files -----------------------------------------------------------------------------------------------------------


def paragraphs(data: bytes) -> list[str]:
    """Every paragraph in reading order, tables cell by cell."""
    found = []
    for item in docx.Document(io.BytesIO(data)).iter_inner_content():
        rows = getattr(item, "rows", None)
        found += (
            [item.text] if rows is None else [p.text for row in rows for cell in row.cells for p in cell.paragraphs]
        )
    return found


def test_the_files_hold_the_blocks(twelve: list[SampleRuling]) -> None:
    for ruling in twelve[:4]:
        assert paragraphs(ruling.original_docx()) == [block.text for block in ruling.blocks]
        assert paragraphs(ruling.anonymized_docx()) == [block.shown for block in ruling.blocks]


def test_the_files_have_a_layout(twelve: list[SampleRuling]) -> None:
    original, anonymized = (
        docx.Document(io.BytesIO(data)) for data in (twelve[0].original_docx(), twelve[0].anonymized_docx())
    )
    for document in (original, anonymized):
        styles = {paragraph.style.name for paragraph in document.paragraphs}
        assert "Heading 1" in styles
        assert any(run.italic for paragraph in document.paragraphs for run in paragraph.runs), "statutes in italics"
        assert document.paragraphs[0].alignment is not None, "the head is set apart"
    assert " v. " in original.sections[0].header.paragraphs[0].text
    assert original.sections[0].header.paragraphs[0].text != anonymized.sections[0].header.paragraphs[0].text


def test_write_pairs(tmp_path: Path, twelve: list[SampleRuling]) -> None:
    pairs = write_pairs(tmp_path, twelve[:2])
    assert [pair[0].relative_to(tmp_path).parts for pair in pairs] == [
        ("original", f"{r.doc_id}.docx") for r in twelve[:2]
    ]
    assert all(path.exists() for pair in pairs for path in pair)
    with pytest.raises(InputError, match="exists"):
        write_pairs(tmp_path, twelve[1:3])
    assert not (tmp_path / "original" / f"{twelve[2].doc_id}.docx").exists(), "nothing is written when one exists"


def test_a_ruling_is_the_same_where_its_prose_is_read_more_than_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where threads come first together: each reads it, and each goes on with what another read."""
    once = [ruling.text for ruling in generate(4, seed=3)]
    readings = itertools.cycle([topics.__wrapped__(), topics.__wrapped__()])
    monkeypatch.setattr(plan, "topics", lambda: next(readings))
    assert [ruling.text for ruling in generate(4, seed=3)] == once
