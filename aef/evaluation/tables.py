"""Tables of plain text, as commands and figures print them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
