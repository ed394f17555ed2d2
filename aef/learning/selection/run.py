"""A selection from start to end: candidates evaluated side by side, the path kept, resumed where it stopped."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import Parallel, delayed

from aef import lexicons
from aef.corpus_tools.document import Document
from aef.corpus_tools.files import write_atomic
from aef.errors import InputError
from aef.features import feature_names
from aef.learning.selection.criterion import Criterion
from aef.learning.selection.pools import Pool, pool_of, scored
from aef.learning.selection.score import Score
from aef.learning.selection.search import METHODS, Found, Search

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

FORMAT = "aef-selection"


@dataclass(frozen=True)
class Step:
    """One step of the path: what was done, the set it led to (names in the order they came in), and its score."""

    action: str
    features: tuple[str, ...]
    score: Score

    def to_dict(self) -> dict[str, Any]:
        return {
            "action": self.action,
            "features": list(self.features),
            **self.score.figures(),
            "counts": self.score.counts.tolist(),
        }


class Selection:
    """A selection under way or done: `path` (every step), `best` (the best set of each size), `evaluations`."""

    def __init__(self, criterion: Criterion, method: str = "sffs", k: int | None = None) -> None:
        if method not in METHODS:
            raise InputError(f"method '{method}': there are {', '.join(METHODS)}")
        if k is not None and not 1 <= k <= len(criterion.names):
            raise InputError(f"k = {k}: a number from 1 to {len(criterion.names)}, the features to choose from")
        self.criterion = criterion
        self.search: Search[Score] = Search(self._evaluate, len(criterion.names), method, k)

    @property
    def path(self) -> list[Step]:
        return [self._step(action, found) for action, found in self.search.path]

    @property
    def best(self) -> dict[int, Step]:
        """The best set found of each size."""
        return {size: self._step("best", found) for size, found in sorted(self.search.best.items())}

    @property
    def chosen(self) -> Step:
        """The set with the best criterion; of equals the smallest."""
        return max(self.best.values(), key=lambda step: (round(step.score.f2, 5), -len(step.features)))

    @property
    def evaluations(self) -> int:
        return self.search.evaluations

    def to_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "method": self.search.method,
            "evaluations": self.evaluations,
            "chosen": self.chosen.to_dict(),
            "path": [step.to_dict() for step in self.path],
            "best": {str(size): step.to_dict() for size, step in self.best.items()},
        }

    def to_frame(self) -> DataFrame:
        """A row a step of the path: what was done, the size, the figures in fractions, the set."""
        from pandas import DataFrame

        return DataFrame(
            {"action": s.action, "size": len(s.features), **s.score.figures(), "features": " ".join(s.features)}
            for s in self.path
        )

    def plot(self) -> Figure:
        """The best mean F2 of each size, as a figure of matplotlib."""
        from aef.learning.selection.plot import draw

        return draw(self)

    def to_mlxtend(self) -> Any:
        """The best sets as a fitted `mlxtend.feature_selection.SequentialFeatureSelector`, for its tools and plots."""
        from mlxtend.feature_selection import SequentialFeatureSelector

        from aef.classifiers.maxent import MaxEntClassifier

        names = self.criterion.names
        selector = SequentialFeatureSelector(MaxEntClassifier(), k_features=len(names), cv=0)
        selector.subsets_ = {}
        for size, step in self.best.items():
            order = tuple(sorted(names.index(name) for name in step.features))
            selector.subsets_[size] = {
                "feature_idx": order,
                "feature_names": tuple(names[j] for j in order),
                "cv_scores": step.score.by_fold(),
                "avg_score": step.score.f2,
            }
        selector.fitted = True
        selector.k_feature_names_ = self.chosen.features
        selector.k_score_ = self.chosen.score.f2
        return selector

    def _step(self, action: str, found: Found[Score]) -> Step:
        return Step(action, tuple(self.criterion.names[j] for j in found.features), found.detail)

    def _evaluate(self, parent: tuple[int, ...], candidates: Sequence[tuple[int, ...]]) -> list[tuple[float, Score]]:
        path = tuple(found.features for _, found in self.search.path) if parent else ()
        scores = self.pool([delayed(scored)(self.criterion, candidate, path) for candidate in candidates])
        return [(score.f2, score) for score in self.watch(scores, len(candidates), self)]

    def run(
        self,
        pool: Pool | None = None,
        watch: Callable[[Iterable[Score], int, Selection], Iterable[Score]] = lambda scores, *_: scores,
        state: str | Path | None = None,
    ) -> Selection:
        """Search to the end.

        ``pool`` runs joblib tasks and gives their results in order (default: one after the other); ``watch`` wraps the
        scores of each round of candidates, for progress; ``state`` is a file that holds the path after each step.
        """
        self.pool = pool or Parallel(n_jobs=1, return_as="generator")
        self.watch = watch
        self.search.run(lambda _: self.save(state) if state is not None else None)
        return self

    # -- stopping and going on -----------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write all that is needed to go on from here, as JSON."""
        search = self.search
        record = {
            "format": FORMAT,
            "fingerprint": self.criterion.fingerprint,
            "names": list(self.criterion.names),
            "method": search.method,
            "k": search.k,
            "evaluations": search.evaluations,
            "path": [[action, _record(found)] for action, found in search.path],
            "best": [_record(found) for found in search.best.values()],
        }
        write_atomic(path, json.dumps(record) + "\n", force=True)

    def resume(self, path: str | Path) -> Selection:
        """Take up a saved selection. Raises `InputError` where it is of another corpus, division or set of features."""
        record = _read_state(path)
        search, own = self.search, (self.criterion.fingerprint, list(self.criterion.names), self.search.method)
        if (record["fingerprint"], record["names"], record["method"]) != own:
            raise InputError.at(
                path,
                "is the selection of another corpus, division into folds, feature list or method",
                remedy="Give the same arguments as before, or another file to begin anew",
            )
        try:
            search.path = [(str(action), _found(found)) for action, found in record["path"]]
            search.best = {len(f.features): f for f in map(_found, record["best"])}
            search.evaluations = int(record["evaluations"])
        except (ValueError, TypeError, KeyError) as error:
            raise InputError.at(path, "is damaged", remedy="Delete it to begin anew") from error
        search.current = search.path[-1][1] if search.path else None
        return self


