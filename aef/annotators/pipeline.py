"""Pipelines: which annotators run, on what, in which order, and how what they find is put together. TOML files.

A pipeline::

    description = "numbers by patterns, names by a model"
    language = "en"
    policy = "lexum"                # who of those found is hidden: a policy's name or file (default: all of them)

    [[step]]
    name = "model"                  # default: what is run
    run = "maxent"                  # an annotator: maxent, nome, patterns, gazetteer, with its settings
    model = "en-all"                # a ready-made model's name, or a file beside this one
    parts = ["body", "footnote"]    # the parts of the ruling it looks at (default: all)

    [[step]]
    name = "numbers"
    run = "patterns"
    sets = ["common", "en", "ours.toml"]

    [[step]]
    run = "vote"                    # rule: add, majority, intersection, difference, weighted (weights, threshold)
    rule = "add"
    of = ["model", "numbers"]

    [[step]]
    run = "correct"                 # rules: names of built-in sets, or files
    rules = ["names"]

    [[step]]
    run = "unify"                   # types (default: PERSON, ORG, LOC), words (single words of persons' names; true)

    [[step]]
    run = "overlap"                 # policy: longest, probable, first
    policy = "longest"

``correct``, ``unify`` and ``overlap`` work on the step before them, unless ``of`` names another. The last step's
mentions are the pipeline's, freed of overlaps. Linking, the decision and replacement follow as with any annotator.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from aef import lexicons, plugins
from aef.annotators.combiners import COMBINERS, Apply, Examples
from aef.annotators.kinds import KINDS, made
from aef.annotators.overlap import apart
from aef.annotators.settings import Settings
from aef.collector import collector_paused
from aef.corpus_tools.document import Document
from aef.errors import InputError

if TYPE_CHECKING:
    from aef.roles.policy import Policy
    from aef.tagging.finder import Finder

READY = Path(__file__).parent / "ready"
_REGISTERED: dict[str, Path] = {}
DEFAULT = "court-en"  # what is run where neither an annotator nor a model is asked for


@dataclass(frozen=True)
class Step:
    """A step: its name, the steps whose results it takes, and what it makes of them."""

    name: str
    of: tuple[str, ...]
    apply: Apply
    failures: Examples
    finder: Finder | None = None
    """The model that the step runs, if it does."""


class Pipeline:
    """The steps of a file, ready to run; an annotator like any other.

    steps : in the order of the file; the last one's result is the pipeline's. idle : steps of the file that it does
    not build on. policy : who of those found is hidden, where the command does not say; None: all of them. decided :
    the annotators that know what is hidden, not only what is a name: that policy shows nothing that they found.
    """

    def __init__(
        self,
        path: Path,
        description: str,
        language: str,
        steps: Sequence[Step],
        idle: Sequence[str] = (),
        policy: Policy | None = None,
        decided: Collection[str] = (),
    ) -> None:
        self.path = path
        self.description = description
        self.language = language
        self.steps = tuple(steps)
        self.idle = tuple(idle)
        self.policy = policy
        self.decided = frozenset(decided)

    def tag(self, document: Document) -> Document:
        """The document with the mentions that the last step leaves, in place of its own, without overlaps."""
        return apart(self.results(document)[self.steps[-1].name])

    def results(self, document: Document) -> dict[str, Document]:
        """What each step makes of a document, by the step's name, in order."""
        document = document.in_language(self.language).with_mentions(())
        results: dict[str, Document] = {}
        for step in self.steps:
            results[step.name] = step.apply(document, [results[name] for name in step.of])
        return results

    @property
    def finders(self) -> list[Finder]:
        """The models that it runs."""
        return [step.finder for step in self.steps if step.finder is not None]

    @property
    def roles(self) -> Mapping[str, Any] | None:
        """What corrected rulings taught its models of roles, see `aef.roles.correction`."""
        return next((finder.roles for finder in self.finders if finder.roles), None)

    def failures(self) -> Iterator[str]:
        """Examples of its patterns and rules that come out otherwise than they say."""
        for step in self.steps:
            yield from step.failures()


def pipeline(name: str, path: str | Path) -> None:
    """Make a pipeline's file known by a name, as a plug-in does. Raises `ValueError` where the name is taken.

    >>> pipeline("ours", "ours.toml")  # from now on ``--annotator ours``
    >>> ready()["ours"].name
    'ours.toml'
    """
    if ready().get(name, Path(path)) != Path(path):
        raise ValueError(f"pipeline {name} is registered already")
    _REGISTERED[name] = Path(path)


def ready() -> dict[str, Path]:
    """The ready pipelines by name, those of plug-ins that were imported last."""
    return {path.stem: path for path in sorted(READY.glob("*.toml"))} | _REGISTERED


