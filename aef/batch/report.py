"""The report of a batch: what became of each ruling. It tells which output was made of which file, and no text."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from aef.batch.state import DONE, REFUSED, Outcome

COLUMNS = ("ruling", "case", "status", "why", "output", "seconds", "tokens")


@dataclass(frozen=True)
class Row:
    """A ruling: its outcome, where its output is, and whether an earlier run did it."""

    outcome: Outcome
    output: str = ""
    earlier: bool = False


@dataclass(frozen=True)
class Report:
    """What became of each ruling of a folder, in its order.

    skipped : files that are no rulings. seconds : the time this run took; those of the rulings are their workers'.
    """

    rows: Sequence[Row]
    skipped: Sequence[str]
    seconds: float

    def of(self, status: str) -> list[Row]:
        return [row for row in self.rows if row.outcome.status == status]

    @property
    def refused(self) -> list[Outcome]:
        return [row.outcome for row in self.of(REFUSED)]

    def totals(self) -> list[tuple[str, int, int, float]]:
        """By status the number of rulings, their tokens and their seconds; and those done by an earlier run."""
        earlier = [row for row in self.rows if row.earlier]
        parts = [("done", self.of(DONE)), ("refused", self.of(REFUSED)), ("by an earlier run", earlier)]
        return [
            (name, len(rows), sum(r.outcome.tokens for r in rows), sum(r.outcome.seconds for r in rows))
            for name, rows in parts
        ]

    def as_dict(self) -> dict[str, Any]:
        counts = {name.replace(" ", "_"): number for name, number, *_ in self.totals()}
        now = [row.outcome for row in self.rows if not row.earlier]
        return {
            **counts,
            "skipped": list(self.skipped),
            "seconds": round(self.seconds, 3),
            "tokens": sum(outcome.tokens for outcome in now),
            "rulings": [_row(row) for row in self.rows],
        }

    def as_json(self) -> str:
        return json.dumps(self.as_dict(), ensure_ascii=True, indent=1) + "\n"

    def as_csv(self) -> str:
        """A row for each ruling; the figures have columns of their own."""
        figures = list(dict.fromkeys(key for row in self.rows for key in row.outcome.figures))
        text = io.StringIO()
        writer = csv.DictWriter(text, [*COLUMNS, *figures, "dropped"], extrasaction="ignore")
        writer.writeheader()
        for row in self.rows:
            values = {**_row(row), "dropped": "; ".join(row.outcome.dropped)}
            writer.writerow({key: _cell(value) for key, value in values.items()})
        return text.getvalue().encode("utf-8", "backslashreplace").decode()


def _row(row: Row) -> dict[str, Any]:
    o = row.outcome
    told = {"ruling": o.ruling, "case": o.case, "status": o.status, "why": o.why, "output": row.output}
    return {**told, "seconds": o.seconds, "tokens": o.tokens, **o.figures, "dropped": list(o.dropped)}


def _cell(value: Any) -> Any:
    """A value that a spreadsheet takes for no formula, whatever a file is called."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value
