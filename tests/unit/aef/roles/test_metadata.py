"""The metadata of a case: what is read from the file, whom it names, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from aef.errors import InputError
from aef.roles.classifier import ROLES, THINGS
from aef.roles.metadata import ROLE_OF, Known, known, matched, read_metadata

PEOPLE = {
    "summer": ["Summer Rose Walker", "Walker"],
    "long": ["Long"],
    "brian": ["Brian Long"],
    "counsel": ["T. J. Sandhu", "Sandhu"],
    "party": ["Gurpreet Singh Sandhu"],
    "firm": ["Rose & Hope LLP"],
}

NAMED = [
    ({"parties": ["Summer Walker"]}, {"summer": "party"}, "without the second given name"),
    ({"parties": ["Sumner Rose Walker"]}, {"summer": "party"}, "a letter wrong"),
    ({"parties": ["WALKER, Summer Rose"]}, {"summer": "party"}, "surname first"),
    ({"judges": ["Madam Justice Long"]}, {"long": "judge"}, "a title: not the one who has a given name"),
    ({"judges": ["Long J."]}, {"long": "judge"}, "an office behind"),
    ({"judges": ["Margaret Long"]}, {"long": "judge"}, "a surname alone in the ruling"),
    ({"lawyers": ["Tejinder Sandhu"]}, {"counsel": "counsel"}, "initials in the ruling"),
    ({"counsel": ["T. J. Sandhu"], "parties": ["Gurpreet Sandhu"]}, {"counsel": "counsel", "party": "party"}, "two"),
    ({"parties": [{"name": "X. Nobody", "also": ["Summer R. Walker"]}]}, {"summer": "party"}, "a second name"),
    ({"firms": ["Rose and Hope LLP"]}, {"firm": "law firm"}, "a firm"),
    ({"experts": ["Wanda Grant"]}, {}, "nobody of the ruling"),
    ({"judges": ["Sandhu"]}, {}, "a surname of people whose given names are told"),
    ({}, {}, "nothing"),
]


@pytest.mark.parametrize(("content", "wanted", "reason"), NAMED, ids=[case[2] for case in NAMED])
def test_whom_the_metadata_name(content: dict[str, object], wanted: dict[str, str], reason: str) -> None:
    found = matched(PEOPLE, known(content))
    assert {key: who.role for key, (who, _) in found.items()} == wanted, reason


def test_likeness_is_asked_for() -> None:
    listed = known({"firms": ["Rose & Hop LLP"]})
    assert not matched(PEOPLE, listed, similar=0.99) and matched(PEOPLE, listed, similar=0.8)


def test_every_key_means_a_role() -> None:
    assert set(ROLE_OF.values()) <= {*ROLES, *THINGS}


def test_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "case.json").write_text('{"parties": ["Ann Roe", {"name": "Bo Li", "also": ["B. Li"]}]}')
    assert read_metadata(tmp_path / "case.json") == (Known("party", ("Ann Roe",)), Known("party", ("Bo Li", "B. Li")))


WRONG = [
    ('{"parties": ["Ann"],\n "jugdes": []}', r"case\.json, line 2: unknown key 'jugdes'\. There are: parties"),
    ('{\n"parties": ["Ann"\n}', r"case\.json, line 3: is no valid JSON"),
    ('["Ann"]', r"case\.json: an object is wanted, not a list"),
    ('{"experts": [],\n\n"parties": "Ann"}', r"line 3: 'parties' is a text\. Write a list"),
    ('{"parties": [\n{"nmae": "Ann"}]}', r"line 1: 'parties' has an entry that is no name"),
    ('{"parties": [3]}', r"'parties' has an entry that is no name"),
    ('{"parties": [""]}', r"'parties' has an entry that is no name"),
    ('{"parties": [{"name": "Ann", "also": "A."}]}', r"'parties' has an entry that is no name"),
]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[case[1][:40] for case in WRONG])
def test_what_is_wrong_is_named_with_key_and_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "case.json").write_text(text)
    with pytest.raises(InputError, match=message):
        read_metadata(tmp_path / "case.json")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.json"):
        read_metadata(tmp_path / "none.json")
