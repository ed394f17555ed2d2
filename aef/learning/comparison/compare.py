"""Several systems on the same folds and features, from a corpus to a table: what ``aef compare`` does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from aef.corpus_tools.document import Document
from aef.errors import InputError
from aef.evaluation.folds import document_folds
from aef.evaluation.tables import as_csv
from aef.learning.comparison.figures import Row, as_text, rows
from aef.learning.comparison.run import Watch, cross_validate_all
from aef.learning.comparison.scoring import Options
from aef.learning.comparison.systems import SYSTEMS, chosen
from aef.tagging.targets import target_mentions

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame


@dataclass(frozen=True)
class Comparison:
    """What a comparison found. rows : one a system (`aef.learning.comparison.figures.row`), figures in fractions and
    seconds. missing : the systems that cannot run here, and what they lack. baseline : what differences are to."""

    rows: list[Row]
    missing: dict[str, str]
    baseline: str
    headline: str

    def __str__(self) -> str:
        """The table in percent, with what was compared above it."""
        return f"{self.headline}\n{as_text(self.rows, self.missing, self.baseline)}"

    def to_csv(self) -> str:
        """All figures, a line a system."""
        return as_csv(self.rows)

    def to_frame(self) -> DataFrame:
        """All figures as a table of pandas, by system."""
        from pandas import DataFrame

        return DataFrame(self.rows).set_index("system")

    def plot(self) -> Figure:
        """Quality with its intervals against training time, as a figure of matplotlib."""
        from aef.learning.comparison.plot import draw

        return draw(self.rows, self.headline)


@dataclass(frozen=True)
class Setting:
    """What is compared, checked: the systems, the baseline among them, and the folds of documents; ``missing`` are the
    systems that cannot run here."""

    options: Options
    systems: Sequence[str]
    missing: dict[str, str]
    baseline: str
    folds: int = 5
    bootstrap: int = 2000

    @classmethod
    def of(
        cls, options: Options, systems: str | Iterable[str] | None, baseline: str | None, folds: int, bootstrap: int
    ) -> Setting:
        """Raises `InputError` for a system or feature that is none, and for a baseline that is not compared."""
        if options.inner < 2:
            raise InputError(f"--inner {options.inner}: choosing a threshold needs at least 2 folds")
        options.names  # noqa: B018 - an unknown feature is found before anything is read
        asked = systems if systems is None or isinstance(systems, str) else ",".join(systems)
        names = chosen(asked, options)
        missing = {name: SYSTEMS[name].missing for name in names if SYSTEMS[name].missing}
        present = [name for name in names if name not in missing]
        if not present:
            raise InputError("none of the systems can run here")
        if baseline and baseline not in present:
            raise InputError(f"the baseline '{baseline}' is none of the systems compared: {', '.join(present)}")
        first = "aef" if "aef" in present else present[0]
        return cls(options, present, missing, baseline or first, folds, max(0, bootstrap))

    def must_fit(self, documents: Sequence[Document]) -> None:
        """Raise `InputError` where the corpus has too few documents, or nothing to hide."""
        document_folds(len(documents), self.folds, self.options.seed)
        if not any(target_mentions(document, self.options.target) for document in documents):
            raise InputError(
                f"the gold corpus's {len(documents)} documents hold nothing to hide for target "
                f"'{self.options.target}'. Check the mentions, or choose another --target"
            )

    def run(self, documents: Sequence[Document], jobs: int = 1, watch: Watch = iter) -> Comparison:
        """Cross-validate all systems; ``watch`` wraps the pairs of system and fold, for a progress bar."""
        self.must_fit(documents)
        target, seed = self.options.target, self.options.seed
        factories = {name: partial(SYSTEMS[name].make, self.options) for name in self.systems}
        outcomes = cross_validate_all(factories, documents, self.folds, seed, jobs, watch)
        found = rows(outcomes, documents, target, self.baseline, self.bootstrap, seed)
        folds = f"{self.folds}-fold cross-validation by document, seed {seed}"
        return Comparison(found, self.missing, self.baseline, f"{len(documents)} documents, target {target}, {folds}")


def compare(
    gold: Sequence[Document],
    systems: str | Iterable[str] | None = None,
    baseline: str | None = None,
    folds: int = 5,
    bootstrap: int = 2000,
    jobs: int = 1,
    **options: Any,
) -> Comparison:
    """Several systems on the same folds of gold documents; ``options`` are those of `Options`.

    ``systems``: names of `aef.learning.comparison.systems.SYSTEMS` (default: all that can run). Raises `InputError` for
    what cannot be compared.

    >>> from aef import compare
    >>> from aef.corpus_tools import handwritten
    >>> found = compare(handwritten.rulings(half="open")[:4], "nome,patterns", folds=2, target="person")
    >>> found.to_frame().index.tolist(), found.baseline
    (['nome', 'patterns'], 'nome')
    """
    return Setting.of(Options(**options), systems, baseline, folds, bootstrap).run(gold, jobs)
