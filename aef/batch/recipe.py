"""How rulings are anonymized, as plain values: kept as JSON, sent to another process, checked before the first ruling.

What finds the mentions, from which probability on, who of those found is hidden, and what stands there instead.
`Recipe.load` makes of it what does the work, with models, lists and policies in memory.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

import aef
from aef import plugins
from aef.annotators.pipeline import DEFAULT
from aef.annotators.settings import annotator_files, resolved, resolved_annotator
from aef.errors import InputError

if TYPE_CHECKING:
    from aef.annotators.pipeline import Pipeline
    from aef.anonymization import Result, Tagger
    from aef.corpus_tools.document import Document, Mention
    from aef.replacement.case_file import Case
    from aef.roles.metadata import Known
    from aef.roles.policy import Policy
    from aef.tagging.finder import Finder

_OF_MODEL = ("model", "preset", "threshold", "cost")


@dataclass(frozen=True)
class Recipe:
    """What is done with each ruling.

    annotator : a pipeline or an annotator by name, as `aef.annotators.annotator` takes it. model : a model's file or a
    ready one's name, which takes the place of the model in the pipeline of its language; neither of both: the pipeline
    of the ruling's language (`aef.annotators.spoken`). language : of all rulings; None: told from the text of each.
    preset, threshold, cost : from which probability on a model hides, one of them at most (see `decide`). consistency :
    whether a model tags everywhere what it tagged once; None: as the model says. policy : a ready policy's name or
    file; None: as `aef.anonymization.anonymize` has it. include, exclude : phrases that are always, and never, hidden.
    The rest is as `anonymize` has it, too.

    >>> from aef import Document
    >>> document = Document.from_text("[1] The applicant, Ms. Anna Zwetkow, filed a petition.")
    >>> found = Recipe(model="en-person", preset="safe").tagger().tag(document)
    >>> [found.cut(mention) for mention in found.mentions]
    ['Anna Zwetkow']
    """

    annotator: str | None = None
    model: str | None = None
    language: str | None = None
    preset: str | None = None
    threshold: float | None = None
    cost: float | None = None
    consistency: bool | None = None
    policy: str | None = None
    scheme: str = "initials"
    seed: int = 0
    keep_initials: bool = False
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def check(self) -> None:
        """Raise `InputError` for what can be told to be wrong without loading a model or a list."""
        from aef.replacement.schemes import resolve
        from aef.roles.policy import load_policy

        resolve(self.scheme)
        if self.policy is not None:
            load_policy(self.policy)
        if self.annotator is not None:
            wrong = [name for name in _OF_MODEL if getattr(self, name) is not None]
            wrong += ["no-consistency"] if self.consistency is not None else []
            if wrong:
                remedy = "Set it in a pipeline's file, see 'aef pipeline'"
                raise InputError(f"--{wrong[0]} does not go with --annotator. {remedy}")
        if self.language is not None and (self.annotator is not None or self.model is not None):
            raise InputError("--language does not go with --annotator or --model, which have their own. Leave it out")
        if sum(getattr(self, name) is not None for name in _OF_MODEL[1:]) > 1:
            raise InputError("preset, threshold and cost exclude each other. Give one of them")
        _threshold(self.threshold, self.cost)

    def tagger(self) -> Tagger:
        """What finds the mentions, loaded. Raises `InputError` where it cannot be."""
        self.check()
        if self.annotator is not None:
            from aef.annotators import annotator

            return annotator(self.annotator)
        from aef.annotators.spoken import Spoken, of_language, pipeline_with
        from aef.tagging.finder import Finder

        if self.model is not None:
            return self._prepared(pipeline_with(Finder.load(self.model)))
        return Spoken(self._prepared) if self.language is None else self._prepared(of_language(self.language))

    def _prepared(self, pipeline: Pipeline) -> Pipeline:
        for finder in pipeline.finders:
            if self.consistency is not None:
                finder.consistency = finder.consistency and self.consistency
            decide(finder, self.preset, self.threshold, self.cost)
        return pipeline

    def load(self, tagger: bool = True) -> Anonymizer:
        """What anonymizes rulings by this recipe; without a ``tagger``, by mentions given with each.

        Raises `InputError` for what is wrong in it.
        """
        from aef.roles.policy import load_policy

        self.check()
        policy = load_policy(self.policy) if self.policy is not None else None
        return Anonymizer(self, self.tagger() if tagger else None, policy)

    # --- as plain values --------------------------------------------------------------------------------------------

    def as_dict(self) -> dict[str, Any]:
        """The values that are not the default's, as JSON has them."""
        values = {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != f.default}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    @classmethod
    def from_dict(cls, values: Any) -> Recipe:
        """The recipe of a JSON object. Raises `InputError` naming a key that is unknown or of another type."""
        if not isinstance(values, Mapping):
            raise InputError.at("recipe", "is no JSON object")
        kinds = get_type_hints(cls)
        for name, value in values.items():
            if name not in kinds:
                raise InputError.at("recipe", f"unknown key '{name}'", remedy=f"There are: {', '.join(kinds)}")
            if not _fits(value, kinds[name]):
                raise InputError.at("recipe", f"'{name}' is {json.dumps(value)[:40]}", remedy=f"Write {_KINDS[name]}")
        given: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in values.items()}
        return cls(**given)

    def resolved(self) -> Recipe:
        """The recipe with absolute paths of its files, for a process that works in another folder."""
        from aef.roles.policy import policies
        from aef.tagging.ready_models import models

        model = self.model if self.model in models() else resolved(self.model)
        policy = self.policy if self.policy in policies() else resolved(self.policy)
        return replace(self, model=model, policy=policy, annotator=resolved_annotator(self.annotator))

    def fingerprint(self) -> str:
        """SHA-256 of the values, this version of aef, and what the files and plug-ins hold: another one, another
        output. Raises `InputError` for a file that cannot be read."""
        total = hashlib.sha256(json.dumps([aef.__version__, asdict(self)], sort_keys=True).encode())
        for path in sorted({*self._files(), *plugins.files()}):
            try:
                total.update(hashlib.sha256(path.read_bytes()).digest())
            except OSError as error:
                raise InputError.at(path, f"cannot be read ({error.strerror})") from error
        return total.hexdigest()

    def _files(self) -> Iterator[Path]:
        from aef.tagging.ready_models import find

        if self.model is not None:
            yield find(self.model)
        else:
            yield from annotator_files(self.annotator or DEFAULT)
        if self.policy is not None and Path(self.policy).is_file():
            yield Path(self.policy)


