"""Each ruling by the pipeline of its own language, which is told from its text.

The pipeline of a language is ``court-CODE``, else another ready one of the language, else a ready-made model of names
alone. English is loaded at once, the others when a ruling needs them. A user's model goes inside: patterns, roles and
policy stay, the model finds the names.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from aef.annotators.pipeline import DEFAULT, Pipeline, Step, load, ready
from aef.annotators.settings import Settings
from aef.corpus_tools.document import Document
from aef.corpus_tools.languages import name_of, told
from aef.errors import InputError
from aef.tagging import ready_models

if TYPE_CHECKING:
    from aef.tagging.finder import Finder

_MODEL_ALONE = "-person"


@cache
def pipelines() -> dict[str, str]:
    """What finds names in each language that has something: the name of a pipeline, or of a model."""
    models = {n.removesuffix(_MODEL_ALONE): n for n in ready_models.models() if n.endswith(_MODEL_ALONE)}
    of_language = {Settings.read(path).text("language", "en"): name for name, path in ready().items()}
    courts = {name.removeprefix("court-"): name for name in ready() if name.startswith("court-")}
    return dict(sorted({**models, **of_language, **courts}.items()))


def of_language(code: str) -> Pipeline:
    """The pipeline of a language, loaded. Raises `InputError` where there is none."""
    name = pipelines().get(code)
    if name is None:
        there = ", ".join(pipelines())
        remedy = "Take one of these, or --model with one that you trained ('aef language --help')"
        raise InputError(f"nothing finds names in {name_of(code)} yet. There are: {there}. {remedy}")
    if name in ready():
        return load(name)
    from aef.tagging.finder import Finder

    return pipeline_with(Finder.load(name))


class Spoken:
    """The pipelines of all languages, as one; ``prepared`` is what is done with each once it is loaded."""

    def __init__(self, prepared: Callable[[Pipeline], Pipeline] = lambda pipeline: pipeline) -> None:
        self._prepared = prepared
        self._loaded = {"en": prepared(load(DEFAULT))}

    def of(self, document: Document) -> Pipeline:
        """The pipeline of a ruling's language. Raises `InputError` where nothing finds names in that."""
        found = told(document.in_language("en"))
        code = "en" if found is None else found
        if not code:
            raise InputError(
                f"{document.meta.get('source') or document.doc_id or 'the ruling'}: reads like no language that there "
                f"are word lists for. Say with --language which one it is to be read in: {', '.join(pipelines())}"
            )
        if code not in self._loaded:
            self._loaded[code] = self._prepared(of_language(code))
        return self._loaded[code]

    def tag(self, document: Document) -> Document:
        """The document as the pipeline of its language tags it."""
        return self.of(document).tag(document)

    @property
    def finders(self) -> list[Finder]:
        """The models that are at work so far."""
        return [finder for pipeline in self._loaded.values() for finder in pipeline.finders]


def pipeline_with(finder: Finder | None) -> Pipeline:
    """The default pipeline; with a model in it, that of the model's language, or the model alone where there is none.

    What a model finds that has learned what is hidden (any target but ``names``) the pipeline's policy does not show.
    """
    if finder is None:
        return load(DEFAULT)
    name = f"court-{finder.language}"
    if name in ready():
        return load(name, finder=finder)
    step = Step("model", (), lambda document, _: finder.tag(document), lambda: iter(()), finder)
    return Pipeline(ready()[DEFAULT], "a model alone", finder.language, [step])
