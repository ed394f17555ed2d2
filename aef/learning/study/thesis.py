"""What the AEF thesis prints: the figures of its tables, of its own corpus. Percent, as printed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from aef.learning.study.systems import AEF, NOME, occurrence_figures

CORPUS = {"documents": 151, "tokens": 569_031, "tokens_to_hide": 13_997}
"""Section 3.2: family-law decisions of 2002, bodies only."""

ITERATIONS = 50
"""Section 3.5: the error rises after so many iterations of GIS. Figure 3.3 is a graph without figures."""

CHOSEN = 9
"""Section 3.5: the first nine rows of Table 3.7 are the set chosen."""


@dataclass(frozen=True)
class Printed:
    """A row of Table 3.7: the feature added to those above, and the figures of the set in percent.

    ``f2`` is as printed, 3PR / (2P + R).
    """

    feature: str
    precision: float
    recall: float
    f1: float
    f2: float

    @property
    def true_f2(self) -> float:
        """5PR / (4P + R) of the printed means: near what a mean over the folds would be."""
        return 5 * self.precision * self.recall / (4 * self.precision + self.recall)


SELECTION = (
    Printed("W-1", 78.43, 61.82, 68.16, 65.69),
    Printed("SW-1", 85.33, 61.91, 71.66, 68.07),
    Printed("AllCapsPeriod", 86.19, 63.61, 73.05, 69.58),
    Printed("C9", 86.29, 64.28, 73.53, 70.14),
    Printed("W-2", 85.34, 65.13, 73.82, 70.67),
    Printed("FirstCapEndPeriod", 84.78, 68.27, 75.59, 72.98),
    Printed("AllCaps", 86.09, 71.16, 77.86, 75.48),
    Printed("CommonWord", 85.92, 72.07, 78.34, 76.12),
    Printed("W1", 86.57, 74.59, 80.11, 78.18),
    Printed("C6", 86.50, 74.88, 80.25, 78.37),
    Printed("ContainPunc", 86.67, 74.92, 80.35, 78.45),
    Printed("MonthName", 86.67, 75.03, 80.41, 78.53),
    Printed("C2", 86.65, 75.11, 80.45, 78.58),
    Printed("TwoDigits", 86.66, 75.13, 80.47, 78.60),
    Printed("Hyphen", 86.69, 75.16, 80.50, 78.63),
    Printed("WeekDay", 86.67, 75.20, 80.51, 78.66),
)
"""Table 3.7."""


def _system(scope: str, system: str, gold: tuple[int, int], found: tuple[int, int], wrong: tuple[int, int]) -> Any:
    return {
        "scope": scope,
        "system": system,
        "distinct": gold[0],
        "distinct_found": found[0],
        "occurrences": gold[1],
        "occurrences_found": found[1],
        "wrong_distinct": wrong[0],
        "wrong_occurrences": wrong[1],
        **occurrence_figures(gold[1], found[1], wrong[1]),
    }


SYSTEMS: list[dict[str, Any]] = [
    _system("Document I", NOME, (9, 455), (7, 388), (51, 119)),
    _system("Document I", AEF, (9, 455), (8, 340), (7, 14)),
    _system("Document II", NOME, (8, 92), (5, 26), (102, 253)),
    _system("Document II", AEF, (8, 92), (8, 75), (27, 62)),
]
"""Tables 3.9, 3.10, 3.12 and 3.13. Distinct terms are names; occurrences include the parts of birth dates. Precision
and recall, which the thesis prints for AEF alone (Tables 3.11 and 3.14), follow from the counts."""

PRINTED = {"Document I": (96.05, 74.73, 84.05, 80.70), "Document II": (54.74, 81.52, 65.50, 70.09)}
"""Tables 3.11 and 3.14: precision, recall, F1 and the F2 of 3PR / (2P + R), of AEF."""
