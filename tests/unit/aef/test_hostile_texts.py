"""Texts made of one thing over and over: each takes about the time that ordinary text takes."""

from __future__ import annotations

import random
import time
from itertools import product
from pathlib import Path

import pytest

from aef.batch.recipe import Anonymizer, Recipe
from aef.corpus_tools.document import Document, Mention
from aef.linking.linker import link
from aef.names.hypocorisms import GivenNames, short_form, written_wrong
from aef.names.matching import fit, keys, sought
from aef.names.person_name import Name, is_given, parse
from aef.names.phrases import occurrences

LIMIT = 20
"""Seconds; what these texts took before was minutes, or all memory, and they take one to three now."""

REPEATED = [
    ("A.B., ", 4_000, "initials, which are a sequence of each length"),
    ("J. ", 10_000, "an initial, nobody's"),
    ("Jane Doe ", 4_000, "a name without end"),
    ("A-", 30_000, "one word of hyphens, in the head"),
    ("O'", 30_000, "one word of apostrophes"),
    ("1.", 30_000, "one number of periods"),
    ("1, ", 10_000, "numbers that may be days of a date"),
    ("one ", 10_000, "numbers in words, no unit behind them"),
    ("Article 1" + " ," * 60 + " x ", 20, "commas that a reference to the law could go on with, in many ways"),
    ("Smith v Smith [2009] ", 400, "what looks like a paragraph's number, the last thing in the ruling"),
    ("SMITH V JONES ", 3_000, "one case, cited thousands of times"),
    ("(", 30_000, "brackets that nothing closes"),
    ('"', 30_000, "quotes"),
    ("Mr Smith" + 10 * "\n", 500, "empty lines"),
]


@pytest.fixture(scope="module")
def anonymizer() -> Anonymizer:
    return Recipe().load()


@pytest.mark.parametrize(("text", "times", "reason"), REPEATED, ids=[c[-1] for c in REPEATED])
def test_one_thing_over_and_over(text: str, times: int, reason: str, anonymizer: Anonymizer, tmp_path: Path) -> None:
    source = tmp_path / "ruling.txt"
    source.write_text(text * times)
    began = time.process_time()
    anonymizer(source)
    assert time.process_time() - began < LIMIT, reason


def invented(number: int) -> list[str]:
    """So many different words that are no names anybody knows."""
    syllables = ["ba", "ko", "ri", "mu", "ten", "sha", "lo", "pre", "vi", "gor", "na", "del", "qui", "sto", "fen"]
    words = ["".join(parts).title() for parts in product(syllables, repeat=4)]
    return random.Random(3).sample(words, number)


MANY = [
    ("Mr {}. ", "surnames with a title, each of which may be another one written wrong"),
    ("{0} {0}ov, ", "names in full, each of which may be a surname before a comma"),
    ("{}. ", "names of one word"),
]


@pytest.mark.parametrize(("form", "reason"), MANY, ids=[c[-1] for c in MANY])
def test_thousands_of_people_are_linked(form: str, reason: str) -> None:
    pieces = [form.format(word) for word in invented(3000)]
    mentions, at = [], 0
    for piece in pieces:
        mentions.append(Mention(at, at + len(piece.rstrip(". ,")), "PERSON"))
        at += len(piece)
    began = time.process_time()
    document = link(Document.from_text("".join(pieces), "d", mentions))
    assert time.process_time() - began < LIMIT, reason
    assert len({m.entity_id for m in document.mentions}) > 2500


def test_thousands_of_names_are_looked_for() -> None:
    names = [f"{word} Roe" for word in invented(3000)]
    text = ", ".join(names) + " and a broken one, Ba-\nkoriko Roe"
    began = time.process_time()
    assert all(text[a:b] == name for name in names for a, b in occurrences(text, name))
    assert time.process_time() - began < LIMIT


def test_a_name_without_end_is_read() -> None:
    text = "Jane Doe " * 20_000
    began = time.process_time()
    assert parse(text, 0, len(text)).words[:3] == ("jane", "doe", "jane")
    assert time.process_time() - began < LIMIT


POSSESSORS = [
    ("Ann Roe's son Bob Lee", ("bob", "lee"), "whose son he is"),
    ("Ann's sister's son Bob Lee", ("bob", "lee"), "of several the last"),
    ("Bob Lee", ("bob", "lee"), "nobody's"),
]


@pytest.mark.parametrize(("text", "words", "reason"), POSSESSORS, ids=[c[-1] for c in POSSESSORS])
def test_a_possessor_is_not_part_of_the_name(text: str, words: tuple[str, ...], reason: str) -> None:
    assert parse(text, 0, len(text)).words == words, reason


def test_given_names_are_found_as_by_a_look_at_all() -> None:
    """Of names and of words made of them: cut, with endings, with slips."""
    rng = random.Random(5)
    names = [word.lower() for word in invented(60)] + ["emilia", "mark", "august", "oluwaseun", "bobby", "anna"]
    words = [*names, "emmi", "markie", "gus", "seun", "bobbys", "annas"]
    for name in names:
        i = rng.randrange(1, len(name))
        words += [name[:i], name[i:], name[:i] + "ie", name[:i] + name[i - 1] + name[i:], f"{name}s"]
        words += [name[: i - 1] + name[i] + name[i - 1] + name[i + 1 :], name[:i] + "x" + name[i + 1 :]]
    known = GivenNames(names)
    for word in filter(None, words):
        plain = {n for n in names if (word == f"{n}s" and is_given(n)) or short_form(word, n) or written_wrong(word, n)}
        assert set(known.meant_by(word)) == plain


def test_names_without_a_single_letter_need_not_share_initials() -> None:
    """Whichever of the two was there first: who fits and shares a word or the initials is found."""
    words = ["jane", "jan", "j", "doe", "d", "johnson", "johnston", "mahmood", "mahmoud", "bill", "william", "w"]
    names = [Name(parts) for size in (1, 2) for parts in product(words, repeat=size)]
    for one, other in product(names, repeat=2):
        shared = [{key.lstrip("~.") for key in keys(name)} for name in (one, other)]
        if shared[0] & shared[1] and fit(one, other):
            assert keys(one) & sought(other), (one.words, other.words)