class Anonymizer:
    """A recipe with what it needs in memory; call it with one ruling after another.

    tagger : what finds the mentions; None where they are given with each ruling. policy : None where tagger or
    mentions decide.
    """

    def __init__(self, recipe: Recipe, tagger: Tagger | None, policy: Policy | None) -> None:
        self.recipe = recipe
        self.tagger = tagger
        self.policy = policy

    def __call__(
        self,
        source: str | Path,
        target: str | Path | None = None,
        *,
        mentions: Document | Iterable[Mention] | None = None,
        force: bool = False,
        allow_remaining: bool = False,
        case: Case | None = None,
        metadata: Iterable[Known] = (),
        taken: Collection[Path] | None = None,
        review: str | Path | None = None,
    ) -> Result:
        """Anonymize one ruling; see `aef.anonymization.anonymize`, also for what is raised."""
        from aef.anonymization import anonymize

        if self.tagger is None and mentions is None:
            raise InputError("nothing says what to hide. Give mentions, or load the recipe with its tagger")
        recipe = self.recipe
        return anonymize(
            source,
            target,
            finder=self.tagger if mentions is None else None,
            mentions=mentions,
            scheme=recipe.scheme,
            include=recipe.include,
            exclude=recipe.exclude,
            force=force,
            allow_remaining=allow_remaining,
            seed=recipe.seed,
            keep_initials=recipe.keep_initials,
            case=case,
            taken=taken,
            policy=self.policy,
            metadata=metadata,
            review=review,
        )


def decide(finder: Finder, preset: str | None, threshold: float | None, cost: float | None) -> None:
    """Have the finder hide as a preset of the model says, from a threshold on, or at the least expected cost where a
    miss costs as much as ``cost`` false alarms: from 1 / (1 + cost) on. None of them leaves it as it is.

    Raises `InputError` for a preset the model lacks and for numbers that are none.
    """
    if preset is not None:
        finder.set_preset(preset)
    elif (from_on := _threshold(threshold, cost)) is not None:
        finder.set_threshold(from_on)


def _threshold(threshold: float | None, cost: float | None) -> float | None:
    if threshold is not None or cost is None:
        return threshold
    if not 0 < cost < float("inf"):
        raise InputError(f"cost {cost}: a number above 0 is wanted, such as 10")
    return 1 / (1 + cost)


# --- values from JSON -----------------------------------------------------------------------------------------------

_KINDS = {
    **dict.fromkeys(("annotator", "model", "language", "preset", "policy", "scheme"), "a string"),
    **dict.fromkeys(("threshold", "cost"), "a number"),
    **dict.fromkeys(("consistency", "keep_initials"), "true or false"),
    **dict.fromkeys(("include", "exclude"), "a list of strings"),
    "seed": "a whole number",
}


def _fits(value: Any, kind: Any) -> bool:
    """Whether a value read from JSON is of a field's type."""
    kinds = get_args(kind) or (kind,)
    if str in kinds and Ellipsis in kinds:
        return isinstance(value, (list, tuple)) and all(isinstance(v, str) for v in value)
    if isinstance(value, bool):
        return bool in kinds
    return isinstance(value, kinds) or (isinstance(value, int) and float in kinds)
