"""The criterion against the number of features, drawn by mlxtend."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from aef.errors import InputError

if TYPE_CHECKING:
    from aef.learning.selection.run import Selection


def picture_format(path: str | Path) -> str:
    """png, svg or pdf, by the file's name. Raises `InputError` for anything else."""
    suffix = Path(path).suffix.lower()
    if suffix not in (".png", ".svg", ".pdf"):
        raise InputError.at(path, f"is not a picture's name ('{suffix}')", remedy="Use .png, .svg or .pdf")
    return suffix[1:]


def draw(selection: Selection, path: str | Path) -> bytes:
    """A picture in the format of ``path`` of the best mean F2 of each size, with its spread over the folds."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from mlxtend.plotting import plot_sequential_feature_selection

    figure, axes = plot_sequential_feature_selection(selection.to_mlxtend().get_metric_dict(), kind="std_dev")
    axes.set(
        xlabel="number of features",
        ylabel="F2, mean over the folds",
        title=f"Feature selection ({selection.search.method})",
    )
    axes.grid(alpha=0.3)
    stream = io.BytesIO()
    figure.savefig(stream, format=picture_format(path), dpi=150, bbox_inches="tight")
    pyplot.close(figure)
    return stream.getvalue()
