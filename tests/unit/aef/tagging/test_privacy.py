"""Planted names: what a corpus hides is found neither by the audit nor among the bytes of a model learned from it."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from aef.corpus_tools.document import Document, Mention
from aef.errors import InputError
from aef.features import resolve
from aef.tagging.finder import Finder
from aef.tagging.privacy import holds_words, pairs_of, private_words, words_of
from aef.verification.model_audit import KINDS, Held, count, findings, held

PLANTED = (
    "{Zyxwortel} met Mr. {Zyxwortel} and his son {Ivo Zyxwortel-Quist} in {Quorvenberg}. "
    "The file {998877/55} was sent to {zyxwortel@example.org} by {Zyxwortel} herself. "
    "ZYXWORTEL, the Zyxwortels and Zyxwortel's dog left; so did Ms. Zyx\u00adwortel. "
    "Later {Jos\u00e9 N\u00fcnclave} came, once written Jose Nunclave. File no. 998877/55 was closed on that day. "
    "Mr. {Rose Lake} spoke. The rose stood by the lake. "
)
CANARIES = ("zyxwortel", "quorvenberg", "998877", "nunclave", "n\u00fcnclave", "zyx\u00adwortel", "rose lake", "wortel")


def planted(text: str, number: int, base: Document) -> Document:
    """A ruling that begins with a text in which braces mark what is hidden."""
    clear, mentions = "", []
    for i, piece in enumerate(text.replace("}", "{").split("{")):
        if i % 2:
            kind = "CODE" if piece[0].isdigit() else "PERSON"
            mentions.append(Mention(len(clear), len(clear) + len(piece), kind, "DIRECT"))
        clear += piece
    moved = [Mention(m.start + len(clear), m.end + len(clear), m.entity_type, "DIRECT") for m in base.mentions]
    return Document.from_text(clear + base.text, f"planted-{number}", mentions + moved)


@pytest.fixture(scope="module")
def sealed(corpus: list[Document]) -> list[Document]:
    """The small corpus, with the same names planted in every document."""
    return [planted(PLANTED, i, document) for i, document in enumerate(corpus)]


def unpacked(path: Path) -> str:
    """All members of a model, their names and their bytes as UTF-8, in lower case."""
    with zipfile.ZipFile(path) as archive:
        members = [name.encode() + archive.read(name) for name in archive.namelist()]
    return b"\n".join(members).decode(errors="replace").lower()


@pytest.mark.parametrize("target", ["person", "all"])
@pytest.mark.parametrize("features", ["rich", "wide", "thesis", "all"])
def test_planted_names_do_not_reach_the_model(
    features: str, target: str, sealed: list[Document], tmp_path: Path
) -> None:
    Finder(features, target, threshold=0.5).fit(sealed).save(tmp_path / "free.aef")
    Finder(features, target, threshold=0.5, names_free=False).fit(sealed).save(tmp_path / "kept.aef")
    free, kept = unpacked(tmp_path / "free.aef"), unpacked(tmp_path / "kept.aef")
    assert [canary for canary in CANARIES if canary in free] == []
    assert {"zyxwortel", "quorvenberg"} <= {canary for canary in CANARIES if canary in kept}
    assert findings(held(tmp_path / "free.aef"), sealed) == []
    assert findings(held(tmp_path / "kept.aef"), sealed)


@pytest.mark.parametrize("documents", [1, 3, 7])
def test_nor_from_a_small_corpus(documents: int, sealed: list[Document], tmp_path: Path) -> None:
    Finder("all", threshold=0.5).fit(sealed[:documents]).save(tmp_path / "m.aef")
    free = unpacked(tmp_path / "m.aef")
    assert [canary for canary in (*CANARIES, '"rtel"') if canary in free] == []


def test_a_users_list_with_a_hidden_name_loses_it(sealed: list[Document], tmp_path: Path) -> None:
    (tmp_path / "title.add.txt").write_text("Master\nZyxwortel\nMr. Quorvenberg\n")
    finder = Finder("thesis", threshold=0.5, lists=tmp_path).fit(sealed)
    finder.save(tmp_path / "m.aef")
    assert "Master" in finder.lexicons["title"] and "Zyxwortel" not in finder.lexicons["title"]
    assert findings(held(tmp_path / "m.aef"), sealed) == []
    assert Held("own list", "title", "Master") in held(tmp_path / "m.aef")


def test_the_model_tags_as_before_it_was_saved(sealed: list[Document], tmp_path: Path) -> None:
    finder = Finder(threshold=0.5).fit(sealed)
    finder.save(tmp_path / "m.aef")
    assert Finder.load(tmp_path / "m.aef").tag(sealed[0]) == finder.tag(sealed[0])


def test_no_predicate_of_fewer_documents_than_k(corpus: list[Document]) -> None:
    strange = [planted("Wherefore hath thine ox gored him. ", i, corpus[i]) for i in range(2)]
    finder = Finder("W-1,SW-1,L1,L0L1", threshold=0.5).fit([*strange, *corpus[2:]])
    assert not [v for values in finder.vocabulary.values() for v in values if "hath" in v or "gored" in v]


def test_an_ending_that_shows_one_hidden_word_goes_and_one_of_many_words_stays(sealed: list[Document]) -> None:
    finder = Finder("Ending3,Ending4", threshold=0.5).fit(sealed)
    assert "rtel" not in finder.vocabulary["Ending4"] and "tel" not in finder.vocabulary["Ending3"]
    assert "ried" in finder.vocabulary["Ending4"]


def test_copies_of_a_document_count_once(corpus: list[Document]) -> None:
    strange = planted("Wherefore hath thine ox gored him. ", 0, corpus[0])
    finder = Finder("SW-1,L1,L0L1", threshold=0.5).fit([strange] * 4 + corpus[1:])
    assert not [v for values in finder.vocabulary.values() for v in values if "hath" in v or "gored" in v]


def told(hidden: str, *others: str) -> Document:
    return planted(f"It names {{{hidden}}} there. " + " ".join(others), 0, Document.from_text(""))


PUBLIC = [
    ("Zyxwortel", (), "zyxwortel", True, "a name"),
    ("Zyxwortel", (), "Xx Zyxwortels", True, "a longer word that holds it"),
    ("Ali", (), "reality", False, "a short name is not looked for inside words"),
    ("Mann", ("the manner of it",) * 3, "manner", False, "a public word that happens to hold a name"),
    ("Großmann", (), "GROSSMANN", True, "in capitals"),
    ("Gülmez", (), "Gulmez", True, "without its accents"),
    ("Gülmez", (), "Gu\u0308lmez", True, "with its accents apart"),
    ("Brook", ("a brook runs",) * 3, "brook", False, "a word in lower case in enough documents"),
    ("Brook", ("a brook runs",) * 2, "brook", True, "in too few"),
    ("xavoq7", ("xavoq7 it says",) * 3, "xavoq7", True, "a code is not public in lower case either"),
    ("Mr. Osei", (), "mr. x", False, "a title is in a list"),
    ("Rose Brook", ("a rose, a brook",) * 3, "rose brook", True, "two public words side by side make a name"),
    ("Rose Brook", ("a rose brook runs",) * 3, "rose brook", False, "unless they stand so in lower case, too"),
]


@pytest.mark.parametrize(("hidden", "others", "text", "expected", "reason"), PUBLIC, ids=[c[-1] for c in PUBLIC])
def test_what_is_private(hidden: str, others: tuple[str, ...], text: str, expected: bool, reason: str) -> None:
    documents = [told(hidden), *(Document.from_text(f"{i}. {other}") for i, other in enumerate(others))]
    assert bool(private_words(documents).inside(text)) is expected, reason


def test_what_is_hidden_in_lower_case_is_not_thereby_public() -> None:
    documents = [planted(f"{i} wrote to {{zyxwortel}} there.", i, Document.from_text("")) for i in range(5)]
    assert private_words(documents).inside("zyxwortel")


def test_words_and_pairs() -> None:
    assert words_of("Mr. D'Arcy 998/7 .") == {"mr.", "mr", "d'arcy", "d", "arcy", "998/7", "998", "7"}
    assert pairs_of("in New  York City") == {"in new", "new york", "york city"}


@pytest.mark.parametrize(
    ("feature", "holds"),
    [("W0", True), ("Ending3", True), ("PatternBefore", True), ("L-1K0", True), ("K0", False), ("S0S1", False)],
)
def test_which_features_hold_words(feature: str, holds: bool) -> None:
    assert holds_words(feature) is holds


# --- the audit ------------------------------------------------------------------------------------------------------


def test_every_string_of_the_file_is_listed(sealed: list[Document], tmp_path: Path) -> None:
    finder = Finder(threshold=0.5).fit(sealed)
    finder.save(tmp_path / "m.aef")
    with zipfile.ZipFile(tmp_path / "m.aef", "a") as archive:
        archive.comment = b"learned for Zyxwortel"
    strings = held(tmp_path / "m.aef")
    counts = count(strings)
    assert list(counts) == list(KINDS) and sum(counts.values()) == len(strings)
    own = [values for name, values in finder.vocabulary.items() if not resolve(name).offset]
    assert counts["predicate"] + counts["form"] == sum(map(len, own))
    assert counts["fingerprint"] == len(sealed)
    assert [f.string for f in findings(strings, sealed)] == ["learned for Zyxwortel"]


def test_an_audit_against_nothing_is_an_error(corpus: list[Document]) -> None:
    with pytest.raises(InputError, match="12 documents hide nothing"):
        findings([], [d.with_mentions([]) for d in corpus])
