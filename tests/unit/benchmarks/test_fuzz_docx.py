"""Some hundred mutated DOCX files: each is anonymized or refused; the benchmark does it by the thousand."""

from __future__ import annotations

import io
import random
import zipfile
from pathlib import Path

import pytest

from aef.benchmarks import fuzz_docx
from aef.benchmarks.fuzz_docx import ANONYMIZED, NAMES, REFUSED, fuzz, main, mutate, sample


@pytest.mark.slow
def test_each_mutation_is_anonymized_or_refused(tmp_path: Path) -> None:
    outcome = fuzz([sample()], NAMES, range(150), tmp_path)
    assert outcome.failed == {}
    assert outcome.counts[ANONYMIZED] > 20 and outcome.counts[REFUSED] > 20, "else nothing is shown"
    assert [path.name for path in tmp_path.iterdir()] == ["in.docx"]


def test_mutations_are_many_and_the_same_each_time() -> None:
    data = sample()
    made = [mutate(data, random.Random(seed)) for seed in range(40)]
    assert made == [mutate(data, random.Random(seed)) for seed in range(40)]
    assert len(set(made)) > 35


def test_what_goes_wrong_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fuzzer itself: a name left, a traceback and a hang each count as failed."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("a.xml", "<a>Zwet<b/>kow</a>")
    assert fuzz_docx._left(stream.getvalue(), NAMES) == "a name left in a.xml"

    def broken(*_: object, **__: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(fuzz_docx, "anonymize", broken)
    outcome = fuzz([sample()], NAMES, [0], tmp_path, tmp_path / "kept")
    assert outcome.failed == {0: "KeyError: 'x'"} and (tmp_path / "kept" / "0.docx").exists()


def test_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "a.docx").write_bytes(sample())
    assert main(["--count", "3", "--file", str(tmp_path / "a.docx")]) == 0
    assert "longest" in capsys.readouterr().out
