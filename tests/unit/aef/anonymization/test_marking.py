"""What is hidden beside what was found: the bare surnames of those who are surely private."""

from __future__ import annotations

import re

import pytest

from aef.anonymization.marking import Wanted, hidden_in
from aef.corpus_tools.document import Document, Mention
from aef.linking.linker import CANDIDATES
from aef.roles.policy import load_policy

RULING = """IN THE COURT OF APPEALS
Between:
Ann Barbieri, Plaintiff-Appellant,
and
Peter Jennings, Defendant-Appellee.

1. The plaintiff, Ms. Barbieri, sued Mr. Jennings for damages. Mr. Jennings drove his car into her lane.
2. Mr. Jennings testified that he saw nothing. He admitted that he was tired. The cheque was drawn on Cora Dunmore.
Ms. Barbieri testified that her arm was broken and that she could not drive.
3. {}
"""


@pytest.mark.parametrize(
    ("sentence", "wanted", "hidden", "why"),
    [
        ("The jury found Jennings negligent.", Wanted(), ["Jennings"], "the same surname, which was not found"),
        ("The jury heard of the Mong-Jennings dispute.", Wanted(), ["Jennings"], "within a longer word, too"),
        ("A jennings is a drill, and the Jennings broke.", Wanted(), [], "the ruling has it as an ordinary word"),
        ("Barbieri was not heard.", Wanted(), ["Barbieri"], "another party's surname"),
        ("Ms. Dunmore was not heard.", Wanted(), ["Dunmore"], "behind a title, it need not be that sure"),
        ("Dunmore was not heard.", Wanted(), [], "she is not so surely private: somebody is to look at it"),
        ("See Jennings v. Roe [2004] UKHL 3.", Wanted(), [], "a cited case"),
        ("The jury found Jennings negligent.", Wanted(exclude=("found Jennings",)), ["Jennings"], "a name in a phrase"),
        ("The jury found Jennings negligent.", Wanted(exclude=("Jennings",)), [], "what is never to be hidden"),
    ],
)
def test_single_names_of_the_surely_private(sentence: str, wanted: Wanted, hidden: list[str], why: str) -> None:
    text = RULING.format(sentence)
    last = text.index("3. ")
    names = re.finditer(r"Ann Barbieri|Peter Jennings|Cora Dunmore|(?<=Ms\. )Barbieri|(?<=Mr\. )Jennings", text[:last])
    document = Document.from_text(text).with_mentions(
        Mention(m.start(), m.end(), "PERSON", probability=0.99) for m in names
    )
    done = hidden_in(document, Wanted(policy=load_policy("lexum"), exclude=wanted.exclude))
    assert [text[m.start : m.end] for m in done.hidden.mentions if m.start > last] == hidden, why


FAMILY = """IN THE COURT OF APPEALS

Thalwin Quillon, Petitioner,
and
Robert Quillon, Respondent.

1. The petitioner, Thalwin Quillon, sued Robert Quillon. Thalwin Quillon was hit by the respondent, Robert Quillon.
2. Robert Quillon testified that he saw nothing. He admitted that he was tired. Thalwin Quillon was injured.
3. {}
"""


@pytest.mark.parametrize(
    ("sentence", "hidden", "bearers", "why"),
    [
        ("The jury believed Thalwin.", ["Thalwin"], 1, "a given name that no list has, and nobody else's"),
        ("The Quillon car was seized.", ["Quillon"], 2, "one of the two, who are both private"),
        ("He sold it to the Quillons.", ["Quillons"], 2, "the family"),
        ("A thalwin is a drill, and Thalwin broke.", [], 0, "the ruling has it as an ordinary word"),
        ("Robert was not heard.", [], 0, "a given name of the lists may be anybody's: somebody is to look at it"),
    ],
)
def test_single_names_of_a_family(sentence: str, hidden: list[str], bearers: int, why: str) -> None:
    text = FAMILY.format(sentence)
    last = text.index("3. ")
    names = re.finditer(r"(Thalwin|Robert) Quillon", text[:last])
    document = Document.from_text(text).with_mentions(
        Mention(m.start(), m.end(), "PERSON", probability=0.99) for m in names
    )
    done = hidden_in(document, Wanted(policy=load_policy("lexum"))).hidden
    found = [m for m in done.mentions if m.start > last]
    assert [text[m.start : m.end] for m in found] == hidden, why
    assert sum(len(m.extra.get(CANDIDATES, (m.entity_id,))) for m in found) == bearers