def find(name: str | Path) -> Path:
    """A pipeline's file: that of a ready one's name, else the path given. Raises `InputError` where there is none."""
    path = ready().get(str(name), Path(name))
    if not path.is_file():
        if plugins.more():
            return find(name)
        kinds = ", ".join(KINDS)
        raise InputError(
            f"'{name}' is no pipeline and no file. Ready pipelines: {', '.join(ready())}; annotators: {kinds}"
            + plugins.troubles()
        )
    return path


@collector_paused()
def load(name: str | Path, last: str | None = None, finder: Finder | None = None) -> Pipeline:
    """A ready pipeline or that of a file, or one step of it (``last``) with what it builds on, models and lists loaded.

    A ``finder`` takes the place of the one model that the pipeline runs. Raises `InputError` for what is wrong in it.
    """
    settings = Settings.read(find(name))
    description, language = settings.text("description", ""), _language(settings)
    policy = _policy(settings)
    planned: dict[str, _Planned] = {}
    for table in settings.tables("step"):
        step = _planned(table, tuple(planned))
        planned[step.name] = step
    settings.done("description, language, policy, [[step]]")
    if not planned or (last is not None and last not in planned):
        problem = f"no step is called '{last}'" if planned else "holds no step"
        raise settings.error(problem, f"Steps: {', '.join(planned)}" if planned else "Begin each with [[step]]")
    needed = _needed(planned, last or list(planned)[-1])
    models = [step for step in needed if planned[step].runs == "maxent"]
    if finder is not None and len(models) != 1:
        raise settings.error(f"runs {len(models)} models, not one whose place another can take", "Write it in the file")
    steps = [planned[step].made(language, finder) for step in needed]
    decided = models if finder is not None and finder.target != "names" else ()
    idle = [step for step in planned if step not in needed]
    return Pipeline(settings.path, description, language, steps, idle, policy, decided)


def _needed(planned: Mapping[str, _Planned], last: str) -> list[str]:
    """The steps that one builds on, in the order of the file, and itself."""
    needed, waiting = set(), [last]
    while waiting:
        needed.add(name := waiting.pop())
        waiting += planned[name].of
    return [name for name in planned if name in needed]


@dataclass(frozen=True)
class _Planned:
    """A step before anything is loaded for it."""

    name: str
    runs: str
    of: tuple[str, ...]
    table: Settings

    def made(self, language: str, finder: Finder | None = None) -> Step:
        if self.runs in KINDS:
            step = _annotator(self.table, language, self.runs, self.name, finder)
        else:
            step = Step(self.name, self.of, *COMBINERS[self.runs](self.table, self.of))
        self.table.done("name, run and the settings of what is run, see 'aef pipeline --help'")
        return step


def _planned(table: Settings, before: tuple[str, ...]) -> _Planned:
    runs = _run(table)
    name = table.text("name", runs)
    if name in before:
        raise table.error(f"a step before is called '{name}', too", "Give each step a name of its own")
    return _Planned(name, runs, () if runs in KINDS else _taken(table, before, runs), table)


def _run(table: Settings) -> str:
    """What the step runs, of plug-ins, too."""
    runs = table.text("run")
    if runs not in KINDS and runs not in COMBINERS:
        plugins.more()
    if runs not in KINDS and runs not in COMBINERS:
        raise table.error(f"run is '{runs}'", f"There are: {', '.join([*KINDS, *COMBINERS])}{plugins.troubles()}")
    return runs


def _language(settings: Settings) -> str:
    language = settings.text("language", "en")
    if language not in lexicons.languages():
        raise settings.error(f"language is '{language}'", f"There are: {', '.join(lexicons.languages())}")
    return language


def _policy(settings: Settings) -> Policy | None:
    """The policy by name, or of a file beside the pipeline's."""
    from aef.roles.policy import load_policy, policies

    name = settings.maybe("policy")
    if name is None:
        return None
    try:
        return load_policy(name if name in policies() else settings.file(name))
    except InputError as error:
        raise settings.error(f"policy: {error}") from error


def _taken(table: Settings, before: tuple[str, ...], runs: str) -> tuple[str, ...]:
    """The names of the steps whose results this one takes: those of ``of``, else the one before."""
    if not before:
        raise table.error("there is no step before it to work on", "Let an annotator come first")
    named = table.texts("of", before[-1:])
    if unknown := [name for name in named if name not in before]:
        raise table.error(f"no step before it is called '{unknown[0]}'", f"Steps before it: {', '.join(before)}")
    if not named or (len(named) > 1 and runs != "vote"):
        raise table.error(f"of names {len(named)} steps", "Name one; a vote puts several together")
    return named


def _annotator(table: Settings, language: str, kind: str, name: str, model: Finder | None = None) -> Step:
    from aef.annotators.patterns import Patterns

    signed = made(kind, table, language, name, model)

    def failures() -> Iterator[str]:
        patterns = signed.annotator.patterns if isinstance(signed.annotator, Patterns) else []
        return (failure for pattern in patterns for failure in pattern.failures())

    finder = cast("Finder", signed.annotator) if kind == "maxent" else None
    return Step(name, (), lambda document, _: signed.tag(document), failures, finder)
