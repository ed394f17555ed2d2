"""The kinds of annotators, each made from settings (a table of a TOML file) or from a name on the command line.

A new kind is one function, from its settings to an object with ``tag``, under `annotator_kind`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from aef import plugins
from aef.annotators.settings import Settings
from aef.errors import InputError

if TYPE_CHECKING:
    from aef.corpus_tools.document import Document, Mention
    from aef.tagging.finder import Finder


class Annotator(Protocol):
    """What finds mentions in a document."""

    def tag(self, document: Document) -> Document: ...


class Signed:
    """An annotator whose mentions carry its name in ``extra["by"]`` and, where they had none, a probability.

    parts : the parts of the ruling it is to look at (``head``, ``body``, ``table``, ...); empty for all.
    target : what a model finds; None for what is no model.
    """

    def __init__(
        self, annotator: Annotator, name: str, probability: float = 1.0, parts: frozenset[str] = frozenset()
    ) -> None:
        self.annotator = annotator
        self.name = name
        self.probability = probability
        self.parts = parts
        self.target: str | None = getattr(annotator, "target", None)

    def tag(self, document: Document) -> Document:
        """The document with the annotator's mentions in place of its own."""
        tagged = self.annotator.tag(document)
        return tagged.with_mentions(self._signed(m) for m in tagged.mentions if self._looked_at(document, m))

    def _signed(self, mention: Mention) -> Mention:
        probability = self.probability if mention.probability is None else mention.probability
        return replace(mention, probability=probability, extra={**mention.extra, "by": [self.name]})

    def _looked_at(self, document: Document, mention: Mention) -> bool:
        if not self.parts:
            return True
        inside = (b.part for b in document.blocks if b.start < mention.end and mention.start < b.end)
        return any(part in self.parts for part in inside)


Maker = Callable[[Settings, str], Annotator]
KINDS: dict[str, Maker] = {}
"""From settings and a language to an annotator, by the kind's name."""
_ARGUMENTS: dict[str, str] = {}


def annotator_kind(name: str, argument: str = "") -> Callable[[Maker], Maker]:
    """Register what makes annotators of a kind, ``run = NAME`` in a pipeline; its docstring says its settings.

    ``argument`` is the setting that stands behind the colon in ``--annotator NAME:VALUE``. Raises `ValueError` for a
    name that is taken, and for a function without a docstring.

    >>> @annotator_kind("capitals", argument="least")
    ... def capitals(settings, language):
    ...     '''Words in capitals: ``least`` (letters).'''
    ...     return Capitals(int(settings.text("least", "5")))  # which has a method ``tag(document)``
    >>> KINDS["capitals"] is capitals
    True
    """

    def register(make: Maker) -> Maker:
        if KINDS.get(name, make) is not make:
            raise ValueError(f"annotator {name} is registered already")
        if not make.__doc__:
            raise ValueError(f"annotator {name} has no docstring, which is its help")
        KINDS[name] = make
        if argument:
            _ARGUMENTS[name] = argument
        return make

    return register


@annotator_kind("maxent", "model")
def _maxent(settings: Settings, language: str) -> Annotator:
    """A model: ``model`` (a ready-made one's name or a file beside the settings), ``preset`` or ``threshold``."""
    from aef.tagging.finder import Finder

    return _set(Finder.load(model_file(settings.text("model", f"{language}-all"), settings)), settings)


def _set(finder: Finder, settings: Settings) -> Finder:
    """The model as the settings want it."""
    if settings.has("preset"):
        finder.set_preset(settings.text("preset"))
    if settings.has("threshold"):
        finder.set_threshold(settings.share("threshold"))
    finder.consistency = settings.flag("consistency", finder.consistency)
    return finder


def model_file(name: str, settings: Settings) -> Path:
    """The file of a ready-made model's name or of a path beside the settings. Raises `InputError` without one."""
    from aef.tagging import ready_models as ready

    beside = settings.file(name)
    if not beside.is_file():
        try:
            found = ready.find(name)
        except InputError as error:
            raise settings.error(str(error)) from error
        if not found.is_file():
            raise settings.error(f"no model '{name}', neither ready-made nor at {beside}")
        return found
    return beside


