"""Every example of a docstring comes out as it says, and every public name has one."""

from __future__ import annotations

import doctest
import inspect
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from unittest.mock import patch

import pytest

import aef
from aef.annotators import kinds, pipeline
from aef.corpus_tools.formats import registry as formats
from aef.corpus_tools.rulings import readers  # which registers those of the house
from aef.features import registry as features
from aef.replacement import schemes

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


REGISTRIES = (
    features.REGISTRY,
    features.ARGUMENTS,
    schemes.SCHEMES,
    kinds.KINDS,
    kinds._ARGUMENTS,
    pipeline._REGISTERED,
    readers.FORMATS,
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_hold(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # some write files
    monkeypatch.setattr(formats, "READ_ONLY", {*formats.READ_ONLY})
    with ExitStack() as after:
        for known in REGISTRIES:  # some register something
            after.enter_context(patch.dict(known))
        found = doctest.testmod(import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.failed == 0 < found.attempted


def test_every_public_name_has_an_example() -> None:
    """So that its module stands among the `MODULES`, too."""
    told = {name: inspect.getdoc(getattr(aef, name)) or "" for name in aef._WHERE}
    assert [name for name, text in told.items() if ">>> " not in text] == []
    assert {*aef._WHERE.values()} <= {*MODULES}
