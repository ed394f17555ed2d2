"""Roles by labelled cases: ``tests/regression/roles.jsonl``, what a court's editor says of each name, and why.

A case's text has its names in braces; a name stands for a person of its own. ``roles``: theirs, in order.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from aef.corpus_tools.document import Document, Mention
from aef.roles.classifier import PRIVATE, roles

LINES = (Path(__file__).parents[3] / "regression" / "roles.jsonl").read_text("utf-8").splitlines()
CASES = [json.loads(line) for line in LINES]
each_case = pytest.mark.parametrize("case", CASES, ids=[case["reason"] for case in CASES])


def found(text: str) -> list[str]:
    plain, mentions = "", []
    for i, piece in enumerate(re.split(r"[{}]", text)):
        name = piece.partition("|")[0] if i % 2 else piece
        if i % 2:
            mentions.append(Mention(len(plain), len(plain) + len(name), "PERSON", entity_id=str(i)))
        plain += name
    return [role.role for role in roles(Document.from_text(plain, mentions=mentions)).values()]


@each_case
def test_case(case: dict[str, Any]) -> None:
    assert found(case["text"]) == case["roles"], case["reason"]


@each_case
def test_windows_lines_change_nothing(case: dict[str, Any]) -> None:
    assert found(case["text"].replace("\n", "\r\n")) == case["roles"], case["reason"]


@pytest.mark.parametrize(
    "text", ["{Ann Roe}", "{Ann Roe}:", "\n{Ann Roe}\n", "Before:{Ann Roe}", "      {Ann Roe}", "({Ann Roe})"]
)
def test_a_name_with_next_to_nothing_around_it(text: str) -> None:
    assert found(text)[0] in {*PRIVATE, "judge"}


def test_a_line_of_many_initials_takes_no_time() -> None:
    assert found("Before:   " + "J." * 40 + " x {Ann Roe}\n") == ["witness"]
