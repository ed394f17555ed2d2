"""From what editors corrected to a model of their court: read, learned, and checked that nothing gets worse by kind."""

from aef.corrections.gold import of_pair, of_review
from aef.corrections.judging import judged, tagged
from aef.corrections.kinds import Counts, Kind, kinds
from aef.corrections.learning import BUILT_IN, CORRECTED, Learned, built_in, learn, steps

__all__ = [
    "BUILT_IN",
    "CORRECTED",
    "Counts",
    "Kind",
    "Learned",
    "built_in",
    "judged",
    "kinds",
    "learn",
    "of_pair",
    "of_review",
    "steps",
    "tagged",
]