def _record(found: Found[Score]) -> dict[str, Any]:
    return {"features": list(found.features), "counts": found.detail.counts.tolist()}


def _found(record: dict[str, Any]) -> Found[Score]:
    score = Score(np.array(record["counts"], dtype=np.int64).reshape(-1, 3))
    return Found(tuple(int(j) for j in record["features"]), score.f2, score)


def _read_state(path: str | Path) -> dict[str, Any]:
    try:
        record = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError.at(path, f"cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError):
        record = None
    keys = {"fingerprint", "names", "method", "path", "best", "evaluations"}
    if not isinstance(record, dict) or record.get("format") != FORMAT or not keys <= record.keys():
        raise InputError.at(path, "is no saved selection", remedy="Name another file to begin anew")
    return record


def select(
    corpus: Criterion | Sequence[Document],
    method: str = "sffs",
    k: int | None = None,
    n_jobs: int = 1,
    backend: str | None = None,
    features: str | Sequence[str] = "all",
    **division: Any,
) -> Selection:
    """Run a selection on one machine, ``n_jobs`` candidates at a time; the result does not depend on how many.

    ``corpus``: gold documents, of whose ``features`` the best ones are chosen under a ``division`` (``target``,
    ``folds``, ``seed`` and ``C``, as in `Criterion`), or a criterion. Raises `InputError` for what cannot be searched.

    >>> from aef import select
    >>> from aef.corpus_tools import handwritten
    >>> gold = handwritten.rulings(half="open")[:4]
    >>> selection = select(gold, k=2, features="W0,FirstCap,C2", target="person", folds=2)
    >>> selection.to_frame()["action"].tolist()
    ['add', 'add']
    """
    if isinstance(corpus, Criterion):
        criterion = corpus
    else:
        given = {"target": "all", **division}
        criterion = Criterion(corpus, feature_names(features), lexicons=lexicons.load_all("en"), **given)
    with pool_of(criterion, n_jobs, backend) as pool:
        return Selection(criterion, method, k).run(pool)
