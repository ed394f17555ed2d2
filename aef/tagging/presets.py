"""Ways to decide from a probability, stored in a model and chosen when tagging."""

from __future__ import annotations

PRESETS = {"balanced": 1.0, "f2": 2.0, "safe": 3.8}
"""The beta of the F-beta that each maximizes: a miss weighs as much as beta squared false alarms."""
