"""Lists of what is registered are as the registries have them, wherever they are told."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from aef.commands import common, main
from aef.corpus_tools.formats.registry import READ_ONLY
from aef.corpus_tools.rulings.readers import FORMATS
from aef.experiments import registries
from aef.features import REGISTRY
from aef.replacement.schemes import ALIASES, SCHEMES

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


def test_the_plug_in_of_contributing_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (tmp_path / "mine.py").write_text(next(iter(re.findall(r"```python\n(import aef\n.*?)```", text, re.DOTALL))))
    (tmp_path / "a.txt").write_text("[1] The court heard MILLAR.", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AEF_PLUGINS", "")
    monkeypatch.setattr("aef.plugins.loading._loaded", {})  # no later test works with it
    known = [dict(registry) for registry in (SCHEMES, ALIASES, REGISTRY)]
    options = ["--plugin", "mine.py", "--annotator", "capitals:4", "--scheme", "stars", "--quiet"]
    try:
        assert main(["anonymize", "a.txt", "-o", "b.txt", *options]) == 0, capsys.readouterr().err
    finally:
        for registry, before in zip((SCHEMES, ALIASES, REGISTRY), known, strict=True):
            registry.clear()
            registry.update(before)
        for name in [name for name in sys.modules if name.startswith("aef_plugin_")]:
            del sys.modules[name]
    assert (tmp_path / "b.txt").read_text() == "[1] The court heard ***."
