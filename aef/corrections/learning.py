"""From what editors corrected to a model of their court, checked that nothing gets worse by kind.

What counts is what is hidden in the end, by the whole pipeline with its patterns, roles and policy. Each corrected
ruling is judged by a model that has learned from the others (leave one out, or five folds); the built-in rulings, which
the ready-made models know, by the model that is to be written. First the model of names learns, then that of roles
(`aef.roles.correction`), of the people whom it finds in rulings that it has not seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter
from typing import TypeVar

import numpy as np

from aef.annotators.spoken import pipeline_with
from aef.corpus_tools import handwritten
from aef.corpus_tools.document import Document
from aef.corrections.judging import Judged, Made, judged, tagged
from aef.corrections.kinds import Counts, Kind, kinds, together
from aef.names.parts import PERSON
from aef.roles import correction as role_correction
from aef.roles.correction import RoleCorrection
from aef.tagging.adaptation import Adapted, correct, part_way, report
from aef.tagging.finder import Finder
from aef.tagging.options import Tick

FOLDS = 5
SHARES = (1.0, 0.5, 0.25, 0.125)
"""How far from the old weights to the new ones `learn` tries to go."""
MARGINS = (0.0, 0.5, 1.0, 1.5)
"""By how much of log-odds more roles are shifted towards hiding than they learned to be."""
ANCHORS = 64
"""So many built-in rulings keep a model from forgetting. With all of them it takes six times as long to learn, and
knows the names of the closed half as well (F2 93.6; 93.4 with 64, 93.0 with none)."""
CORRECTED, BUILT_IN = "corrected rulings, each by a model of the others", "built-in rulings"


Pairs = Sequence[tuple[Counts, Counts]]
"""Of each ruling what is hidden before and after."""


@dataclass(frozen=True)
class Learned:
    """The new model, for each set of rulings what it was checked on, how far it goes from the old one, and whether
    roles were learned, too, with which margin."""

    adapted: Adapted
    pairs: Mapping[str, Pairs]
    share: float = 1.0
    roles: bool = False
    margin: float = 0.0

    @property
    def checks(self) -> dict[str, list[Kind]]:
        """The kinds of each set of rulings."""
        return {name: kinds(pairs) for name, pairs in self.pairs.items()}

    @property
    def worse(self) -> list[str]:
        """The kinds that got worse, with the set of rulings: each kind in the court's own, all kinds in all together.

        The old model has learned from the built-in rulings, so that hardly any other is as good there: what is lost
        there alone counts where it is more than what the court's own rulings win. Whom other courts hide tells nothing
        of roles. What else is hidden follows from whom roles hide, as a company named after somebody: there people
        count, and all kinds together.
        """
        judged = self.checks
        if self.roles and CORRECTED in judged:
            own = judged[CORRECTED]
            judged = {CORRECTED: [*(kind for kind in own if kind.kind == PERSON), together(own)]}
        elif CORRECTED in judged and len(judged) > 1:
            all_together = [together(chain.from_iterable(judged.values()))]
            judged = {CORRECTED: judged[CORRECTED], "all rulings": all_together}
        return [f"{kind.kind} in {name}" for name, kinds in judged.items() for kind in kinds if kind.worse]

    @property
    def gain(self) -> int:
        """How many fewer names are missed, and hidden wrongly, each once a ruling, in the court's own rulings; in all
        where it has none to check on."""
        return sum(self._gains())

    @property
    def pays(self) -> bool:
        """Whether nothing gets worse and the gain is more than its standard error over the rulings, as Breiman et al.
        (1984, section 3.4.3) ask of what is to be chosen over the simpler."""
        gains = self._gains()
        error = float(np.std(gains, ddof=1)) * len(gains) ** 0.5 if len(gains) > 1 else self.gain
        return not self.worse and self.gain > error

    def _gains(self) -> list[int]:
        own = self.pairs.get(CORRECTED) or list(chain.from_iterable(self.pairs.values()))
        return [_errors(before) - _errors(after) for before, after in own]


def _errors(counts: Counts) -> int:
    *_, wrong, missed = counts
    return missed.total() + wrong.total()


def learn(
    base: Finder,
    documents: Sequence[Document],
    known: Sequence[Document] = (),
    anchors: Sequence[Document] = (),
    tick: Tick = bool,
    made: Made = pipeline_with,
) -> Learned:
    """Learn from corrected rulings and check the result, there and on the ``known`` ones (`built_in`); others are
    ``anchors`` (`aef.tagging.adaptation.correct`). The model goes so far from the old one as gains most, of the
    `SHARES` at which nothing gets worse; and it learns roles where that gains more, with the first of `MARGINS` at
    which nothing gets worse. Where the gain may be chance (`Learned.pays`) it stays as it was; where every way is
    worse, it is the whole way. `steps` counts the calls of
    ``tick``; ``made`` makes the pipeline that a model is judged in.

    Raises `InputError` where there is nothing to learn.
    """
    trial = _Trial.of(base, documents, known, anchors, tick, made)
    tries = [trial.learned(share) for share in SHARES]
    best = max((tried for tried in tries if tried.pays), key=attrgetter("gain"), default=trial.unchanged())
    with_roles = trial.with_roles(best.share)
    if with_roles and with_roles.gain > best.gain:
        return trial.finished(with_roles)
    refused = all(tried.worse for tried in tries) or not trial.parts
    return tries[0] if refused else trial.finished(best)


def built_in(language: str, number: int) -> tuple[list[Document], list[Document]]:
    """So many built-in rulings, of all styles, to check on, and `ANCHORS` others; none in other languages."""
    if language != "en":
        return [], []
    rulings = handwritten.rulings(half="open")
    checked = _spread(rulings, number)
    ids = {document.doc_id for document in checked}
    return checked, _spread([document for document in rulings if document.doc_id not in ids], ANCHORS)


def _spread(rulings: Sequence[Document], number: int) -> list[Document]:
    """So many of the rulings, or all, at equal steps."""
    return list(rulings[:: max(1, len(rulings) // max(1, number))][: max(0, number)])


def steps(documents: Sequence[Document], known: Sequence[Document] = ()) -> int:
    """How often `learn` calls its ``tick``."""
    return 1 + (1 + len(SHARES)) * (len(known) + (len(documents) if len(documents) > 1 else 0))


@dataclass(frozen=True)
class _Part:
    """Rulings of a set, the model that they are judged by, and what is hidden of them by the one it learned from."""

    name: str
    model: Finder
    documents: Sequence[Document]
    before: list[Judged]


@dataclass(frozen=True)
class _Trial:
    """All that is tried. ``found``, ``seen``: by the share of the way, what is tagged and hidden of the rulings of each
    part."""

    base: Finder
    whole: Adapted
    documents: Sequence[Document]
    parts: Sequence[_Part]
    found: dict[float, list[list[Document]]]
    seen: dict[float, list[list[Judged]]]
    tick: Tick
    made: Made

    @classmethod
    def of(
        cls,
        base: Finder,
        documents: Sequence[Document],
        known: Sequence[Document],
        anchors: Sequence[Document],
        tick: Tick,
        made: Made,
    ) -> _Trial:
        whole = correct(base, documents, anchors)
        models: list[tuple[str, Finder, Sequence[Document]]] = [
            (CORRECTED, correct(base, others, anchors).finder, held_out) for others, held_out in _folds(documents)
        ]
        models += [(BUILT_IN, whole.finder, known)] * bool(known)
        tick()
        pipeline = made(base)
        found = [list(_ticked(tagged(pipeline, of), tick)) for _, _, of in models]
        seen = [list(judged(pipeline, of, there)) for (_, _, of), there in zip(models, found, strict=True)]
        parts = [_Part(*model, before) for model, before in zip(models, seen, strict=True)]
        return cls(base, whole, documents, parts, {0.0: found}, {0.0: seen}, tick, made)

    def unchanged(self) -> Learned:
        """The model as it was."""
        return Learned(self.whole, self._pairs(self.seen[0.0]), 0.0)

    def learned(self, share: float) -> Learned:
        """The model of names that goes this share of the way, checked."""
        models = [part_way(self.base, part.model, share) for part in self.parts]
        self.found[share] = [self._tagged(model, part) for model, part in zip(models, self.parts, strict=True)]
        self.seen[share] = self._judged(models, share)
        return Learned(self.whole, self._pairs(self.seen[share]), share)

    def with_roles(self, share: float) -> Learned | None:
        """The same with the roles of the people whom it finds, those of each part learned from the other corrected
        rulings; None where these are too few, or no margin pays."""
        roles = [correction for part in self.parts if (correction := self._roles(share, without=part))]
        names = [part_way(self.base, part.model, share) for part in self.parts]
        for margin in MARGINS if len(roles) == len(self.parts) else ():
            models = [_with_roles(model, r.shifted(margin)) for model, r in zip(names, roles, strict=True)]
            seen = self._judged(models, share)
            tried = Learned(self.whole, self._pairs(seen), share, roles=True, margin=margin)
            if tried.pays:
                return tried
        return None

    def finished(self, learned: Learned) -> Learned:
        """With the model that is to be written, and what it does otherwise."""
        if learned.share == 1 and not learned.roles:
            return learned
        finder = part_way(self.base, self.whole.finder, learned.share) if learned.share else self._as_it_was()
        if learned.roles and (correction := self._roles(learned.share)):
            finder = _with_roles(finder, correction.shifted(learned.margin))
        adapted = report(self.base, finder, self.documents)
        return replace(learned, adapted=replace(adapted, hidden_only=self.whole.hidden_only))

    def _as_it_was(self) -> Finder:
        """The model that it began with, which knows that these rulings are no test of it any more."""
        finder = copy(self.base)
        finder.remember([document.in_language(finder.language) for document in self.documents])
        return finder

    def _roles(self, share: float, without: _Part | None = None) -> RoleCorrection | None:
        """What the people found in the corrected rulings, those of one part aside, teach of roles."""
        seen = zip(self.parts, self.seen[share], strict=True)
        rulings = chain.from_iterable(of for part, of in seen if part.name == CORRECTED and part is not without)
        return role_correction.learned([person for ruling in rulings for person in ruling.people])

    def _judged(self, models: Sequence[Finder], share: float) -> list[list[Judged]]:
        """What is hidden of what was tagged at this share of the way."""
        pairs = zip(models, self.parts, self.found[share], strict=True)
        return [list(judged(self.made(model), part.documents, found)) for model, part, found in pairs]

    def _tagged(self, model: Finder, part: _Part) -> list[Document]:
        """The rulings of a part as the pipeline with a model in it tags them."""
        return list(_ticked(tagged(self.made(model), part.documents), self.tick))

    def _pairs(self, seen: Sequence[Sequence[Judged]]) -> dict[str, Pairs]:
        pairs: dict[str, list[tuple[Counts, Counts]]] = {}
        for part, after in zip(self.parts, seen, strict=True):
            both = zip(part.before, after, strict=True)
            pairs.setdefault(part.name, []).extend((old.counts, new.counts) for old, new in both)
        return dict(pairs)


def _with_roles(finder: Finder, correction: RoleCorrection) -> Finder:
    """The model with a correction of roles, beside the one that it has."""
    corrected = copy(finder)
    before = RoleCorrection.of_dict(finder.roles) if finder.roles else None
    corrected.roles = correction.after(before).to_dict()
    return corrected


def _folds(documents: Sequence[Document]) -> Iterator[tuple[list[Document], list[Document]]]:
    """The rulings to learn from and those to check on; none of one ruling alone."""
    numbered = list(enumerate(documents))
    for fold in range(min(FOLDS, len(documents))) if len(documents) > 1 else ():
        yield [d for i, d in numbered if i % FOLDS != fold], [d for i, d in numbered if i % FOLDS == fold]


Item = TypeVar("Item")


def _ticked(items: Iterable[Item], tick: Tick) -> Iterator[Item]:
    for item in items:
        yield item
        tick()
