"""Every example of a docstring comes out as it says."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

from aef.features import REGISTRY

ROOT = Path(__file__).resolve().parents[3]


def named(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(part for part in (parts if parts[0] == "aef" else ("aef", *parts)) if part != "__init__")


MODULES = sorted(
    named(path)
    for top in ("aef", "corpus_tools", "features", "lexicons")
    for path in (ROOT / top).rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_hold(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = dict(REGISTRY)
    monkeypatch.chdir(tmp_path)  # some write files
    try:
        found = doctest.testmod(import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    finally:
        REGISTRY.clear()
        REGISTRY.update(known)  # one registers a feature
    assert found.failed == 0 < found.attempted
