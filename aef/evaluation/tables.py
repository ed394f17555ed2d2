"""Tables of plain text, as commands and figures print them, and of CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def table(rows: Iterable[Sequence[Any]], header: Sequence[str]) -> str:
    """A plain text table: the first column left, figures right, floats with one decimal."""
    cells = [[_cell(c) for c in row] for row in rows]
    widths = [max(len(r[i]) for r in [list(header), *cells]) for i in range(len(header))]
    lines = [list(header), ["-" * w for w in widths], *cells]
    return "\n".join(
        "  ".join(
            c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def _cell(value: Any) -> str:
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """A line a row under a header line, empty where a value is None; all rows have the first one's columns."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()
