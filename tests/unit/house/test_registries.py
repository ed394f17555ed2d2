"""Lists of what is registered are as the registries have them, wherever they are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from aef.commands import common, main
from aef.corpus_tools.formats.registry import READ_ONLY
from aef.corpus_tools.rulings.readers import FORMATS
from aef.experiments import registries
from aef.replacement.schemes import SCHEMES

ROOT = Path(__file__).resolve().parents[3]


def test_readme_lists_what_is_registered() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert registries.written(text) == text, "python -m aef.experiments.registries --write README.md"


def test_help_tells_the_formats_of_rulings() -> None:
    assert common.READ_RULINGS.split(", ") == [*sorted(FORMATS.keys() - READ_ONLY), *sorted(READ_ONLY)]
    assert common.RULINGS.split(", ") == sorted(FORMATS.keys() - READ_ONLY)


def test_help_lists_the_schemes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["anonymize", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    for name, scheme in SCHEMES.items():
        assert scheme.__doc__ is not None
        assert f"{name} {scheme.__doc__.splitlines()[0]}" in told
