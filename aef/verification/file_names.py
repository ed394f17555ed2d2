"""Names of files that say no hidden name: "Green v Millar.docx" becomes "JG v DM.docx"."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import count
from pathlib import Path

from aef.corpus_tools.name_search.hidden_names import HiddenNames
from aef.replacement.plan import Entity
from aef.verification.leaks import hidden_names


def safe_path(path: Path, hidden: Sequence[Entity], labels: Mapping[str, str], taken: Collection[Path] = ()) -> Path:
    """The path with labels (by entity id) in the place of names and hidden numbers in the file's own name, itself
    numbered where it is taken."""
    stem = safe_name(path.stem, hidden, labels)
    if stem == path.stem:
        return path
    numbers = ("" if n == 1 else f"-{n}" for n in count(1))
    names = (path.with_name(f"{stem}{number}{path.suffix}") for number in numbers)
    return next(name for name in names if name not in taken)


def safe_name(name: str, hidden: Sequence[Entity], labels: Mapping[str, str]) -> str:
    """The name of a folder, or of a file without its suffix, with labels in the place of hidden names and numbers."""
    return _numbers(hidden, labels).identifier(hidden_names(hidden, labels).identifier(name))


def _numbers(hidden: Sequence[Entity], labels: Mapping[str, str]) -> HiddenNames:
    """Numbers of files, plates and accounts, which the text may tell in other signs."""
    forms = ((form, labels.get(e.entity_id, "")) for e in hidden for form in e.forms)
    return HiddenNames({form: label for form, label in forms if sum(map(str.isdigit, form)) >= 4 and "\n" not in form})
