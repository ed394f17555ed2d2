"""The experiments of the AEF thesis's third chapter on a corpus of one's own: figures, plots and a page."""

from aef.learning.study.plan import Plan

__all__ = ["Plan"]
