"""What the policy decides for the hand-written rulings keeps what is promised; the open half alone is looked at."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aef.experiments import roles


@pytest.mark.slow
def test_the_decision_for_the_open_half(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures = roles.main(["--json", str(tmp_path / "roles.json"), "--errors"])
    printed = capsys.readouterr().out
    assert figures["all"]["hidden %"] >= 100 * roles.HIDDEN_WANTED
    assert figures["all"]["rightly %"] >= 100 * roles.RIGHTLY_WANTED
    assert json.loads((tmp_path / "roles.json").read_text()) == json.loads(json.dumps(figures))
    assert sum(figures["confusion"].values()) == figures["all"]["persons"] > 300
    assert "canadian_family" in printed and "marked \\ found" in printed


def test_under_the_policy_that_hides_all_nothing_is_missed() -> None:
    everybody = list(roles.judged(roles.rulings("irish", half="open"), roles.load_policy("all")))
    figures = roles.figures(everybody)
    assert figures["hidden %"] == 100 and figures["rightly %"] == pytest.approx(
        100 * figures["to hide"] / figures["persons"]
    )


def test_the_marks_are_not_looked_at() -> None:
    (document, *_) = roles.rulings("irish", half="open")
    policy = roles.load_policy("lexum")
    (first, second) = (list(roles.judged([d], policy)) for d in (document, document))
    bare = roles._unmarked(document)
    assert first == second and not any(m.extra or m.identifier_type for m in bare.mentions)
