"""The ready-made models that come with the package: no training before the first ruling.

``LANGUAGE-TARGET.aef``, learned by `aef.experiments.ready_models` from public judgments, invented rulings and half of
the hand-written ones; see the model card beside them.
"""

from __future__ import annotations

from pathlib import Path

import aef
from aef.errors import InputError

FOLDER = Path(aef.__file__).parent / "models"
TARGETS = {"all": "everything to be hidden", "person": "every name of a person, hidden or not"}


def models() -> dict[str, Path]:
    """The ready-made models by name (``en-all``)."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.aef"))}


def role_models() -> dict[str, Path]:
    """The ready-made models of roles by name (``en-roles``); see `aef.roles.model`."""
    return {path.stem: path for path in sorted(FOLDER.glob("*-roles.json"))}


def find(name: str | Path) -> Path:
    """A model's file: that of a ready-made model's name, else the path given.

    Raises `InputError` for what is neither a file nor a name that a ready-made model has.
    """
    known = models()
    if str(name) in known:
        return known[str(name)]
    path = Path(name)
    if path.suffix or path.exists() or path.parent != Path():
        return path
    raise InputError(f"no ready-made model is called '{name}', and no file. There are: {', '.join(known) or 'none'}")
