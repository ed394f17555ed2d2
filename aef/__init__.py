"""aef, the Anonymizable Entity Finder: learns from pairs of rulings what must be hidden, and hides it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_WHERE = {
    "Document": "aef.corpus_tools.document",
    "Mention": "aef.corpus_tools.document",
    "InputError": "aef.errors",
    "read": "aef.corpus_tools.readers",
    "read_gold": "aef.corpus_tools.gold",
    "write_gold": "aef.corpus_tools.gold",
    "align": "aef.corpus_tools.alignment",
    "feature": "aef.features",
    "MaxEntClassifier": "aef.classifiers.maxent",
    "Finder": "aef.tagging.finder",
    "Nome": "aef.annotators.nome",
    "Session": "aef.editing",
    "Case": "aef.replacement.case_file",
    "restore": "aef.replacement.restoration",
    "anonymize": "aef.anonymization",
    "Recipe": "aef.recipe",
    "evaluate": "aef.evaluation.figures",
}
"""Public names and the module each comes from: loaded when first asked for, so that the command line starts at once."""

__all__ = sorted([*_WHERE, "__version__"])


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'aef' has no attribute {name!r}")
    value = getattr(import_module(_WHERE[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