@annotator_kind("nome", "language")
def _nome(settings: Settings, language: str) -> Annotator:
    """Capitalized words in sequence, and what follows a title: ``titles``, ``lists`` (a folder of word lists)."""
    from aef.annotators.nome import Nome

    lists = settings.maybe("lists")
    folder = None if lists is None else settings.file(lists)
    return Nome(use_titles=settings.flag("titles", True), language=settings.text("language", language), folder=folder)


@annotator_kind("patterns", "sets")
def _patterns(settings: Settings, language: str) -> Annotator:
    """Patterns: ``sets`` (names of built-in ones or files), ``classes``, ``without``, ``fine``."""
    from aef.annotators.patterns import Patterns, sets

    named = settings.texts("sets", ("common", language))
    files = [name if name in sets() else settings.file(name) for name in named]
    try:
        return Patterns(
            files,
            classes=settings.texts("classes"),
            without=settings.texts("without"),
            fine=settings.flag("fine"),
        )
    except InputError as error:
        raise settings.error(str(error)) from error


@annotator_kind("gazetteer", "files")
def _gazetteer(settings: Settings, language: str) -> Annotator:
    """Lists of names: ``files``, ``lexicons`` (built-in word lists), ``type``, ``neighbours``, ``capitals``."""
    from itertools import chain

    from aef import lexicons
    from aef.annotators.gazetteer import Gazetteer
    from aef.annotators.name_index import NameIndex, names_of

    code = settings.text("language", language)
    files = [settings.file(name) for name in settings.texts("files")]
    lists = [lexicons.load(name, code) for name in settings.texts("lexicons")]
    if not files and not lists:
        raise settings.error("no list of names", "Give files = [...] or lexicons = [...]")
    return Gazetteer(
        NameIndex.of(chain(names_of(files), *lists)),
        settings.text("type", "PERSON"),
        language=code,
        capitals=settings.flag("capitals", True),
        neighbours=settings.flag("neighbours"),
        probability=settings.share("probability", 0.9),
    )


_NOME_TRUST = 0.5


def made(kind: str, settings: Settings, language: str, name: str, finder: Finder | None = None) -> Signed:
    """An annotator of a kind, signed with its name; a ``finder`` takes the place of the model of the settings.

    Raises `InputError` naming what is wrong in the settings.
    """
    parts = frozenset(settings.texts("parts"))
    trust = _NOME_TRUST if kind == "nome" else 1.0
    probability = settings.share("probability", trust) if kind != "gazetteer" else trust
    if kind == "maxent" and finder is not None:
        for of_the_model in ("model", "preset"):  # whose place it takes
            settings.maybe(of_the_model)
        return Signed(_set(finder, settings), name, probability, parts)
    return Signed(KINDS[kind](settings, language), name, probability, parts)


def annotator(name: str, language: str = "en") -> Annotator:
    """An annotator by its name on the command line.

    ``maxent:MODEL``, ``nome:LANGUAGE``, ``patterns:SET,SET`` or ``gazetteer:FILE,FILE`` (what stands behind the colon
    may be left out but for the last), a ready pipeline's name (``court-en``) or file, or one step of it
    (``court-en:numbers``). Raises `InputError` for anything else.
    """
    kind, _, argument = name.partition(":")
    if kind not in KINDS and not Path(name).is_file():
        from aef.annotators.pipeline import ready

        if kind not in ready():
            plugins.more()
    if kind not in KINDS or Path(name).is_file():
        from aef.annotators.pipeline import load

        return load(name) if not argument or Path(name).is_file() else load(kind, argument)
    values: Mapping[str, Any] = {}
    if argument:
        several = kind in ("patterns", "gazetteer")
        if kind not in _ARGUMENTS:
            raise InputError(f"--annotator {name}: nothing can stand behind '{kind}:'")
        values = {_ARGUMENTS[kind]: argument.split(",") if several else argument}
    return made(kind, Settings(values, Path(), f"--annotator {name}"), language, kind)
