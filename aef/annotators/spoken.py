"""Each ruling by the pipeline of its own language, which is told from its text, paragraph by paragraph where it quotes
another language.

The pipeline of a language is ``court-CODE``, else another ready one of the language, else a ready-made model of names
alone. English is loaded at once, the others when a ruling needs them. A user's model goes inside: patterns, roles and
policy stay, the model finds the names.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from aef import lexicons
from aef.annotators.pipeline import DEFAULT, Pipeline, Step, load, ready
from aef.annotators.settings import Settings
from aef.corpus_tools.document import Block, Document, Mention
from aef.corpus_tools.languages import FunctionWords, name_of
from aef.errors import InputError
from aef.names.parts import PERSON, name_words
from aef.names.phrases import SHORT, occurrences
from aef.tagging import ready_models

if TYPE_CHECKING:
    from aef.tagging.finder import Finder

_MODEL_ALONE = "-person"
_SURE = 0.8
"""From which probability on somebody is found in a passage of another language by the model of the ruling's own."""


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
        raise InputError(f"nothing finds names in {name_of(code) or repr(code)} yet. There are: {there}. {remedy}")
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
        """The pipeline of a ruling's language, together with those of the languages that it quotes (`Mixed`). Raises
        `InputError` where nothing finds names in its own."""
        words = FunctionWords.counted(document.in_language("en"))
        found = words.told("en")
        code = "en" if found is None else found
        if not code:
            raise InputError(
                f"{document.meta.get('source') or document.doc_id or 'the ruling'}: reads like no language that there "
                f"are word lists for. Say with --language which one it is to be read in: {', '.join(pipelines())}"
            )
        own, quoted = self._of(code), [other for other in words.passages(code) if other in pipelines()]
        return Mixed(own, list(map(self._of, quoted))) if quoted else own

    def _of(self, code: str) -> Pipeline:
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


class Mixed(Pipeline):
    """The pipeline of a ruling's language, and those of languages that it quotes, which read those paragraphs.

    There the first keeps the people that it is sure of. What their steps of one name find is one result. Names go from
    one part to the other (`_spread`), since a passage tells little of whom it names.
    """

    def __init__(self, own: Pipeline, others: Sequence[Pipeline]) -> None:
        super().__init__(own.path, own.description, own.language, own.steps, own.idle, own.policy, own.decided)
        self._own, self._others = own, {other.language: other for other in others}

    def results(self, document: Document) -> dict[str, Document]:
        """What the steps make of a document in the paragraphs of their languages, by the step's name, in order."""
        document = document.in_language(self.language).with_mentions(())
        passages = FunctionWords.counted(document).passages(self.language)
        quoted = {code: blocks for code, blocks in passages.items() if code in self._others}
        abroad = {block: code for code, blocks in quoted.items() for block in blocks}
        found = {
            name: [m for m in read.mentions if _is_kept(document, m, abroad.get(_block(document, m)))]
            for name, read in self._own.results(document).items()
        }
        for code, blocks in quoted.items():
            steps = _read(self._others[code], document, blocks)
            for name, mentions in zip([*list(steps)[:-1], list(found)[-1]], steps.values(), strict=True):
                found.setdefault(name, []).extend(mentions)
        last = self.steps[-1].name
        found[last] += _spread(document, found[last], abroad)
        return {step.name: document.with_mentions(found[step.name]) for step in self.steps}

    @property
    def finders(self) -> list[Finder]:
        """The models of the ruling's language, then those of what it quotes."""
        return [finder for pipeline in (self._own, *self._others.values()) for finder in pipeline.finders]


def _read(pipeline: Pipeline, document: Document, blocks: Sequence[Block]) -> dict[str, list[Mention]]:
    """What each step of a pipeline finds in some paragraphs of a document, by the step's name."""
    read, kept = pipeline.results(replace(document, blocks=tuple(blocks))), frozenset(blocks)
    return {name: [m for m in result.mentions if _block(document, m) in kept] for name, result in read.items()}


def _block(document: Document, mention: Mention) -> Block:
    return document.blocks[document.paragraph(mention.start) - 1]


def _is_kept(document: Document, mention: Mention, abroad: str | None) -> bool:
    """Whether a mention stays in a passage of another language, if it stands in one: the French "Elle" is no name."""
    if abroad is None:
        return True
    surely = mention.entity_type == PERSON and (mention.probability or 0) >= _SURE
    return surely and not lexicons.load("function_words", abroad).issuperset(document.cut(mention).lower().split())


def _spread(document: Document, found: Sequence[Mention], abroad: Collection[Block]) -> list[Mention]:
    """Further mentions of people: those of the ruling's own language in what it quotes, by their surnames, too; the
    other way round full names alone, since a model that sees but a passage is less sure."""
    known: dict[bool, dict[str, Mention]] = {False: {}, True: {}}  # by whether they are looked for in what is quoted
    for mention in (m for m in found if m.entity_type == PERSON):
        form, here = document.cut(mention), _block(document, mention) not in abroad
        words = name_words(form)
        if here or len(words) > 1:
            known[here].setdefault(form, mention)
        if here and words and len(words[-1]) > SHORT:
            known[here].setdefault(words[-1], mention)
    return [again for block in document.blocks for again in _again(document, block, known[block in abroad])]


def _again(document: Document, block: Block, names: Mapping[str, Mention]) -> Iterator[Mention]:
    """The names in a paragraph, as mentions like those given."""
    text = document.text[block.start : block.end]
    for name, mention in names.items():
        for low, high in occurrences(text, name):
            if text[low].isupper():
                yield replace(mention, start=block.start + low, end=block.start + high)


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
