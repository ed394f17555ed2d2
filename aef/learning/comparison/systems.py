"""The systems that can be compared: a line each."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from aef.errors import InputError

if TYPE_CHECKING:
    from aef.learning.comparison.scoring import Options


def _nome(options: Options) -> Any:
    from aef.annotators.nome import Nome

    return Nome(language=options.language, folder=options.lists)


def _finder(options: Options) -> Any:
    from aef.learning.comparison.scoring import BEST
    from aef.tagging.finder import Finder

    own = None if options.features == BEST else options.names
    return Finder(own, options.target, language=options.language, lists=options.lists, seed=options.seed)


def _of(module: str, name: str, **settings: str) -> Callable[[Options], Any]:
    """What makes a system of a module of this room, imported then: the list is also for help that is quick."""

    def make(options: Options) -> Any:
        return getattr(import_module(f"aef.learning.comparison.{module}"), name)(options, **settings)

    return make


@dataclass(frozen=True)
class Kind:
    """A system: what makes a fresh one, a word on it, and the library it needs with the extra that brings it."""

    make: Callable[[Options], Any]
    help: str
    library: str = ""
    extra: str = ""
    features: str = ""
    """A feature set of its own, whatever the options say."""

    @property
    def missing(self) -> str:
        """How to install what is not there; "" where nothing is missing."""
        if not self.library or find_spec(self.library):
            return ""
        return f"needs {self.library}: pip install 'aef-anonymizer[{self.extra}]'"


SYSTEMS: dict[str, Kind] = {
    "aef": Kind(_finder, "the tagger as it is: its own features unless others are asked for, types, consistency"),
    "nome": Kind(_nome, "NOME with its title list"),
    "patterns": Kind(_of("patterns", "Patterns"), "regular expressions alone"),
    "hmm": Kind(_of("hmm", "Hmm"), "hidden Markov model over words"),
    "maxent-nine": Kind(
        _of("linear", "MaxEnt", features="nine"), "maximum entropy, the thesis's nine features", features="nine"
    ),
    "maxent-thesis": Kind(
        _of("linear", "MaxEnt", features="thesis"), "maximum entropy, all features of the thesis", features="thesis"
    ),
    "maxent-rich": Kind(
        _of("linear", "MaxEnt", features="rich"), "maximum entropy, the rich features", features="rich"
    ),
    "maxent": Kind(_of("linear", "MaxEnt"), "maximum entropy, --features"),
    "svm": Kind(_of("linear", "Svm"), "linear support vector machine, --features"),
    "perceptron": Kind(_of("linear", "Perceptron"), "averaged perceptron, --features"),
    "crf": Kind(_of("crf", "Crf"), "linear-chain conditional random field, --features", "pycrfsuite", "compare"),
    "spacy": Kind(_of("spacy_ner", "SpacyNer"), "spaCy's recognizer from nothing, on the CPU", "spacy", "spacy"),
}
"""The systems by name, in the order of the table. `aef` and the last ones take the features of the options."""


def chosen(names: str | None, options: Options) -> list[str]:
    """The systems named, separated by commas; None: all, but none twice.

    Raises `InputError` for a name that is none, and for a system named whose library or feature set is missing.
    """
    if names is None:
        return [name for name in SYSTEMS if not _redundant(name, options)]
    asked = list(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))
    if not asked:
        raise InputError(f"no system is named. There are: {', '.join(SYSTEMS)}")
    for name in asked:
        _must_be_there(name)
    return asked


def _must_be_there(name: str) -> None:
    if name not in SYSTEMS:
        near = difflib.get_close_matches(name, SYSTEMS, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise InputError(f"no system is called '{name}'.{hint} There are: {', '.join(SYSTEMS)}")
    if SYSTEMS[name].missing:
        raise InputError(f"the system '{name}' cannot run: {SYSTEMS[name].missing}")


def _redundant(name: str, options: Options) -> bool:
    """Whether another line has the same."""
    from aef.features import feature_names

    return name == "maxent" and any(
        options.names == feature_names(kind.features, options.language) for kind in _own_features()
    )


def _own_features() -> Sequence[Kind]:
    return [kind for kind in SYSTEMS.values() if kind.features]
