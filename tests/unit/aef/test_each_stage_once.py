"""A ruling goes through every stage once: nothing asks an earlier stage again for what it has said."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from aef.anonymization import Result, anonymize
from aef.context.surroundings import Surroundings
from aef.corpus_tools.document import Document, Mention
from aef.linking.linker import default, link
from aef.roles.classifier import roles
from aef.roles.policy import load_policy

STAGES = {"link": link, "persons": default, "roles": roles, "evidence": Surroundings.__init__}

# (reason, text with the mentions in braces)
RULINGS = [
    ("a full name where a part of it was found", "Ms. {Ann Roe} left. Then Ann {Roe} and {Paul Lee} came."),
    ("a surname of two people in an address", "Ms. {Ann Roe} and Mr. {Paul Roe} met. See roe@example.org."),
    ("a name that fits two people", "{Ann Roe}, counsel for the mother, and {Ann Lee} met. {Ann} is six."),
    ("a pet name of counsel", "{Bronwen Pugh}, counsel for the mother, rose. {Bron} is six."),
]


def counted(work: Callable[[], Result]) -> Counter[str]:
    """How often each stage is entered."""
    names: dict[CodeType, str] = {stage.__code__: name for name, stage in STAGES.items()}
    calls: Counter[str] = Counter()

    def seen(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code in names:
            calls[names[frame.f_code]] += 1

    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


class Marked:
    """A finder of what stands in braces, which the ruling itself does not have."""

    def __init__(self, marked: str) -> None:
        self.names = marked.replace("}", "{").split("{")

    def tag(self, document: Document) -> Document:
        starts = [sum(map(len, self.names[:i])) for i in range(len(self.names))]
        return document.with_mentions(
            Mention(starts[i], starts[i] + len(self.names[i]), "PERSON") for i in range(1, len(self.names), 2)
        )


@pytest.mark.parametrize(("reason", "marked"), RULINGS, ids=[c[0] for c in RULINGS])
def test_each_stage_once(reason: str, marked: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(marked.replace("{", "").replace("}", ""), "utf-8")
    finder, policy = Marked(marked), load_policy("lexum")
    calls = counted(lambda: anonymize(tmp_path / "a.txt", tmp_path / "b.txt", finder=finder, policy=policy))
    assert calls == dict.fromkeys(STAGES, 1), reason
