"""The whole study: every experiment, then every file."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aef
from aef.corpus_tools.document import Document
from aef.corpus_tools.files import write_atomic
from aef.errors import InputError
from aef.evaluation.tables import as_csv
from aef.learning.selection import Selection
from aef.learning.selection.pools import pool_of
from aef.learning.study import contributions, iterations, sets, systems, thesis
from aef.learning.study.plan import Plan

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

Row = dict[str, Any]
Progress = Callable[[Sequence[Any], str], Iterable[Any]]

FORMAT = "aef-study"


class Study:
    """A study that is done: ``record`` has all figures, as ``study.json`` has them."""

    def __init__(self, record: dict[str, Any]) -> None:
        self.record = record

    def to_frame(self, table: str) -> DataFrame:
        """One of the tables of the record ("single", "steps", "features", "systems" ...) as pandas has it."""
        from pandas import DataFrame

        return DataFrame(self.record["tables"][table])

    def plots(self) -> dict[str, Figure]:
        """The plots by name, figures of matplotlib."""
        from aef.learning.study import draw

        return draw.plots(self.record["tables"])

    def write(self, folder: str | Path, force: bool = False) -> None:
        """Write page, tables and plots into a folder. Raises `InputError` as `must_be_free` does."""
        write(must_be_free(folder, force), files(self.record), force)


def study(gold: Sequence[Document], **plan: Any) -> Study:
    """The thesis's experiments on gold documents; ``plan``: ``features``, ``target``, ``k``, ``folds``, ``seed``,
    ``jobs`` and ``named``, as in `Plan.of`, which says what is raised, too.

    >>> from aef import study
    >>> from aef.corpus_tools import handwritten
    >>> gold = handwritten.rulings(half="open")[:4]
    >>> found = study(gold, features="W0,FirstCap", k=1, folds=2, target="person")
    >>> found.to_frame("steps").columns.tolist()[:5], len(found.plots()) > 5
    (['step', 'action', 'feature', 'size', 'precision'], True)
    """
    return Study(experiments(Plan.of(gold, **plan), _silent, _unwatched, lambda scores, *_: scores))


def _silent(text: str) -> None:
    pass


def _unwatched(items: Sequence[Any], what: str) -> Iterable[Any]:
    return items


def experiments(
    plan: Plan, say: Callable[[str], None], progress: Progress, watch: Callable[..., Any]
) -> dict[str, Any]:
    """All figures: ``plan`` describes the corpus and the settings, ``tables`` has a list of rows for each table.

    ``say`` is told which part begins; ``progress`` wraps the items of a part, ``watch`` the candidates of a round of
    the selection.
    """
    tables: dict[str, list[Row]] = {}
    say("1 of 5: error against iterations")
    tables["iterations"] = iterations.error_curves(plan, lambda items: progress(items, "folds"))
    say("2 of 5: single features")
    tables["single"] = sets.candidates(plan)
    say(f"3 of 5: selection of up to {plan.k} of {len(plan.names)} features")
    with pool_of(plan.criterion, plan.jobs) as pool:
        selection = plan.selection().run(pool, watch)
    tables |= _selection_tables(plan, selection)
    say("4 of 5: what each feature contributes")
    matrix = contributions.correlations(plan)
    tables["features"] = contributions.contributions(plan, matrix)
    tables["correlations"] = contributions.correlation_rows(plan, matrix)
    say("5 of 5: AEF against NOME")
    tables["systems"] = systems.compare(plan, selection.chosen.features, lambda items: progress(items, "systems"))
    tables["thesis_selection"], tables["thesis_systems"] = _printed(), thesis.SYSTEMS
    rounded = {name: [_rounded(row) for row in rows] for name, rows in tables.items()}
    return {"format": FORMAT, "version": aef.__version__, "plan": plan.describe(), "tables": rounded}


def _selection_tables(plan: Plan, selection: Selection) -> dict[str, list[Row]]:
    tables = {"steps": sets.steps(selection), "selected": sets.selected(selection)}
    for name, step in zip(("second_step", "third_step"), selection.path[:-1], strict=False):
        tables[name] = sets.candidates(plan, step.features)
    return tables | {"thesis_sets": sets.thesis_sets(plan)}


def _printed() -> list[Row]:
    """Table 3.7 in fractions; ``f2_thesis`` as printed, ``true_f2`` from the printed precision and recall."""
    rows = []
    for size, row in enumerate(thesis.SELECTION, 1):
        percent = asdict(row) | {"true_f2": row.true_f2}
        figures = {key.replace("f2", "f2_thesis") if key == "f2" else key: v for key, v in percent.items()}
        rows.append({"size": size} | {k: v / 100 if isinstance(v, float) else v for k, v in figures.items()})
    return rows


def _rounded(row: Row) -> Row:
    return {key: round(value, 6) if isinstance(value, float) else value for key, value in row.items()}


# --- files ----------------------------------------------------------------------------------------------------------


def files(record: Mapping[str, Any]) -> dict[str, str | bytes]:
    """The content of every file of the study by its path in the folder, the page last."""
    from aef.learning.study import draw, page

    made: dict[str, str | bytes] = {"study.json": json.dumps(record, ensure_ascii=False, indent=1) + "\n"}
    made |= {f"tables/{name}.csv": as_csv(rows) for name, rows in record["tables"].items()}
    pictures = {}
    for name, figure in draw.plots(record["tables"]).items():
        pictures[name] = draw.render(figure, "svg")
        made |= {f"plots/{name}.svg": pictures[name], f"plots/{name}.png": draw.render(figure, "png")}
    return made | {"report.html": page.page(record, pictures)}


def must_be_free(folder: str | Path, force: bool) -> Path:
    """The folder as a path. Raises `InputError` where it is a file, holds something or cannot be written."""
    path = Path(folder)
    if path.exists() and not path.is_dir():
        raise InputError.at(path, "is a file", remedy="Name a folder")
    if not force and path.is_dir() and any(path.iterdir()):
        raise InputError.at(path, "is not empty", remedy="Name another folder, or write into it with --force")
    nearest = next(p for p in (path, *path.absolute().parents) if p.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        raise InputError.at(path, f"cannot be written: {nearest} is no folder you can write to", remedy="Name another")
    return path


def write(folder: Path, made: Mapping[str, str | bytes], force: bool) -> None:
    """Write all files, each whole or not at all."""
    for name, content in made.items():
        write_atomic(folder / name, content, force)
